//! What is not tried, see the proofs in [`super`].

use super::candidates::{Made, Offer};
use super::search::{Choice, Node, Search};
use super::size::Floor;
use super::state::Outlook;
use super::targets::members;
use super::values::Value;
use crate::engine::field::Image;

impl Search<'_> {
    /// Whether every instruction left has to make a target.
    pub(super) fn needs_gifts(&self, left: u32, node: &Node) -> bool {
        node.outlook.gifts(&self.targets, self.divides()) == left
    }

    /// Whether something with that image may be a missing target.
    pub(super) fn is_missing(&self, node: &Node, image: Image) -> bool {
        members(node.outlook.missing).any(|i| self.targets[i].image == image)
    }

    /// Where every instruction left has to make a target: whether one of them can do so now.
    pub(super) fn is_in_reach(&self, left: u32, node: &Node) -> bool {
        if !self.needs_gifts(left, node) || node.outlook.missing.count_ones() > left {
            return true;
        }
        let missing = node.outlook.missing;
        let new = self.values.indices(node.new);
        // What was known before makes a target only as it did before; one new value is in the table of needs.
        let offered = || members(missing).any(|i| self.offered.get(self.targets[i].image).next().is_some());
        let needed = |image: Image| self.needed.get(image).any(|need| missing >> need.target & 1 == 1);
        new.len() != 1
            || node.copied < self.copied.len()
            || new.clone().any(|v| needed(self.values.known(v).image))
            || offered()
    }

    /// Adds an offer to the choices if it leads anywhere.
    pub(super) fn choose(&mut self, number: usize, left: u32, node: &Node, floor: &Floor) {
        let mut outlook = node.outlook;
        let Offer { instruction, made } = &self.offers[number];
        let (targets, divides) = (&self.targets, self.divides());
        let operand = || self.values.known(instruction.operands().next().unwrap_or_default());
        let open = match made {
            Made::Value(value) if self.values.find(value.image, self.values.terms(value)).is_some() => false,
            Made::Value(value) if self.values.machine.halve == Some(instruction.form) => {
                self.note(&mut outlook, value);
                outlook.is_open(targets, divides, left)
            }
            Made::Value(value) => {
                floor.allows(value.size) && {
                    self.note(&mut outlook, value);
                    outlook.is_open_but_for_sizes(targets, divides, left)
                }
            }
            Made::Halves(plus, minus) => {
                self.note(&mut outlook, plus);
                self.note(&mut outlook, minus);
                // The further registers, see `take_offer`.
                outlook.tops.add(minus.size, false);
                outlook.tops.add(operand().size, false);
                outlook.is_open(targets, divides, left)
            }
            Made::Copy => {
                outlook.tops.add(operand().size, false);
                outlook.is_open(targets, divides, left)
            }
        };
        if open {
            self.choices.push(Choice { offer: number, outlook });
        }
    }

    /// Takes note of a value that becomes known.
    pub(super) fn note(&self, outlook: &mut Outlook, value: &Value) {
        outlook.missing &= !value.targets;
        outlook.rays |= value.rays;
        outlook.valuation = outlook.valuation.min(value.valuation);
        outlook.tops.add(value.size, !self.values.has_support(value));
    }

    /// Whether so many instructions can make use of everything.
    pub(super) fn can_pay(&self, left: u32, node: &Node) -> bool {
        let operands = if self.values.machine.add3.is_some() { 3 } else { 2 };
        let targets = node.outlook.missing.count_ones().min(left);
        node.debts.len() <= ((operands - 1) * left + targets) as usize
    }

    /// Whether some symmetry takes an offer at the start to an earlier one.
    pub(super) fn has_earlier_image(&self, number: usize) -> bool {
        let Made::Value(value) = &self.offers[number].made else { return false };
        self.symmetries.iter().any(|symmetry| {
            let terms = symmetry.apply(self.values.terms(value));
            let made_by = |&other: &usize| other < number && self.makes(&self.offers[other], &terms);
            self.offered.get(Image::of(&terms)).any(made_by)
        })
    }
}
