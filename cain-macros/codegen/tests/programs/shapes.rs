//! Loops until nothing is left.

use super::morphology::{CROSS, border, flooded, grown, shrunk, square};
use super::planes::{Bits, blobs, plane};
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
    // Rings around a place, and one without any.
    let rings = |row: i64, column: i64| {
        let far = (row - 5).abs().max((column - 7).abs());
        if far % 2 == 0 { 60.0 } else { 0.0 }
    };
    for picture in [plane(rings), plane(|_, _| 0.0), plane(|row, _| if row > 6 { 50.0 } else { 0.0 })] {
        let answers = run.frame(&picture, &[]);
        let differs = |row: i64, column: i64, y: i64, x: i64| {
            picture.get(row + y, column + x).is_some_and(|level| (level - picture.here(row, column)).abs() > 12.0)
        };
        let edges = plane(|row, column| differs(row, column, 0, 1) || differs(row, column, 1, 0));
        let none = edges.map(|edge| !edge);
        let (mut innermost, mut depth) = (edges, 0);
        let mut inner = without(&none, &flooded(&border(), &none, None));
        while inner.count() > 0 && depth < 10 {
            innermost = inner.clone();
            inner = without(&inner, &grown(&inner.map(|bit| !bit), &square()));
            depth += 1;
        }
        answers.has_bits("innermost", &innermost);
        assert_eq!(answers.number("depth"), depth);
    }
}
