//! The time of readouts.

use super::Meter;
use crate::io::{Address, ArrayIo, Events, Pattern, Region, Scan, Size};
use crate::isa::{Bit, Dreg, Reg};
use crate::program::PlaneIo;

/// Implements functions of the controller that are passed on and then cost time: `$time`, in terms of `$timing` and of
/// the result, which `$found` matches.
macro_rules! timed {
    ($timing:ident; $(fn $name:ident($($arg:ident: $kind:ty),*) -> $result:ty, $found:pat => $time:expr;)*) => {$(
        fn $name(&mut self, $($arg: $kind),*) -> Result<$result, Self::Error> {
            let result = self.controller.$name($($arg),*)?;
            let ($found, $timing) = (&result, self.timing);
            self.spend(stringify!($name), f64::from($time));
            Ok(result)
        }
    )*};
}

/// What the controller does by itself costs the time given in [`Timing`](super::Timing); functions that are programs
/// cost their words, and waiting for a frame costs nothing.
///
/// Outside [`program`](Meter::program), readouts and inputs have accounts of their own, under the name of the function.
impl<H: ArrayIo> ArrayIo for Meter<H> {
    timed! { timing;
        fn set_level(level: i8) -> (), () => timing.other_io;
        fn select_pattern(pattern: Pattern) -> (), () => timing.other_io;
        fn select_region(region: Region) -> (), () => timing.other_io;
        fn scan(reg: Reg, scan: Scan, codes: &mut [u8]) -> usize, count => timing.scanned_value * real(*count);
        fn scan_means(reg: Reg, codes: &mut [u8; 64]) -> (), () => timing.sum_64;
        fn scan_bits(bit: Bit, rows: (u16, u16), bytes: &mut [u8]) -> usize, count => timing.scanned_bits * real(*count);
        fn scan_events(bit: Bit, events: &mut [Address]) -> Events, _ => timing.event * real(events.len());
        fn bounding_box(bit: Bit) -> Option<Region>, _ => timing.other_io;
        fn any(bit: Bit, pattern: Pattern) -> bool, _ => timing.other_io;
        fn estimate_count(register: Dreg, scratch: Reg) -> u16, _ => timing.other_io;
        fn sum_16(reg: Reg, codes: &mut [u8; 16]) -> (), () => timing.sum_16;
        fn sum_64(reg: Reg, codes: &mut [u8; 64]) -> (), () => timing.sum_64;
        fn sum_sparse(reg: Reg, pattern: Pattern) -> u8, _ => timing.other_io;
        fn sum_region(reg: Reg, region: Region) -> u8, _ => timing.other_io;
    }

    fn size(&self) -> Size {
        self.controller.size()
    }

    fn transfer_errors(&self) -> [f32; 3] {
        self.controller.transfer_errors()
    }

    fn wait_for_frame(&mut self) -> Result<(), H::Error> {
        self.controller.wait_for_frame()
    }
}

/// Planes that the host gives cost nothing: the chip has no such function.
impl<H: PlaneIo> PlaneIo for Meter<H> {
    fn give_levels(&mut self, register: Reg, levels: &[i8]) -> Result<(), H::Error> {
        self.controller.give_levels(register, levels)
    }

    fn give_bits(&mut self, bit: Bit, bits: &[bool]) -> Result<(), H::Error> {
        self.controller.give_bits(bit, bits)
    }
}

#[expect(clippy::cast_precision_loss, reason = "an array has fewer PEs than 2^24")]
const fn real(count: usize) -> f32 {
    count as f32
}
