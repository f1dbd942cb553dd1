//! What is in the picture, from the front to the back.

use std::f32::consts::PI;

use crate::letters::in_word;
use crate::noise::{fractal, hash, mix};
use crate::paint::{Color, Point, blend, grainy, in_ellipse, in_polygon, in_rectangle, shade};

/// Shapes in front come first and hide later ones.
const LAYERS: [fn(Point) -> Option<Color>; 8] = [face, fence, star, sign, house, tree, ground, hills];

/// The colour at a point.
pub(crate) fn color(at: Point) -> Color {
    LAYERS.iter().find_map(|layer| layer(at)).unwrap_or_else(|| sky(at))
}

/// Clouds before a sky that is darker at the top.
fn sky([x, y]: Point) -> Color {
    let blue = blend([70.0, 118.0, 176.0], [176.0, 204.0, 222.0], y / 200.0);
    let cover = fractal(x / 120.0, y / 60.0, 6, 1);
    let light = fractal(x / 120.0 - 0.12, y / 60.0 - 0.12, 6, 1);
    let cloud = shade([250.0, 248.0, 244.0], 0.9 + 1.2 * (cover - light));
    blend(blue, cloud, (cover - 0.45) * 7.0)
}

/// Mountains with snow, and wooded hills before them.
fn hills([x, y]: Point) -> Option<Color> {
    let wood_line = 262.0 - 60.0 * fractal(x / 130.0, 3.5, 4, 31);
    if y > wood_line {
        let leaves = fractal(x / 9.0, y / 7.0, 4, 32);
        return Some(shade([66.0, 96.0, 60.0], 0.45 + 1.1 * leaves));
    }
    let rock_line = 225.0 - 190.0 * fractal(x / 170.0, 0.5, 6, 21);
    (y > rock_line).then(|| {
        let slope = fractal(x / 34.0, y / 34.0, 5, 22) - fractal((x - 3.0) / 34.0, (y - 2.0) / 34.0, 5, 22);
        let snow = (118.0 - y) / 12.0 + 6.0 * (fractal(x / 14.0, y / 8.0, 4, 23) - 0.5);
        let rock = blend([112.0, 108.0, 116.0], [246.0, 248.0, 252.0], snow);
        shade(rock, (0.82 + 6.0 * slope).clamp(0.35, 1.15))
    })
}

/// A paved square, tiles in perspective.
fn ground([x, y]: Point) -> Option<Color> {
    const HORIZON: f32 = 236.0;
    (y > 352.0 + 3.0 * fractal(x / 25.0, 0.0, 3, 41)).then(|| {
        let depth = 1.0 / (y - HORIZON);
        let (across, along) = ((x - 300.0) * depth * 5.0, 2600.0 * depth);
        let dark = (across.floor() + along.floor()).rem_euclid(2.0) > 0.5;
        let joint = across.fract().abs().min(along.rem_euclid(1.0)) < 0.04;
        let stone = if dark { [86.0, 84.0, 92.0] } else { [206.0, 198.0, 182.0] };
        let stone = if joint { shade(stone, 0.7) } else { stone };
        shade(grainy(stone, [x, y], 7.0, 0.5, 42), 0.8 + (y - 352.0) / 600.0)
    })
}

/// A tree: a trunk, and leaves where noise is high enough.
fn tree(at @ [x, y]: Point) -> Option<Color> {
    let distance = ((x - 332.0) / 56.0).powi(2) + ((y - 232.0) / 66.0).powi(2);
    let leaves = fractal(x / 16.0, y / 16.0, 4, 51);
    if distance < 1.25 && leaves > 0.28 + 0.28 * distance {
        let light = 1.0 - 0.35 * distance + 0.004 * (330.0 - x) + 0.004 * (232.0 - y);
        return Some(shade([104.0, 148.0, 62.0], light * (0.2 + 1.4 * fractal(x / 5.0, y / 5.0, 3, 52))));
    }
    in_rectangle(at, [325.0, 250.0], [14.0, 108.0])
        .then(|| shade([104.0, 76.0, 52.0], 0.5 + fractal(x / 2.5, y / 16.0, 3, 53)))
}

