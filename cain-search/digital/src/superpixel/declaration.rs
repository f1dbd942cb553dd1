//! The user's declaration of kernels over super-pixels.

use core::fmt;

use cain_analysis::prove::Polynomial;
use cain_isa::{Displacement, Reg};

use super::convert::Converter;
use super::layout::Layout;

/// Kernels over numbers whose bits are spread over blocks of PEs.
///
/// Numbers are in two's complement, as wide as their bank, and sums are taken modulo 2ⁿ. Pixels outside of the array
/// count as 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The name of the function.
    pub name: String,
    /// The places of the bits.
    pub layout: Layout,
    /// The way in which carries go from bit to bit.
    pub carry: Carry,
    /// The given numbers, in channel order.
    pub inputs: Vec<Input>,
    /// The wanted numbers.
    pub outputs: Vec<Output>,
    /// The budget: the number of operations that the search may write.
    pub nodes: u64,
}

/// The way in which carries go from bit to bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Carry {
    /// A single propagation, if the chip carries it that far.
    #[default]
    Propagate,
    /// One word for each step.
    Steps,
}

/// A given number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its bank.
    pub bank: usize,
    /// Whether its register must hold it at the end as well.
    pub keep: bool,
    /// The converter, if the number is converted from an analogue register. That register is destroyed, and all other
    /// bits are 0.
    ///
    /// The level in the PE of the block's highest converted bit is used. Its 8-bit code is level + 127, or 0 for −128
    /// DN; shorter codes are its high bits.
    pub converted: Option<Converter>,
}

impl Input {
    /// A number in a bank, which may be overwritten.
    #[must_use]
    pub const fn new(name: String, bank: usize) -> Self {
        Self { name, bank, keep: false, converted: None }
    }
}

/// A wanted number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// Its bank.
    pub bank: usize,
    /// Its kernel, with displacements in blocks. Denominators are powers of two: the sum over the largest of them is
    /// computed exactly, and then halved repeatedly, rounding down.
    pub kernel: Polynomial,
    /// The constant added to the result.
    pub bias: i64,
    /// The final operation.
    pub then: Then,
    /// The converter, if the number is also converted to an analogue register, in all PEs of a block. Negative numbers
    /// become −128 DN, and those with more bits than are converted become the highest level.
    pub converted: Option<Converter>,
}

/// The final operation on a sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Then {
    /// No operation.
    #[default]
    Nothing,
    /// Negative numbers become 0.
    Rectify,
    /// All bits become 1 where the sum of the positive weights, including a positive bias, is greater than that of the
    /// other weights, and 0 elsewhere. Each of the two sums wraps around, but no difference is taken.
    Compare,
}

impl Output {
    /// A sum without a final operation.
    #[must_use]
    pub const fn sum(name: String, bank: usize, kernel: Polynomial) -> Self {
        Self { name, bank, kernel, bias: 0, then: Then::Nothing, converted: None }
    }

    /// The number of halvings of the sum of integer weights.
    pub(super) fn halvings(&self) -> u32 {
        self.kernel.terms().map(|(_, weight)| weight.denominator().trailing_zeros()).max().unwrap_or(0)
    }

    /// The weights, scaled to integers.
    pub(super) fn weights(&self) -> impl Iterator<Item = (usize, Displacement, i64)> {
        let whole = 1_i64 << self.halvings();
        self.kernel.terms().map(move |(atom, weight)| {
            let weight = weight.numerator() * (whole / weight.denominator());
            (usize::from(atom.channel), atom.displacement, weight)
        })
    }
}

/// The greatest distance of a kernel's pixels, in blocks along each axis.
const MAX_DISTANCE: u16 = 15;
/// The largest weight.
const MAX_WEIGHT: u64 = 1 << 20;

impl Declaration {
    /// A budget with which kernels of 3×3 weights come close to the best programs that the search finds with any
    /// budget.
    pub const DEFAULT_NODES: u64 = 200_000;

    /// Checks that the declaration is valid.
    pub fn check(&self) -> Result<(), DeclarationError> {
        if self.inputs.is_empty() {
            return Err(DeclarationError::NoInput);
        }
        if self.outputs.is_empty() {
            return Err(DeclarationError::NoOutput);
        }
        let banks = self.layout.banks();
        if let Some(input) = self.inputs.iter().position(|input| input.bank >= banks) {
            return Err(DeclarationError::InputBank { input, banks });
        }
        for (place, output) in self.outputs.iter().enumerate() {
            if output.bank >= banks {
                return Err(DeclarationError::OutputBank { output: place, banks });
            }
            self.check_kernel(place, output)?;
            let bits = self.layout.places(output.bank).len();
            if output.then == Then::Compare && output.halvings() > 0 {
                return Err(DeclarationError::HalvedComparison { output: place });
            }
            if bits < 64 && !(-(1_i64 << (bits - 1))..1 << (bits - 1)).contains(&output.bias) {
                return Err(DeclarationError::Bias { output: place, bits });
            }
        }
        let of_inputs = self.inputs.iter().map(|input| (input.bank, input.converted));
        self.check_converters(of_inputs).map_err(|(input, error)| DeclarationError::InputConverter { input, error })?;
        let of_outputs = self.outputs.iter().map(|output| (output.bank, output.converted));
        self.check_converters(of_outputs).map_err(|(output, error)| DeclarationError::OutputConverter { output, error })
    }

