//! The user's declaration of kernels on numbers in the bits of one PE.

use core::fmt;

use cain_analysis::prove::Polynomial;
use cain_isa::{Displacement, Dreg, Fraction};

use super::format::{Format, Range};
use super::logic::Logic;

/// Kernels on numbers that are held in the digital registers of each PE.
///
/// Results are exact for all inputs. Pixels outside of the array count as 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The name of the function.
    pub name: String,
    /// The given numbers, in channel order.
    pub inputs: Vec<Input>,
    /// The wanted numbers.
    pub outputs: Vec<Output>,
    /// Whether FLAG may hold bits; it is 1 again at the end.
    pub flag: bool,
    /// The budget: the number of register states that the search may look at. Unusually laborious networks are charged
    /// to it as well.
    pub nodes: u64,
}

/// A given number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its representation in bits.
    pub format: Format,
    /// Whether its registers must hold it at the end as well.
    pub keep: bool,
    /// The register that holds it, if that is given; otherwise the search chooses. Only for numbers of one bit, each in another
    /// register.
    pub at: Option<Dreg>,
}

/// A wanted number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// Its value.
    pub formula: Formula,
}

/// The value of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A weighted sum of numbers; the weights are integers.
    Sum(Polynomial),
    /// A Boolean function of bits: a number of one bit.
    Logic(Logic),
}

impl From<Polynomial> for Formula {
    fn from(kernel: Polynomial) -> Self {
        Self::Sum(kernel)
    }
}

impl From<Logic> for Formula {
    fn from(logic: Logic) -> Self {
        Self::Logic(logic)
    }
}

impl Declaration {
    /// A budget with which kernels of 3×3 weights come close to the best programs that the search finds with any
    /// budget.
    pub const DEFAULT_NODES: u64 = 1_000_000;

    /// Checks whether there can be a program.
    pub fn check(&self) -> Result<(), DeclarationError> {
        if self.inputs.is_empty() {
            return Err(DeclarationError::NoInput);
        }
        if self.outputs.is_empty() {
            return Err(DeclarationError::NoOutput);
        }
        let is_misplaced = |(place, input): (usize, &Input)| {
            let before = self.inputs[..place].iter().filter(|other| other.at == input.at).count();
            input.at.is_some() && (before > 0 || input.format.bits() != 1)
        };
        if let Some(input) = self.inputs.iter().enumerate().position(is_misplaced) {
            return Err(DeclarationError::Place { input });
        }
        let repeated = |names: &[&str]| (1..names.len()).find(|&i| names[..i].contains(&names[i]));
        let inputs: Vec<&str> = self.inputs.iter().map(|input| input.name.as_str()).collect();
        if let Some(input) = repeated(&inputs) {
            return Err(DeclarationError::InputTwice { input });
        }
        let outputs: Vec<&str> = self.outputs.iter().map(|output| output.name.as_str()).collect();
        if let Some(output) = repeated(&outputs) {
            return Err(DeclarationError::OutputTwice { output });
        }
        let given: u32 = self.inputs.iter().map(|input| input.format.bits()).sum();
        if given > REGISTERS {
            let fits = REGISTERS / u32::try_from(self.inputs.len()).unwrap_or(u32::MAX);
            return Err(DeclarationError::InputBits { bits: given, fits });
        }
        let kept: u32 = self.inputs.iter().filter(|input| input.keep).map(|input| input.format.bits()).sum();
        let bits = self.bits_at_the_end()?;
        if bits > REGISTERS {
            return Err(DeclarationError::OutputBits { bits, kept, fits: self.bits_that_fit() });
        }
        Ok(())
    }

    /// The number of bits of outputs and of kept inputs.
    fn bits_at_the_end(&self) -> Result<u32, DeclarationError> {
        let mut bits = self.inputs.iter().filter(|input| input.keep).map(|input| input.format.bits()).sum();
        for output in 0..self.outputs.len() {
            bits = self.output_format(output)?.bits().saturating_add(bits);
        }
        Ok(bits)
    }

