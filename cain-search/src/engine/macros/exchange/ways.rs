//! Finds the instructions that make a value from known ones.

use super::known::KnownValues;
use crate::engine::exchange::Way;
use crate::engine::image::Image;
use crate::engine::step::FormId;

impl KnownValues<'_> {
    /// The divisions that make a half and its negative from a known value, given the half.
    pub(super) fn divisions(&self, half: Image) -> impl Iterator<Item = Way> + '_ {
        let doubles = [half.double(), -half.double()].into_iter().filter_map(|image| self.table.find_register(image));
        let form = self.steps.machine.divide;
        doubles.filter_map(move |double| form.map(|form| Way::new(form, &[double])))
    }

    /// Finds every instruction that makes the value with this image from known ones.
    pub(super) fn ways_to_one(&self, image: Image, found: &mut dyn FnMut(Way)) {
        let machine = &self.steps.machine;
        self.single_ways(image, found);
        for s in self.shifts() {
            let before = image * self.steps.undo(s);
            if let Some(form) = machine.adds[s] {
                for (a, summand) in self.images().enumerate() {
                    if let Some(b) = self.table.find_register(before - summand).filter(|&b| b < a) {
                        found(Way::new(form, &[a, b]));
                    }
                }
            }
            if let Some(form) = machine.subtracts[s] {
                for a in 0..self.table.len() {
                    if let Some(b) = self.table.find_register(self.moved(a)[s] - image).filter(|&b| b != a) {
                        found(Way::new(form, &[a, b]));
                    }
                }
            }
        }
        if let Some(form) = machine.add3 {
            for (a, first) in self.images().enumerate() {
                let rest = image - first;
                for (b, second) in self.images().take(a).enumerate() {
                    if let Some(c) = self.table.find_register(rest - second).filter(|&c| c < b) {
                        found(Way::new(form, &[a, b, c]));
                    }
                }
            }
        }
    }

    /// Finds the instructions with a single operand that make the value.
    fn single_ways(&self, image: Image, found: &mut dyn FnMut(Way)) {
        let machine = &self.steps.machine;
        let mut look = |form: Option<FormId>, operand: Image| {
            if let (Some(form), Some(operand)) = (form, self.table.find_register(operand)) {
                found(Way::new(form, &[operand]));
            }
        };
        look(Some(machine.negate), -image);
        look(self.steps.half(), image.double());
        look(machine.divide, -image.double());
        for s in self.shifts() {
            look(machine.moves[s], image * self.steps.undo(s));
        }
        for s in self.shifts() {
            if let (Some(form), Some(undo)) = (machine.differences[s], machine.shifts[s].undo_difference)
                && let Some(operand) = self.table.find_register(image * undo)
            {
                found(Way::new(form, &[operand, operand]));
            }
        }
    }

    /// Finds every instruction that makes the value with this image and takes a certain known value.
    pub(super) fn ways_with_one(&self, value: usize, image: Image, found: &mut dyn FnMut(Way)) {
        let machine = &self.steps.machine;
        let own = self.table.image(value);
        if -own == image {
            found(Way::new(machine.negate, &[value]));
        }
        if let Some(form) = self.steps.half().filter(|_| image.double() == own) {
            found(Way::new(form, &[value]));
        }
        if let Some(form) = machine.divide.filter(|_| -image.double() == own) {
            found(Way::new(form, &[value]));
        }
        for s in self.shifts() {
            let moved = self.moved(value)[s];
            if let Some(form) = machine.moves[s].filter(|_| moved == image) {
                found(Way::new(form, &[value]));
            }
            if let Some(form) = machine.differences[s].filter(|_| moved - own == image) {
                found(Way::new(form, &[value, value]));
            }
            let back = self.steps.undo(s);
            if let Some(form) = machine.adds[s]
                && let Some(other) = self.table.find_register(image * back - own).filter(|&other| other != value)
            {
                found(Way::new(form, &[value, other]));
            }
            if let Some(form) = machine.subtracts[s] {
                if let Some(other) = self.table.find_register(moved - image).filter(|&other| other != value) {
                    found(Way::new(form, &[value, other]));
                }
                if let Some(other) = self.table.find_register((image + own) * back).filter(|&other| other != value) {
                    found(Way::new(form, &[other, value]));
                }
            }
        }
        if let Some(form) = machine.add3 {
            let rest = image - own;
            for (a, first) in self.images().enumerate().filter(|(a, _)| *a != value) {
                if let Some(b) = self.table.find_register(rest - first).filter(|&b| b < a && b != value) {
                    found(Way::new(form, &[value, a, b]));
                }
            }
        }
    }
}
