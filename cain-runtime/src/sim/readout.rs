//! The controller of the simulated array: inputs and readouts.

use alloc::vec;
use alloc::vec::Vec;

use super::bits::Bits;
use super::draw::{Draws, Purpose};
use super::saturate::saturate;
use super::{Array, SimError};
use crate::io::{Address, ArrayIo, Events, IoError, Pattern, Region, SUM_STEP, Scan, Size, front};
use crate::isa::{Bit, Dreg, Reg};

impl ArrayIo for Array {
    fn size(&self) -> Size {
        Size { width: self.width(), height: self.height() }
    }

    fn transfer_errors(&self) -> [f32; 3] {
        self.model.offset
    }

    /// Does nothing: light comes in by [`expose`](Array::expose) or with a [`Camera`](super::Camera).
    fn wait_for_frame(&mut self) -> Result<(), SimError> {
        Ok(())
    }

    fn set_level(&mut self, level: i8) -> Result<(), SimError> {
        self.set_in(level.into())
    }

    fn select_pattern(&mut self, pattern: Pattern) -> Result<(), SimError> {
        let bits = self.chosen(pattern)?;
        self.digital.load(Bit::Select, bits);
        Ok(())
    }

    fn select_region(&mut self, region: Region) -> Result<(), SimError> {
        self.size().check(region)?;
        let bits = self.inside(region)?;
        self.digital.load(Bit::Select, bits.clone());
        self.digital.load(Bit::Rect, bits);
        Ok(())
    }

    fn scan(&mut self, reg: Reg, scan: Scan, codes: &mut [u8]) -> Result<usize, SimError> {
        let size = self.size();
        let needed = scan.check(size)?;
        let codes = front(codes, needed)?;
        let values = self.read_reg(reg)?;
        let draws = Draws::new(self.seed, Purpose::Readout, self.words);
        for (out, at) in codes.iter_mut().zip(scan.addresses()) {
            let pe = size.position(at)?;
            let mut value = [values[pe] + self.model.readout_noise * draws.normal(pe)];
            saturate(self.model.saturation, &mut value, self.machine.range);
            *out = code(f64::from(value[0]));
        }
        self.words += 1;
        Ok(needed)
    }

    fn scan_means(&mut self, reg: Reg, codes: &mut [u8; 64]) -> Result<(), SimError> {
        self.means(reg, 8, codes)
    }

    fn scan_bits(&mut self, bit: Bit, (first, last): (u16, u16), bytes: &mut [u8]) -> Result<usize, SimError> {
        let size = self.size();
        // Every PE of these rows must have an address.
        let left = size.region()?.last.column;
        size.check(Region::new(Address::new(first, 0), Address::new(last, left)))?;
        let needed = size.bytes_of_rows((first, last))?;
        let bytes = front(bytes, needed)?;
        let bits = self.digital.read(bit)?;
        let is_one = |pe: usize| bits.is_one(pe / size.width, pe % size.width);
        bytes.fill(0);
        for (row, packed) in (first..=last).zip(bytes.chunks_exact_mut(size.width.div_ceil(8))) {
            for column in (0..=left).filter(|&column| size.position(Address { row, column }).is_ok_and(is_one)) {
                packed[usize::from(column / 8)] |= 1 << (column % 8);
            }
        }
        Ok(needed)
    }

    fn scan_events(&mut self, bit: Bit, events: &mut [Address]) -> Result<Events, SimError> {
        let ones = self.ones(bit)?;
        for (event, &at) in events.iter_mut().zip(&ones) {
            *event = at;
        }
        Ok(Events { listed: ones.len().min(events.len()), complete: ones.len() <= events.len() })
    }

    fn bounding_box(&mut self, bit: Bit) -> Result<Option<Region>, SimError> {
        let ones = self.ones(bit)?;
        let rows = || ones.iter().map(|at| at.row);
        let columns = || ones.iter().map(|at| at.column);
        let first = rows().min().zip(columns().min()).map(|(row, column)| Address { row, column });
        let last = rows().max().zip(columns().max()).map(|(row, column)| Address { row, column });
        Ok(first.zip(last).map(|(first, last)| Region { first, last }))
    }

    fn any(&mut self, bit: Bit, pattern: Pattern) -> Result<bool, SimError> {
        Ok(self.ones(bit)?.into_iter().any(|at| pattern.contains(at)))
    }

