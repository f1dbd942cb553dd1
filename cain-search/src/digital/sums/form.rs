//! Sums of moved and scaled parts.

use std::collections::BTreeMap;

use cain_isa::Displacement;

use crate::digital::Declaration;

/// What sums are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::digital) enum Part {
    /// An input.
    Input(usize),
    /// Another sum.
    Sum(usize),
}

/// A part as it is seen at a displacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::digital) struct Term {
    pub(in crate::digital) part: Part,
    pub(in crate::digital) at: Displacement,
}

/// Terms with their weights, none of which is zero.
pub(in crate::digital) type Sum = BTreeMap<Term, i64>;

/// Outputs and partial sums.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::digital) struct Form {
    /// The outputs, then partial sums.
    pub(super) sums: Vec<Sum>,
}

impl Form {
    /// Outputs as sums of inputs.
    pub(in crate::digital) const fn of(sums: Vec<Sum>) -> Self {
        Self { sums }
    }

    /// Every output as a sum of pixels.
    ///
    /// The declaration has been checked: its weights are whole and its channels exist.
    pub(in crate::digital) fn direct(declaration: &Declaration) -> Self {
        let sum = |output: &crate::digital::Output| {
            let term = |atom: cain_isa::prove::Atom| Term {
                part: Part::Input(usize::from(atom.channel)),
                at: atom.displacement,
            };
            output.kernel.terms().map(|(atom, weight)| (term(atom), weight.numerator())).collect()
        };
        Self { sums: declaration.outputs.iter().map(sum).collect() }
    }

    /// The number of sums.
    pub(in crate::digital) fn len(&self) -> usize {
        self.sums.len()
    }

    /// The weights of one of the sums.
    pub(in crate::digital) fn terms(&self, sum: usize) -> impl Iterator<Item = (Term, i64)> {
        self.sums[sum].iter().map(|(&term, &weight)| (term, weight))
    }

    /// The sum in terms of inputs.
    pub(in crate::digital) fn pixels(&self, sum: usize) -> BTreeMap<(usize, Displacement), i64> {
        let mut pixels = BTreeMap::new();
        for (term, weight) in self.terms(sum) {
            for ((input, at), inner) in self.pixels_of(term.part) {
                let at = Displacement::new(at.x + term.at.x, at.y + term.at.y);
                *pixels.entry((input, at)).or_default() += weight * inner;
            }
        }
        pixels.retain(|_, weight| *weight != 0);
        pixels
    }

    /// A part in terms of inputs.
    pub(in crate::digital) fn pixels_of(&self, part: Part) -> BTreeMap<(usize, Displacement), i64> {
        match part {
            Part::Input(input) => BTreeMap::from([((input, Displacement::ZERO), 1)]),
            Part::Sum(sum) => self.pixels(sum),
        }
    }
}
