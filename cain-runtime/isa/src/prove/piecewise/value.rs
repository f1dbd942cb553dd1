//! Values and conditions on symbols.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::{Bit, Displacement, Fraction, Reg, Store};

/// What a value is a combination of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Symbol {
    /// What the cell held at the beginning, in the PE at that displacement.
    Start(Store, Displacement),
    /// The constant transfer error of a word.
    Offset,
    /// One of two values.
    Choice(Arc<Choice>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Choice {
    pub(super) condition: Condition,
    pub(super) then: Value,
    pub(super) otherwise: Value,
}

/// A linear combination of what cells held at the beginning and of choices between values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value {
    /// Without zero weights.
    pub(super) terms: BTreeMap<Symbol, Fraction>,
}

/// A bit as a function of what was there at the beginning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// The same for all images.
    Known(bool),
    /// What the bit was at the beginning, in the PE at that displacement.
    Start(Bit, Displacement),
    /// Whether the value is positive.
    Positive(Arc<Value>),
    /// The inverse.
    Not(Arc<Condition>),
    /// Whether any of them is true.
    Any(Arc<[Condition]>),
}

impl Value {
    /// 0.
    #[must_use]
    pub const fn zero() -> Self {
        Self { terms: BTreeMap::new() }
    }

    /// What the cell held at the beginning, in the PE at that displacement. The level of the controller is the same in
    /// every PE.
    #[must_use]
    pub fn start(store: Store, at: Displacement) -> Self {
        let at = if store == Store::In { Displacement::ZERO } else { at };
        Self::symbol(Symbol::Start(store, at))
    }

    /// What the register held at the beginning in the PE itself.
    #[must_use]
    pub fn of(reg: Reg) -> Self {
        Self::start(Store::Reg(reg), Displacement::ZERO)
    }

    /// The constant transfer error of a word.
    pub(super) fn offset() -> Self {
        Self::symbol(Symbol::Offset)
    }

    fn symbol(symbol: Symbol) -> Self {
        Self { terms: BTreeMap::from([(symbol, Fraction::ONE)]) }
    }

    /// The one value where the condition is true, and the other where it is not.
    #[must_use]
    pub fn choice(condition: Condition, then: Self, otherwise: Self) -> Self {
        match condition {
            Condition::Known(true) => then,
            Condition::Known(false) => otherwise,
            _ if then == otherwise => then,
            condition => Self::symbol(Symbol::Choice(Arc::new(Choice { condition, then, otherwise }))),
        }
    }

    /// Itself plus `factor` times the other; nothing where a weight does not fit.
    #[must_use]
    pub fn plus(mut self, factor: Fraction, other: &Self) -> Option<Self> {
        for (symbol, weight) in &other.terms {
            self.add(symbol, weight.checked_mul(factor)?)?;
        }
        Some(self)
    }

    pub(super) fn add(&mut self, symbol: &Symbol, weight: Fraction) -> Option<()> {
        let sum = self.terms.get(symbol).copied().unwrap_or(Fraction::ZERO).checked_add(weight)?;
        if sum.is_zero() {
            self.terms.remove(symbol);
        } else {
            self.terms.insert(symbol.clone(), sum);
        }
        Some(())
    }

    /// The larger of both; nothing where a weight does not fit.
    #[must_use]
    pub fn max(self, other: Self) -> Option<Self> {
        let difference = self.clone().plus(Fraction::from(-1), &other)?;
        Some(Self::choice(Condition::positive(difference), self, other))
    }

    /// The value of the PE at that displacement; nothing where a displacement leaves ±32767.
    #[must_use]
    pub fn at(&self, at: Displacement) -> Option<Self> {
        if at == Displacement::ZERO {
            return Some(self.clone());
        }
        let mut moved = Self::zero();
        for (symbol, &weight) in &self.terms {
            let part = match symbol {
                Symbol::Offset => Self::offset(),
                Symbol::Start(store, from) => Self::start(*store, from.checked_add(at)?),
                Symbol::Choice(choice) => {
                    Self::choice(choice.condition.at(at)?, choice.then.at(at)?, choice.otherwise.at(at)?)
                }
            };
            moved = moved.plus(weight, &part)?;
        }
        Some(moved)
    }
}

