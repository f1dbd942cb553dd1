//! What macro instructions do to errors, read off the machine; see [`sensitivities`](crate::engine::sensitivities).

use cain_isa::prove::{Atom, Polynomial};
use cain_isa::{Fraction, Instruction, OperandKind, Reg, Store};

use super::forms::{Form, Shape};
use super::successors::Successors;
use crate::engine::goals::{GoalId, Goals};
use crate::engine::instructions::assemble;
use crate::engine::problem::Problem;
use crate::engine::sensitivities::{Sensitivities, Sensitivity, guess, product};
use crate::engine::states::NoiseModel;
use crate::engine::step::Step;
use crate::engine::terms;
use crate::metrics::Errors;

/// The most results of an instruction.
pub(super) const RESULTS: usize = 3;

/// What the instructions do to errors.
pub(crate) struct ErrorModel<'a> {
    problem: &'a Problem,
    successors: &'a Successors,
    forms: Vec<FormErrors>,
}

/// What an instruction does to errors.
#[derive(Default)]
struct FormErrors {
    /// The products, summed over the errors of the instruction itself, of their weights in two results.
    own: [[f64; RESULTS]; RESULTS],
    /// The offset errors of the results if the operands hold none.
    offsets: [f64; RESULTS],
    /// For each operand, where its error goes.
    operands: Vec<Vec<Passage>>,
}

/// The way of an operand's error into one result.
#[derive(Clone, Copy)]
struct Passage {
    result: usize,
    step: u32,
    weight: f64,
}

impl FormErrors {
    fn read_off(form: &Form) -> Option<Self> {
        let kinds = || form.op.operands().iter().copied().filter(|kind| *kind != OperandKind::Direction);
        let registers: Vec<Reg> = (0..).map(Reg::from_index).take(kinds().count()).collect();
        let role = |wanted: [OperandKind; 2]| {
            let all = kinds().zip(&registers);
            all.filter(|(kind, _)| wanted.contains(kind)).map(|(_, &reg)| reg).collect::<Vec<_>>()
        };
        let instruction = Instruction::from(assemble(form.op, &registers, &form.directions)?);
        let errors = Errors::of(&[instruction], &role([OperandKind::Result, OperandKind::Both]))?;
        let (mut own, mut offsets) = ([[0.0; RESULTS]; RESULTS], [0.0; RESULTS]);
        for write in &errors.writes {
            for (a, p) in write.terms() {
                offsets[usize::from(a.channel)] += p.to_f64();
                for (b, q) in write.terms() {
                    own[usize::from(a.channel)][usize::from(b.channel)] += p.to_f64() * q.to_f64();
                }
            }
        }
        let passages = |reg: &Reg| {
            let weights = errors.cells.get(&Store::Reg(*reg)).into_iter().flat_map(Polynomial::terms);
            let passage = |(atom, weight): (Atom, Fraction)| Passage {
                result: atom.channel.into(),
                step: terms::step(atom.displacement),
                weight: weight.to_f64(),
            };
            weights.map(passage).collect()
        };
        Some(Self {
            own,
            offsets,
            operands: role([OperandKind::Source, OperandKind::Both]).iter().map(passages).collect(),
        })
    }
}

impl<'a> ErrorModel<'a> {
    pub(crate) fn new(problem: &'a Problem, successors: &'a Successors) -> Self {
        let forms = successors.forms().iter().map(|form| FormErrors::read_off(form).unwrap_or_default()).collect();
        Self { problem, successors, forms }
    }

