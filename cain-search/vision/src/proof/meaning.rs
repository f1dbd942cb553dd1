//! What the values of a declaration are, in terms of what is not known.

use std::collections::{BTreeMap, BTreeSet};

use cain_digital::Logic;
use cain_isa::program::Found;
use cain_isa::{Displacement, Fraction};

use super::Failure;
use super::diagram::{Diagram, Diagrams, Variable};
use super::form::{Atom, Form};
use super::numbers::{Source, Sources};
use crate::declaration::{Axis, Declaration, Kind, Operation, Side, Statement, Value, reach};

/// The values of a declaration.
#[derive(Debug)]
pub(super) struct Meaning<'d> {
    pub(super) declaration: &'d Declaration,
    pub(super) diagrams: Diagrams,
    pub(super) sources: Sources,
    operations: BTreeMap<Value, &'d Operation>,
    /// What loops carry and leave as it is, and what it is before the loop.
    unchanged: BTreeMap<Value, Value>,
    /// What comes out of decisions, each with the first value of its decision.
    joined: BTreeMap<Value, (Value, [Value; 2])>,
    /// The planes that come out of a decision, known by its first value, where these two are.
    either: BTreeMap<(Value, [Diagram; 2]), Diagram>,
    /// The values that are not put in where they are read, since a register holds them at some time.
    held: BTreeSet<Value>,
    planes: BTreeMap<Value, Diagram>,
    /// Values that are not defined nearer to the border.
    reaches: BTreeMap<Value, [Displacement; 2]>,
}

impl<'d> Meaning<'d> {
    pub(super) fn new(
        declaration: &'d Declaration,
        held: BTreeSet<Value>,
        reaches: &BTreeMap<Value, [Displacement; 2]>,
    ) -> Self {
        let (diagrams, sources) = (Diagrams::new(), Sources::default());
        let (operations, unchanged, joined, either, planes) = Default::default();
        let mut meaning = Self {
            declaration,
            diagrams,
            sources,
            operations,
            unchanged,
            joined,
            either,
            held,
            planes,
            reaches: reaches.clone(),
        };
        meaning.collect(&declaration.body);
        meaning
    }

    pub(super) fn kind(&self, value: Value) -> Kind {
        self.declaration.values[value.0]
    }

    /// A plane, as it is read by others.
    pub(super) fn plane(&mut self, value: Value) -> Result<Diagram, Failure> {
        if let Some(known) = self.planes.get(&value) {
            return Ok(*known);
        }
        if let Some(first) = self.unchanged.get(&value).copied() {
            let plane = self.plane(first)?;
            self.planes.insert(value, plane);
            return Ok(plane);
        }
        if let Some((decision, ways)) = self.joined.get(&value).copied() {
            let plane = self.either(value, decision, ways)?;
            self.planes.insert(value, plane);
            return Ok(plane);
        }
        let put_in = match self.operations.get(&value) {
            None => false,
            // Sums are sums of the same in every form.
            Some(Operation::Sum { .. } | Operation::Positive(_) | Operation::Inside { .. } | Operation::Pattern(_)) => {
                true
            }
            Some(_) => !self.held.contains(&value),
        };
        let is_comparison = matches!(self.operations.get(&value), Some(Operation::Positive(_)));
        let plane = if put_in && is_comparison && self.held.contains(&value) {
            // Where it is not defined, it is still one bit.
            let (plane, bit) = (self.definition(value)?, self.atom(value)?);
            self.diagrams.defined_by(plane, bit)?
        } else if put_in {
            self.definition(value)?
        } else if let Some(bit) = self.known(value)? {
            bit
        } else {
            self.atom(value)?
        };
        self.planes.insert(value, plane);
        Ok(plane)
    }

    /// What comes out of a decision: what it is on both ways, or else the same as every other plane that is the same on either.
    fn either(&mut self, value: Value, decision: Value, [then, otherwise]: [Value; 2]) -> Result<Diagram, Failure> {
        let (then, otherwise) = (self.plane(then)?, self.plane(otherwise)?);
        if then == otherwise {
            return Ok(then);
        }
        let ways = (decision, [then, otherwise]);
        if let Some(known) = self.either.get(&ways) {
            return Ok(*known);
        }
        let plane = self.atom(value)?;
        self.either.insert(ways, plane);
        Ok(plane)
    }

