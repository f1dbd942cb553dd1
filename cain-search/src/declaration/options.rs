//! Options of a search.

use cain_analysis::prove::Reach;
use cain_isa::{ErrorModel, Fraction, Range};

use super::{Interruption, Technique};
use crate::Approximation;

/// The options of a search: its budget, its objective, and constraints on programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The budget, in search nodes.
    ///
    /// A node is a fixed amount of work, about that of expanding one bag of a 3×3 kernel. All work is charged where it
    /// is done, so a budget takes about the same time for every declaration, and it is the same on every machine. What
    /// a search does never depends on its budget: with a larger one it does the same work first and then continues, so
    /// its program is no worse.
    pub nodes: u64,
    /// How long the search goes on that finds nothing better. Like the budget, it decides when a search ends and not what
    /// it does.
    pub patience: Patience,
    /// Whether the [opening book](crate::book) is looked up first. A search with a larger budget than those of the book is
    /// made all the same, and the better program taken.
    pub book: bool,
    /// The memory that the search may take, in MiB; at least [`Options::LEAST_MEMORY`].
    pub memory: u64,
    /// The quantity to minimise.
    pub objective: Objective,
    /// The instructions that programs may use.
    pub instructions: InstructionSet,
    /// The values that inputs can have; if `None`, all that the registers of the machine can hold.
    pub input: Option<Range>,
    /// The largest gain that any value may have.
    pub max_gain: MaxGain,
    /// Whether the constant transfer error has to cancel.
    pub offset: OffsetRule,
    /// How far the computed kernels may be from those declared; the search then looks for kernels that have a short
    /// program. If `None`, the kernels are computed exactly.
    pub approximate: Option<Approximation>,
    /// The largest root mean square, in DN, that the [predicted error](crate::accuracy()) of an output may have; if
    /// `None`, there is no limit.
    pub accuracy: Option<Fraction>,
    /// The most control words that a program may have, which limits its time on the chip; if `None`, there is no limit.
    pub max_words: Option<u64>,
    /// How far from a PE the values may come that its outputs depend on, on any path; if `None`, there is no limit. Beyond
    /// the border of the array, the chip does not define values.
    pub max_reach: Option<Reach>,
    /// The errors of the chip, from which accuracy is predicted.
    pub error_model: ErrorModel,
    /// The programs that may interrupt this one; none if `None`.
    pub interruption: Option<Interruption>,
    /// A technique that the search does without, to measure what it brings; `None` in all other searches.
    pub without: Option<Technique>,
}

impl Options {
    /// The default budget. A search inside the compiler runs unoptimised in most builds; there it takes about four seconds.
    pub const DEFAULT_NODES: u64 = 5_000;
    /// The memory that a search may take by default, in MiB.
    pub const DEFAULT_MEMORY: u64 = 512;
    /// The least memory with which a search is worthwhile, in MiB.
    pub const LEAST_MEMORY: u64 = 8;
    /// The largest value of [`memory`](Self::memory), in MiB.
    pub const MOST_MEMORY: u64 = 1 << 20;

    /// The quantity that is actually minimised: a native program has no macro instructions, so its control words are
    /// counted instead.
    #[must_use]
    pub fn objective_in_force(&self) -> Objective {
        match (self.objective, self.instructions) {
            (Objective::Macros, InstructionSet::Native) => Objective::Icws,
            (Objective::Macros, InstructionSet::Macro | InstructionSet::Basic) => Objective::Macros,
            (objective @ (Objective::Icws | Objective::Accuracy), _) => objective,
        }
    }

    /// Whether the search uses a technique.
    pub(crate) fn uses(&self, technique: Technique) -> bool {
        self.without != Some(technique)
    }

    /// Whether the predicted error is the objective or is limited.
    pub(crate) fn looks_at_errors(&self) -> bool {
        self.objective == Objective::Accuracy || self.accuracy.is_some()
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            nodes: Self::DEFAULT_NODES,
            patience: Patience::default(),
            book: false,
            memory: Self::DEFAULT_MEMORY,
            objective: Objective::default(),
            instructions: InstructionSet::default(),
            input: None,
            max_gain: MaxGain::default(),
            offset: OffsetRule::default(),
            approximate: None,
            accuracy: None,
            max_words: None,
            max_reach: None,
            error_model: ErrorModel::measured(),
            interruption: None,
            without: None,
        }
    }
}

