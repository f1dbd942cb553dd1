//! Reads a listing as a program on values.

use cain_analysis::sorted::Map;
use cain_isa::{Direction, Instruction, Machine, Op, Operand, OperandKind, Reg};

use super::forms::{Form, Forms, Shape, three};
use crate::engine::problem::Problem;
use crate::engine::step::FormId;
use crate::engine::terms::Term;
use crate::engine::values::ValueStep;

/// The instructions of a listing that serve the outputs, as a program on values, given the values of the inputs; `None`
/// if the listing contains words, or values that are not integers in the units of the problem.
pub(super) fn on_values(
    problem: &Problem,
    forms: &Forms,
    machine: &Machine,
    (listing, inputs): (&[Instruction], &[&[Term]]),
) -> Option<Vec<ValueStep>> {
    let values = problem.inputs.iter().zip(inputs).map(|(input, value)| (input.reg, value.to_vec()));
    let mut registers: Map<Reg, Vec<Term>> = values.collect();
    let mut steps = Vec::new();
    for instruction in listing {
        let Instruction::Macro(instruction) = instruction else { return None };
        let read = Operands::of(instruction.op(), instruction.operands());
        let form = form(forms, machine, instruction.op(), &read.directions)?;
        let operands: Vec<Vec<Term>> =
            read.sources.iter().map(|reg| registers.get(reg).cloned().unwrap_or_default()).collect();
        let results = forms.get(form).results(three(operands.iter().map(Vec::as_slice)))?;
        let mut left = results.clone();
        if let [_, negative] = results.as_slice() {
            // The value that is left in the third register of a division.
            left.push(if instruction.op() == Op::Diva { negative.clone() } else { operands[0].clone() });
        }
        registers.extend(read.results.into_iter().zip(left));
        // Copies make nothing new, and words that cancel errors add zero.
        let is_new = |value: &Vec<Term>| !value.is_empty() && !operands.contains(value);
        if results.iter().all(is_new) {
            steps.push(ValueStep { form, operands, results });
        }
    }
    Some(steps)
}

/// The operands of an instruction, by their role.
struct Operands {
    sources: Vec<Reg>,
    results: Vec<Reg>,
    directions: Vec<Direction>,
}

impl Operands {
    fn of(op: Op, operands: &[Operand]) -> Self {
        let mut read = Self { sources: Vec::new(), results: Vec::new(), directions: Vec::new() };
        for (kind, operand) in op.operands().iter().zip(operands) {
            match *operand {
                Operand::Direction(direction) => read.directions.push(direction),
                Operand::Reg(reg) => {
                    if matches!(kind, OperandKind::Source | OperandKind::Both) {
                        read.sources.push(reg);
                    }
                    if matches!(kind, OperandKind::Result | OperandKind::Both) {
                        read.results.push(reg);
                    }
                }
                _ => {}
            }
        }
        read
    }
}

/// The form that computes the same as an instruction.
fn form(forms: &Forms, machine: &Machine, op: Op, directions: &[Direction]) -> Option<FormId> {
    let divide = || forms.shaped(Shape::Divide).next().map(|(id, _)| id);
    if matches!(op, Op::Div | Op::DivCopy | Op::Diva) {
        return divide();
    }
    let same = Form::read_off(op, directions.to_vec(), machine.bus)?;
    let mut of_shape = forms.shaped(same.shape);
    of_shape.find(|(_, form)| form.displacement == same.displacement).map(|(id, _)| id)
}
