//! What a user asks for.

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};

use cain_isa::prove::Polynomial;
use cain_isa::{Fraction, Reg};

/// A filter to be compiled: kernels in registers, computed from inputs in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The name of the filter.
    pub name: String,
    /// The inputs, in channel order.
    pub inputs: Vec<Input>,
    /// The outputs. They may stand in registers of inputs that are not kept.
    pub outputs: Vec<Output>,
    /// Further registers that the program may overwrite.
    pub scratch: Vec<Reg>,
    /// How to search.
    pub options: Options,
}

/// An input image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// The register that holds it.
    pub reg: Reg,
    /// Whether the register is only read. Otherwise it may be overwritten.
    pub keep: bool,
}

/// A wanted kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The register that receives the result.
    pub reg: Reg,
    /// The kernel, over the channels of the declaration's inputs.
    pub kernel: Polynomial,
}

/// How to search for a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The budget: search nodes (bags expanded).
    pub nodes: u64,
    /// How much memory the search may take, in MiB; at least [`Options::LEAST_MEMORY`].
    pub memory: u64,
    /// What is to be small.
    pub objective: Objective,
    /// Which instructions may occur.
    pub instructions: InstructionSet,
    /// The largest gain allowed of any value, if bounded; at least 1, which is that of the inputs.
    pub headroom: Option<Fraction>,
    /// What becomes of the constant transfer error, see [`offset_rule`](Self::offset_rule).
    pub offset: Option<OffsetRule>,
}

impl Options {
    /// The budget that a declaration has unless it says otherwise. A search inside the compiler runs unoptimised in
    /// most builds; this is what a 3×3 kernel can have there in about two seconds.
    pub const DEFAULT_NODES: u64 = 2_000;
    /// The memory that a search may take unless its declaration says otherwise, in MiB.
    pub const DEFAULT_MEMORY: u64 = 512;
    /// Less memory is not worth a search, in MiB.
    pub const LEAST_MEMORY: u64 = 8;
    /// More cannot be asked for, in MiB.
    pub const MOST_MEMORY: u64 = 1 << 20;

    /// What is to be small. A native program has no macro instructions; its instructions are control words.
    #[must_use]
    pub fn objective_in_force(&self) -> Objective {
        match (self.instructions, self.objective) {
            (InstructionSet::Native, Objective::Macros) => Objective::Icws,
            (_, objective) => objective,
        }
    }

    /// What becomes of the constant transfer error: what was asked for, or else that native programs cancel it. Macro
    /// instructions do so by themselves, but for the negative halves of `div` and `diva`, which nobody has to do
    /// without unless it is asked for.
    #[must_use]
    pub fn offset_rule(&self) -> OffsetRule {
        self.offset.unwrap_or(match self.instructions {
            InstructionSet::Native => OffsetRule::Cancelled,
            InstructionSet::Macro | InstructionSet::Basic => OffsetRule::Any,
        })
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            nodes: Self::DEFAULT_NODES,
            memory: Self::DEFAULT_MEMORY,
            objective: Objective::default(),
            instructions: InstructionSet::default(),
            headroom: None,
            offset: None,
        }
    }
}

/// What programs are compared by: one figure, then two more where that is equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Objective {
    /// The number of macro instructions, then control words, then noise.
    #[default]
    Macros,
    /// The number of control words (the time on the chip), then macro instructions, then noise.
    Icws,
    /// The [`noise`](crate::noise()) that reaches the outputs, then control words, then macro instructions.
    Noise,
}

/// How much of the constant transfer error outputs may hold; see [`Report::offsets`](cain_isa::prove::Report::offsets).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffsetRule {
    /// None: it cancels, or is compensated.
    Cancelled,
    /// Any multiple of it; the report tells which.
    Any,
}

/// Which instructions a program may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum InstructionSet {
    /// All macro instructions of the vendor library that arithmetic needs.
    #[default]
    Macro,
    /// Those of AUKE (Debrunner et al. 2019): `mov`, `movx`, `add` and `sub` of two operands, `neg`, `divq`, `res`.
    Basic,
    /// Single control words, which add and halve at once and use NEWS as one more register.
    Native,
}

impl InstructionSet {
    /// Whether divisions of the set can reach a weight: macro instructions halve; control words also make thirds.
    #[must_use]
    pub fn reaches(self, weight: Fraction) -> bool {
        let thirds = if self == Self::Native { weight.thirds() } else { 0 };
        let halves = 3_i64.checked_pow(thirds).and_then(|power| weight.checked_mul(Fraction::new(power, 1)?));
        halves.is_some_and(Fraction::is_dyadic)
    }

