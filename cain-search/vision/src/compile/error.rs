//! Why a program cannot be compiled.

use core::fmt;

use cain_isa::operations::OperationError;
use cain_isa::{Dreg, MachineError, Range, Reg};
use cain_network::Wanted;
use cain_search::switches::SwitchError;

use crate::declaration::Value;

/// Why a program cannot be compiled. Each names the value at which it fails.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CompileError {
    /// There is no analogue register for a value, beside those that are needed later.
    Registers {
        /// The value.
        value: Value,
        /// What is held at that moment.
        held: Vec<(Value, Reg)>,
        /// How many planes of levels fit, with those that operations need beside their operands.
        fit: usize,
    },
    /// There is no digital register for a value.
    Bits {
        /// The value.
        value: Value,
        /// What is held at that moment.
        held: Vec<(Value, Dreg)>,
    },
    /// No program was found for a sum.
    Sum(Value, Box<cain_search::SearchError>),
    /// No program was found for a Boolean function.
    Logic(Value, Box<cain_digital::SearchError>),
    /// What is added to levels may be no whole number between −128 and 127.
    Level(Value),
    /// A state begins with a level that there is not, or with an input of another kind.
    First(Value),
    /// Only levels are kept as so many levels: 2 to 128.
    Storage(Value),
    /// A list may become longer than there is room for.
    LongList {
        /// A number that is added to it.
        value: Option<Value>,
        /// How many numbers it may have.
        needed: usize,
        /// How many numbers there is room for.
        most: usize,
    },
    /// A list has entries of different lengths.
    List {
        /// The list.
        list: usize,
        /// A number of it.
        value: Option<Value>,
        /// How many numbers there is room for.
        most: usize,
    },
    /// The words of an operation break a rule of the machine.
    Operation(Value, OperationError),
    /// Programs that may interrupt it overwrite the only registers that are left for a state.
    StateOfOthers(Value),
    /// Programs that may interrupt it cannot, or have to wait too long.
    Interruption(SwitchError),
    /// A plan does not say what was found in this search.
    Unanswered(Box<Wanted>),
    /// The registers of the machine hold fewer levels than those of SCAMP-5.
    SmallRange(Range),
    /// The machine lacks something that a word needs.
    Machine(MachineError),
    /// There are too many cases for the proof.
    TooLarge,
    /// Something is not what it should be, or could not be shown to be: a bug.
    Unproved(Option<Value>),
}

impl CompileError {
    /// The value at which it fails.
    #[must_use]
    pub const fn value(&self) -> Option<Value> {
        match self {
            Self::Registers { value, .. }
            | Self::Bits { value, .. }
            | Self::Sum(value, _)
            | Self::Logic(value, _)
            | Self::Level(value)
            | Self::First(value)
            | Self::Storage(value)
            | Self::StateOfOthers(value)
            | Self::Operation(value, _) => Some(*value),
            Self::Unproved(value) | Self::List { value, .. } | Self::LongList { value, .. } => *value,
            Self::Unanswered(_) | Self::Interruption(_) | Self::SmallRange(_) | Self::Machine(_) | Self::TooLarge => {
                None
            }
        }
    }
}

impl CompileError {
    /// The error with other values in the place of its own.
    pub(super) fn with_values(mut self, of: &impl Fn(Value) -> Value) -> Self {
        match &mut self {
            Self::Registers { value, held, .. } => {
                *value = of(*value);
                for (value, _) in held {
                    *value = of(*value);
                }
            }
            Self::Bits { value, held } => {
                *value = of(*value);
                for (value, _) in held {
                    *value = of(*value);
                }
            }
            Self::Sum(value, _)
            | Self::Logic(value, _)
            | Self::Level(value)
            | Self::First(value)
            | Self::Storage(value)
            | Self::StateOfOthers(value)
            | Self::Operation(value, _)
            | Self::Unproved(Some(value))
            | Self::LongList { value: Some(value), .. }
            | Self::List { value: Some(value), .. } => *value = of(*value),
            Self::Unproved(None)
            | Self::List { value: None, .. }
            | Self::LongList { value: None, .. }
            | Self::Unanswered(_)
            | Self::Interruption(_)
            | Self::SmallRange(_)
            | Self::Machine(_)
            | Self::TooLarge => {}
        }
        self
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Registers { fit, .. } => {
                let needed = fit + 1;
                write!(f, "no analogue register is left: {needed} planes of levels are needed at once, one more than fit")
            }
            Self::Bits { held, .. } => {
                let needed = held.len() + 1;
                write!(f, "no digital register is left: {needed} planes of bits are needed at once, one more than fit")
            }
            Self::Sum(_, error) => write!(f, "no program was found for this sum: {error}"),
            Self::Logic(_, error) => write!(f, "no program was found for this function of bits: {error}"),
            Self::Level(_) => f.write_str(
                "what is added to levels may be no whole number between −128 and 127; give its parts a smaller range",
            ),
            Self::First(_) => {
                f.write_str("a state cannot begin like this: use a level between −128 and 127 or an input of its kind")
            }
            Self::Storage(_) => f.write_str("only planes of levels are kept as levels, 2 to 128 of them"),
            Self::LongList { needed, most, .. } => write!(
                f,
                "a list may have at most {most} numbers, and this one has room for {needed}; lower the limits of the loops around it"
            ),
            Self::List { .. } => f.write_str("the entries of a list have different lengths"),
            Self::Operation(_, error) => error.fmt(f),
            Self::StateOfOthers(_) => f.write_str(
                "no register is left for this state that interrupting programs do not overwrite: nobody moves states out of \
                 their way between frames; let them use fewer registers, or keep the state in fewer bits",
            ),
            Self::Interruption(error) => error.fmt(f),
            Self::Unanswered(wanted) => write!(f, "the plan has no program for `{wanted}`"),
            Self::SmallRange(range) => write!(
                f,
                "the registers of the machine hold {range} DN, but whole programs count on {} DN; use a machine whose `range` has \
                 these, or filters",
                Range::SCAMP5
            ),
            Self::Machine(error) => {
                write!(f, "{error}, which a word of this program needs; use a machine that can do more")
            }
            Self::TooLarge => f.write_str(
                "there are too many cases to prove the program: planes of bits, extremes and choices depend on too many others; keep \
                 some of them in states, or make several programs of it",
            ),
            Self::Unproved(_) => {
                f.write_str("the program that was found could not be proved, which is a bug of the compiler")
            }
        }
    }
}

impl core::error::Error for CompileError {}
