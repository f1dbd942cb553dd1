//! Loops over planes of bits.

use super::planes::{Bits, Plane, blobs, pictures, plane};
use super::run::{Run, borrowed, region};

pub(crate) const CROSS: [(i64, i64); 5] = [(0, 0), (-1, 0), (0, 1), (1, 0), (0, -1)];

pub(crate) fn square() -> Vec<(i64, i64)> {
    (-1..=1).flat_map(|y| (-1..=1).map(move |x| (y, x))).collect()
}

/// Whether any of these is 1.
pub(crate) fn grown(bits: &Bits, places: &[(i64, i64)]) -> Bits {
    plane(|row, column| places.iter().any(|(y, x)| bits.bit(row + y, column + x)))
}

/// Whether all of these are 1; there are none outside of the array.
pub(crate) fn shrunk(bits: &Bits, places: &[(i64, i64)]) -> Bits {
    plane(|row, column| places.iter().all(|(y, x)| bits.bit(row + y, column + x)))
}

/// What is reached within a mask by steps to the four neighbours.
pub(crate) fn flooded(seeds: &Bits, mask: &Bits, steps: Option<i64>) -> Bits {
    let mut reached = seeds.with(mask, |one, other| one && other);
    let mut done = 0;
    while steps.is_none_or(|steps| done < steps) {
        let next = grown(&reached, &CROSS).with(mask, |one, other| one && other);
        if next == reached {
            break;
        }
        (reached, done) = (next, done + 1);
    }
    reached
}

pub(crate) fn border() -> Bits {
    plane(|row, column| {
        row == 0 || column == 0 || row == super::planes::HEIGHT - 1 || column == super::planes::WIDTH - 1
    })
}

#[test]
fn spreading() {
    let mut run = Run::of("spreading", "spreading");
    let picture = &pictures(20, 1)[0];
    for (times, which, outside) in
        [(0, [1, 1, 1, 1], 0), (1, [1, 0, 0, 1], 0), (3, [0, 1, 0, 0], 1), (2, [1, 1, 1, 1], 1)]
    {
        let names = ["north_too", "east_too", "south_too", "west_too"];
        let mut parameters: Vec<(&str, i64)> = names.into_iter().zip(which).collect();
        parameters.extend([("threshold", 60), ("times", times), ("outside_is", outside)]);
        let mut bits = picture.map(|level| level > 60.0);
        for _ in 0..times {
            let places = [(-1, 0), (0, 1), (1, 0), (0, -1)];
            bits = plane(|row, column| {
                let chosen = places.iter().zip(which).filter(|(_, which)| *which == 1);
                chosen.into_iter().any(|((y, x), _)| bits.get(row + y, column + x).unwrap_or(outside == 1))
            });
        }
        run.frame(picture, &parameters).has_bits("spread", &bits);
    }
}

#[test]
fn dilation_and_erosion() {
    let mut run = Run::of("morphology", "morphology");
    for (picture, (grow, shrink)) in blobs(21, 4).iter().zip([(0, 0), (1, 1), (2, 3), (0, 1)]) {
        let mut bits = picture.map(|level| level > 32.0);
        (0..grow).for_each(|_| bits = grown(&bits, &CROSS));
        (0..shrink).for_each(|_| bits = shrunk(&bits, &CROSS));
        run.frame(picture, &[("grow", grow), ("shrink", shrink)]).has_bits("things", &bits);
    }
}

#[test]
fn flooding() {
    let mut run = Run::of("flooding", "flooding");
    for (picture, (steps, outside)) in blobs(22, 4).iter().zip([(0, 0), (2, 0), (20, 0), (3, 1)]) {
        let seeds = [4, 4, 3, 2];
        let mut parameters = vec![("steps".to_owned(), steps), ("from_outside".to_owned(), outside)];
        parameters.extend(region("seeds", seeds));
        let free = picture.map(|level| level <= 32.0);
        let starts = plane(|row, column| (4..7).contains(&row) && (4..6).contains(&column));
        let starts = starts.with(&border(), |start, border| start || border && outside == 1);
        run.frame(picture, &borrowed(&parameters)).has_bits("reached", &flooded(&starts, &free, Some(steps)));
    }
}

#[test]
fn points() {
    let mut run = Run::of("points", "points");
    for (picture, distance) in blobs(23, 3).iter().zip([0, 2, 5]) {
        let blobs = picture.map(|level| level > 32.0);
        let corners = plane(|row, column| blobs.bit(row, column) && !blobs.bit(row, column + 1));
        let tips = plane(|row, column| corners.bit(row, column) && !corners.bit(row - 1, column));
        let alone =
            plane(|row, column| tips.bit(row, column) && !(1..=distance + 1).any(|east| tips.bit(row, column + east)));
        let points = plane(|row, column| {
            alone.bit(row, column) && !(-distance..=distance).any(|east| alone.bit(row - 1, column + east))
        });
        run.frame(picture, &[("distance", distance)]).has_bits("points", &points);
    }
}

#[test]
fn skew() {
    let mut run = Run::of("skew", "skew");
    let picture = &pictures(24, 1)[0];
    for (lines, apart) in [(1, 4), (3, 2), (8, 1)] {
        // Each line that is passed moves a row by one PE.
        let skewed = plane(|row, column| {
            let east = (row / apart).min(lines);
            picture.get(row, column - east).is_some_and(|level| level > 32.0)
        });
        run.frame(picture, &[("lines", lines), ("apart", apart)]).has_bits("skewed", &skewed);
    }
}

#[test]
fn half_scaling() {
    let picture: Plane<f64> = Plane::of(256, 3, |row, column| ((row * 7 + column * 31) % 200 - 100) as f64);
    let mut run = Run::sized("half_scaling", "half_scaling", 256, 3);
    let answers = run.frame(&picture, &[("steps", 64)]);
    // Rows k above and below the middle line have what was in rows 2k.
    let wanted = Plane::of(256, 3, |row, column| match row {
        64..=127 => Some(picture.here(127 - 2 * (127 - row), column)),
        128..=191 => Some(picture.here(128 + 2 * (row - 128), column)),
        _ => None,
    });
    answers.has_levels("scaled", &wanted);
}
