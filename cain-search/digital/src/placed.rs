//! Programs in other registers.

use cain_isa::{Bit, Bits, Dreg, FromNeighbours, Instruction, Logic, Operation, Word};

use crate::Program;

/// The digital registers without a special role that macro instructions leave alone: R5 to R11.
pub const ALIKE: &[Dreg] = Dreg::ALL.split_at(5).1.split_at(7).0;

impl Program {
    /// The program with its inputs in these registers and its first output in free ones, which are left alone before and
    /// afterwards; `None` if there are too few.
    #[must_use]
    pub fn placed(&self, given: &[Vec<Dreg>], free: &[Dreg]) -> Option<Self> {
        let fixed: Vec<(Dreg, Dreg)> =
            self.inputs.iter().flatten().copied().zip(given.iter().flatten().copied()).collect();
        let mut rest = ALIKE.iter().filter(|register| fixed.iter().all(|(_, to)| to != *register));
        let mut renamed = Dreg::ALL;
        for register in Dreg::ALL {
            let to = match fixed.iter().find(|(from, _)| *from == register) {
                Some((_, to)) => *to,
                None if ALIKE.contains(&register) => *rest.next()?,
                None => register,
            };
            renamed[usize::from(register.number())] = to;
        }
        let renamed = |register: Dreg| renamed[usize::from(register.number())];
        let mut listing: Vec<Instruction> =
            self.listing.iter().map(|instruction| in_registers(*instruction, &renamed)).collect::<Option<_>>()?;
        let mut results: Vec<Dreg> = self.outputs.first()?.iter().map(|&register| renamed(register)).collect();
        for place in 0..results.len() {
            if !free.contains(&results[place]) {
                let to = *free.iter().find(|register| !results.contains(register))?;
                let copy = Logic::new(Operation::Or, &[to], &[Bit::Reg(results[place])]).ok()?;
                listing.push(Instruction::Word(Word::Logic(copy)));
                results[place] = to;
            }
        }
        Some(Program { listing, inputs: given.to_vec(), outputs: vec![results] })
    }
}

/// A word of a digital program with its registers renamed.
fn in_registers(instruction: Instruction, renamed: &impl Fn(Dreg) -> Dreg) -> Option<Instruction> {
    let bit = |bit: &Bit| match *bit {
        Bit::Reg(register) => Bit::Reg(renamed(register)),
        other => other,
    };
    let bits = |of: &[Bit]| of.iter().map(bit).collect::<Vec<Bit>>();
    let Instruction::Word(word) = instruction else { return None };
    Some(Instruction::Word(match word {
        Word::Logic(logic) => {
            let targets: Vec<Dreg> = logic.targets().iter().map(|&target| renamed(target)).collect();
            Word::Logic(Logic::new(logic.operation(), &targets, &bits(logic.sources())).ok()?)
        }
        Word::FromNeighbours(word) => {
            let target = renamed(word.target());
            Word::FromNeighbours(FromNeighbours::new(target, bit(&word.source()), word.outside()).ok()?)
        }
        Word::WhereBits(read) => Word::WhereBits(Bits::new(&bits(read.bits())).ok()?),
        Word::All => Word::All,
        _ => return None,
    }))
}