    /// Writes the sensitivities of the bag before a step, with errors kept at the `place` given for where they are;
    /// returns those of the results in the bag after it.
    pub(super) fn pass_on<'s>(
        &self,
        goals: &Goals,
        (after, sensitivities): (&[GoalId], &'s Sensitivities),
        (before, out): (&[GoalId], &mut Sensitivities),
        step: &Step,
        place: impl Fn(u32) -> u32,
    ) -> [&'s Sensitivity; RESULTS] {
        let of = |goal: GoalId| after.iter().position(|&other| other == goal).map_or(&[][..], |i| sensitivities.get(i));
        let results = self.results(goals, step).map(|goal| goal.map_or(&[][..], of));
        let form = self.form(step);
        out.clear();
        for &goal in before {
            let passages = step.operands().iter().zip(&form.operands).filter(|(operand, _)| **operand == goal);
            let mut passages = passages.flat_map(|(_, passages)| passages).peekable();
            let changed_in_place = self.divides(step) && passages.peek().is_some();
            if !changed_in_place {
                out.extend(of(goal).iter().copied());
            }
            for &Passage { result, step, weight } in passages {
                out.extend(results[result].iter().map(|&(key, w)| (place(key.wrapping_add(step)), weight * w)));
            }
            out.close();
        }
        results
    }

    /// The offset errors of the results of a step if its operands hold none.
    pub(super) fn offsets(&self, step: &Step) -> [f64; RESULTS] {
        self.form(step).offsets
    }

    fn form(&self, step: &Step) -> &FormErrors {
        &self.forms[usize::from(step.form)]
    }

    /// The results of a step in the order of the instruction's; a division leaves its operand as the last.
    fn results(&self, goals: &Goals, step: &Step) -> [Option<GoalId>; RESULTS] {
        let (result, negative) = (Some(step.result), step.negative());
        if !self.divides(step) {
            return [result, None, None];
        }
        // An input that is only read stays as it is.
        let kept = step.operands().first().copied().filter(|&goal| !self.is_kept(goal));
        if step.is_positive(goals) { [result, negative, kept] } else { [negative, result, kept] }
    }

    fn is_kept(&self, goal: GoalId) -> bool {
        self.problem.input(goal).is_some_and(|input| input.keep)
    }

    fn divides(&self, step: &Step) -> bool {
        self.successors.forms().get(step.form).shape == Shape::Divide
    }
}

impl NoiseModel for ErrorModel<'_> {
    fn problem(&self) -> &Problem {
        self.problem
    }

    fn before(
        &self,
        goals: &Goals,
        after: (&[GoalId], &Sensitivities),
        before: (&[GoalId], &mut Sensitivities),
        step: &Step,
    ) -> f64 {
        let results = self.pass_on(goals, after, before, step, |key| key);
        let own = &self.form(step).own;
        let products = (0..RESULTS).flat_map(|i| (0..RESULTS).map(move |j| (i, j)));
        products.map(|(i, j)| own[i][j] * product(results[i], results[j])).sum()
    }

    fn to_come(&self, goals: &Goals, bag: &[GoalId], sensitivities: &Sensitivities) -> f64 {
        let open = (0..).zip(bag).filter(|&(_, &goal)| self.problem.input(goal).is_none());
        open.map(|(i, &goal)| guess(self.problem, goals, goal) * product(sensitivities.get(i), sensitivities.get(i)))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use cain_isa::{Instruction, Reg};

    use super::FormErrors;
    use crate::engine::instructions::assemble;
    use crate::engine::macros::forms::{Forms, Shape};
    use crate::{InstructionSet, noise};

    /// What is read off each form is the noise of the instruction.
    #[test]
    fn the_own_noise_of_instructions() {
        let forms = Forms::of(InstructionSet::Macro, &cain_isa::Machine::SCAMP5);
        for form in forms.iter() {
            let errors = FormErrors::read_off(form).unwrap();
            let registers: Vec<Reg> = (0..4).map(Reg::from_index).collect();
            let results = if form.shape == Shape::Divide { 3 } else { 1 };
            let instruction = Instruction::from(assemble(form.op, &registers, &form.directions).unwrap());
            for i in 0..results {
                assert_eq!(noise(&[instruction], &registers[i..=i]), Some(errors.own[i][i]), "{instruction}");
            }
        }
    }
}
