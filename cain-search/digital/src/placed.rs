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
        let words = self.listing.iter().flat_map(Instruction::words);
        let words = words.map(|word| in_registers(word, &renamed, &renamed).map(Instruction::Word));
        let mut listing: Vec<Instruction> = words.collect::<Option<_>>()?;
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

/// A word of a digital program with the registers renamed that it reads and that it writes; `None` if programs have no such word.
#[must_use]
pub fn in_registers(word: Word, read: &impl Fn(Dreg) -> Dreg, written: &impl Fn(Dreg) -> Dreg) -> Option<Word> {
    let bit = |bit: &Bit| match *bit {
        Bit::Reg(register) => Bit::Reg(read(register)),
        other => other,
    };
    let bits = |of: &[Bit]| of.iter().map(bit).collect::<Vec<Bit>>();
    Some(match word {
        Word::Logic(logic) => {
            let targets: Vec<Dreg> = logic.targets().iter().map(|target| written(*target)).collect();
            Word::Logic(Logic::new(logic.operation(), &targets, &bits(logic.sources())).ok()?)
        }
        Word::FromNeighbours(word) => {
            Word::FromNeighbours(FromNeighbours::new(written(word.target()), bit(&word.source()), word.outside()).ok()?)
        }
        Word::WhereBits(of) => Word::WhereBits(Bits::new(&bits(of.bits())).ok()?),
        Word::All => Word::All,
        _ => return None,
    })
}
