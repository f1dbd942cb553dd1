//! The contents of registers after each word of a program.

use cain_isa::{Bit, Dreg, Instruction};

use super::verify::{Proved, Replay};
use crate::prove::Variable;

/// The bits that a word has written to a register of one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The register.
    pub register: Dreg,
    /// The bit of each PE, in rows from the north; `None` if it depends on the state before the program.
    pub plane: Vec<Vec<Option<bool>>>,
}

/// The values that each word of the listing writes in a block with these input numbers, if all other blocks hold 0.
/// Nothing is reported after a word that is too large to be followed.
#[must_use]
pub fn trace(proved: &Proved, numbers: &[i64]) -> Vec<Vec<Written>> {
    let (declaration, program) = (proved.declaration(), proved.program());
    let layout = &declaration.layout;
    let mut written = Vec::new();
    let Ok(mut replay) = Replay::given(declaration, program) else { return written };
    let is_one = |variable: Variable| {
        let is_here = (variable.x, variable.y) == (0, 0);
        let number = numbers.get(variable.input).copied().unwrap_or(0);
        is_here && number >> variable.bit.min(63) & 1 == 1
    };
    for &instruction in &program.listing {
        if replay.blocks.execute(&mut replay.bdd, instruction).is_err() {
            break;
        }
        let plane = |register| {
            let of = |row, column| {
                let function = replay.blocks.read(super::Place { column, row }, Bit::Reg(register))?;
                Some(replay.bdd.evaluate(function, is_one))
            };
            (0..layout.height()).map(|row| (0..layout.width()).map(|column| of(row, column)).collect()).collect()
        };
        written.push(
            targets(instruction).into_iter().map(|register| Written { register, plane: plane(register) }).collect(),
        );
    }
    written
}

/// The digital registers that an instruction writes, without intermediate ones.
fn targets(instruction: Instruction) -> Vec<Dreg> {
    instruction.words().last().map_or_else(Vec::new, |word| word.targets().to_vec())
}
