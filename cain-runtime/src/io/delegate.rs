//! Passes controller functions on to the array inside a wrapper.

use super::ArrayIo;
use crate::isa::Reg;

/// Implements methods of [`ArrayIo`] by passing them on to what `$array` makes of `self`. Methods that take frames are
/// left out, because a wrapper may have frames of its own.
///
/// With `controller`, only the required methods are passed on, and the others are programs that go through the wrapper.
/// With `reading`, only those methods are passed on that leave all registers unchanged.
macro_rules! delegate {
    (reading $self:ident => $array:expr) => {
        $crate::io::delegate::delegate! { $self => $array;
            fn set_level(level: i8) -> ();
            fn select_pattern(pattern: $crate::io::Pattern) -> ();
            fn select_region(region: $crate::io::Region) -> ();
            fn scan(reg: $crate::isa::Reg, scan: $crate::io::Scan, codes: &mut [u8]) -> usize;
            fn scan_means(reg: $crate::isa::Reg, codes: &mut [u8; 64]) -> ();
            fn scan_bits(bit: $crate::isa::Bit, rows: (u16, u16), bytes: &mut [u8]) -> usize;
            fn scan_events(bit: $crate::isa::Bit, events: &mut [$crate::io::Address]) -> $crate::io::Events;
            fn bounding_box(bit: $crate::isa::Bit) -> Option<$crate::io::Region>;
            fn any(bit: $crate::isa::Bit, pattern: $crate::io::Pattern) -> bool;
            fn sum_16(reg: $crate::isa::Reg, codes: &mut [u8; 16]) -> ();
            fn sum_64(reg: $crate::isa::Reg, codes: &mut [u8; 64]) -> ();
            fn sum_sparse(reg: $crate::isa::Reg, pattern: $crate::io::Pattern) -> u8;
            fn sum_region(reg: $crate::isa::Reg, region: $crate::io::Region) -> u8;
        }

        fn size(&self) -> $crate::io::Size {
            let $self = self;
            $array.size()
        }

        fn transfer_errors(&self) -> [f32; 3] {
            let $self = self;
            $array.transfer_errors()
        }
    };
    (controller $self:ident => $array:expr) => {
        $crate::io::delegate::delegate!(reading $self => $array);
        $crate::io::delegate::delegate! { $self => $array;
            fn estimate_count(register: $crate::isa::Dreg, scratch: $crate::isa::Reg) -> u16;
        }
    };
    ($self:ident => $array:expr) => {
        $crate::io::delegate::delegate!(controller $self => $array);
        $crate::io::delegate::delegate! { $self => $array;
            fn sum_fast(reg: $crate::isa::Reg) -> u8;
            fn read_cell(reg: $crate::isa::Reg, at: $crate::io::Address) -> u8;
            fn load_level(reg: $crate::isa::Reg, level: i8) -> ();
            fn load_pattern(register: $crate::isa::Dreg, pattern: $crate::io::Pattern) -> ();
            fn load_region(register: $crate::isa::Dreg, region: $crate::io::Region) -> ();
            fn diffuse(reg: $crate::isa::Reg, times: u8, axes: $crate::isa::Axes) -> ();
            fn shift(reg: $crate::isa::Reg, east: i16, north: i16) -> ();
            fn shift_bits(register: $crate::isa::Dreg, east: i16, north: i16, outside: bool) -> ();
            fn flood(register: $crate::isa::Dreg, mask: $crate::isa::Bit, flood: $crate::io::Flood) -> ();
        }
    };
    ($self:ident => $array:expr; $(fn $name:ident($($arg:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        #[allow(clippy::needless_question_mark, reason = "some wrappers have an error of their own")]
        fn $name(&mut self, $($arg: $kind),*) -> Result<$result, Self::Error> {
            let $self = self;
            Ok($array.$name($($arg),*)?)
        }
    )*};
}
pub(crate) use delegate;

impl<A: ArrayIo + ?Sized> ArrayIo for &mut A {
    delegate!(this => (**this));

    fn wait_for_frame(&mut self) -> Result<(), Self::Error> {
        (**self).wait_for_frame()
    }

    fn capture(&mut self, full: Reg, half: Reg) -> Result<(), Self::Error> {
        (**self).capture(full, half)
    }

    fn capture_with_gain(&mut self, full: Reg, half: Reg, gain: u8) -> Result<(), Self::Error> {
        (**self).capture_with_gain(full, half, gain)
    }
}
