//! Linear sums of what is not known.

use std::collections::BTreeMap;

use cain_isa::{Displacement, Fraction};

use super::Failure;
use crate::declaration::Value;

/// Something that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Atom {
    /// A plane of levels at a displacement.
    Level(Value, Displacement),
    /// A number of the controller: its number among all that occur.
    Number(usize),
    /// The constant error of a transfer.
    Offset,
    /// Something that must not matter.
    Unknown(usize),
}

/// A linear sum.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Form {
    /// The weights that are not 0.
    pub(super) terms: BTreeMap<Atom, Fraction>,
    pub(super) constant: Fraction,
}

impl Form {
    pub(super) fn constant(constant: Fraction) -> Self {
        Self { terms: BTreeMap::new(), constant }
    }

    pub(super) fn atom(atom: Atom) -> Self {
        Self { terms: BTreeMap::from([(atom, Fraction::ONE)]), constant: Fraction::ZERO }
    }

    /// The value, if it is known.
    pub(super) fn as_constant(&self) -> Option<Fraction> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// This sum and so many times another one.
    pub(super) fn plus(mut self, factor: Fraction, other: &Self) -> Result<Self, Failure> {
        let scaled = |of: Fraction| of.checked_mul(factor).ok_or(Failure::TooLarge);
        for (atom, weight) in &other.terms {
            let known = self.terms.get(atom).copied().unwrap_or(Fraction::ZERO);
            let sum = known.checked_add(scaled(*weight)?).ok_or(Failure::TooLarge)?;
            if sum.is_zero() {
                self.terms.remove(atom);
            } else {
                self.terms.insert(*atom, sum);
            }
        }
        self.constant = self.constant.checked_add(scaled(other.constant)?).ok_or(Failure::TooLarge)?;
        Ok(self)
    }

    pub(super) fn times(&self, factor: Fraction) -> Result<Self, Failure> {
        Self::default().plus(factor, self)
    }

    /// A sum of the same sign that is the same for all positive multiples.
    pub(super) fn of_sign(&self) -> Result<Self, Failure> {
        let Some(first) = self.terms.values().next() else { return Ok(self.clone()) };
        self.times(Fraction::ONE.checked_div(first.abs()).ok_or(Failure::TooLarge)?)
    }
}
