//! What compensating offset errors takes, whatever the instructions: what the words of a program do to the transfer error,
//! followed from its end, and which changes cancel what is left of it ([`sums`]).

mod sums;

use std::collections::BTreeMap;

use cain_isa::{Fraction, Store, Word};

use crate::Output;
use crate::fractions::common_denominator;

pub(super) use sums::{Choice, cheapest};

/// A multiple of the transfer error for each output, in units of a common denominator.
pub(super) type Multiples = Vec<i64>;

/// A place in a program, seen from its end.
pub(super) struct Backwards {
    /// What a constant of 1 in a cell adds to each output.
    pub(super) weights: BTreeMap<Store, Vec<Fraction>>,
    /// What the words from here on leave of their transfer errors in each output.
    pub(super) left: Vec<Fraction>,
}

impl Backwards {
    /// The end of a program with these outputs.
    pub(super) fn from_end(outputs: &[Output]) -> Self {
        let nothing = vec![Fraction::ZERO; outputs.len()];
        let own = |(i, output): (usize, &Output)| {
            let mut own = nothing.clone();
            own[i] = Fraction::ONE;
            (Store::Reg(output.reg), own)
        };
        Self { weights: outputs.iter().enumerate().map(own).collect(), left: nothing }
    }

    /// Goes back over a word. What a further source of it would add for each 1 that it holds; `None` if that does not fit
    /// exact arithmetic.
    pub(super) fn undo(&mut self, word: &Word) -> Option<Vec<Fraction>> {
        let nothing = vec![Fraction::ZERO; self.left.len()];
        let mut of_source = nothing.clone();
        let written: Vec<_> =
            word.transfers().map(|transfer| (self.weights.remove(&transfer.store), transfer)).collect();
        for (weight, transfer) in written {
            let Some(weight) = weight else { continue };
            add(&mut self.left, &weight)?;
            let passed = weight.iter().map(|own| own.checked_mul(transfer.factor())).collect::<Option<Vec<_>>>()?;
            add(&mut of_source, &passed)?;
            for &(source, _) in transfer.terms() {
                add(self.weights.entry(source).or_insert_with(|| nothing.clone()), &passed)?;
            }
        }
        Some(of_source)
    }
}

/// The denominator that multiples of the transfer error have in common.
#[derive(Clone, Copy)]
pub(super) struct Unit(i64);

impl Unit {
    /// The unit of all these; `None` if it does not fit.
    pub(super) fn of<'f>(all: impl Iterator<Item = &'f Fraction>) -> Option<Self> {
        common_denominator(all.copied()).map(Self)
    }

    pub(super) fn multiples(self, fractions: &[Fraction]) -> Option<Multiples> {
        let scaled = |multiple: &Fraction| multiple.numerator().checked_mul(self.0 / multiple.denominator());
        fractions.iter().map(scaled).collect()
    }
}

fn add(sum: &mut [Fraction], more: &[Fraction]) -> Option<()> {
    for (a, b) in sum.iter_mut().zip(more) {
        *a = a.checked_add(*b)?;
    }
    Some(())
}
