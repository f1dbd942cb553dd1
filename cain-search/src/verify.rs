//! The verifier decides whether a program computes a declaration.

mod switches;
#[cfg(test)]
mod tests;

use core::fmt;

use cain_analysis::prove::{Mismatch, Polynomial, ProveError, Prover, Reach, Report};
use cain_isa::{Fraction, HostController as _, Instruction, MachineError, Reg, Store};

use crate::approximate::{distance, vanished};
use crate::metrics::{expected, thousandths};
use crate::switches::{SwitchError, SwitchTable};
use crate::{Accuracy, Approximated, Declaration, DeclarationError, OffsetRule, Output};

/// A program that was proved to compute its declaration.
///
/// Only [`verify()`] makes one. A function that takes a `Proved` need not verify the program again:
///
/// ```
/// use cain_isa::Machine;
/// use cain_isa::asm::{A, B, EAST, movx};
/// use cain_analysis::prove::Polynomial;
/// use cain_search::{Declaration, Input, InstructionSet, Options, Output, Proved, verify};
///
/// let declaration = Declaration {
///     name: "copy".into(),
///     inputs: vec![Input { reg: A, keep: true }],
///     outputs: vec![Output { reg: B, kernel: Polynomial::input(0) }],
///     scratch: vec![],
///     machine: Machine::SCAMP5,
///     options: Options { instructions: InstructionSet::Macro, ..Options::default() },
/// };
/// let proved: Proved = verify(&declaration, &["mov(B,A);".parse()?])?;
/// assert_eq!(proved.report().macros, 1);
///
/// // Another program is refused,
/// assert!(verify(&declaration, &[movx(B, A, EAST)]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// and there is no way past `verify`:
///
/// ```compile_fail,E0451
/// # use cain_isa::Machine;
/// # use cain_isa::asm::{A, B, EAST, movx};
/// # use cain_analysis::prove::{Polynomial, Reach, Report};
/// # use cain_search::{Declaration, Input, Options, Output, Proved, verify};
/// # let declaration = Declaration {
/// #     name: "copy".into(),
/// #     inputs: vec![Input { reg: A, keep: true }],
/// #     outputs: vec![Output { reg: B, kernel: Polynomial::input(0) }],
/// #     scratch: vec![],
/// #     machine: Machine::SCAMP5,
/// #     options: Options::default(),
/// # };
/// let listing = vec![movx(B, A, EAST)];
/// let proved = Proved { declaration, outputs: vec![], listing, report: Report::default(), reach: Reach::default(), switches: vec![] };
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Proved {
    declaration: Declaration,
    outputs: Vec<Output>,
    listing: Vec<Instruction>,
    report: Report,
    reach: Reach,
    switches: Vec<SwitchTable>,
}

impl Proved {
    /// The declaration that the program computes.
    #[must_use]
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// What the program computes: the outputs of the declaration, whose kernels differ from those declared only where
    /// that is [allowed](crate::Options::approximate).
    #[must_use]
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The instructions of the program.
    #[must_use]
    pub fn listing(&self) -> &[Instruction] {
        &self.listing
    }

    /// How far the kernels are from those declared, if they may differ.
    #[must_use]
    pub fn approximated(&self) -> Option<Approximated> {
        self.declaration.options.approximate?;
        let [wanted, found] = [&self.declaration.outputs, &self.outputs].map(|outputs| kernels(outputs));
        let weights = found.iter().flat_map(Polynomial::terms);
        let depth = weights.map(|(_, weight)| weight.denominator().trailing_zeros()).max().unwrap_or(0);
        Some(Approximated { depth, error: distance(&wanted, &found)? })
    }

    /// The report of the prover: counts, peak gain, registers.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The expected accuracy of the outputs, in the order of the declaration, on the chip of the declaration's options
    /// and for a [natural image](crate::ImageStatistics::NATURAL).
    #[must_use]
    pub fn accuracy(&self) -> Vec<Accuracy> {
        expected(&self.declaration, &self.listing)
    }

    /// The largest distance from a PE of the pixels that its outputs depend on.
    #[must_use]
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// Where the program can be left for each of those that may [interrupt](crate::Interruption) it according to its
    /// declaration, in the same order.
    #[must_use]
    pub fn switches(&self) -> &[SwitchTable] {
        &self.switches
    }
}

/// Replays a program exactly and decides whether it is right for a declaration: every output register holds its kernel,
/// or one near enough to it if the declaration [allows that](crate::Options::approximate); no registers were written
/// other than those that may be overwritten; no gain or reach is above its limit; no output holds the constant transfer error if
/// that has to cancel; every instruction belongs to the set and exists on the machine; and the program can be left for
/// those that may [interrupt](crate::Interruption) it.
///
/// The program may come from anywhere.
pub fn verify(declaration: &Declaration, listing: &[Instruction]) -> Result<Proved, VerifyError> {
    verify_within(declaration, listing, u64::MAX)
}

