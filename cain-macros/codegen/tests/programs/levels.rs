//! Programs of levels: in time, and around each PE.

use super::planes::{Levels, pictures, plane};
use super::run::Run;

#[test]
fn trigger() {
    let mut run = Run::of("trigger", "trigger");
    let mut on = plane(|_, _| false);
    for (picture, (low, high)) in pictures(80, 5).iter().zip([(0, 40), (-40, 40), (-128, 127), (20, 20), (127, -128)]) {
        let next = picture.with(&on, |level, on| on && level >= low as f64 || level > high as f64);
        let answers = run.frame(picture, &[("low", low), ("high", high)]);
        answers.has_bits("on", &next);
        assert_eq!(answers.number("switched"), next.with(&on, |next, on| next != on).count());
        on = next;
    }
}

#[test]
fn history() {
    let mut run = Run::of("history", "history");
    let pictures = pictures(81, 2);
    let (mut last, mut history) = (pictures[0].clone(), plane(|_, _| -96.0));
    for frame in 0..30 {
        let picture = &pictures[usize::from(frame > 2)];
        let moving = picture.with(&last, |one, other| (one - other).abs() > 20.0);
        let answers = run.frame(picture, &[("threshold", 20), ("decay", 9)]);
        assert_eq!(answers.number("recent"), history.map(|level: f64| level > 0.0).count());
        history = moving.with(&history, |moving, level| if moving { 96.0 } else { (level - 9.0).max(-96.0) });
        answers.has_all_levels("history", &history);
        last = picture.clone();
    }
}

#[test]
fn exposures() {
    let mut run = Run::of("exposures", "exposures");
    for pair in pictures(82, 6).chunks(2) {
        let over = pair[1].map(|level| level > 100.0);
        let joined = plane(|row, column| {
            let [short, long] = [0, 1].map(|of: usize| pair[of].here(row, column));
            if long > 100.0 { short / 2.0 + 63.5 } else { long / 2.0 - 64.0 }
        });
        let answers = run.planes(pair, &[]);
        answers.has_all_levels("joined", &joined);
        assert_eq!(answers.number("bright"), over.count());
    }
}

/// The largest or the smallest one of five; nothing beside the edge.
fn extreme(picture: &super::planes::Plane<Option<f64>>, end: fn(f64, f64) -> f64) -> super::planes::Plane<Option<f64>> {
    plane(|row, column| {
        let around = super::morphology::CROSS.map(|(y, x)| picture.get(row + y, column + x).flatten());
        around.into_iter().reduce(|one, other| Some(end(one?, other?))).flatten()
    })
}

#[test]
fn top_hat() {
    let mut run = Run::of("top_hat", "top_hat");
    for picture in &pictures(83, 3) {
        let whole = picture.map(Some);
        let (grown, shrunk) = (extreme(&whole, f64::max), extreme(&whole, f64::min));
        let answers = run.frame(picture, &[("threshold", 30)]);
        answers.has_levels("gradient", &grown.with(&shrunk, |most, least| Some(most? - least?)));
        let opened = extreme(&shrunk, f64::max);
        let hat = picture.with(&opened, |level, opened: Option<f64>| Some(level - opened?));
        answers.has_levels("hat", &hat);
        let spots = answers.bits("spots");
        for (row, column) in hat.map(|hat| hat.is_some()).ones() {
            assert_eq!(spots.bit(row, column), hat.here(row, column).is_some_and(|hat| hat > 30.0), "{row}, {column}");
        }
    }
}

#[test]
fn orientation() {
    let mut run = Run::of("orientation", "orientation");
    for picture in &pictures(84, 3) {
        let slope = |picture: &Levels, row: i64, column: i64, [y, x]: [i64; 2]| {
            Some((picture.get(row + y, column + x)? - picture.get(row - y, column - x)?).abs() / 2.0)
        };
        let kind = plane(|row, column| {
            let (across, along) = (slope(picture, row, column, [0, 1])?, slope(picture, row, column, [1, 0])?);
            let is_strong = across > 15.0 || along > 15.0;
            let kind = if along > 2.0 * across { 0 } else { 1 + usize::from(across <= 2.0 * along) };
            is_strong.then_some(kind)
        });
        let [flat, steep, diagonal] = [0, 1, 2].map(|wanted| kind.map(|kind| kind == Some(wanted)));
        let answers = run.frame(picture, &[("threshold", 15)]);
        assert_eq!(answers.numbers("counts"), [flat.count(), steep.count(), diagonal.count(), 1]);
        for (name, of) in [("flat", flat), ("steep", steep)] {
            let first = of.ones().first().map_or(vec![0, 0, 0], |(row, column)| vec![*row, *column, 1]);
            assert_eq!(answers.numbers(name), first);
        }
    }
}
