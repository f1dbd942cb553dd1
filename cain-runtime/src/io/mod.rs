//! Controller functions: inputs and outputs of an array other than control words.
//!
//! [`ArrayIo`] is implemented by arrays that hold pixels: a device and the simulator. Controllers that only follow a
//! program, such as a prover or a recorder, implement [`HostController`] alone.
//!
//! Addresses count from the top right corner, as the vendor's library does: row 0 is the top row, column 0 is the
//! **right-most** column. Images of the simulator begin at the top left instead; [`Size::position`] is the one place
//! where addresses become positions in an image.
//!
//! Analogue values come out as the converter's code, a byte: 0 for −128 DN, 128 for 0 DN, 255 for 127 DN.
//!
//! Functions, ranges and times follow the SCAMP-5d library headers (University of Manchester, 2020) unless noted
//! otherwise. They are found under these names:
//!
//! | vendor's library, `scamp5_` | here |
//! |---|---|
//! | `in`; `load_in(v)` | [`load_level`](ArrayIo::load_level); [`set_level`](ArrayIo::set_level) |
//! | `get_image` | [`capture`](ArrayIo::capture), [`capture_with_gain`](ArrayIo::capture_with_gain) |
//! | `shift` | [`shift`](ArrayIo::shift), [`shift_bits`](ArrayIo::shift_bits) |
//! | `diffuse` | [`diffuse`](ArrayIo::diffuse) |
//! | `load_point`, `load_pattern`; `load_rect` | [`load_pattern`](ArrayIo::load_pattern); [`load_region`](ArrayIo::load_region) |
//! | `select_point`, `_pattern`, `_row`, `_col`, `_rowx`, `_colx`; `_rect` | [`select_pattern`](ArrayIo::select_pattern); [`select_region`](ArrayIo::select_region) |
//! | `flood` | [`flood`](ArrayIo::flood) |
//! | `read_areg`; `scan_areg`, `scan_areg_8x8` | [`read_cell`](ArrayIo::read_cell); [`scan`](ArrayIo::scan) |
//! | `scan_areg_mean_8x8` | [`scan_means`](ArrayIo::scan_means) |
//! | `scan_dreg` | [`scan_bits`](ArrayIo::scan_bits) |
//! | `scan_events` | [`scan_events`](ArrayIo::scan_events) |
//! | `scan_boundingbox` | [`bounding_box`](ArrayIo::bounding_box) |
//! | `global_or`; `global_count` | [`any`](ArrayIo::any); [`estimate_count`](ArrayIo::estimate_count) |
//! | `global_sum_16`, `_64`, `_fast`, `_sparse`, `_region` | `sum_..` of the same names |
//!
//! Tasks of a board's own program are not covered: calibration, voltages, rest, triggering frames, drawing, and sending
//! data to a host.

mod address;
mod capture;
pub(crate) mod delegate;
mod error;
mod gain;
mod instructions;
mod moves;

use crate::HostController;
use crate::isa::asm::{IN, NEWS, bus, from_news};
use crate::isa::{Axes, Bit, Dreg, ErrorModel, Operation, Reg, Switches};
use capture::Capture;
use instructions::logic;

#[cfg(any(feature = "sim", feature = "device"))]
pub(crate) use address::front;
pub use address::{Address, Pattern, Region, Scan, Size};
pub use error::IoError;
pub use gain::MAX_GAIN;
pub use moves::Flood;

/// An array that receives images and delivers results.
///
/// The required methods are what the controller itself does; the others are short programs on top of them, which an
/// implementation may replace by something faster with the same result.
///
/// All methods check their arguments before anything is sent.
pub trait ArrayIo: HostController<Error: From<IoError>> {
    /// The size of the array.
    fn size(&self) -> Size;

    /// The constant errors of transfers to one, two and three cells, in DN. Where sums of a network hold some of these
    /// errors, levels compensate for them; and unless all are 0, numbers that are read out are corrected for what the
    /// errors of the chip that the network was compiled for change in them on the average.
    ///
    /// Unless an array knows better, they are those of SCAMP-5 as [measured](ErrorModel::measured).
    fn transfer_errors(&self) -> [f32; 3] {
        ErrorModel::measured().offset
    }

