//! Loads and reads numbers that are spread over blocks of PEs.

use alloc::vec;
use alloc::vec::Vec;

use super::{Array, SimError};
use crate::io::ArrayIo as _;
use crate::isa::Bit;
use crate::isa::superpixel::Number;

impl Array {
    /// Writes the lowest bits of values into the register of a number over super-pixels: one value per block, in rows
    /// from the north, each from the west. PEs that hold no bit of the number are set to 0.
    pub fn load_blocks(&mut self, number: &Number, values: &[i64]) -> Result<(), SimError> {
        let (columns, rows) = self.blocks_of(number)?;
        if values.len() != columns * rows {
            return Err(SimError::WrongBlocks { found: values.len(), width: columns, height: rows });
        }
        let mut bits = vec![false; self.width() * self.height()];
        for (block, value) in values.iter().enumerate() {
            for (bit, &place) in number.places.iter().enumerate() {
                if let Some(held) = bits.get_mut(self.pe(number, (block / columns, block % columns), place)) {
                    *held = value >> bit.min(63) & 1 == 1;
                }
            }
        }
        self.load_bits(Bit::Reg(number.register), &bits)
    }

    /// The values of a number over super-pixels, in the order of [`load_blocks`](Self::load_blocks).
    pub fn read_blocks(&self, number: &Number) -> Result<Vec<i64>, SimError> {
        let (columns, rows) = self.blocks_of(number)?;
        let bits = self.read_bits(Bit::Reg(number.register))?;
        let value = |block: usize| {
            let bit = |&place| bits.get(self.pe(number, (block / columns, block % columns), place)).copied();
            let mut from_highest = number.places.iter().rev().map(bit).map(|bit| i64::from(bit == Some(true)));
            let sign = from_highest.next().unwrap_or(0);
            from_highest.fold(-sign, |value, bit| value << 1 | bit)
        };
        Ok((0..columns * rows).map(value).collect())
    }

    fn blocks_of(&self, number: &Number) -> Result<(usize, usize), SimError> {
        Ok(self.size().blocks_of((number.width.into(), number.height.into()))?)
    }

    /// The PE in this row and column of a block.
    fn pe(&self, number: &Number, (block_row, block_column): (usize, usize), (row, column): (u8, u8)) -> usize {
        let row = block_row * usize::from(number.height) + usize::from(row);
        row * self.width() + block_column * usize::from(number.width) + usize::from(column)
    }
}
