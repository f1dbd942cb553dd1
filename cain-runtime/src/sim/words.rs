//! Carries out words on an array.

use alloc::vec;
use alloc::vec::Vec;

use super::bits::{Bits, pack};
use super::forwarding::forward;
use super::planes::slot;
use super::schedule::Schedule;
use super::transfer::PlaneTransfer;
use super::writes::{Destination, Write, Writer};
use super::{Array, SimError};
use crate::isa::{Blur, Bus, Displacement, HostController, Instruction, Square, Store, Sum, Word};

/// The number of rows that a thread takes at a time.
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

    fn execute_all(&mut self, listing: &[Instruction]) -> Result<(), SimError> {
        self.execute_listing(listing)
    }
}

/// Transfers that are still to be carried out, with the FLAGs that restrict them.
#[derive(Default)]
struct Batch {
    writes: Vec<Write>,
    flags: Vec<Bits>,
    /// Whether the last FLAG in the list applies to the next transfer.
    is_current: bool,
}

impl Batch {
    /// The most FLAGs that are kept, which limits the memory that a long program takes.
    const MOST_FLAGS: usize = 64;

    /// The index of the FLAG that applies to the next transfer; `None` if it is 1 in every PE.
    fn flag(&mut self, flag: Option<&Bits>) -> Option<usize> {
        let flag = flag?;
        if !self.is_current {
            self.flags.push(flag.clone());
            self.is_current = true;
        }
        self.flags.len().checked_sub(1)
    }

    fn clear(&mut self) {
        self.writes.clear();
        self.flags.clear();
        self.is_current = false;
    }
}

impl Array {
    /// Carries out the instructions of a listing, in one pass over the array where possible.
    ///
    /// The result is the same as with one instruction after the other, but faster. After an error, everything before
    /// the word that caused it has been carried out.
    pub fn execute_listing(&mut self, listing: &[Instruction]) -> Result<(), SimError> {
        self.batch(listing.iter().copied())
    }

    /// Carries out instructions as far as possible; transfers go over the array together until something else has to
    /// read what they write.
    fn batch(&mut self, instructions: impl IntoIterator<Item = Instruction>) -> Result<(), SimError> {
        self.check_settings()?;
        let mut batch = Batch::default();
        let done = instructions.into_iter().try_for_each(|instruction| {
            self.machine.allows(&instruction)?;
            instruction.words().try_for_each(|word| self.word(word, &mut batch))
        });
        self.carry_out(&mut batch);
        done
    }

    /// Carries out a word, or adds it to the list of writes if it is a transfer.
    fn word(&mut self, word: Word, batch: &mut Batch) -> Result<(), SimError> {
        if let Word::Bus(bus) = word {
            self.note(&bus, batch)?;
        } else {
            if is_analogue(word) {
                self.carry_out(batch);
            }
            batch.is_current = false;
            self.other(word)?;
        }
        self.words += 1;
        if self.model.drift.rate > 0.0 {
            self.carry_out(batch);
            let distance = self.model.drift.rate * self.timing.of(word.clock());
            // Time does not run backwards.
            self.planes.drift(self.model.drift.level, distance.max(0.0));
        }
        Ok(())
    }

    /// Adds a transfer to the list of writes.
    fn note(&mut self, bus: &Bus, batch: &mut Batch) -> Result<(), SimError> {
        for transfer in bus.transfers() {
            self.are_written(transfer.terms())?;
        }
        if batch.flags.len() == Batch::MOST_FLAGS && !batch.is_current {
            self.carry_out(batch);
        }
        let flag = batch.flag(self.digital.flags());
        let transfers = bus.transfers();
        let count = transfers.len();
        for (position, transfer) in transfers.enumerate() {
            let destination = self.destination(transfer.store, (position, count));
            let transfer = PlaneTransfer::new(&transfer);
            batch.writes.push(Write { transfer, destination, forwarded: None, flag });
        }
        Ok(())
    }

    fn are_written(&self, terms: &[(Store, Displacement)]) -> Result<(), SimError> {
        match terms.iter().find(|(store, _)| !self.planes.is_written(*store)) {
            Some((store, _)) => Err(SimError::Unwritten(*store)),
            None => Ok(()),
        }
    }

