//! Sums that walk from place to place.
//!
//! Where registers are scarce, an input is not brought to the place of its weight; instead the sum goes there. S·sum −
//! a and S·(sum + a) move the sum and add an input where it is, in one instruction and within the register of the sum.
//! So a weight costs one instruction, and no input has to leave its register.

use cain_analysis::sorted::Map;
use cain_isa::{Displacement, Instruction, Reg};

use crate::engine::instructions::assemble;
use crate::engine::macros::forms::{Form, Forms, Shape};

/// The inputs to add and to subtract at one place.
#[derive(Clone, Debug, Default)]
pub(super) struct Summands {
    pub(super) plus: Vec<Reg>,
    pub(super) minus: Vec<Reg>,
}

/// Summands by the coordinates x and y of their places.
pub(super) type Places = Map<(i16, i16), Summands>;

/// A sum in the making.
pub(super) struct WalkingSum<'a> {
    forms: &'a Forms,
    pub(super) program: Vec<Instruction>,
    /// The register of the sum.
    pub(super) reg: Reg,
    /// The place of the sum, if it has begun: what is added now counts there.
    at: Option<Displacement>,
    /// A summand that is still to be added at the place of the sum.
    pending: Option<Reg>,
}

impl<'a> WalkingSum<'a> {
    pub(super) fn new(forms: &'a Forms, reg: Reg) -> Self {
        Self { forms, program: Vec::new(), reg, at: None, pending: None }
    }

    /// Adds summands, the nearest ones first; a sum that has not begun starts at `start`.
    pub(super) fn add_up(&mut self, mut places: Places, start: (i16, i16)) -> Option<()> {
        while let Some(next) = self.nearest(&places, start) {
            let mut summands = places.remove(&next)?;
            let place = Displacement::new(next.0, next.1);
            match self.at {
                None => self.begin(place, &mut summands)?,
                Some(at) => self.go(at, place, &mut summands.minus)?,
            }
            self.settle(summands)?;
        }
        self.flush()
    }

    /// Halves the sum into another register, and returns the one that becomes free.
    pub(super) fn halve(&mut self, into: Reg) -> Option<Reg> {
        self.emit(Shape::Halve, Displacement::ZERO, into, &[self.reg])?;
        Some(std::mem::replace(&mut self.reg, into))
    }

    /// Halves another value.
    pub(super) fn halve_value(&mut self, value: Reg, into: Reg) -> Option<()> {
        self.emit(Shape::Halve, Displacement::ZERO, into, &[value])
    }

    /// Doubles the sum, with the help of another register.
    pub(super) fn double(&mut self, spare: Reg) -> Option<()> {
        self.emit(Shape::Move, Displacement::ZERO, spare, &[self.reg])?;
        self.emit(Shape::Add, Displacement::ZERO, self.reg, &[self.reg, spare])
    }

    /// Moves the sum back to its own place.
    pub(super) fn come_home(&mut self) -> Option<()> {
        self.go(self.at?, Displacement::ZERO, &mut Vec::new())
    }

    pub(super) fn has_begun(&self) -> bool {
        self.at.is_some()
    }

    fn nearest(&self, places: &Places, start: (i16, i16)) -> Option<(i16, i16)> {
        let from = self.at.unwrap_or(Displacement::new(start.0, start.1));
        places.keys().copied().min_by_key(|&(x, y)| from.distance(Displacement::new(x, y)))
    }

    /// Begins the sum with an instruction that takes as many summands as it can.
    fn begin(&mut self, place: Displacement, summands: &mut Summands) -> Option<()> {
        self.at = Some(place);
        let Summands { plus, minus } = summands;
        let (shape, sources) = match (plus.as_slice(), minus.as_slice()) {
            (&[.., a, b], _) if a != b => (Shape::Add, vec![a, b]),
            (&[.., a], &[.., b]) if a != b => (Shape::Subtract, vec![a, b]),
            (&[.., a], _) => (Shape::Move, vec![a]),
            (_, &[.., a]) => (Shape::Negate, vec![a]),
            _ => return None,
        };
        let subtracted = usize::from(matches!(shape, Shape::Subtract | Shape::Negate));
        plus.truncate(plus.len() - (sources.len() - subtracted));
        minus.truncate(minus.len() - subtracted);
        self.emit(shape, Displacement::ZERO, self.reg, &sources)
    }

    /// Moves the sum. Adds the pending summand on the first step, and subtracts one of `minus` on the last one.
    fn go(&mut self, mut at: Displacement, to: Displacement, minus: &mut Vec<Reg>) -> Option<()> {
        while at != to {
            let after = |step: Displacement| Displacement::new(at.x - step.x, at.y - step.y);
            let steps = self.forms.shaped(Shape::Move).map(|(_, form)| form.displacement);
            let step = steps.min_by_key(|&step| after(step).distance(to))?;
            if after(step).distance(to) >= at.distance(to) {
                return None;
            }
            let is_last = after(step) == to;
            if let Some(summand) = self.pending
                && self.form(Shape::Add, step).is_some()
            {
                self.pending = None;
                self.emit(Shape::Add, step, self.reg, &[self.reg, summand])?;
            } else if let (true, None, Some(&summand)) = (is_last, self.pending, minus.last())
                && self.form(Shape::Subtract, step).is_some()
            {
                minus.pop();
                self.emit(Shape::Subtract, step, self.reg, &[self.reg, summand])?;
            } else {
                self.flush()?;
                self.emit(Shape::Move, step, self.reg, &[self.reg])?;
            }
            at = after(step);
        }
        self.at = Some(to);
        Some(())
    }

    /// Adds and subtracts summands at the place of the sum; one of them is left for the next move.
    fn settle(&mut self, Summands { mut plus, minus }: Summands) -> Option<()> {
        for summand in minus {
            self.emit(Shape::Subtract, Displacement::ZERO, self.reg, &[self.reg, summand])?;
        }
        while let Some(a) = plus.pop() {
            let other =
                plus.iter().rposition(|&b| b != a).filter(|_| self.form(Shape::Add3, Displacement::ZERO).is_some());
            if let Some(other) = other {
                let b = plus.swap_remove(other);
                self.emit(Shape::Add3, Displacement::ZERO, self.reg, &[self.reg, a, b])?;
            } else {
                self.flush()?;
                self.pending = Some(a);
            }
        }
        Some(())
    }

    /// Adds the pending summand.
    fn flush(&mut self) -> Option<()> {
        match self.pending.take() {
            Some(summand) => self.emit(Shape::Add, Displacement::ZERO, self.reg, &[self.reg, summand]),
            None => Some(()),
        }
    }

    fn form(&self, shape: Shape, displacement: Displacement) -> Option<&'a Form> {
        self.forms.shaped(shape).map(|(_, form)| form).find(|form| form.displacement == displacement)
    }

    fn emit(&mut self, shape: Shape, displacement: Displacement, result: Reg, sources: &[Reg]) -> Option<()> {
        let form = self.form(shape, displacement)?;
        self.program.push(assemble(form.op, &[&[result], sources].concat(), &form.directions)?.into());
        Some(())
    }
}
