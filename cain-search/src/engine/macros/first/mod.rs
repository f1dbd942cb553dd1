//! A program that needs no search: one kernel after the other, one binary digit after the other.
//!
//! Such a program is long, but it exists for all kernels if there are enough registers: one for each kernel and for
//! each input that has to make room, and one more. Often one fewer suffices. The search then only has to find better
//! programs.
//!
//! A kernel is summed up in one register, the *sum*. There are three ways to do it, of which the shortest one that the
//! registers and the gain allow is taken:
//!
//! - [`sums`]: from the lowest digits to the highest, the sum halved between them: `((D₀/2 + D₁)/2 + D₂)/2 ..`, where each
//!   `Dᵢ` has weights −1, 0 and 1. The sum walks from weight to weight ([`walking`]); the halvings need a second register.
//! - [`walker`]: the sum is built from the same digits but stays in place, and a *walker* in the second register
//!   carries the input from weight to weight. If there is no second register for the last kernel, the input itself
//!   walks, and weights are added one by one.
//! - [`sums`] again: from the highest digits to the lowest, with the input halved between them, in two more registers.
//!   The gain of the sum never exceeds that of the kernel.
//!
//! Inputs that may be overwritten can also be halved a few times at the beginning. Then all sums are smaller, at no
//! cost in registers.

mod sums;
mod walker;
mod walking;

use cain_isa::{Displacement, Instruction, Reg, Registers};

use super::allocation::epilogue;
use super::forms::{Forms, Shape};
use super::weights::weighing;
use crate::engine::goals::{GoalId, Goals};
use crate::engine::instructions::assemble;
use crate::engine::problem::{InputValue, Problem};
use crate::engine::terms::{self, Term};
use crate::sort;
use crate::{Declaration, verify};

/// The most additions if weights are added one by one.
const MAX_ADDITIONS: u64 = 1 << 12;
/// How often inputs may be halved at the beginning: enough for 64 weights that add up.
const MAX_HALVINGS: u32 = 6;

/// A number of registers to overwrite that certainly suffices; `None` if the gain of such a program exceeds the limit.
pub(crate) fn enough_registers(declaration: &Declaration) -> Option<usize> {
    let mut wider = declaration.clone();
    wider.machine.registers = Registers::ALL;
    let taken: Vec<Reg> = declaration.inputs.iter().map(|input| input.reg).chain(declaration.writable()).collect();
    let mut others = (0..=u8::MAX).map(Reg::from_index).filter(|reg| !taken.contains(reg));
    loop {
        let (problem, goals) = Problem::new(&wider, weighing(&wider)).ok()?;
        let forms = Forms::of(wider.options.instructions, &wider.machine);
        if program(&wider, &problem, &forms, &goals).is_some() {
            return Some(problem.writable.len());
        }
        let has_all = STYLES.iter().all(|&style| in_sequence(&problem, &forms, &goals, style, 0).is_some());
        wider.scratch.push(others.next().filter(|_| !has_all)?);
    }
}

/// The order in which the digits of a kernel are summed up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// From the lowest digits to the highest, halving the sum.
    SumHalved,
    /// From the highest digits to the lowest, halving the inputs.
    InputHalved,
}

const STYLES: [Style; 2] = [Style::SumHalved, Style::InputHalved];

/// The shortest such program; `None` if there are too few registers for one whose gain is allowed.
pub(crate) fn program(
    declaration: &Declaration,
    problem: &Problem,
    forms: &Forms,
    goals: &Goals,
) -> Option<Vec<Instruction>> {
    // Whether the program can be interrupted soon enough is checked when it is offered.
    let declaration = &declaration.uninterrupted();
    let programs = |halvings| {
        let programs = STYLES.into_iter().filter_map(move |style| in_sequence(problem, forms, goals, style, halvings));
        programs.filter(|listing| verify(declaration, listing).is_ok()).min_by_key(Vec::len)
    };
    (0..=MAX_HALVINGS).find_map(programs)
}

/// The program in this style whose inputs are halved so many times at the beginning; `None` if there are too few
/// registers for it.
fn in_sequence(
    problem: &Problem,
    forms: &Forms,
    goals: &Goals,
    style: Style,
    halvings: u32,
) -> Option<Vec<Instruction>> {
    let scale = problem.scale.checked_sub(halvings)?;
    let (open, made, program) = (Vec::new(), Vec::new(), Vec::new());
    let mut sequence = Sequence { problem, forms, goals, style, scale, open, made, program };
    let is_there = |goal: GoalId, reg: Reg| problem.input(goal).is_some_and(|input| input.reg == reg);
    sequence.open = problem.wanted.iter().copied().filter(|&(goal, reg)| !is_there(goal, reg)).collect();
    // Kernels that go into the register of an input come last.
    sort::by_key(&mut sequence.open, |&(_, reg)| !problem.is_of_input(reg));
    sequence.halve_inputs(halvings)?;
    while let Some((goal, reg)) = sequence.open.pop() {
        let place = sequence.make(goal, reg)?;
        sequence.made.push(Made { reg, place });
    }
    sequence.put_into_place()?;
    let mut program = sequence.program;
    program.extend(epilogue(problem, forms)?.into_iter().rev());
    Some(program)
}

