//! Numbers in digital registers.

use crate::Dreg;

/// The registers that hold the bits of a number in each PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// The name in the declaration.
    pub name: &'static str,
    /// The registers, lowest bit first.
    pub registers: &'static [Dreg],
    /// Whether the number is in two's complement.
    pub signed: bool,
}

impl Number {
    /// The value of these bits, lowest first; bits beyond the 31st are ignored.
    ///
    /// ```
    /// use cain_isa::{Dreg, Number};
    ///
    /// let slope = Number { name: "slope", registers: &[Dreg::ALL[5], Dreg::ALL[6]], signed: true };
    /// assert_eq!(slope.value([true, false]), 1);
    /// assert_eq!(slope.value([false, true]), -2);
    /// ```
    pub fn value(&self, bits: impl IntoIterator<Item = bool>) -> i32 {
        let weights = (0..i32::BITS - 1).map(|bit| 1_i32 << bit);
        let last = self.registers.len().saturating_sub(1);
        let signed = weights.enumerate().map(|(bit, weight)| if self.signed && bit == last { -weight } else { weight });
        signed.zip(bits).map(|(weight, bit)| if bit { weight } else { 0 }).sum()
    }
}
