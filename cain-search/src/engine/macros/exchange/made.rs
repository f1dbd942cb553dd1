//! Enumerates everything that one instruction makes from known values, and everything from which one instruction makes
//! a certain value.

use super::known::KnownValues;
use crate::engine::image::Image;

impl KnownValues<'_> {
    /// An upper bound on the number of [images made](Self::images_made).
    pub(super) fn most_images(&self) -> usize {
        let (values, shifts) = (self.table.len(), self.shifts().len());
        values * (3 + 2 * shifts) + 2 * shifts * values * values + values * values * values / 6
    }

    /// Finds the images of everything that an instruction makes from known values.
    pub(super) fn images_made(&self, mut found: impl FnMut(Image)) {
        let machine = &self.steps.machine;
        for (a, first) in self.images().enumerate() {
            found(-first);
            if self.steps.half().is_some() {
                found(first.half());
            }
            if machine.divide.is_some() {
                found(-first.half());
            }
            for s in self.shifts() {
                let moved = self.moved(a)[s];
                if machine.moves[s].is_some() {
                    found(moved);
                }
                if machine.differences[s].is_some() {
                    found(moved - first);
                }
                if machine.adds[s].is_some() {
                    (0..a).for_each(|b| found(moved + self.moved(b)[s]));
                }
                if machine.subtracts[s].is_some() {
                    self.images().for_each(|second| found(moved - second));
                }
            }
            if machine.add3.is_some() {
                for (b, second) in self.images().take(a).enumerate() {
                    let sum = first + second;
                    self.images().take(b).for_each(|third| found(sum + third));
                }
            }
        }
    }

    /// Finds the images of everything from which, alone or with known values, an instruction makes the value with this
    /// image.
    pub(super) fn images_needed(&self, image: Image, mut found: impl FnMut(Image)) {
        let machine = &self.steps.machine;
        found(-image);
        found(image.double());
        found(-image.double());
        for s in self.shifts() {
            let before = image * self.steps.undo(s);
            if machine.moves[s].is_some() {
                found(before);
            }
            if let (Some(_), Some(undo)) = (machine.differences[s], machine.shifts[s].undo_difference) {
                found(image * undo);
            }
            if machine.adds[s].is_some() {
                self.images().for_each(|other| found(before - other));
            }
            if machine.subtracts[s].is_some() {
                for other in 0..self.table.len() {
                    found(self.moved(other)[s] - image);
                    found(before + self.back(other)[s]);
                }
            }
        }
        if machine.add3.is_some() {
            for (a, first) in self.images().enumerate() {
                let rest = image - first;
                self.images().take(a).for_each(|second| found(rest - second));
            }
        }
    }
}
