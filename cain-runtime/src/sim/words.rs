//! Carrying out words on an array.

use alloc::vec;
use alloc::vec::Vec;

use super::forwarding::forward;
use super::planes::slot;
use super::schedule::Schedule;
use super::transfer::PlaneTransfer;
use super::writes::{Destination, Write, Writer};
use super::{Array, SimError};
use crate::isa::{Blur, Bus, Displacement, HostController, Instruction, Plan, Square, Store, Sum, Word};

/// Rows that a thread takes at a time.
#[cfg(feature = "parallel")]
const BAND: usize = 16;

impl HostController for Array {
    type Error = SimError;

    fn issue(&mut self, word: Word) -> Result<(), SimError> {
        self.batch([Instruction::Word(word)])
    }

    fn execute(&mut self, instruction: Instruction) -> Result<(), SimError> {
        self.batch([instruction])
    }

    fn run(&mut self, plan: &Plan) -> Result<(), SimError> {
        self.execute_listing(plan.listing)
    }
}

impl Array {
    /// Carries out the instructions of a listing, in one pass over the array where that is possible.
    ///
    /// The result is that of one instruction after the other, and sooner there. After an error everything before the
    /// word that caused it is done.
    pub fn execute_listing(&mut self, listing: &[Instruction]) -> Result<(), SimError> {
        self.batch(listing.iter().copied())
    }

    /// Carries out instructions as far as they can be; transfers between other words go over the array together.
    fn batch(&mut self, instructions: impl IntoIterator<Item = Instruction>) -> Result<(), SimError> {
        let mut writes = Vec::new();
        let done = instructions.into_iter().try_for_each(|instruction| {
            self.machine.allows(&instruction)?;
            instruction.words().try_for_each(|word| self.word(word, &mut writes))
        });
        self.carry_out(&mut writes);
        done
    }

    /// Carries out a word, or puts it on the list of writes if it is a transfer.
    fn word(&mut self, word: Word, writes: &mut Vec<Write>) -> Result<(), SimError> {
        if let Word::Bus(bus) = word {
            self.note(&bus, writes)?;
        } else {
            self.carry_out(writes);
            self.other(word)?;
        }
        self.words += 1;
        if self.model.drift.rate > 0.0 {
            self.carry_out(writes);
            self.planes.drift(self.model.drift.level, self.model.drift.rate * self.timing.of(word.clock()));
        }
        Ok(())
    }

    /// Puts a transfer on the list of writes.
    fn note(&mut self, bus: &Bus, writes: &mut Vec<Write>) -> Result<(), SimError> {
        for transfer in bus.transfers() {
            self.are_written(transfer.terms())?;
        }
        for (transfer, write) in bus.transfers().zip(Write::of(bus, self.words, &self.model)) {
            self.prepare(transfer.store);
            writes.push(write);
        }
        Ok(())
    }

    fn are_written(&self, terms: &[(Store, Displacement)]) -> Result<(), SimError> {
        match terms.iter().find(|(store, _)| !self.planes.is_written(*store)) {
            Some((store, _)) => Err(SimError::Unwritten(*store)),
            None => Ok(()),
        }
    }

    /// Makes the plane of a cell that is about to be written, and its fixed pattern.
    fn prepare(&mut self, store: Store) {
        self.planes.write(store);
        self.patterns.draw(slot(store), &self.model, self.seed, self.planes.len());
    }

    /// Carries out the writes on the list and empties it.
    fn carry_out(&mut self, writes: &mut Vec<Write>) {
        #[cfg(feature = "parallel")]
        if self.model.has_noise() {
            writes.drain(..).for_each(|write| self.carry_out_in_bands(&write));
        }
        let Self { model, seed, planes, patterns, digital, machine, .. } = self;
        let writer = Writer::new(model, machine.range, *seed, patterns, digital.flags());
        let names = if writer.is_plain() { forward(writes) } else { Vec::new() };
        let (width, height) = (planes.width, planes.height);
        for (write, rows) in Schedule::of(writes).parts(height) {
            let write = &writes[write];
            let mut target = planes.take(write.transfer.target);
            let block = &mut target.values_mut()[rows.start * width..rows.end * width];
            writer.run(write, planes, rows, block);
            planes.put(write.transfer.target, target);
        }
        planes.rename(&names);
        writes.clear();
    }

