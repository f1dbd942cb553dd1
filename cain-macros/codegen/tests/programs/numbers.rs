//! Numbers of a few bits in each PE.

use super::planes::{Plane, pictures, plane};
use super::run::{Answers, Run};

/// The code of a level in 16 steps.
fn code(level: f64) -> i64 {
    (((level + 128.0) / 16.0).floor() as i64).clamp(0, 15)
}

/// The middle of a step.
fn middle(code: i64) -> f64 {
    code as f64 * 16.0 - 120.0
}

#[track_caller]
fn has_codes(answers: &Answers, name: &str, wanted: &Plane<i64>) {
    for bit in 0..4 {
        answers.has_bits(&format!("{name}.{bit}"), &wanted.map(|code| code >> bit & 1 == 1));
    }
}

#[test]
fn conversion() {
    let mut run = Run::of("conversion", "conversion");
    let mut kept = plane(|_, _| 0);
    for (picture, store) in pictures(40, 4).iter().zip([0, 1, 0, 1]) {
        let picture = picture.map(|level| level * 1.28);
        let answers = run.frame(&picture, &[("store", store)]);
        if store == 1 {
            kept = picture.map(code);
        }
        has_codes(&answers, "code", &kept);
        answers.has_all_levels("picture", &kept.map(middle));
    }
}

#[test]
fn sigma_delta() {
    let mut run = Run::of("sigma_delta", "sigma_delta");
    let mut background = plane(|_, _| 8);
    for frame in 0..12 {
        let picture = &pictures(41 + frame % 2, 1)[0];
        let answers = run.frame(picture, &[]);
        let seen = picture.map(code);
        answers.has_bits("before", &seen.with(&background, |seen, known| (seen - known).abs() > 2));
        background = seen.with(&background, |seen, known| known + (seen - known).signum());
        has_codes(&answers, "background", &background);
    }
}

#[test]
fn interleaved() {
    let mut run = Run::of("interleaved", "interleaved");
    let mut kept = plane(|_, _| 8);
    for (frame, picture) in pictures(43, 8).iter().enumerate() {
        let (store, stored, shown) = (i64::from(frame != 5), frame as i64 % 4, frame as i64 * 3 % 4);
        let answers = run.frame(picture, &[("store", store), ("stored", stored), ("shown", shown)]);
        let place = |row: i64, column: i64| row % 2 * 2 + column % 2;
        let spread = plane(|row, column| middle(kept.here(row / 2 * 2 + shown / 2, column / 2 * 2 + shown % 2)));
        answers.has_all_levels("picture", &spread);
        if store == 1 {
            kept = plane(|row, column| {
                if place(row, column) == stored {
                    code(picture.here(row / 2 * 2, column / 2 * 2))
                } else {
                    kept.here(row, column)
                }
            });
        }
    }
}
