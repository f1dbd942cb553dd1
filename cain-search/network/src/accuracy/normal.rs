//! The normal distribution, by operations that give the same on every machine.

use std::f64::consts::SQRT_2;

/// The factors of Abramowitz and Stegun, 7.1.28: half of one over the sixteenth power of a polynomial is the share of
/// the tail.
const FACTORS: [f64; 6] =
    [0.070_523_078_4, 0.042_282_012_3, 0.009_270_527_2, 0.000_152_014_3, 0.000_276_567_2, 0.000_043_063_8];

/// The polynomial, its slope, and its sixteenth power.
fn polynomial(x: f64) -> (f64, f64, f64) {
    let z = x.abs() / SQRT_2;
    let rising = |(sum, slope): (f64, f64), factor: &f64| ((sum * z + factor), slope * z + sum);
    let (sum, slope) = FACTORS.iter().rev().chain([&1.0]).fold((0.0, 0.0), rising);
    let squared = sum * sum;
    let fourth = squared * squared;
    let eighth = fourth * fourth;
    (sum, slope, eighth * eighth)
}

/// The share of a normal distribution with mean 0 and variance 1 that lies below a number, to 3e-7.
pub(super) fn below(x: f64) -> f64 {
    let tail = 0.5 / polynomial(x).2;
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// The density of this distribution, to 4e-6.
pub(super) fn density(x: f64) -> f64 {
    let (sum, slope, power) = polynomial(x);
    8.0 * slope / (SQRT_2 * power * sum)
}

/// How likely one of several numbers is ahead of all others, by how much it is ahead of each without errors, in standard
/// deviations of the difference: all numbers err independently and by as much.
pub(super) fn ahead(leads: impl Iterator<Item = f64>) -> f64 {
    /// The steps of the error of the first number on each side, and their width.
    const STEPS: i32 = 24;
    const WIDTH: f64 = 0.25;
    let leads: Vec<f64> = leads.map(|lead| lead * SQRT_2).collect();
    let at = |step: i32| {
        let error = f64::from(step) * WIDTH;
        WIDTH * density(error) * leads.iter().map(|lead| below(lead + error)).product::<f64>()
    };
    (-STEPS..=STEPS).map(at).sum::<f64>().clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::{ahead, below, density};

    #[test]
    fn one_of_several_is_ahead() {
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 2e-5, "{found} {wanted}");
        for lead in [-1.5, 0.0, 0.3, 2.0] {
            near(ahead([lead].into_iter()), below(lead));
        }
        // Each of ten is as likely.
        near(ahead([0.0; 9].into_iter()), 0.1);
        near(ahead([9.0; 9].into_iter()), 1.0);
        near(ahead([9.0, -9.0].into_iter()), 0.0);
    }

    #[test]
    fn shares_are_those_of_tables() {
        for (x, share) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.0, 0.158_655_3), (-2.5, 0.006_209_7), (9.0, 1.0)] {
            assert!((below(x) - share).abs() < 1e-6, "{x}: {}", below(x));
        }
    }

    #[test]
    fn densities_are_those_of_tables() {
        for (x, wanted) in
            [(0.0, 0.398_942_3), (1.0, 0.241_970_7), (-1.5, 0.129_517_6), (3.0, 0.004_431_8), (12.0, 0.0)]
        {
            assert!((density(x) - wanted).abs() < 1e-5, "{x}: {}", density(x));
        }
    }
}
