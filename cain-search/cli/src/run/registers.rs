//! Which analogue registers the machine has.

use cain_isa::{Cell, Instruction, Operand, Reg};

/// The analogue registers of a machine, from `A` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Registers {
    last: Reg,
}

impl Registers {
    /// `A` to `F`.
    #[cfg(test)]
    pub(crate) const SCAMP5: Self = Self { last: Reg::F };

    /// The first so many registers, of which there is at least one.
    pub(crate) const fn first(count: u8) -> Self {
        Self { last: Reg::from_index(count.saturating_sub(1)) }
    }

    pub(crate) fn contains(self, reg: Reg) -> bool {
        reg <= self.last
    }

    /// Why an instruction with that register is not taken.
    pub(crate) fn refusal(self, name: &str) -> String {
        let last = self.last;
        format!(
            "`{name}` is no analogue register of this machine, which has `A` to `{last}`; use one of these, or give it \
             more with --registers"
        )
    }
}

/// The analogue registers that an instruction names.
pub(crate) fn used(instruction: &Instruction) -> impl Iterator<Item = Reg> {
    let registers: Vec<Reg> = match instruction {
        Instruction::Macro(instruction) => {
            let operands = instruction.operands().iter();
            operands.filter_map(|operand| if let Operand::Reg(reg) = operand { Some(*reg) } else { None }).collect()
        }
        Instruction::Word(word) => {
            let cells = word.destinations().iter().chain(word.sources());
            cells.filter_map(|cell| if let Cell::Reg(reg) = cell { Some(*reg) } else { None }).collect()
        }
    };
    registers.into_iter()
}
