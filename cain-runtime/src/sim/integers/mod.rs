//! An array whose registers hold wide integers instead of analogue values.
//!
//! An automaton runs for hundreds of steps of thousands of instructions, whose results only exact integers make
//! comparable. An [`IntegerArray`] has planes of integers, and carries out words on them as the chip does on analogue
//! values; an [`IntegerProgram`] is a listing turned into sums of planes, which is prepared once. Halved values must be
//! even, and registers must be wide enough: the makers of programs guarantee both, and they are not checked here.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the wider vectors")]

mod program;
mod sums;
#[cfg(test)]
mod tests;
mod words;

use alloc::vec;
use alloc::vec::Vec;
use core::mem;

#[cfg(feature = "simd")]
use fearless_simd::{Level, dispatch};

use super::digital::Digital;
use crate::isa::{Displacement, Instruction, Reg, Store};

pub use program::{IntegerError, IntegerProgram};
use program::{MOST, Sum};
use sums::Sums;

/// An array of integers: planes for registers and NEWS.
///
/// Rows follow each other with room between them, through which values may be moved. In this room, FLAG is 1 while it
/// is 1 in every PE, and 0 otherwise. Initially all registers are 0.
///
/// It is a [`HostController`](crate::HostController) and an [`IntegerIo`](crate::automaton::IntegerIo):
///
/// ```
/// use cain_runtime::automaton::IntegerIo as _;
/// use cain_runtime::isa::{HostController as _, Reg, asm::*};
/// use cain_runtime::sim::IntegerArray;
///
/// let mut array = IntegerArray::new(3, 1, 1);
/// array.write(A, |_, column| [1000, -2000, 3000][column])?;
/// array.execute(movx(B, A, EAST))?;
/// array.execute(where_positive(&[reg(B)]))?;
/// array.execute(add(A, A, B))?;
/// assert_eq!(array.read(Reg::A).next(), Some([1000, 1000, 3000].as_slice()));
/// # Ok::<(), cain_runtime::sim::IntegerError>(())
/// ```
#[derive(Clone, Debug)]
pub struct IntegerArray {
    planes: Vec<Vec<i32>>,
    spare: Vec<i32>,
    width: usize,
    height: usize,
    room: usize,
    digital: Digital,
    /// The listings carried out before, with their programs if they consist of sums only.
    listings: Vec<(&'static [Instruction], Option<IntegerProgram>)>,
}

impl IntegerArray {
    /// An array of zeros, with room for values that come from up to `room` PEs away.
    #[must_use]
    pub fn new(width: usize, height: usize, room: usize) -> Self {
        let (digital, planes, spare) = (Digital::new(width, height), Vec::new(), Vec::new());
        let mut array = Self { planes, spare, width, height, room, digital, listings: Vec::new() };
        let length = array.core() + 2 * array.edge();
        array.spare = vec![0; length];
        array.planes = vec![vec![0; length]; 1];
        array
    }

    fn stride(&self) -> usize {
        self.width + 2 * self.room
    }

    /// The number of places that are computed: the rows with room on all sides.
    fn core(&self) -> usize {
        (self.height + 2 * self.room) * self.stride()
    }

    /// The number of places before and after these, which are always 0.
    fn edge(&self) -> usize {
        (self.room + 1) * self.stride()
    }

    /// The place of a PE; row and column may be in the room around the pixels.
    fn place(&self, row: usize, column: usize) -> usize {
        self.edge() + row * self.stride() + column
    }

    fn index(store: Store) -> usize {
        match store {
            Store::Reg(reg) => 1 + usize::from(reg.index()),
            _ => 0,
        }
    }

    fn ensure(&mut self, index: usize) {
        let length = self.spare.len();
        while self.planes.len() <= index {
            self.planes.push(vec![0; length]);
        }
    }

    /// Writes a register in all PEs and in the room around them: a value for each row and column, which are negative to
    /// the north and west of the array.
    pub fn load(&mut self, reg: Reg, mut value: impl FnMut(isize, isize) -> i32) {
        let index = Self::index(Store::Reg(reg));
        self.ensure(index);
        let room = self.room.cast_signed();
        for row in 0..self.height + 2 * self.room {
            for column in 0..self.stride() {
                let place = self.place(row, column);
                self.planes[index][place] = value(row.cast_signed() - room, column.cast_signed() - room);
            }
        }
    }

    /// Replaces all values of a register.
    pub fn map(&mut self, reg: Reg, mut value: impl FnMut(i32) -> i32) {
        let index = Self::index(Store::Reg(reg));
        self.ensure(index);
        let core = self.edge()..self.edge() + self.core();
        self.planes[index][core].iter_mut().for_each(|place| *place = value(*place));
    }

    /// The values of a register, row by row.
    pub fn read(&self, reg: Reg) -> impl Iterator<Item = &[i32]> {
        let plane = self.planes.get(Self::index(Store::Reg(reg)));
        (0..self.height).map(move |row| {
            let start = self.place(row + self.room, self.room);
            plane.and_then(|plane| plane.get(start..start + self.width)).unwrap_or_default()
        })
    }

    /// Carries out a program in all PEs, regardless of FLAG. No value comes from beyond the room of the array.
    pub fn run(&mut self, program: &IntegerProgram) -> Result<(), IntegerError> {
        self.prepare(program)?;
        self.vectorised(program);
        Ok(())
    }

    /// Makes the planes of a program; an error if it reads from too far away.
    fn prepare(&mut self, program: &IntegerProgram) -> Result<(), IntegerError> {
        let is_near = |at: &Displacement| at.x.unsigned_abs().max(at.y.unsigned_abs()) as usize <= self.room;
        let terms = || program.sums.iter().flat_map(|sum| &sum.terms);
        if let Some((_, at)) = terms().find(|(_, at)| !is_near(at)) {
            return Err(IntegerError::Reach(*at));
        }
        let stores = terms().map(|(store, _)| *store).chain(program.sums.iter().map(|sum| sum.store));
        let most = stores.map(Self::index).max().unwrap_or(0);
        self.ensure(most);
        Ok(())
    }

    /// Carries out a program with the vector instructions of this processor.
    #[cfg(feature = "simd")]
    fn vectorised(&mut self, program: &IntegerProgram) {
        dispatch!(Level::new(), _ => self.carry_out(program));
    }

    /// Carries out a program with the vector instructions that every processor of the target has.
    #[cfg(not(feature = "simd"))]
    fn vectorised(&mut self, program: &IntegerProgram) {
        self.carry_out(program);
    }

    #[inline(always)]
    fn carry_out(&mut self, program: &IntegerProgram) {
        for sum in &program.sums {
            self.add_up(sum);
            mem::swap(&mut self.spare, &mut self.planes[Self::index(sum.store)]);
        }
    }

    /// Writes a sum into the spare plane.
    #[inline(always)]
    fn add_up(&mut self, sum: &Sum) {
        let (edge, core, stride) = (self.edge(), self.core(), self.stride().cast_signed());
        let mut sources: [&[i32]; MOST] = [&[]; MOST];
        for (source, &(store, at)) in sources.iter_mut().zip(&sum.terms) {
            // Places as near as the room allows lie within the plane.
            let start = edge.wrapping_add_signed(isize::from(at.x) - isize::from(at.y) * stride);
            *source = &self.planes[Self::index(store)][start..start + core];
        }
        let sources = &sources[..sum.terms.len()];
        Sums {
            into: &mut self.spare[edge..edge + core],
            added: &sources[..sum.added],
            subtracted: &sources[sum.added..],
            halvings: sum.halvings,
        }
        .run();
    }
}
