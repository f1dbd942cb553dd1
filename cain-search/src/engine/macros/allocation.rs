//! Allocates registers: from bags to programs.
//!
//! The steps of a search deal with values; here every value gets a register. A backtracking search goes from the last
//! instruction to the first: a value gets a register where it is last used, and keeps it. Inputs and outputs have their
//! registers already, and [`assemble`] applies the chip's aliasing rules. If that fails, values may be moved between
//! registers at the price of a `mov`.

use cain_isa::{Direction, Instruction, Op, Reg};

use super::forms::{Forms, Shape};
use crate::engine::goals::{GoalId, Goals};
use crate::engine::instructions::assemble;
use crate::engine::occupancy::{MAX_STEPS, MAX_TRIES, free_registers};
use crate::engine::problem::Problem;
use crate::engine::step::{FormId, Step};
use crate::engine::work;

/// The most moves between registers that may be added.
const MAX_RELOCATIONS: u32 = 4;

/// A step with everything needed to place it.
struct Placed {
    step: Step,
    /// Whether the result of a division is its positive half.
    positive: bool,
}

/// Gives registers to `steps` (last instruction first); `None` if that is impossible. Adds to `work`.
pub(crate) fn allocate(
    problem: &Problem,
    forms: &Forms,
    (goals, steps): (&Goals, &[Step]),
    work: &mut u64,
) -> Option<Vec<Instruction>> {
    if steps.len() > MAX_STEPS {
        return None;
    }
    let steps: Vec<Placed> = steps.iter().map(|&step| Placed { step, positive: goals.is_positive(&step) }).collect();
    let mut backwards = epilogue(problem, forms)?;
    for relocations in 0..=MAX_RELOCATIONS {
        let mut allocator = Allocator {
            problem,
            forms,
            steps: &steps,
            values: problem.wanted.clone(),
            program: Vec::new(),
            tries: MAX_TRIES,
        };
        let is_placed = allocator.place(0, relocations);
        *work += work::of_tries(allocator.tries);
        if is_placed {
            backwards.append(&mut allocator.program);
            backwards.reverse();
            return Some(backwards);
        }
    }
    None
}

/// The instructions at the very end, last first: zeros, and copies of values that exist anyway.
pub(crate) fn epilogue(problem: &Problem, forms: &Forms) -> Option<Vec<Instruction>> {
    let mut program = Vec::new();
    for &reg in &problem.zeros {
        let zero = forms.shaped(Shape::Zero).next()?.1.op;
        program.push(assemble(zero, &[reg], &[])?.into());
    }
    for &(reg, goal) in &problem.copies {
        let source = problem.copied_from(goal)?;
        let copy = forms.shaped(Shape::Move).find(|(_, form)| form.op == Op::Mov)?.1.op;
        program.push(assemble(copy, &[reg, source], &[])?.into());
    }
    Some(program)
}

struct Allocator<'a> {
    problem: &'a Problem,
    forms: &'a Forms,
    steps: &'a [Placed],
    /// Live values and their registers at the current point.
    values: Vec<(GoalId, Reg)>,
    /// The instructions so far, last first.
    program: Vec<Instruction>,
    tries: u32,
}

