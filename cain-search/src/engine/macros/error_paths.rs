//! The paths of errors through macro instructions, read off the machine.

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::{ErrorModel, Fraction, Instruction, OperandKind, Reg, Store};

use super::forms::{Form, Shape};
use super::successors::Successors;
use crate::engine::goals::{GoalId, Goals};
use crate::engine::instructions::assemble;
use crate::engine::problem::Problem;
use crate::engine::sensitivities::{Sensitivities, Sensitivity};
use crate::engine::step::Step;
use crate::engine::terms;
use crate::metrics::{Errors, replay};

/// The most results that an instruction has.
pub(super) const RESULTS: usize = 3;

/// The gain that a word loses while the lengths of paths are read off.
const LOSS: f32 = 1.0 / 1024.0;

/// The paths of errors through the instructions of a problem.
pub(super) struct ErrorPaths<'a> {
    pub(super) problem: &'a Problem,
    successors: &'a Successors,
    forms: Vec<FormErrors>,
}

/// The effect of an instruction on errors.
#[derive(Default)]
pub(super) struct FormErrors {
    /// For each pair of results, the product of the weights with which an error of the instruction itself reaches them,
    /// summed over these errors.
    pub(super) own: [[f64; RESULTS]; RESULTS],
    /// What the transfer errors of its words add to each result, in DN.
    pub(super) bias: [f64; RESULTS],
    /// For each operand, the paths of its error into the results.
    operands: Vec<Vec<Passage>>,
}

/// The path of an operand's error into one result.
#[derive(Clone, Copy)]
struct Passage {
    result: usize,
    step: u32,
    weight: f64,
    /// The length of the mean path, in words.
    words: f64,
}

impl FormErrors {
    fn read_off(form: &Form, chip: &ErrorModel) -> Option<Self> {
        let kinds = || form.op.operands().iter().copied().filter(|kind| *kind != OperandKind::Direction);
        let registers: Vec<Reg> = (0..).map(Reg::from_index).take(kinds().count()).collect();
        let role = |wanted: [OperandKind; 2]| {
            let all = kinds().zip(&registers);
            all.filter(|(kind, _)| wanted.contains(kind)).map(|(_, &reg)| reg).collect::<Vec<_>>()
        };
        let instruction = Instruction::from(assemble(form.op, &registers, &form.directions)?);
        let results = role([OperandKind::Result, OperandKind::Both]);
        let errors = Errors::of(&[instruction], &results)?;
        let mut own = [[0.0; RESULTS]; RESULTS];
        for write in &errors.writes {
            for (a, p) in write.terms() {
                for (b, q) in write.terms() {
                    own[usize::from(a.channel)][usize::from(b.channel)] += p.to_f64() * q.to_f64();
                }
            }
        }
        let sources = role([OperandKind::Source, OperandKind::Both]);
        let replay = |chip: &ErrorModel| replay(instruction, &sources, &results, chip);
        let lossy = replay(&ErrorModel { gain: 1.0 - LOSS, ..ErrorModel::ideal() });
        let mut bias = [0.0; RESULTS];
        for (bias, result) in bias.iter_mut().zip(replay(chip)) {
            *bias = result.constant;
        }
        let passages = |(source, reg): (u16, &Reg)| {
            let weights = errors.cells.get(&Store::Reg(*reg)).into_iter().flat_map(Polynomial::terms);
            let passage = |(atom, weight): (Atom, Fraction)| {
                let (result, weight) = (usize::from(atom.channel), weight.to_f64());
                let place = (source, atom.displacement.x.into(), atom.displacement.y.into());
                let left =
                    lossy.get(result).and_then(|result| result.weights.get(&place)).map_or(1.0, |left| left / weight);
                let words = (1.0 - left) / f64::from(LOSS);
                Passage { result, step: terms::step(atom.displacement), weight, words }
            };
            weights.map(passage).collect()
        };
        Some(Self { own, bias, operands: (0..).zip(&sources).map(passages).collect() })
    }
}