    /// The bit that a function is everywhere, if it is one: registers that hold it are known to be alike.
    fn known(&mut self, value: Value) -> Result<Option<Diagram>, Failure> {
        let Some(Operation::Logic { .. }) = self.operations.get(&value) else { return Ok(None) };
        let plane = self.definition(value)?;
        Ok([false, true].map(Diagrams::known).into_iter().find(|known| *known == plane))
    }

    fn atom(&mut self, value: Value) -> Result<Diagram, Failure> {
        match self.kind(value) {
            Kind::Levels { .. } => self.diagrams.form(Form::atom(Atom::Level(value, Displacement::ZERO))),
            Kind::Bits => self.diagrams.variable(Variable::Bit(value, Displacement::ZERO)),
            Kind::Number { .. } => Err(Failure::Kinds),
        }
    }

    /// A plane, as it is made of others.
    pub(super) fn definition(&mut self, value: Value) -> Result<Diagram, Failure> {
        let mut plane = self.made(value)?;
        for corner in self.reaches.get(&value).copied().into_iter().flatten() {
            let there = self.diagrams.on_array(corner)?;
            plane = self.diagrams.choice([there, plane, Diagrams::UNDEFINED])?;
        }
        Ok(plane)
    }

    fn made(&mut self, value: Value) -> Result<Diagram, Failure> {
        let Some(operation) = self.operations.get(&value).copied() else { return self.atom(value) };
        match operation {
            Operation::Sum { summands, constant, numbers } => {
                let mut given = Form::constant(*constant);
                for (weight, number) in numbers {
                    given = given.plus(*weight, &self.sources.form(Source::Value(*number)))?;
                }
                let mut sum = self.diagrams.form(given)?;
                for summand in summands {
                    let of = self.plane(summand.of)?;
                    let of = self.diagrams.moved(of, summand.at)?;
                    sum = self.diagrams.plus(sum, summand.weight, of)?;
                }
                for corner in reach(summands) {
                    let there = self.diagrams.on_array(corner)?;
                    sum = self.diagrams.choice([there, sum, Diagrams::UNDEFINED])?;
                }
                Ok(sum)
            }
            Operation::Abs(of) => {
                let of = self.plane(*of)?;
                let zero = self.diagrams.form(Form::default())?;
                let negative = self.diagrams.plus(zero, Fraction::from(-1), of)?;
                let condition = self.diagrams.positive(of)?;
                self.diagrams.choice([condition, of, negative])
            }
            Operation::Max(a, b) | Operation::Min(a, b) => {
                let (a, b) = (self.plane(*a)?, self.plane(*b)?);
                let difference = self.diagrams.plus(a, Fraction::from(-1), b)?;
                let condition = self.diagrams.positive(difference)?;
                let [then, otherwise] = if matches!(operation, Operation::Max(..)) { [a, b] } else { [b, a] };
                self.diagrams.choice([condition, then, otherwise])
            }
            Operation::Select { bits, then, otherwise } => {
                let of = [self.plane(*bits)?, self.plane(*then)?, self.plane(*otherwise)?];
                self.diagrams.choice(of)
            }
            Operation::Positive(of) => {
                let of = self.plane(*of)?;
                self.diagrams.positive(of)
            }
            Operation::Logic { function, of } => {
                let of = of.iter().map(|of| self.plane(*of)).collect::<Result<Vec<_>, _>>()?;
                self.logic(function, &of)
            }
            Operation::Inside { area } => {
                let [a, b, c, d] = area.each_ref().map(|number| self.sources.expression(number));
                self.diagrams.variable(Variable::Inside([a?, b?, c?, d?], Displacement::ZERO))
            }
            Operation::Pattern(selection) => self.diagrams.variable(Variable::Pattern(*selection, Displacement::ZERO)),
            _ => Err(Failure::Kinds),
        }
    }

