//! The verifier: whether a program computes a declaration.

use core::fmt;

use cain_isa::prove::{Mismatch, ProveError, Prover, Reach, Report};
use cain_isa::{Displacement, Fraction, HostController as _, Instruction, MachineError, Reg, Store};

use crate::metrics::{expected, thousandths};
use crate::{Accuracy, Declaration, DeclarationError, OffsetRule, Output};

/// A program that was proved to compute its declaration.
///
/// Only [`verify()`] makes one. A function that takes a `Proved` need not verify the program again:
///
/// ```
/// use cain_isa::Machine;
/// use cain_isa::asm::{A, B, EAST, movx};
/// use cain_isa::prove::Polynomial;
/// use cain_search::{Declaration, Input, Options, Output, Proved, verify};
///
/// let declaration = Declaration {
///     name: "copy".into(),
///     inputs: vec![Input { reg: A, keep: true }],
///     outputs: vec![Output { reg: B, kernel: Polynomial::input(0) }],
///     scratch: vec![],
///     machine: Machine::SCAMP5,
///     options: Options::default(),
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
/// # use cain_isa::prove::{Polynomial, Reach, Report};
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
/// let proved = Proved { declaration, listing, report: Report::default(), reach: Reach::default() };
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Proved {
    declaration: Declaration,
    listing: Vec<Instruction>,
    report: Report,
    reach: Reach,
}

impl Proved {
    /// What it computes.
    #[must_use]
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// Its instructions.
    #[must_use]
    pub fn listing(&self) -> &[Instruction] {
        &self.listing
    }

    /// What the prover found: counts, peak gain, registers.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// How accurate its outputs are expected to be, in the order of the declaration: on the chip of the declaration's
    /// options, and for a [natural image](crate::ImageStatistics::NATURAL).
    #[must_use]
    pub fn accuracy(&self) -> Vec<Accuracy> {
        expected(&self.declaration, &self.listing)
    }

    /// How far from a PE the values of its outputs were fetched.
    #[must_use]
    pub fn reach(&self) -> Reach {
        self.reach
    }
}

/// Replays a program exactly and decides whether it is right for a declaration: every output register holds its kernel,
/// nothing but the registers that may be overwritten was written, no gain is above the largest allowed, no output holds
/// the constant transfer error if that has to cancel, and no instruction is of another set or missing on the machine.
///
/// The program may come from anywhere.
pub fn verify(declaration: &Declaration, listing: &[Instruction]) -> Result<Proved, VerifyError> {
    verify_within(declaration, listing, u64::MAX)
}

/// As [`verify`], for a program from an untrusted source: one that reads more weights than that is
/// [`Unprovable`](VerifyError::Unprovable); see [`Prover::limited_to`].
pub fn verify_within(declaration: &Declaration, listing: &[Instruction], weights: u64) -> Result<Proved, VerifyError> {
    declaration.check().map_err(VerifyError::Declaration)?;
    let is_foreign = |line: &Instruction| !declaration.options.instructions.contains(line);
    if let Some((index, &instruction)) = listing.iter().enumerate().find(|(_, line)| is_foreign(line)) {
        return Err(VerifyError::Foreign { index, instruction });
    }
    let inputs: Vec<_> = declaration.inputs.iter().map(|input| input.reg).collect();
    let mut prover = Prover::new(&inputs).on(declaration.machine).limited_to(weights);
    for (index, &instruction) in listing.iter().enumerate() {
        prover.execute(instruction).map_err(|error| match error {
            ProveError::Machine(error) => VerifyError::Machine { index, instruction, error },
            error => VerifyError::Unprovable { index, error },
        })?;
    }
    for output in &declaration.outputs {
        prover.check(output.reg, &output.kernel).map_err(VerifyError::Wrong)?;
    }
    let (report, writable) = (prover.report(), declaration.writable());
    if let Some(&reg) = report.writes.iter().find(|reg| !writable.contains(reg)) {
        let index = listing.iter().position(|instruction| writes(instruction, reg));
        return Err(VerifyError::Overwritten { index: index.unwrap_or_default(), reg });
    }
    if declaration.options.offset_rule() == OffsetRule::Cancelled {
        for &Output { reg, .. } in &declaration.outputs {
            let offset = report.offset_error(reg);
            if offset != Some(Fraction::ZERO) {
                return Err(VerifyError::OffsetError { reg, offset });
            }
        }
    }
    if let Some(max_gain) = declaration.options.max_gain.filter(|max_gain| report.peak_gain > *max_gain) {
        return Err(VerifyError::MaxGain { gain: report.peak_gain, max_gain });
    }
    if let Some(limit) = declaration.options.accuracy {
        let rms = thousandths(Accuracy::worst_rms(&expected(declaration, listing)));
        if rms > limit.to_f64() {
            return Err(VerifyError::Inaccurate { rms, limit });
        }
    }
    Ok(Proved {
        declaration: declaration.clone(),
        listing: listing.to_vec(),
        report: report.clone(),
        reach: reach(declaration, &prover),
    })
}

