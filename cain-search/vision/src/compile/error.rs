//! Why a program cannot be compiled.

use cain_isa::PlaneOperation;
use cain_isa::operations::OperationError;

use crate::declaration::Value;

/// Why a program cannot be compiled.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CompileError {
    /// There is no analogue register for a value, beside those that are needed later.
    Registers(Value),
    /// There is no digital register for a value.
    Bits(Value),
    /// No program was found for a sum.
    Sum(Value, Box<cain_search::SearchError>),
    /// No program was found for a Boolean function.
    Logic(Value, Box<cain_digital::SearchError>),
    /// A number that levels depend on may be beyond −127 to 127.
    Level(Value),
    /// A state begins with a level that there is not.
    Constant(i64),
    /// The words of an operation break a rule of the machine.
    Operation(OperationError),
    /// An operation does not do what it should, which is a bug.
    Unproved(PlaneOperation),
    /// Planes have to change places, and there is no register beside them.
    Cycle,
    /// A value is not where it should be, which is a bug.
    Lost(Value),
}
