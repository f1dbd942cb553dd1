//! Puts declarations together, value by value.

use core::fmt;
use std::collections::BTreeSet;

use cain_analysis::owned::SIDE;
use cain_isa::{Fraction, Machine, Range};
use cain_search::Options;

use super::id::Value;
use super::value::{Kind, Operation};
use super::{
    Carried, Decision, Declaration, First, Input, Joined, Loop, Output, Parameter, Result as Outcome, Sample, State,
    Statement, Storage, Until,
};

/// Puts a declaration together.
///
/// Values are made in the innermost body that has been [begun](Self::begin) and not ended.
#[derive(Debug)]
pub struct Builder {
    declaration: Declaration,
    /// The bodies around the present place, the outermost first, each with the values made in it.
    bodies: Vec<Body>,
}

#[derive(Debug, Default)]
struct Body {
    statements: Vec<Statement>,
    made: BTreeSet<Value>,
}

/// The statements of a body that has ended.
#[derive(Debug)]
pub struct Ended(Vec<Statement>);

impl Ended {
    /// The statements.
    #[must_use]
    pub fn statements(self) -> Vec<Statement> {
        self.0
    }
}

impl Builder {
    /// An empty declaration.
    #[must_use]
    pub fn new(name: impl Into<String>, machine: Machine, options: Options) -> Self {
        let declaration = Declaration {
            name: name.into(),
            inputs: Vec::new(),
            parameters: Vec::new(),
            states: Vec::new(),
            values: Vec::new(),
            body: Vec::new(),
            results: Vec::new(),
            samples: Vec::new(),
            machine,
            side: SIDE,
            options,
        };
        Self { declaration, bodies: vec![Body::default()] }
    }

    /// What a value is.
    #[must_use]
    pub fn kind(&self, value: Value) -> Kind {
        self.declaration.values[value.0]
    }

    /// The planes that are given for each frame, so far.
    #[must_use]
    pub fn inputs(&self) -> &[Input] {
        &self.declaration.inputs
    }

