//! Integer polynomials as sorted lists of terms.
//!
//! All values of a search are scaled by one power of two, so that their coefficients are integers. A term packs
//! channel and displacement into one key; moving a value by a displacement adds a constant to every key and keeps the
//! order.
//!
//! # No coefficient wraps
//!
//! Coefficients of values are of magnitude [`MAX`] = 2^30 at most:
//!
//! - [`Goals::prepare`](super::goals::Goals::prepare) takes no others, those of the declaration included.
//! - Whatever can be larger than its operands, [`scaled`], [`combine`] and [`divide`], is worked out in 64 bits, with
//!   factors of magnitude 2^31 at most, and refused beyond the bound.
//! - What takes parts of coefficients, [`repeated`] and [`common`], makes none larger than those it takes them from.
//! - Rounding a coefficient to multiples of one that is no larger adds half of it at most, which is 1.5 · 2^30 < 2^31.
//!   What becomes of such parts goes through the operations above.

use cain_isa::Displacement;

use super::area::Area;

/// One term: packed position and coefficient (never zero).
pub(crate) type Term = (u32, i32);

/// The largest magnitude of a coefficient.
pub(crate) const MAX: i32 = 1 << 30;

/// The coefficient of that value, unless it is too large for one.
#[inline]
pub(crate) fn coefficient(weight: i64) -> Option<i32> {
    i32::try_from(weight).ok().filter(|weight| weight.unsigned_abs() <= MAX.unsigned_abs())
}

/// Bits of each coordinate in a key. Coordinates stay far below the limit, see `Goals::intern`.
const BITS: u32 = 12;
/// The key of displacement (0, 0) in channel 0.
const ORIGIN: u32 = (1 << (BITS - 1)) | (1 << (2 * BITS - 1));
/// The most channels that fit a key.
pub(crate) const MAX_CHANNELS: u16 = 1 << (32 - 2 * BITS);

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

/// The displacement that [`step`] made a step of.
pub(crate) fn displacement_of_step(step: u32) -> Displacement {
    displacement(ORIGIN.wrapping_add(step))
}

/// The origin in the channel of a key.
pub(crate) fn origin(key: u32) -> u32 {
    (channel(key) << (2 * BITS)) | ORIGIN
}

/// The channel of a key.
pub(crate) fn channel(key: u32) -> u32 {
    key >> (2 * BITS)
}

