//! Loops until nothing is left.

use super::morphology::{CROSS, border, flooded, grown, shrunk, square};
use super::planes::{Bits, Plane, blobs, plane};
use super::run::Run;

/// The first bit, row by row.
fn first(bits: &Bits) -> Bits {
    let place = bits.ones().first().copied();
    plane(|row, column| place == Some((row, column)))
}

fn without(bits: &Bits, other: &Bits) -> Bits {
    bits.with(other, |bit, other| bit && !other)
}

/// Takes things away one after the other: their boxes, and what is left.
fn taken(bits: &Bits, most: usize, steps: Option<i64>) -> (Vec<Vec<i64>>, Bits) {
    let (mut rest, mut boxes) = (bits.clone(), Vec::new());
    while rest.count() > 0 && boxes.len() < most {
        let thing = flooded(&first(&rest), &rest, steps);
        boxes.push(thing.bounds());
        rest = without(&rest, &thing);
    }
    (boxes, rest)
}

#[test]
fn dark_shapes() {
    let mut run = Run::of("shapes", "shapes");
    for (picture, (erosions, steps)) in blobs(60, 4).iter().zip([(0, 10), (0, 2), (1, 64), (0, 1)]) {
        let answers = run.frame(picture, &[("erosions", erosions), ("steps", steps)]);
        let dark = picture.map(|level| level <= 0.0);
        let mut inner = without(&dark, &flooded(&border(), &dark, None));
        (0..erosions).for_each(|_| inner = shrunk(&inner, &CROSS));
        let (boxes, left) = taken(&inner, 16, Some(steps));
        assert_eq!(answers.list("boxes"), boxes);
        answers.has_bits("left", &left);
    }
}

#[test]
fn bright_blobs() {
    let mut run = Run::of("blobs", "blobs");
    for picture in &blobs(61, 4) {
        let answers = run.frame(picture, &[]);
        let (boxes, _) = taken(&picture.map(|level| level > 32.0), 8, None);
        assert_eq!(answers.number("number"), boxes.len() as i64);
        assert_eq!(answers.list("boxes"), boxes);
    }
    assert_eq!(run.frame(&plane(|_, _| 0.0), &[]).number("number"), 0);
}

#[test]
fn cones() {
    let mut run = Run::of("cones", "cones");
    for (picture, distance) in blobs(62, 3).iter().zip([1, 2, 1]) {
        let mut thick = picture.map(|level| level > 32.0);
        for _ in 0..distance {
            thick = grown(&thick, &[(0, 0), (-2, 0), (0, 2), (2, 0), (0, -2)]);
        }
        let rest = plane(|row, column| thick.bit(row, column) && row > 2 && column > 2);
        let (boxes, _) = taken(&rest, 4, None);
        assert_eq!(run.frame(picture, &[("distance", distance)]).list("boxes"), boxes);
    }
}

#[test]
fn rings() {
    let mut run = Run::of("rings", "rings");
    // Two and three rings around places, one that is open, nothing, and a single wall.
    let far = |row: i64, column: i64, middle: i64| (row - 5).abs().max((column - middle).abs());
    let two = plane(|row, column| if far(row, column, 7) % 4 < 2 { 60.0 } else { 0.0 });
    let three = plane(|row, column| if far(row, column, 5) / 2 % 2 == 0 && column < 14 { 60.0 } else { 0.0 });
    let open = plane(|row, column| if far(row, column, 7) == 3 && column != 7 { 60.0 } else { 0.0 });
    let mut depths = Vec::new();
    for picture in [two, three, open, plane(|_, _| 0.0), plane(|row, _| if row > 6 { 50.0 } else { 0.0 })] {
        let answers = run.frame(&picture, &[]);
        let differs = |row: i64, column: i64, y: i64, x: i64| {
            picture.get(row + y, column + x).is_some_and(|level| (level - picture.here(row, column)).abs() > 12.0)
        };
        let edges = plane(|row, column| differs(row, column, 0, 1) || differs(row, column, 1, 0));
        let (mut walls, mut innermost, mut depth) = (without(&edges, &border()), plane(|_, _| false), 0);
        while walls.count() > 0 && depth < 10 {
            let outer = flooded(&border(), &walls.map(|wall| !wall), None);
            innermost = grown(&outer, &square()).with(&walls, |outer, wall| outer && wall);
            while grown(&innermost, &square()).with(&walls, |near, wall| near && wall) != innermost {
                innermost = grown(&innermost, &square()).with(&walls, |near, wall| near && wall);
            }
            walls = without(&walls, &innermost);
            depth += 1;
        }
        answers.has_bits("innermost", &innermost);
        assert_eq!(answers.number("depth"), depth);
        depths.push(depth);
    }
    assert!(depths.contains(&0) && depths.iter().any(|depth| *depth > 1), "{depths:?}");
}

#[test]
fn digit() {
    let side = 40;
    let mut run = Run::sized("digit", "digit", side, side);
    // Two strokes that touch at a corner, and something further south.
    let strokes = |row: i64, column: i64| {
        (3..6).contains(&row) && (2..5).contains(&column) || (6..9).contains(&row) && (5..8).contains(&column)
    };
    let picture =
        Plane::of(
            side,
            side,
            |row, column| {
                if strokes(row, column) || (15..19).contains(&row) && column < 9 { 90.0 } else { -60.0 }
            },
        );
    // The middle of rows 3 to 8 and of columns 2 to 7 goes to the place that is wanted.
    let (row, column, far) = (19, 21, 16);
    let (south, east) = (row - 5, column - 4);
    // Where a place was before a step: nearer to the middle by one for each line that it is beyond.
    let back = |place: i64| {
        (1..=8).rev().fold(place, |place, line| match place / (far / 8 * line) {
            1.. => place - 1,
            ..=-1 => place + 1,
            0 => place,
        })
    };
    let digit = |steps: i64| {
        let from = |place: i64, middle: i64| (0..steps).fold(place - middle, |place, _| back(place)) + middle;
        Plane::of(side, side, |y, x| strokes(from(y, row) - south, from(x, column) - east))
    };
    let is_outer = |place: i64, middle: i64| !(middle - far..middle + far).contains(&place);
    let touches = |bits: &Bits| bits.ones().iter().any(|(y, x)| is_outer(*y, row) || is_outer(*x, column));
    let steps = (0..=24).find(|steps| touches(&digit(*steps))).unwrap();
    let parameters = [("row", row), ("column", column), ("far", far)];
    let answers = run.frame(&picture, &parameters);
    assert_eq!(answers.number("steps"), steps);
    assert!(steps > 2);
    answers.has_bits("digit", &digit(steps));
    let nothing = run.frame(&picture.map(|_| -60.0), &parameters);
    assert_eq!((nothing.number("steps"), nothing.bits("digit").count()), (0, 0));
}
