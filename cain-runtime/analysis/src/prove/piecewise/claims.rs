//! Decides whether values and bits are the wanted ones.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use cain_isa::{Bit, Displacement, Fraction};

use super::Condition;
use super::system::{Inequality, contradict};
use super::value::{Symbol, Value};
use crate::sorted::Map;

/// Claims that values and bits are the wanted ones, for all images.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    values: Vec<(String, Value, Value)>,
    bits: Vec<(String, Condition, Condition)>,
}

/// The reason why a claim is false, or could not be shown to be true.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClaimError {
    /// For some images, the value or bit differs.
    Differs {
        /// The name of the value or bit.
        name: String,
        /// Its content in the case that was found.
        found: String,
        /// Its wanted content in that case.
        wanted: String,
    },
    /// There are more cases than allowed.
    TooManyCases,
    /// A weight does not fit 64 bits, or a displacement leaves ±32767 PEs.
    Overflow,
}

impl fmt::Display for ClaimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Differs { name, found, wanted } => {
                write!(f, "there are images for which {name} is {found} instead of {wanted}")
            }
            Self::TooManyCases => write!(f, "the program has more than {} cases", Claims::MAX_CASES),
            Self::Overflow => f.write_str("a weight or a displacement is too large to be followed exactly"),
        }
    }
}

impl core::error::Error for ClaimError {}

impl Claims {
    /// The most cases that are examined.
    pub const MAX_CASES: usize = 1 << 16;

    /// An empty list of claims.
    #[must_use]
    pub const fn new() -> Self {
        Self { values: Vec::new(), bits: Vec::new() }
    }

    /// Adds the claim that a value is the wanted one.
    #[must_use]
    pub fn value(mut self, name: impl Into<String>, found: Value, wanted: Value) -> Self {
        self.values.push((name.into(), found, wanted));
        self
    }

    /// Adds the claim that a bit is the wanted one.
    #[must_use]
    pub fn bit(mut self, name: impl Into<String>, found: Condition, wanted: Condition) -> Self {
        self.bits.push((name.into(), found, wanted));
        self
    }

    /// Decides the claims; the error is a case in which one does not hold.
    pub fn check(&self) -> Result<(), ClaimError> {
        self.check_within(Self::MAX_CASES)
    }

    /// Decides the claims with at most `most` cases.
    pub(super) fn check_within(&self, most: usize) -> Result<(), ClaimError> {
        let mut open = alloc::vec![Case::default()];
        let mut cases = 0;
        while let Some(case) = open.pop() {
            match self.check_in(&case) {
                Ok(()) => cases += 1,
                Err(Open::Undecided(question)) => open.extend([true, false].map(|answer| case.with(&question, answer))),
                Err(Open::Failed(error)) => return Err(error),
            }
            if cases + open.len() > most {
                return Err(ClaimError::TooManyCases);
            }
        }
        Ok(())
    }

    fn check_in(&self, case: &Case) -> Result<(), Open> {
        for (name, found, wanted) in &self.values {
            let (found, wanted) = (case.value(found)?, case.value(wanted)?);
            let difference = found.clone().plus(Fraction::from(-1), &wanted).ok_or(Open::OVERFLOW)?;
            if case.allows(&difference, Fraction::ONE) || case.allows(&difference, Fraction::from(-1)) {
                let (found, wanted) = (found.to_string(), wanted.to_string());
                return Err(Open::Failed(ClaimError::Differs { name: name.clone(), found, wanted }));
            }
        }
        for (name, found, wanted) in &self.bits {
            let (found, wanted) = (case.bit(found)?, case.bit(wanted)?);
            if found != wanted {
                let (found, wanted) = (u8::from(found).to_string(), u8::from(wanted).to_string());
                return Err(Open::Failed(ClaimError::Differs { name: name.clone(), found, wanted }));
            }
        }
        Ok(())
    }
}

/// A question on which the truth of a claim depends.
enum Question {
    Bit(Bit, Displacement),
    /// Whether a value without choices is positive.
    Positive(Value),
}

/// The reason why there is no answer yet.
enum Open {
    Undecided(Question),
    Failed(ClaimError),
}

impl Open {
    const OVERFLOW: Self = Self::Failed(ClaimError::Overflow);
}

/// The assumptions of a case.
#[derive(Clone, Debug, Default)]
struct Case {
    bits: Map<(Bit, Displacement), bool>,
    inequalities: Vec<Inequality>,
}

impl Case {
    fn with(&self, question: &Question, answer: bool) -> Self {
        let mut case = self.clone();
        match question {
            Question::Bit(bit, at) => {
                case.bits.insert((*bit, *at), answer);
            }
            Question::Positive(value) => {
                case.inequalities.extend(inequality(value, if answer { 1 } else { -1 }, answer));
            }
        }
        case
    }

    /// Whether the value times the sign can be positive.
    fn allows(&self, value: &Value, sign: Fraction) -> bool {
        let Some(value) = Value::zero().plus(sign, value) else { return true };
        !contradict(self.inequalities.iter().cloned().chain([Inequality { value, strict: true }]))
    }

    /// The value in this case, without choices.
    fn value(&self, value: &Value) -> Result<Value, Open> {
        let mut plain = Value::zero();
        for (symbol, &weight) in &value.terms {
            match symbol {
                Symbol::Choice(choice) => {
                    let chosen = if self.bit(&choice.condition)? { &choice.then } else { &choice.otherwise };
                    plain = plain.plus(weight, &self.value(chosen)?).ok_or(Open::OVERFLOW)?;
                }
                symbol => plain.add(symbol, weight).ok_or(Open::OVERFLOW)?,
            }
        }
        Ok(plain)
    }

    fn bit(&self, condition: &Condition) -> Result<bool, Open> {
        match condition {
            Condition::Known(known) => Ok(*known),
            Condition::Start(bit, at) => {
                self.bits.get(&(*bit, *at)).copied().ok_or(Open::Undecided(Question::Bit(*bit, *at)))
            }
            Condition::Positive(value) => self.is_positive(self.value(value)?),
            Condition::Not(condition) => Ok(!self.bit(condition)?),
            Condition::Any(conditions) => {
                for condition in conditions.iter() {
                    if self.bit(condition)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    fn is_positive(&self, value: Value) -> Result<bool, Open> {
        let mut not_positive = self.inequalities.clone();
        not_positive.extend(inequality(&value, -1, false));
        if contradict(not_positive) {
            return Ok(true);
        }
        if self.allows(&value, Fraction::ONE) { Err(Open::Undecided(Question::Positive(value))) } else { Ok(false) }
    }
}

/// The inequality that the value times the sign is positive, or at least 0; `None` if weights do not fit, which only
/// means less knowledge.
fn inequality(value: &Value, sign: i32, strict: bool) -> Option<Inequality> {
    Some(Inequality { value: Value::zero().plus(Fraction::from(sign), value)?, strict })
}
