//! Images of values: numbers by which values can be compared quickly.
//!
//! Values are polynomials in two shifts and one variable per channel, over fractions whose denominators are powers of
//! two. Substituting fixed numbers for the variables turns each value into one number, its image. Sums, differences,
//! shifts and halves of values become sums, differences, shifts and halves of images. Equal values have equal images;
//! different values hardly ever do, and nothing relies on it.
//!
//! Numbers are taken modulo 2^59 − 1, the product of two primes. Modulo the larger prime, an image stands for what the
//! value takes from the inputs; modulo the smaller one, for the constant in it: there inputs are 0, and shifts, which
//! leave constants alone, are 1.

use std::ops::{Add, Mul, Neg, Sub};

use cain_isa::{Displacement, Fraction};

use super::terms::{self, Term};

/// A number modulo 2^59 − 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Image(u64);

const BITS: u32 = 59;
const MODULUS: u64 = (1 << BITS) - 1;
/// A common multiple of both prime factors of the modulus less 1: everything that has an inverse is 1 to this power.
const EXPONENT: u64 = 4_885_233_465_012_400;
/// 0 modulo the first factor, which is for the inputs, and 1 modulo the second one: the image of a constant of 1.
const CONSTANT: u64 = 0x0325_3840_5bdd_ce60;
const _: () = {
    let (of_inputs, of_constants) = (3_203_431_780_337, 179_951);
    assert!(of_inputs * of_constants == MODULUS);
    assert!(EXPONENT.is_multiple_of(of_inputs - 1) && EXPONENT.is_multiple_of(of_constants - 1));
    assert!(CONSTANT.is_multiple_of(of_inputs) && CONSTANT % of_constants == 1);
};

/// The images of one step east, one step north and one channel. No simple relation should hold between them; these are
/// odd constants of well-known generators.
const EAST: Image = Image::of_parts(0x9e37_79b9_7f4a_7c15, 1);
const NORTH: Image = Image::of_parts(0xbf58_476d_1ce4_e5b9, 1);
const WEST: Image = EAST.inverse();
const SOUTH: Image = NORTH.inverse();
const CHANNEL: Image = Image::of_parts(0x94d0_49bb_1331_11eb, 0);
/// A multiplier that spreads images over all bits.
const HASH: u64 = 0x9e37_79b9_7f4a_7c15;

impl Image {
    pub(crate) const ZERO: Self = Self(0);
    pub(crate) const ONE: Self = Self(1);
    /// A number that is far from the images of values, and tells apart equal values in different places.
    pub(crate) const NEWS: Self = Self(0xd6e8_feb8_6659_fd93 & MODULUS);
    pub(crate) const COPY: Self = Self(0xa076_1d64_78bd_642f & MODULUS);

    /// The number with these residues modulo the first factor and modulo the second one.
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
        let power = |forth: Self, back: Self, exponent: i16| {
            let base = if exponent < 0 { back } else { forth };
            base.power(u64::from(exponent.unsigned_abs()))
        };
        power(EAST, WEST, displacement.x) * power(NORTH, SOUTH, displacement.y)
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

    /// The inverse, for images that have one. For the difference of two shifts, which has no inverse modulo the factor
    /// of constants, a number that undoes it for values without a constant.
    pub(crate) const fn inverse(self) -> Self {
        self.power(EXPONENT - 1)
    }

    const fn power(self, mut exponent: u64) -> Self {
        let (mut result, mut square) = (Self::ONE, self);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.times(square);
            }
            square = square.times(square);
            exponent >>= 1;
        }
        result
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "59 bits of each half of the product")]
    const fn times(self, other: Self) -> Self {
        let product = self.0 as u128 * other.0 as u128;
        // 2^59 is 1, so the two halves of the product can be added.
        Self::reduced((product as u64 & MODULUS) + ((product >> BITS) as u64 & MODULUS))
    }

    #[inline]
    pub(crate) fn double(self) -> Self {
        self + self
    }

    #[inline]
    pub(crate) fn half(self) -> Self {
        Self((self.0 + MODULUS * (self.0 & 1)) >> 1)
    }

    /// The lowest bits, which are as good as random.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "masks are those of tables in memory")]
    pub(crate) fn low_bits(self, mask: u64) -> usize {
        (self.0 & mask) as usize
    }

    /// So many of the highest bits, which are as good as random.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "counts are those of tables in memory")]
    pub(crate) fn high_bits(self, count: u32) -> usize {
        (self.0 >> (BITS - count)) as usize
    }

    /// A hash that uses all bits.
    #[inline]
    pub(crate) fn hash(self) -> u64 {
        self.0.wrapping_mul(HASH)
    }

    /// Reduces the sum of two numbers below the modulus, without a branch, which nothing could predict.
    #[inline]
    const fn reduced(sum: u64) -> Self {
        let less = sum.wrapping_sub(MODULUS);
        Self(if less < sum { less } else { sum })
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
        self.times(other)
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

    /// Constants do not move, and are never mistaken for parts of inputs.
    #[test]
    fn constants() {
        let constant = Image::of(&[(terms::CONSTANT, -3)]);
        let input = Image::of(&[(terms::key(2, Displacement::new(4, -1)), 7)]);
        let shift = Image::of_shift(Displacement::new(3, -2));
        assert_eq!(constant * shift, constant);
        assert_eq!((input + constant) * shift - input * shift, constant);
        assert_eq!(constant * input, Image::ZERO);
        assert_eq!(constant.half().double(), constant);
        // A value that was moved, minus the value itself, leads back to it.
        assert_eq!((input * shift - input) * (shift - Image::ONE).inverse(), input);
    }

    #[test]
    fn inverses() {
        for x in [Image::ONE, Image::of_integer(-7), Image::of_shift(Displacement::new(-2, 5))] {
            assert_eq!(x * x.inverse(), Image::ONE);
        }
    }
}
