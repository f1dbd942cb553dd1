//! Values and conditions on symbols.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use cain_isa::{Bit, Displacement, Fraction, Reg, Store};

use crate::sorted::Map;

/// A symbol in a linear combination.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Symbol {
    /// The initial content of a cell, in the PE at a displacement.
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

/// A linear combination of initial contents of cells and of choices between values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value {
    /// The non-zero weights.
    pub(super) terms: Map<Symbol, Fraction>,
}

/// A bit as a function of the initial contents.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// The same value for all images.
    Known(bool),
    /// The initial value of a bit, in the PE at a displacement.
    Start(Bit, Displacement),
    /// 1 where the value is positive.
    Positive(Arc<Value>),
    /// The inverse.
    Not(Arc<Condition>),
    /// 1 where any of the conditions is.
    Any(Arc<[Condition]>),
}

impl Value {
    /// The value 0.
    #[must_use]
    pub const fn zero() -> Self {
        Self { terms: Map::new() }
    }

    /// The initial content of a cell in the PE at a displacement. The level of the controller is the same in every PE.
    #[must_use]
    pub fn start(store: Store, at: Displacement) -> Self {
        let at = if store == Store::In { Displacement::ZERO } else { at };
        Self::symbol(Symbol::Start(store, at))
    }

    /// The initial content of a register in the PE itself.
    #[must_use]
    pub fn of(reg: Reg) -> Self {
        Self::start(Store::Reg(reg), Displacement::ZERO)
    }

    /// The constant transfer error of a word.
    pub(super) fn offset() -> Self {
        Self::symbol(Symbol::Offset)
    }

    fn symbol(symbol: Symbol) -> Self {
        Self { terms: Map::from([(symbol, Fraction::ONE)]) }
    }

    /// The value `then` where the condition is true, and `otherwise` where it is not.
    #[must_use]
    pub fn choice(condition: Condition, then: Self, otherwise: Self) -> Self {
        match condition {
            Condition::Known(true) => then,
            Condition::Known(false) => otherwise,
            _ if then == otherwise => then,
            condition => Self::symbol(Symbol::Choice(Arc::new(Choice { condition, then, otherwise }))),
        }
    }

    /// The sum of this value and `factor` times the other; `None` if a weight does not fit.
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

    /// The larger of both values; `None` if a weight does not fit.
    #[must_use]
    pub fn max(self, other: Self) -> Option<Self> {
        let difference = self.clone().plus(Fraction::from(-1), &other)?;
        Some(Self::choice(Condition::positive(difference), self, other))
    }

    /// The value of the PE at a displacement; `None` if a displacement exceeds ±32767.
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
    /// A condition that is never true.
    fn default() -> Self {
        Self::Known(false)
    }
}

impl Condition {
    /// The initial value of a bit in the PE itself; FLAG was 1 in every PE.
    #[must_use]
    pub const fn of(bit: Bit) -> Self {
        match bit {
            Bit::Flag => Self::Known(true),
            bit => Self::Start(bit, Displacement::ZERO),
        }
    }

    /// The condition that a value is positive.
    #[must_use]
    pub fn positive(value: Value) -> Self {
        if value.terms.is_empty() { Self::Known(false) } else { Self::Positive(Arc::new(value)) }
    }

    /// The condition that any of these is true.
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

    /// The condition that all of these are true.
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

    /// The condition `then` where this is true, and `otherwise` where it is not.
    #[must_use]
    pub fn choose(self, then: Self, otherwise: Self) -> Self {
        let inverse = self.clone().inverse();
        Self::any([Self::all([self, then]), Self::all([inverse, otherwise])])
    }

    /// The condition of the PE at a displacement; `None` if a displacement exceeds ±32767.
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
    /// Formats like `A - 1/2·B(1,0) + offset`; a choice is printed as `(condition ? value : value)`.
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

/// Prints the displacement of another PE.
fn place(f: &mut fmt::Formatter<'_>, at: Displacement) -> fmt::Result {
    if at == Displacement::ZERO { Ok(()) } else { write!(f, "({},{})", at.x, at.y) }
}
