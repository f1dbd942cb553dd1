//! Carries out words on integers, as the controller of the array.

use alloc::vec::Vec;

use super::{IntegerArray, IntegerError, IntegerProgram, Sum};
use crate::automaton::IntegerIo;
use crate::isa::program::Format;
use crate::isa::{Bit, Dreg, HostController, Instruction, Reg, Store, Word};
use crate::sim::bits::Bits;

impl HostController for IntegerArray {
    type Error = IntegerError;

    fn issue(&mut self, word: Word) -> Result<(), IntegerError> {
        match word {
            Word::Bus(_) => self.transfer(word)?,
            Word::Nop => {}
            Word::All => self.digital.set_flags(None),
            Word::Where(sum) => {
                let terms: Vec<_> = sum.terms().collect();
                let flags = self.positive(Sum { store: Store::News, added: terms.len(), terms, halvings: 0 })?;
                self.digital.set_flags(Some(flags));
            }
            Word::WhereBits(bits) => {
                let flags = self.digital.any(bits.bits())?;
                self.digital.set_flags(Some(flags));
            }
            Word::Logic(logic) => self.digital.logic(&logic)?,
            Word::FromNeighbours(word) => self.digital.read_neighbours(word)?,
            Word::ResetPixels
            | Word::ReadPropagation
            | Word::Propagate { .. }
            | Word::PrepareBlur
            | Word::Blur(_)
            | Word::Square(_) => return Err(IntegerError::Word(word)),
        }
        Ok(())
    }
}

impl IntegerArray {
    /// Carries out a transfer where FLAG is 1.
    fn transfer(&mut self, word: Word) -> Result<(), IntegerError> {
        let program = IntegerProgram::new(&[Instruction::Word(word)])?;
        if self.digital.flags().is_none() {
            return self.run(&program);
        }
        self.prepare(&program)?;
        for sum in &program.sums {
            self.add_up(sum);
            self.keep_where_flagged(sum.store);
        }
        Ok(())
    }

    /// Copies the spare plane into a store in the PEs whose FLAG is 1.
    fn keep_where_flagged(&mut self, store: Store) {
        let Some(flags) = self.digital.flags() else { return };
        let places = (0..self.height).flat_map(|row| (0..self.width).map(move |column| (row, column)));
        for (_, (row, column)) in flags.iter().zip(places).filter(|(flag, _)| *flag) {
            let place = self.place(row + self.room, column + self.room);
            self.planes[Self::index(store)][place] = self.spare[place];
        }
    }

    /// Finds where a sum is positive.
    fn positive(&mut self, sum: Sum) -> Result<Bits, IntegerError> {
        let program = IntegerProgram { sums: [sum].into() };
        self.prepare(&program)?;
        program.sums.iter().for_each(|sum| self.add_up(sum));
        let rows = (0..self.height).map(|row| self.place(row + self.room, self.room));
        let positive: Vec<bool> =
            rows.flat_map(|start| &self.spare[start..start + self.width]).map(|value| *value > 0).collect();
        Ok(Bits::new(self.width, self.height, &positive))
    }
}

impl IntegerIo for IntegerArray {
    /// Listings of sums are prepared when they are carried out for the first time.
    fn execute_listing(&mut self, listing: &'static [Instruction]) -> Result<(), IntegerError> {
        if self.digital.flags().is_some() {
            return listing.iter().try_for_each(|&instruction| self.execute(instruction));
        }
        let known = self.listings.iter().position(|(known, _)| core::ptr::eq(*known, listing));
        let number = known.unwrap_or_else(|| {
            self.listings.push((listing, IntegerProgram::new(listing).ok()));
            self.listings.len() - 1
        });
        // The program is taken out, since it changes the array, and put back below.
        match self.listings[number].1.take() {
            Some(program) => {
                let done = self.run(&program);
                self.listings[number].1 = Some(program);
                done
            }
            None => listing.iter().try_for_each(|&instruction| self.execute(instruction)),
        }
    }

    fn store(&mut self, reg: Reg, format: Format) -> Result<(), IntegerError> {
        self.map(reg, |number| format.store(number));
        Ok(())
    }

    /// In the room around the PEs the register becomes 0.
    fn write(&mut self, reg: Reg, mut number: impl FnMut(usize, usize) -> i32) -> Result<(), IntegerError> {
        let (height, width) = (self.height, self.width);
        self.load(reg, |row, column| {
            let row = usize::try_from(row).ok().filter(|row| *row < height);
            let column = usize::try_from(column).ok().filter(|column| *column < width);
            row.zip(column).map_or(0, |(row, column)| number(row, column))
        });
        Ok(())
    }

    fn write_bits(&mut self, register: Dreg, mut bit: impl FnMut(usize, usize) -> bool) -> Result<(), IntegerError> {
        let places = (0..self.height).flat_map(|row| (0..self.width).map(move |column| (row, column)));
        let bits: Vec<bool> = places.map(|(row, column)| bit(row, column)).collect();
        self.digital.load(register.into(), Bits::new(self.width, self.height, &bits));
        Ok(())
    }

    fn read_bits(&mut self, register: Dreg, mut see: impl FnMut(usize, usize, bool)) -> Result<(), IntegerError> {
        let bits = self.digital.read(Bit::Reg(register))?.to_vec(self.width * self.height);
        for (number, bit) in bits.into_iter().enumerate() {
            see(number / self.width, number % self.width, bit);
        }
        Ok(())
    }
}
