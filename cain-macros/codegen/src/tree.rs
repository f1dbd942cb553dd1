//! The syntax tree of a filter, common to all front ends.
//!
//! Front ends produce it and [`lower`](crate::lower) checks it. `S` is a [`Place`] in the source, which errors are reported
//! at: a `Span` for macro input. Names are still text, so that all front ends share the checks and their messages.

use cain_isa::{Fraction, Range};
use cain_search::{InstructionSet, MaxGain, Objective, OffsetRule};

use crate::expression::Expression;
#[cfg(feature = "digital")]
pub(crate) use crate::kinds::digital::tree::{Bits, SuperPixel as Spread};
#[cfg(not(feature = "digital"))]
pub(crate) use crate::kinds::without_digital::tree::{Bits, SuperPixel as Spread};
pub(crate) use crate::place::{At, Place};

/// The part of a filter that determines the signature of its function.
#[derive(Debug)]
pub(crate) struct Header<S> {
    pub(crate) name: At<String, S>,
    /// In channel order.
    pub(crate) inputs: Vec<InputRegister<S>>,
    pub(crate) outputs: Vec<At<String, S>>,
    /// If `None`, all registers that are neither input nor output.
    pub(crate) scratch: Option<Vec<At<String, S>>>,
}

#[derive(Debug)]
pub(crate) struct InputRegister<S> {
    pub(crate) register: At<String, S>,
    /// Whether its value must survive.
    pub(crate) keep: bool,
}

/// What the filter computes, and the options of the search.
#[derive(Debug)]
pub(crate) struct Body<S> {
    pub(crate) sums: Vec<Sum<S>>,
    pub(crate) search: SearchOptions<S>,
    pub(crate) approximate: Option<Approximate<S>>,
    pub(crate) interruptible: Option<Interruptible<S>>,
    /// Only digital filters have them.
    pub(crate) bits: Option<Bits<S>>,
    /// Only filters over super-pixels have it.
    pub(crate) super_pixel: Option<Spread<S>>,
}

impl<S> Body<S> {
    /// Whether all kernels could be read. Where one could not, the mistake may be outside of the filter.
    pub(crate) fn is_read(&self) -> bool {
        self.sums.iter().all(|sum| sum.terms.is_some() || sum.logic.is_some())
    }
}

/// `#[interruptible(..)]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Interruptible<S> {
    /// The filters that may interrupt this one, in ascending order of priority.
    pub(crate) by: Vec<At<String, S>>,
    /// What others overwrite that are not declared beside it, whose priority is the highest: names of registers.
    pub(crate) registers: Vec<At<String, S>>,
    /// The longest that they may have to wait, in nanoseconds.
    pub(crate) latency: Option<At<u64, S>>,
}

impl<S> Interruptible<S> {
    /// The first of those that may interrupt it.
    pub(crate) fn first(&self) -> Option<&At<String, S>> {
        self.by.first().or(self.registers.first())
    }

    /// Where to report that it is not possible.
    #[cfg(feature = "networks")]
    pub(crate) fn place(&self) -> Option<S>
    where
        S: Copy,
    {
        let latency = self.latency.as_ref().map(|latency| latency.at);
        latency.or(self.first().map(|name| name.at))
    }
}

/// What one output register holds in the end: a sum of terms, or an expression of bits.
#[derive(Debug)]
pub(crate) struct Sum<S> {
    pub(crate) register: At<String, S>,
    /// `None` if they could not be read, and for expressions.
    pub(crate) terms: Option<Vec<Term<S>>>,
    /// The expression, if it is one of bits.
    pub(crate) logic: Option<Expression<S>>,
}

/// A kernel, scaled and applied to one input.
#[derive(Clone, Debug)]
pub(crate) struct Term<S> {
    /// Whether the term is subtracted.
    pub(crate) negative: bool,
    pub(crate) scale: Option<Number<S>>,
    /// Row 0 is north.
    pub(crate) rows: Vec<Row<S>>,
    /// The place of the matrix.
    pub(crate) at: S,
    /// The row and column, from 0, of the weight of the PE itself; if `None`, the centre.
    pub(crate) origin: Option<At<(usize, usize), S>>,
    /// If `None`, the only input.
    pub(crate) input: Option<At<String, S>>,
}

/// What a constant stands for.
#[derive(Clone, Debug)]
pub(crate) enum Meaning<S> {
    Number(Number<S>),
    /// A sum of kernels, none of them with an input.
    Kernel(Vec<Term<S>>),
}

/// Why a scaled kernel cannot be scaled once more.
pub(crate) const PRODUCT_TOO_LARGE: &str = "the product of both scales is too large to be handled exactly";

impl<S: Copy> Term<S> {
    /// The term with one more factor, at another place; `None` if the product of the scales cannot be held.
    pub(crate) fn scaled(&self, scale: Option<&Number<S>>, at: S) -> Option<Self> {
        let scale = match (scale, &self.scale) {
            (Some(outer), Some(inner)) => Some(outer.times(inner)?),
            (outer, inner) => outer.or(inner.as_ref()).cloned(),
        };
        Some(Self { scale, at, ..self.clone() })
    }
}

/// A row of weights from west to east.
#[derive(Clone, Debug)]
pub(crate) struct Row<S> {
    pub(crate) weights: Vec<Number<S>>,
    pub(crate) at: S,
}

