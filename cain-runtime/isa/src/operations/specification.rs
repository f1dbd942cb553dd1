//! Specifications: what operations compute, independently of their words.

use alloc::vec::Vec;

use super::{PlaneOperation, Window};
use crate::prove::{Condition, Value};
use crate::{Direction, Displacement, Dreg, Fraction, Reg, Store};

/// The results that an operation leaves in registers, and the registers that it may use.
#[derive(Clone, Debug, Default)]
pub struct Specification {
    /// The analogue results.
    pub planes: Vec<(Reg, Value)>,
    /// The digital results.
    pub bits: Vec<(Dreg, Condition)>,
    /// Analogue registers that may lose what they held.
    pub scratch: Vec<Reg>,
    /// Digital registers that may lose what they held.
    pub scratch_bits: Vec<Dreg>,
}

impl PlaneOperation {
    /// The specification of the operation; `None` if a weight or a displacement overflows.
    #[must_use]
    pub fn specification(&self) -> Option<Specification> {
        let level = Value::start(Store::In, Displacement::ZERO);
        let there = |z, at: super::Place| Value::of(z).at(at.displacement());
        Some(match *self {
            Self::Shift { y, x, from } => plane(y, Value::of(x).at(from)?),
            Self::Relu { y, x } => plane(y, Value::of(x).max(Value::zero())?),
            Self::LeakyRelu { y, x, ts, halvings } => {
                let small = Value::zero().plus(halves(halvings)?, &Value::of(x))?;
                plane(y, Value::choice(Condition::positive(Value::of(x)), Value::of(x), small)).with_scratch(&ts)
            }
            Self::Abs { y, x } => plane(y, abs(x)?),
            Self::AbsInPlace { x, t } => plane(x, abs(x)?).with_scratch(&[t]),
            Self::Max { y, x, z } => plane(y, Value::of(x).max(Value::of(z))?),
            Self::MaxInPlace { x, z, at, t } => plane(x, Value::of(x).max(there(z, at)?)?).with_scratch(&[t]),
            Self::Min { y, x, z } => plane(y, min(&Value::of(x), &Value::of(z))?),
            Self::MinInPlace { x, z, at, t } => plane(x, min(&Value::of(x), &there(z, at)?)?).with_scratch(&[t]),
            Self::AtLeastLevel { x, t } => plane(x, Value::of(x).max(level)?).with_scratch(&[t]),
            Self::AtMostMinusLevel { x } => plane(x, min(&Value::of(x), &negative(&level)?)?),
            Self::AtMostZero { x } => plane(x, min(&Value::of(x), &Value::zero())?),
            Self::Positive { b, x, inverted } => bit(b, comparison(Value::of(x), inverted)),
            Self::AboveMinusLevel { b, x, inverted } => {
                bit(b, comparison(Value::of(x).plus(Fraction::ONE, &level)?, inverted))
            }
            Self::BelowLevel { b, x, t } => {
                bit(b, comparison(level.plus(MINUS_ONE, &Value::of(x))?, false)).with_scratch(&[t])
            }
            Self::Above { b, x, z, t, inverted } => {
                bit(b, comparison(Value::of(x).plus(MINUS_ONE, &Value::of(z))?, inverted)).with_scratch(&[t])
            }
            Self::Select { y, b, x, z } => plane(y, Value::choice(Condition::of(b), Value::of(x), Value::of(z))),
            Self::Replace { x, b, z } => plane(x, Value::choice(Condition::of(b), Value::of(z), Value::of(x))),
            Self::Clear { x, b } => plane(x, Value::choice(Condition::of(b), Value::zero(), Value::of(x))),
            Self::ReplaceByLevel { x, b } => plane(x, Value::choice(Condition::of(b), level, Value::of(x))),
            Self::AddLevel { x, b } => {
                let sum = Value::of(x).plus(Fraction::ONE, &level)?;
                plane(x, Value::choice(Condition::of(b), sum, Value::of(x)))
            }
            Self::Mask { y, b, x } => plane(y, Value::choice(Condition::of(b), Value::of(x), Value::zero())),
            Self::Level { y, b } => plane(y, Value::choice(Condition::of(b), level, Value::zero())),
            Self::MeanInPlace { x, at, ts } => plane(x, mean([Value::of(x), there(x, at)?])?).with_scratch(&ts),
            Self::MaxPool { x, t, window } => plane(x, largest(window.pixels(x)?)?).with_scratch(&[t]),
            Self::MeanPool { x, ts, window } => plane(x, mean(window.pixels(x)?)?).with_scratch(&ts),
            Self::Not { y, x } => bit(y, Condition::of(x).inverse()),
            Self::Or { y, x, z } => bit(y, Condition::any([x, z].map(Condition::of))),
            Self::And { y, x, z, ts } => bit(y, Condition::all([x, z].map(Condition::of))).with_scratch_bits(&ts),
            Self::AndNot { y, x, z, t } => {
                bit(y, Condition::all([Condition::of(x), Condition::of(z).inverse()])).with_scratch_bits(&[t])
            }
            Self::Xor { y, x, z, ts } => {
                bit(y, Condition::of(x).choose(Condition::of(z).inverse(), Condition::of(z))).with_scratch_bits(&ts)
            }
            Self::Majority { y, xs: [a, b, c], ts } => {
                let pairs = [[a, b], [a, c], [b, c]].map(|pair| Condition::all(pair.map(Condition::of)));
                bit(y, Condition::any(pairs)).with_scratch_bits(&ts)
            }
            Self::Choose { y, s, x, z, ts } => {
                bit(y, Condition::of(s).choose(Condition::of(x), Condition::of(z))).with_scratch_bits(&ts)
            }
            Self::AnyPool { y, x, ts: [t, u], window } => {
                let pixels = window.displacements().map(|at| Condition::of(x).at(at));
                let [south, west, north, east] =
                    [Direction::South, Direction::West, Direction::North, Direction::East].map(Direction::switch);
                bit(y, Condition::any(pixels.collect::<Option<Vec<_>>>()?))
                    .with_scratch_bits(&[t, u, south, west, north, east])
            }
            Self::Neighbours { y, x, from, .. } => {
                let chosen = Direction::ALL.into_iter().filter(|direction| from.contains(*direction));
                let bits = chosen.map(|direction| Condition::of(x).at(direction.displacement()));
                bit(y, Condition::any(bits.collect::<Option<Vec<_>>>()?))
                    .with_scratch_bits(&Direction::ALL.map(Direction::switch))
            }
        })
    }
}