struct Sequence<'a> {
    problem: &'a Problem,
    forms: &'a Forms,
    goals: &'a Goals,
    style: Style,
    /// The number of times that a sum of inputs with integer weights is halved.
    scale: u32,
    /// The kernels still to be made, the next one last, with their registers.
    open: Vec<(GoalId, Reg)>,
    made: Vec<Made>,
    program: Vec<Instruction>,
}

/// A kernel that was made: the register where it belongs, and the one where it is.
struct Made {
    reg: Reg,
    place: Reg,
}

impl Sequence<'_> {
    /// Halves all inputs so many times; `None` if one of them is needed unchanged.
    fn halve_inputs(&mut self, times: u32) -> Option<()> {
        if times == 0 {
            return Some(());
        }
        let spare = self.problem.writable.iter().copied().find(|&reg| !self.problem.is_of_input(reg))?;
        for (channel, input) in (0..).zip(&self.problem.inputs) {
            if self.stays(channel) {
                return None;
            }
            let (mut value, mut other) = (input.reg, spare);
            for _ in 0..times {
                self.emit(Shape::Halve, Displacement::ZERO, &[other, value])?;
                std::mem::swap(&mut value, &mut other);
            }
            if value == spare {
                self.emit(Shape::Move, Displacement::ZERO, &[input.reg, value])?;
            }
        }
        Some(())
    }

    /// Makes a kernel, if possible in its own register; returns the register where it is.
    fn make(&mut self, goal: GoalId, home: Reg) -> Option<Reg> {
        let terms = self.goals.terms(goal).to_vec();
        let mut free = self.free(&terms);
        // The register of another kernel is taken last, so that few kernels have to be moved.
        sort::by_key(&mut free, |&reg| (reg != home, self.open.iter().any(|&(_, other)| other == reg)));
        let walking = match self.style {
            Style::SumHalved => self.sum_halved(&terms, &free),
            Style::InputHalved => Some(self.input_halved(&terms, &free)?),
        };
        let before = self.program.len();
        let carried = match (self.style, free.as_slice()) {
            (Style::InputHalved, _) | (_, []) => None,
            (_, &[sum, walker, ..]) => self.digit_by_digit(&terms, sum, walker),
            (_, &[sum]) => self.one_by_one(&terms, sum),
        };
        let carried = carried.zip(Some(self.program.split_off(before)));
        let (place, program) = carried.into_iter().chain(walking).min_by_key(|(_, program)| program.len())?;
        self.program.extend(program);
        Some(place)
    }

    /// Registers that hold neither a kernel nor an input that is still needed besides `terms`.
    fn free(&self, terms: &[Term]) -> Vec<Reg> {
        let wanted = |channel: u32| {
            let is_in = |terms: &[Term]| terms.iter().any(|term| terms::channel(term.0) == channel);
            is_in(terms) || self.open.iter().any(|&(goal, _)| is_in(self.goals.terms(goal)))
        };
        let holds_input = |reg: Reg| {
            let inputs = || (0..).zip(&self.problem.inputs);
            inputs().any(|(channel, input)| input.reg == reg && (wanted(channel) || self.stays(channel)))
        };
        let holds_kernel = |reg: Reg| self.made.iter().any(|made| made.place == reg);
        self.problem.writable.iter().copied().filter(|&reg| !holds_input(reg) && !holds_kernel(reg)).collect()
    }

    /// Whether an input must not leave its register.
    fn stays(&self, channel: u32) -> bool {
        self.input(channel).is_none_or(|input| input.keep || self.problem.wanted.contains(&(input.goal, input.reg)))
    }

    /// Moves kernels that had to be made elsewhere into their own registers.
    fn put_into_place(&mut self) -> Option<()> {
        while let Some(wrong) = self.made.iter().position(|made| made.place != made.reg) {
            let is_free = |reg: Reg| self.made.iter().all(|made| made.place != reg);
            let movable = self.made.iter().position(|made| made.place != made.reg && is_free(made.reg));
            let (i, to) = match movable {
                Some(i) => (i, self.made[i].reg),
                // The registers form a cycle; a free register breaks it.
                None => (wrong, self.free(&[]).first().copied()?),
            };
            self.emit(Shape::Move, Displacement::ZERO, &[to, self.made[i].place])?;
            self.made[i].place = to;
        }
        Some(())
    }

    fn input(&self, channel: u32) -> Option<&InputValue> {
        self.problem.inputs.get(usize::try_from(channel).ok()?)
    }

    /// Adds the instruction of this shape, if the chip can run it.
    fn emit(&mut self, shape: Shape, displacement: Displacement, registers: &[Reg]) -> Option<()> {
        let form = self.forms.shaped(shape).map(|(_, form)| form).find(|form| form.displacement == displacement)?;
        self.program.push(assemble(form.op, registers, &form.directions)?.into());
        Some(())
    }
}