    /// Marks a point in a program that others may interrupt, after `at` of its instructions. If the program was left
    /// there, returns the instruction with which it continues.
    ///
    /// Arrays themselves never leave a program; the [scheduler](crate::tasks), between an array and a task, does.
    fn boundary(&mut self, _switches: &[Switches<'_>], _at: u32) -> Result<Option<u32>, Self::Error> {
        Ok(None)
    }

    /// Waits for the next frame, after which the photo-sensors (`PIX`) hold the light gathered since their last reset.
    fn wait_for_frame(&mut self) -> Result<(), Self::Error>;

    /// Sets the level of `IN` for the words that follow, in DN.
    fn set_level(&mut self, level: i8) -> Result<(), Self::Error>;

    /// Programs the row and column selectors, so that `SELECT` is 1 in the PEs of the pattern and 0 elsewhere.
    fn select_pattern(&mut self, pattern: Pattern) -> Result<(), Self::Error>;

    /// Programs the rectangle, so that `RECT` is 1 in the PEs of the region and 0 elsewhere.
    ///
    /// `SELECT` changes too, but it is not published how. The simulator makes it the same as `RECT`.
    fn select_region(&mut self, region: Region) -> Result<(), Self::Error>;

    /// Reads parts of an analogue plane, one byte per PE; returns the number of bytes.
    fn scan(&mut self, reg: Reg, scan: Scan, codes: &mut [u8]) -> Result<usize, Self::Error>;

    /// Reads the mean of each of 8×8 equal blocks (on SCAMP-5, of 32×32 PEs), in the order of [`scan`](Self::scan).
    fn scan_means(&mut self, reg: Reg, codes: &mut [u8; 64]) -> Result<(), Self::Error>;

    /// Reads rows of a digital plane, from the first given row to the last one, packed as 8 PEs per byte; returns the
    /// number of bytes.
    ///
    /// Rows follow each other from the top. A row takes a byte per 8 columns, on SCAMP-5 32 bytes. Within a row,
    /// columns run from the right, and the first of 8 is the lowest bit: this order of bits is not published and must
    /// be matched to a real board.
    fn scan_bits(&mut self, bit: Bit, rows: (u16, u16), bytes: &mut [u8]) -> Result<usize, Self::Error>;

    /// Lists the PEs whose bit is 1, as many as the buffer has room for, row by row from the top, each row from the
    /// right.
    ///
    /// The time that this takes on the chip is proportional to the length of the buffer.
    fn scan_events(&mut self, bit: Bit, events: &mut [Address]) -> Result<Events, Self::Error>;

    /// Finds the smallest region that contains all PEs whose bit is 1; `None` if it is 0 everywhere.
    fn bounding_box(&mut self, bit: Bit) -> Result<Option<Region>, Self::Error>;

    /// Whether the bit is 1 in any PE of the pattern: the global OR.
    fn any(&mut self, bit: Bit, pattern: Pattern) -> Result<bool, Self::Error>;

    /// Estimates how many PEs have a 1: 0 for none, 4095 for all of them.
    ///
    /// On the chip this is an analogue measurement and not exact; it overwrites `scratch`. For an exact number, count
    /// the ones of [`scan_bits`](Self::scan_bits).
    fn estimate_count(&mut self, register: Dreg, scratch: Reg) -> Result<u16, Self::Error>;

    /// Sums over 4×4 equal blocks (on SCAMP-5, of 64×64 PEs), in the order of [`scan`](Self::scan); takes about 14 µs.
    ///
    /// A byte is the mean of its block in the converter's code. According to the headers it is proportional to the sum
    /// over a sparse grid; a board's floor and span must be calibrated.
    fn sum_16(&mut self, reg: Reg, codes: &mut [u8; 16]) -> Result<(), Self::Error>;

    /// Sums over 8×8 equal blocks, in the same form as [`sum_16`](Self::sum_16); takes about 28 µs.
    fn sum_64(&mut self, reg: Reg, codes: &mut [u8; 64]) -> Result<(), Self::Error>;

    /// Sums over the PEs of a pattern, as a byte: 128 for 0, and one step per [`SUM_STEP`] DN, clamped to 0 to 255.
    ///
    /// With [`Pattern::SPARSE`], a quarter of the PEs, it saturates later than over the whole array.
    fn sum_sparse(&mut self, reg: Reg, pattern: Pattern) -> Result<u8, Self::Error>;

    /// Sums over a region, in the units of [`sum_sparse`](Self::sum_sparse): for 64×64 PEs it is the mean, and spans
    /// the whole byte.
    fn sum_region(&mut self, reg: Reg, region: Region) -> Result<u8, Self::Error>;

    /// Sums over the whole array, in the units of [`sum_sparse`](Self::sum_sparse).
    fn sum_fast(&mut self, reg: Reg) -> Result<u8, Self::Error> {
        self.sum_sparse(reg, Pattern::ALL)
    }

    /// Reads one PE.
    fn read_cell(&mut self, reg: Reg, at: Address) -> Result<u8, Self::Error> {
        let mut code = [0];
        self.scan(reg, Scan::every(Region::new(at, at)), &mut code)?;
        Ok(code[0])
    }

    /// Writes a level into a register where FLAG is 1, with the constant error of transfers cancelled (`scamp5_in`).
    ///
    /// Overwrites NEWS. Takes 2 words.
    fn load_level(&mut self, reg: Reg, level: i8) -> Result<(), Self::Error> {
        self.set_level(level)?;
        self.execute(const { bus(&[NEWS], &[IN]) })?;
        self.execute(from_news(reg))
    }

    /// Writes 1 into a digital register in the PEs of the pattern, and 0 elsewhere.
    fn load_pattern(&mut self, register: Dreg, pattern: Pattern) -> Result<(), Self::Error> {
        let copy = logic(Operation::Or, register, Bit::Select)?;
        self.select_pattern(pattern)?;
        self.issue(copy)
    }

    /// Writes 1 into a digital register in the PEs of the region, and 0 elsewhere.
    fn load_region(&mut self, register: Dreg, region: Region) -> Result<(), Self::Error> {
        let copy = logic(Operation::Or, register, Bit::Rect)?;
        self.select_region(region)?;
        self.issue(copy)
    }

    /// Takes an image: waits for the frame and reads the photo-sensors, which then start anew.
    ///
    /// For light L from 0 to 127 DN, `full` becomes 2L − 127 and `half` becomes L, without constant errors. Overwrites NEWS. Takes
    /// 8 words.
    fn capture(&mut self, full: Reg, half: Reg) -> Result<(), Self::Error> {
        self.capture_with_gain(full, half, 1)
    }

    /// Takes an image like [`capture`](Self::capture), with light amplified by 2^(gain − 1), for a gain of 1 to
    /// [`MAX_GAIN`].
    ///
    /// For amplified light L, which is limited by the range of a cell, `full` becomes 2L − 127 and `half` becomes L.
    /// Overwrites NEWS. Takes 8 words with a gain of 1, and 8 + 4·gain with a larger one.
    ///
    /// Ranges and gains are the vendor's; how its library amplifies is not published. Here `half` is doubled in the
    /// array, without constant errors, so its noise is amplified too.
    fn capture_with_gain(&mut self, full: Reg, half: Reg, gain: u8) -> Result<(), Self::Error> {
        let registers = [full, half];
        let capture = Capture::of(&registers, gain)?;
        self.wait_for_frame()?;
        capture.read(self)
    }

    /// Lets an analogue plane diffuse along these axes, where `R1` and `R2` permit, `times` times there and back.
    ///
    /// Overwrites NEWS. Takes 1 word, and 2 for each of the `times`; none if that is 0.
    fn diffuse(&mut self, reg: Reg, times: u8, axes: Axes) -> Result<(), Self::Error> {
        moves::diffuse(self, reg, times, axes)
    }

    /// Moves the content of an analogue plane, `east` PEs to the right and `north` PEs up; negative numbers mean west
    /// and south.
    ///
    /// What moves in from outside the array is undefined on the chip. FLAG must be 1 in every PE. Overwrites NEWS.
    /// Takes 2 words per 2 PEs.
    fn shift(&mut self, reg: Reg, east: i16, north: i16) -> Result<(), Self::Error> {
        moves::shift(self, reg, east, north)
    }

    /// Moves the content of a digital plane like [`shift`](Self::shift); the bit `outside` moves in from outside the
    /// array.
    ///
    /// The register must be one of `R5` to `R11`. Overwrites `R0` to `R4`. The bits are refreshed after every second
    /// PE, because they would decay otherwise. Takes 4 words per 2 PEs.
    fn shift_bits(&mut self, register: Dreg, east: i16, north: i16, outside: bool) -> Result<(), Self::Error> {
        moves::shift_bits(self, register, east, north, outside)
    }

    /// Lets the ones of a digital plane spread over the PEs in which `mask` is 1.
    ///
    /// The register must be one of `R5` to `R11`. Overwrites `R0` and `R12`, and also `R1` to `R4` unless told
    /// otherwise.
    fn flood(&mut self, register: Dreg, mask: Bit, flood: Flood) -> Result<(), Self::Error> {
        moves::flood(self, register, mask, flood)
    }
}

pub use crate::isa::program::SUM_STEP;

/// The result of [`ArrayIo::scan_events`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Events {
    /// The number of PEs listed at the front of the buffer. Unlike in the vendor's list, row 0, column 0 does not mark
    /// unused entries.
    pub listed: usize,
    /// Whether these are all the PEs whose bit is 1.
    pub complete: bool,
}
