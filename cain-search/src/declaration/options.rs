//! How to search.

use cain_isa::{ErrorModel, Fraction};

/// How to search for a program.
#[derive(Clone, Debug, PartialEq)]
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
    pub max_gain: Option<Fraction>,
    /// What becomes of the constant transfer error, see [`offset_rule`](Self::offset_rule).
    pub offset: Option<OffsetRule>,
    /// The root mean square, in DN, that the [predicted error](crate::accuracy()) of no output may exceed, if it is
    /// bounded.
    pub accuracy: Option<Fraction>,
    /// The errors of the chip, for predictions.
    pub error_model: ErrorModel,
}

impl Options {
    /// The default budget. A search inside the compiler runs unoptimised in most builds; there a 3×3 kernel takes about
    /// two seconds with it.
    pub const DEFAULT_NODES: u64 = 2_000;
    /// The memory that a search may take by default, in MiB.
    pub const DEFAULT_MEMORY: u64 = 512;
    /// Less memory is not worth a search, in MiB.
    pub const LEAST_MEMORY: u64 = 8;
    /// The largest value of [`memory`](Self::memory), in MiB.
    pub const MOST_MEMORY: u64 = 1 << 20;

    /// What is to be small. A native program has no macro instructions; its instructions are control words.
    #[must_use]
    pub fn objective_in_force(&self) -> Objective {
        match (self.objective, self.instructions) {
            (Objective::Macros, InstructionSet::Native) => Objective::Icws,
            (Objective::Macros, InstructionSet::Macro | InstructionSet::Basic) => Objective::Macros,
            (objective @ (Objective::Icws | Objective::Accuracy), _) => objective,
        }
    }

    /// Whether the predicted error is the objective, or bounded.
    pub(crate) fn looks_at_errors(&self) -> bool {
        self.objective == Objective::Accuracy || self.accuracy.is_some()
    }

    /// What becomes of the constant transfer error: the option, or else native programs cancel it. Macro
    /// instructions do so by themselves, but for the negative halves of `div` and `diva`, which may be used
    /// unless the option forbids them.
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
            max_gain: None,
            offset: None,
            accuracy: None,
            error_model: ErrorModel::measured(),
        }
    }
}

/// What programs are compared by: one figure, then two more to break ties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Objective {
    /// The number of macro instructions, then control words, then the predicted error.
    #[default]
    Macros,
    /// The number of control words (the time on the chip), then macro instructions, then the predicted error.
    Icws,
    /// The predicted error of the worst output, see [`accuracy`](crate::accuracy()), then control words, then macro
    /// instructions.
    Accuracy,
}

/// How much of the constant transfer error outputs may hold; see
/// [`Report::offset_errors`](cain_isa::prove::Report::offset_errors).
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
        let thirds = match self {
            Self::Native => weight.thirds(),
            Self::Macro | Self::Basic => 0,
        };
        let halves = 3_i64.checked_pow(thirds).and_then(|power| weight.checked_mul(Fraction::new(power, 1)?));
        halves.is_some_and(Fraction::is_dyadic)
    }

    /// The denominators of the weights that the set can reach, and why, in words.
    #[must_use]
    pub fn denominators(self) -> (&'static str, &'static str) {
        match self {
            Self::Macro | Self::Basic => ("a power of two", "macro instructions only halve"),
            Self::Native => ("made of twos and threes", "control words divide by nothing else"),
        }
    }
}
