//! The numbers of the controller: their places, and formulas.

use std::collections::BTreeMap;

use cain_isa::program::{Found, Term};

use crate::declaration::{Arithmetic, Comparison, Declaration, Number, Value};

/// The places of numbers. Values have those of their own numbers; others follow.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    count: usize,
    /// What was found about planes of bits, and where it is.
    found: BTreeMap<(Value, u8), usize>,
}

impl Numbers {
    pub(super) const fn of(declaration: &Declaration) -> Self {
        Self { count: declaration.values.len(), found: BTreeMap::new() }
    }

    /// Where it is what was found about a plane, if it was.
    pub(super) fn found(&self, what: Found, of: Value) -> Option<usize> {
        self.found.get(&(of, what as u8)).copied()
    }

    /// Something was found about a plane.
    pub(super) fn find(&mut self, what: Found, of: Value, first: usize) {
        self.found.insert((of, what as u8), first);
    }

    /// Forgets what was not found before.
    pub(super) fn forget(&mut self, before: &Self) {
        self.found.clone_from(&before.found);
    }

    /// The first of so many places that nothing else has.
    pub(super) const fn more(&mut self, count: usize) -> usize {
        let first = self.count;
        self.count += count;
        first
    }

    /// How many places there are.
    pub(super) const fn count(&self) -> usize {
        self.count
    }
}

/// The place of a value.
pub(super) const fn place(value: Value) -> usize {
    value.0
}

/// An expression in postfix form.
pub(super) fn formula(number: &Number) -> Vec<Term> {
    let mut terms = Vec::new();
    add(number, &mut terms);
    terms
}

fn add(number: &Number, terms: &mut Vec<Term>) {
    match number {
        #[expect(clippy::cast_precision_loss, reason = "numbers of a controller are small")]
        Number::Constant(constant) => terms.push(Term::Constant(*constant as f64)),
        Number::Value(value) => terms.push(Term::Number(place(*value))),
        Number::Arithmetic(arithmetic, of) => {
            of.iter().for_each(|number| add(number, terms));
            terms.push(match arithmetic {
                Arithmetic::Add => Term::Add,
                Arithmetic::Subtract => Term::Subtract,
                Arithmetic::Multiply => Term::Multiply,
                Arithmetic::Divide => Term::Divide,
                Arithmetic::Min => Term::Min,
                Arithmetic::Max => Term::Max,
            });
        }
        Number::Comparison(comparison, of) => {
            of.iter().for_each(|number| add(number, terms));
            terms.push(match comparison {
                Comparison::Less => Term::Less,
                Comparison::AtMost => Term::AtMost,
                Comparison::Equal => Term::Equal,
            });
        }
        Number::Choice(of) => {
            of.iter().for_each(|number| add(number, terms));
            terms.push(Term::Choose);
        }
    }
}