    /// What the denominators of the weights are that the set can reach, and why, in words.
    #[must_use]
    pub fn denominators(self) -> (&'static str, &'static str) {
        match self {
            Self::Macro | Self::Basic => ("a power of two", "macro instructions only halve"),
            Self::Native => ("made of twos and threes", "control words divide by nothing else"),
        }
    }
}

impl Declaration {
    /// All registers that the program may overwrite, without repetition, in register order.
    #[must_use]
    pub fn writable(&self) -> Vec<Reg> {
        let inputs = self.inputs.iter().filter(|input| !input.keep).map(|input| input.reg);
        let outputs = self.outputs.iter().map(|output| output.reg);
        inputs.chain(outputs).chain(self.scratch.iter().copied()).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Checks what must hold of every declaration.
    pub fn validate(&self) -> Result<(), DeclarationError> {
        if self.inputs.is_empty() {
            return Err(DeclarationError::NoInput);
        }
        if self.outputs.is_empty() {
            return Err(DeclarationError::NoOutput);
        }
        if !(Options::LEAST_MEMORY..=Options::MOST_MEMORY).contains(&self.options.memory) {
            return Err(DeclarationError::Memory(self.options.memory));
        }
        if let Some(headroom) = self.options.headroom.filter(|headroom| *headroom < Fraction::ONE) {
            return Err(DeclarationError::HeadroomBelowInputs(headroom));
        }
        let mut inputs = BTreeMap::new();
        for input in &self.inputs {
            if inputs.insert(input.reg, input.keep).is_some() {
                return Err(DeclarationError::InputTwice(input.reg));
            }
        }
        let mut outputs = BTreeSet::new();
        for output in &self.outputs {
            if !outputs.insert(output.reg) {
                return Err(DeclarationError::OutputTwice(output.reg));
            }
            if inputs.get(&output.reg) == Some(&true) {
                return Err(DeclarationError::KeptOutput(output.reg));
            }
            for (atom, weight) in output.kernel.terms() {
                if usize::from(atom.channel) >= self.inputs.len() {
                    return Err(DeclarationError::NoSuchChannel(atom.channel));
                }
                if !self.options.instructions.reaches(weight) {
                    let instructions = self.options.instructions;
                    return Err(DeclarationError::Unreachable { reg: output.reg, weight, instructions });
                }
            }
            self.check_headroom(output)?;
        }
        let mut scratch = BTreeSet::new();
        for &reg in &self.scratch {
            if inputs.contains_key(&reg) || outputs.contains(&reg) || !scratch.insert(reg) {
                return Err(DeclarationError::ScratchTwice(reg));
            }
        }
        Ok(())
    }

    /// An output is a value like any other.
    fn check_headroom(&self, output: &Output) -> Result<(), DeclarationError> {
        let Some(headroom) = self.options.headroom else { return Ok(()) };
        match output.kernel.gain() {
            Some(gain) if gain > headroom => Err(DeclarationError::Headroom { reg: output.reg, gain, headroom }),
            _ => Ok(()),
        }
    }
}

/// What is wrong with a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeclarationError {
    /// There is no input.
    NoInput,
    /// There is no output.
    NoOutput,
    /// A register is named for two inputs.
    InputTwice(Reg),
    /// A register is named for two outputs.
    OutputTwice(Reg),
    /// A register is an output and also an input that must be kept.
    KeptOutput(Reg),
    /// A scratch register is also an input, an output, or named twice.
    ScratchTwice(Reg),
    /// A kernel reads an input channel that does not exist.
    NoSuchChannel(u16),
    /// A weight cannot be reached by the divisions of the instruction set.
    Unreachable {
        /// The output.
        reg: Reg,
        /// The weight.
        weight: Fraction,
        /// The instruction set.
        instructions: InstructionSet,
    },
    /// Less or more memory is allowed than a search can have, in MiB.
    Memory(u64),
    /// A gain is allowed that is smaller than 1, the gain of the inputs.
    HeadroomBelowInputs(Fraction),
    /// A kernel has a larger gain than is allowed of any value.
    Headroom {
        /// The output.
        reg: Reg,
        /// The sum of its absolute weights.
        gain: Fraction,
        /// The largest gain allowed.
        headroom: Fraction,
    },
}