#[derive(Clone, Debug)]
pub(crate) struct Number<S> {
    pub(crate) value: Fraction,
    /// Whether `value` is exactly the number in the source; if not, it was rounded.
    pub(crate) is_exact: bool,
    /// The text of the source.
    pub(crate) text: String,
    pub(crate) at: S,
    /// The denominator, if the source has a fraction.
    pub(crate) denominator: Option<At<String, S>>,
}

impl<S: Copy> Number<S> {
    pub(crate) fn negated(self) -> Self {
        let text = match self.text.strip_prefix('-') {
            Some(text) => text.to_owned(),
            None => format!("-{}", self.text),
        };
        Self { value: self.value.negated(), text, ..self }
    }

    /// The product, at the place of the first; `None` if it cannot be held.
    fn times(&self, other: &Self) -> Option<Self> {
        let value = self.value.checked_mul(other.value)?;
        let denominator = At { value: value.denominator().to_string(), at: self.at };
        Some(Self {
            value,
            is_exact: self.is_exact && other.is_exact,
            text: value.to_string(),
            at: self.at,
            denominator: (value.denominator() > 1).then_some(denominator),
        })
    }
}

/// `#[search(..)]`.
#[derive(Debug)]
pub(crate) struct SearchOptions<S> {
    pub(crate) nodes: Option<At<u64, S>>,
    pub(crate) patience: Option<PatienceOption<S>>,
    pub(crate) book: Option<At<bool, S>>,
    pub(crate) memory: Option<At<u64, S>>,
    pub(crate) objective: Option<At<String, S>>,
    pub(crate) isa: Option<At<String, S>>,
    pub(crate) offset: Option<At<String, S>>,
    pub(crate) input: Option<At<Range, S>>,
    pub(crate) max_gain: Option<GainOption<S>>,
    pub(crate) accuracy: Option<Number<S>>,
    pub(crate) max_words: Option<At<u64, S>>,
    pub(crate) overrides: Overrides,
}

/// The value of `patience`.
#[derive(Debug)]
pub(crate) enum PatienceOption<S> {
    Name(At<String, S>),
    Times(At<u64, S>),
}

impl<S: Copy> PatienceOption<S> {
    pub(crate) fn at(&self) -> S {
        match self {
            Self::Name(name) => name.at,
            Self::Times(times) => times.at,
        }
    }
}

/// The value of `max_gain`.
#[derive(Debug)]
pub(crate) enum GainOption<S> {
    Name(At<String, S>),
    AtMost(Number<S>),
}

impl<S: Copy> GainOption<S> {
    pub(crate) fn at(&self) -> S {
        match self {
            Self::Name(name) => name.at,
            Self::AtMost(number) => number.at,
        }
    }
}

/// Options that take precedence over those in a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Which instructions may occur.
    pub instructions: Option<InstructionSet>,
    /// What is to be small.
    pub objective: Option<Objective>,
    /// What becomes of the constant transfer error.
    pub offset: Option<OffsetRule>,
    /// The values that inputs can have.
    pub input: Option<Range>,
    /// The largest gain allowed of any value.
    pub max_gain: Option<MaxGain>,
}

// A derived implementation would require `S: Default`.
impl<S> Default for SearchOptions<S> {
    fn default() -> Self {
        Self {
            nodes: None,
            patience: None,
            book: None,
            memory: None,
            objective: None,
            isa: None,
            offset: None,
            input: None,
            max_gain: None,
            accuracy: None,
            max_words: None,
            overrides: Overrides::default(),
        }
    }
}

/// `#[approximate(..)]`.
#[derive(Debug)]
pub(crate) struct Approximate<S> {
    /// Given unless the search chooses the kernels.
    pub(crate) depth: Option<At<u64, S>>,
    pub(crate) error: Number<S>,
    /// Whether the search chooses the kernels, and not only their nearest multiples are taken.
    pub(crate) search: bool,
}

/// `#![machine(..)]`.
#[derive(Debug)]
pub(crate) struct MachineOptions<S> {
    pub(crate) registers: Option<Listed<u64, S>>,
    pub(crate) bits: Option<At<u64, S>>,
    pub(crate) instructions: Option<Listed<String, S>>,
    pub(crate) destinations: Option<At<u64, S>>,
    pub(crate) sources: Option<At<u64, S>>,
    pub(crate) reads: Option<At<String, S>>,
    /// In the order of [`TIMES`].
    pub(crate) times: [Option<At<u64, S>>; TIMES.len()],
    pub(crate) min: Option<Number<S>>,
    pub(crate) max: Option<Number<S>>,
    /// In the order of [`ERRORS`].
    pub(crate) errors: [Option<Number<S>>; ERRORS.len()],
    /// The transfer errors of words with one, two and three destinations.
    pub(crate) offset: Option<At<Vec<Number<S>>, S>>,
}

/// The keys under `nanoseconds`.
pub(crate) const TIMES: [&str; 5] = ["analogue", "digital", "neighbours", "propagation", "high_speed"];

/// The keys under `errors`, beside `offset`.
pub(crate) const ERRORS: [&str; 7] =
    ["gain", "mismatch", "fixed_gain", "fixed_offset", "relative_noise", "noise", "readout_noise"];

/// A list of names, or one value that stands for many.
#[derive(Debug)]
pub(crate) enum Listed<T, S> {
    All(At<T, S>),
    /// The place is that of the whole list.
    Each(At<Vec<At<String, S>>, S>),
}

impl<S> Default for MachineOptions<S> {
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
            errors: [const { None }; ERRORS.len()],
            offset: None,
        }
    }
}
