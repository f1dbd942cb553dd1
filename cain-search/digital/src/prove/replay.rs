//! Carrying out words on functions.

use cain_isa::{Bit, Bits, Direction, Dreg, FromNeighbours, Instruction, Logic, Path, Word};

use super::bdd::{Bdd, Function, TooLarge, Variable};

/// The digital registers of any PE as functions of the bits around it.
#[derive(Debug)]
pub(crate) struct Machine {
    registers: [Option<Function>; Dreg::COUNT],
    flag: Option<Function>,
    held: Option<Function>,
    select: Option<Function>,
}

/// Why a program cannot be followed.
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
    /// Registers that hold nothing known; FLAG is 1, as everywhere outside of conditions.
    pub(crate) const fn new() -> Self {
        Self { registers: [None; Dreg::COUNT], flag: Some(Function::TRUE), held: None, select: None }
    }

    pub(crate) fn give(&mut self, bit: Bit, function: Function) {
        match bit {
            Bit::Reg(register) => self.registers[usize::from(register.number())] = Some(function),
            Bit::Flag => self.flag = Some(function),
            Bit::Select => self.select = Some(function),
            Bit::Rect => {}
        }
    }

    pub(crate) const fn forget(&mut self, register: Dreg) {
        self.registers[register.number() as usize] = None;
    }

    /// Forgets everything but some registers.
    pub(crate) fn forget_all_but(&mut self, kept: &[Dreg]) {
        for register in Dreg::ALL.into_iter().filter(|register| !kept.contains(register)) {
            self.forget(register);
        }
        (self.held, self.select) = (None, None);
    }

    /// Sets FLAG to something that may not be known.
    pub(crate) const fn set_flag(&mut self, flag: Option<Function>) {
        self.flag = flag;
    }

    pub(crate) fn read(&self, bit: Bit) -> Result<Function, ReplayError> {
        let function = match bit {
            Bit::Reg(register) => self.registers[usize::from(register.number())],
            Bit::Flag => self.flag,
            Bit::Select => self.select,
            Bit::Rect => None,
        };
        function.ok_or(ReplayError::Unwritten(bit))
    }

    pub(crate) fn flag_is_one(&self) -> bool {
        self.flag == Some(Function::TRUE)
    }

    pub(crate) fn execute(&mut self, bdd: &mut Bdd, instruction: Instruction) -> Result<(), ReplayError> {
        instruction.words().try_for_each(|word| self.word(bdd, word))
    }

    pub(crate) fn word(&mut self, bdd: &mut Bdd, word: Word) -> Result<(), ReplayError> {
        match word {
            Word::Nop => {}
            Word::All => self.flag = Some(Function::TRUE),
            Word::WhereBits(bits) => self.flag = Some(self.any(bdd, Bits::bits(&bits))?),
            Word::Logic(logic) => self.logic(bdd, &logic)?,
            Word::FromNeighbours(word) => self.neighbours(bdd, word)?,
            _ => return Err(ReplayError::Unsupported(word)),
        }
        Ok(())
    }

    fn any(&self, bdd: &mut Bdd, bits: &[Bit]) -> Result<Function, ReplayError> {
        let mut any = Function::FALSE;
        for &bit in bits {
            any = bdd.or(any, self.read(bit)?)?;
        }
        Ok(any)
    }

    fn logic(&mut self, bdd: &mut Bdd, logic: &Logic) -> Result<(), ReplayError> {
        if logic.path() == Path::FromBus {
            let held = self.held.take().ok_or(ReplayError::Unsupported(Word::Logic(*logic)))?;
            return self.store(bdd, logic.targets(), held);
        }
        // What the bus held before is gone, whether or not this is known.
        self.held = None;
        let any = self.any(bdd, logic.sources())?;
        let result = if logic.inverts() { any.not() } else { any };
        if logic.path() == Path::Direct {
            return self.store(bdd, logic.targets(), result);
        }
        self.held = Some(result);
        Ok(())
    }

    /// Writes registers, those with a gate only where that was 1 before.
    pub(crate) fn store(&mut self, bdd: &mut Bdd, targets: &[Dreg], value: Function) -> Result<(), ReplayError> {
        let before = self.registers;
        for &target in targets {
            let place = usize::from(target.number());
            let gate = match target.gate() {
                Some(gate) => before[usize::from(gate.number())].ok_or(ReplayError::Unwritten(Bit::Reg(gate)))?,
                None => Function::TRUE,
            };
            self.registers[place] = Some(if gate == Function::TRUE {
                value
            } else {
                let old = before[place].ok_or(ReplayError::Unwritten(Bit::Reg(target)))?;
                let (new, kept) = (bdd.and(gate, value)?, bdd.and(gate.not(), old)?);
                bdd.or(new, kept)?
            });
        }
        Ok(())
    }

    fn neighbours(&mut self, bdd: &mut Bdd, word: FromNeighbours) -> Result<(), ReplayError> {
        let source = self.read(word.source())?;
        let mut any = Function::FALSE;
        for direction in Direction::ALL {
            let switch = self.read(Bit::Reg(direction.switch()))?;
            if switch == Function::FALSE {
                continue;
            }
            let step = direction.displacement();
            // Seen from a neighbour that would lie outside, pixels beside it and farther out are outside as well.
            let is_outside = |variable: Variable| variable.x * i32::from(step.x) + variable.y * i32::from(step.y) >= 0;
            if bdd.without(source, is_outside)? != Function::constant(word.outside()) {
                return Err(ReplayError::Border);
            }
            let there = bdd.moved(source, step)?;
            let there = bdd.and(switch, there)?;
            any = bdd.or(any, there)?;
        }
        self.store(bdd, &[word.target()], any)
    }
}
