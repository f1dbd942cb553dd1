//! Emits programs of macro instructions.

use cain_isa::{Direction, Displacement, Instruction, Macro, Op, Operand, Reg};

use super::chain::{HELD, Programs, Stop};
use super::macros::{MacroWalk, Step, parts};
use super::map::Map;
use super::registers::Layout;
use super::table::{Coding, Entry, EntryId, Origin, Part};

impl Programs for MacroWalk {
    fn program(
        &self,
        map: &Map,
        coding: &Coding,
        chains: &[Vec<Vec<Stop>>],
        layout: &Layout,
    ) -> Option<Vec<Instruction>> {
        let mut program = Program { layout, walk: *self, listing: Vec::new() };
        for (number, entry) in coding.entries.iter().enumerate() {
            program.entry(number, entry)?;
        }
        let mut at_end = Vec::new();
        for ((wanted, chain), &result) in map.outputs.iter().zip(chains).zip(&layout.results) {
            program.output(chain, result, map.scale)?;
            if wanted.is_input {
                at_end.push((wanted.reg, result));
            }
        }
        for (reg, result) in at_end {
            program.finish_in(reg, result)?;
        }
        Some(program.listing)
    }
}

struct Program<'a> {
    layout: &'a Layout,
    walk: MacroWalk,
    listing: Vec<Instruction>,
}