    /// The format of an output in the registers: as wide as its range requires, in two's complement if it can be
    /// negative.
    pub fn output_format(&self, output: usize) -> Result<Format, DeclarationError> {
        let range = self.range(output)?;
        Format::of(range).ok_or(DeclarationError::Width { output })
    }

    /// The values that an output can take.
    fn range(&self, output: usize) -> Result<Range, DeclarationError> {
        let kernel = match &self.outputs[output].formula {
            Formula::Sum(kernel) => kernel,
            Formula::Logic(logic) => {
                self.check_logic(output, logic)?;
                return Ok(Range { min: 0, max: 1 });
            }
        };
        let mut range = Range::ZERO;
        for (atom, weight) in kernel.terms() {
            let input = self.inputs.get(usize::from(atom.channel));
            let input = input.ok_or(DeclarationError::NoSuchChannel { output, channel: atom.channel })?;
            check_distance(output, atom.displacement)?;
            if weight.denominator() != 1 {
                return Err(DeclarationError::Fraction { output, weight });
            }
            let scaled = input.format.range().checked_scale(weight.numerator());
            range = scaled.and_then(|scaled| range.checked_add(scaled)).ok_or(DeclarationError::Width { output })?;
        }
        Ok(range)
    }

    /// Checks that the bits that a Boolean function reads exist.
    fn check_logic(&self, output: usize, logic: &Logic) -> Result<(), DeclarationError> {
        if logic.size() > Logic::MAX_SIZE {
            return Err(DeclarationError::Size { output });
        }
        for (input, bit, at) in logic.pixels() {
            let channel = u16::try_from(input).unwrap_or(u16::MAX);
            let format = self.inputs.get(input).map(|input| input.format);
            let format = format.ok_or(DeclarationError::NoSuchChannel { output, channel })?;
            if bit >= format.bits() {
                return Err(DeclarationError::NoSuchBit { output, bit });
            }
            check_distance(output, at)?;
        }
        Ok(())
    }

    /// The Boolean functions among the outputs.
    pub(super) fn functions(&self) -> impl Iterator<Item = &Logic> {
        self.outputs.iter().filter_map(|output| match &output.formula {
            Formula::Sum(_) => None,
            Formula::Logic(logic) => Some(logic),
        })
    }

    /// The sums among the outputs, with the indices of these.
    pub(super) fn sums(&self) -> impl Iterator<Item = (usize, &Polynomial)> {
        self.outputs.iter().enumerate().filter_map(|(place, output)| match &output.formula {
            Formula::Sum(kernel) => Some((place, kernel)),
            Formula::Logic(_) => None,
        })
    }

    /// The most bits of each input for which the outputs and the kept inputs fit into the registers; 0 if there are
    /// none.
    fn bits_that_fit(&self) -> u32 {
        let fits = |bits: u32| self.with_bits(bits)?.bits_at_the_end().ok().filter(|&bits| bits <= REGISTERS);
        (1..self.most_bits()).rev().find(|&bits| fits(bits).is_some()).unwrap_or_default()
    }

    /// The bits of the widest input.
    pub(super) fn most_bits(&self) -> u32 {
        self.inputs.iter().map(|input| input.format.bits()).max().unwrap_or_default()
    }

    /// The declaration with at most this many bits in each input; `None` if a signed input cannot be that narrow.
    pub(super) fn with_bits(&self, bits: u32) -> Option<Self> {
        let mut narrower = self.clone();
        for input in &mut narrower.inputs {
            input.format = Format::new(input.format.bits().min(bits), input.format.is_signed())?;
        }
        Some(narrower)
    }
}

fn check_distance(output: usize, at: Displacement) -> Result<(), DeclarationError> {
    let is_near = at.x.unsigned_abs().max(at.y.unsigned_abs()) <= MAX_DISTANCE;
    if is_near { Ok(()) } else { Err(DeclarationError::Distance { output }) }
}

/// The greatest distance of a kernel's pixels, in PEs along each axis.
const MAX_DISTANCE: u16 = 63;
/// The number of digital registers of a PE.
#[expect(clippy::cast_possible_truncation, reason = "13")]
const REGISTERS: u32 = Dreg::COUNT as u32;