    /// Carries out a write on several threads, each in rows of its own.
    #[cfg(feature = "parallel")]
    fn carry_out_in_bands(&mut self, write: &Write) {
        use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

        let mut target = self.planes.take(write.transfer.target);
        let (writer, planes) = (self.writer(), &self.planes);
        let bands = target.values_mut().par_chunks_mut((BAND * planes.width).max(1));
        bands.enumerate().for_each(|(band, block)| {
            let rows = band * BAND..(band * BAND + BAND).min(planes.height);
            writer.run(write, planes, rows, block);
        });
        self.planes.put(write.transfer.target, target);
    }

    /// Carries out a word that is no transfer.
    fn other(&mut self, word: Word) -> Result<(), SimError> {
        match word {
            Word::Bus(_) | Word::Nop | Word::ReadPropagation | Word::PrepareBlur => {}
            Word::ResetPixels => self.planes.write(Store::Pix).fill(-Self::RESET_LEVEL),
            Word::All => self.digital.set_flags(None),
            Word::Where(sum) => {
                let flags = self.positive(sum)?;
                self.digital.set_flags(Some(flags));
            }
            Word::WhereBits(bits) => {
                let flags = self.digital.any(bits.bits())?;
                self.digital.set_flags(Some(flags));
            }
            Word::Logic(logic) => self.digital.logic(&logic)?,
            Word::FromNeighbours(word) => self.digital.read_neighbours(word)?,
            Word::Propagate { outside } => self.digital.propagate(outside, self.propagation)?,
            Word::Blur(blur) => self.blur(blur)?,
            Word::Square(square) => self.square(square)?,
        }
        Ok(())
    }

    /// Where a sum of cells is positive.
    fn positive(&self, sum: Sum) -> Result<Vec<bool>, SimError> {
        let cells: Vec<_> = sum.terms().collect();
        self.are_written(&cells)?;
        Ok(self.values(&PlaneTransfer::sum(&cells)).iter().map(|negated| *negated < 0.0).collect())
    }

    /// What a transfer delivers to every PE, without errors.
    fn values(&self, transfer: &PlaneTransfer) -> Vec<f32> {
        let mut values = vec![0.0; self.planes.len()];
        transfer.run(&self.planes, 0..self.planes.height, &mut values);
        values
    }

    fn blur(&mut self, blur: Blur) -> Result<(), SimError> {
        let share = self.diffusion.ok_or(SimError::NoDiffusion)?;
        let transfer = blur.transfer();
        self.are_written(transfer.terms())?;
        let values = self.digital.diffuse(&self.values(&PlaneTransfer::new(&transfer)), blur.axes(), share)?;
        self.receive(transfer.store, values);
        Ok(())
    }

    fn square(&mut self, square: Square) -> Result<(), SimError> {
        let scale = self.squarer.ok_or(SimError::NoSquarer)?;
        let cells: Vec<_> = square.sum().terms().collect();
        self.are_written(&cells)?;
        let values = self.values(&PlaneTransfer::sum(&cells));
        self.receive(Store::News, values.into_iter().map(|value| scale * value * value).collect());
        Ok(())
    }

    /// Writes exact values into a cell as the only destination of a word, with its errors and where FLAG is 1.
    fn receive(&mut self, store: Store, mut values: Vec<f32>) {
        self.prepare(store);
        let destination = Destination::new(slot(store), (0, 1), self.words, &self.model);
        let mut target = self.planes.take(slot(store));
        self.writer().receive(&destination, 0, &mut values, target.values_mut());
        self.planes.put(slot(store), target);
    }

    fn writer(&self) -> Writer<'_> {
        let Self { model, patterns, seed, .. } = self;
        Writer::new(model, self.machine.range, *seed, patterns, self.digital.flags())
    }
}