/// Whether an instruction writes a register.
fn writes(instruction: &Instruction, reg: Reg) -> bool {
    instruction.words().any(|word| word.transfers().any(|transfer| transfer.store == Store::Reg(reg)))
}

/// How far from a PE the values of all outputs were fetched.
fn reach(declaration: &Declaration, prover: &Prover) -> Reach {
    declaration.outputs.iter().map(|output| prover.reach(output.reg)).fold(Reach::default(), |all, one| Reach {
        min: Displacement::new(all.min.x.min(one.min.x), all.min.y.min(one.min.y)),
        max: Displacement::new(all.max.x.max(one.max.x), all.max.y.max(one.max.y)),
    })
}

/// Why a program is not one for a declaration.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The declaration makes no sense.
    Declaration(DeclarationError),
    /// An instruction is not in the declaration's set.
    Foreign {
        /// Its place in the listing, from 0.
        index: usize,
        /// The instruction.
        instruction: Instruction,
    },
    /// The machine does not have an instruction.
    Machine {
        /// Its place in the listing, from 0.
        index: usize,
        /// The instruction.
        instruction: Instruction,
        /// What the machine lacks.
        error: MachineError,
    },
    /// The prover cannot follow an instruction.
    Unprovable {
        /// Its place in the listing, from 0.
        index: usize,
        /// Why not.
        error: ProveError,
    },
    /// An output does not hold its kernel.
    Wrong(Mismatch),
    /// An instruction writes a register that must not be overwritten.
    Overwritten {
        /// Its place in the listing, from 0.
        index: usize,
        /// The register.
        reg: Reg,
    },
    /// An output holds the constant transfer error, which has to cancel.
    OffsetError {
        /// The output.
        reg: Reg,
        /// How often it holds the error, if that fits exact arithmetic.
        offset: Option<Fraction>,
    },
    /// The gain of a value is larger than allowed.
    MaxGain {
        /// The largest gain.
        gain: Fraction,
        /// The largest gain allowed.
        max_gain: Fraction,
    },
    /// The predicted error of an output is larger than allowed.
    Inaccurate {
        /// Its root mean square, in DN, to thousandths.
        rms: f64,
        /// The largest one allowed.
        limit: Fraction,
    },
}

impl VerifyError {
    /// The place in the listing, from 0, of the instruction that it is about, if it is about one.
    #[must_use]
    pub fn index(&self) -> Option<usize> {
        match self {
            Self::Foreign { index, .. }
            | Self::Machine { index, .. }
            | Self::Unprovable { index, .. }
            | Self::Overwritten { index, .. } => Some(*index),
            Self::Declaration(_)
            | Self::Wrong(_)
            | Self::OffsetError { .. }
            | Self::MaxGain { .. }
            | Self::Inaccurate { .. } => None,
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
            Self::Overwritten { reg, .. } => {
                write!(f, "the program overwrites `{reg}`, which the filter does not allow")
            }
            Self::OffsetError { reg, .. } => {
                write!(f, "the program leaves the transfer error in `{reg}`, where it has to cancel")
            }
            Self::MaxGain { gain, max_gain } => {
                write!(f, "the program has a gain of {gain}, which is above the `max_gain` of {max_gain}")
            }
            Self::Inaccurate { rms, limit } => write!(
                f,
                "the predicted error of the program is {rms} DN, which is above the `accuracy` of {} DN",
                limit.to_f64()
            ),
        }
    }
}

impl core::error::Error for VerifyError {}
