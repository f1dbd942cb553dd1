//! A declaration, translated into the integers of the search.

use std::ops::RangeInclusive;

use cain_isa::{Fraction, Reg};

use super::estimate::Weighing;
use super::gain::GainLimit;
use super::goals::{GoalId, Goals};
use super::symmetry::Symmetries;
use super::terms::{self, Term};
use crate::{Declaration, SearchError};

/// What to compute, from what, and in which registers.
pub(crate) struct Problem {
    /// The binary exponent of the unit: all values are integers in units of 1/(2^scale · 3^thirds).
    pub(crate) scale: u32,
    /// The ternary exponent of the unit, see `scale`; 0 except for control words.
    pub(crate) thirds: u32,
    /// The value of each input channel.
    pub(crate) inputs: Vec<InputValue>,
    /// The wanted values that take work, each once, with the register of its first output.
    pub(crate) wanted: Vec<(GoalId, Reg)>,
    /// Further registers that shall hold a copy of a wanted value or input: (register, value).
    pub(crate) copies: Vec<(Reg, GoalId)>,
    /// Registers that shall hold zero.
    pub(crate) zeros: Vec<Reg>,
    /// Registers that may be overwritten.
    pub(crate) writable: Vec<Reg>,
    /// The limit on the gain of all values.
    pub(crate) gain: GainLimit,
    /// The memory that the search may take, in bytes.
    pub(crate) memory: u64,
}

/// An input channel as a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputValue {
    pub(crate) goal: GoalId,
    /// The register that holds it at the start.
    pub(crate) reg: Reg,
    /// Whether the register must not be written.
    pub(crate) keep: bool,
}

/// The largest weight of an input, well below [`terms::MAX`], so that sums of a few inputs fit the integers of the
/// search.
const MAX_WHOLE: i32 = 1 << 28;

impl Problem {
    /// Translates a valid declaration, and makes the store for its goals.
    pub(crate) fn new(declaration: &Declaration, weighing: Weighing) -> Result<(Self, Goals), SearchError> {
        let kernels = || declaration.outputs.iter().flat_map(|output| output.kernel.terms());
        let scale = kernels().map(|(_, weight)| weight.denominator().trailing_zeros()).max().unwrap_or(0);
        let thirds = kernels().map(|(_, weight)| weight.thirds()).max().unwrap_or(0);
        let whole = whole(scale, thirds).ok_or(SearchError::Overflow)?;
        if declaration.inputs.len() > usize::from(terms::MAX_CHANNELS) {
            return Err(SearchError::Overflow);
        }
        let radius = kernels()
            .map(|(atom, _)| atom.displacement.x.saturating_abs().max(atom.displacement.y.saturating_abs()))
            .max();
        let mut goals = Goals::new(radius.unwrap_or(0), (weighing, scale));
        let mut problem = Self {
            scale,
            thirds,
            inputs: Vec::new(),
            wanted: Vec::new(),
            copies: Vec::new(),
            zeros: Vec::new(),
            writable: declaration.writable(),
            gain: GainLimit::of(declaration, whole),
            memory: declaration.options.memory << 20,
        };
        for (channel, input) in (0..).zip(&declaration.inputs) {
            let one = [(terms::key(channel, cain_isa::Displacement::ZERO), whole)];
            let goal = goals.intern(&one).ok_or(SearchError::Overflow)?;
            problem.inputs.push(InputValue { goal, reg: input.reg, keep: input.keep });
        }
        let mut wanted = Vec::new();
        for output in &declaration.outputs {
            let terms = output
                .kernel
                .terms()
                .map(|(atom, weight)| Some((terms::key(atom.channel, atom.displacement), in_units(weight, whole)?)))
                .collect::<Option<Vec<Term>>>();
            let mut terms = terms.ok_or(SearchError::Overflow)?;
            terms.sort_unstable();
            if terms.is_empty() {
                problem.zeros.push(output.reg);
                continue;
            }
            let goal = goals.intern(&terms).ok_or(SearchError::Overflow)?;
            wanted.push((goal, output.reg));
        }
        // Inputs that are wanted in their own registers come first, because further copies are made from there.
        let stays =
            |&(goal, reg): &(GoalId, Reg)| problem.inputs.iter().any(|input| input.goal == goal && input.reg == reg);
        let (mut order, others): (Vec<_>, Vec<_>) = wanted.into_iter().partition(stays);
        order.extend(others);
        for (goal, reg) in order {
            problem.place(goal, reg);
        }
        let symmetries = problem.symmetries(&goals);
        goals.identify_images(symmetries);
        Ok((problem, goals))
    }

