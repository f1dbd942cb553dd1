//! What programs for a kernel need.

use core::fmt;

use cain_isa::{Displacement, Machine};

use super::options::InstructionSet;
use crate::engine::macros::forms::{Form, Forms, Shape};

/// An operation that every program for a kernel needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Halving, because a weight is a fraction.
    Halve,
    /// Division by three, because the denominator of a weight has a factor of three.
    DivideByThree,
    /// Negation, because a weight is negative.
    Negate,
    /// Addition, because the kernel has several weights, or one that is neither an integer nor half of one.
    Add,
    /// A shift, because the kernel reads a pixel other than that of the PE.
    Shift,
    /// Clearing a register, because the kernel is zero.
    Clear,
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Halve => "halving",
            Self::DivideByThree => "dividing by three",
            Self::Negate => "negation",
            Self::Add => "addition",
            Self::Shift => "a move between PEs",
            Self::Clear => "setting a register to zero",
        })
    }
}

impl Need {
    /// The macro instructions by which the search does this.
    pub(super) fn providers(self, instructions: InstructionSet) -> Vec<&'static str> {
        let forms = Forms::of(instructions, &Machine::SCAMP5);
        let mut names: Vec<&str> =
            forms.iter().filter(|form| self.is_done_by(form)).map(|form| form.op.name()).collect();
        names.dedup();
        names
    }

    /// Whether a macro instruction does this.
    pub(super) fn is_done_by(self, form: &Form) -> bool {
        match self {
            Self::Clear => form.shape == Shape::Zero,
            Self::Halve => matches!(form.shape, Shape::Halve | Shape::Divide),
            Self::DivideByThree => false,
            Self::Negate => matches!(form.shape, Shape::Negate | Shape::Subtract | Shape::Divide),
            Self::Shift => form.displacement != Displacement::ZERO,
            Self::Add => matches!(form.shape, Shape::Add | Shape::Add3 | Shape::Subtract),
        }
    }
}
