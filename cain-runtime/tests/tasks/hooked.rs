//! A simulated array with a hook that sees words first.

use cain_runtime::HostController;
use cain_runtime::io::{Address, ArrayIo, Events, Pattern, Region, Scan, Size};
use cain_runtime::isa::{Bit, Dreg, Reg, Word};
use cain_runtime::sim::{Array, SimError};

/// The hook, which may pass a word on to the array or not, and may fail either way.
pub(crate) struct Hooked<F> {
    pub(crate) array: Array,
    pub(crate) hook: F,
}

impl<F: FnMut(&mut Array, Word) -> Result<(), SimError>> HostController for Hooked<F> {
    type Error = SimError;

    fn issue(&mut self, word: Word) -> Result<(), SimError> {
        (self.hook)(&mut self.array, word)
    }
}

macro_rules! of_the_array {
    ($(fn $name:ident($($arg:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        fn $name(&mut self, $($arg: $kind),*) -> Result<$result, SimError> {
            self.array.$name($($arg),*)
        }
    )*};
}

impl<F: FnMut(&mut Array, Word) -> Result<(), SimError>> ArrayIo for Hooked<F> {
    fn size(&self) -> Size {
        self.array.size()
    }

    of_the_array! {
        fn wait_for_frame() -> ();
        fn set_level(level: i8) -> ();
        fn select_pattern(pattern: Pattern) -> ();
        fn select_region(region: Region) -> ();
        fn scan(reg: Reg, scan: Scan, codes: &mut [u8]) -> usize;
        fn scan_means(reg: Reg, codes: &mut [u8; 64]) -> ();
        fn scan_bits(bit: Bit, rows: (u16, u16), bytes: &mut [u8]) -> usize;
        fn scan_events(bit: Bit, events: &mut [Address]) -> Events;
        fn bounding_box(bit: Bit) -> Option<Region>;
        fn any(bit: Bit, pattern: Pattern) -> bool;
        fn estimate_count(register: Dreg, scratch: Reg) -> u16;
        fn sum_16(reg: Reg, codes: &mut [u8; 16]) -> ();
        fn sum_64(reg: Reg, codes: &mut [u8; 64]) -> ();
        fn sum_sparse(reg: Reg, pattern: Pattern) -> u8;
        fn sum_region(reg: Reg, region: Region) -> u8;
    }
}
