//! Images of values.
//!
//! Values are polynomials in two shifts and one variable per channel, over fractions whose denominators are powers of
//! two. Fixed numbers in the place of the variables turn each value into one number, its image. Sums, differences, shifts
//! and halves of values turn into those of the images. Equal values have equal images; different ones hardly ever do, and
//! nothing depends on that they never do.
//!
//! Numbers are taken modulo 2^59 − 1, the product of two primes. Modulo the larger one an image tells what becomes of the
//! inputs, modulo the smaller one the constant in the value: there inputs are 0, and shifts, which no constant minds, are 1.

use std::ops::{Add, Mul, Neg, Sub};

use cain_isa::{Displacement, Fraction};

use super::terms::{self, Term};

/// A number modulo 2^59 − 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Image(u64);

const BITS: u32 = 59;
const MODULUS: u64 = (1 << BITS) - 1;
/// The prime factors of the modulus, for what becomes of inputs and for constants.
const OF_INPUTS: u64 = 3_203_431_780_337;
const OF_CONSTANTS: u64 = 179_951;
/// A multiple of both factors less 1: to that power everything that has an inverse is 1.
const EXPONENT: u64 = 4_885_233_465_012_400;
/// 0 modulo the first factor, and 1 modulo the second one: the image of a constant of 1.
const CONSTANT: u64 = 0x0325_3840_5bdd_ce60;
const _: () = assert!(OF_INPUTS * OF_CONSTANTS == MODULUS);
const _: () = assert!(EXPONENT.is_multiple_of(OF_INPUTS - 1) && EXPONENT.is_multiple_of(OF_CONSTANTS - 1));
const _: () = assert!(CONSTANT.is_multiple_of(OF_INPUTS) && CONSTANT % OF_CONSTANTS == 1);

/// The images of one step east, one step north and one channel. No small relation should hold between them; these
/// are odd constants of well-known generators.
const EAST: Image = Image::of_parts(0x9e37_79b9_7f4a_7c15, 1);
const NORTH: Image = Image::of_parts(0xbf58_476d_1ce4_e5b9, 1);
const CHANNEL: Image = Image::of_parts(0x94d0_49bb_1331_11eb, 0);
/// Spreads images over all bits.
const HASH: u64 = 0x9e37_79b9_7f4a_7c15;

impl Image {
    pub(crate) const ZERO: Self = Self(0);
    pub(crate) const ONE: Self = Self(1);
    /// Numbers that are far from those of values, and tell values apart that are in different places.
    pub(crate) const NEWS: Self = Self(0xd6e8_feb8_6659_fd93 & MODULUS);
    pub(crate) const COPY: Self = Self(0xa076_1d64_78bd_642f & MODULUS);

    /// The number that is one number modulo the first factor, and another one modulo the second.
    #[expect(clippy::cast_possible_truncation, reason = "below the modulus")]
    const fn of_parts(of_inputs: u64, constant: u64) -> Self {
        let (modulus, one) = (MODULUS as u128, CONSTANT as u128);
        let sum = of_inputs as u128 % modulus * (modulus + 1 - one) + constant as u128 * one;
        Self((sum % modulus) as u64)
    }

    /// The image of a value.
    pub(crate) fn of(value: &[Term]) -> Self {
        value.iter().fold(Self(0), |sum, &(key, weight)| {
            let one = match key {
                terms::CONSTANT => Self(CONSTANT),
                _ => CHANNEL.power(u64::from(terms::channel(key)) + 1) * Self::of_shift(terms::displacement(key)),
            };
            sum + Self::of_integer(weight) * one
        })
    }

    /// The image of a shift.
    pub(crate) fn of_shift(displacement: Displacement) -> Self {
        let power = |base: Self, exponent: i16| {
            let base = if exponent < 0 { base.inverse() } else { base };
            base.power(u64::from(exponent.unsigned_abs()))
        };
        power(EAST, displacement.x) * power(NORTH, displacement.y)
    }

    /// The image of a factor; `None` if it has more than 31 bits.
    pub(crate) fn of_fraction(factor: Fraction) -> Option<Self> {
        let of = |integer: i64| i32::try_from(integer).ok().map(Self::of_integer);
        Some(of(factor.numerator())? * of(factor.denominator())?.inverse())
    }

