//! Checks that stages read what earlier ones left.

use std::collections::BTreeMap;

use cain_analysis::owned::{Step, written};
use cain_isa::program::Held;
use cain_isa::{Bit, Dreg, Reg};

use super::planes::PlaneId;

/// The planes that a stage reads and makes, besides its steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    pub(super) read: Vec<(PlaneId, Held)>,
    pub(super) made: Vec<(PlaneId, Held)>,
}

/// The planes in the registers of an array, followed over the words of a network.
#[derive(Debug)]
pub(super) struct Contents {
    regs: BTreeMap<Reg, PlaneId>,
    bits: BTreeMap<Dreg, PlaneId>,
}

impl Contents {
    /// The contents with a plane in one register, and nothing else.
    pub(super) fn of(reg: Reg, plane: PlaneId) -> Self {
        Self { regs: BTreeMap::from([(reg, plane)]), bits: BTreeMap::new() }
    }

    /// Executes a stage; the error is a plane that is read from a register that does not hold it, or no longer.
    pub(super) fn follow(&mut self, steps: &[Step], flow: &Flow) -> Result<(), PlaneId> {
        if let Some(&(plane, _)) = flow.read.iter().find(|(plane, held)| self.at(*held) != Some(*plane)) {
            return Err(plane);
        }
        let (regs, bits) = written(steps);
        self.regs.retain(|reg, _| !regs.contains(reg));
        self.bits.retain(|bit, _| !bits.contains(bit));
        for &(plane, held) in &flow.made {
            match held {
                Held::Reg(reg) => drop(self.regs.insert(reg, plane)),
                Held::Bit(Bit::Reg(bit)) => drop(self.bits.insert(bit, plane)),
                Held::Bit(_) => {}
            }
        }
        Ok(())
    }

    fn at(&self, held: Held) -> Option<PlaneId> {
        match held {
            Held::Reg(reg) => self.regs.get(&reg).copied(),
            Held::Bit(Bit::Reg(bit)) => self.bits.get(&bit).copied(),
            Held::Bit(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Contents, Flow};
    use cain_analysis::owned::Step;
    use cain_isa::asm::digital::{R5, R7};
    use cain_isa::asm::{A, B, C, add, mov};
    use cain_isa::program::Held;
    use cain_isa::{Bit, Instruction, Reg};

    fn flow(read: &[(usize, Reg)], made: &[(usize, Reg)]) -> Flow {
        let held = |list: &[(usize, Reg)]| list.iter().map(|&(plane, reg)| (plane, Held::Reg(reg))).collect();
        Flow { read: held(read), made: held(made) }
    }

    #[test]
    fn planes_are_lost_where_words_overwrite_them() {
        let mut contents = Contents::of(A, 0);
        let copy = [Step::Execute(vec![mov(B, A)])];
        contents.follow(&copy, &flow(&[(0, A)], &[(1, B)])).unwrap();
        let sum = [Step::Execute(vec![add(A, A, B)])];
        contents.follow(&sum, &flow(&[(0, A), (1, B)], &[(2, A)])).unwrap();
        assert_eq!(contents.follow(&[], &flow(&[(0, A)], &[])), Err(0));
        assert_eq!(contents.follow(&[], &flow(&[(1, C)], &[])), Err(1));
        contents.follow(&[], &flow(&[(1, B), (2, A)], &[])).unwrap();
    }

    /// The bits are lost to words of the PE itself, words that read neighbours, and writes of the controller.
    #[test]
    fn bits_are_lost_where_words_overwrite_them() {
        let held = |list: &[(usize, Bit)]| list.iter().map(|&(plane, bit)| (plane, Held::Bit(bit))).collect();
        let words = |line: &str| [Step::Execute(vec![line.parse::<Instruction>().unwrap()])];
        for (line, is_lost) in [
            ("MOV(R5,R6);", true),
            ("DNEWS0(R5,R6);", true),
            ("NOT(R5);", true),
            ("MOV(R6,R5);", false),
            ("all();", false),
        ] {
            let mut contents = Contents::of(A, 0);
            let made = Flow { read: vec![], made: held(&[(1, R5), (2, R7)]) };
            contents.follow(&[], &made).unwrap();
            contents.follow(&words(line), &Flow::default()).unwrap();
            let read = |plane, bit| Flow { read: held(&[(plane, bit)]), made: vec![] };
            assert_eq!(contents.follow(&[], &read(1, R5)), if is_lost { Err(1) } else { Ok(()) }, "{line}");
            assert_eq!(contents.follow(&[], &read(2, R7)), Ok(()));
            assert_eq!(contents.follow(&[], &read(1, R7)), Err(1));
            assert_eq!(contents.follow(&[], &read(1, Bit::Flag)), Err(1));
            assert_eq!(contents.follow(&[], &flow(&[(0, A)], &[])), Ok(()));
        }
    }
}
