//! Finds what new values make possible: further candidates, and further ways to make wanted values.

use super::candidates::{Candidate, Made, Need};
use super::search::{Node, Search};
use super::size::Floor;
use super::values::{Index, Instruction, Value, Values};
use super::wanted::{Wanted, members};
use crate::engine::image::Image;
use crate::engine::terms::Term;

impl Search<'_> {
    /// Adds the candidates and needs that new values and copies give rise to.
    pub(super) fn expand(&mut self, left: u32, node: &Node, floor: &Floor) {
        let producers_only = self.needs_producers(left, node);
        let mut made = Vec::new();
        for v in self.values.indices(node.new) {
            self.values.made_with(v, floor, |instruction, image| made.push((instruction, image)));
            for (instruction, image) in made.drain(..) {
                if !producers_only || self.is_missing(node, image) {
                    self.add_value(instruction, image);
                }
            }
            self.add_halves(v);
            let copy = Instruction::new(self.values.machine.copy, [v]);
            if self.values.registers(v) == 1 {
                self.candidates.push(Candidate { instruction: copy, made: Made::Copy });
            }
            self.need(node, |values, wanted, sink| values.needed_with(wanted, v, sink));
        }
        for at in node.copied..self.copied.len() {
            let a = self.copied[at];
            self.values.made_with_copies(a, |instruction, image| made.push((instruction, image)));
            for (instruction, image) in made.drain(..) {
                if !producers_only || self.is_missing(node, image) {
                    self.add_value(instruction, image);
                }
            }
            self.need(node, |values, wanted, sink| values.needed_with_copies(wanted, a, sink));
        }
    }

    fn need(&mut self, node: &Node, of: impl Fn(&Values<'_>, &Wanted, &mut dyn FnMut(Instruction, Image))) {
        for wanted in members(node.state.missing) {
            let needed = &mut self.needed;
            of(&self.values, &self.wanted[wanted], &mut |instruction, image| {
                needed.push(image, Need { wanted, instruction });
            });
        }
    }

    /// Adds a candidate, unless its value is known or made by another candidate.
    pub(super) fn add_value(&mut self, instruction: Instruction, image: Image) {
        let mut terms = std::mem::take(&mut self.buffer);
        if !self.values.compute(instruction, &[], &mut terms) {
            self.overflowed = true;
        } else if self.is_allowed(&terms) && !self.is_known_or_candidate(image, &terms) {
            let value = self.store(&terms, image);
            self.by_result.push(image, self.candidates.len());
            self.candidates.push(Candidate { instruction, made: Made::Value(value) });
        }
        self.buffer = terms;
    }

    /// Whether a program may contain a value.
    pub(super) fn is_allowed(&self, terms: &[Term]) -> bool {
        !terms.is_empty() && self.bound.allows(terms)
    }

    fn is_known_or_candidate(&self, image: Image, terms: &[Term]) -> bool {
        let makes = |&at: &usize| self.makes(&self.candidates[at], terms);
        self.by_result.get(image).any(makes) || self.values.find(image, terms).is_some()
    }

    /// Whether a candidate makes the value with these terms.
    pub(super) fn makes(&self, candidate: &Candidate, terms: &[Term]) -> bool {
        let same = |value: &Value| self.values.terms(value) == terms;
        match &candidate.made {
            Made::Value(value) => same(value),
            Made::Halves(plus, minus) => same(plus) || same(minus),
            Made::Copy => false,
        }
    }

    pub(super) fn add_halves(&mut self, v: Index) {
        let Some(form) = self.values.machine.divide else { return };
        let instruction = Instruction::new(form, [v]);
        let Some(halves) = self.values.results(instruction, &[]) else {
            self.overflowed = true;
            return;
        };
        let image = self.values.known(v).image.half();
        let [plus, minus] = [(image, &halves[0]), (-image, &halves[1])].map(|(image, half)| {
            self.by_result.push(image, self.candidates.len());
            self.store(half, image)
        });
        self.candidates.push(Candidate { instruction, made: Made::Halves(plus, minus) });
    }
}
