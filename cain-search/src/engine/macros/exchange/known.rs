//! Values that are known, by their images.

use hashbrown::HashTable;

use super::Set;
use super::graph::Needs;
use super::ways::Way;
use crate::engine::field::Image;
use crate::engine::macros::forms::{Forms, Shape};
use crate::engine::macros::machine::Machine;
use crate::engine::step::FormId;

/// An instruction set, for the search in two directions: what instructions make, and what they need.
pub(super) struct Steps<'a> {
    pub(super) forms: &'a Forms,
    pub(super) machine: Machine,
    /// Makes a half without its negative.
    halve: Option<FormId>,
}

/// Values that are known.
pub(super) struct Known<'a> {
    pub(super) steps: &'a Steps<'a>,
    pub(super) images: Vec<Image>,
    /// The nodes that they belong to.
    owners: Vec<Set>,
    /// For each value and each shift, the image of the value moved; and moved back.
    moved: Vec<Image>,
    back: Vec<Image>,
    table: HashTable<(Image, usize)>,
    /// How many values are in the table.
    listed: usize,
    /// Which hashes are in the table, in bits: most images that are looked up are not.
    used: [u64; SLOTS / 64],
}

const SLOTS: usize = 1 << 12;

impl<'a> Steps<'a> {
    /// `None` if the instruction set is not made for it.
    pub(super) fn of(forms: &'a Forms) -> Option<Self> {
        let halve = forms.shaped(Shape::Halve).next().map(|(id, _)| id);
        Some(Self { forms, machine: Machine::of(forms)?, halve })
    }

    /// What undoes a shift.
    pub(super) fn undo(&self, shift: usize) -> Image {
        self.machine.shifts[self.machine.shifts[shift].opposite].image
    }

    /// The form that makes a half.
    pub(super) fn half(&self) -> Option<FormId> {
        self.halve.or(self.machine.divide)
    }
}

impl<'a> Known<'a> {
    pub(super) fn new(steps: &'a Steps<'a>, values: impl Iterator<Item = (Image, Set)>) -> Self {
        let mut known = Self {
            steps,
            images: Vec::new(),
            owners: Vec::new(),
            moved: Vec::new(),
            back: Vec::new(),
            table: HashTable::new(),
            listed: 0,
            used: [0; SLOTS / 64],
        };
        for (image, owner) in values {
            known.push(image, owner);
            known.table.insert_unique(image.hash(), (image, known.listed), |entry| entry.0.hash());
            let (word, bit) = slot(image);
            known.used[word] |= bit;
            known.listed += 1;
        }
        known
    }

    fn push(&mut self, image: Image, owner: Set) {
        let shifts = &self.steps.machine.shifts;
        self.images.push(image);
        self.owners.push(owner);
        let start = self.moved.len();
        self.moved.extend(shifts.iter().map(|shift| shift.image * image));
        let moved = &self.moved[start..];
        self.back.extend(shifts.iter().map(|shift| moved[shift.opposite]));
    }

    pub(super) fn len(&self) -> usize {
        self.images.len()
    }

    /// The number of the value with that image.
    #[inline]
    pub(super) fn find(&self, image: Image) -> Option<usize> {
        let (word, bit) = slot(image);
        if self.used[word] & bit == 0 {
            return None;
        }
        self.table.find(image.hash(), |entry| entry.0 == image).map(|entry| entry.1)
    }

    pub(super) fn image(&self, value: usize) -> Image {
        self.images[value]
    }

    /// The node that a value belongs to.
    pub(super) fn owner(&self, value: usize) -> Set {
        self.owners[value]
    }

    /// Adds a value, in the place of the one that was last tried, for [`ways_with`](Self::ways_with) alone: nothing else
    /// finds it. Returns its number.
    pub(super) fn try_out(&mut self, image: Image, owner: Set) -> usize {
        let (number, shifts) = (self.listed, self.steps.machine.shifts.len());
        self.images.truncate(number);
        self.owners.truncate(number);
        self.moved.truncate(number * shifts);
        self.back.truncate(number * shifts);
        self.push(image, owner);
        number
    }

    /// The nodes that a way takes values of.
    pub(super) fn needs(&self, way: &Way) -> Needs {
        let form = self.steps.forms.get(way.form);
        let nodes = way.operands().fold(0, |set, operand| set | self.owners[operand]);
        // A value that is taken twice may be overwritten where both places allow it.
        let kept = way.operands().zip(form.shares).filter(|(_, shares)| !shares);
        let kept = kept.fold(0, |set, (operand, _)| set | self.owners[operand]);
        Needs { nodes, overwritten: nodes & !kept }
    }

    pub(super) fn shifts(&self) -> std::ops::Range<usize> {
        0..self.steps.machine.shifts.len()
    }

    pub(super) fn moved(&self, value: usize) -> &[Image] {
        &self.moved[value * self.steps.machine.shifts.len()..]
    }

    pub(super) fn back(&self, value: usize) -> &[Image] {
        &self.back[value * self.steps.machine.shifts.len()..]
    }
}

/// The bit of an image among those of [`Known::used`].
#[inline]
fn slot(image: Image) -> (usize, u64) {
    let slot = image.low_bits(SLOTS as u64 - 1);
    (slot / 64, 1 << (slot % 64))
}
