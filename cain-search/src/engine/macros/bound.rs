//! A lower bound on the number of instructions of a program.
//!
//! **Theorem.** A program over the macro instructions of [`Op`](cain_isa::Op) that makes a bag of goals from its
//! inputs has at least `h + max(⌈log2 s⌉, t)` instructions, where
//!
//! - `2^h` is the largest denominator of a weight of any goal, in lowest terms,
//! - `s` is the largest number of pixels of one input channel on which a goal depends,
//! - `t` is the number of goals that differ from each other, and from every input, by more than a factor ±2^k.
//!
//! *Proof.* Call `divq`, `div` and `diva` divisions and all other instructions combinations; the two kinds are counted
//! separately.
//!
//! Divisions: a combination adds and subtracts values, so the denominator of its result divides the largest denominator
//! of its operands; a division at most doubles it. So a weight with the denominator `2^h` takes `h` divisions.
//!
//! Combinations: the results of a division are ±1/2 or 1 times its operand. So every value is ±2^k times an input or
//! the result of a combination, and each combination has one result: `t` goals need `t` combinations. Now consider the
//! terms of one channel, and let the support of a value be the set of their positions. A division makes no new support,
//! a combination at most one. Claim: after `n` combinations no support is larger than `2^n`. A combination of two
//! operands at most doubles the largest. A combination of three (`add`) does not move its operands relative to each
//! other, so it only gains from operands with different supports, each of which was made by a different combination; by
//! induction it reaches at most `2^(n−1) + 2^(n−2) + 2^(n−3) < 2^n`, and at the start there is one support, of one
//! pixel. ∎
//!
//! Assumptions: the instruction sets of this crate, exact arithmetic, goals as they are after any approximation. The
//! proof does not use registers, aliasing or the places of values, so the bound holds for every machine; it is not
//! sharp.

use crate::engine::distinct::Distinct;
use crate::engine::goals::{GoalId, Goals};
use crate::engine::problem::Problem;

/// The bound of the theorem for the goals of a bag that are not inputs.
pub(crate) fn lower_bound(problem: &Problem, goals: &Goals, open: impl Iterator<Item = GoalId>) -> u32 {
    // A goal that is not there yet takes at least one instruction.
    let mut any = 0;
    let (mut halvings, mut support, mut different) = (0, 1_u32, 0);
    let mut rays = Distinct::new();
    for input in &problem.inputs {
        rays.insert(goals.features(input.goal).ray);
    }
    for goal in open {
        any = 1;
        let features = goals.features(goal);
        halvings = halvings.max(problem.scale.saturating_sub(features.valuation));
        support = support.max(features.support);
        different += u32::from(rays.insert(features.ray));
    }
    let doublings = support.next_power_of_two().ilog2();
    (halvings + doublings.max(different)).max(any)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use cain_analysis::prove::{Polynomial, Prover};
    use cain_isa::{Direction, HostController, Machine, Reg};

    use super::{Problem, lower_bound};
    use crate::engine::instructions::every_instruction;
    use crate::engine::macros::weights::weighing;
    use crate::{Declaration, Input, InstructionSet, Options, Output};

    /// The contents of the registers that hold something.
    fn values(prover: &Prover) -> Vec<Option<Polynomial>> {
        [Reg::A, Reg::B, Reg::C].map(|reg| prover.value(reg).cloned()).to_vec()
    }

    fn bound(values: &[Option<Polynomial>]) -> u32 {
        let outputs = values
            .iter()
            .flatten()
            .zip(0..)
            .map(|(kernel, reg)| Output { reg: Reg::from_index(reg), kernel: kernel.clone() });
        let declaration = Declaration {
            name: String::new(),
            inputs: vec![Input { reg: Reg::A, keep: false }],
            outputs: outputs.collect(),
            scratch: vec![],
            machine: Machine::SCAMP5,
            options: Options { instructions: InstructionSet::Macro, ..Options::default() },
        };
        let (problem, goals) = Problem::new(&declaration, weighing(&declaration)).unwrap();
        let open = problem.wanted.iter().map(|wanted| wanted.0).filter(|&goal| goal != problem.inputs[0].goal);
        lower_bound(&problem, &goals, open)
    }

    /// For programs of one and two instructions, and a sample of those of three, the bound never exceeds their length.
    #[test]
    fn no_short_program_beats_the_bound() {
        let registers = [Reg::A, Reg::B, Reg::C];
        let instructions = every_instruction(&registers, &[Direction::East, Direction::West]);
        let mut layer = vec![Prover::new(&[Reg::A])];
        let mut seen: BTreeSet<_> = layer.iter().map(values).collect();
        for length in 1..=3 {
            let mut next = Vec::new();
            for prover in &layer {
                for &instruction in &instructions {
                    let mut after = prover.clone();
                    if after.execute(instruction).is_ok() && seen.insert(values(&after)) {
                        assert!(bound(&values(&after)) <= length, "{instruction} after {:?}", values(prover));
                        next.push(after);
                    }
                }
            }
            // Continuing from every state would take minutes.
            next.truncate(400);
            layer = next;
        }
        assert!(seen.len() > 10_000);
    }
}
