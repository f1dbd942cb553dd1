//! How much noise the steps so far make, for the objective that asks for little of it.
//!
//! An error in a value reaches the outputs with weights that the steps after it have settled: the *influence* of the
//! value, one polynomial per output. Going backwards these steps are known, so that the noise of a list of steps is
//! known as soon as it is chosen: the sum over the steps of the squared weights of their own errors (see
//! [`noise`](crate::noise())). What an error of a step does to its results, and what an error of an operand does, is
//! read off the machine.
//!
//! Where a program needs further moves between registers, its noise is larger than that of its steps, never smaller.

use cain_isa::prove::{Atom, Polynomial};
use cain_isa::{Displacement, Fraction, Instruction, OperandKind, Reg, Store};

use super::goals::{GoalId, Goals};
use super::macros::forms::{Form, Shape, assemble};
use super::macros::moves::Moves;
use super::problem::Problem;
use super::space;
use super::steps::Step;
use super::terms;
use crate::metrics::Errors;

/// The noise of halving a value again and again: 2 + 2/4 + 2/16 + ..
const HALVINGS: f64 = 8.0 / 3.0;
/// The noise of adding a digit to a value, divided by its square. An addition makes 2, but some digits come together.
const DIGIT: f64 = 1.7;

/// The most results of an instruction.
const RESULTS: usize = 3;

/// With which weight an error arrives at each place of each output: by key, with the number of the output as channel.
pub(super) type Influence = [(u32, f64)];

/// The influences of the values of a bag, in the order of the bag.
#[derive(Clone, Debug, Default)]
pub(crate) struct Influences {
    terms: Vec<(u32, f64)>,
    ends: Vec<usize>,
}

impl Influences {
    /// Those in the bag at the end: each value is its own output, and that of its copies.
    pub(super) fn at_end(problem: &Problem, bag: &[GoalId]) -> Self {
        let targets = problem.targets.iter().map(|target| target.0);
        let outputs = || (0..).zip(targets.clone().chain(problem.copies.iter().map(|copy| copy.1)));
        let mut influences = Self::default();
        for &goal in bag {
            let own = outputs().filter(|output| output.1 == goal);
            influences.extend(own.map(|(channel, _)| (terms::key(channel, Displacement::ZERO), 1.0)));
            influences.close();
        }
        influences
    }

    pub(super) fn get(&self, i: usize) -> &Influence {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.terms[start..self.ends[i]]
    }

    /// How much memory they take beside their own structure, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.terms.as_slice()) + size_of_val(self.ends.as_slice())
    }

    pub(super) fn clear(&mut self) {
        self.terms.clear();
        self.ends.clear();
    }

    /// Writes parts of the influence of one more value.
    pub(super) fn extend(&mut self, terms: impl IntoIterator<Item = (u32, f64)>) {
        self.terms.extend(terms);
    }

    /// Adds a value with the influence that has been written behind those of the others.
    pub(super) fn close(&mut self) {
        let start = self.ends.last().copied().unwrap_or(0);
        sum_up(&mut self.terms, start);
        self.ends.push(self.terms.len());
    }
}

/// What the instructions do to errors.
pub(crate) struct ErrorModel<'a> {
    problem: &'a Problem,
    moves: &'a Moves,
    forms: Vec<FormErrors>,
}

/// What an instruction does to errors.
#[derive(Default)]
struct FormErrors {
    /// The products, summed over the errors of the instruction itself, of their weights in two results.
    own: [[f64; RESULTS]; RESULTS],
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
        let mut own = [[0.0; RESULTS]; RESULTS];
        for write in &errors.writes {
            for (a, p) in write.terms() {
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
        Some(Self { own, operands: role([OperandKind::Source, OperandKind::Both]).iter().map(passages).collect() })
    }
}

impl<'a> ErrorModel<'a> {
    pub(crate) fn new(problem: &'a Problem, moves: &'a Moves) -> Self {
        let forms = moves.forms().iter().map(|form| FormErrors::read_off(form).unwrap_or_default()).collect();
        Self { problem, moves, forms }
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
        self.moves.forms().get(step.form).shape == Shape::Divide
    }
}

impl space::Errors for ErrorModel<'_> {
    fn problem(&self) -> &Problem {
        self.problem
    }