impl Allocator<'_> {
    /// Places all steps from the i-th on; if that fails, nothing is changed.
    fn place(&mut self, i: usize, relocations: u32) -> bool {
        if self.tries == 0 {
            return false;
        }
        self.tries -= 1;
        let Some(placed) = self.steps.get(i) else {
            return self.is_start() || (relocations > 0 && self.relocate(i, relocations));
        };
        let done = match self.forms.get(placed.step.form).shape {
            Shape::Divide => self.place_division(i, relocations),
            _ => self.place_single(i, relocations),
        };
        done || (relocations > 0 && self.relocate(i, relocations))
    }

    /// Whether the live values are inputs in their own registers.
    fn is_start(&self) -> bool {
        self.values.iter().all(|&(goal, reg)| self.problem.input(goal).is_some_and(|input| input.reg == reg))
    }

    /// The register of a value, if it has one.
    fn home(&self, goal: GoalId) -> Option<Reg> {
        let live = self.values.iter().find(|value| value.0 == goal).map(|value| value.1);
        live.or(self.problem.input(goal).filter(|input| input.keep).map(|input| input.reg))
    }

    fn is_free(&self, reg: Reg) -> bool {
        self.values.iter().all(|value| value.1 != reg)
    }

    /// Registers to try for a value that becomes live, the most promising first.
    fn candidates(&self, goal: GoalId, first: Option<Reg>, relocations: u32) -> Vec<Reg> {
        let own = self.problem.input(goal).map(|input| input.reg);
        if let (Some(own), 0) = (own, relocations) {
            return if self.is_free(own) { vec![own] } else { vec![] };
        }
        let mut candidates: Vec<Reg> = own.filter(|&own| self.is_free(own)).into_iter().collect();
        candidates.extend(first);
        candidates.extend(free_registers(self.problem, |reg| self.is_free(reg) && Some(reg) != first));
        candidates
    }

    /// Places a step with one result: operands that are not live yet get registers, one after the other.
    fn place_single(&mut self, i: usize, relocations: u32) -> bool {
        let Step { form, result, .. } = self.steps[i].step;
        let Some(position) = self.values.iter().position(|value| value.0 == result) else { return false };
        let (_, home) = self.values.remove(position);
        let placed = self.place_operands(i, form, home, relocations);
        if !placed {
            self.values.insert(position, (result, home));
        }
        placed
    }

    fn place_operands(&mut self, i: usize, form: FormId, result: Reg, relocations: u32) -> bool {
        let step = self.steps[i].step;
        if let Some(&goal) = step.operands().iter().find(|&&goal| self.home(goal).is_none()) {
            for reg in self.candidates(goal, Some(result).filter(|&reg| self.is_free(reg)), relocations) {
                self.values.push((goal, reg));
                if self.place_operands(i, form, result, relocations) {
                    return true;
                }
                self.values.pop();
            }
            return false;
        }
        let Some(sources) = step.operands().iter().map(|&goal| self.home(goal)).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let form = self.forms.get(form);
        self.emit(i, relocations, form.op, &[&[result], sources.as_slice()].concat(), &form.directions)
    }

    /// Adds an instruction if the chip can run it, and continues with the next step.
    fn emit(&mut self, i: usize, relocations: u32, op: Op, registers: &[Reg], directions: &[Direction]) -> bool {
        let Some(instruction) = assemble(op, registers, directions) else { return false };
        self.program.push(instruction.into());
        if self.place(i + 1, relocations) {
            return true;
        }
        self.program.pop();
        false
    }

    /// Places a division: `div` if the operand has a register of its own, `diva` if it divides in place, `div` with a
    /// copy if the operand may only be read.
    fn place_division(&mut self, i: usize, relocations: u32) -> bool {
        let Placed { step, positive } = &self.steps[i];
        let (result, negative) = (Some(step.result), step.negative());
        let (plus, minus) = if *positive { (result, negative) } else { (negative, result) };
        let Some(&operand) = step.operands().first() else { return false };
        let before = self.values.clone();
        let plus = plus.and_then(|goal| self.take(goal));
        let minus = minus.and_then(|goal| self.take(goal));
        let done = match self.home(operand) {
            Some(home) if self.is_free(home) => self.divide_kept(i, relocations, plus, minus, home),
            Some(home) => self.divide_in(i, relocations, plus, minus, home),
            None => self.divide_dying(i, relocations, plus, minus, operand),
        };
        if !done {
            self.values = before;
        }
        done
    }

    /// Removes a live value and returns its register.
    fn take(&mut self, goal: GoalId) -> Option<Reg> {
        let position = self.values.iter().position(|value| value.0 == goal)?;
        Some(self.values.remove(position).1)
    }

    /// A free register for a result that is not wanted.
    fn spare(&self, taken: &[Option<Reg>]) -> Option<Reg> {
        self.problem.writable.iter().copied().find(|&reg| self.is_free(reg) && !taken.contains(&Some(reg)))
    }

    fn divide_kept(&mut self, i: usize, relocations: u32, plus: Option<Reg>, minus: Option<Reg>, home: Reg) -> bool {
        let plus = plus.or_else(|| self.spare(&[minus]));
        let minus = minus.or_else(|| self.spare(&[plus]));
        let (Some(y0), Some(y1), Some(y2)) = (plus, minus, self.spare(&[plus, minus])) else { return false };
        self.emit(i, relocations, Op::DivCopy, &[y0, y1, y2, home], &[])
    }

    fn divide_in(&mut self, i: usize, relocations: u32, plus: Option<Reg>, minus: Option<Reg>, home: Reg) -> bool {
        let plus = plus.or_else(|| self.spare(&[minus]));
        let minus = minus.or_else(|| self.spare(&[plus]));
        let (Some(y0), Some(y1)) = (plus, minus) else { return false };
        self.emit(i, relocations, Op::Div, &[y0, y1, home], &[])
    }

    /// Divides an operand that is not needed afterwards: it may be in any register, or share its register with the
    /// positive half.
    fn divide_dying(
        &mut self,
        i: usize,
        relocations: u32,
        plus: Option<Reg>,
        minus: Option<Reg>,
        operand: GoalId,
    ) -> bool {
        for reg in self.candidates(operand, plus, relocations) {
            self.values.push((operand, reg));
            let done = if plus == Some(reg) || (plus.is_none() && minus != Some(reg)) {
                let y1 = minus.or_else(|| self.spare(&[]));
                let y2 = self.spare(&[y1]);
                matches!((y1, y2), (Some(y1), Some(y2)) if self.emit(i, relocations, Op::Diva, &[reg, y1, y2], &[]))
            } else {
                minus != Some(reg) && self.divide_in(i, relocations, plus, minus, reg)
            };
            if done {
                return true;
            }
            self.values.pop();
        }
        false
    }

    /// Tries to move one value to another register just before the next step.
    fn relocate(&mut self, i: usize, relocations: u32) -> bool {
        for position in 0..self.values.len() {
            let (goal, from) = self.values[position];
            for to in self.candidates(goal, None, relocations) {
                let Some(instruction) = assemble(Op::Mov, &[from, to], &[]) else { continue };
                self.values[position].1 = to;
                self.program.push(instruction.into());
                if self.place(i, relocations - 1) {
                    return true;
                }
                self.program.pop();
                self.values[position].1 = from;
            }
        }
        false
    }
}
