//! Shifts that fit best.

use super::planes::{Bits, Levels, pictures, plane};
use super::run::Run;

/// A plane moved to the east and to the north; 0 comes in.
fn moved(bits: &Bits, (east, north): (i64, i64)) -> Bits {
    plane(|row, column| bits.bit(row + north, column - east))
}

fn common(one: &Bits, other: &Bits) -> i64 {
    one.with(other, |one, other| one && other).count()
}

/// The first of the steps with the most common bits.
fn best(steps: &[(i64, i64)], score: impl Fn((i64, i64)) -> i64) -> (i64, i64) {
    let most = steps.iter().map(|step| score(*step)).max().unwrap();
    *steps.iter().find(|step| score(**step) == most).unwrap()
}

/// A picture that moves.
fn scene(frame: i64) -> Levels {
    let wide = &pictures(70, 1)[0];
    plane(|row, column| wide.here((row + frame).rem_euclid(12), (column + 2 * frame).rem_euclid(16)))
}

fn differs(one: Option<f64>, other: Option<f64>, t: i64) -> bool {
    one.zip(other).is_some_and(|(one, other)| (one - other).abs() > t as f64)
}

#[test]
fn stabilisation() {
    let mut run = Run::of("stabilisation", "stabilisation");
    let edges = |picture: &Levels| {
        plane(|row, column| {
            differs(picture.get(row, column - 1), picture.get(row, column + 1), 60)
                || differs(picture.get(row - 1, column), picture.get(row + 1, column), 60)
        })
    };
    let (mut key, mut at) = (edges(&scene(0)), (0, 0));
    let mut kinds = [0, 0];
    for frame in 0..10 {
        let picture = scene(frame / 2);
        let weakest = if frame == 6 { 60_000 } else { 5 };
        let answers = run.frame(&picture, &[("threshold", 60), ("weakest", weakest)]);
        let seen = edges(&picture);
        let steps = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)];
        // What has left the array does not come back.
        let there = moved(&seen, at);
        let step = best(&steps, |step| common(&key, &moved(&there, step)));
        let place = ((at.0 + step.0).clamp(-40, 40), (at.1 + step.1).clamp(-40, 40));
        let strength = common(&key, &moved(&there, step));
        assert_eq!(answers.number("strength"), strength);
        answers.has_levels("picture", &plane(|row, column| picture.get(row + place.1, column - place.0)));
        if strength < weakest {
            (key, at) = (seen, (0, 0));
        } else {
            at = place;
        }
        kinds[usize::from(strength < weakest)] += 1;
        assert_eq!(answers.numbers("at"), [at.0, at.1, 1]);
    }
    assert!(kinds.iter().all(|count| *count > 0));
}

#[test]
fn odometry() {
    let mut run = Run::of("odometry", "odometry");
    let edges = |picture: &Levels| {
        plane(|row, column| {
            let here = picture.get(row, column);
            differs(picture.get(row, column + 1), here, 50) || differs(picture.get(row + 1, column), here, 50)
        })
    };
    let (mut key, mut pose) = (edges(&scene(0)), (0_i64, 0_i64));
    for frame in 0..12 {
        let rounds = 1 + frame % 3;
        let picture = scene(frame);
        let answers = run.frame(&picture, &[("threshold", 50), ("rounds", rounds)]);
        let seen = edges(&picture);
        let (x, y) = (pose.0.clamp(-20, 20), pose.1.clamp(-20, 20));
        let (mut there, mut by) = (moved(&seen, (x, y)), (0, 0));
        for _ in 0..rounds {
            let aside = best(&[(0, 0), (1, 0), (-1, 0)], |step| common(&key, &moved(&there, step)));
            there = moved(&there, aside);
            let along = best(&[(0, 0), (0, 1), (0, -1)], |step| common(&key, &moved(&there, step)));
            there = moved(&there, along);
            by = (by.0 + aside.0, by.1 + along.1);
        }
        assert_eq!(answers.number("common"), common(&key, &there));
        pose = (x + by.0, y + by.1);
        if pose.0.abs() > 15 || pose.1.abs() > 15 {
            (key, pose) = (seen, (0, 0));
        }
        assert_eq!(answers.numbers("pose"), [pose.0, pose.1, 1]);
    }
}
