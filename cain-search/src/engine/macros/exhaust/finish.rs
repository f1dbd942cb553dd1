//! Meet in the middle: everything the last instruction but one can make is looked up among the values that the last one
//! needs.

use std::ops::ControlFlow;

use super::candidates::Need;
use super::search::{End, Node, Search};
use super::values::{Index, Instruction};
use crate::engine::image::Image;
use crate::engine::terms::Term;

const X: Index = Instruction::FIRST;
const MINUS_X: Index = Instruction::SECOND;

/// Two instructions that seem to make the wanted value, judging by images.
pub(super) type Pair = (Instruction, Instruction);

impl Search<'_> {
    /// Looks for two instructions that make the wanted value. At least one of them uses something new, unless the
    /// latest instruction made a wanted value itself.
    pub(super) fn finish(&mut self, wanted: usize, node: &Node) -> ControlFlow<End> {
        let needed = self.needed.len();
        let mut found = self.meet_candidates(wanted, node);
        found = found.or_else(|| self.meet_needs(wanted, node));
        found = found.or_else(|| self.use_both_results(wanted, node));
        if !node.is_unused {
            found = found.or_else(|| self.meet_old(wanted, node));
        }
        self.needed.truncate(needed);
        match found {
            Some(pair) => ControlFlow::Break(End::Found(self.program(&[pair.0, pair.1]))),
            None => ControlFlow::Continue(()),
        }
    }

    /// Tries an earlier candidate, followed by an instruction that uses something new. Leaves the new needs in the
    /// table.
    fn meet_candidates(&mut self, wanted: usize, node: &Node) -> Option<Pair> {
        let mut needs = std::mem::take(&mut self.new_needs);
        let goal = &self.wanted[wanted];
        for v in self.values.indices(node.new) {
            self.values.needed_with(goal, v, |instruction, image| needs.push((instruction, image)));
        }
        for &a in &self.copied[node.copied..] {
            self.values.needed_with_copies(goal, a, |instruction, image| needs.push((instruction, image)));
        }
        let mut pairs = Vec::new();
        for &(instruction, image) in &needs {
            pairs.extend(self.by_result.get(image).map(|&at| (self.candidates[at].instruction, instruction)));
            self.needed.push(image, Need { wanted, instruction });
        }
        needs.clear();
        self.new_needs = needs;
        self.first_right(wanted, &pairs)
    }

    /// Tries an instruction that uses something new, followed by any need.
    fn meet_needs(&mut self, wanted: usize, node: &Node) -> Option<Pair> {
        let mut pairs = Vec::new();
        let floor = node.state.last_floor(&self.wanted);
        let mut meet = |instruction: Instruction, image: Image| {
            if self.needed.may_have(image) {
                self.look_up(wanted, instruction, image, &mut pairs);
            }
        };
        for v in self.values.indices(node.new) {
            self.values.made_with(v, &floor, &mut meet);
            if let Some(form) = self.values.machine.divide {
                let half = self.values.known(v).image.half();
                meet(Instruction::new(form, [v]), half);
                meet(Instruction::new(form, [v]), -half);
            }
        }
        for &a in &self.copied[node.copied..] {
            self.values.made_with_copies(a, &mut meet);
        }
        self.first_right(wanted, &pairs)
    }

    fn look_up(&self, wanted: usize, instruction: Instruction, image: Image, pairs: &mut Vec<Pair>) {
        for need in self.needed.get(image).filter(|need| need.wanted == wanted) {
            pairs.push((instruction, need.instruction));
        }
    }

    /// Tries a copy or a division, followed by an instruction that needs both registers or both halves.
    fn use_both_results(&mut self, wanted: usize, node: &Node) -> Option<Pair> {
        let mut pairs = Vec::new();
        let from = if node.is_unused { node.new } else { 0 };
        for v in self.values.indices(from) {
            self.double(self.wanted[wanted].image, v, &mut pairs);
            self.halve_and_join(wanted, v, &mut pairs);
            self.double_and_add(self.wanted[wanted].image, v, &mut pairs);
        }
        self.first_right(wanted, &pairs)
    }

    /// Finds S·(v + v).
    pub(super) fn double(&self, goal: Image, v: Index, pairs: &mut Vec<Pair>) {
        let machine = &self.values.machine;
        for (form, moved) in machine.adds.iter().zip(self.values.moved(v)) {
            if let Some(form) = *form
                && moved.double() == goal
            {
                pairs.push((Instruction::new(machine.copy, [v]), Instruction::new(form, [v, v])));
            }
        }
    }

    /// Finds v + v + y and v + y + y.
    pub(super) fn double_and_add(&self, goal: Image, v: Index, pairs: &mut Vec<Pair>) {
        let machine = &self.values.machine;
        let Some(form) = machine.add3 else { return };
        let image = self.values.known(v).image;
        for y in self.values.indices(0).filter(|&y| y != v) {
            let other = self.values.known(y).image;
            for (a, b, sum) in [(v, y, image.double() + other), (y, v, image + other.double())] {
                if sum == goal {
                    pairs.push((Instruction::new(machine.copy, [a]), Instruction::new(form, [a, a, b])));
                }
            }
        }
    }

    /// Finds S·v/2 + v/2, −S·v/2 − v/2, S·(−v/2 − v/2), v + v + v/2 and v + v − v/2.
    fn halve_and_join(&self, wanted: usize, v: Index, pairs: &mut Vec<Pair>) {
        let (goal, machine) = (self.wanted[wanted].image, &self.values.machine);
        let Some(divide) = machine.divide else { return };
        let first = Instruction::new(divide, [v]);
        let half = self.values.known(v).image.half();
        if let Some(form) = machine.add3 {
            let double = self.values.known(v).image.double();
            for (x, sum) in [(X, double + half), (MINUS_X, double - half)] {
                if sum == goal {
                    pairs.push((first, Instruction::new(form, [v, v, x])));
                }
            }
        }
        let forms = machine.adds.iter().zip(&machine.subtracts);
        for ((add, subtract), &moved) in forms.zip(self.values.moved(v)) {
            if let Some(form) = *subtract {
                let sum = moved.half() + half;
                if sum == goal {
                    pairs.push((first, Instruction::new(form, [X, MINUS_X])));
                }
                if -sum == goal {
                    pairs.push((first, Instruction::new(form, [MINUS_X, X])));
                }
            }
            if let Some(form) = *add
                && -moved == goal
            {
                pairs.push((first, Instruction::new(form, [MINUS_X, MINUS_X])));
            }
        }
    }

    /// Tries a candidate that is still open, followed by any need.
    fn meet_old(&mut self, wanted: usize, node: &Node) -> Option<Pair> {
        let mut pairs = Vec::new();
        for choice in &self.choices[node.choices.clone()] {
            let candidate = &self.candidates[choice.candidate];
            for image in candidate.images() {
                self.look_up(wanted, candidate.instruction, image, &mut pairs);
            }
        }
        self.first_right(wanted, &pairs)
    }

    /// The first pair that really makes the wanted value.
    fn first_right(&mut self, wanted: usize, pairs: &[Pair]) -> Option<Pair> {
        pairs.iter().find_map(|&(first, second)| {
            let Some(mut results) = self.values.results(first, &[]) else {
                self.overflowed = true;
                return None;
            };
            if self.is_right(wanted, &results, second) {
                return Some((first, second));
            }
            // Needs refer to the result that they use as the first one; of a division, it may be the second.
            results.reverse();
            self.is_right(wanted, &results, second).then(|| (first, second.with_results_swapped()))
        })
    }

    /// Whether an instruction makes the wanted value, given the results of the instruction before it.
    fn is_right(&mut self, wanted: usize, before: &[Vec<Term>], last: Instruction) -> bool {
        let Some(results) = self.values.results(last, before) else {
            self.overflowed = true;
            return false;
        };
        let allowed = before.iter().chain(&results).all(|value| self.is_allowed(value));
        allowed && results.contains(&self.wanted[wanted].terms)
    }
}