impl<'a> ErrorPaths<'a> {
    /// The paths on a chip, whose error model gives the [bias](FormErrors::bias).
    pub(super) fn new(problem: &'a Problem, successors: &'a Successors, chip: &ErrorModel) -> Self {
        let read_off = |form| FormErrors::read_off(form, chip).unwrap_or_default();
        Self { problem, successors, forms: successors.forms().iter().map(read_off).collect() }
    }

    /// The effect of a step's instruction on errors.
    pub(super) fn form(&self, step: &Step) -> &FormErrors {
        &self.forms[usize::from(step.form)]
    }

    /// The sensitivities of the results of a step, in the order of the instruction's results.
    pub(super) fn of_results<'s>(
        &self,
        goals: &Goals,
        (after, sensitivities): (&[GoalId], &'s Sensitivities),
        step: &Step,
    ) -> [&'s Sensitivity; RESULTS] {
        let of = |goal: GoalId| after.iter().position(|&other| other == goal).map_or(&[][..], |i| sensitivities.get(i));
        self.results(goals, step).map(|goal| goal.map_or(&[][..], of))
    }

    /// Writes the sensitivities of the bag before a step. Calls `passed` first for everything that passes through the
    /// instruction, with the goal, its sensitivity, and the length of the mean path.
    pub(super) fn pass_on(
        &self,
        goals: &Goals,
        after: (&[GoalId], &Sensitivities),
        (before, out): (&[GoalId], &mut Sensitivities),
        step: &Step,
        mut passed: impl FnMut(&mut Sensitivities, GoalId, Vec<(u32, f64)>, f64),
    ) {
        let of = |goal: GoalId| after.0.iter().position(|&other| other == goal).map_or(&[][..], |i| after.1.get(i));
        let results = self.of_results(goals, after, step);
        for &goal in before {
            let passages = step.operands().iter().zip(&self.form(step).operands).filter(|pair| *pair.0 == goal);
            let mut passages = passages.flat_map(|(_, passages)| passages).peekable();
            let changed_in_place = self.divides(step) && passages.peek().is_some();
            if !changed_in_place {
                out.extend(of(goal).iter().copied());
            }
            for &Passage { result, step, weight, words } in passages {
                let through = results[result].iter().map(|&(key, w)| (key.wrapping_add(step), weight * w)).collect();
                passed(out, goal, through, words);
            }
            out.close();
        }
    }

    /// The results of a step, in the order of the instruction's results; the last result of a division is its operand.
    fn results(&self, goals: &Goals, step: &Step) -> [Option<GoalId>; RESULTS] {
        let (result, negative) = (Some(step.result), step.negative());
        if !self.divides(step) {
            return [result, None, None];
        }
        // An input that is only read stays unchanged.
        let kept = step.operands().first().copied().filter(|&goal| !self.is_kept(goal));
        if goals.is_positive(step) { [result, negative, kept] } else { [negative, result, kept] }
    }

    fn is_kept(&self, goal: GoalId) -> bool {
        self.problem.input(goal).is_some_and(|input| input.keep)
    }

    fn divides(&self, step: &Step) -> bool {
        self.successors.forms().get(step.form).shape == Shape::Divide
    }
}

#[cfg(test)]
mod tests {
    use cain_isa::{Instruction, Reg};

    use super::FormErrors;
    use crate::engine::instructions::assemble;
    use crate::engine::macros::forms::{Forms, Shape};
    use crate::{InstructionSet, noise};

    /// The errors read off each form are the noise of its instruction.
    #[test]
    fn the_own_noise_of_instructions() {
        let forms = Forms::of(InstructionSet::Macro, &cain_isa::Machine::SCAMP5);
        for form in forms.iter() {
            let errors = FormErrors::read_off(form, &cain_isa::ErrorModel::measured()).unwrap();
            let registers: Vec<Reg> = (0..4).map(Reg::from_index).collect();
            let results = if form.shape == Shape::Divide { 3 } else { 1 };
            let instruction = Instruction::from(assemble(form.op, &registers, &form.directions).unwrap());
            for i in 0..results {
                assert_eq!(noise(&[instruction], &registers[i..=i]), Some(errors.own[i][i]), "{instruction}");
            }
        }
    }
}
