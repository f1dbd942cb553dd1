//! What one instruction makes from known values, and which operand it would need to make a wanted value; all in images.

use super::size::Floor;
use super::values::{Index, Instruction, Values};
use super::wanted::Wanted;
use crate::engine::image::Image;

const X: Index = Instruction::FIRST;

impl Values<'_> {
    /// Finds everything that one instruction makes from the `v`-th value and earlier ones, except divisions and copies.
    /// Sums that are evidently below the floor are left out.
    #[inline]
    pub(super) fn made_with(&self, v: Index, floor: &Floor, mut sink: impl FnMut(Instruction, Image)) {
        let size = self.known(v).size;
        if floor.allows(size) {
            self.made_of_one(v, &mut sink);
        }
        if let Some(form) = self.machine.halve {
            sink(Instruction::new(form, [v]), self.known(v).image.half());
        }
        if floor.allows(size.plus(size)) {
            self.differences(v, &mut sink);
        }
        for y in (0..v).filter(|&y| floor.allows(size.plus(self.known(y).size))) {
            self.made_of_pair(v, y, &mut sink);
        }
        self.made_of_three(v, floor, &mut sink);
    }

    #[inline]
    fn made_of_one(&self, v: Index, sink: &mut impl FnMut(Instruction, Image)) {
        let machine = &self.machine;
        for (form, &moved) in machine.moves.iter().zip(self.moved(v)) {
            if let Some(form) = *form {
                sink(Instruction::new(form, [v]), moved);
            }
        }
        sink(Instruction::new(machine.negate, [v]), -self.known(v).image);
    }

    #[inline]
    fn differences(&self, v: Index, sink: &mut impl FnMut(Instruction, Image)) {
        let image = self.known(v).image;
        for (form, &moved) in self.machine.differences.iter().zip(self.moved(v)) {
            if let Some(form) = *form {
                sink(Instruction::new(form, [v, v]), moved - image);
            }
        }
    }

    #[inline]
    fn made_of_three(&self, v: Index, floor: &Floor, sink: &mut impl FnMut(Instruction, Image)) {
        let Some(form) = self.machine.add3 else { return };
        let first = self.known(v);
        for y in 0..v {
            let second = self.known(y);
            let (size, sum) = (first.size.plus(second.size), first.image + second.image);
            for z in (0..y).filter(|&z| floor.allows(size.plus(self.known(z).size))) {
                sink(Instruction::new(form, [v, y, z]), sum + self.known(z).image);
            }
            if self.registers(y) > 1 && floor.allows(size.plus(second.size)) {
                sink(Instruction::new(form, [v, y, y]), sum + second.image);
            }
        }
    }

    #[inline]
    fn made_of_pair(&self, v: Index, y: Index, sink: &mut impl FnMut(Instruction, Image)) {
        let (a, b) = (self.known(v).image, self.known(y).image);
        let (forms, moved) = (&self.machine, self.moved(v).iter().zip(self.moved(y)));
        for (form, (&p, &q)) in forms.adds.iter().zip(moved.clone()) {
            if let Some(form) = *form {
                sink(Instruction::new(form, [v, y]), p + q);
            }
        }
        for (form, (&p, &q)) in forms.subtracts.iter().zip(moved) {
            if let Some(form) = *form {
                sink(Instruction::new(form, [v, y]), p - b);
                sink(Instruction::new(form, [y, v]), q - a);
            }
        }
    }

    /// Finds everything that one instruction makes from a value that is in two registers or more.
    pub(super) fn made_with_copies(&self, a: Index, mut sink: impl FnMut(Instruction, Image)) {
        for (form, &moved) in self.machine.adds.iter().zip(self.moved(a)) {
            if let Some(form) = *form {
                sink(Instruction::new(form, [a, a]), moved.double());
            }
        }
        let Some(form) = self.machine.add3 else { return };
        let double = self.known(a).image.double();
        for b in self.indices(0) {
            if b != a || self.registers(a) > 2 {
                sink(Instruction::new(form, [a, a, b]), double + self.known(b).image);
            }
        }
    }

    /// Finds the operands from which an instruction makes the wanted value without known values.
    pub(super) fn needed_alone(&self, wanted: &Wanted, mut sink: impl FnMut(Instruction, Image)) {
        let machine = &self.machine;
        for (s, shift) in machine.shifts.iter().enumerate() {
            if let Some(form) = machine.moves[s] {
                sink(Instruction::new(form, [X]), wanted.back[s]);
            }
            if let (Some(form), Some(inverse)) = (machine.differences[s], shift.undo_difference) {
                sink(Instruction::new(form, [X, X]), wanted.image * inverse);
            }
        }
        sink(Instruction::new(machine.negate, [X]), -wanted.image);
        for form in machine.halve.into_iter().chain(machine.divide) {
            sink(Instruction::new(form, [X]), wanted.image.double());
        }
        if let Some(form) = machine.divide {
            sink(Instruction::new(form, [X]), -wanted.image.double());
        }
    }

    /// Finds the operands from which an instruction makes the wanted value together with the `v`-th value and earlier
    /// ones.
    #[inline]
    pub(super) fn needed_with(&self, wanted: &Wanted, v: Index, mut sink: impl FnMut(Instruction, Image)) {
        let machine = &self.machine;
        let image = self.known(v).image;
        for (form, &before) in machine.adds.iter().zip(&wanted.back) {
            if let Some(form) = *form {
                sink(Instruction::new(form, [X, v]), before - image);
            }
        }
        let images = wanted.back.iter().zip(self.back(v)).zip(self.moved(v));
        for (form, ((&before, &back), &moved)) in machine.subtracts.iter().zip(images) {
            if let Some(form) = *form {
                sink(Instruction::new(form, [X, v]), before + back);
                sink(Instruction::new(form, [v, X]), moved - wanted.image);
            }
        }
        if let Some(form) = machine.add3 {
            for y in 0..v {
                sink(Instruction::new(form, [X, v, y]), wanted.image - image - self.known(y).image);
            }
        }
    }

    /// Finds the operands from which an instruction makes the wanted value together with a value that is in two
    /// registers.
    pub(super) fn needed_with_copies(&self, wanted: &Wanted, a: Index, mut sink: impl FnMut(Instruction, Image)) {
        if let Some(form) = self.machine.add3 {
            sink(Instruction::new(form, [X, a, a]), wanted.image - self.known(a).image.double());
        }
    }
}
