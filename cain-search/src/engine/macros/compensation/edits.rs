//! Replacements for instructions that leave the values unchanged but not the offset error.

use cain_isa::{Displacement, Instruction, Macro, Op, Operand, Reg};

use crate::engine::instructions::assemble;
use crate::engine::macros::forms::{Form, Forms, Shape};

/// A replacement for an instruction, and how many more times its result holds the error.
pub(super) struct Edit {
    pub(super) instruction: Macro,
    pub(super) result: Reg,
    pub(super) errors: i64,
}

/// An instruction, split into its parts.
pub(super) struct Parts<'f> {
    form: &'f Form,
    /// The register of the result.
    result: Reg,
    sources: Vec<Reg>,
}

/// The registers of the two halves that a division leaves: the positive one and a negative one.
pub(super) type Halves = (Reg, Reg);

impl<'f> Parts<'f> {
    /// The parts of an instruction with one result.
    pub(super) fn of(forms: &'f Forms, instruction: &Macro) -> Option<Self> {
        let directions = || {
            instruction.operands().iter().filter_map(|operand| match *operand {
                Operand::Direction(direction) => Some(direction),
                _ => None,
            })
        };
        let is_same = |form: &&Form| form.op == instruction.op() && directions().eq(form.directions.iter().copied());
        let form = forms.iter().find(is_same).filter(|form| form.shape != Shape::Divide)?;
        let (&result, sources) =
            registers(instruction).split_first().map(|(result, sources)| (result, sources.to_vec()))?;
        Some(Self { form, result, sources })
    }

    /// The replacements that add or subtract one more source, which holds nothing but the error.
    pub(super) fn with_error(&self, forms: &Forms, error: Reg) -> Vec<Edit> {
        let here = self.form.displacement;
        let further = [self.sources.as_slice(), &[error]].concat();
        match self.form.shape {
            Shape::Move => vec![(Shape::Add, here, further.clone(), 1), (Shape::Subtract, here, further, -1)],
            Shape::Add if here == Displacement::ZERO => vec![(Shape::Add3, here, further, 1)],
            Shape::Negate => vec![(Shape::Subtract, here, [&[error], self.sources.as_slice()].concat(), 1)],
            _ => vec![],
        }
        .into_iter()
        .filter_map(|(shape, displacement, sources, errors)| self.edit(forms, shape, displacement, &sources, errors))
        .collect()
    }

    /// The replacements that use the other one of two halves, with the opposite sign.
    ///
    /// The two halves together hold one error. So x − h has one error less than x + (−h), for either half h.
    pub(super) fn with_other_half(&self, forms: &Forms, (plus, minus): Halves) -> Vec<Edit> {
        if self.form.displacement != Displacement::ZERO {
            return vec![];
        }
        let other = |half: Reg| match half {
            half if half == plus => Some(minus),
            half if half == minus => Some(plus),
            _ => None,
        };
        let changed = match (self.form.shape, self.sources.as_slice()) {
            (Shape::Add, &[a, b]) => {
                let either = [(a, other(b)), (b, other(a))];
                let edits =
                    either.into_iter().filter_map(|(kept, half)| Some((Shape::Subtract, vec![kept, half?], -1)));
                edits.collect()
            }
            (Shape::Subtract, &[a, b]) => Vec::from_iter(other(b).map(|half| (Shape::Add, vec![a, half], 1))),
            (Shape::Move, &[a]) => Vec::from_iter(other(a).map(|half| (Shape::Negate, vec![half], -1))),
            (Shape::Negate, &[a]) => Vec::from_iter(other(a).map(|half| (Shape::Move, vec![half], 1))),
            _ => vec![],
        };
        let edits = changed.into_iter();
        edits
            .filter_map(|(shape, sources, errors)| self.edit(forms, shape, Displacement::ZERO, &sources, errors))
            .collect()
    }

    fn edit(
        &self,
        forms: &Forms,
        shape: Shape,
        displacement: Displacement,
        sources: &[Reg],
        errors: i64,
    ) -> Option<Edit> {
        let instruction = of_shape(forms, shape, displacement, self.result, sources)?;
        Some(Edit { instruction, result: self.result, errors })
    }
}

/// The instruction of this shape on these registers, if there is one.
pub(super) fn of_shape(
    forms: &Forms,
    shape: Shape,
    displacement: Displacement,
    result: Reg,
    sources: &[Reg],
) -> Option<Macro> {
    let form = forms.shaped(shape).map(|(_, form)| form).find(|form| form.displacement == displacement)?;
    assemble(form.op, &[&[result], sources].concat(), &form.directions)
}

/// The registers of an instruction, in the order of the listing.
fn registers(instruction: &Macro) -> Vec<Reg> {
    let register = |operand: &Operand| match *operand {
        Operand::Reg(reg) => Some(reg),
        _ => None,
    };
    instruction.operands().iter().filter_map(register).collect()
}

/// The halves that an instruction leaves if it is a division.
pub(super) fn halves(instruction: &Instruction) -> Vec<Halves> {
    let Instruction::Macro(instruction) = instruction else { return vec![] };
    match (instruction.op(), registers(instruction).as_slice()) {
        (Op::Div | Op::DivCopy, &[plus, minus, ..]) => vec![(plus, minus)],
        (Op::Diva, &[plus, minus, again]) => vec![(plus, minus), (plus, again)],
        _ => vec![],
    }
}
