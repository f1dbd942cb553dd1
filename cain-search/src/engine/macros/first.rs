//! A program that needs no search: one kernel after the other, one binary digit after the other.
//!
//! It is long, but given enough registers it exists for all kernels: one for each kernel and for each input that has to
//! make room, and one more. Often one less suffices. The search then only looks for better programs.
//!
//! A kernel is summed up in one register, the *sum*. There are three ways to do it, of which the shortest is taken that
//! the registers and the gain allow:
//!
//! - From the lowest digits to the highest, the sum halved between them: `((D₀/2 + D₁)/2 + D₂)/2 ..`, where each `Dᵢ`
//!   has weights −1, 0 and 1. The sum walks from weight to weight ([`walk`](super::walk)); the halvings need a second
//!   register.
//! - The same, but a *walker* carries the input from weight to weight, in the second register. Where the last kernel
//!   has no second register the input walks itself, and weights are added up one by one.
//! - From the highest digits to the lowest, the input halved between them, in two more registers. The sum never has a
//!   larger gain than the kernel.

use cain_isa::{Displacement, Instruction, Reg, Registers};

use super::allocation::epilogue;
use super::forms::{Form, Forms, Shape};
use super::walk::{Places, WalkingSum};
use super::weights::weights;
use crate::engine::goals::{GoalId, Goals};
use crate::engine::instructions::assemble;
use crate::engine::problem::{InputValue, Problem};
use crate::engine::terms::{self, Term};
use crate::{Declaration, verify};

/// Places at which a walking sum is made to begin.
const MAX_STARTS: usize = 32;
/// The most additions where weights are added up one by one.
const MAX_ADDITIONS: u64 = 1 << 12;

/// The number of registers to overwrite with which there is a program; `None` if its gain is larger than allowed.
pub(crate) fn enough_registers(declaration: &Declaration) -> Option<usize> {
    let mut wider = declaration.clone();
    wider.machine.registers = Registers::ALL;
    let taken: Vec<Reg> = declaration.inputs.iter().map(|input| input.reg).chain(declaration.writable()).collect();
    let mut others = (0..=u8::MAX).map(Reg::from_index).filter(|reg| !taken.contains(reg));
    loop {
        let (problem, goals) = Problem::new(&wider, weights(&wider)).ok()?;
        let forms = Forms::of(wider.options.instructions, &wider.machine);
        if program(&wider, &problem, &forms, &goals).is_some() {
            return Some(problem.writable.len());
        }
        let has_all = STYLES.iter().all(|&style| in_sequence(&problem, &forms, &goals, style).is_some());
        wider.scratch.push(others.next().filter(|_| !has_all)?);
    }
}

/// How a kernel is summed up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// From the lowest digits to the highest; the sum is halved.
    SumHalved,
    /// From the highest digits to the lowest; the inputs are halved.
    InputHalved,
}

const STYLES: [Style; 2] = [Style::SumHalved, Style::InputHalved];

/// The program; `None` if there are too few registers for one whose gain is allowed.
pub(crate) fn program(
    declaration: &Declaration,
    problem: &Problem,
    forms: &Forms,
    goals: &Goals,
) -> Option<Vec<Instruction>> {
    let programs = STYLES.into_iter().filter_map(|style| in_sequence(problem, forms, goals, style));
    programs.filter(|listing| verify(declaration, listing).is_ok()).min_by_key(Vec::len)
}

/// The program of a style; `None` if there are too few registers for it.
fn in_sequence(problem: &Problem, forms: &Forms, goals: &Goals, style: Style) -> Option<Vec<Instruction>> {
    let mut sequence =
        Sequence { problem, forms, goals, style, open: Vec::new(), made: Vec::new(), program: Vec::new() };
    let is_there = |goal: GoalId, reg: Reg| problem.input(goal).is_some_and(|input| input.reg == reg);
    sequence.open = problem.wanted.iter().copied().filter(|&(goal, reg)| !is_there(goal, reg)).collect();
    // Kernels that belong in the register of an input come last.
    sequence.open.sort_by_key(|&(_, reg)| !problem.inputs.iter().any(|input| input.reg == reg));
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
    /// Kernels still to be made, the next one last, with their registers.
    open: Vec<(GoalId, Reg)>,
    made: Vec<Made>,
    program: Vec<Instruction>,
}

