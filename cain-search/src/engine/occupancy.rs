//! How bags share the registers, whatever the instructions are.

use cain_isa::Reg;

use super::goals::GoalId;
use super::problem::Problem;

/// How the values of a bag share a problem's registers.
pub(crate) struct Occupancy<'a> {
    pub(crate) problem: &'a Problem,
    /// Wanted values that go into the register of an input, which must be dead by then: (wanted value, input).
    displacing: Vec<(GoalId, GoalId)>,
}

impl<'a> Occupancy<'a> {
    pub(crate) fn new(problem: &'a Problem) -> Self {
        Self { problem, displacing: problem.displacing() }
    }

    /// The occupancy where values may move between registers, so that wanted values displace no input.
    pub(crate) fn with_moves(self) -> Self {
        Self { displacing: Vec::new(), ..self }
    }

    pub(crate) fn is_input(&self, goal: GoalId) -> bool {
        self.problem.input(goal).is_some()
    }

    /// Whether a value is an input that stays in its register anyway.
    pub(crate) fn is_kept(&self, goal: GoalId) -> bool {
        self.problem.input(goal).is_some_and(|input| input.keep)
    }

    /// The values that a step can use besides new ones: those in registers, in order, and every input.
    pub(crate) fn pool(&self, registers: &[GoalId]) -> Vec<GoalId> {
        let mut pool = registers.to_vec();
        pool.dedup();
        for input in &self.problem.inputs {
            if !pool.contains(&input.goal) {
                pool.push(input.goal);
            }
        }
        pool
    }

    /// How many values too many there are for one register to be free. Inputs that have to be restored are counted as
    /// values.
    pub(crate) fn pressure(&self, registers: &[GoalId]) -> u32 {
        let mut missing = 0;
        for input in &self.problem.inputs {
            missing += usize::from(!input.keep && !registers.contains(&input.goal));
        }
        let excess = (registers.len() + missing + 1).saturating_sub(self.problem.writable.len());
        u32::try_from(excess).unwrap_or(u32::MAX)
    }

    /// Whether an instruction that must not write a register it reads would have to do so: its result is wanted in the
    /// register of an input that it reads and that has no copy elsewhere.
    pub(crate) fn overwrites(&self, result: GoalId, operands: &[GoalId], registers: &[GoalId]) -> bool {
        self.displacing
            .iter()
            .any(|&(wanted, input)| wanted == result && operands.contains(&input) && copies(registers, input) < 2)
    }

    /// Whether no input is needed in a register that already holds a wanted value.
    pub(crate) fn is_free_of_conflicts(&self, registers: &[GoalId]) -> bool {
        self.displacing.iter().all(|(wanted, input)| !(registers.contains(wanted) && registers.contains(input)))
    }
}

/// How often a value is among others.
pub(super) fn copies(values: &[GoalId], value: GoalId) -> usize {
    let mut copies = 0;
    for &other in values {
        copies += usize::from(other == value);
    }
    copies
}

/// The number of placements that an allocator tries before it gives up on a list of steps.
pub(crate) const MAX_TRIES: u32 = 20_000;

/// The length of the longest list of steps that an allocator tries: placing is recursive, and the stacks of build tools
/// are small.
pub(crate) const MAX_STEPS: usize = 512;

/// Registers to try for a value that is no input, the most promising first. Free registers that no input needs are all
/// alike, so one of them is enough.
pub(crate) fn free_registers(problem: &Problem, is_free: impl Fn(Reg) -> bool) -> Vec<Reg> {
    let free = || problem.writable.iter().copied().filter(|&reg| is_free(reg));
    free()
        .find(|&reg| !problem.is_of_input(reg))
        .into_iter()
        .chain(free().filter(|&reg| problem.is_of_input(reg)))
        .collect()
}
