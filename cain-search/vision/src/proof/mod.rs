//! Proves plans: the program computes its declaration, for all levels, bits, numbers and sizes of the array.
//!
//! The proof shares nothing with the compiler. It follows the words of a frame on diagrams of what is not known: the planes
//! and states that are given, what loops carry and what comes out of decisions, and results of operations that are no sums.
//! Wherever the plan claims that a register holds a value, its content is compared with what the declaration says. A loop is
//! followed once, with everything forgotten that its body writes but what is carried, which has to be in the same registers at
//! both ends; both ways of a decision are followed, and what is the same or declared to come out is known after it.
//!
//! Levels are ideal ones, but for the constant error of transfers, which has to cancel in everything that is held or compared.
//! Near the border of the array they are those that the declaration [defines](crate::declaration::reach), but for sums of which
//! nothing is [needed](border) there; bits are exact up to the border.

mod border;
mod control;
mod diagram;
mod equal;
mod follow;
mod form;
mod frame;
mod machine;
mod meaning;
mod numbers;
#[cfg(test)]
mod tests;

use cain_isa::Word;

use crate::declaration::Value;
pub(crate) use frame::prove;

/// Why something is not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A value is not what was declared.
    Wrong(Value),
    /// A list is not what was declared.
    List(usize),
    /// FLAG is not 1 where it has to be.
    Flag,
    /// A level of the controller may be none.
    Level,
    /// Something of one kind is used as something of another kind.
    Kinds,
    /// A word cannot be followed.
    Word(Word),
    /// A step has no place here.
    Step,
    /// There are too many cases, or numbers are too large.
    TooLarge,
}