/// A kernel that was made: where it belongs, and where it is.
struct Made {
    reg: Reg,
    place: Reg,
}

/// An input on its way.
struct Walker {
    /// The register that it walks in, if there is one.
    reg: Option<Reg>,
    /// The channel and displacement that it has reached.
    at: Option<(u32, Displacement)>,
}

/// How to get to a place.
struct Route {
    from: Reg,
    start: Displacement,
    /// In steps.
    distance: u16,
}

impl<'a> Sequence<'a> {
    /// Makes a kernel, if possible where it belongs; returns its register.
    fn make(&mut self, goal: GoalId, home: Reg) -> Option<Reg> {
        let terms = self.goals.terms(goal).to_vec();
        let mut free = self.free(&terms);
        // The register of another kernel is the last to be taken, so that few kernels have to be moved.
        free.sort_by_key(|&reg| (reg != home, self.open.iter().any(|&(_, other)| other == reg)));
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

    /// A walking sum that is halved.
    fn sum_halved(&self, terms: &[Term], free: &[Reg]) -> Option<(Reg, Vec<Instruction>)> {
        let scale = self.problem.scale;
        let mut digits: Vec<Places> = Vec::new();
        for &(key, weight) in terms {
            self.put(&mut digits, key, &signed_digits(weight))?;
        }
        let halvings = usize::try_from(scale).ok()?.max(digits.len() - 1);
        self.shortest(&digits, |start| {
            let (&sum, mut spare) = (free.first()?, free.get(1).copied());
            let mut sum = WalkingSum::new(self.forms, sum);
            for bit in 0..=halvings {
                if sum.has_begun() {
                    spare = Some(sum.halve(spare?)?);
                }
                sum.add_up(digits.get(bit).cloned().unwrap_or_default(), start)?;
            }
            sum.come_home()?;
            for _ in usize::try_from(scale).ok()?..halvings {
                sum.double(spare?)?;
            }
            Some(sum)
        })
    }

    /// A walking sum to which halved inputs are added.
    fn input_halved(&self, terms: &[Term], free: &[Reg]) -> Option<(Reg, Vec<Instruction>)> {
        let scale = usize::try_from(self.problem.scale).ok()?;
        let channels: Vec<&[Term]> = terms.chunk_by(|a, b| terms::channel(a.0) == terms::channel(b.0)).collect();
        let mut digits: Vec<Vec<Places>> = Vec::new();
        for run in &channels {
            let mut of_channel = vec![Places::default(); scale + 1];
            for &(key, weight) in *run {
                let ones = weight.unsigned_abs() >> scale;
                if u64::from(ones) > MAX_ADDITIONS {
                    return None;
                }
                let mut bits: Vec<i32> = (0..scale).map(|bit| weight.signum() * (weight.abs() >> bit & 1)).collect();
                bits.push(weight.signum() * i32::try_from(ones).ok()?);
                self.put(&mut of_channel, key, &bits)?;
            }
            digits.push(of_channel);
        }
        self.shortest(digits.first()?.as_slice(), |start| {
            let mut sum = WalkingSum::new(self.forms, *free.first()?);
            for (run, of_channel) in channels.iter().zip(&digits) {
                let input = self.input(terms::channel(run.first()?.0))?.reg;
                let (mut walker, mut spare) = (input, free.get(1).copied());
                for (bit, places) in of_channel.iter().enumerate().rev() {
                    sum.add_up(with_register(places, walker), start)?;
                    if of_channel[..bit].iter().all(Places::is_empty) {
                        break;
                    }
                    let halved = spare?;
                    sum.halve_value(walker, halved)?;
                    spare = if walker == input { free.get(2).copied() } else { Some(walker) };
                    walker = halved;
                }
            }
            sum.come_home()?;
            Some(sum)
        })
    }

    /// Puts the digits of a weight, lowest first, where they belong.
    fn put(&self, digits: &mut Vec<Places>, key: u32, of_weight: &[i32]) -> Option<()> {
        let (reg, at) = (self.input(terms::channel(key))?.reg, terms::displacement(key));
        digits.resize(digits.len().max(of_weight.len()), Places::default());
        for (places, &digit) in digits.iter_mut().zip(of_weight).filter(|(_, digit)| **digit != 0) {
            let summands = places.entry((at.x, at.y)).or_default();
            let side = if digit > 0 { &mut summands.plus } else { &mut summands.minus };
            side.extend((0..digit.unsigned_abs()).map(|_| reg));
        }
        Some(())
    }

    /// The shortest program of a walking sum, by where it begins.
    fn shortest(
        &self,
        digits: &[Places],
        sum: impl Fn((i16, i16)) -> Option<WalkingSum<'a>>,
    ) -> Option<(Reg, Vec<Instruction>)> {
        let starts = digits.iter().find(|places| !places.is_empty())?.keys().take(MAX_STARTS);
        let sums = starts.filter_map(|&start| sum(start));
        sums.map(|sum| (sum.reg, sum.program)).min_by_key(|(_, program)| program.len())
    }

    /// Registers without a kernel or an input that is still needed beside `terms`.
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

    /// `((D₀/2 + D₁)/2 + D₂)/2 ..`, and then doubled if the weights are large.
    fn digit_by_digit(&mut self, terms: &[Term], mut sum: Reg, mut spare: Reg) -> Option<Reg> {
        let scale = self.problem.scale;
        let top = terms.iter().map(|term| term.1.unsigned_abs().ilog2()).max()?;
        let mut started = false;
        for bit in 0..=top.max(scale) {
            if started {
                self.emit(Shape::Halve, Displacement::ZERO, &[spare, sum])?;
                std::mem::swap(&mut sum, &mut spare);
            }
            let has_digit = |term: &&Term| term.1.unsigned_abs() >> bit & 1 == 1;
            let digits = terms.iter().filter(has_digit).map(|&(key, weight)| (key, weight.signum())).collect();
            self.add_up(digits, &mut started, sum, Some(spare))?;
        }
        for _ in scale..top {
            self.emit(Shape::Move, Displacement::ZERO, &[spare, sum])?;
            self.emit(Shape::Add, Displacement::ZERO, &[sum, sum, spare])?;
        }
        Some(sum)
    }

    /// The last kernel, with its inputs walking in their own registers.
    fn one_by_one(&mut self, terms: &[Term], sum: Reg) -> Option<Reg> {
        let additions: u64 = terms.iter().map(|term| u64::from(term.1.unsigned_abs())).sum();
        let halvings = terms.iter().map(|term| term.1.trailing_zeros()).min()?;
        let halvings = self.problem.scale.checked_sub(halvings)?;
        if !self.open.is_empty() || additions >> (self.problem.scale - halvings) > MAX_ADDITIONS {
            return None;
        }
        let unit = |&(key, weight): &Term| (key, weight >> (self.problem.scale - halvings));
        let mut channels: Vec<Vec<Term>> = terms
            .chunk_by(|a, b| terms::channel(a.0) == terms::channel(b.0))
            .map(|run| run.iter().map(unit).collect())
            .collect();
        // An input that has been added up leaves its register to those that stay where they are.
        channels.sort_by_key(|run| run.first().is_some_and(|term| self.stays(terms::channel(term.0))));
        let (mut started, mut spare) = (false, None);
        for run in channels {
            let channel = terms::channel(run.first()?.0);
            if !self.stays(channel) {
                spare = Some(self.input(channel)?.reg);
            }
            self.add_up(run, &mut started, sum, spare)?;
        }
        let mut places = (sum, spare);
        for _ in 0..halvings {
            let (from, to) = (places.0, places.1?);
            self.emit(Shape::Halve, Displacement::ZERO, &[to, from])?;
            places = (to, Some(from));
        }
        Some(places.0)
    }

    /// Adds weighted inputs to a sum, or starts it with them. They walk in `walker`, which may be the register of the
    /// input itself.
    fn add_up(&mut self, mut terms: Vec<Term>, started: &mut bool, sum: Reg, walker: Option<Reg>) -> Option<()> {
        let mut walking = Walker { reg: walker, at: None };
        while let Some(i) =
            (0..terms.len()).min_by_key(|&i| self.route_to(&walking, terms[i].0).map(|route| route.distance))
        {
            let (key, weight) = terms.swap_remove(i);
            let source = self.walk(&mut walking, key)?;
            for _ in 0..weight.unsigned_abs() {
                match (*started, weight > 0) {
                    (false, true) => self.emit(Shape::Move, Displacement::ZERO, &[sum, source])?,
                    (false, false) => self.emit(Shape::Negate, Displacement::ZERO, &[sum, source])?,
                    (true, true) => self.emit(Shape::Add, Displacement::ZERO, &[sum, sum, source])?,
                    (true, false) => self.emit(Shape::Subtract, Displacement::ZERO, &[sum, sum, source])?,
                }
                *started = true;
            }
        }
        Some(())
    }

    /// The shorter route to a place: on from where the walker is, or from the input.
    fn route_to(&self, walker: &Walker, key: u32) -> Option<Route> {
        let (channel, target) = (terms::channel(key), terms::displacement(key));
        let route = |from: Reg, start: Displacement| Route { from, start, distance: length(start, target) };
        let input = self.input(channel)?.reg;
        let onwards = walker.at.filter(|at| at.0 == channel).zip(walker.reg).map(|((_, at), reg)| route(reg, at));
        let afresh = route(input, Displacement::ZERO);
        match onwards {
            // The input is no longer where it was.
            Some(onwards) if walker.reg == Some(input) => Some(onwards),
            Some(onwards) if onwards.distance < afresh.distance => Some(onwards),
            _ => Some(afresh),
        }
    }

    /// Walks to a place; returns the register that holds its value then.
    fn walk(&mut self, walker: &mut Walker, key: u32) -> Option<Reg> {
        let (channel, target) = (terms::channel(key), terms::displacement(key));
        let Route { mut from, start: mut here, mut distance } = self.route_to(walker, key)?;
        while distance > 0 {
            let to = walker.reg?;
            let after = |form: &Form| here.checked_add(form.displacement).map(|at| (at, length(at, target)));
            let moves = self.forms.shaped(Shape::Move).filter_map(|(_, form)| Some((form.displacement, after(form)?)));
            let (step, (at, left)) =
                moves.min_by_key(|(_, (_, left))| *left).filter(|(_, (_, left))| *left < distance)?;
            self.emit(Shape::Move, step, &[to, from])?;
            (from, here, distance) = (to, at, left);
            walker.at = Some((channel, here));
        }
        Some(from)
    }

    /// Moves kernels that had to be made elsewhere.
    fn put_into_place(&mut self) -> Option<()> {
        while let Some(wrong) = self.made.iter().position(|made| made.place != made.reg) {
            let is_free = |reg: Reg| self.made.iter().all(|made| made.place != reg);
            let movable = self.made.iter().position(|made| made.place != made.reg && is_free(made.reg));
            let (i, to) = match movable {
                Some(i) => (i, self.made[i].reg),
                // They form a cycle, which a free register opens.
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

    /// Adds the instruction of that shape, if the chip can run it.
    fn emit(&mut self, shape: Shape, displacement: Displacement, registers: &[Reg]) -> Option<()> {
        let form = self.forms.shaped(shape).map(|(_, form)| form).find(|form| form.displacement == displacement)?;
        self.program.push(assemble(form.op, registers, &form.directions)?.into());
        Some(())
    }
}

/// Steps between two places.
fn length(from: Displacement, to: Displacement) -> u16 {
    from.x.abs_diff(to.x) + from.y.abs_diff(to.y)
}

/// The digits of a weight in signed binary, lowest first: −1, 0 and 1, as few of them not 0 as possible.
fn signed_digits(weight: i32) -> Vec<i32> {
    let (mut rest, mut digits) = (i64::from(weight), Vec::new());
    while rest != 0 {
        let digit = if rest % 2 == 0 { 0 } else { 2 - rest.rem_euclid(4) };
        digits.push(if digit > 0 { 1 } else { -i32::from(digit < 0) });
        rest = (rest - digit) / 2;
    }
    digits
}

/// The same summands with another register in place of the input's.
fn with_register(places: &Places, reg: Reg) -> Places {
    let mut places = places.clone();
    for summands in places.values_mut() {
        summands.plus.iter_mut().chain(&mut summands.minus).for_each(|summand| *summand = reg);
    }
    places
}