    /// The parameters so far.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.declaration.parameters
    }

    /// An array of another size than that of SCAMP-5.
    pub fn on_array_of(&mut self, side: usize) {
        self.declaration.side = side;
    }

    /// What a plane typically is, for which the errors of a chip are corrected.
    pub fn sample(&mut self, sample: Sample) {
        self.declaration.samples.push(sample);
    }

    fn value(&mut self, kind: Kind) -> Value {
        let value = Value(self.declaration.values.len());
        self.declaration.values.push(kind);
        if let Some(body) = self.bodies.last_mut() {
            body.made.insert(value);
        }
        value
    }

    /// A plane that is given for each frame.
    pub fn input(&mut self, name: impl Into<String>, kind: Kind, is_captured: bool) -> Value {
        let value = self.value(kind);
        self.declaration.inputs.push(Input { name: name.into(), value, is_captured });
        value
    }

    /// A number that the host sets for each frame.
    pub fn parameter(&mut self, name: impl Into<String>, range: (i64, i64), default: i64, is_bool: bool) -> Value {
        let value = self.value(Kind::Number { low: range.0, high: range.1 });
        self.declaration.parameters.push(Parameter { name: name.into(), value, range, default, is_bool });
        value
    }

    /// A state, and its number; until it has [another value](Self::next), it stays as it is.
    pub fn state(&mut self, name: impl Into<String>, kind: Kind, first: First, storage: Storage) -> (usize, Value) {
        let before = self.value(kind);
        let states = &mut self.declaration.states;
        states.push(State { name: name.into(), before, first, next: before, storage });
        (states.len() - 1, before)
    }

    /// Gives a state its value after the frame.
    pub fn next(&mut self, state: usize, value: Value) -> Result<(), BuildError> {
        let of = &self.declaration.states[state];
        if !same_kind(self.kind(of.before), self.kind(value)) {
            return Err(BuildError::Kinds { expected: self.kind(of.before), found: self.kind(value) });
        }
        self.declaration.states[state].next = value;
        Ok(())
    }

    /// A value that is made like that.
    pub fn define(&mut self, operation: Operation) -> Result<Value, BuildError> {
        let kind = self.kind_of(&operation)?;
        let value = self.value(kind);
        self.push(Statement::Define { value, operation });
        Ok(value)
    }

    /// Levels of a plane that are known to be between these, or saturate there.
    pub fn limit(&mut self, value: Value, low: f64, high: f64) {
        if let Kind::Levels { low: least, high: largest } = &mut self.declaration.values[value.0] {
            (*least, *largest) = (least.max(low), largest.min(high));
        }
    }

    fn push(&mut self, statement: Statement) {
        if let Some(body) = self.bodies.last_mut() {
            body.statements.push(statement);
        }
    }

    /// Begins a body of a loop or of a decision.
    pub fn begin(&mut self) {
        self.bodies.push(Body::default());
    }

    /// A value of this kind that the present body is given.
    pub fn given(&mut self, kind: Kind) -> Value {
        self.value(kind)
    }

    /// Ends a body.
    pub fn end(&mut self) -> Ended {
        Ended(if self.bodies.len() > 1 {
            self.bodies.pop().map_or_else(Vec::new, |body| body.statements)
        } else {
            vec![]
        })
    }

    /// Goes on with a body that has ended, until it is [ended](Self::end) again.
    pub fn resume(&mut self, body: &mut Ended) {
        self.bodies.push(Body { statements: std::mem::take(&mut body.0), made: BTreeSet::new() });
    }

    /// A loop over a body, with the values that are carried: before the first pass, within the body, and after a pass.
    /// Returns their values after the loop.
    pub fn repeat(
        &mut self,
        most: u32,
        until: Until,
        carried: &[[Value; 3]],
        counter: Value,
        body: Ended,
    ) -> Result<Vec<Value>, BuildError> {
        let mut all = Vec::new();
        for &[first, inside, next] in carried {
            let kind = self.kind(inside);
            for other in [first, next] {
                if !same_kind(kind, self.kind(other)) {
                    return Err(BuildError::Kinds { expected: kind, found: self.kind(other) });
                }
            }
            let after = self.value(kind);
            all.push(Carried { first, inside, next, after });
        }
        let after = all.iter().map(|carried| carried.after).collect();
        self.push(Statement::Loop(Loop { most, until, carried: all, counter, body: body.0 }));
        Ok(after)
    }

    /// A decision between two bodies, with pairs of values of which one comes out.
    pub fn decide(
        &mut self,
        condition: Value,
        [then, otherwise]: [Ended; 2],
        pairs: &[[Value; 2]],
    ) -> Result<Vec<Value>, BuildError> {
        let mut joined = Vec::new();
        for &[then, otherwise] in pairs {
            let kind = both(self.kind(then), self.kind(otherwise))
                .ok_or_else(|| BuildError::Kinds { expected: self.kind(then), found: self.kind(otherwise) })?;
            joined.push(Joined { value: self.value(kind), then, otherwise });
        }
        let values = joined.iter().map(|joined| joined.value).collect();
        self.push(Statement::Decide(Decision { condition, then: then.0, otherwise: otherwise.0, joined }));
        Ok(values)
    }

    /// Adds numbers to a list of results.
    pub fn list(&mut self, list: usize, numbers: Vec<Value>) {
        self.push(Statement::List { list, numbers });
    }

    /// A result.
    pub fn result(&mut self, name: impl Into<String>, of: Outcome) {
        self.declaration.results.push(Output { name: name.into(), of });
    }

    /// The declaration.
    #[must_use]
    pub fn finish(mut self) -> Declaration {
        self.declaration.body = self.bodies.into_iter().next().unwrap_or_default().statements;
        self.declaration
    }

    /// What an operation makes.
    fn kind_of(&self, operation: &Operation) -> Result<Kind, BuildError> {
        Ok(match operation {
            Operation::Sum { summands, constant, numbers } => {
                let mut range = (constant.to_f64(), constant.to_f64());
                for summand in summands {
                    range = plus(range, summand.weight, self.levels(summand.of)?);
                }
                for (weight, number) in numbers {
                    let (low, high) = self.number(*number)?;
                    #[expect(clippy::cast_precision_loss, reason = "levels are small")]
                    let ends = (low as f64, high as f64);
                    range = plus(range, *weight, ends);
                }
                Kind::Levels { low: range.0, high: range.1 }
            }
            Operation::Abs(of) => {
                let (low, high) = self.levels(*of)?;
                let least = if low <= 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) };
                Kind::Levels { low: least, high: low.abs().max(high.abs()) }
            }
            Operation::Max(a, b) | Operation::Min(a, b) => {
                let (a, b) = (self.levels(*a)?, self.levels(*b)?);
                let end = if matches!(operation, Operation::Max(..)) { f64::max } else { f64::min };
                Kind::Levels { low: end(a.0, b.0), high: end(a.1, b.1) }
            }
            Operation::Select { bits, then, otherwise } => {
                self.bits(*bits)?;
                let (a, b) = (self.levels(*then)?, self.levels(*otherwise)?);
                Kind::Levels { low: a.0.min(b.0), high: a.1.max(b.1) }
            }
            Operation::Positive(of) => {
                self.levels(*of)?;
                Kind::Bits
            }
            Operation::Logic { of, .. } => {
                of.iter().try_for_each(|of| self.bits(*of))?;
                Kind::Bits
            }
            Operation::Inside { area } => {
                area.iter().try_for_each(|number| self.range(number).map(|_| ()))?;
                Kind::Bits
            }
            Operation::Pattern(_) => Kind::Bits,
            Operation::Number(number) => {
                let (low, high) = self.range(number)?;
                Kind::Number { low, high }
            }
            Operation::Any(of) => {
                self.bits(*of)?;
                Kind::Number { low: 0, high: 1 }
            }
            Operation::Count(of) => {
                self.bits(*of)?;
                Kind::Number { low: 0, high: 1 << 16 }
            }
            Operation::Bound(of, _) | Operation::First(of, _) => {
                self.bits(*of)?;
                Kind::Number { low: 0, high: 255 }
            }
            Operation::Total(of) => {
                self.levels(*of)?;
                Kind::Number { low: Range::SCAMP5.min.into(), high: Range::SCAMP5.max.into() }
            }
            Operation::Read(of, grid) => {
                let count = i64::try_from(grid.height.saturating_mul(grid.width)).unwrap_or(i64::MAX);
                let (low, high) = match self.kind(*of) {
                    Kind::Levels { low, high } => (whole_level(low), whole_level(high)),
                    Kind::Bits => (0, 1),
                    found @ Kind::Number { .. } => return Err(BuildError::Plane(found)),
                };
                Kind::Number { low: count.saturating_mul(low), high: count.saturating_mul(high) }
            }
        })
    }

    fn levels(&self, value: Value) -> Result<(f64, f64), BuildError> {
        match self.kind(value) {
            Kind::Levels { low, high } => Ok((low, high)),
            found => Err(BuildError::Levels(found)),
        }
    }

    fn bits(&self, value: Value) -> Result<(), BuildError> {
        match self.kind(value) {
            Kind::Bits => Ok(()),
            found => Err(BuildError::Bits(found)),
        }
    }

    pub(super) fn number(&self, value: Value) -> Result<(i64, i64), BuildError> {
        match self.kind(value) {
            Kind::Number { low, high } => Ok((low, high)),
            found => Err(BuildError::Number(found)),
        }
    }
}

