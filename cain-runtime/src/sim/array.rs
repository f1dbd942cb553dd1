//! An array of PEs.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use super::{SimError, transfer};
use crate::isa::{HostController, Reg, Store, Word};
use crate::reg::Register;
use crate::{Areg, Plane};

/// How faithful the arithmetic of an [`Array`] is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// Exact as far as `f32` is; values may leave the range of the chip.
    #[default]
    Ideal,
    /// Every value that is written, loaded images included, is cut to −128 to 127 DN.
    Saturating,
}

impl Mode {
    /// The smallest value that a cell can hold, in DN.
    pub const MIN: f32 = -128.0;
    /// The largest value that a cell can hold, in DN.
    pub const MAX: f32 = 127.0;
}

/// A simulated array of PEs of any size.
///
/// Registers exist as soon as they are written. What is read from outside of the array is 0 DN; on the chip it is
/// not defined.
#[derive(Clone, Debug)]
pub struct Array {
    width: usize,
    height: usize,
    mode: Mode,
    /// What was written so far, in rows from the north.
    cells: BTreeMap<Store, Vec<f32>>,
}

impl Array {
    /// An ideal array of `width` PEs from west to east and `height` from north to south, with nothing written.
    #[must_use]
    pub const fn new(width: usize, height: usize) -> Self {
        Self { width, height, mode: Mode::Ideal, cells: BTreeMap::new() }
    }

    /// An ideal array of the size of SCAMP-5, 256×256 PEs.
    #[must_use]
    pub const fn scamp5() -> Self {
        Self::new(256, 256)
    }

    /// The same array in another mode; what is written already stays as it is.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// PEs from west to east.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// PEs from north to south.
    #[must_use]
    pub const fn height(&self) -> usize {
        self.height
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
        if pixels.len() != self.len() {
            return Err(SimError::WrongSize { found: pixels.len(), width: self.width, height: self.height });
        }
        let mut cell = self.take(Store::Reg(reg));
        cell.copy_from_slice(pixels);
        self.put(Store::Reg(reg), cell);
        Ok(())
    }

    /// [`read`](Self::read) without a handle.
    pub fn read_reg(&self, reg: Reg) -> Result<&[f32], SimError> {
        self.cell(Store::Reg(reg))
    }

    const fn len(&self) -> usize {
        self.width.saturating_mul(self.height)
    }

    fn cell(&self, store: Store) -> Result<&[f32], SimError> {
        self.cells.get(&store).map(Vec::as_slice).ok_or(SimError::Unwritten(store))
    }

    /// The memory of a cell that is about to be overwritten.
    fn take(&mut self, store: Store) -> Vec<f32> {
        self.cells.remove(&store).unwrap_or_else(|| vec![0.0; self.len()])
    }

    /// Writes a cell, as far as its range goes.
    fn put(&mut self, store: Store, mut cell: Vec<f32>) {
        if self.mode == Mode::Saturating {
            for value in &mut cell {
                *value = value.clamp(Mode::MIN, Mode::MAX);
            }
        }
        self.cells.insert(store, cell);
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
        for transfer in word.transfers() {
            for &(store, _) in transfer.terms() {
                self.cell(store)?;
            }
            // No source of a word is also written by it, so the old memory can be written while the sources are read.
            let mut cell = self.take(transfer.store);
            cell.fill(0.0);
            for &(store, offset) in transfer.terms() {
                transfer::subtract_shifted(&mut cell, self.cell(store)?, self.width, offset);
            }
            transfer::divide(&mut cell, transfer.divisor);
            self.put(transfer.store, cell);
        }
        Ok(())
    }
}
