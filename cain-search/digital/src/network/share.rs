//! Uses outputs for equal values elsewhere in the network.

use super::functions::Functions;
use super::gates::{Gate, Network, Value};
use crate::effort::Effort;

impl Network {
    /// The network with later gates replaced by outputs that have the same function, as registers hold outputs in any
    /// case.
    ///
    /// Sums that differ by multiples of a power of two have their lower bits in common. If both are outputs, one is a
    /// copy of the other, which is made last.
    pub(super) fn with_shared_outputs(mut self, functions: &mut Functions, effort: &mut Effort<'_>) -> Self {
        let values = || (0..).take(self.gates.len());
        let Some(known) = values().map(|value| functions.of(&self, value, effort)).collect::<Option<Vec<_>>>() else {
            return self;
        };
        let mut stand_ins: Vec<Value> = values().collect();
        let mut shared: Vec<Value> = Vec::new();
        for value in values() {
            let is_same = |output: &&Value| known[usize::from(**output)] == known[usize::from(value)];
            if let Some(&output) = shared.iter().find(is_same) {
                stand_ins[usize::from(value)] = output;
            } else if self.outputs.iter().flatten().any(|output| *output == value) {
                shared.push(value);
            }
        }
        for gate in &mut self.gates {
            gate.replace_sources(|source| stand_ins[usize::from(source)]);
        }
        let mut outputs = std::mem::take(&mut self.outputs);
        for bit in outputs.iter_mut().flatten() {
            let stand_in = stand_ins[usize::from(*bit)];
            if stand_in != *bit {
                *bit = self.copy(stand_in);
            }
        }
        self.outputs = outputs;
        self
    }
}

impl Gate {
    fn replace_sources(&mut self, replace: impl Fn(Value) -> Value) {
        match self {
            Self::Input => {}
            Self::Any { sources, .. } => {
                for source in sources.iter_mut() {
                    *source = replace(*source);
                }
                sources.sort_unstable();
                sources.dedup();
            }
            Self::Move { source, .. } => *source = replace(*source),
        }
    }
}