fn plus((low, high): (f64, f64), weight: Fraction, of: (f64, f64)) -> (f64, f64) {
    let ends = [weight.to_f64() * of.0, weight.to_f64() * of.1];
    (low + ends[0].min(ends[1]), high + ends[0].max(ends[1]))
}

/// What the controller reads of a level: the nearest whole one, halves up, of those that there are.
#[expect(clippy::cast_possible_truncation, reason = "clamped")]
pub(crate) fn whole_level(level: f64) -> i64 {
    (level + 0.5).floor().clamp(Range::SCAMP5.min.into(), Range::SCAMP5.max.into()) as i64
}

fn same_kind(a: Kind, b: Kind) -> bool {
    core::mem::discriminant(&a) == core::mem::discriminant(&b)
}

/// What is one of two values.
fn both(a: Kind, b: Kind) -> Option<Kind> {
    Some(match (a, b) {
        (Kind::Levels { low, high }, Kind::Levels { low: other_low, high: other_high }) => {
            Kind::Levels { low: low.min(other_low), high: high.max(other_high) }
        }
        (Kind::Bits, Kind::Bits) => Kind::Bits,
        (Kind::Number { low, high }, Kind::Number { low: other_low, high: other_high }) => {
            Kind::Number { low: low.min(other_low), high: high.max(other_high) }
        }
        _ => return None,
    })
}

/// Why a value cannot be made.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BuildError {
    /// Levels are needed, and something else is there.
    Levels(Kind),
    /// Bits are needed, and something else is there.
    Bits(Kind),
    /// A number of the controller is needed, and something else is there.
    Number(Kind),
    /// A plane is needed, and a number of the controller is there.
    Plane(Kind),
    /// Two values have to be of one kind.
    Kinds {
        /// What one of them is.
        expected: Kind,
        /// What the other one is.
        found: Kind,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Levels(found) => write!(f, "expected a plane of levels, found {found}"),
            Self::Bits(found) => write!(f, "expected a plane of bits, found {found}"),
            Self::Number(found) => write!(f, "expected a number of the controller, found {found}"),
            Self::Plane(found) => write!(f, "expected a plane, found {found}"),
            Self::Kinds { expected, found } => write!(f, "expected {expected}, found {found}"),
        }
    }
}

impl core::error::Error for BuildError {}