/// What to add to a key to move by a displacement.
pub(crate) fn step(displacement: Displacement) -> u32 {
    let (x, y) = (i32::from(displacement.x), i32::from(displacement.y));
    x.wrapping_add(y << BITS).cast_unsigned()
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

/// Solves `g = S·a + sign·a` for a, where S moves by `step`; replaces `out` and returns whether the division is exact
/// and no coefficient too large.
pub(crate) fn divide(out: &mut Vec<Term>, g: &[Term], step: u32, sign: i32) -> bool {
    // From the end that nothing is shifted into: a(p) = sign·(g(p) − a(p − step)).
    out.clear();
    if step == 0 {
        // S is the identity: g = 2·a, or g = 0.
        out.extend(g.iter().map(|&(key, weight)| (key, weight / 2)));
        return sign == 1 && g.iter().all(|term| term.1 % 2 == 0);
    }
    let forward = step.cast_signed() > 0;
    let mut rest: Vec<Term> = if forward { g.to_vec() } else { g.iter().rev().copied().collect() };
    let before = |a: u32, b: u32| if forward { a < b } else { a > b };
    let area = Area::of(g);
    let mut i = 0;
    while i < rest.len() {
        let (key, weight) = rest[i];
        i += 1;
        if weight == 0 {
            continue;
        }
        let moved = key.wrapping_add(step);
        // Outside of the box around g nothing can pay for the shifted copy.
        if !area.contains(moved) {
            return false;
        }
        let quotient = sign * weight;
        out.push((key, quotient));
        // The shifted copy of this term has to be paid for by a term further on.
        let mut j = i;
        while j < rest.len() && before(rest[j].0, moved) {
            j += 1;
        }
        match rest.get_mut(j) {
            Some(term) if term.0 == moved => match coefficient(i64::from(term.1) - i64::from(quotient)) {
                Some(weight) => term.1 = weight,
                None => return false,
            },
            _ => rest.insert(j, (moved, -quotient)),
        }
    }
    if !forward {
        out.reverse();
    }
    true
}

/// Splits `g = a + sign·T·a + rest` with the largest a that takes nothing away from any coefficient of g, where T moves
/// by `step`.
pub(crate) fn repeated(a: &mut Vec<Term>, rest: &mut Vec<Term>, g: &[Term], step: u32, sign: i32) {
    a.clear();
    rest.clear();
    rest.extend_from_slice(g);
    let forward = step.cast_signed() > 0;
    let n = rest.len();
    for i in 0..n {
        let i = if forward { i } else { n - 1 - i };
        let (key, weight) = rest[i];
        if weight == 0 {
            continue;
        }
        let Ok(j) = rest.binary_search_by_key(&key.wrapping_add(step), |term| term.0) else { continue };
        let partner = sign * rest[j].1;
        if (partner > 0) != (weight > 0) || partner == 0 {
            continue;
        }
        let taken = if weight > 0 { weight.min(partner) } else { weight.max(partner) };
        rest[i].1 -= taken;
        rest[j].1 -= sign * taken;
        a.push((key, taken));
    }
    if !forward {
        a.reverse();
    }
    rest.retain(|term| term.1 != 0);
}

/// The part of `g` that is also in `sign·h` moved by `step`: per position the smaller coefficient where signs agree.
pub(crate) fn common(out: &mut Vec<Term>, g: &[Term], h: &[Term], step: u32, sign: i32) {
    out.clear();
    let mut j = 0;
    for &(key, weight) in g {
        while j < h.len() && h[j].0.wrapping_add(step) < key {
            j += 1;
        }
        if let Some(&(other, partner)) = h.get(j)
            && other.wrapping_add(step) == key
        {
            let partner = sign * partner;
            if (partner > 0) == (weight > 0) {
                out.push((key, if weight > 0 { weight.min(partner) } else { weight.max(partner) }));
            }
        }
    }
}

/// How many times all coefficients can be halved; 0 for nothing.
pub(crate) fn valuation(terms: &[Term]) -> u32 {
    terms.iter().map(|term| term.1.trailing_zeros()).min().unwrap_or(0)
}

/// How many times all coefficients can be divided by three; 0 for nothing.
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

/// The signed binary digits of all coefficients together.
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
    use super::{
        Term, channel, combine, displacement, displacement_of_step, divide, key, origin, repeated, signed_digits, step,
    };
    use cain_isa::Displacement;

    fn row(weights: &[i32]) -> Vec<Term> {
        (0..)
            .zip(weights)
            .filter(|(_, weight)| **weight != 0)
            .map(|(x, &weight)| (key(0, Displacement::new(x, 0)), weight))
            .collect()
    }

    const EAST: Displacement = Displacement::new(1, 0);

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
    fn division_by_a_binomial() {
        let mut a = Vec::new();
        assert!(divide(&mut a, &row(&[1, 3, 3, 1]), step(EAST), 1));
        assert_eq!(a, row(&[1, 2, 1]));
        assert!(!divide(&mut a, &row(&[1, 3, 3, 2]), step(EAST), 1));
        // (S − 1)·a with S to the west reads as x^-1·a − a.
        assert!(divide(&mut a, &row(&[1, 0, -1]), step(Displacement::new(-1, 0)), -1));
        let mut back = Vec::new();
        assert!(combine(&mut back, &a, (1, step(Displacement::new(-1, 0))), &a, (-1, 0)));
        assert_eq!(back, row(&[1, 0, -1]));
    }

    #[test]
    fn the_largest_repetition() {
        let (mut a, mut rest) = (Vec::new(), Vec::new());
        repeated(&mut a, &mut rest, &row(&[1, 2, 3, 1]), step(EAST), 1);
        assert_eq!((a, rest), (row(&[1, 1, 1]), row(&[0, 0, 1])));
        let (mut a, mut rest) = (Vec::new(), Vec::new());
        repeated(&mut a, &mut rest, &row(&[2, -2, 1]), step(EAST), -1);
        assert_eq!((a, rest), (row(&[2]), row(&[0, 0, 1])));
    }

    #[test]
    fn non_adjacent_form() {
        for (weight, digits) in [(0, 0), (1, 1), (3, 2), (7, 2), (-15, 2), (11, 3), (i32::MAX, 2)] {
            assert_eq!(signed_digits(weight), digits, "{weight}");
        }
    }
}
