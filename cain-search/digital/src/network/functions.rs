//! The functions that the gates of a network compute, and simplifications of sums that follow from them.

use cain_isa::{Direction, Directions};

use super::gates::{Gate, Network, Value};
use super::wires::Wires;
use crate::Declaration;
use crate::effort::Effort;
use crate::prove::{Bdd, Function, TooLarge, Variable};

/// The functions of the gates of a network, in terms of the inputs around a PE.
///
/// The networks of a search have most functions in common, so they all share one cache.
#[derive(Debug)]
pub(crate) struct Functions {
    bdd: Bdd,
    /// The functions of the gates, those of the inputs first.
    of: Vec<Function>,
    inputs: usize,
    /// Whether the functions of one network were too large; then no others are tried.
    too_large: bool,
}

/// The most nodes of diagrams; networks with larger ones remain unchanged.
const LIMIT: usize = 200_000;

impl Functions {
    pub(crate) fn new() -> Self {
        Self { bdd: Bdd::with_limit(LIMIT), of: Vec::new(), inputs: 0, too_large: false }
    }

    /// Starts with the inputs of a declaration, which are the first gates.
    pub(super) fn start(&mut self, declaration: &Declaration) {
        self.of.clear();
        if self.bdd.size() > LIMIT / 2 {
            self.bdd = Bdd::with_limit(LIMIT);
        }
        for (input, number) in declaration.inputs.iter().enumerate() {
            let bits = (0..number.format.bits()).map(|bit| Variable { bit, y: 0, x: 0, input });
            self.of.extend(bits.map_while(|variable| self.bdd.variable(variable).ok()));
        }
        self.inputs = self.of.len();
    }

    /// Forgets the gates after the inputs, as another network has others there.
    pub(super) fn forget_gates(&mut self) {
        self.of.truncate(self.inputs);
    }

    /// The function of a gate, unless it, or that of an earlier gate, is too large or takes too many steps.
    pub(super) fn of(&mut self, network: &Network, value: Value, effort: &mut Effort<'_>) -> Option<Function> {
        while self.of.len() <= usize::from(value) {
            if self.too_large || !effort.may_step() {
                return None;
            }
            match self.next(&network.gates[self.of.len()]) {
                Ok(function) => self.of.push(function),
                Err(TooLarge) => self.too_large = true,
            }
            effort.step(1 + self.bdd.take_steps());
        }
        self.of.get(usize::from(value)).copied()
    }

    fn next(&mut self, gate: &Gate) -> Result<Function, TooLarge> {
        match gate {
            // All inputs are in the list.
            Gate::Input => Err(TooLarge),
            Gate::Any { sources, inverted } => {
                let any = self.any(&sources.iter().map(|&source| self.of[usize::from(source)]).collect::<Vec<_>>())?;
                Ok(if *inverted { any.not() } else { any })
            }
            Gate::Move { source, from, .. } => self.seen(self.of[usize::from(*source)], *from),
        }
    }

    /// The OR of a function over some neighbours. Networks move nothing that would be wrong beyond the border.
    fn seen(&mut self, source: Function, from: Directions) -> Result<Function, TooLarge> {
        let mut seen = Vec::new();
        for direction in Direction::ALL.into_iter().filter(|direction| from.contains(*direction)) {
            seen.push(self.bdd.moved(source, direction.displacement())?);
        }
        self.any(&seen)
    }

    fn any(&mut self, functions: &[Function]) -> Result<Function, TooLarge> {
        functions.iter().try_fold(Function::FALSE, |any, &function| self.bdd.or(any, function))
    }

    /// The function of a bit.
    fn of_wires(&mut self, network: &Network, wires: &Wires, effort: &mut Effort<'_>) -> Option<Function> {
        let (registers, inverted) = wires.either();
        let functions: Option<Vec<_>> = registers.iter().map(|&register| self.of(network, register, effort)).collect();
        let any = self.any(&functions?).ok()?;
        Some(if inverted { any.not() } else { any })
    }

    /// Whether two bits are never 1 at the same time.
    pub(super) fn are_exclusive(&mut self, network: &Network, bits: [&Wires; 2], effort: &mut Effort<'_>) -> bool {
        let [Some(first), Some(second)] = bits.map(|bit| self.of_wires(network, bit, effort)) else { return false };
        let both = self.bdd.and(first, second);
        effort.step(1 + self.bdd.take_steps());
        both == Ok(Function::FALSE)
    }
}
