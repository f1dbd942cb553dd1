//! From an analogue register to a number, by successive approximation.

use cain_isa::{Bit, Bits, Cell, Direction, Dreg, Instruction, Macro, Op, Operand, Operation, Reg, Sum, Word};

use super::{Converter, GATE, GATED, Step, Steps};
use crate::superpixel::layout::{Layout, towards};
use crate::superpixel::pattern::cover;

/// Converts what the analogue register holds in the PE of the highest bit of the code, and destroys it.
///
/// What is left of the level moves from each bit to the next lower one. All PEs compute as that one does; only its bit is kept.
pub(in crate::superpixel) fn adc(layout: &Layout, bank: usize, converter: Converter, target: Dreg) -> Vec<Step> {
    let mut steps = Steps::default();
    let register = converter.register;
    steps.logic(Operation::Set, GATE, &[]);
    steps.logic(Operation::Clr, GATED, &[]);
    let places = layout.places(bank);
    for bit in (converter.unit..=converter.top()).rev() {
        let place = places[bit];
        if bit < converter.top()
            && let Some(direction) = towards(place, places[bit + 1])
        {
            steps.movx(register, direction);
        }
        steps.word(Sum::new(&[Cell::Reg(register)]).map(Word::Where));
        steps.0.extend(cover(layout, |other| other == place).into_iter().map(Step::Select));
        steps.logic(Operation::Or, GATE, &[Bit::Select]);
        steps.logic(Operation::Or, GATED, &[Bit::Flag]);
        if bit > converter.unit {
            // Half of what the bit is worth is taken off where it is 1, and added elsewhere.
            let half = 64 >> (converter.top() - bit);
            steps.add(register, -half);
            steps.logic(Operation::Nor, GATE, &[Bit::Flag]);
            steps.word(Bits::new(&[Bit::Reg(GATE)]).map(Word::WhereBits));
            if bit == converter.top() {
                steps.bus(Cell::News, &[Cell::Reg(register)]);
            }
            // After a move, NEWS is minus the register already.
            steps.bus(Cell::Reg(register), &[Cell::News, Cell::In]);
        }
        steps.0.push(Step::Instruction(Instruction::Word(Word::All)));
    }
    steps.logic(Operation::Or, target, &[Bit::Reg(GATED)]);
    steps.0
}

impl Steps {
    /// The register becomes that of a neighbour.
    fn movx(&mut self, register: Reg, direction: Direction) {
        let operands = [Operand::Reg(register), Operand::Reg(register), Operand::Direction(direction)];
        self.0.extend(Macro::new(Op::Movx, &operands).ok().map(|moved| Step::Instruction(Instruction::Macro(moved))));
    }
}
