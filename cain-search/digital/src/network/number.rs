//! Numbers as bits with an offset.

use super::wires::Wires;

/// A bit of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Bit {
    /// The same value in all PEs.
    Constant(bool),
    Wires(Wires),
}

/// A number in offset binary: its value is that of the unsigned bits, lowest first, minus the offset.
///
/// Where the value is 0, as outside of the array, the bits equal those of the offset.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub(super) bits: Vec<Bit>,
    pub(super) offset: i64,
}

impl Number {
    /// The value of bit number `index` outside of the array.
    pub(super) fn outside(&self, index: usize) -> bool {
        self.offset >> index & 1 == 1
    }
}