    fn logic(&mut self, logic: &Logic, of: &[Diagram]) -> Result<Diagram, Failure> {
        let zero = Diagrams::known(false);
        Ok(match logic {
            Logic::Constant(bit) => Diagrams::known(*bit),
            Logic::Pixel { input, at, .. } => {
                let of = *of.get(*input).ok_or(Failure::Kinds)?;
                let (there, moved) = (self.diagrams.on_array(*at)?, self.diagrams.moved(of, *at)?);
                self.diagrams.choice([there, moved, zero])?
            }
            Logic::Not(part) => {
                let part = self.logic(part, of)?;
                self.diagrams.not(part)?
            }
            Logic::All(parts) => self.fold(parts, of, Diagrams::known(true), Diagrams::and)?,
            Logic::Any(parts) => self.fold(parts, of, zero, Diagrams::or)?,
            Logic::Odd(parts) => self.fold(parts, of, zero, |diagrams, a, b| {
                let not = diagrams.not(b)?;
                diagrams.choice([a, not, b])
            })?,
            Logic::Count { of: parts, least, most } => {
                // Whether so many of the parts so far are 1.
                let mut counts = vec![Diagrams::known(true)];
                for part in parts {
                    let part = self.logic(part, of)?;
                    counts.push(zero);
                    for count in (0..counts.len()).rev() {
                        let less = count.checked_sub(1).map_or(zero, |less| counts[less]);
                        counts[count] = self.diagrams.choice([part, less, counts[count]])?;
                    }
                }
                let mut any = zero;
                for (count, is) in (0..).zip(counts) {
                    if (*least..=*most).contains(&count) {
                        any = self.diagrams.or(any, is)?;
                    }
                }
                any
            }
        })
    }

    fn fold(
        &mut self,
        parts: &[Logic],
        of: &[Diagram],
        first: Diagram,
        join: impl Fn(&mut Diagrams, Diagram, Diagram) -> Result<Diagram, Failure>,
    ) -> Result<Diagram, Failure> {
        let mut all = first;
        for part in parts {
            let part = self.logic(part, of)?;
            all = join(&mut self.diagrams, all, part)?;
        }
        Ok(all)
    }

    /// The level that is nearest to a plane: the highest one whose step it is not below.
    pub(super) fn nearest(&mut self, plane: Diagram, count: u16) -> Result<Diagram, Failure> {
        let mut nearest: Option<Diagram> = None;
        for (least, level) in crate::declaration::levels(count) {
            let level = self.diagrams.form(Form::constant(Fraction::from(i32::from(level))))?;
            let least = self.diagrams.form(Form::constant(Fraction::from(i32::from(least))))?;
            let below = self.diagrams.plus(least, Fraction::from(-1), plane)?;
            let is_below = self.diagrams.positive(below)?;
            nearest = Some(match nearest {
                Some(lower) => self.diagrams.choice([is_below, lower, level])?,
                None => level,
            });
        }
        nearest.ok_or(Failure::Kinds)
    }

    /// A number, as it is computed; `None` if it is given.
    pub(super) fn number(&mut self, value: Value) -> Result<Option<Form>, Failure> {
        let Some(operation) = self.operations.get(&value).copied() else { return Ok(None) };
        let (what, number, of) = match operation {
            Operation::Number(number) => return self.sources.expression(number).map(Some),
            Operation::Total(of) => {
                let of = self.plane(*of)?;
                return Ok(Some(self.sources.form(Source::Total(of))));
            }
            Operation::Read(of, grid) => {
                let of = self.plane(*of)?;
                return Ok(Some(self.sources.form(Source::Read(of, *grid))));
            }
            Operation::Any(of) => (Found::Any, 0, *of),
            Operation::Count(of) => (Found::Ones, 0, *of),
            Operation::Bound(of, Side::Top) => (Found::Bounds, 0, *of),
            Operation::Bound(of, Side::Left) => (Found::Bounds, 1, *of),
            Operation::Bound(of, Side::Bottom) => (Found::Bounds, 2, *of),
            Operation::Bound(of, Side::Right) => (Found::Bounds, 3, *of),
            Operation::First(of, Axis::Row) => (Found::First, 0, *of),
            Operation::First(of, Axis::Column) => (Found::First, 1, *of),
            _ => return Ok(None),
        };
        let of = self.plane(of)?;
        Ok(Some(self.sources.found(what, number, of)))
    }

    fn collect(&mut self, body: &'d [Statement]) {
        for statement in body {
            match statement {
                Statement::Define { value, operation } => drop(self.operations.insert(*value, operation)),
                Statement::List { .. } => {}
                Statement::Loop(of) => {
                    for carried in of.carried.iter().filter(|carried| carried.next == carried.inside) {
                        self.unchanged.extend([carried.inside, carried.after].map(|value| (value, carried.first)));
                    }
                    self.collect(of.until.statements());
                    self.collect(&of.body);
                }
                Statement::Decide(decision) => {
                    self.collect(&decision.then);
                    self.collect(&decision.otherwise);
                    for joined in &decision.joined {
                        let first = decision.joined[0].value;
                        self.joined.insert(joined.value, (first, [joined.then, joined.otherwise]));
                    }
                }
            }
        }
    }
}
