//! Linear inequalities: whether any images fulfil all of them.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::value::{Symbol, Value};
use crate::Fraction;

/// A value without choices that is positive or, if not strict, at least 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Inequality {
    pub(super) value: Value,
    pub(super) strict: bool,
}

/// Rows beyond which a system is no longer solved.
const MAX_ROWS: usize = 4096;

/// Whether the inequalities contradict each other, by the elimination of Fourier and Motzkin.
///
/// Where that would take too long or weights do not fit the answer is no, so that a case which cannot occur is looked at
/// nevertheless: something true may then be refused, but nothing false is proved.
pub(super) fn contradict(inequalities: impl IntoIterator<Item = Inequality>) -> bool {
    let mut rows: BTreeSet<Inequality> = inequalities.into_iter().collect();
    loop {
        if rows.iter().any(|row| row.strict && row.value.terms.is_empty()) {
            return true;
        }
        let Some(symbol) = cheapest(&rows) else { return false };
        match eliminate(&rows, &symbol) {
            Some(fewer) if fewer.len() <= MAX_ROWS => rows = fewer,
            _ => return false,
        }
    }
}

/// The symbol whose elimination leaves the fewest rows.
fn cheapest(rows: &BTreeSet<Inequality>) -> Option<Symbol> {
    let symbols: BTreeSet<&Symbol> = rows.iter().flat_map(|row| row.value.terms.keys()).collect();
    let products = |symbol: &&Symbol| {
        let weights = || rows.iter().filter_map(|row| row.value.terms.get(*symbol));
        let positive = weights().filter(|weight| **weight > Fraction::ZERO).count();
        positive * (weights().count() - positive)
    };
    symbols.into_iter().min_by_key(products).cloned()
}

/// The rows without the symbol, and every pair in which it cancels.
fn eliminate(rows: &BTreeSet<Inequality>, symbol: &Symbol) -> Option<BTreeSet<Inequality>> {
    let weight = |row: &Inequality| row.value.terms.get(symbol).copied();
    let with = |sign: i32| -> Vec<(&Inequality, Fraction)> {
        let sign = Fraction::from(sign);
        let signed = |row| Some((row, weight(row)?.checked_mul(sign)?));
        rows.iter().filter_map(signed).filter(|(_, weight)| *weight > Fraction::ZERO).collect()
    };
    let mut left: BTreeSet<_> = rows.iter().filter(|row| weight(row).is_none()).cloned().collect();
    let negative = with(-1);
    for (above, up) in with(1) {
        for (below, down) in &negative {
            let value = above.value.clone().plus(up.checked_div(*down)?, &below.value)?;
            left.insert(Inequality { value: scaled(value)?, strict: above.strict || below.strict });
        }
    }
    Some(left)
}

/// The same up to a positive factor, so that equal rows are found.
fn scaled(value: Value) -> Option<Value> {
    match value.terms.values().next() {
        Some(first) => Value::zero().plus(Fraction::ONE.checked_div(first.abs())?, &value),
        None => Some(value),
    }
}