/// Works like [`verify`], for a program from an untrusted source: one that reads more than `weights` weights is
/// [`Unprovable`](VerifyError::Unprovable); see [`Prover::limited_to`].
pub fn verify_within(declaration: &Declaration, listing: &[Instruction], weights: u64) -> Result<Proved, VerifyError> {
    declaration.check().map_err(VerifyError::Declaration)?;
    let is_foreign = |line: &Instruction| !declaration.options.instructions.contains(line);
    if let Some((index, &instruction)) = listing.iter().enumerate().find(|(_, line)| is_foreign(line)) {
        return Err(VerifyError::Foreign { index, instruction });
    }
    let inputs: Vec<_> = declaration.inputs.iter().map(|input| input.reg).collect();
    let mut prover =
        Prover::new(&inputs).on(declaration.machine).for_inputs(declaration.input_range()).limited_to(weights);
    for (index, &instruction) in listing.iter().enumerate() {
        prover.execute(instruction).map_err(|error| match error {
            ProveError::Machine(error) => VerifyError::Machine { index, instruction, error },
            error => VerifyError::Unprovable { index, error },
        })?;
    }
    let outputs = outputs(declaration, &prover)?;
    let (report, writable) = (prover.report(), declaration.writable());
    if let Some(&reg) = report.writes.iter().find(|reg| !writable.contains(reg)) {
        let index = listing.iter().position(|instruction| writes(instruction, reg));
        return Err(VerifyError::Overwritten { index: index.unwrap_or_default(), reg });
    }
    if declaration.options.offset == OffsetRule::Cancelled {
        for &Output { reg, .. } in &declaration.outputs {
            let offset = report.offset_error(reg);
            if offset != Some(Fraction::ZERO) {
                return Err(VerifyError::OffsetError { reg, offset });
            }
        }
    }
    if let Some(max_gain) = declaration.max_gain().filter(|max_gain| report.peak_gain > *max_gain) {
        return Err(VerifyError::MaxGain { gain: report.peak_gain, max_gain });
    }
    let reach = reach(declaration, &prover);
    if let Some(max_reach) = declaration.options.max_reach.filter(|most| reach.union(*most) != *most) {
        return Err(VerifyError::MaxReach { reach, max_reach });
    }
    if let Some(limit) = declaration.options.max_words.filter(|limit| u64::from(report.icws) > *limit) {
        return Err(VerifyError::TooLong { words: report.icws, limit });
    }
    if let Some(limit) = declaration.options.accuracy {
        let rms = thousandths(Accuracy::worst_rms(&expected(declaration, listing)));
        if rms > limit.to_f64() {
            return Err(VerifyError::Inaccurate { rms, limit });
        }
    }
    let switches = SwitchTable::all_of(declaration, listing).map_err(VerifyError::Interruption)?;
    Ok(Proved {
        declaration: declaration.clone(),
        outputs,
        listing: listing.to_vec(),
        report: report.clone(),
        reach,
        switches,
    })
}

/// The kernels in the output registers, if they are those that are wanted.
fn outputs(declaration: &Declaration, prover: &Prover) -> Result<Vec<Output>, VerifyError> {
    let wanted = &declaration.outputs;
    let Some(allowed) = declaration.options.approximate else {
        wanted.iter().try_for_each(|output| prover.check(output.reg, &output.kernel)).map_err(VerifyError::Wrong)?;
        return Ok(wanted.clone());
    };
    let found =
        |output: &Output| Output { reg: output.reg, kernel: prover.value(output.reg).cloned().unwrap_or_default() };
    let found: Vec<Output> = wanted.iter().map(found).collect();
    let (wanted, kernels) = (kernels(wanted), kernels(&found));
    if let Some((kernel, _)) = vanished(&wanted, &kernels) {
        return Err(VerifyError::Vanished { reg: found[kernel].reg });
    }
    match distance(&wanted, &kernels) {
        Some(error) if error <= allowed.error => Ok(found),
        error => Err(VerifyError::TooFar { error, allowed: allowed.error }),
    }
}

fn kernels(outputs: &[Output]) -> Vec<Polynomial> {
    outputs.iter().map(|output| output.kernel.clone()).collect()
}

/// Whether an instruction writes a register.
pub(crate) fn writes(instruction: &Instruction, reg: Reg) -> bool {
    instruction.words().any(|word| word.transfers().any(|transfer| transfer.store == Store::Reg(reg)))
}

/// The largest distance from a PE of the pixels that any output depends on.
fn reach(declaration: &Declaration, prover: &Prover) -> Reach {
    declaration.outputs.iter().map(|output| prover.reach(output.reg)).fold(Reach::default(), Reach::union)
}

