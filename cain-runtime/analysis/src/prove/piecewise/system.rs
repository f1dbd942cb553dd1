//! Decides whether some images satisfy a system of linear inequalities.

use alloc::vec::Vec;

use cain_isa::Fraction;

use super::value::{Symbol, Value};
use crate::sorted::Set;

/// The inequality that a value without choices is positive or, if not strict, at least 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Inequality {
    pub(super) value: Value,
    pub(super) strict: bool,
}

/// The number of rows above which a system is not solved.
const MAX_ROWS: usize = 4096;

/// Whether the inequalities contradict each other, by Fourier–Motzkin elimination.
///
/// If that would take too long or weights do not fit, the answer is no, so that an impossible case is examined
/// nevertheless: something true may then be refused, but nothing false is proved.
pub(super) fn contradict(inequalities: impl IntoIterator<Item = Inequality>) -> bool {
    contradict_within(inequalities, MAX_ROWS)
}

/// Whether the inequalities contradict each other, with a limit on the number of rows.
fn contradict_within(inequalities: impl IntoIterator<Item = Inequality>, most: usize) -> bool {
    let mut rows: Set<Inequality> = inequalities.into_iter().collect();
    loop {
        if rows.iter().any(|row| row.strict && row.value.terms.is_empty()) {
            return true;
        }
        let Some(symbol) = cheapest(&rows) else { return false };
        match eliminate(&rows, &symbol) {
            Some(fewer) if fewer.len() <= most => rows = fewer,
            _ => return false,
        }
    }
}

/// The symbol whose elimination leaves the fewest rows.
fn cheapest(rows: &Set<Inequality>) -> Option<Symbol> {
    let symbols: Set<&Symbol> = rows.iter().flat_map(|row| row.value.terms.keys()).collect();
    let products = |symbol: &&Symbol| {
        let weights = || rows.iter().filter_map(|row| row.value.terms.get(*symbol));
        let positive = weights().filter(|weight| **weight > Fraction::ZERO).count();
        positive * (weights().count() - positive)
    };
    symbols.into_iter().min_by_key(products).cloned()
}

/// The rows without the symbol, and all combinations of two rows in which it cancels.
fn eliminate(rows: &Set<Inequality>, symbol: &Symbol) -> Option<Set<Inequality>> {
    let weight = |row: &Inequality| row.value.terms.get(symbol).copied();
    let mut left: Set<_> = rows.iter().filter(|row| weight(row).is_none()).cloned().collect();
    let (positive, negative): (Vec<_>, Vec<_>) = rows
        .iter()
        .filter_map(|row| Some((row, weight(row)?)))
        .partition(|(_, weight)| weight.numerator().is_positive());
    for (above, up) in &positive {
        for (below, down) in &negative {
            let value = above.value.clone().plus(up.checked_div(down.abs())?, &below.value)?;
            left.insert(Inequality { value: scaled(value)?, strict: above.strict || below.strict });
        }
    }
    Some(left)
}

/// Normalises a value up to a positive factor, so that equal rows are found.
fn scaled(value: Value) -> Option<Value> {
    let first = value.terms.values().next().copied();
    match first {
        Some(first) => Value::zero().plus(Fraction::ONE.checked_div(first.abs())?, &value),
        None => Some(value),
    }
}

#[cfg(test)]
mod tests {
    use super::{Inequality, contradict, contradict_within};
    use crate::prove::Value;
    use cain_isa::asm::{A, B, C};
    use cain_isa::{Fraction, Reg};

    /// The inequality that a weighted sum of registers is positive, or at least 0.
    fn inequality(strict: bool, terms: &[(Reg, i32)]) -> Inequality {
        let add = |sum: Value, &(reg, weight): &(Reg, i32)| sum.plus(Fraction::from(weight), &Value::of(reg)).unwrap();
        Inequality { value: terms.iter().fold(Value::zero(), add), strict }
    }

    #[test]
    fn contradictions_are_those_that_no_values_fulfil() {
        let cases: [(bool, &[Inequality]); 9] = [
            (false, &[]),
            (false, &[inequality(true, &[(A, 1)]), inequality(true, &[(B, 1), (A, -1)])]),
            (true, &[inequality(true, &[(A, 1)]), inequality(true, &[(A, -2)])]),
            // 0 satisfies both.
            (false, &[inequality(false, &[(A, 1)]), inequality(false, &[(A, -1)])]),
            (true, &[inequality(true, &[(A, 1)]), inequality(false, &[(A, -1)])]),
            (true, &[inequality(false, &[(A, 1)]), inequality(true, &[(A, -1)])]),
            // A > B > C > A is a contradiction.
            (
                true,
                &[
                    inequality(true, &[(A, 1), (B, -1)]),
                    inequality(false, &[(B, 2), (C, -2)]),
                    inequality(false, &[(C, 3), (A, -3)]),
                ],
            ),
            // 2A > 3B and 2B > A > 0 are possible, but not together with 3B > 2A.
            (
                false,
                &[
                    inequality(true, &[(A, 2), (B, -3)]),
                    inequality(true, &[(B, 2), (A, -1)]),
                    inequality(true, &[(A, 1)]),
                ],
            ),
            (true, &[inequality(true, &[(A, 2), (B, -3)]), inequality(true, &[(B, 3), (A, -2)])]),
        ];
        for (expected, rows) in cases {
            assert_eq!(contradict(rows.iter().cloned()), expected, "{rows:?}");
        }
    }

    /// Exceeding the limit of rows is no contradiction.
    #[test]
    fn rows_have_a_limit() {
        // A < B < 0 < A has three rows, then two, then one.
        let rows = [inequality(true, &[(A, 1)]), inequality(true, &[(A, -1), (B, 1)]), inequality(true, &[(B, -1)])];
        assert!(contradict_within(rows.iter().cloned(), 2));
        assert!(!contradict_within(rows.iter().cloned(), 1));
    }
}
