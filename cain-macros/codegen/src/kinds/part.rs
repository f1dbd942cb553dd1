//! The parts of declarations.

/// A part of a declaration that messages can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Part {
    /// All of it, at its name.
    Whole,
    /// The widths of numbers.
    Bits,
    /// The node budget.
    Nodes,
    /// The error that is allowed.
    Accuracy,
    /// The most control words.
    Words,
    /// The weight that fits the search least.
    Weight,
    /// What may interrupt it.
    Interruption,
    /// How long others may have to wait.
    Latency,
    /// A layer, counted from 0.
    Layer(usize),
    /// What makes a value of a whole program, counted from 0.
    Value(usize),
}
