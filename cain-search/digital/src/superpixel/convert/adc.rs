//! Converts an analogue register to a number by successive approximation.

use cain_analysis::owned::{Step, step_of};
use cain_isa::{Bit, Bits, Cell, Direction, Dreg, Instruction, Macro, Op, Operand, Operation, Reg, Sum, Word};

use super::{Converter, GATE, GATED, Steps};
use crate::superpixel::layout::{Layout, towards};
use crate::superpixel::pattern::cover;

/// Converts the level of the analogue register in the PE of the code's highest bit, and destroys that register.
///
/// The remainder of the level moves from each bit to the next lower one. All PEs compute in the same way; only the bit
/// of that one is kept.
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
            // Half the worth of the bit is subtracted where it is 1, and added elsewhere.
            let half = 64 >> (converter.top() - bit);
            steps.add(register, -half);
            steps.logic(Operation::Nor, GATE, &[Bit::Flag]);
            steps.word(Bits::new(&[Bit::Reg(GATE)]).map(Word::WhereBits));
            if bit == converter.top() {
                steps.bus(Cell::News, &[Cell::Reg(register)]);
            }
            // After a move, NEWS already holds minus the register.
            steps.bus(Cell::Reg(register), &[Cell::News, Cell::In]);
        }
        steps.0.push(step_of(Instruction::Word(Word::All)));
    }
    steps.logic(Operation::Or, target, &[Bit::Reg(GATED)]);
    steps.0
}

impl Steps {
    /// Replaces the register by that of a neighbour.
    fn movx(&mut self, register: Reg, direction: Direction) {
        let operands = [Operand::Reg(register), Operand::Reg(register), Operand::Direction(direction)];
        self.0.extend(Macro::new(Op::Movx, &operands).ok().map(|moved| step_of(Instruction::Macro(moved))));
    }
}
