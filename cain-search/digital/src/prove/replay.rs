//! Executes words on functions.

use cain_analysis::evaluate::{Digital, DigitalDomain};
use cain_isa::{Bit, Direction, Instruction, Word};

use super::bdd::{Bdd, Function, TooLarge, Variable};

/// The digital registers of any PE as functions of the bits around it.
#[derive(Debug)]
pub(crate) struct Machine(Digital<Function>);

/// The reason why a program cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplayError {
    TooLarge,
    Unwritten(Bit),
    Unsupported(Word),
    Border,
}

impl From<TooLarge> for ReplayError {
    fn from(_: TooLarge) -> Self {
        Self::TooLarge
    }
}

impl Machine {
    /// The initial state: registers are unknown, and FLAG is 1, as it is everywhere outside of conditions.
    pub(crate) fn new() -> Self {
        Self(Digital::default())
    }

    pub(crate) fn give(&mut self, bit: Bit, function: Function) {
        self.0.give(bit, function);
    }

    pub(crate) fn read(&self, bit: Bit) -> Result<Function, ReplayError> {
        match self.0.get(bit) {
            Some(function) => Ok(*function),
            None if bit == Bit::Flag => Ok(Function::TRUE),
            None => Err(ReplayError::Unwritten(bit)),
        }
    }

    pub(crate) fn flag_is_one(&self) -> bool {
        self.read(Bit::Flag) == Ok(Function::TRUE)
    }

    pub(crate) fn execute(&mut self, bdd: &mut Bdd, instruction: Instruction) -> Result<(), ReplayError> {
        instruction.words().try_for_each(|word| self.word(bdd, word))
    }

    pub(crate) fn word(&mut self, bdd: &mut Bdd, word: Word) -> Result<(), ReplayError> {
        self.0.word(bdd, word)
    }
}

impl DigitalDomain for Bdd {
    type Plane = Function;
    type Error = ReplayError;

    fn constant(&mut self, bit: bool) -> Function {
        Function::constant(bit)
    }

    fn as_constant(&self, function: &Function) -> Option<bool> {
        [false, true].into_iter().find(|&bit| *function == Function::constant(bit))
    }

    fn inverse(&mut self, function: &Function) -> Function {
        function.not()
    }

    fn any(&mut self, functions: &[Function]) -> Result<Function, ReplayError> {
        let any = functions.iter().try_fold(Function::FALSE, |any, &function| self.or(any, function));
        Ok(any?)
    }

    fn neighbours(
        &mut self,
        function: &Function,
        direction: Direction,
        outside: bool,
        _: &Function,
    ) -> Result<Function, ReplayError> {
        let step = direction.displacement();
        // As seen from a neighbour outside of the array, pixels beside it and farther out are outside too.
        let is_outside = |variable: Variable| variable.x * i32::from(step.x) + variable.y * i32::from(step.y) >= 0;
        if self.without(*function, is_outside)? != Function::constant(outside) {
            return Err(ReplayError::Border);
        }
        Ok(self.moved(*function, step)?)
    }

    fn unwritten_bit(&mut self, bit: Bit) -> Result<Function, ReplayError> {
        Err(ReplayError::Unwritten(bit))
    }

    fn unsupported(&mut self, word: Word) -> ReplayError {
        ReplayError::Unsupported(word)
    }
}
