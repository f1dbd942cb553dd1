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

#[cfg(test)]
mod tests {
    use super::{below, density};

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