    fn before(
        &self,
        goals: &Goals,
        (after, influences): (&[GoalId], &Influences),
        (before, out): (&[GoalId], &mut Influences),
        step: &Step,
    ) -> f64 {
        let of = |goal: GoalId| after.iter().position(|&other| other == goal).map_or(&[][..], |i| influences.get(i));
        let results = self.results(goals, step).map(|goal| goal.map_or(&[][..], of));
        let form = &self.forms[usize::from(step.form)];
        out.clear();
        for &goal in before {
            let passages = step.operands().iter().zip(&form.operands).filter(|(operand, _)| **operand == goal);
            let mut passages = passages.flat_map(|(_, passages)| passages).peekable();
            let changed_in_place = self.divides(step) && passages.peek().is_some();
            if !changed_in_place {
                out.terms.extend_from_slice(of(goal));
            }
            for &Passage { result, step, weight } in passages {
                out.terms.extend(results[result].iter().map(|&(key, w)| (key.wrapping_add(step), weight * w)));
            }
            out.close();
        }
        let products = (0..RESULTS).flat_map(|i| (0..RESULTS).map(move |j| (i, j)));
        products.map(|(i, j)| form.own[i][j] * product(results[i], results[j])).sum()
    }

    fn to_come(&self, goals: &Goals, bag: &[GoalId], influences: &Influences) -> f64 {
        let open = (0..).zip(bag).filter(|&(_, &goal)| self.problem.input(goal).is_none());
        open.map(|(i, &goal)| guess(self.problem, goals, goal) * product(influences.get(i), influences.get(i))).sum()
    }
}

/// A guess of the noise of a goal if it is made from nothing else: each halving and each addition of a digit has
/// two words, and digits are added up from the lowest on, so that each halving quarters what was there.
pub(super) fn guess(problem: &Problem, goals: &Goals, goal: GoalId) -> f64 {
    let quarter_to = |n: u32| (0..n).fold(1.0, |power, _| power * 0.25);
    let halvings = problem.scale.saturating_sub(goals.features(goal).valuation);
    let digits: f64 = goals.terms(goal).iter().map(|term| squared_digits(term.1.unsigned_abs())).sum();
    HALVINGS * (1.0 - quarter_to(halvings)) + DIGIT * digits * quarter_to(problem.scale)
}

/// The sum of the squares of the powers of two that add up to a number.
fn squared_digits(n: u32) -> f64 {
    let digits = (0..u32::BITS).filter(|bit| n >> bit & 1 == 1);
    digits.map(|bit| f64::from(1_u32 << bit) * f64::from(1_u32 << bit)).sum()
}

/// Sorts the terms from `start` on and adds up those of one place.
fn sum_up(terms: &mut Vec<(u32, f64)>, start: usize) {
    if terms[start..].is_sorted_by(|a, b| a.0 < b.0) {
        return;
    }
    // Stable, so that sums are the same on every machine even where they are rounded.
    terms[start..].sort_by_key(|term| term.0);
    let mut end = start;
    for i in start..terms.len() {
        if end > start && terms[end - 1].0 == terms[i].0 {
            terms[end - 1].1 += terms[i].1;
        } else {
            terms[end] = terms[i];
            end += 1;
        }
    }
    terms.truncate(end);
}

/// The sum over all places of the products of two influences there.
pub(super) fn product(a: &Influence, b: &Influence) -> f64 {
    let (mut i, mut j, mut sum) = (0, 0, 0.0);
    while let (Some(p), Some(q)) = (a.get(i), b.get(j)) {
        match p.0.cmp(&q.0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                sum += p.1 * q.1;
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use cain_isa::{Instruction, Reg};

    use super::FormErrors;
    use crate::engine::macros::forms::{Forms, Shape, assemble};
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
