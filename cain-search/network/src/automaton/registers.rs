//! What is in which register.

use cain_isa::{Dreg, Reg};

use super::declaration::{Automaton, Layer};

/// The contents of the registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers {
    /// The registers of the grey and of the state.
    state: Vec<Reg>,
    /// The results of each layer.
    results: Vec<Vec<Reg>>,
}

impl Registers {
    /// 1 where the cell is alive.
    pub const ALIVE: Dreg = Dreg::ALL[5];
    /// The random bit.
    pub const NOISE: Dreg = Dreg::ALL[6];
    /// The rule of the random bit.
    pub const RULE: Dreg = Dreg::ALL[7];
    /// The bit of the class that is being looked for.
    pub const CLASS: Dreg = Dreg::ALL[8];

    /// Assigns registers, different ones for results of consecutive layers; `None` if there are too few.
    pub(super) fn of(automaton: &Automaton) -> Option<Self> {
        let all: Vec<Reg> = automaton.machine.registers.iter().collect();
        let (state, others) = all.split_at_checked(1 + automaton.state())?;
        let from_the_back = |layer: &Layer| others.get(others.len().checked_sub(layer.outputs())?..);
        let results = automaton.layers.iter().enumerate().map(|(number, layer)| match number % 2 {
            0 => others.get(..layer.outputs()),
            _ => from_the_back(layer),
        });
        let results = results.map(|results| results.map(<[Reg]>::to_vec)).collect::<Option<_>>()?;
        Some(Self { state: state.to_vec(), results })
    }

    /// The registers of the grey and of the state.
    #[must_use]
    pub fn state(&self) -> &[Reg] {
        &self.state
    }

    /// The registers that a layer reads.
    #[must_use]
    pub fn inputs(&self, layer: usize) -> &[Reg] {
        layer.checked_sub(1).map_or(&self.state, |before| self.outputs(before))
    }

    /// The registers with the sums of a layer.
    #[must_use]
    pub fn outputs(&self, layer: usize) -> &[Reg] {
        self.results.get(layer).map_or(&[], Vec::as_slice)
    }
}
