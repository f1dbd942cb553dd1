//! Converts a number to an analogue register, in all PEs of a block.

use cain_analysis::owned::{Step, step_of};
use cain_isa::program::Selection;
use cain_isa::{Bit, Bits, Direction, Dreg, FromNeighbours, Instruction, Macro, Op, Operation, Word, WordError};

use super::{Converter, GATE, GATED, Steps};
use crate::superpixel::declaration::Carry;
use crate::superpixel::layout::{Layout, Place};
use crate::superpixel::pattern::{cover, selects};

/// Converts a number, which is preserved; the contents of the direction registers are lost.
pub(in crate::superpixel) fn dac(
    layout: &Layout,
    bank: usize,
    converter: Converter,
    source: Dreg,
    carry: Carry,
) -> Vec<Step> {
    let mut dac = Dac { layout, source, carry, is_open: false, steps: Steps::default() };
    dac.look_within();
    let register = converter.register;
    dac.steps.set(register, -128);
    let places = layout.places(bank);
    let sign = places.len() - 1;
    let at = |place: Place| cover(layout, |other| other == place);
    for bit in (converter.unit..=converter.top()).rev().filter(|bit| *bit < sign) {
        for pattern in at(places[bit]) {
            dac.flood(pattern);
            match converter.worth(bit - converter.unit) {
                // 128 is not a level.
                128 => dac.steps.set(register, 0),
                worth => dac.steps.add(register, worth),
            }
        }
    }
    let above = &places[(converter.top() + 1).min(sign)..sign];
    for pattern in cover(layout, |place| above.contains(&place)) {
        dac.flood(pattern);
        dac.steps.set(register, converter.level(i64::MAX));
    }
    for pattern in at(places[sign]) {
        dac.flood(pattern);
        dac.steps.set(register, -128);
    }
    dac.steps.word(Ok::<_, WordError>(Word::All));
    dac.steps.0
}

struct Dac<'l> {
    layout: &'l Layout,
    source: Dreg,
    carry: Carry,
    /// Whether `R12` can be written everywhere; otherwise it cannot where a PE was selected last.
    is_open: bool,
    steps: Steps,
}

impl Dac<'_> {
    /// Lets every PE read all its neighbours in the same block.
    fn look_within(&mut self) {
        let layout = self.layout;
        for direction in Direction::ALL {
            let is_edge = |place: Place| match direction {
                Direction::North => place.row == 0,
                Direction::South => place.row + 1 == layout.height(),
                Direction::East => place.column + 1 == layout.width(),
                Direction::West => place.column == 0,
            };
            if layout.block().all(is_edge) {
                self.steps.logic(Operation::Clr, direction.switch(), &[]);
                continue;
            }
            // Each edge is one pattern.
            self.steps.0.extend(cover(layout, is_edge).into_iter().map(Step::Select));
            self.steps.logic(Operation::Nor, direction.switch(), &[Bit::Select]);
        }
    }

    /// Makes FLAG 1 in blocks in which one of the selected bits is 1; none of them may have been selected before.
    fn flood(&mut self, pattern: Selection) {
        let steps = &mut self.steps;
        steps.0.push(Step::Select(pattern));
        if !self.is_open {
            steps.logic(Operation::Set, GATE, &[]);
        }
        steps.logic(Operation::Or, GATED, &[Bit::Reg(self.source)]);
        steps.logic(Operation::Nor, GATE, &[Bit::Select]);
        steps.logic(Operation::Clr, GATED, &[]);
        match self.carry {
            Carry::Propagate => {
                if self.layout.block().filter(|&place| selects(pattern, place)).count() > 1 {
                    // One selected bit propagates to the others.
                    steps.logic(Operation::Set, GATE, &[]);
                }
                steps.0.extend(Macro::new(Op::Prop0, &[]).ok().map(|prop| step_of(Instruction::Macro(prop))));
                self.is_open = true;
            }
            Carry::Steps => {
                for _ in 0..hops(self.layout, pattern) {
                    steps.word(FromNeighbours::new(GATE, Bit::Reg(GATED), false).map(Word::FromNeighbours));
                    // The bit can only become 1, as the gate holds the bit itself.
                    steps.logic(Operation::Or, GATED, &[Bit::Reg(GATE)]);
                }
            }
        }
        steps.word(Bits::new(&[Bit::Reg(GATED)]).map(Word::WhereBits));
    }
}

/// The distance of the farthest PE of a block from a selected one, whichever of them that is.
fn hops(layout: &Layout, pattern: Selection) -> usize {
    let selected = layout.block().filter(|&place| selects(pattern, place));
    let farthest =
        |from: Place| layout.block().map(|to| from.row.abs_diff(to.row) + from.column.abs_diff(to.column)).max();
    selected.filter_map(farthest).max().unwrap_or(0)
}