    /// The weight 1 in the units of the problem.
    pub(crate) fn whole(&self) -> f64 {
        (0..self.thirds).fold(f64::from(1_u32 << self.scale.min(31)), |whole, _| whole * 3.0)
    }

    /// The symmetries of the wanted kernels. A kernel whose register must first be freed of an input is mapped only to
    /// itself.
    fn symmetries(&self, goals: &Goals) -> Symmetries {
        let kernels: Vec<_> = self.wanted.iter().map(|&(goal, _)| (goal, goals.terms(goal))).collect();
        let displacing = self.displacing();
        Symmetries::of(&kernels, |goal| displacing.iter().any(|pair| pair.0 == goal))
    }

    /// The input with this value, if there is one.
    pub(crate) fn input(&self, goal: GoalId) -> Option<&InputValue> {
        // The goals of the inputs are the first ones stored, in the same order.
        self.inputs.get(goal as usize)
    }

    /// The register from which a value is copied at the end.
    pub(crate) fn copied_from(&self, goal: GoalId) -> Option<Reg> {
        let wanted = self.wanted.iter().find(|wanted| wanted.0 == goal).map(|wanted| wanted.1);
        wanted.or(self.input(goal).map(|input| input.reg))
    }

    /// The terms that a register has to hold at the end, if it is an output; empty for zero.
    pub(crate) fn output<'g>(&self, goals: &'g Goals, reg: Reg) -> Option<&'g [Term]> {
        let made = self.wanted.iter().map(|&(goal, reg)| (reg, goals.terms(goal)));
        let copied = self.copies.iter().map(|&(reg, goal)| (reg, goals.terms(goal)));
        let zeros = self.zeros.iter().map(|&reg| (reg, &[][..]));
        made.chain(copied).chain(zeros).find(|output| output.0 == reg).map(|output| output.1)
    }

    /// The goals of the problem itself, which were stored before all others.
    pub(crate) fn first_goals(&self) -> RangeInclusive<GoalId> {
        let last = self.inputs.iter().map(|input| input.goal).chain(self.wanted.iter().map(|wanted| wanted.0));
        0..=last.chain(self.copies.iter().map(|copy| copy.1)).max().unwrap_or(0)
    }

    /// Whether a register is that of an input.
    pub(crate) fn is_of_input(&self, reg: Reg) -> bool {
        self.inputs.iter().any(|input| input.reg == reg)
    }

    /// Wanted values that go into the register of an input, which must be dead or moved away by then: (wanted value,
    /// input).
    pub(crate) fn displacing(&self) -> Vec<(GoalId, GoalId)> {
        let is_wanted = |goal: GoalId| self.wanted.iter().any(|wanted| wanted.0 == goal);
        let displaced = self.wanted.iter().flat_map(|&(wanted, reg)| {
            let inputs = self.inputs.iter().filter(move |input| input.reg == reg && input.goal != wanted);
            inputs.map(move |input| (wanted, input.goal))
        });
        displaced.filter(|&(_, input)| !is_wanted(input)).collect()
    }

    /// Decides how an output register gets its value: by computing it (or by doing nothing, for an input that is wanted
    /// where it is), or by copying a value that exists anyway.
    fn place(&mut self, goal: GoalId, reg: Reg) {
        let made = self.wanted.iter().any(|wanted| wanted.0 == goal);
        let kept = self.input(goal).is_some_and(|input| input.keep);
        if made || kept { self.copies.push((reg, goal)) } else { self.wanted.push((goal, reg)) }
    }
}

/// The weight 1 in units of 1/(2^scale · 3^thirds), if it is small enough.
fn whole(scale: u32, thirds: u32) -> Option<i32> {
    let whole = 2_i32.checked_pow(scale)?.checked_mul(3_i32.checked_pow(thirds)?)?;
    (whole <= MAX_WHOLE).then_some(whole)
}

/// A weight in units of 1/`whole`, if it is small enough.
fn in_units(weight: Fraction, whole: i32) -> Option<i32> {
    let units = weight.checked_mul(Fraction::from(whole))?;
    terms::coefficient(units.numerator())
}
