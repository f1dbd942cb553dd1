//! What programs see: the example picture, and drawn things that move.

use std::path::Path;

use cain_runtime::pictures::Image;

/// The side of the array.
pub(super) const SIDE: usize = 256;
/// How far the example picture reaches beyond the array, for scenes in which the camera moves.
const MARGIN: usize = 32;

/// What can be seen.
pub(super) struct Scenes {
    village: Vec<u8>,
    wide: Vec<u8>,
}

impl Scenes {
    /// The scenes, with the example picture of this checkout.
    pub(super) fn new(root: &Path) -> Result<Self, String> {
        let path = root.join("examples/images/village.png");
        let open = |side| Image::open(&path, side, side).map(|image| image.bytes().to_vec());
        let read = || Ok(Self { village: open(SIDE)?, wide: open(SIDE + MARGIN)? });
        read().map_err(|error: cain_runtime::pictures::ImageError| error.to_string())
    }

    /// The greys of a frame, row by row: 128 is a level of 0 DN.
    pub(super) fn frame(&self, name: &str, frame: usize) -> Result<Vec<u8>, String> {
        let time = i32::try_from(frame).unwrap_or(i32::MAX);
        Ok(match name {
            "village" => self.village.clone(),
            "moving camera" => {
                let (top, left) = (2 * frame.min(MARGIN / 2), 3 * frame.min(MARGIN / 3));
                let rows = self.wide.chunks_exact(SIDE + MARGIN).skip(top).take(SIDE);
                rows.flat_map(|row| row.iter().skip(left).take(SIDE)).copied().collect()
            }
            "slow camera" => {
                let left = (MARGIN / 2 + frame).min(MARGIN);
                let rows = self.wide.chunks_exact(SIDE + MARGIN).skip(MARGIN / 2).take(SIDE);
                rows.flat_map(|row| row.iter().skip(left).take(SIDE)).copied().collect()
            }
            "noisy village" => {
                // One of 32 pixels is black or white.
                let grey = |(place, grey): (i32, &u8)| match random([place, 0]) % 64 {
                    0 => 0,
                    1 => 255,
                    _ => *grey,
                };
                (0..).zip(&self.village).map(grey).collect()
            }
            "dark village" => self.village.iter().map(|grey| grey / 2).collect(),
            "moving square" => drawn(|x, y| {
                let is_inside = (100..140).contains(&y) && (40..80).contains(&(x - 24 * time));
                if is_inside { 240 } else { 60 + x / 4 }
            }),
            "shapes" => drawn(|x, y| if is_in_shape(x, y) { 225 } else { 60 + y / 8 }),
            "dark shapes" => drawn(|x, y| if is_in_shape(x, y) { 40 } else { 200 - y / 8 }),
            "dark discs" => drawn(|x, y| {
                let discs = [(40, 50), (120, 36), (200, 70), (64, 150), (140, 190), (212, 170)];
                if discs.iter().any(|(column, row)| distance(x, y, *column, *row) <= 3) { 40 } else { 200 - y / 8 }
            }),
            "seven" => drawn(|x, y| {
                let (column, row) = (x - 150, y - 60);
                let is_bar = (0..7).contains(&row) && (0..34).contains(&column);
                let is_leg = (0..50).contains(&row) && (0..9).contains(&(column - 25 + row / 2));
                if is_bar || is_leg { 220 } else { 70 }
            }),
            "place" => drawn(|x, y| if x < 8 && y < 8 { pixel(19, 11, x, y) } else { 90 }),
            "database" => drawn(|x, y| pixel(x / 8, y / 8, x % 8, y % 8)),
            "points" => drawn(|x, y| if x % 32 == 16 && y % 48 == 24 { 230 } else { 70 }),
            "rings" => drawn(|x, y| {
                let rings = distance(x, y, 118, 122) / 20;
                if rings < 5 && rings % 2 == 0 { 220 } else { 70 }
            }),
            "cones" => drawn(|x, y| {
                let cone = |column: i32, row: i32, height: i32| {
                    let down = y - row;
                    let is_stripe = down % 9 < 6;
                    (0..height).contains(&down) && (x - column).abs() <= down / 3 && is_stripe
                };
                if cone(60, 60, 100) || cone(150, 110, 54) || cone(210, 30, 72) { 220 } else { 70 }
            }),
            "maze" => drawn(|x, y| maze(x, y, time)),
            "cross" => drawn(|x, y| {
                let is_arm =
                    (x - 128).abs() <= 8 && (y - 128).abs() <= 72 || (y - 128).abs() <= 8 && (x - 128).abs() <= 40;
                if is_arm { 220 } else { 70 }
            }),
            "checks" => drawn(|x, y| if (x / 32 + y / 32) % 2 == 0 { 200 } else { 70 }),
            "bit 0" => self.bit(3),
            "bit 1" => self.bit(4),
            "bit 2" => self.bit(5),
            "bit 3" => self.bit(6),
            "bit 4" => self.bit(7),
            _ => return Err(format!("unknown scene `{name}`")),
        })
    }

    /// A bit of the example picture, black and white.
    fn bit(&self, place: u32) -> Vec<u8> {
        self.village.iter().map(|grey| if grey >> place & 1 == 1 { 255 } else { 0 }).collect()
    }
}

/// The greys of a function of column and row.
fn drawn(grey: impl Fn(i32, i32) -> i32) -> Vec<u8> {
    let places = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (column, row)));
    let number = |place: usize| i32::try_from(place).unwrap_or(i32::MAX);
    places.map(|(x, y)| u8::try_from(grey(number(x), number(y)).clamp(0, 255)).unwrap_or(u8::MAX)).collect()
}

fn distance(x: i32, y: i32, column: i32, row: i32) -> i32 {
    ((x - column).pow(2) + (y - row).pow(2)).isqrt()
}

/// A disc, a rectangle, a ring, an L, a triangle and a thin bar.
fn is_in_shape(x: i32, y: i32) -> bool {
    let inside = |top, left, height, width| (top..top + height).contains(&y) && (left..left + width).contains(&x);
    let ring = (14..=26).contains(&distance(x, y, 190, 62));
    let triangle = (150..206).contains(&y) && (x - 64).abs() <= (y - 150) / 2;
    let el = inside(140, 118, 66, 14) || inside(192, 118, 14, 44);
    distance(x, y, 60, 56) <= 28 || inside(34, 112, 40, 26) || ring || triangle || el || inside(130, 196, 84, 5)
}

/// A pixel of the small picture in this column and row of a database: squares of four PEs.
fn pixel(column: i32, row: i32, x: i32, y: i32) -> i32 {
    40 + random([row * 32 + column, y / 2 * 4 + x / 2]) % 180
}

/// A number below 2^16 that looks random.
fn random(of: [i32; 2]) -> i32 {
    let mixed = of.iter().fold(1_i32, |mixed, number| {
        let next = (mixed ^ number).wrapping_mul(0x2c1b_3c6d);
        next ^ (next >> 12)
    });
    mixed.wrapping_mul(0x297a_2d39) >> 15 & 0xFFFF
}

/// A bright board with dark walls in the north-west, and from the third frame on a dark ball, which rolls.
fn maze(x: i32, y: i32, time: i32) -> i32 {
    let is_board = (3..40).contains(&y) && (3..40).contains(&x);
    let is_wall = (y == 14 || y == 15) && x < 30 || (y == 26 || y == 27) && x >= 12;
    let is_ball = time >= 2 && distance(x, y, 20 + 2 * time, 20) <= 3;
    if !is_board || is_wall || is_ball { 50 } else { 210 }
}
