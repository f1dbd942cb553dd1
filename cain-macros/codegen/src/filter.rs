//! A filter as it was written, whoever wrote it where.
//!
//! Front ends produce this tree, [`lower`](crate::lower) checks it. `S` is a [`Place`] in the source, to be handed
//! back with an error: a `Span` for macro input. Names are still text, so that all front ends share one set of checks
//! and messages.

use cain_isa::{Fraction, Reg};
use cain_search::InstructionSet;

/// A place in a source; its type tells how that kind of source spells what a message asks for.
pub(crate) trait Place: Copy {
    /// How a term says which input it reads.
    const INPUT_OF_TERM: &'static str;
    /// What to do about a kernel without a centre.
    const GIVE_A_CENTRE: &'static str;

    /// What a search without result needs, beside registers.
    const MORE_NODES: &'static str;

    /// What so many scratch registers are called, and how they are allowed.
    fn scratch_registers(number: usize) -> String;

    /// What to do about a kernel that may need so many registers, of which the machine has fewer.
    fn too_few_registers(needed: usize, outputs: usize) -> String;

    /// How approximation is allowed.
    fn approximate(depth: u32, error: &str) -> String;

    /// Why an input that is kept cannot be an output.
    fn kept_output(reg: Reg) -> String;
}

/// Something, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct At<T, S> {
    pub(crate) value: T,
    pub(crate) at: S,
}

/// What the generated function's signature follows from.
#[derive(Debug)]
pub(crate) struct Header<S> {
    pub(crate) name: At<String, S>,
    /// In channel order.
    pub(crate) inputs: Vec<Input<S>>,
    pub(crate) outputs: Vec<At<String, S>>,
    /// `None` stands for all registers that are neither input nor output.
    pub(crate) scratch: Option<Vec<At<String, S>>>,
}

/// An input register.
#[derive(Debug)]
pub(crate) struct Input<S> {
    pub(crate) register: At<String, S>,
    /// Whether it is only read.
    pub(crate) keep: bool,
}

/// What is to be computed, and how to search for it.
#[derive(Debug)]
pub(crate) struct Body<S> {
    pub(crate) kernels: Vec<Kernel<S>>,
    pub(crate) search: Search<S>,
    pub(crate) approximate: Option<Approximate<S>>,
}

/// The kernel of one output: a sum.
#[derive(Debug)]
pub(crate) struct Kernel<S> {
    pub(crate) register: At<String, S>,
    /// `None` where they could not be read.
    pub(crate) terms: Option<Vec<Term<S>>>,
}

/// A matrix, scaled, applied to one input.
#[derive(Debug)]
pub(crate) struct Term<S> {
    /// Whether it is subtracted.
    pub(crate) negative: bool,
    pub(crate) scale: Option<Number<S>>,
    /// Row 0 is north.
    pub(crate) rows: Vec<Row<S>>,
    /// The matrix.
    pub(crate) at: S,
    /// The row and column over the PE itself, from 0; `None` stands for the centre.
    pub(crate) origin: Option<At<(usize, usize), S>>,
    /// `None` stands for the only input.
    pub(crate) input: Option<At<String, S>>,
}

/// A row of weights, the first one west.
#[derive(Debug)]
pub(crate) struct Row<S> {
    pub(crate) weights: Vec<Number<S>>,
    pub(crate) at: S,
}

/// A number.
#[derive(Clone, Debug)]
pub(crate) struct Number<S> {
    pub(crate) value: Fraction,
    /// Whether the value is what was written; otherwise it is only near to that.
    pub(crate) is_exact: bool,
    /// As it was written.
    pub(crate) text: String,
    pub(crate) at: S,
    /// Where it was written as a fraction.
    pub(crate) denominator: Option<At<String, S>>,
}

/// `#[search(..)]`, each option as far as given.
#[derive(Debug)]
pub(crate) struct Search<S> {
    pub(crate) nodes: Option<At<u64, S>>,
    pub(crate) memory: Option<At<u64, S>>,
    pub(crate) objective: Option<At<String, S>>,
    pub(crate) isa: Option<At<String, S>>,
    /// What is to be used whatever is written.
    pub(crate) isa_in_force: Option<InstructionSet>,
    pub(crate) offset: Option<At<String, S>>,
    pub(crate) max_gain: Option<Number<S>>,
}

// Not derived: that would ask for a default place.
impl<S> Default for Search<S> {
    fn default() -> Self {
        Self { nodes: None, memory: None, objective: None, isa: None, isa_in_force: None, offset: None, max_gain: None }
    }
}

/// `#[approximate(..)]`.
#[derive(Debug)]
pub(crate) struct Approximate<S> {
    pub(crate) depth: At<u64, S>,
    pub(crate) error: Number<S>,
}

/// The machine, each part as far as given.
#[derive(Debug)]
pub(crate) struct Machine<S> {
    pub(crate) registers: Option<Listed<u64, S>>,
    pub(crate) bits: Option<At<u64, S>>,
    pub(crate) instructions: Option<Listed<String, S>>,
    pub(crate) destinations: Option<At<u64, S>>,
    pub(crate) sources: Option<At<u64, S>>,
    pub(crate) reads: Option<At<String, S>>,
    /// By the names of [`TIMES`].
    pub(crate) times: [Option<At<u64, S>>; TIMES.len()],
    pub(crate) min: Option<Number<S>>,
    pub(crate) max: Option<Number<S>>,
}

/// The keys under `nanoseconds`.
pub(crate) const TIMES: [&str; 5] = ["analogue", "digital", "neighbours", "propagation", "high_speed"];

/// Names one by one, or all of them by a number or another name.
#[derive(Debug)]
pub(crate) enum Listed<T, S> {
    All(At<T, S>),
    /// The names, and where the list begins.
    Each(At<Vec<At<String, S>>, S>),
}

impl<S> Default for Machine<S> {
    fn default() -> Self {
        Self {
            registers: None,
            bits: None,
            instructions: None,
            destinations: None,
            sources: None,
            reads: None,
            times: [const { None }; TIMES.len()],
            min: None,
            max: None,
        }
    }
}