    /// A cell that the next word writes, at a position among so many destinations; its plane and its errors are made.
    fn destination(&mut self, store: Store, place: (usize, usize)) -> Destination {
        self.planes.write(store);
        let errors = self.cells.place(slot(store), place, &self.model, self.seed, self.planes.len());
        Destination::new(errors, place.0, self.words)
    }

    /// Carries out the writes in the list and empties it.
    fn carry_out(&mut self, batch: &mut Batch) {
        let Batch { writes, flags, .. } = batch;
        #[cfg(feature = "parallel")]
        if self.model.has_noise() {
            writes.drain(..).for_each(|write| self.carry_out_in_bands(&write, flags));
        }
        let Self { model, seed, planes, cells, machine, .. } = self;
        let writer = Writer::new(model, machine.range, *seed, cells);
        let names = if writer.can_forward() { forward(writes) } else { Vec::new() };
        let mut scratch = Vec::new();
        let (width, height) = (planes.width, planes.height);
        Schedule::of(writes, writer.rows_at_a_time()).for_each_part(height, |write, rows| {
            let write = &writes[write];
            let flag = write.flag.map(|flag| &flags[flag]);
            let mut target = planes.take(write.transfer.target);
            let block = &mut target.values_mut()[rows.start * width..rows.end * width];
            writer.run(write, flag, planes, rows, block, &mut scratch);
            planes.put(write.transfer.target, target);
        });
        planes.rename(&names);
        batch.clear();
    }

    /// Carries out a write on several threads, each with its own rows.
    #[cfg(feature = "parallel")]
    fn carry_out_in_bands(&mut self, write: &Write, flags: &[Bits]) {
        use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

        let mut target = self.planes.take(write.transfer.target);
        let (writer, planes, flag) = (self.writer(), &self.planes, write.flag.map(|flag| &flags[flag]));
        let bands = target.values_mut().par_chunks_mut((BAND * planes.width).max(1));
        bands.enumerate().for_each(|(band, block)| {
            let rows = band * BAND..(band * BAND + BAND).min(planes.height);
            writer.run(write, flag, planes, rows, block, &mut Vec::new());
        });
        self.planes.put(write.transfer.target, target);
    }

    /// Carries out a word that is not a transfer.
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

    /// Finds where a sum of cells is positive.
    fn positive(&self, sum: Sum) -> Result<Bits, SimError> {
        let cells: Vec<_> = sum.terms().collect();
        self.are_written(&cells)?;
        let negated = PlaneTransfer::sum(&cells);
        let (width, height) = (self.planes.width, self.planes.height);
        let mut positive = Bits::same(width, height, false);
        let mut values = vec![0.0; width];
        for (row, bits) in positive.rows_mut().enumerate() {
            negated.run(&self.planes, row..row + 1, &mut values, None);
            pack(bits, &values, |negated| *negated < 0.0);
        }
        Ok(positive)
    }

    /// The values that a transfer delivers to every PE, without errors.
    fn values(&self, transfer: &PlaneTransfer) -> Vec<f32> {
        let mut values = vec![0.0; self.planes.len()];
        transfer.run(&self.planes, 0..self.planes.height, &mut values, None);
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

    /// Writes exact values into a cell, as the only destination of a word, with its errors and where FLAG is 1.
    fn receive(&mut self, store: Store, mut values: Vec<f32>) {
        let destination = self.destination(store, (0, 1));
        let mut target = self.planes.take(slot(store));
        let rows = 0..self.planes.height;
        self.writer().receive(&destination, self.digital.flags(), rows, &mut values, target.values_mut());
        self.planes.put(slot(store), target);
    }

    fn writer(&self) -> Writer<'_> {
        let Self { model, cells, seed, .. } = self;
        Writer::new(model, self.machine.range, *seed, cells)
    }
}

/// Whether a word that is not a transfer reads or writes analogue cells.
const fn is_analogue(word: Word) -> bool {
    matches!(word, Word::ResetPixels | Word::Where(_) | Word::Blur(_) | Word::Square(_))
}