/// An error in a declaration; inputs and outputs are given by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeclarationError {
    /// There is no input.
    NoInput,
    /// There is no output.
    NoOutput,
    /// Two inputs have the same name.
    InputTwice {
        /// The second of them.
        input: usize,
    },
    /// Two outputs have the same name.
    OutputTwice {
        /// The second of them.
        output: usize,
    },
    /// An input of several bits is given a register, or one that another input has.
    Place {
        /// The input.
        input: usize,
    },
    /// The inputs have more bits than there are registers.
    InputBits {
        /// The number of bits of all inputs.
        bits: u32,
        /// How many bits each input could have.
        fits: u32,
    },
    /// The outputs and the kept inputs have more bits than there are registers.
    OutputBits {
        /// The number of bits of all of them.
        bits: u32,
        /// The number of bits of kept inputs.
        kept: u32,
        /// How many bits each input could have; 0 if none fit.
        fits: u32,
    },
    /// A weight is not an integer.
    Fraction {
        /// The output.
        output: usize,
        /// The weight.
        weight: Fraction,
    },
    /// A kernel reads an input that does not exist.
    NoSuchChannel {
        /// The output.
        output: usize,
        /// The input.
        channel: u16,
    },
    /// A Boolean function reads a bit that an input does not have.
    NoSuchBit {
        /// The output.
        output: usize,
        /// The bit, from 0.
        bit: u32,
    },
    /// A Boolean function has too many operations.
    Size {
        /// The output.
        output: usize,
    },
    /// A kernel reads a pixel that is too far away.
    Distance {
        /// The output.
        output: usize,
    },
    /// The values of an output need more bits than any number has.
    Width {
        /// The output.
        output: usize,
    },
}

/// The most bits of inputs that would fit.
struct Fitting(u32);

impl fmt::Display for Fitting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("inputs of one bit would fit"),
            most => write!(f, "inputs of up to {most} bits would fit"),
        }
    }
}

impl fmt::Display for DeclarationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoInput => f.write_str("a digital kernel needs at least one input"),
            Self::NoOutput => f.write_str("a digital kernel needs at least one output"),
            Self::InputTwice { .. } => f.write_str("two inputs have the same name; rename one"),
            Self::OutputTwice { .. } => f.write_str("two outputs have the same name; rename one"),
            Self::Place { input } => {
                write!(f, "input {input} cannot be in that register: it has several bits, or another input is there")
            }
            Self::InputBits { bits, fits: 0 } => {
                write!(f, "the inputs need {bits} registers and a PE has {REGISTERS}; there are too many inputs")
            }
            Self::InputBits { bits, fits } => {
                write!(f, "the inputs need {bits} registers and a PE has {REGISTERS}; {}", Fitting(*fits))
            }
            Self::OutputBits { bits, kept, fits } => {
                write!(f, "the outputs need {} registers", bits - kept)?;
                if *kept > 0 {
                    write!(f, " beside {kept} of inputs that are kept,")?;
                }
                write!(f, " and a PE has {REGISTERS}; ")?;
                match fits {
                    0 => f.write_str("declare fewer outputs or smaller weights"),
                    fits => Fitting(*fits).fmt(f),
                }
            }
            Self::Fraction { weight, .. } => write!(
                f,
                "the weight {weight} is not whole, so the result would not be exact; scale the kernel to whole weights"
            ),
            Self::NoSuchChannel { channel, .. } => write!(f, "the kernel reads input {channel}, which does not exist"),
            Self::NoSuchBit { bit, .. } => write!(f, "the expression reads bit {bit} of an input that has fewer"),
            Self::Size { .. } => {
                let most = Logic::MAX_SIZE;
                write!(f, "the expression has more than {most} operations and bits, with those that it refers to")
            }
            Self::Distance { .. } => write!(f, "the kernel reaches farther than {MAX_DISTANCE} PEs"),
            Self::Width { .. } => write!(
                f,
                "the values of the kernel need more than the {REGISTERS} registers of a PE; use smaller weights or fewer bits"
            ),
        }
    }
}

impl core::error::Error for DeclarationError {}