impl Program<'_> {
    fn push(&mut self, op: Op, operands: &[Operand]) -> Option<()> {
        self.listing.push(Macro::new(op, operands).ok()?.into());
        Some(())
    }

    fn entry(&mut self, number: usize, entry: &Entry) -> Option<()> {
        let result = *self.layout.entries.get(number)?;
        let [first, second] = match entry.origin {
            Origin::Input => return Some(()),
            Origin::Halved(of, times) => return self.halved(of, times, result),
            Origin::Doubled(of) => {
                let (from, spare) = (self.layout.of_entry(of)?, *self.layout.spare.first()?);
                self.push(Op::Mov, &[spare.into(), from.into()])?;
                return self.push(Op::Add, &[result.into(), from.into(), spare.into()]);
            }
            Origin::Sum(parts) => parts,
        };
        let spare = *self.layout.spare.first()?;
        // At most one of them is halved, and only the second one is at another place.
        let operand = |program: &mut Self, part: Part| {
            let mut from = program.layout.of_entry(part.entry)?;
            for left in (0..part.halvings).rev() {
                let to = if left % 2 == 0 { spare } else { result };
                program.push(Op::Divq, &[to.into(), from.into()])?;
                from = to;
            }
            Some(from)
        };
        let (x0, mut x1) = (operand(self, first)?, operand(self, second)?);
        let mut steps = parts(second.place, Displacement::ZERO, self.walk.reach());
        // The second part is read at its own place.
        if first.negative
            && let Some(last) = steps.pop()
        {
            for step in steps {
                self.moved(spare, x1, step)?;
                x1 = spare;
            }
            return self.moved_and_subtracted(result, x1, last, x0);
        }
        for step in steps {
            self.moved(spare, x1, step)?;
            x1 = spare;
        }
        match (first.negative, second.negative) {
            (false, false) => self.push(Op::Add, &[result.into(), x0.into(), x1.into()]),
            (false, true) => self.push(Op::Sub, &[result.into(), x0.into(), x1.into()]),
            (true, false) => self.push(Op::Sub, &[result.into(), x1.into(), x0.into()]),
            (true, true) => None,
        }
    }

    /// Halves an entry so many times, into a register of its own.
    fn halved(&mut self, entry: EntryId, times: u8, result: Reg) -> Option<()> {
        let spare = *self.layout.spare.first()?;
        let mut from = self.layout.of_entry(entry)?;
        for left in (0..times).rev() {
            let to = if left % 2 == 0 { result } else { spare };
            self.push(Op::Divq, &[to.into(), from.into()])?;
            from = to;
        }
        Some(())
    }

    /// Makes the parts of an output, each of which adds the sum of those before it.
    fn output(&mut self, parts: &[Vec<Stop>], result: Reg, last_plane: u8) -> Option<()> {
        let spare = *self.layout.spare.first()?;
        let [before @ .., last] = parts else { return self.push(Op::Res, &[result.into()]) };
        for (i, part) in before.iter().enumerate() {
            let held = *self.layout.spare.get(1)?;
            if i == 0 {
                self.sum(part, (held, spare), last_plane)?;
            } else {
                self.sum(part, (result, spare), last_plane)?;
                self.push(Op::Mov, &[held.into(), result.into()])?;
            }
        }
        self.sum(last, (result, spare), last_plane)
    }

    /// Makes the sum of some stops, with one more register besides that of the result.
    fn sum(&mut self, stops: &[Stop], (result, spare): (Reg, Reg), last_plane: u8) -> Option<()> {
        let (begin, steps) = self.walk.steps(stops, last_plane)?;
        let mut sum = self.of(begin)?;
        if steps.is_empty() {
            return self.push(Op::Mov, &[result.into(), sum.into()]);
        }
        let changes = |step: &Step| matches!(step, Step::Halve | Step::TurnOver(_) | Step::Negate);
        let changed = steps.iter().skip(1).filter(|step| changes(step)).count();
        let mut to = if changed % 2 == 0 { result } else { spare };
        for (i, step) in steps.iter().enumerate() {
            if i > 0 && changes(step) {
                to = if to == result { spare } else { result };
            }
            self.step(to, sum, step)?;
            sum = to;
        }
        Some(())
    }

    fn of(&self, entry: EntryId) -> Option<Reg> {
        if entry == HELD { self.layout.spare.get(1).copied() } else { self.layout.of_entry(entry) }
    }

    fn step(&mut self, to: Reg, sum: Reg, step: &Step) -> Option<()> {
        match *step {
            Step::Halve => self.push(Op::Divq, &[to.into(), sum.into()]),
            Step::Negate => self.push(Op::Neg, &[to.into(), sum.into()]),
            Step::Add(x, None) => {
                let x = self.of(x)?;
                self.push(Op::Add, &[to.into(), sum.into(), x.into()])
            }
            Step::Add(x, Some(y)) => {
                let (x, y) = (self.of(x)?, self.of(y)?);
                self.push(Op::Add3, &[to.into(), sum.into(), x.into(), y.into()])
            }
            Step::Subtract(x) => {
                let x = self.of(x)?;
                self.push(Op::Sub, &[to.into(), sum.into(), x.into()])
            }
            Step::TurnOver(x) => {
                let x = self.of(x)?;
                self.push(Op::Sub, &[to.into(), x.into(), sum.into()])
            }
            Step::Move { by, plus: None, minus: None } => self.moved(to, sum, by),
            Step::Move { by, plus: Some(x), minus: None } => {
                let x = self.of(x)?;
                let (d, e) = directions(by)?;
                let (to, sum, x) = (to.into(), sum.into(), x.into());
                match e {
                    None => self.push(Op::Addx, &[to, sum, x, d.into()]),
                    Some(e) => self.push(Op::Add2x, &[to, sum, x, d.into(), e.into()]),
                }
            }
            Step::Move { by, plus: None, minus: Some(x) } => {
                let x = self.of(x)?;
                self.moved_and_subtracted(to, sum, by, x)
            }
            Step::Move { plus: Some(_), minus: Some(_), .. } => None,
        }
    }

    fn moved(&mut self, to: Reg, from: Reg, by: Displacement) -> Option<()> {
        let (d, e) = directions(by)?;
        match e {
            None => self.push(Op::Movx, &[to.into(), from.into(), d.into()]),
            Some(e) => self.push(Op::Mov2x, &[to.into(), from.into(), d.into(), e.into()]),
        }
    }

    fn moved_and_subtracted(&mut self, to: Reg, from: Reg, by: Displacement, minus: Reg) -> Option<()> {
        let (d, e) = directions(by)?;
        match e {
            None => self.push(Op::Subx, &[to.into(), from.into(), d.into(), minus.into()]),
            Some(e) => self.push(Op::Sub2x, &[to.into(), from.into(), d.into(), e.into(), minus.into()]),
        }
    }

    /// Moves a finished result to the register of an input that is no longer needed.
    fn finish_in(&mut self, reg: Reg, result: Reg) -> Option<()> {
        self.push(Op::Mov, &[reg.into(), result.into()])
    }
}

/// One or two directions that lead to a displacement.
fn directions(by: Displacement) -> Option<(Direction, Option<Direction>)> {
    let sum = |d: Direction, e: Direction| d.displacement().checked_add(e.displacement());
    if let Some(d) = Direction::of(by) {
        return Some((d, None));
    }
    let pairs = Direction::ALL.into_iter().flat_map(|d| Direction::ALL.map(|e| (d, e)));
    pairs.into_iter().find(|&(d, e)| sum(d, e) == Some(by)).map(|(d, e)| (d, Some(e)))
}