/// The reason why a program is not one for a declaration.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The declaration is invalid.
    Declaration(DeclarationError),
    /// An instruction is not in the declaration's set.
    Foreign {
        /// The place of the instruction in the listing, from 0.
        index: usize,
        /// The instruction.
        instruction: Instruction,
    },
    /// The machine does not have an instruction.
    Machine {
        /// The place of the instruction in the listing, from 0.
        index: usize,
        /// The instruction.
        instruction: Instruction,
        /// What the machine lacks.
        error: MachineError,
    },
    /// The prover cannot follow an instruction.
    Unprovable {
        /// The place of the instruction in the listing, from 0.
        index: usize,
        /// The reason.
        error: ProveError,
    },
    /// An output does not hold its kernel.
    Wrong(Mismatch),
    /// The outputs hold kernels farther from those declared than is [allowed](crate::Options::approximate).
    TooFar {
        /// The sum of the absolute differences of all weights; `None` if exact arithmetic overflows.
        error: Option<Fraction>,
        /// The largest sum that is allowed.
        allowed: Fraction,
    },
    /// An output does not depend on an input of its kernel at all, even though kernels may differ from those declared.
    Vanished {
        /// The register of the output.
        reg: Reg,
    },
    /// An instruction writes a register that must not be overwritten.
    Overwritten {
        /// The place of the instruction in the listing, from 0.
        index: usize,
        /// The register that it writes.
        reg: Reg,
    },
    /// An output holds the constant transfer error, which has to cancel.
    OffsetError {
        /// The register of the output.
        reg: Reg,
        /// The multiple of the error that the output holds; `None` if exact arithmetic overflows.
        offset: Option<Fraction>,
    },
    /// The gain of a value is larger than allowed.
    MaxGain {
        /// The largest gain.
        gain: Fraction,
        /// The largest gain that is allowed.
        max_gain: Fraction,
    },
    /// The predicted error of an output is larger than allowed.
    Inaccurate {
        /// The root mean square of the error, in DN, to thousandths.
        rms: f64,
        /// The largest root mean square that is allowed.
        limit: Fraction,
    },
    /// The program has more control words than allowed.
    TooLong {
        /// The number of control words.
        words: u32,
        /// The largest number that is allowed.
        limit: u64,
    },
    /// The outputs depend on values from farther away than allowed.
    MaxReach {
        /// How far away the values come from.
        reach: Reach,
        /// The farthest that is allowed.
        max_reach: Reach,
    },
    /// The program cannot be left for those that may interrupt it, or not soon enough.
    Interruption(SwitchError),
}

impl VerifyError {
    /// The place in the listing, from 0, of the instruction that the error is about, if it is about one.
    #[must_use]
    pub fn index(&self) -> Option<usize> {
        match self {
            Self::Foreign { index, .. }
            | Self::Machine { index, .. }
            | Self::Unprovable { index, .. }
            | Self::Overwritten { index, .. } => Some(*index),
            Self::Declaration(_)
            | Self::Wrong(_)
            | Self::TooFar { .. }
            | Self::Vanished { .. }
            | Self::OffsetError { .. }
            | Self::MaxGain { .. }
            | Self::Inaccurate { .. }
            | Self::TooLong { .. }
            | Self::MaxReach { .. }
            | Self::Interruption(_) => None,
        }
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declaration(error) => error.fmt(f),
            Self::Foreign { instruction, .. } => {
                write!(f, "`{instruction}` is not in the filter's instruction set")
            }
            Self::Machine { instruction, error, .. } => write!(f, "`{instruction}`: {error}"),
            Self::Unprovable { error, .. } => error.fmt(f),
            Self::Wrong(mismatch) => write!(f, "the program does not compute the filter: {mismatch}"),
            Self::TooFar { error: Some(error), allowed } => {
                write!(
                    f,
                    "the weights that the program computes are off by {error} in all, but at most {allowed} is allowed"
                )
            }
            Self::TooFar { error: None, allowed } => {
                write!(f, "the weights that the program computes are off by more than the {allowed} allowed")
            }
            Self::Vanished { reg } => write!(f, "the kernel in `{reg}` has lost an input"),
            Self::Overwritten { reg, .. } => {
                write!(f, "the program overwrites `{reg}`, which the filter does not allow")
            }
            Self::OffsetError { reg, .. } => {
                write!(f, "the program leaves the transfer error in `{reg}`, where it has to cancel")
            }
            Self::MaxGain { gain, max_gain } => {
                write!(f, "a value of the program has a gain of {gain}, but at most {max_gain} is allowed")
            }
            Self::Inaccurate { rms, limit } => write!(
                f,
                "the predicted error of the program is {rms} DN, which is above the `accuracy` of {} DN",
                limit.to_f64()
            ),
            Self::TooLong { words, limit } => {
                write!(f, "the program has {words} control words, and `max_words` allows {limit}")
            }
            Self::MaxReach { reach, max_reach } => write!(
                f,
                "the program reads PEs from {} to {}, and at most those from {} to {} are allowed",
                reach.min, reach.max, max_reach.min, max_reach.max
            ),
            Self::Interruption(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for VerifyError {}
