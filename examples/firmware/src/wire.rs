//! A host controller that writes control words into a buffer, from where an interface could take them.

use core::fmt;

use cain_runtime::HostController;
use cain_runtime::isa::{Cell, Direction, Word};

/// Words as bytes: how many destinations, how many sources, then a byte per cell.
#[derive(Debug)]
pub struct Wire<'a> {
    buffer: &'a mut [u8],
    used: usize,
}

impl<'a> Wire<'a> {
    /// Starts at the front of the buffer.
    #[must_use]
    pub fn new(buffer: &'a mut [u8]) -> Self {
        Self { buffer, used: 0 }
    }

    /// What was written so far.
    #[must_use]
    pub fn sent(&self) -> &[u8] {
        self.buffer.get(..self.used).unwrap_or_default()
    }

    fn send(&mut self, byte: usize) -> Result<(), Full> {
        let place = self.buffer.get_mut(self.used).ok_or(Full)?;
        *place = u8::try_from(byte).map_err(|_| Full)?;
        self.used += 1;
        Ok(())
    }
}

impl HostController for Wire<'_> {
    type Error = Full;

    fn issue(&mut self, word: Word) -> Result<(), Full> {
        self.send(word.destinations().len())?;
        self.send(word.sources().len())?;
        word.destinations().iter().chain(word.sources()).try_for_each(|&cell| self.send(code(cell)))
    }
}

/// The registers from 0, then the cells of the NEWS family.
fn code(cell: Cell) -> usize {
    match cell {
        Cell::Reg(reg) => usize::from(reg.index()),
        Cell::News => 250,
        Cell::Port(Direction::North) => 251,
        Cell::Port(Direction::East) => 252,
        Cell::Port(Direction::South) => 253,
        Cell::Port(Direction::West) => 254,
        Cell::Pix => 255,
        Cell::In => 249,
    }
}

/// The buffer has no room for another word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the buffer of the wire is full")
    }
}

impl core::error::Error for Full {}
