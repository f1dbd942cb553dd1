//! What a user declares: kernels over super-pixels.

use core::fmt;

use cain_isa::prove::Polynomial;
use cain_isa::{Displacement, Reg};

use super::convert::Converter;
use super::layout::Layout;

/// Kernels over numbers whose bits are spread over blocks of PEs.
///
/// Numbers are in two's complement, as wide as their bank, and sums are taken modulo 2ⁿ. What lies outside of the array counts as 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The name of the function.
    pub name: String,
    /// Where the bits are.
    pub layout: Layout,
    /// How carries go from bit to bit.
    pub carry: Carry,
    /// The numbers that are given, in channel order.
    pub inputs: Vec<Input>,
    /// The numbers that are wanted.
    pub outputs: Vec<Output>,
    /// The budget: operations that the search may write down.
    pub nodes: u64,
}

/// How carries go from bit to bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Carry {
    /// By one propagation, if the chip carries it that far.
    #[default]
    Propagate,
    /// Step by step.
    Steps,
}

/// A number that is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its bank.
    pub bank: usize,
    /// Whether its register must hold it at the end as well.
    pub keep: bool,
    /// The analogue register that it is converted from, if it is. That is destroyed, and all other bits are 0.
    ///
    /// Of a block, the level in the PE of the highest converted bit counts. Its 8-bit code is level + 127, or 0 for −128 DN;
    /// shorter codes are its high bits.
    pub converted: Option<Converter>,
}

impl Input {
    /// A number in a bank, which may be overwritten.
    #[must_use]
    pub const fn new(name: String, bank: usize) -> Self {
        Self { name, bank, keep: false, converted: None }
    }
}

/// A number that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// Its bank.
    pub bank: usize,
    /// What it is, with displacements in blocks. Denominators are powers of two: the sum over the largest of them is taken
    /// exactly, and then halved, rounded down.
    pub kernel: Polynomial,
    /// What is added then.
    pub bias: i64,
    /// What then becomes of it.
    pub then: Then,
    /// The analogue register that it is converted to as well, if it is, in all PEs of a block. Negative numbers become
    /// −128 DN, those with more bits than are converted the highest level.
    pub converted: Option<Converter>,
}

/// What becomes of a sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Then {
    /// Nothing.
    #[default]
    Nothing,
    /// What is negative becomes 0.
    Rectify,
    /// All bits become 1 where the sum of the positive weights, and of a positive bias, is greater than that of the others, and
    /// 0 elsewhere. Each of the two wraps around, but no difference is taken.
    Compare,
}

impl Output {
    /// A sum, with nothing done to it.
    #[must_use]
    pub const fn sum(name: String, bank: usize, kernel: Polynomial) -> Self {
        Self { name, bank, kernel, bias: 0, then: Then::Nothing, converted: None }
    }

    /// How often the sum of whole weights is halved.
    pub(super) fn halvings(&self) -> u32 {
        self.kernel.terms().map(|(_, weight)| weight.denominator().trailing_zeros()).max().unwrap_or(0)
    }

    /// The whole weights.
    pub(super) fn weights(&self) -> impl Iterator<Item = (usize, Displacement, i64)> {
        let whole = 1_i64 << self.halvings();
        self.kernel.terms().map(move |(atom, weight)| {
            let weight = weight.numerator() * (whole / weight.denominator());
            (usize::from(atom.channel), atom.displacement, weight)
        })
    }
}

/// How far a kernel may reach, in blocks along each axis.
const MAX_DISTANCE: u16 = 15;
/// The largest weight.
const MAX_WEIGHT: u64 = 1 << 20;

impl Declaration {
    /// A budget with which kernels of 3×3 weights come close to the best that the search finds with any.
    pub const DEFAULT_NODES: u64 = 200_000;

    /// Decides whether the declaration makes sense.
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

    /// Decides whether the converters of numbers in banks make sense; otherwise that of which number, and why not.
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

/// What is wrong with a declaration; inputs and outputs by their places.
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
        /// How many banks there are.
        banks: usize,
    },
    /// An output is in a bank that does not exist.
    OutputBank {
        /// The output.
        output: usize,
        /// How many banks there are.
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
    /// A kernel reaches too far.
    Distance {
        /// The output.
        output: usize,
    },
    /// A denominator is no power of two.
    Denominator {
        /// The output.
        output: usize,
    },
    /// A weight is too large.
    Weight {
        /// The output.
        output: usize,
    },
    /// Denominators in what is compared.
    HalvedComparison {
        /// The output.
        output: usize,
    },
    /// The converter of an input makes no sense.
    InputConverter {
        /// The input.
        input: usize,
        /// Why not.
        error: ConverterError,
    },
    /// The converter of an output makes no sense.
    OutputConverter {
        /// The output.
        output: usize,
        /// Why not.
        error: ConverterError,
    },
    /// A bias is no number of that width.
    Bias {
        /// The output.
        output: usize,
        /// The bits of a number.
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

/// What is wrong with a converter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConverterError {
    /// It has no bits, or too many.
    Bits,
    /// Its bits are not all bits of the number.
    Width {
        /// The bits of the number.
        bits: usize,
    },
    /// Another one has the same register.
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
