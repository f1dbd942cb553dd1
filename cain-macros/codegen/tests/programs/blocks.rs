//! Sums over blocks of PEs.

use cain_isa::random::SplitMix64;

use super::planes::{Levels, Plane, pictures, plane};
use super::run::Run;

#[test]
fn directions() {
    let mut run = Run::of("directions", "directions");
    let pictures = pictures(50, 3);
    let mut last = &pictures[0];
    for picture in &pictures {
        let answers = run.frame(picture, &[]);
        for (k, (y, x)) in [(-1, 0), (0, 1), (1, 0), (0, -1)].into_iter().enumerate() {
            let misfit =
                |row: i64, column: i64| Some((last.get(row + y, column + x)? - picture.get(row, column)?).abs());
            let sum = plane(|row, column| {
                let places = (0..4).flat_map(|y| (0..4).map(move |x| (y, x)));
                places.map(|(y, x)| misfit(row + y, column + x)).sum::<Option<f64>>().map(|sum| sum / 16.0)
            });
            answers.has_levels(&format!("misfits.{k}"), &sum);
        }
        last = picture;
    }
}

/// A picture of this size.
fn sized(height: i64, width: i64, seed: u64) -> Levels {
    let mut random = SplitMix64::new(seed);
    let values = (0..height * width).map(|_| random.below(201) as f64 - 100.0).collect();
    Plane { height, width, values }
}

#[test]
fn diffusion() {
    let (height, width) = (20, 36);
    let mut run = Run::sized("diffusion", "diffusion", height, width);
    let picture = sized(height, width, 51);
    for (steps, whole) in [(0, 0), (1, 0), (5, 0), (3, 1)] {
        let mut wanted = picture.clone();
        for _ in 0..steps {
            wanted = Plane::of(height, width, |row, column| {
                let of = |(y, x): (i64, i64)| {
                    let is_same = |one: i64, other: i64| whole == 1 || one.div_euclid(16) == other.div_euclid(16);
                    let neighbour = wanted.get(row + y, column + x);
                    let reached = neighbour.filter(|_| is_same(row, row + y) && is_same(column, column + x));
                    reached.unwrap_or(wanted.here(row, column))
                };
                [(-1, 0), (0, 1), (1, 0), (0, -1)].map(of).iter().sum::<f64>() / 4.0
            });
        }
        run.frame(&picture, &[("steps", steps), ("whole", whole)]).has_all_levels("diffused", &wanted);
    }
}

#[test]
fn places() {
    let (height, width) = (24, 40);
    let mut run = Run::sized("places", "places", height, width);
    let database = sized(height, width, 52);
    let mut scores: Plane<Option<f64>> = Plane::of(height, width, |_, _| Some(0.0));
    for (frame, step) in [0, 0, 1, 1, 0].into_iter().enumerate() {
        let picture = sized(height, width, 60 + frame as u64);
        let differs = |row: i64, column: i64| {
            let stored = database.get(row, column)?;
            Some(f64::from(u8::from((stored - picture.here(row % 8, column % 8)).abs() > 2.0 * 30.0)))
        };
        let sum = |row: i64, column: i64| {
            let places = (0..8).flat_map(|y| (0..8).map(move |x| (y, x)));
            places.map(|(y, x)| differs(row + y, column + x)).sum::<Option<f64>>()
        };
        scores = Plane::of(height, width, |row, column| {
            let from = if step == 1 && column >= 8 { column - 8 } else { column };
            Some(scores.here(row, from)? / 2.0 + sum(row, column)? / 2.0)
        });
        let answers = run.planes(&[picture.clone(), database.clone()], &[("threshold", 30), ("step", step)]);
        answers.has_levels("scores", &scores);
    }
    assert!(scores.here(8, 16).is_some());
}
