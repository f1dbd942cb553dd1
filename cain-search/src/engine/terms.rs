//! Integer polynomials, as sorted lists of terms.
//!
//! All values of a search are scaled by one factor that makes their coefficients integers. A term packs channel and
//! displacement into one key; moving a value by a displacement adds a constant to every key and keeps the order.
//!
//! # No coefficient wraps
//!
//! The magnitude of a coefficient is at most [`MAX`] = 2^30:
//!
//! - [`Goals::prepare`](super::goals::Goals::prepare) refuses larger ones, including those of the declaration.
//! - Operations whose results can be larger than their operands, [`scaled`], [`combine`] and
//!   [`divide`](super::factors::divide), work in 64 bits, with factors of magnitude 2^31 at most, and refuse results
//!   beyond the bound.
//! - Operations that take parts of coefficients, [`repeated`](super::factors::repeated) and
//!   [`common`](super::factors::common), make none larger than those they take them from.
//! - Rounding a coefficient to a multiple of one that is no larger adds at most half of it, which makes at most 1.5 ·
//!   2^30 < 2^31. Such parts are then used only in the operations above.

use cain_isa::Displacement;

/// One term: packed position and coefficient (never zero).
pub(crate) type Term = (u32, i32);

/// The largest magnitude of a coefficient.
pub(crate) const MAX: i32 = 1 << 30;

/// The coefficient with this value; `None` if it is too large.
#[inline]
pub(crate) fn coefficient(weight: i64) -> Option<i32> {
    i32::try_from(weight).ok().filter(|weight| weight.unsigned_abs() <= MAX.unsigned_abs())
}

/// Bits of each coordinate in a key. Coordinates stay far below the limit; see `Goals::intern`.
const BITS: u32 = 12;
/// The key of displacement (0, 0) in channel 0.
const ORIGIN: u32 = (1 << (BITS - 1)) | (1 << (2 * BITS - 1));
/// The number of channels that fit in a key, besides that of constants.
pub(crate) const MAX_CHANNELS: u16 = (1 << (32 - 2 * BITS)) - 1;
/// The key of a constant, which has a channel of its own.
pub(crate) const CONSTANT: u32 = (u32::MAX << (2 * BITS)) | ORIGIN;

/// The key of a position.
pub(crate) fn key(channel: u16, displacement: Displacement) -> u32 {
    (u32::from(channel) << (2 * BITS)).wrapping_add(ORIGIN).wrapping_add(step(displacement))
}

/// The displacement of a key.
pub(crate) fn displacement(key: u32) -> Displacement {
    let half = 1_i32 << (BITS - 1);
    let mask = (1_u32 << BITS) - 1;
    let coordinate = |bits: u32| i16::try_from((bits & mask).cast_signed() - half).unwrap_or(0);
    Displacement::new(coordinate(key), coordinate(key >> BITS))
}

/// The displacement that [`step`] encodes.
pub(crate) fn displacement_of_step(step: u32) -> Displacement {
    displacement(ORIGIN.wrapping_add(step))
}

/// The key of the origin in the channel of `key`.
pub(crate) fn origin(key: u32) -> u32 {
    (channel(key) << (2 * BITS)) | ORIGIN
}

/// The channel of a key.
pub(crate) fn channel(key: u32) -> u32 {
    key >> (2 * BITS)
}

/// The number to add to a key to move it by a displacement.
pub(crate) fn step(displacement: Displacement) -> u32 {
    let (x, y) = (i32::from(displacement.x), i32::from(displacement.y));
    x.wrapping_add(y << BITS).cast_unsigned()
}

/// Whether a value reaches at most `reach` from the origin and its coefficients are not too large.
pub(crate) fn is_within(terms: &[Term], reach: i16) -> bool {
    terms.iter().all(|&(key, weight)| {
        let displacement = displacement(key);
        displacement.x.abs().max(displacement.y.abs()) <= reach && weight.unsigned_abs() <= MAX.unsigned_abs()
    })
}

/// A value without its constant.
pub(crate) fn without_constant(terms: &[Term]) -> &[Term] {
    match terms {
        [rest @ .., (CONSTANT, _)] => rest,
        _ => terms,
    }
}

