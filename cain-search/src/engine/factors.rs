//! Decomposing values: division by a binomial, repetitions, and common parts.

use super::area::Area;
use super::terms::{Term, coefficient};

/// Solves `g = S·a + sign·a` for a, where S moves by `step`, and replaces `out` by a. Returns whether the division is
/// exact and all coefficients are small enough.
pub(crate) fn divide(out: &mut Vec<Term>, g: &[Term], step: u32, sign: i32) -> bool {
    // Starts at the end that nothing is shifted into: a(p) = sign·(g(p) − a(p − step)).
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
        // Outside of the box around g nothing can cancel the shifted copy.
        if !area.contains(moved) {
            return false;
        }
        let quotient = sign * weight;
        out.push((key, quotient));
        // The shifted copy of this term has to be cancelled by a term further on.
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

/// Splits `g = a + sign·T·a + rest`, where T moves by `step`, with the largest a that takes from each coefficient of g
/// no more than is there.
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

/// The part of `g` that is also in `sign·h` moved by `step`: at each position where the signs agree, the smaller
/// coefficient.
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

#[cfg(test)]
mod tests {
    use super::{divide, repeated};
    use crate::engine::terms::{Term, combine, key, step};
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
    fn division_by_a_binomial() {
        let mut a = Vec::new();
        assert!(divide(&mut a, &row(&[1, 3, 3, 1]), step(EAST), 1));
        assert_eq!(a, row(&[1, 2, 1]));
        assert!(!divide(&mut a, &row(&[1, 3, 3, 2]), step(EAST), 1));
        // (S − 1)·a with S to the west is x^-1·a − a.
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
}