/// A brick house with a tiled roof, a window with bars, a louvred shutter and a door.
fn house(at @ [_, y]: Point) -> Option<Color> {
    if in_polygon(at, &[[84.0, 150.0], [118.0, 84.0], [262.0, 84.0], [296.0, 150.0]]) {
        return Some(roof_tile(at));
    }
    if in_rectangle(at, [222.0, 56.0], [22.0, 40.0]) {
        return Some(brick(at, 0.85));
    }
    if !in_rectangle(at, [94.0, 150.0], [192.0, 210.0]) {
        return None;
    }
    Some(if in_rectangle(at, [112.0, 226.0], [70.0, 76.0]) {
        window(at)
    } else if in_rectangle(at, [182.0, 226.0], [24.0, 76.0]) {
        shade([70.0, 112.0, 104.0], if y.rem_euclid(5.0) < 2.5 { 1.15 } else { 0.55 })
    } else if in_rectangle(at, [222.0, 246.0], [46.0, 114.0]) {
        door(at)
    } else {
        let eaves = mix(0.55, 1.0, ((y - 150.0) / 16.0).clamp(0.0, 1.0));
        brick(at, eaves)
    })
}

fn roof_tile([x, y]: Point) -> Color {
    let row = (y / 8.0).floor();
    let column = x / 10.0 + if row.rem_euclid(2.0) > 0.5 { 0.5 } else { 0.0 };
    let (u, v) = (column.rem_euclid(1.0), (y / 8.0).rem_euclid(1.0));
    let edge = v > 1.0 - 0.25 - 0.5 * (u - 0.5).powi(2);
    let tone = 0.75 + 0.5 * hash(column.floor(), row, 61);
    shade([126.0, 70.0, 62.0], if edge { 0.45 } else { tone + 0.25 * (0.5 - v) })
}

fn brick(at @ [x, y]: Point, light: f32) -> Color {
    let row = (y / 9.0).floor();
    let column = x / 20.0 + if row.rem_euclid(2.0) > 0.5 { 0.5 } else { 0.0 };
    let mortar = column.rem_euclid(1.0) < 0.1 || (y / 9.0).rem_euclid(1.0) < 0.2;
    let tone = 0.78 + 0.44 * hash(column.floor(), row, 62);
    let color = if mortar { [204.0, 196.0, 184.0] } else { shade([172.0, 88.0, 66.0], tone) };
    grainy(shade(color, light), at, 4.0, 0.35, 63)
}

fn window(at @ [x, y]: Point) -> Color {
    let (u, v) = ((x - 112.0) / 70.0, (y - 226.0) / 76.0);
    let frame = !(0.07..0.93).contains(&u) || !(0.07..0.93).contains(&v);
    let bar = (u - 0.5).abs() < 0.03 || (v - 0.36).abs() < 0.03;
    if frame || bar {
        return grainy([238.0, 234.0, 224.0], at, 5.0, 0.12, 64);
    }
    let glass = blend([36.0, 48.0, 66.0], [150.0, 180.0, 200.0], fractal((x + y) / 40.0, (x - y) / 90.0, 3, 65));
    // A curtain of fine checks in the lower half.
    let check = ((x / 4.0).floor() + (y / 4.0).floor()).rem_euclid(2.0) > 0.5;
    if v > 0.6 && check { [232.0, 226.0, 206.0] } else { glass }
}

fn door(at @ [x, y]: Point) -> Color {
    if in_ellipse(at, [260.0, 306.0], [2.6, 2.6]) {
        return [240.0, 208.0, 96.0];
    }
    let panel =
        |top| in_rectangle(at, [230.0, top], [30.0, 38.0]) && !in_rectangle(at, [232.0, top + 2.0], [26.0, 34.0]);
    let grain = fractal(x / 2.0, y / 30.0, 3, 66);
    shade([54.0, 84.0, 118.0], if panel(254.0) || panel(314.0) { 0.5 } else { 0.75 + 0.5 * grain })
}

/// The name over the door.
fn sign(at: Point) -> Option<Color> {
    let board = in_rectangle(at, [116.0, 166.0], [150.0, 46.0]);
    board.then(|| {
        if in_word(at, [134.0, 172.0], 34.0) {
            [28.0, 30.0, 38.0]
        } else if in_rectangle(at, [119.0, 169.0], [144.0, 40.0]) {
            grainy([240.0, 226.0, 188.0], at, 9.0, 0.12, 71)
        } else {
            [84.0, 58.0, 40.0]
        }
    })
}