const MINUS_ONE: Fraction = match Fraction::new(-1, 1) {
    Some(fraction) => fraction,
    None => Fraction::ZERO,
};

fn plane(y: Reg, value: Value) -> Specification {
    Specification { planes: alloc::vec![(y, value)], ..Specification::default() }
}

fn bit(y: Dreg, condition: Condition) -> Specification {
    Specification { bits: alloc::vec![(y, condition)], ..Specification::default() }
}

impl Specification {
    fn with_scratch(self, registers: &[Reg]) -> Self {
        Self { scratch: registers.to_vec(), ..self }
    }

    fn with_scratch_bits(self, registers: &[Dreg]) -> Self {
        Self { scratch_bits: registers.to_vec(), ..self }
    }
}

fn comparison(value: Value, inverted: bool) -> Condition {
    let positive = Condition::positive(value);
    if inverted { positive.inverse() } else { positive }
}

fn negative(value: &Value) -> Option<Value> {
    Value::zero().plus(MINUS_ONE, value)
}

fn abs(x: Reg) -> Option<Value> {
    Value::of(x).max(negative(&Value::of(x))?)
}

fn min(x: &Value, z: &Value) -> Option<Value> {
    negative(&negative(x)?.max(negative(z)?)?)
}

fn largest(values: impl IntoIterator<Item = Value>) -> Option<Value> {
    let mut values = values.into_iter();
    let first = values.next()?;
    values.try_fold(first, Value::max)
}

/// The mean of values whose number is a power of two.
fn mean(values: impl IntoIterator<Item = Value, IntoIter: ExactSizeIterator>) -> Option<Value> {
    let values = values.into_iter();
    let weight = Fraction::new(1, i64::try_from(values.len()).ok()?)?;
    values.into_iter().try_fold(Value::zero(), |sum, value| sum.plus(weight, &value))
}

/// The fraction 1/2^k.
fn halves(k: u8) -> Option<Fraction> {
    Fraction::new(1, 1i64.checked_shl(k.into()).filter(|power| *power > 0)?)
}

impl Window {
    /// The pixels of a plane in the window.
    fn pixels(self, x: Reg) -> Option<Vec<Value>> {
        self.displacements().map(|at| Value::of(x).at(at)).collect()
    }

    /// The displacements of the pixels from the PE.
    pub(crate) fn displacements(self) -> impl Iterator<Item = Displacement> {
        let steps = move || (0..i16::from(self.size)).map(move |step| step.saturating_mul(self.spacing.into()));
        steps().flat_map(move |south| steps().map(move |east| Displacement::new(east, -south)))
    }
}
