//! Channels of maps on the array.

use cain_isa::Fraction;
use cain_isa::program::Grid;
use cain_network::Image;
use cain_network::arithmetic::{common, exact, near as near_fraction};
use cain_vision::declaration::Value;

use super::super::bits::Bits;

/// The most halvings of a level.
const MOST_HALVINGS: u32 = 7;
/// The parts of the range of a plane that matter.
const PARTS: f64 = 4096.0;

/// A map of one channel.
#[derive(Clone)]
pub(super) struct Channel {
    pub(super) grid: Grid,
    pub(super) held: Held,
}

/// What holds the numbers of a map.
#[derive(Clone)]
pub(super) enum Held {
    Levels(Level),
    /// Bits, and the numbers that a 0 and a 1 stand for.
    Bits(Bits, (f64, f64)),
}

/// Levels that stand for numbers: `scale`·number + `zero`, in DN.
#[derive(Clone, Copy)]
pub(super) struct Level {
    pub(super) of: Value,
    pub(super) scale: Fraction,
    pub(super) zero: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    /// All levels are multiples of this, if it is known.
    pub(super) step: Option<Fraction>,
}

impl Level {
    pub(super) fn of_picture(of: Value, input: &Image, step: Option<Fraction>) -> Option<Self> {
        let (black, white) = input.levels;
        let near = |number: f64| exact(number).or_else(|| near_fraction(number));
        let scale = near(white - black)?.checked_div(near(input.range.1 - input.range.0)?)?;
        let zero = black - scale.to_f64() * input.range.0;
        Some(Self { of, scale, zero, low: black.min(white), high: black.max(white), step })
    }

    pub(super) fn falls(&self) -> bool {
        self.scale < Fraction::ZERO
    }

    /// The level of a number.
    pub(super) fn level(&self, number: f64) -> f64 {
        self.scale.to_f64() * number + self.zero
    }

    /// By how much a level may differ from what it stands for.
    pub(super) fn tolerance(&self) -> f64 {
        (self.high - self.low) / PARTS
    }

    /// A level near that of a number, as exact as differences matter.
    pub(super) fn near(&self, number: f64) -> Fraction {
        near(self.level(number), self.tolerance())
    }

    /// What all levels and a constant are multiples of.
    pub(super) fn step_with(&self, constant: Fraction) -> Option<Fraction> {
        common(self.step?, constant)
    }
}

/// The nearest number with so many binary digits.
fn rounded(number: f64, digits: u32) -> Option<Fraction> {
    let scaled = (number * f64::from(1_u32 << digits)).round();
    #[expect(clippy::cast_possible_truncation, reason = "whole and below the limit")]
    let numerator = (scaled.abs() < f64::from(1_u32 << 30)).then_some(scaled as i64)?;
    Fraction::new(numerator, 1 << digits)
}

/// The nearest number with as few binary digits as a tolerance allows, of those that levels can have.
pub(super) fn near(number: f64, tolerance: f64) -> Fraction {
    let of = |digits| rounded(number, digits);
    let is_near = |near: &Fraction| (near.to_f64() - number).abs() <= tolerance;
    (0..=MOST_HALVINGS).find_map(|digits| of(digits).filter(is_near)).or_else(|| of(MOST_HALVINGS)).unwrap_or_default()
}

/// The number from `least` on and below `end` with the fewest binary digits, as far from both as possible.
pub(super) fn between(least: f64, end: f64) -> Fraction {
    let within = |digits: u32| {
        let factor = f64::from(1_u32 << digits);
        let (first, last) = ((least * factor).ceil(), (end * factor).ceil() - 1.0);
        let middle = (f64::midpoint(least, end) * factor).round().clamp(first, last.max(first));
        if first <= last { rounded(middle / factor, digits) } else { None }
    };
    (0..=MOST_HALVINGS).find_map(within).unwrap_or_else(|| near(least, 0.0))
}

/// The entry of a channel in a list with one for each, or one for all.
pub(super) fn entry<T: Copy + Default>(list: &[T], channel: usize) -> T {
    let place = if list.len() == 1 { 0 } else { channel };
    list.get(place).copied().unwrap_or_default()
}
