//! What expressions stand for.

use std::collections::BTreeMap;

use cain_isa::{Displacement, Fraction};
use cain_vision::declaration::{Number, Value};
use proc_macro2::Span;

use super::bits::Bits;
use super::linear::Linear;

/// What an expression stands for. Sums and Boolean functions are put together as long as they have no name.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Thing {
    /// After a mistake, which has been told.
    Wrong,
    /// A number that is known while the program is compiled.
    Constant(Fraction),
    /// A truth value that is known while the program is compiled.
    Truth(bool),
    /// A number of the controller.
    Number(Number),
    /// A truth value of the controller.
    Condition(Number),
    /// A plane of levels.
    Levels(Linear),
    /// A plane of bits.
    Bits(Bits),
    /// A number in each PE: its bits, the lowest first.
    Digits(Vec<Bits>),
    /// A matrix: a weight for each displacement.
    Kernel(BTreeMap<Displacement, Fraction>),
    Tuple(Vec<Thing>),
    /// Something with fields.
    Record(Record, Vec<Thing>),
    List(Vec<Thing>),
    /// From a number to another one; both belong to it.
    Range(Box<[Thing; 2]>),
    /// `until stable`
    UntilStable,
    /// A list of results.
    Results(usize),
    /// The places of at most so many bits that are 1.
    Events(Value, u32),
}

/// An argument and its place.
pub(super) type Given = (Thing, Span);

/// What has fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Record {
    /// The place of a PE.
    Point,
    /// The smallest rectangle around bits.
    Bounds,
    /// A rectangle.
    Region,
}

impl Record {
    pub(super) const fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Point => &["row", "column", "found"],
            Self::Bounds => &["top", "left", "bottom", "right", "found"],
            Self::Region => &["top", "left", "height", "width"],
        }
    }

    const fn what(self) -> &'static str {
        match self {
            Self::Point => "a point",
            Self::Bounds => "a box",
            Self::Region => "a region",
        }
    }
}

impl Thing {
    /// What it is, for a message.
    pub(super) fn what(&self) -> String {
        match self {
            Self::Wrong => "something wrong".to_owned(),
            Self::Constant(constant) => format!("the number {constant}"),
            Self::Truth(truth) => format!("`{truth}`"),
            Self::Number(_) => "a number of the controller".to_owned(),
            Self::Condition(_) => "a truth value of the controller".to_owned(),
            Self::Levels(_) => "a plane of levels".to_owned(),
            Self::Bits(_) => "a plane of bits".to_owned(),
            Self::Digits(bits) => format!("a plane of numbers of {} bits", bits.len()),
            Self::Kernel(_) => "a matrix".to_owned(),
            Self::Tuple(parts) => format!("a tuple of {}", parts.len()),
            Self::Record(record, _) => record.what().to_owned(),
            Self::List(parts) => format!("a list of {}", parts.len()),
            Self::Range(_) => "a range".to_owned(),
            Self::UntilStable => "`until stable`".to_owned(),
            Self::Results(_) => "a list of results".to_owned(),
            Self::Events(..) => "a list of events".to_owned(),
        }
    }

    /// The parts that values of a declaration are, in their order; itself, unless it has parts.
    pub(super) fn leaves(&self) -> Vec<Self> {
        match self {
            Self::Tuple(parts) | Self::Record(_, parts) | Self::List(parts) => {
                parts.iter().flat_map(Self::leaves).collect()
            }
            Self::Digits(bits) => bits.iter().cloned().map(Self::Bits).collect(),
            other => vec![other.clone()],
        }
    }

    /// The plane that it is, if it is one as it stands.
    pub(super) fn plane(&self) -> Option<Value> {
        match self {
            Self::Levels(linear) => linear.only(),
            Self::Bits(bits) => bits.only(),
            _ => None,
        }
    }

    /// The same with other leaves, in their order.
    pub(super) fn with_leaves(&self, leaves: &mut impl Iterator<Item = Self>) -> Self {
        let mut list = |parts: &[Self]| parts.iter().map(|part| part.with_leaves(leaves)).collect();
        match self {
            Self::Tuple(parts) => Self::Tuple(list(parts)),
            Self::Record(record, parts) => Self::Record(*record, list(parts)),
            Self::List(parts) => Self::List(list(parts)),
            Self::Digits(bits) => {
                let bits = bits.iter().map(|bit| match leaves.next() {
                    Some(Self::Bits(bit)) => bit,
                    Some(Self::Truth(truth)) => Bits::constant(truth),
                    _ => bit.clone(),
                });
                Self::Digits(bits.collect())
            }
            _ => leaves.next().unwrap_or(Self::Wrong),
        }
    }

    /// Whether both have the same parts.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Tuple(a), Self::Tuple(b)) | (Self::List(a), Self::List(b)) => all_alike(a, b),
            (Self::Record(a, one), Self::Record(b, other)) => a == b && all_alike(one, other),
            (Self::Digits(a), Self::Digits(b)) => a.len() == b.len(),
            (Self::Tuple(_) | Self::List(_) | Self::Record(..) | Self::Digits(_), _)
            | (_, Self::Tuple(_) | Self::List(_) | Self::Record(..) | Self::Digits(_)) => false,
            _ => true,
        }
    }
}

fn all_alike(one: &[Thing], other: &[Thing]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.is_alike(other))
}

/// A constant as a whole number.
pub(super) fn whole(constant: Fraction) -> Option<i64> {
    (constant.denominator() == 1).then(|| constant.numerator())
}
