//! Colours and shapes.

use crate::noise::{fractal, mix};

/// Red, green and blue, 0 to 255.
pub(crate) type Color = [f32; 3];

/// A point, or a size, in pixels: x to the right, y down.
pub(crate) type Point = [f32; 2];

/// From one colour at 0 to another at 1.
pub(crate) fn blend(from: Color, to: Color, t: f32) -> Color {
    let t = t.clamp(0.0, 1.0);
    [mix(from[0], to[0], t), mix(from[1], to[1], t), mix(from[2], to[2], t)]
}

/// The colour, brighter or darker.
pub(crate) fn shade(color: Color, factor: f32) -> Color {
    color.map(|value| value * factor)
}

/// The colour with a grain of about `size` pixels; `strength` 0.2 changes it by up to a tenth either way.
pub(crate) fn grainy(color: Color, [x, y]: Point, size: f32, strength: f32, seed: u32) -> Color {
    shade(color, 1.0 + strength * (fractal(x / size, y / size, 3, seed) - 0.5))
}

/// Whether a point lies in an upright rectangle.
pub(crate) fn in_rectangle([x, y]: Point, [left, top]: Point, [width, height]: Point) -> bool {
    (left..left + width).contains(&x) && (top..top + height).contains(&y)
}

/// Whether a point lies in an ellipse with these half axes.
pub(crate) fn in_ellipse([x, y]: Point, [centre_x, centre_y]: Point, [half_width, half_height]: Point) -> bool {
    let (u, v) = ((x - centre_x) / half_width, (y - centre_y) / half_height);
    u * u + v * v < 1.0
}

/// Whether a point lies inside a polygon: a ray from it crosses the outline an odd number of times.
pub(crate) fn in_polygon([x, y]: Point, corners: &[Point]) -> bool {
    let previous = corners.iter().cycle().skip(corners.len().saturating_sub(1));
    corners.iter().zip(previous).fold(false, |inside, (&[x0, y0], &[x1, y1])| {
        let crosses = (y0 > y) != (y1 > y) && x < (x1 - x0) * (y - y0) / (y1 - y0) + x0;
        inside != crosses
    })
}