/// Removes the constants from a value, wherever moves have taken them, and returns their sum.
pub(crate) fn take_constants(terms: &mut Vec<Term>) -> i64 {
    let mut sum = 0;
    while let Some((_, constant)) = terms.pop_if(|term| channel(term.0) == channel(CONSTANT)) {
        sum += i64::from(constant);
    }
    sum
}

/// Replaces `out` by `factor · terms`, moved by `step`; `false` if a coefficient would be too large.
pub(crate) fn scaled(out: &mut Vec<Term>, terms: &[Term], factor: i32, step: u32) -> bool {
    out.clear();
    for &(key, weight) in terms {
        let Some(weight) = coefficient(i64::from(weight) * i64::from(factor)) else { return false };
        out.push((key.wrapping_add(step), weight));
    }
    true
}

/// The negative of a value; `None` if a coefficient would be too large.
pub(crate) fn negative(terms: &[Term]) -> Option<Vec<Term>> {
    let mut negative = Vec::new();
    scaled(&mut negative, terms, -1, 0).then_some(negative)
}

/// Replaces `out` by `p · a(moved by s) + q · b(moved by t)`, where p and q are ±1; `false` if a coefficient
/// would be too large.
pub(crate) fn combine(out: &mut Vec<Term>, a: &[Term], (p, s): (i32, u32), b: &[Term], (q, t): (i32, u32)) -> bool {
    out.clear();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let left = a.get(i).map_or(u64::MAX, |term| term.0.wrapping_add(s).into());
        let right = b.get(j).map_or(u64::MAX, |term| term.0.wrapping_add(t).into());
        let (mut weight, mut key) = (0_i64, 0);
        if left <= right {
            (key, weight) = (a[i].0.wrapping_add(s), i64::from(p) * i64::from(a[i].1));
            i += 1;
        }
        if right <= left {
            key = b[j].0.wrapping_add(t);
            weight += i64::from(q) * i64::from(b[j].1);
            j += 1;
        }
        if weight != 0 {
            let Some(weight) = coefficient(weight) else { return false };
            out.push((key, weight));
        }
    }
    true
}

/// How many times all coefficients can be halved; 0 for no terms.
pub(crate) fn valuation(terms: &[Term]) -> u32 {
    terms.iter().map(|term| term.1.trailing_zeros()).min().unwrap_or(0)
}

/// How many times all coefficients can be divided by three; 0 for no terms.
pub(crate) fn thirds(terms: &[Term]) -> u32 {
    let of_one = |mut weight: i32| {
        let mut thirds = 0;
        while weight % 3 == 0 && weight != 0 {
            weight /= 3;
            thirds += 1;
        }
        thirds
    };
    terms.iter().map(|term| of_one(term.1)).min().unwrap_or(0)
}

/// The number of non-zero signed binary digits in all coefficients together.
pub(crate) fn digits(terms: &[Term]) -> u32 {
    terms.iter().map(|term| signed_digits(term.1)).sum()
}

/// The number of non-zero digits of an integer in signed binary (the non-adjacent form).
fn signed_digits(weight: i32) -> u32 {
    let n = u64::from(weight.unsigned_abs());
    ((n ^ (3 * n)) >> 1).count_ones()
}

#[cfg(test)]
mod tests {
    use super::{channel, displacement, displacement_of_step, key, origin, signed_digits, step};
    use cain_isa::Displacement;

    #[test]
    fn keys_hold_positions() {
        for (x, y) in [(0, 0), (5, -7), (-300, 200)] {
            let at = key(3, Displacement::new(x, y));
            assert_eq!((channel(at), displacement(at)), (3, Displacement::new(x, y)));
            assert_eq!(displacement(at.wrapping_add(step(Displacement::new(-2, 1)))), Displacement::new(x - 2, y + 1));
            assert_eq!(displacement_of_step(step(Displacement::new(x, y))), Displacement::new(x, y));
            assert_eq!((channel(origin(at)), displacement(origin(at))), (3, Displacement::ZERO));
        }
    }

    #[test]
    fn non_adjacent_form() {
        for (weight, digits) in [(0, 0), (1, 1), (3, 2), (7, 2), (-15, 2), (11, 3), (i32::MAX, 2)] {
            assert_eq!(signed_digits(weight), digits, "{weight}");
        }
    }
}
