//! Decides what need not be tried; the proofs are in [`super`].

use super::candidates::{Candidate, Made};
use super::residue::Residue;
use super::search::{Choice, Node, Search};
use super::size::Floor;
use super::state::State;
use super::values::Value;
use super::wanted::members;
use crate::engine::image::Image;

impl Search<'_> {
    /// Whether every remaining instruction has to produce a wanted value.
    pub(super) fn needs_producers(&self, left: u32, node: &Node) -> bool {
        node.state.producers(&self.wanted, self.divides()) == left
    }

    /// Whether a value with this image may be a missing one.
    pub(super) fn is_missing(&self, node: &Node, image: Image) -> bool {
        members(node.state.missing).any(|i| self.wanted[i].image == image)
    }

    /// If every remaining instruction must produce a wanted value: can the next one? True otherwise.
    pub(super) fn is_in_reach(&self, left: u32, node: &Node) -> bool {
        if !self.needs_producers(left, node) || node.state.missing.count_ones() > left {
            return true;
        }
        let missing = node.state.missing;
        let new = self.values.indices(node.new);
        // Old values make a wanted value only as they did before; a single new value is looked up in the table of
        // needs.
        let has_candidate = || members(missing).any(|i| self.by_result.get(self.wanted[i].image).next().is_some());
        let needed = |image: Image| self.needed.get(image).any(|need| missing >> need.wanted & 1 == 1);
        new.len() != 1
            || node.copied < self.copied.len()
            || new.clone().any(|v| needed(self.values.known(v).image))
            || has_candidate()
    }

    /// Adds a candidate to the choices unless a bound rules it out.
    pub(super) fn choose(&mut self, number: usize, left: u32, node: &Node, floor: &Floor) {
        let mut state = node.state;
        let Candidate { instruction, made } = &self.candidates[number];
        let (wanted, divides) = (&self.wanted, self.divides());
        let operand = || self.values.known(instruction.operands().next().unwrap_or_default());
        let open = match made {
            Made::Value(value) if self.values.find(value.image, self.values.terms(value)).is_some() => false,
            Made::Value(value) if self.values.machine.halve == Some(instruction.form) => {
                self.note(&mut state, value);
                state.is_open(wanted, divides, left)
            }
            Made::Value(value) => {
                floor.allows(value.size) && {
                    self.note(&mut state, value);
                    state.is_open_but_for_sizes(wanted, divides, left)
                }
            }
            Made::Halves(plus, minus) => {
                state.is_astray = self.leads_astray(&state, plus);
                self.note(&mut state, plus);
                self.note(&mut state, minus);
                // The additional registers, see `take_candidate`.
                state.tops.add(minus.size, false);
                state.tops.add(operand().size, false);
                state.is_open(wanted, divides, left)
            }
            Made::Copy => {
                state.tops.add(operand().size, false);
                state.is_open(wanted, divides, left)
            }
        };
        if open {
            self.choices.push(Choice { candidate: number, state });
        }
    }

    /// Whether, once this half is known, the residue of the known values no longer divides that of the single wanted
    /// value.
    fn leads_astray(&self, state: &State, half: &Value) -> bool {
        let [wanted] = self.wanted.as_slice() else { return false };
        if half.valuation > state.valuation {
            return state.is_astray;
        }
        let is_finest = wanted.valuation <= half.valuation && half.valuation < state.valuation;
        is_finest && !Residue::of(self.values.terms(half)).divides(&wanted.residue)
    }

    /// Updates a state for a value that becomes known.
    pub(super) fn note(&self, state: &mut State, value: &Value) {
        state.missing &= !value.wanted;
        state.rays |= value.rays;
        state.valuation = state.valuation.min(value.valuation);
        state.tops.add(value.size, !self.values.has_support(value));
    }

    /// Whether `left` instructions are enough to use all unused results.
    pub(super) fn can_use_all(&self, left: u32, node: &Node) -> bool {
        let operands = if self.values.machine.add3.is_some() { 3 } else { 2 };
        let wanted = node.state.missing.count_ones().min(left);
        node.unused.len() <= ((operands - 1) * left + wanted) as usize
    }

    /// Whether some symmetry maps a candidate at the start to an earlier one.
    pub(super) fn has_earlier_image(&self, number: usize) -> bool {
        let Made::Value(value) = &self.candidates[number].made else { return false };
        self.symmetries.iter().any(|symmetry| {
            let terms = symmetry.apply(self.values.terms(value));
            let made_by = |&other: &usize| other < number && self.makes(&self.candidates[other], &terms);
            self.by_result.get(Image::of(&terms)).any(made_by)
        })
    }
}