    fn of_integer(integer: i32) -> Self {
        let magnitude = Self(u64::from(integer.unsigned_abs()));
        if integer < 0 { -magnitude } else { magnitude }
    }

    /// The inverse of what has one. Of the difference of two shifts, which leaves nothing of a constant, what undoes it for
    /// values without one.
    pub(crate) fn inverse(self) -> Self {
        self.power(EXPONENT - 1)
    }

    fn power(self, mut exponent: u64) -> Self {
        let (mut result, mut square) = (Self::ONE, self);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result * square;
            }
            square = square * square;
            exponent >>= 1;
        }
        result
    }

    #[inline]
    pub(crate) fn double(self) -> Self {
        self + self
    }

    #[inline]
    pub(crate) fn half(self) -> Self {
        Self((self.0 + MODULUS * (self.0 & 1)) >> 1)
    }

    /// The lowest bits, as good as random.
    #[inline]
    pub(crate) fn low_bits(self, mask: u64) -> usize {
        usize::try_from(self.0 & mask).unwrap_or(0)
    }

    /// The highest bits, as good as random.
    #[inline]
    pub(crate) fn high_bits(self, mask: u64) -> usize {
        usize::try_from(self.0 >> (BITS - mask.count_ones())).unwrap_or(0)
    }

    /// A hash in all bits.
    #[inline]
    pub(crate) fn hash(self) -> u64 {
        self.0.wrapping_mul(HASH)
    }

    /// A sum of two numbers below the modulus, reduced without a branch, which nothing could predict.
    #[inline]
    fn reduced(sum: u64) -> Self {
        Self(sum.min(sum.wrapping_sub(MODULUS)))
    }
}

impl Add for Image {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self::reduced(self.0 + other.0)
    }
}

impl Sub for Image {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::reduced(self.0 + MODULUS - other.0)
    }
}

impl Neg for Image {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self::reduced(MODULUS - self.0)
    }
}

impl Mul for Image {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        let product = u128::from(self.0) * u128::from(other.0);
        // 2^59 is 1, so the halves of the product can be added.
        let part = |bits: u128| u64::try_from(bits & u128::from(MODULUS)).unwrap_or(0);
        Self::reduced(part(product) + part(product >> BITS))
    }
}

#[cfg(test)]
mod tests {
    use cain_isa::Displacement;

    use super::Image;
    use crate::engine::terms::{self, combine, scaled};

    #[test]
    fn images_follow_values() {
        let at = |channel, x, y| terms::key(channel, Displacement::new(x, y));
        let a = [(at(0, -3, 1), 6), (at(0, 2, 0), -(i32::MAX / 2)), (at(1, 0, 0), 4)];
        let b = [(at(0, 0, 0), -2), (at(0, 2, 0), 5)];
        let shift = Displacement::new(1, -2);
        let mut out = Vec::new();
        assert!(combine(&mut out, &a, (1, terms::step(shift)), &b, (-1, 0)));
        assert_eq!(Image::of(&out), Image::of(&a) * Image::of_shift(shift) - Image::of(&b));
        assert!(scaled(&mut out, &b, -2, 0));
        assert_eq!(-Image::of(&out).half(), Image::of(&b));
        assert_eq!(Image::of(&b).double() + Image::of(&out), Image::of(&[]));
    }

    /// Constants are not moved, and are never mistaken for parts of inputs.
    #[test]
    fn constants() {
        let constant = Image::of(&[(terms::CONSTANT, -3)]);
        let input = Image::of(&[(terms::key(2, Displacement::new(4, -1)), 7)]);
        let shift = Image::of_shift(Displacement::new(3, -2));
        assert_eq!(constant * shift, constant);
        assert_eq!((input + constant) * shift - input * shift, constant);
        assert_eq!(constant * input, Image::ZERO);
        assert_eq!(constant.half().double(), constant);
        // What is left of a value that was moved, less what was there, leads back to it.
        assert_eq!((input * shift - input) * (shift - Image::ONE).inverse(), input);
    }

    #[test]
    fn inverses() {
        for x in [Image::ONE, Image::of_integer(-7), Image::of_shift(Displacement::new(-2, 5))] {
            assert_eq!(x * x.inverse(), Image::ONE);
        }
    }
}