/// A Siemens star on a board, with rings around it and a post below.
fn star(at @ [x, y]: Point) -> Option<Color> {
    const SPOKES: f32 = 18.0;
    let (dx, dy) = (x - 462.0, y - 212.0);
    let radius = dx.hypot(dy);
    if radius < 66.0 {
        let white = (dy.atan2(dx) * SPOKES / PI).rem_euclid(2.0) < 1.0;
        return Some(if white { [246.0; 3] } else { [18.0; 3] });
    }
    if radius < 84.0 {
        let red = (radius - 66.0).rem_euclid(9.0) < 4.5;
        return Some(if red { [204.0, 52.0, 48.0] } else { [250.0, 246.0, 240.0] });
    }
    in_rectangle(at, [456.0, 290.0], [12.0, 66.0]).then(|| grainy([120.0, 118.0, 124.0], at, 3.0, 0.4, 81))
}

/// Vertical pickets that get finer to the right, with two rails.
fn fence([x, y]: Point) -> Option<Color> {
    if !(300.0..640.0).contains(&x) {
        return None;
    }
    // The period falls from 18 to 3 pixels; the phase is the integral of one over it.
    let progress = (x - 300.0) / 340.0;
    let phase = 340.0 / 15.0 * (18.0 / (18.0 - 15.0 * progress)).ln();
    let inside = phase.rem_euclid(1.0);
    let top = 306.0 + 14.0 * (inside - 0.25).abs();
    let picket = inside < 0.5 && (top..372.0).contains(&y);
    let rail = (322.0..328.0).contains(&y) || (350.0..356.0).contains(&y);
    (picket || rail).then(|| {
        let light = if picket { 1.0 - 0.5 * (inside - 0.2).abs() } else { 0.72 };
        shade([236.0, 232.0, 220.0], light * (0.9 + 0.2 * fractal(x / 2.0, y / 12.0, 2, 91)))
    })
}

/// Somebody with a striped pullover, looking out of the picture.
fn face(at @ [x, y]: Point) -> Option<Color> {
    const X: f32 = 392.0;
    const Y: f32 = 334.0;
    let pair = |dx: f32, dy: f32, size| in_ellipse([X + (x - X).abs(), y], [X + dx, Y + dy], size);
    let smile = in_ellipse(at, [X, Y + 19.0], [18.0, 12.0]) && !in_ellipse(at, [X, Y + 14.0], [21.0, 11.0]);
    if smile || pair(16.0, -6.0, [2.8, 3.4]) {
        return Some([38.0, 22.0, 26.0]);
    }
    if pair(16.0, -6.0, [7.6, 5.2]) {
        return Some([250.0, 250.0, 248.0]);
    }
    if pair(16.0, -17.0, [9.0, 2.4]) {
        return Some([74.0, 44.0, 26.0]);
    }
    if in_polygon(at, &[[X, Y - 4.0], [X + 6.0, Y + 13.0], [X - 5.0, Y + 13.0]]) {
        return Some([196.0, 128.0, 96.0]);
    }
    let hair = y < Y - 26.0 + 5.0 * (x / 4.0).sin() && in_ellipse(at, [X, Y - 6.0], [45.0, 52.0]);
    if hair || pair(38.0, -14.0, [8.0, 22.0]) {
        return Some(shade([98.0, 58.0, 34.0], 0.4 + 1.2 * fractal(x / 1.5, y / 18.0, 2, 101)));
    }
    if in_ellipse(at, [X, Y], [40.0, 48.0]) {
        let light = 1.05 - ((x - X + 14.0) / 70.0).powi(2) - ((y - Y + 10.0) / 90.0).powi(2);
        return Some(grainy(shade([232.0, 178.0, 142.0], light), at, 3.0, 0.1, 102));
    }
    in_ellipse(at, [X, Y + 150.0], [86.0, 108.0]).then(|| {
        let stripe = (y + 0.004 * (x - X).powi(2)).rem_euclid(14.0) < 7.0;
        let wool = if stripe { [46.0, 74.0, 128.0] } else { [232.0, 216.0, 186.0] };
        let knit = 0.85 + 0.3 * ((x / 3.0).floor() + (y / 3.0).floor()).rem_euclid(2.0);
        shade(wool, knit * (1.0 - ((x - X + 20.0) / 150.0).powi(2)))
    })
}