    /// The count is exact except for rounding, and `scratch` stays unchanged.
    fn estimate_count(&mut self, register: Dreg, _scratch: Reg) -> Result<u16, SimError> {
        self.size().region()?;
        let ones = self.digital.any(&[Bit::Reg(register)])?.ones();
        // This is not a `usize`, which large arrays would overflow on 32-bit targets.
        let pes = self.planes.len() as u64;
        Ok(u16::try_from((ones * FULL_COUNT + pes / 2) / pes).unwrap_or(u16::MAX))
    }

    fn sum_16(&mut self, reg: Reg, codes: &mut [u8; 16]) -> Result<(), SimError> {
        self.means(reg, 4, codes)
    }

    fn sum_64(&mut self, reg: Reg, codes: &mut [u8; 64]) -> Result<(), SimError> {
        self.means(reg, 8, codes)
    }

    fn sum_sparse(&mut self, reg: Reg, pattern: Pattern) -> Result<u8, SimError> {
        let chosen = self.chosen(pattern)?;
        self.sum(reg, &chosen)
    }

    fn sum_region(&mut self, reg: Reg, region: Region) -> Result<u8, SimError> {
        self.size().check(region)?;
        let chosen = self.inside(region)?;
        self.sum(reg, &chosen)
    }
}

/// The result for an array in which all PEs have a one.
const FULL_COUNT: u64 = 4095;

impl Array {
    /// The PEs of a pattern.
    fn chosen(&self, pattern: Pattern) -> Result<Bits, IoError> {
        // A pattern restricts rows and columns separately, as a region does.
        let row = |row| pattern.contains(Address { row, column: pattern.column });
        let column = |column| pattern.contains(Address { row: pattern.row, column });
        self.crossing(row, column)
    }

    /// The PEs of a region.
    fn inside(&self, Region { first, last }: Region) -> Result<Bits, IoError> {
        self.crossing(
            |row| (first.row..=last.row).contains(&row),
            |column| (first.column..=last.column).contains(&column),
        )
    }

    /// The PEs in some rows and columns, as the controller counts them.
    fn crossing(&self, row: impl Fn(u16) -> bool, column: impl Fn(u16) -> bool) -> Result<Bits, IoError> {
        let size = self.size();
        size.region()?;
        let numbered = |number: usize, wanted: &dyn Fn(u16) -> bool| u16::try_from(number).is_ok_and(wanted);
        let from_right = |from_left: usize| size.width - 1 - from_left;
        Ok(Bits::crossing(
            (size.width, size.height),
            |number| numbered(number, &row),
            |from_left| numbered(from_right(from_left), &column),
        ))
    }

    /// The PEs whose bit is 1, row by row from the top, each row from the right.
    fn ones(&self, bit: Bit) -> Result<Vec<Address>, SimError> {
        let size = self.size();
        size.region()?;
        let bits = self.read_bits(bit)?;
        Ok(size.addresses().filter(|at| size.position(*at).is_ok_and(|pe| bits[pe])).collect())
    }

    /// The means of `count`×`count` equal blocks, in the order of a scan.
    fn means(&mut self, reg: Reg, count: usize, codes: &mut [u8]) -> Result<(), SimError> {
        let size = self.size();
        let (height, width) = size.block(count)?;
        let values = self.read_reg(reg)?;
        let mut sums = vec![0.0; count * count];
        for (row, line) in values.chunks_exact(size.width).enumerate() {
            for (column, value) in line.iter().rev().enumerate() {
                sums[column / width * count + row / height] += f64::from(*value);
            }
        }
        let pes = real(height * width);
        self.deliver(sums.into_iter().map(|sum| sum / pes), codes);
        Ok(())
    }

    /// The sum over some PEs as a byte.
    fn sum(&mut self, reg: Reg, chosen: &Bits) -> Result<u8, SimError> {
        let sum = chosen.sum(self.read_reg(reg)?);
        let mut byte = [0];
        self.deliver([sum / f64::from(SUM_STEP)].into_iter(), &mut byte);
        Ok(byte[0])
    }

    /// Digitises aggregates, adding one conversion's noise to each.
    fn deliver(&mut self, values: impl Iterator<Item = f64>, codes: &mut [u8]) {
        let draws = Draws::new(self.seed, Purpose::Readout, self.words);
        for (number, (out, value)) in codes.iter_mut().zip(values).enumerate() {
            *out = code(value + f64::from(self.model.readout_noise * draws.normal(number)));
        }
        self.words += 1;
    }
}

/// The converter's code for a value in DN.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, as the converter does"
)]
fn code(value: f64) -> u8 {
    // Halves are rounded up; there is no `round` without the standard library.
    (value + 128.5).max(0.0) as u8
}

#[expect(clippy::cast_precision_loss, reason = "an array has fewer PEs than 2^53")]
const fn real(count: usize) -> f64 {
    count as f64
}