impl Default for Condition {
    /// Never true.
    fn default() -> Self {
        Self::Known(false)
    }
}

impl Condition {
    /// What the bit was at the beginning in the PE itself; FLAG was 1 in every PE.
    #[must_use]
    pub const fn of(bit: Bit) -> Self {
        match bit {
            Bit::Flag => Self::Known(true),
            bit => Self::Start(bit, Displacement::ZERO),
        }
    }

    /// Whether the value is positive.
    #[must_use]
    pub fn positive(value: Value) -> Self {
        if value.terms.is_empty() { Self::Known(false) } else { Self::Positive(Arc::new(value)) }
    }

    /// Whether any of these is true.
    #[must_use]
    pub fn any(conditions: impl IntoIterator<Item = Self>) -> Self {
        let mut open = Vec::new();
        for condition in conditions {
            match condition {
                Self::Known(true) => return condition,
                Self::Known(false) => {}
                _ => open.push(condition),
            }
        }
        match open.len() {
            0 => Self::Known(false),
            1 => open.remove(0),
            _ => Self::Any(open.into()),
        }
    }

    /// Whether all of these are true.
    #[must_use]
    pub fn all(conditions: impl IntoIterator<Item = Self>) -> Self {
        Self::any(conditions.into_iter().map(Self::inverse)).inverse()
    }

    /// The inverse.
    #[must_use]
    pub fn inverse(self) -> Self {
        match self {
            Self::Known(known) => Self::Known(!known),
            Self::Not(condition) => Arc::unwrap_or_clone(condition),
            condition => Self::Not(Arc::new(condition)),
        }
    }

    /// The one condition where this is true, and the other where it is not.
    #[must_use]
    pub fn choose(self, then: Self, otherwise: Self) -> Self {
        let inverse = self.clone().inverse();
        Self::any([Self::all([self, then]), Self::all([inverse, otherwise])])
    }

    /// The condition of the PE at that displacement; nothing where a displacement leaves ±32767.
    #[must_use]
    pub fn at(&self, at: Displacement) -> Option<Self> {
        Some(match self {
            Self::Known(known) => Self::Known(*known),
            Self::Start(bit, from) => Self::Start(*bit, from.checked_add(at)?),
            Self::Positive(value) => Self::positive(value.at(at)?),
            Self::Not(condition) => condition.at(at)?.inverse(),
            Self::Any(conditions) => {
                Self::any(conditions.iter().map(|condition| condition.at(at)).collect::<Option<Vec<_>>>()?)
            }
        })
    }
}

impl fmt::Display for Value {
    /// `A - 1/2·B(1,0) + offset`; a choice is printed as `(condition ? value : value)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return f.write_str("0");
        }
        for (i, (symbol, weight)) in self.terms.iter().enumerate() {
            f.write_str(match (i, weight.numerator().is_negative()) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            if weight.abs() != Fraction::ONE {
                write!(f, "{}·", weight.abs())?;
            }
            match symbol {
                Symbol::Offset => f.write_str("offset")?,
                Symbol::Start(store, at) => {
                    match store {
                        Store::Reg(reg) => write!(f, "{reg}")?,
                        Store::News => f.write_str("NEWS")?,
                        Store::Pix => f.write_str("PIX")?,
                        Store::In => f.write_str("IN")?,
                    }
                    place(f, *at)?;
                }
                Symbol::Choice(choice) => {
                    write!(f, "({} ? {} : {})", choice.condition, choice.then, choice.otherwise)?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(known) => u8::from(*known).fmt(f),
            Self::Start(bit, at) => {
                bit.fmt(f)?;
                place(f, *at)
            }
            Self::Positive(value) => write!(f, "{value} > 0"),
            Self::Not(condition) => write!(f, "not ({condition})"),
            Self::Any(conditions) => {
                for (i, condition) in conditions.iter().enumerate() {
                    write!(f, "{}({condition})", if i == 0 { "" } else { " or " })?;
                }
                Ok(())
            }
        }
    }
}

/// Where another PE is.
fn place(f: &mut fmt::Formatter<'_>, at: Displacement) -> fmt::Result {
    if at == Displacement::ZERO { Ok(()) } else { write!(f, "({},{})", at.x, at.y) }
}
