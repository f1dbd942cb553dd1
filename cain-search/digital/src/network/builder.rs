//! A network that is being built.

use std::collections::BTreeMap;

use super::functions::Functions;
use super::gates::{Network, Value};
use super::number::Number;
use super::sequences::Sequences;
use super::style::Style;
use super::way::Way;
use crate::effort::Effort;
use crate::prove::Bdd;
use crate::sums::{Form, Pixels, Sum};
use crate::{Declaration, Logic};

/// The most words that a network may have.
pub(crate) const MOST_WORDS: usize = 4096;

pub(super) struct Builder<'d, 'w> {
    pub(super) declaration: &'d Declaration,
    pub(super) form: &'d Form,
    /// The sums of the form, expressed in inputs.
    pub(super) pixels: Vec<Pixels>,
    pub(super) style: Style,
    pub(super) network: Network,
    pub(super) inputs: Vec<Number>,
    /// The registers of the bits of each input.
    pub(super) bits: Vec<Vec<Value>>,
    pub(super) sums: Vec<Option<Number>>,
    /// The outputs that are sums.
    pub(super) outputs: Vec<usize>,
    /// The counts that Boolean functions contain; these sums follow those of outputs.
    pub(super) counts: Vec<Sum>,
    pub(super) sequences: &'d mut Sequences,
    pub(super) functions: &'d mut Functions,
    pub(super) bdd: Bdd,
    /// The chosen way to make each function so far.
    pub(super) ways: BTreeMap<(Logic, bool), Way>,
    pub(super) effort: &'d mut Effort<'w>,
}

/// A snapshot of what was built.
#[derive(Clone)]
pub(super) struct Mark {
    network: Network,
    inputs: Vec<Number>,
    sums: Vec<Option<Number>>,
}

impl Mark {
    /// The number of gates.
    pub(super) fn gates(&self) -> usize {
        self.network.gates.len()
    }

    /// The number of different sets of neighbours that moves read.
    pub(super) fn turns(&self) -> usize {
        self.network.turns()
    }
}

impl Builder<'_, '_> {
    /// A snapshot of the present state.
    pub(super) fn mark(&mut self) -> Mark {
        self.effort.step(self.network.gates.len() as u64);
        Mark { network: self.network.clone(), inputs: self.inputs.clone(), sums: self.sums.clone() }
    }

    /// Restores an earlier or later state.
    pub(super) fn return_to(&mut self, mark: Mark) {
        self.effort.step(mark.gates() as u64);
        let Mark { network, inputs, sums } = mark;
        (self.network, self.inputs, self.sums) = (network, inputs, sums);
        self.functions.forget_gates();
    }
}