    /// Checks the converters of numbers in banks; the error gives the number and the problem.
    fn check_converters(
        &self,
        numbers: impl Iterator<Item = (usize, Option<Converter>)>,
    ) -> Result<(), (usize, ConverterError)> {
        let mut taken = Vec::new();
        for (place, (bank, converter)) in numbers.enumerate() {
            let Some(converter) = converter else { continue };
            if !(1..=Converter::MAX_BITS).contains(&converter.bits) {
                return Err((place, ConverterError::Bits));
            }
            let bits = self.layout.places(bank).len();
            if converter.unit >= bits || converter.bits > bits - converter.unit {
                return Err((place, ConverterError::Width { bits }));
            }
            if taken.contains(&converter.register) {
                return Err((place, ConverterError::Taken(converter.register)));
            }
            taken.push(converter.register);
        }
        Ok(())
    }

    fn check_kernel(&self, place: usize, output: &Output) -> Result<(), DeclarationError> {
        for (atom, weight) in output.kernel.terms() {
            let Some(input) = self.inputs.get(usize::from(atom.channel)) else {
                return Err(DeclarationError::NoSuchChannel { output: place, channel: atom.channel });
            };
            let bank = self.outputs[0].bank;
            if self.layout.offset(input.bank, bank).is_none() || self.layout.offset(bank, output.bank).is_none() {
                return Err(DeclarationError::Shapes { output: place });
            }
            let Displacement { x, y } = atom.displacement;
            if x.unsigned_abs() > MAX_DISTANCE || y.unsigned_abs() > MAX_DISTANCE {
                return Err(DeclarationError::Distance { output: place });
            }
            if !weight.denominator().unsigned_abs().is_power_of_two() {
                return Err(DeclarationError::Denominator { output: place });
            }
            if weight.numerator().unsigned_abs() > MAX_WEIGHT || weight.denominator().unsigned_abs() > MAX_WEIGHT {
                return Err(DeclarationError::Weight { output: place });
            }
        }
        Ok(())
    }
}

/// An error in a declaration; inputs and outputs are given by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeclarationError {
    /// There is no input.
    NoInput,
    /// There is no output.
    NoOutput,
    /// An input is in a bank that does not exist.
    InputBank {
        /// The input.
        input: usize,
        /// The number of banks.
        banks: usize,
    },
    /// An output is in a bank that does not exist.
    OutputBank {
        /// The output.
        output: usize,
        /// The number of banks.
        banks: usize,
    },
    /// A kernel reads an input that does not exist.
    NoSuchChannel {
        /// The output.
        output: usize,
        /// The input.
        channel: u16,
    },
    /// Numbers go between banks of different shapes.
    Shapes {
        /// The output.
        output: usize,
    },
    /// A kernel reads a block that is too far away.
    Distance {
        /// The output.
        output: usize,
    },
    /// A denominator is not a power of two.
    Denominator {
        /// The output.
        output: usize,
    },
    /// A weight is too large.
    Weight {
        /// The output.
        output: usize,
    },
    /// A comparison has denominators.
    HalvedComparison {
        /// The output.
        output: usize,
    },
    /// The converter of an input is invalid.
    InputConverter {
        /// The input.
        input: usize,
        /// The reason.
        error: ConverterError,
    },
    /// The converter of an output is invalid.
    OutputConverter {
        /// The output.
        output: usize,
        /// The reason.
        error: ConverterError,
    },
    /// A bias does not fit into the width of the number.
    Bias {
        /// The output.
        output: usize,
        /// The number of bits.
        bits: usize,
    },
}

impl fmt::Display for DeclarationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoInput => f.write_str("a kernel over super-pixels needs at least one input"),
            Self::NoOutput => f.write_str("a kernel over super-pixels needs at least one output"),
            Self::InputBank { banks, .. } | Self::OutputBank { banks, .. } => {
                write!(f, "there is no such bank; `order` has {banks}, counted from 0")
            }
            Self::NoSuchChannel { channel, .. } => write!(f, "the kernel reads input {channel}, which does not exist"),
            Self::Shapes { .. } => {
                f.write_str("the kernel goes between banks of different shapes; give both the same order of bits")
            }
            Self::Distance { .. } => write!(f, "the kernel reaches farther than {MAX_DISTANCE} super-pixels"),
            Self::Denominator { .. } => {
                f.write_str("the weights have a denominator that is no power of two; numbers can only be halved")
            }
            Self::Bias { bits, .. } => write!(f, "the bias is no signed number of {bits} bits"),
            Self::HalvedComparison { .. } => {
                f.write_str("what is compared is not halved; multiply all weights by the denominator")
            }
            Self::InputConverter { error, .. } | Self::OutputConverter { error, .. } => error.fmt(f),
            Self::Weight { .. } => write!(f, "a weight is larger than {MAX_WEIGHT}, or finer than its inverse"),
        }
    }
}

impl core::error::Error for DeclarationError {}

/// An error in a converter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConverterError {
    /// It has no bits, or too many.
    Bits,
    /// Its bits are not all within the number.
    Width {
        /// The number of bits of the number.
        bits: usize,
    },
    /// Another converter uses the same register.
    Taken(Reg),
}

impl fmt::Display for ConverterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bits => write!(f, "a converter has 1 to {} bits", Converter::MAX_BITS),
            Self::Width { bits } => {
                write!(f, "the number has {bits} bits; convert fewer (`bits`), or begin with a lower one (`unit`)")
            }
            Self::Taken(register) => write!(f, "another number is converted by `{register}`; take another register"),
        }
    }
}
