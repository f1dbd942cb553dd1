//! Specifications: what operations compute, independently of their words.

use alloc::vec::Vec;

use cain_isa::operations::{Place, Window};
use cain_isa::{Direction, Displacement, Dreg, Fraction, PlaneOperation, Reg, Store};

use super::{Condition, Value};

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

impl Specification {
    /// That of an operation; `None` if a weight or a displacement overflows, and for operations without one.
    #[must_use]
    pub fn of(operation: &PlaneOperation) -> Option<Self> {
        let level = Value::start(Store::In, Displacement::ZERO);
        let there = |z, at: Place| Value::of(z).at(at.displacement());
        Some(match *operation {
            PlaneOperation::Shift { y, x, from } => plane(y, Value::of(x).at(from)?),
            PlaneOperation::Relu { y, x } => plane(y, Value::of(x).max(Value::zero())?),
            PlaneOperation::LeakyRelu { y, x, ts, halvings } => {
                let small = Value::zero().plus(halves(halvings)?, &Value::of(x))?;
                plane(y, Value::choice(Condition::positive(Value::of(x)), Value::of(x), small)).with_scratch(&ts)
            }
            PlaneOperation::Abs { y, x } => plane(y, abs(x)?),
            PlaneOperation::AbsInPlace { x, t } => plane(x, abs(x)?).with_scratch(&[t]),
            PlaneOperation::Max { y, x, z } => plane(y, Value::of(x).max(Value::of(z))?),
            PlaneOperation::MaxInPlace { x, z, at, t } => plane(x, Value::of(x).max(there(z, at)?)?).with_scratch(&[t]),
            PlaneOperation::Min { y, x, z } => plane(y, min(&Value::of(x), &Value::of(z))?),
            PlaneOperation::MinInPlace { x, z, at, t } => {
                plane(x, min(&Value::of(x), &there(z, at)?)?).with_scratch(&[t])
            }
            PlaneOperation::AtLeastLevel { x, t } => plane(x, Value::of(x).max(level)?).with_scratch(&[t]),
            PlaneOperation::AtMostMinusLevel { x } => plane(x, min(&Value::of(x), &negative(&level)?)?),
            PlaneOperation::AtMostZero { x } => plane(x, min(&Value::of(x), &Value::zero())?),
            PlaneOperation::Positive { b, x, inverted } => bit(b, comparison(Value::of(x), inverted)),
            PlaneOperation::AboveMinusLevel { b, x, inverted } => {
                bit(b, comparison(Value::of(x).plus(Fraction::ONE, &level)?, inverted))
            }
            PlaneOperation::BelowLevel { b, x, t } => {
                bit(b, comparison(level.plus(MINUS_ONE, &Value::of(x))?, false)).with_scratch(&[t])
            }
            PlaneOperation::Above { b, x, z, t, inverted } => {
                bit(b, comparison(Value::of(x).plus(MINUS_ONE, &Value::of(z))?, inverted)).with_scratch(&[t])
            }
            PlaneOperation::Select { y, b, x, z } => {
                plane(y, Value::choice(Condition::of(b), Value::of(x), Value::of(z)))
            }
            PlaneOperation::Replace { x, b, z } => {
                plane(x, Value::choice(Condition::of(b), Value::of(z), Value::of(x)))
            }
            PlaneOperation::Clear { x, b } => plane(x, Value::choice(Condition::of(b), Value::zero(), Value::of(x))),
            PlaneOperation::ReplaceByLevel { x, b } => plane(x, Value::choice(Condition::of(b), level, Value::of(x))),
            PlaneOperation::AddLevel { x, b } => {
                let sum = Value::of(x).plus(Fraction::ONE, &level)?;
                plane(x, Value::choice(Condition::of(b), sum, Value::of(x)))
            }
            PlaneOperation::Mask { y, b, x } => plane(y, Value::choice(Condition::of(b), Value::of(x), Value::zero())),
            PlaneOperation::Level { y, b } => plane(y, Value::choice(Condition::of(b), level, Value::zero())),
            PlaneOperation::MeanInPlace { x, at, ts } => {
                plane(x, mean([Value::of(x), there(x, at)?])?).with_scratch(&ts)
            }
            PlaneOperation::MaxPool { x, t, window } => plane(x, largest(pixels(window, x)?)?).with_scratch(&[t]),
            PlaneOperation::MeanPool { x, ts, window } => plane(x, mean(pixels(window, x)?)?).with_scratch(&ts),
            PlaneOperation::Not { y, x } => bit(y, Condition::of(x).inverse()),
            PlaneOperation::Or { y, x, z } => bit(y, Condition::any([x, z].map(Condition::of))),
            PlaneOperation::And { y, x, z, ts } => {
                bit(y, Condition::all([x, z].map(Condition::of))).with_scratch_bits(&ts)
            }
            PlaneOperation::AndNot { y, x, z, t } => {
                bit(y, Condition::all([Condition::of(x), Condition::of(z).inverse()])).with_scratch_bits(&[t])
            }
            PlaneOperation::Xor { y, x, z, ts } => {
                bit(y, Condition::of(x).choose(Condition::of(z).inverse(), Condition::of(z))).with_scratch_bits(&ts)
            }
            PlaneOperation::Majority { y, xs: [a, b, c], ts } => {
                let pairs = [[a, b], [a, c], [b, c]].map(|pair| Condition::all(pair.map(Condition::of)));
                bit(y, Condition::any(pairs)).with_scratch_bits(&ts)
            }
            PlaneOperation::Choose { y, s, x, z, ts } => {
                bit(y, Condition::of(s).choose(Condition::of(x), Condition::of(z))).with_scratch_bits(&ts)
            }
            PlaneOperation::AnyPool { y, x, ts: [t, u], window } => {
                let pixels = window.displacements().map(|at| Condition::of(x).at(at));
                let [south, west, north, east] =
                    [Direction::South, Direction::West, Direction::North, Direction::East].map(Direction::switch);
                bit(y, Condition::any(pixels.collect::<Option<Vec<_>>>()?))
                    .with_scratch_bits(&[t, u, south, west, north, east])
            }
            PlaneOperation::Neighbours { y, x, from, .. } => {
                let chosen = Direction::ALL.into_iter().filter(|direction| from.contains(*direction));
                let bits = chosen.map(|direction| Condition::of(x).at(direction.displacement()));
                bit(y, Condition::any(bits.collect::<Option<Vec<_>>>()?))
                    .with_scratch_bits(&Direction::ALL.map(Direction::switch))
            }
            _ => return None,
        })
    }

    fn with_scratch(self, registers: &[Reg]) -> Self {
        Self { scratch: registers.to_vec(), ..self }
    }

    fn with_scratch_bits(self, registers: &[Dreg]) -> Self {
        Self { scratch_bits: registers.to_vec(), ..self }
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

/// The pixels of a plane in a window.
fn pixels(window: Window, x: Reg) -> Option<Vec<Value>> {
    window.displacements().map(|at| Value::of(x).at(at)).collect()
}
