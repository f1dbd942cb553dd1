//! Known values, with all their shifts.

use std::ops::Range;

use crate::engine::exchange::{Filter, Held, Known, Needs, Set, Sieve, Table, Way};
use crate::engine::image::Image;
use crate::engine::macros::forms::Forms;
use crate::engine::macros::forms::Shape;
use crate::engine::macros::machine::Machine;
use crate::engine::step::FormId;

/// The macro instructions of a search.
pub(crate) struct MacroSteps<'a> {
    pub(super) forms: &'a Forms,
    pub(super) machine: Machine,
    /// The form that makes a half without its negative.
    halve: Option<FormId>,
}

/// Known values and their shifted images.
pub(crate) struct KnownValues<'a> {
    pub(super) steps: &'a MacroSteps<'a>,
    pub(super) table: Table,
    /// For each value and each shift, the image of the value moved by it.
    moved: Vec<Image>,
    back: Vec<Image>,
}

impl<'a> MacroSteps<'a> {
    /// The interface to a set of forms; `None` if the exchange cannot work with this instruction set.
    pub(crate) fn of(forms: &'a Forms) -> Option<Self> {
        let halve = forms.shaped(Shape::Halve).next().map(|(id, _)| id);
        Some(Self { forms, machine: Machine::of(forms)?, halve })
    }

    /// The factor that undoes a shift.
    pub(super) fn undo(&self, shift: usize) -> Image {
        self.machine.shifts[self.machine.shifts[shift].opposite].image
    }

    /// The form that makes a half, with or without its negative.
    pub(super) fn half(&self) -> Option<FormId> {
        self.halve.or(self.machine.divide)
    }
}

impl<'a> KnownValues<'a> {
    pub(super) fn new(steps: &'a MacroSteps<'a>, table: Table) -> Self {
        // Room for one more value, which is tried out.
        let images = (table.len() + 1) * steps.machine.shifts.len();
        let (moved, back) = (Vec::with_capacity(images), Vec::with_capacity(images));
        let mut known = Self { steps, table, moved, back };
        for number in 0..known.table.len() {
            known.push(number);
        }
        known
    }

    fn push(&mut self, number: usize) {
        let shifts = &self.steps.machine.shifts;
        let image = self.table.image(number);
        let start = self.moved.len();
        self.moved.extend(shifts.iter().map(|shift| shift.image * image));
        let moved = &self.moved[start..];
        self.back.extend(shifts.iter().map(|shift| moved[shift.opposite]));
    }

    /// The images of all values, in the order of their numbers.
    pub(super) fn images(&self) -> impl Iterator<Item = Image> + Clone + '_ {
        self.table.held().iter().map(|held| held.image)
    }

    pub(super) fn shifts(&self) -> Range<usize> {
        0..self.steps.machine.shifts.len()
    }

    pub(super) fn moved(&self, value: usize) -> &[Image] {
        &self.moved[value * self.steps.machine.shifts.len()..]
    }

    pub(super) fn back(&self, value: usize) -> &[Image] {
        &self.back[value * self.steps.machine.shifts.len()..]
    }
}

impl Known for KnownValues<'_> {
    fn table(&self) -> &Table {
        &self.table
    }

    fn try_out(&mut self, value: Held, owner: Set) -> usize {
        let number = self.table.try_out(value, owner);
        let shifts = self.steps.machine.shifts.len();
        self.moved.truncate(number * shifts);
        self.back.truncate(number * shifts);
        self.push(number);
        number
    }

    fn needs(&self, way: &Way) -> Needs {
        let form = self.steps.forms.get(way.form);
        let registers = way.operands().fold(0, |set, operand| set | self.table.owner(operand));
        // A value that is used twice may be overwritten only if both operands allow it.
        let kept = way.operands().zip(form.shares).filter(|(_, shares)| !shares);
        let kept = kept.fold(0, |set, (operand, _)| set | self.table.owner(operand));
        // A division writes a half and its negative.
        let cells = if form.shape == Shape::Divide { 2 } else { 1 };
        Needs { registers, overwritten: registers & !kept, cells, ..Needs::default() }
    }

    fn ways_to(&self, values: &[Held], found: &mut dyn FnMut(Way)) {
        match values {
            [value] => self.ways_to_one(value.image, found),
            halves => halves.iter().flat_map(|half| self.divisions(half.image)).for_each(found),
        }
    }

    fn ways_with(&self, number: usize, values: &[Held], found: &mut dyn FnMut(Way)) {
        match values {
            [value] => self.ways_with_one(number, value.image, found),
            halves => {
                let divide = self.steps.machine.divide;
                let is_half = |half: &Held| half.image.double() == self.table.image(number);
                if let Some(form) = divide.filter(|_| halves.iter().any(is_half)) {
                    found(Way::new(form, &[number]));
                }
            }
        }
    }

    fn made_at_most(&self) -> usize {
        self.most_images()
    }

    fn made(&self, filter: &mut Filter) {
        self.images_made(|image| filter.insert(Held::in_register(image)));
    }

    fn needed(&self, value: Held, sieve: &mut Sieve<'_>) {
        self.images_needed(value.image, |image| sieve.look_up(Held::in_register(image)));
    }
}
