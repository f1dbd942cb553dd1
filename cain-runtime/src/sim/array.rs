//! An array of PEs.

use alloc::vec::Vec;

use super::draw::{Draws, Purpose};
use super::planes::Planes;
use super::schedule::Schedule;
use super::writes::{Patterns, Write, Writer};
use super::{ErrorModel, SimError};
use crate::isa::{HostController, Instruction, Plan, Reg, Store, Word};
use crate::reg::Register;
use crate::{Areg, Plane};

/// A simulated array of PEs of any size.
///
/// Registers exist as soon as they are written. What is read from outside of the array is 0 DN unless
/// [`outside`](Self::outside) says otherwise; on the chip it is not defined.
///
/// Instructions and plans are carried out faster as a whole than word by word, with the same results.
#[derive(Clone, Debug)]
pub struct Array {
    model: ErrorModel,
    seed: u64,
    planes: Planes,
    patterns: Patterns,
    /// Words carried out so far.
    words: u64,
}

impl Array {
    /// An ideal array of `width` PEs from west to east and `height` from north to south, with nothing written.
    #[must_use]
    pub const fn new(width: usize, height: usize) -> Self {
        Self {
            model: ErrorModel::ideal(),
            seed: 0,
            planes: Planes::new(width, height),
            patterns: Patterns::new(),
            words: 0,
        }
    }

    /// An ideal array of the size of SCAMP-5, 256×256 PEs.
    #[must_use]
    pub const fn scamp5() -> Self {
        Self::new(256, 256)
    }

    /// The same array with other errors; what is written already stays as it is.
    #[must_use]
    pub fn errors(mut self, model: ErrorModel) -> Self {
        self.model = model;
        self.patterns = Patterns::new();
        self
    }

    /// The same array with other random numbers, which stand for another specimen of the chip.
    ///
    /// All draws follow from the seed, the number of the word since the array was made and the PE. They are the same
    /// on every machine and for any number of threads.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self.patterns = Patterns::new();
        self
    }

    /// The same array with cells outside of it that always hold `level`, in DN.
    ///
    /// A program whose results depend on it reaches over the border.
    #[must_use]
    pub fn outside(mut self, level: f32) -> Self {
        self.planes.set_outside(level);
        self
    }

    /// PEs from west to east.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.planes.width
    }

    /// PEs from north to south.
    #[must_use]
    pub const fn height(&self) -> usize {
        self.planes.height
    }

    /// Writes an image into a register: one value in DN per PE, row 0 north, column 0 west.
    pub fn load<'r, R: Register>(
        &mut self,
        register: &'r mut Areg<R>,
        pixels: &[f32],
    ) -> Result<Plane<'r, R>, SimError> {
        self.load_reg(R::REG, pixels)?;
        Ok(register.hold())
    }

    /// The image in a register, in the order of [`load`](Self::load).
    pub fn read<R: Register>(&self, plane: &Plane<'_, R>) -> Result<&[f32], SimError> {
        self.read_reg(plane.reg())
    }

    /// [`load`](Self::load) without a handle.
    pub fn load_reg(&mut self, reg: Reg, pixels: &[f32]) -> Result<(), SimError> {
        if pixels.len() != self.planes.len() {
            let (width, height) = (self.width(), self.height());
            return Err(SimError::WrongSize { found: pixels.len(), width, height });
        }
        let values = self.planes.write(Store::Reg(reg));
        values.copy_from_slice(pixels);
        self.model.saturation.apply(values);
        Ok(())
    }

    /// [`read`](Self::read) without a handle.
    pub fn read_reg(&self, reg: Reg) -> Result<&[f32], SimError> {
        self.planes.read(Store::Reg(reg))
    }

    /// The image in a register as the converter delivers it, with read-out noise.
    ///
    /// Every call has noise of its own.
    pub fn convert(&mut self, reg: Reg) -> Result<Vec<f32>, SimError> {
        let mut values = self.read_reg(reg)?.to_vec();
        let draws = Draws::new(self.seed, Purpose::Readout, self.words);
        for (pe, value) in values.iter_mut().enumerate() {
            *value += self.model.readout_noise * draws.normal(pe);
        }
        self.model.saturation.apply(&mut values);
        self.words += 1;
        Ok(values)
    }

    /// Carries out words as far as they can be, all of them in one pass over the array.
    fn batch(&mut self, words: impl Iterator<Item = Word>) -> Result<(), SimError> {
        let mut writes = Vec::new();
        let mut result = Ok(());
        for word in words {
            result = self.sources_are_written(word);
            if result.is_err() {
                break;
            }
            for (transfer, write) in word.transfers().zip(Write::of(word, self.words, &self.model)) {
                self.planes.write(transfer.store);
                self.patterns.draw(write.step.target, &self.model, self.seed, self.planes.len());
                writes.push(write);
            }
            self.words += 1;
        }
        self.carry_out(&writes);
        result
    }

    fn sources_are_written(&self, word: Word) -> Result<(), SimError> {
        for transfer in word.transfers() {
            for &(store, _) in transfer.terms() {
                if !self.planes.is_written(store) {
                    return Err(SimError::Unwritten(store));
                }
            }
        }
        Ok(())
    }

    fn carry_out(&mut self, writes: &[Write]) {
        let writer = Writer { model: &self.model, seed: self.seed, patterns: &self.patterns, flags: None };
        let (width, height) = (self.planes.width, self.planes.height);
        for (write, rows) in Schedule::of(writes).parts(height) {
            let write = &writes[write];
            let mut target = self.planes.take(write.step.target);
            let block = &mut target[rows.start * width..rows.end * width];
            writer.run(write, &self.planes, rows, block);
            self.planes.put(write.step.target, target);
        }
    }
}

impl Default for Array {
    /// The size of SCAMP-5.
    fn default() -> Self {
        Self::scamp5()
    }
}

impl HostController for Array {
    type Error = SimError;

    fn issue(&mut self, word: Word) -> Result<(), SimError> {
        self.batch([word].into_iter())
    }

    fn execute(&mut self, instruction: Instruction) -> Result<(), SimError> {
        self.batch(instruction.words())
    }

    fn run(&mut self, plan: &Plan) -> Result<(), SimError> {
        self.batch(plan.listing.iter().flat_map(Instruction::words))
    }
}
