//! Sums of moved and scaled parts.

use std::collections::BTreeMap;

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::Displacement;

use crate::{Declaration, Format, Input, Logic};

/// A part of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Part {
    /// An input.
    Input(usize),
    /// Another sum.
    Sum(usize),
}

/// A part as seen at a displacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Term {
    pub(crate) part: Part,
    pub(crate) at: Displacement,
}

/// Terms with their weights, none of which is zero.
pub(crate) type Sum = BTreeMap<Term, i64>;

/// The weights of pixels of inputs, none of which is zero.
pub(crate) type Pixels = BTreeMap<(usize, Displacement), i64>;

/// Outputs, counts and partial sums.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Form {
    /// Outputs that are sums, then the counts in Boolean functions, then partial sums.
    pub(super) sums: Vec<Sum>,
}

impl Form {
    /// A form of these sums.
    pub(crate) const fn of(sums: Vec<Sum>) -> Self {
        Self { sums }
    }

    /// The outputs that are sums and the counts in Boolean functions, as sums of pixels.
    ///
    /// The declaration has been checked: its weights are integers and its channels exist.
    pub(crate) fn direct(declaration: &Declaration) -> Self {
        let sum = |kernel: &Polynomial| {
            let term = |atom: Atom| Term { part: Part::Input(usize::from(atom.channel)), at: atom.displacement };
            kernel.terms().map(|(atom, weight)| (term(atom), weight.numerator())).collect()
        };
        let mut sums: Vec<Sum> = declaration.sums().map(|(_, kernel)| sum(kernel)).collect();
        sums.extend(counts(declaration));
        Self { sums }
    }

    /// The number of sums.
    pub(crate) fn len(&self) -> usize {
        self.sums.len()
    }

    /// The weights of one of the sums.
    pub(crate) fn terms(&self, sum: usize) -> impl Iterator<Item = (Term, i64)> {
        self.sums[sum].iter().map(|(&term, &weight)| (term, weight))
    }

    /// Each sum, expressed in pixels of inputs.
    pub(crate) fn pixels(&self) -> Vec<Pixels> {
        let mut all = vec![None; self.len()];
        (0..self.len()).for_each(|sum| self.expand(sum, &mut all));
        all.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// Expands a sum and the sums that it contains, each once.
    fn expand(&self, sum: usize, all: &mut [Option<Pixels>]) {
        if all[sum].is_some() {
            return;
        }
        let mut pixels = Pixels::new();
        for (term, weight) in self.terms(sum) {
            let mut add = |input, at: Displacement, inner: i64| {
                let at = Displacement::new(at.x + term.at.x, at.y + term.at.y);
                *pixels.entry((input, at)).or_default() += weight * inner;
            };
            match term.part {
                Part::Input(input) => add(input, Displacement::ZERO, 1),
                Part::Sum(part) => {
                    self.expand(part, all);
                    all[part].iter().flatten().for_each(|(&(input, at), &inner)| add(input, at, inner));
                }
            }
        }
        pixels.retain(|_, weight| *weight != 0);
        all[sum] = Some(pixels);
    }
}

/// The counts in the Boolean functions of a declaration, without duplicates.
pub(crate) fn counts(declaration: &Declaration) -> Vec<Sum> {
    let mut counts = Vec::new();
    for logic in declaration.functions() {
        collect_counts(&logic.simplified(), &declaration.inputs, &mut counts);
    }
    counts
}

fn collect_counts(logic: &Logic, inputs: &[Input], counts: &mut Vec<Sum>) {
    if let Logic::Count { of, .. } = logic
        && let Some(sum) = count(of, inputs)
        && !counts.contains(&sum)
    {
        counts.push(sum);
    }
    logic.parts().iter().for_each(|part| collect_counts(part, inputs, counts));
}

/// The number of parts that are 1 as a sum, if all of them are inputs of one bit.
pub(crate) fn count(of: &[Logic], inputs: &[Input]) -> Option<Sum> {
    let mut sum = Sum::new();
    for part in of {
        let Logic::Pixel { input, at, .. } = *part else { return None };
        if inputs.get(input).map(|input| input.format) != Format::new(1, false) {
            return None;
        }
        *sum.entry(Term { part: Part::Input(input), at }).or_default() += 1;
    }
    Some(sum)
}