impl fmt::Display for DeclarationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoInput => f.write_str("a kernel needs at least one input register"),
            Self::NoOutput => f.write_str("a kernel needs at least one output register"),
            Self::InputTwice(reg) => write!(f, "register `{reg}` is named for two inputs; give each its own"),
            Self::OutputTwice(reg) => write!(f, "register `{reg}` is named for two outputs; give each its own"),
            Self::KeptOutput(reg) => write!(
                f,
                "input `{reg}` is kept (`&{reg}`) and cannot be an output as well; write `{reg}` to let it be overwritten, or choose another output"
            ),
            Self::ScratchTwice(reg) => {
                write!(f, "register `{reg}` is already in use; scratch registers are beside inputs and outputs")
            }
            Self::NoSuchChannel(channel) => write!(f, "there is no input channel {channel}"),
            Self::Unreachable { reg, weight, instructions } => {
                let (denominators, why) = instructions.denominators();
                write!(
                    f,
                    "the kernel of `{reg}` has the weight {weight}, whose denominator is not {denominators}; {why}"
                )
            }
            Self::Memory(found) => write!(
                f,
                "a `memory` of {found} MiB is not possible; allow from {} to {} MiB",
                Options::LEAST_MEMORY,
                Options::MOST_MEMORY
            ),
            Self::HeadroomBelowInputs(headroom) => {
                write!(f, "a `headroom` of {headroom} is below 1, the gain of the inputs themselves; allow at least 1")
            }
            Self::Headroom { reg, gain, headroom } => write!(
                f,
                "the kernel of `{reg}` has a gain of {gain}, which is more than the `headroom` of {headroom}; allow at least {gain}"
            ),
        }
    }
}

impl core::error::Error for DeclarationError {}

impl fmt::Display for Declaration {
    /// The canonical spelling, on one line: two declarations with the same options that print the same ask for the same.
    ///
    /// `gauss(A) -> B using (C) { B = 1/16 [1 2 1; 2 4 2; 1 2 1] * A }`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        for (i, input) in self.inputs.iter().enumerate() {
            let separator = if i > 0 { ", " } else { "" };
            write!(f, "{separator}{}{}", if input.keep { "&" } else { "" }, input.reg)?;
        }
        f.write_str(") -> (")?;
        write_list(f, self.outputs.iter().map(|output| output.reg))?;
        f.write_str(") using (")?;
        write_list(f, self.scratch.iter().copied())?;
        f.write_str(") {")?;
        for output in &self.outputs {
            write!(f, " {} = ", output.reg)?;
            let mut plus = "";
            for (channel, input) in (0..).zip(&self.inputs) {
                if let Some(matrix) = Matrix::of(&output.kernel, channel) {
                    write!(f, "{plus}{matrix} * {}", input.reg)?;
                    plus = " + ";
                }
            }
            f.write_str(if plus.is_empty() { "0;" } else { ";" })?;
        }
        f.write_str(" }")
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, registers: impl Iterator<Item = Reg>) -> fmt::Result {
    for (i, reg) in registers.enumerate() {
        write!(f, "{}{reg}", if i > 0 { ", " } else { "" })?;
    }
    Ok(())
}

/// One channel of a kernel as the smallest matrix of odd size around the PE, with a common denominator.
///
/// Displayed as `1/16 [1 2 1; 2 4 2; 1 2 1]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// The common denominator of the rows.
    pub denominator: i64,
    /// Numerators; row 0 north, column 0 west.
    pub rows: Vec<Vec<i64>>,
}

impl Matrix {
    /// The matrix of one channel; `None` if its weights are all zero, or if a numerator does not fit.
    #[must_use]
    pub fn of(kernel: &Polynomial, channel: u16) -> Option<Self> {
        let terms = || kernel.terms().filter(move |(atom, _)| atom.channel == channel);
        let half_width = terms().map(|(atom, _)| atom.offset.x.unsigned_abs()).max()?.cast_signed();
        let half_height = terms().map(|(atom, _)| atom.offset.y.unsigned_abs()).max()?.cast_signed();
        let denominator = terms().map(|(_, weight)| weight.denominator()).try_fold(1_i64, |common, denominator| {
            // What is missing is the denominator of common/denominator, in lowest terms.
            common.checked_mul(Fraction::new(common, denominator)?.denominator())
        })?;
        let numerator = |x, y| {
            let atom = cain_isa::prove::Atom { channel, offset: cain_isa::Offset::new(x, y) };
            let weight = kernel.weight(atom);
            weight.numerator().checked_mul(denominator / weight.denominator())
        };
        let row = |y| (-half_width..=half_width).map(|x| numerator(x, y)).collect::<Option<Vec<_>>>();
        let rows = (-half_height..=half_height).rev().map(row).collect::<Option<Vec<_>>>()?;
        Some(Self { denominator, rows })
    }
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator != 1 {
            write!(f, "1/{} ", self.denominator)?;
        }
        f.write_str("[")?;
        for (i, row) in self.rows.iter().enumerate() {
            f.write_str(if i > 0 { "; " } else { "" })?;
            for (j, weight) in row.iter().enumerate() {
                write!(f, "{}{weight}", if j > 0 { " " } else { "" })?;
            }
        }
        f.write_str("]")
    }
}
