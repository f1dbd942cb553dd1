//! Tests with values that take divisions, made by random programs.

use cain_isa::{Displacement, Machine};

use super::{input, shortest};
use crate::InstructionSet::Macro;
use crate::engine::macros::forms::Forms;
use crate::engine::terms::{self, Term};

/// The weight 1, chosen such that three halvings of it leave an integer.
const WHOLE: i32 = 8;

/// The last value of a random program of this length with at most three divisions.
fn random_value(length: usize, pick: &mut impl FnMut(usize) -> usize) -> Vec<Term> {
    let mut divides = vec![false; length];
    for _ in 0..3 {
        divides[pick(length)] = true;
    }
    let mut values = vec![input(WHOLE)];
    for divides in divides {
        // Prefers the latest value, so that few instructions are useless.
        let x = values[if pick(4) == 0 { pick(values.len()) } else { values.len() - 1 }].clone();
        let y = values[pick(values.len())].clone();
        if divides {
            for sign in [2, -2] {
                values.push(x.iter().map(|&(key, weight)| (key, weight / sign)).collect());
            }
            continue;
        }
        let straight = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (2, 0), (0, -2)];
        let (east, north) = straight[pick(straight.len())];
        let shift = terms::step(Displacement::new(east, north));
        let mut out = Vec::new();
        // One register cannot be both summands.
        let second = if pick(3) == 0 && x != y { (1, shift) } else { (-1, 0) };
        assert!(terms::combine(&mut out, &x, (1, shift), &y, second));
        values.push(out);
    }
    values.pop().unwrap_or_default()
}

#[test]
fn no_divided_value_is_refuted() {
    let forms = Forms::of(Macro, &Machine::SCAMP5);
    let mut state = 3_u64;
    let mut pick = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % n
    };
    for (length, rounds) in [(5, 500), (6, 40)] {
        let mut long = 0;
        for _ in 0..rounds {
            let value = random_value(length, &mut pick);
            if !value.is_empty() {
                let found = shortest(&forms, &[&input(WHOLE)], &[&value], u32::try_from(length).unwrap());
                assert!(found.is_some(), "{value:?}");
                long += usize::from(found >= Some(length - 1));
            }
        }
        assert!(long > rounds / 4, "{long} of {rounds}");
    }
}

/// Finds v + w + w/2^n and v + w/2 − w/2^n, where w is a difference.
#[test]
fn what_divisions_leave_is_added() {
    let forms = Forms::of(Macro, &Machine::SCAMP5);
    let at = |x, weight| (terms::key(0, Displacement::new(x, 0)), weight);
    for halvings in 1..=4 {
        let whole = 1 << halvings;
        let sum = [at(0, whole - (whole + 1)), at(1, whole + 1)];
        assert_eq!(shortest(&forms, &[&input(whole)], &[&sum], halvings + 2), Some(2 + halvings as usize));
        let difference = [at(0, whole - (whole / 2 - 1)), at(1, whole / 2 - 1)];
        let found = (halvings > 2).then(|| shortest(&forms, &[&input(whole)], &[&difference], halvings + 2));
        assert!(found.is_none_or(|found| found.is_some()), "{halvings}");
    }
}