/// How long a search goes on that finds nothing better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// For this many times the nodes that it took to find the best program, and some more that depend on the number of
    /// weights. What only breaks ties does not count as better.
    Times(u64),
    /// Until the budget is used up.
    Any,
}

impl Patience {
    /// The nodes that a search has in any case, for the square of the number of weights, and the fewest of all: in the first
    /// ones it has not tried everything yet, and a sweep takes longer the more weights there are.
    const LEAST_OF_SQUARE: u64 = 30;
    const LEAST: u64 = 4_000;

    /// The nodes after which a search for so many weights ends whose best program was found after `found` nodes; `None` if
    /// it goes on.
    #[must_use]
    pub fn end(self, found: u64, weights: usize) -> Option<u64> {
        let Self::Times(times) = self else { return None };
        let weights = u64::try_from(weights).unwrap_or(u64::MAX);
        let least = Self::LEAST_OF_SQUARE.saturating_mul(weights.saturating_mul(weights)).max(Self::LEAST);
        Some(times.saturating_mul(found).saturating_add(least))
    }
}

impl Default for Patience {
    fn default() -> Self {
        Self::Times(2)
    }
}

/// The objective by which programs are compared: one figure, and two more to break ties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Objective {
    /// The number of macro instructions, then of control words, then the predicted error.
    #[default]
    Macros,
    /// The number of control words (the time on the chip), then of macro instructions, then the predicted error.
    Icws,
    /// The predicted error of the worst output, see [`accuracy`](crate::accuracy()), then the number of control words,
    /// then of macro instructions.
    Accuracy,
}

/// The largest gain that a value of a program may have, including inputs and outputs. The gain is the largest magnitude
/// that the value can take, relative to the largest magnitude of an input; see
/// [`Polynomial::gain`](cain_analysis::prove::Polynomial::gain).
///
/// Registers saturate: what exceeds their range is lost, even if the outputs would be within it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MaxGain {
    /// The gain of the outputs themselves, or that of a value that just fits in the registers, whichever is larger: no
    /// intermediate value saturates unless a result does.
    #[default]
    Own,
    /// This gain, which is at least 1, the gain of the inputs.
    AtMost(Fraction),
    /// No limit.
    Any,
}

impl From<Option<Fraction>> for MaxGain {
    fn from(max_gain: Option<Fraction>) -> Self {
        max_gain.map_or(Self::Any, Self::AtMost)
    }
}

/// The amount of the constant transfer error that outputs may hold; see
/// [`Report::offset_errors`](cain_analysis::prove::Report::offset_errors).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OffsetRule {
    /// None: the error cancels, or is compensated. Macro instructions cancel it by themselves, except in the negative
    /// halves of `div` and `diva`.
    #[default]
    Cancelled,
    /// Any multiple of the error; the report tells which.
    Any,
}

/// The instructions that a program may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum InstructionSet {
    /// All macro instructions of the vendor library that arithmetic needs.
    Macro,
    /// The instructions of AUKE (Debrunner et al. 2019): `mov`, `movx`, `add` and `sub` of two operands, `neg`, `divq`,
    /// `res`.
    Basic,
    /// Single control words, which add and halve at once and use NEWS as one more register.
    #[default]
    Native,
}

impl InstructionSet {
    /// Whether the divisions of the set can reach a weight: macro instructions make halves, control words also thirds.
    #[must_use]
    pub fn reaches(self, weight: Fraction) -> bool {
        let thirds = match self {
            Self::Native => weight.thirds(),
            Self::Macro | Self::Basic => 0,
        };
        let halves = 3_i64.checked_pow(thirds).and_then(|power| weight.checked_mul(Fraction::new(power, 1)?));
        halves.is_some_and(Fraction::is_dyadic)
    }

    /// The denominators of the weights that the set can reach, and the reason, in words.
    #[must_use]
    pub fn denominators(self) -> (&'static str, &'static str) {
        match self {
            Self::Macro | Self::Basic => ("a power of two", "macro instructions only halve"),
            Self::Native => ("made of twos and threes", "control words divide by nothing else"),
        }
    }
}
