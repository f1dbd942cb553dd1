//! Things and what is around them.

use super::morphology::{border, flooded, grown, square};
use super::planes::{Bits, blobs, pictures, plane};
use super::run::Run;

/// What is reached over all eight neighbours.
fn part_of(start: (i64, i64), rest: &Bits) -> Bits {
    let mut part = plane(|row, column| (row, column) == start);
    loop {
        let next = grown(&part, &square()).with(rest, |one, other| one && other);
        if next == part {
            return part;
        }
        part = next;
    }
}

#[test]
fn areas() {
    let mut run = Run::of("areas", "areas");
    for (picture, least) in blobs(70, 4).iter().zip([1, 3, 6, 1000]) {
        let mut rest = picture.map(|level| level > 40.0);
        let mut found = Vec::new();
        for _ in 0..12 {
            let Some(start) = rest.ones().first().copied() else { break };
            let part = part_of(start, &rest);
            rest = rest.with(&part, |rest, part| rest && !part);
            let bounds = part.bounds();
            if part.count() >= least {
                found.push([vec![part.count()], bounds].concat());
            }
        }
        let answers = run.frame(picture, &[("threshold", 40), ("least", least)]);
        assert_eq!(answers.list("found"), found);
        assert_eq!(answers.number("number"), i64::try_from(found.len()).unwrap());
        assert_eq!(answers.number("largest"), found.iter().map(|entry| entry[0]).max().unwrap_or(0));
    }
}

#[test]
fn holes() {
    let mut run = Run::of("holes", "holes");
    for picture in blobs(71, 3).iter().chain(&pictures(71, 2)) {
        let bright = picture.map(|level| level > 40.0);
        let outer = flooded(&border(), &bright.map(|bit| !bit), None);
        let inner = outer.with(&bright, |outer, bright| !outer && !bright);
        let answers = run.frame(picture, &[("threshold", 40)]);
        answers.has_bits("filled", &outer.map(|bit| !bit));
        answers.has_bits("inner", &inner);
        assert_eq!(answers.number("n"), inner.count());
    }
}

#[test]
fn shadow() {
    let mut run = Run::of("shadow", "shadow");
    for (picture, length) in blobs(72, 4).iter().zip([0, 1, 4, 20]) {
        let things = picture.map(|level| level > 40.0);
        // Something in the west, without another thing between.
        let shade = plane(|row, column| {
            let nearest = (1..=length).find(|far| things.bit(row, column - far));
            !things.bit(row, column) && nearest.is_some()
        });
        run.frame(picture, &[("threshold", 40), ("length", length)]).has_bits("shade", &shade);
    }
}

#[test]
fn life() {
    let mut run = Run::of("life", "life");
    let mut alive = None;
    for (picture, seed) in pictures(73, 5).iter().zip([0, 0, 1, 0, 0]) {
        let bright = picture.map(|level| level > 30.0);
        let before: Bits = alive.unwrap_or_else(|| bright.clone());
        let next = plane(|row, column| {
            let around = square().into_iter().filter(|place| *place != (0, 0));
            let count = around.filter(|(y, x)| before.bit(row + y, column + x)).count();
            count == 3 || before.bit(row, column) && count == 2 || seed == 1 && bright.bit(row, column)
        });
        let answers = run.frame(picture, &[("threshold", 30), ("seed", seed)]);
        answers.has_bits("alive", &next);
        assert_eq!(answers.number("n"), before.count());
        alive = Some(next);
    }
}
