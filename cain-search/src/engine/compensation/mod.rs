//! The compensation of offset errors, as far as it does not depend on the instructions: it follows a program from its
//! end to find what its words leave of the transfer error, and chooses changes that cancel this remainder ([`sums`];
//! [`ahead`] tells which partial choices can still succeed).
//!
//! A word with several destinations has a different transfer error from one with a single destination, and every word
//! loses a little of what it carries. So programs whose offset error cancels exactly, with each word counted once,
//! still have a bias. Both are followed: the multiple of the error exactly, and the bias as the error model predicts
//! it.

mod ahead;
mod choice;
mod sums;

use cain_analysis::sorted::Map;
use cain_isa::{ErrorModel, Fraction, Instruction, Store, Transfer, Word};

use crate::Output;
use crate::fractions::common_denominator;

pub(super) use choice::{Choice, Held, MAX_CELLS, Place, Places};
pub(super) use sums::Search;

/// What a change, or a part of a program, adds to the outputs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Effect {
    /// The multiples of the transfer error, exactly, with each word's error counted as one, in units of a common
    /// denominator.
    pub(super) multiples: Vec<i64>,
    /// The bias that the error model predicts, in DN.
    pub(super) bias: Vec<f64>,
}

impl Effect {
    /// Whether all multiples are 0, whatever the bias.
    pub(super) fn cancels(&self) -> bool {
        self.multiples.iter().all(|&multiple| multiple == 0)
    }

    /// The magnitude of the bias that is farthest from 0.
    pub(super) fn worst_bias(&self) -> f64 {
        farthest(&self.bias)
    }
}

/// The magnitude of the bias that is farthest from 0.
fn farthest(biases: &[f64]) -> f64 {
    biases.iter().map(|bias| bias.abs()).fold(0.0, f64::max)
}

/// What a constant of 1 in a cell adds to each output: with exact words, and with words as the error model describes
/// them.
#[derive(Clone, Debug)]
pub(super) struct Weight {
    pub(super) exact: Vec<Fraction>,
    pub(super) predicted: Vec<f64>,
}

impl Weight {
    fn none(outputs: usize) -> Self {
        Self { exact: vec![Fraction::ZERO; outputs], predicted: vec![0.0; outputs] }
    }

    fn add(&mut self, other: &Self, (factor, predicted): (Fraction, f64)) -> Option<()> {
        for (sum, more) in self.exact.iter_mut().zip(&other.exact) {
            *sum = sum.checked_add(more.checked_mul(factor)?)?;
        }
        for (sum, more) in self.predicted.iter_mut().zip(&other.predicted) {
            *sum += predicted * more;
        }
        Some(())
    }
}

/// A point in a program that is followed from its end.
pub(super) struct Backwards<'a> {
    model: &'a ErrorModel,
    outputs: usize,
    /// What a constant of 1 in a cell adds to each output.
    pub(super) weights: Map<Store, Weight>,
    /// What the words from here on leave of their transfer errors in each output: in multiples, and in DN.
    pub(super) left: Weight,
}

impl<'a> Backwards<'a> {
    /// The end of a program with these outputs.
    pub(super) fn from_end(outputs: &[Output], model: &'a ErrorModel) -> Self {
        let own = |(i, output): (usize, &Output)| {
            let mut own = Weight::none(outputs.len());
            (own.exact[i], own.predicted[i]) = (Fraction::ONE, 1.0);
            (Store::Reg(output.reg), own)
        };
        let weights = outputs.iter().enumerate().map(own).collect();
        Self { model, outputs: outputs.len(), weights, left: Weight::none(outputs.len()) }
    }

    /// Steps back over a word. Returns what another source of the word would add to the outputs for each 1 that it
    /// holds; `None` if exact arithmetic overflows.
    pub(super) fn undo(&mut self, word: &Word) -> Option<Weight> {
        let mut of_source = Weight::none(self.outputs);
        let written: Vec<_> =
            word.transfers().map(|transfer| (self.weights.remove(&transfer.store), transfer)).collect();
        for (position, (weight, transfer)) in written.into_iter().enumerate() {
            let Some(weight) = weight else { continue };
            let count = usize::from(transfer.divisor);
            self.left.add(&weight, (Fraction::ONE, self.model.offset_of(count).into()))?;
            let gain = f64::from(self.model.gain) * f64::from(self.model.share(position, count));
            let factor = (transfer.factor(), gain * transfer.factor().to_f64());
            of_source.add(&weight, factor)?;
            for &(source, _) in transfer.terms() {
                let outputs = self.outputs;
                self.weights.get_or_insert_with(source, || Weight::none(outputs)).add(&weight, factor)?;
            }
        }
        Some(of_source)
    }

    /// Steps back over words, from the last to the first; `None` if exact arithmetic overflows.
    pub(super) fn undo_all(&mut self, words: &[Word]) -> Option<()> {
        words.iter().rev().try_for_each(|word| self.undo(word).map(drop))
    }
}

/// The constants in the cells, in DN, as the error model predicts them.
#[derive(Clone, Debug, Default)]
pub(super) struct Constants(Map<Store, f64>);

impl Constants {
    pub(super) fn of(&self, store: Store) -> f64 {
        self.0.get(&store).copied().unwrap_or(0.0)
    }

    pub(super) fn set(&mut self, store: Store, dn: f64) {
        self.0.insert(store, dn);
    }

    /// The constants after an instruction.
    pub(super) fn after(&self, instruction: &Instruction, model: &ErrorModel) -> Self {
        let mut after = self.clone();
        after.execute(instruction, model);
        after
    }

    /// Carries out a word.
    pub(super) fn write(&mut self, word: &Word, model: &ErrorModel) {
        let result = |(position, transfer): (usize, Transfer)| {
            let count = usize::from(transfer.divisor);
            let gain = f64::from(model.gain) * f64::from(model.share(position, count)) * transfer.factor().to_f64();
            let sum: f64 = transfer.terms().iter().map(|&(source, _)| self.of(source)).sum();
            (transfer.store, gain * sum + f64::from(model.offset_of(count)))
        };
        let results: Vec<(Store, f64)> = word.transfers().enumerate().map(result).collect();
        self.0.extend(results);
    }

    /// Carries out an instruction.
    pub(super) fn execute(&mut self, instruction: &Instruction, model: &ErrorModel) {
        instruction.words().for_each(|word| self.write(&word, model));
    }
}

/// The common denominator of multiples of the transfer error.
#[derive(Clone, Copy)]
pub(super) struct Unit(i64);

impl Unit {
    /// The common denominator of these weights; `None` if it does not fit in the integers.
    pub(super) fn of<'f>(all: impl Iterator<Item = &'f Weight>) -> Option<Self> {
        common_denominator(all.flat_map(|weight| weight.exact.iter().copied())).map(Self)
    }

    pub(super) fn effect(self, weight: &Weight) -> Option<Effect> {
        let scaled = |multiple: &Fraction| multiple.numerator().checked_mul(self.0 / multiple.denominator());
        let multiples = weight.exact.iter().map(scaled).collect::<Option<_>>()?;
        Some(Effect { multiples, bias: weight.predicted.clone() })
    }
}
