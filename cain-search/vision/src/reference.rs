//! What a program computes, by its meaning: in exact arithmetic, without an array.

use std::collections::BTreeMap;

use cain_isa::Displacement;
use cain_isa::program::{Grid, SUM_STEP, Term};

use crate::declaration::{
    Arithmetic, Axis, Carried, Comparison, Declaration, First, Kind, Number, Operation, Result as Outcome, Side,
    Statement, Storage, Until, Value, reach, whole_level,
};

/// The contents of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Levels in DN, row by row from the north-west; not a number where they are not defined.
    Levels(Vec<f64>),
    /// Bits, row by row.
    Bits(Vec<bool>),
    /// A number of the controller.
    Number(i64),
}

/// A program with its states.
#[derive(Clone, Debug)]
pub struct Reference<'d> {
    declaration: &'d Declaration,
    height: usize,
    width: usize,
    /// What every state was after the last frame; `None` before the first one.
    states: Option<Vec<Content>>,
    /// The numbers that were set for each parameter.
    parameters: Vec<i64>,
}

/// What comes out of a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A plane or a number.
    One(Content),
    /// Several numbers.
    Several(Vec<i64>),
    /// A list of several numbers each.
    List(Vec<Vec<i64>>),
}

impl<'d> Reference<'d> {
    /// A program on an array of that size, before its first frame.
    #[must_use]
    pub fn new(declaration: &'d Declaration, height: usize, width: usize) -> Self {
        let parameters = declaration.parameters.iter().map(|parameter| parameter.default).collect();
        Self { declaration, height, width, states: None, parameters }
    }

    /// Sets a parameter.
    pub fn set(&mut self, parameter: usize, to: i64) {
        self.parameters[parameter] = to;
    }

    /// Forgets all frames.
    pub fn reset(&mut self) {
        self.states = None;
    }

    /// What comes out of a frame with these inputs, in the order of the results.
    pub fn frame(&mut self, inputs: &[Content]) -> Vec<Answer> {
        let declaration = self.declaration;
        let mut values = BTreeMap::new();
        for (input, content) in declaration.inputs.iter().zip(inputs) {
            values.insert(input.value, content.clone());
        }
        // Parameters are the first values behind the inputs, in their order.
        let parameters = declaration.parameter_values();
        for (value, number) in parameters.zip(&self.parameters) {
            values.insert(value, Content::Number(*number));
        }
        for (number, state) in declaration.states.iter().enumerate() {
            let before = match &self.states {
                Some(states) => states[number].clone(),
                None => match state.first {
                    First::Input(input) => inputs[input].clone(),
                    First::Constant(constant) => self.constant(declaration.values[state.before.0], constant),
                },
            };
            values.insert(state.before, before);
        }
        let mut lists = BTreeMap::new();
        let mut scope = Scope { reference: self, values, lists: &mut lists };
        scope.run(&declaration.body);
        let values = scope.values;
        let answer = |of: &Outcome| match of {
            Outcome::Value(value) => Answer::One(values[value].clone()),
            Outcome::Numbers(of) => Answer::Several(of.iter().map(|value| number(&values[value])).collect()),
            Outcome::Tuple(of) => Answer::Several(of.iter().map(|value| number(&values[value])).chain([1]).collect()),
            Outcome::List(list) => Answer::List(lists.get(list).cloned().unwrap_or_default()),
            Outcome::Events(of, most) => Answer::List(self.events(&values[of], *most)),
        };
        let answers = declaration.results.iter().map(|result| answer(&result.of)).collect();
        let next = declaration.states.iter().map(|state| stored(&values[&state.next], state.storage)).collect();
        self.states = Some(next);
        answers
    }

    /// The places of bits that are 1.
    fn events(&self, bits: &Content, most: u32) -> Vec<Vec<i64>> {
        let Content::Bits(bits) = bits else { return Vec::new() };
        let ones = bits.iter().enumerate().filter(|(_, bit)| **bit);
        let place = |(pe, _): (usize, &bool)| vec![as_number(pe / self.width), as_number(pe % self.width)];
        ones.take(usize::try_from(most).unwrap_or(usize::MAX)).map(place).collect()
    }

    fn constant(&self, kind: Kind, constant: i64) -> Content {
        let count = self.height * self.width;
        match kind {
            #[expect(clippy::cast_precision_loss, reason = "levels are small")]
            Kind::Levels { .. } => Content::Levels(vec![constant as f64; count]),
            Kind::Bits => Content::Bits(vec![constant != 0; count]),
            Kind::Number { .. } => Content::Number(constant),
        }
    }
}

/// A state as it is kept.
fn stored(content: &Content, storage: Storage) -> Content {
    match (content, storage) {
        (Content::Levels(levels), Storage::Levels(count)) => {
            Content::Levels(levels.iter().map(|level| nearest(*level, count)).collect())
        }
        _ => content.clone(),
    }
}

/// The last of the levels whose step a level reaches, or the first one.
fn nearest(level: f64, count: u16) -> f64 {
    if level.is_nan() {
        return level;
    }
    let levels = crate::declaration::levels(count);
    let reached = levels.iter().rev().find(|(least, _)| level >= f64::from(*least)).or(levels.first());
    reached.map_or(level, |(_, level)| f64::from(*level))
}

fn number(content: &Content) -> i64 {
    if let Content::Number(number) = content { *number } else { 0 }
}

/// The values that are known at a place of a program.
struct Scope<'s, 'd> {
    reference: &'s Reference<'d>,
    values: BTreeMap<Value, Content>,
    lists: &'s mut BTreeMap<usize, Vec<Vec<i64>>>,
}

impl Scope<'_, '_> {
    fn run(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Define { value, operation } => {
                    let content = self.operation(operation);
                    self.values.insert(*value, content);
                }
                Statement::List { list, numbers } => {
                    let numbers = numbers.iter().map(|value| number(&self.values[value])).collect();
                    self.lists.entry(*list).or_default().push(numbers);
                }
                Statement::Decide(decision) => {
                    let holds = number(&self.values[&decision.condition]) != 0;
                    self.run(if holds { &decision.then } else { &decision.otherwise });
                    for joined in &decision.joined {
                        let from = if holds { joined.then } else { joined.otherwise };
                        let content = self.values[&from].clone();
                        self.values.insert(joined.value, content);
                    }
                }
                Statement::Loop(of) => {
                    self.copy(&of.carried, |carried| (carried.inside, carried.first));
                    let mut passes = 0;
                    while passes < of.most && self.goes_on(&of.until, passes) {
                        self.values.insert(of.counter, Content::Number(passes.into()));
                        self.run(&of.body);
                        passes += 1;
                        let is_stable = match of.until {
                            Until::Stable(place) => {
                                let Carried { inside, next, .. } = of.carried[place];
                                self.values[&inside] == self.values[&next]
                            }
                            _ => false,
                        };
                        self.copy(&of.carried, |carried| (carried.inside, carried.next));
                        if is_stable {
                            break;
                        }
                    }
                    self.copy(&of.carried, |carried| (carried.after, carried.inside));
                }
            }
        }
    }

    fn goes_on(&mut self, until: &Until, passes: u32) -> bool {
        match until {
            Until::Passes(count) => i64::from(passes) < number(&self.values[count]),
            Until::Fails { statements, condition } => {
                self.run(statements);
                number(&self.values[condition]) != 0
            }
            Until::Stable(_) => true,
        }
    }

    /// Copies values, all at once.
    fn copy(&mut self, carried: &[Carried], pair: impl Fn(&Carried) -> (Value, Value)) {
        let copies: Vec<_> = carried.iter().map(&pair).map(|(to, from)| (to, self.values[&from].clone())).collect();
        self.values.extend(copies);
    }

    fn levels(&self, value: Value) -> &[f64] {
        if let Some(Content::Levels(levels)) = self.values.get(&value) { levels } else { &[] }
    }

    fn bits(&self, value: Value) -> &[bool] {
        if let Some(Content::Bits(bits)) = self.values.get(&value) { bits } else { &[] }
    }

    /// The place of the PE that lies so far away from another one.
    fn place(&self, pe: usize, (east, north): (i64, i64)) -> Option<usize> {
        let (height, width) = (self.reference.height, self.reference.width);
        let along = |at: usize, by: i64, length: usize| {
            let at = i64::try_from(at).ok()?.checked_add(by)?;
            usize::try_from(at).ok().filter(|at| *at < length)
        };
        Some(along(pe / width, -north, height)? * width + along(pe % width, east, width)?)
    }

    fn pes(&self) -> std::ops::Range<usize> {
        0..self.reference.height * self.reference.width
    }

    fn levels_of(&self, level: impl Fn(usize) -> f64) -> Content {
        Content::Levels(self.pes().map(level).collect())
    }

    fn bits_of(&self, bit: impl Fn(usize) -> bool) -> Content {
        Content::Bits(self.pes().map(bit).collect())
    }

    fn operation(&self, operation: &Operation) -> Content {
        match operation {
            Operation::Sum { summands, constant, numbers } => {
                #[expect(clippy::cast_precision_loss, reason = "levels are small")]
                let given: f64 =
                    numbers.iter().map(|(weight, of)| weight.to_f64() * number(&self.values[of]) as f64).sum();
                let corners = reach(summands);
                self.levels_of(|pe| {
                    if corners.iter().any(|corner| self.place(pe, apart(*corner)).is_none()) {
                        return f64::NAN;
                    }
                    let sum = summands.iter().map(|summand| {
                        let at = self.place(pe, apart(summand.at));
                        at.map_or(f64::NAN, |at| summand.weight.to_f64() * self.levels(summand.of)[at])
                    });
                    sum.sum::<f64>() + constant.to_f64() + given
                })
            }
            Operation::Abs(of) => self.levels_of(|pe| self.levels(*of)[pe].abs()),
            Operation::Max(a, b) => self.levels_of(|pe| larger(self.levels(*a)[pe], self.levels(*b)[pe])),
            Operation::Min(a, b) => self.levels_of(|pe| -larger(-self.levels(*a)[pe], -self.levels(*b)[pe])),
            Operation::Select { bits, then, otherwise } => {
                self.levels_of(|pe| self.levels(if self.bits(*bits)[pe] { *then } else { *otherwise })[pe])
            }
            Operation::Positive(of) => self.bits_of(|pe| self.levels(*of)[pe] > 0.0),
            Operation::Logic { function, of } => self.bits_of(|pe| {
                function.evaluate(&|input, _, at| self.place(pe, apart(at)).is_some_and(|at| self.bits(of[input])[at]))
            }),
            Operation::Inside { area } => {
                let [top, left, height, width] = area.each_ref().map(|number| self.number(number));
                let columns = self.reference.width;
                let within = |at: usize, first: i64, count: i64| {
                    i64::try_from(at).is_ok_and(|at| at >= first && at < first.saturating_add(count))
                };
                self.bits_of(|pe| within(pe / columns, top, height) && within(pe % columns, left, width))
            }
            Operation::Pattern(selection) => {
                let columns = self.reference.width;
                self.bits_of(|pe| selection.contains(pe / columns, pe % columns))
            }
            Operation::Number(number) => Content::Number(self.number(number)),
            Operation::Any(of) => Content::Number(self.bits(*of).contains(&true).into()),
            Operation::Count(of) => Content::Number(self.bits(*of).iter().map(|bit| i64::from(*bit)).sum()),
            Operation::Bound(of, side) => Content::Number(self.bound(*of, *side)),
            Operation::First(of, axis) => {
                let first = self.bits(*of).iter().position(|bit| *bit).unwrap_or_default();
                let columns = self.reference.width;
                Content::Number(as_number(match axis {
                    Axis::Row => first / columns,
                    Axis::Column => first % columns,
                }))
            }
            Operation::Read(of, grid) => Content::Number(self.read(*of, *grid)),
            Operation::Total(of) => {
                let sum: f64 = self.levels(*of).iter().filter(|level| level.is_finite()).sum();
                Content::Number(whole_level(sum / f64::from(SUM_STEP)))
            }
        }
    }

    /// What is read of the PEs of a grid; nothing of levels that are not defined.
    fn read(&self, of: Value, grid: Grid) -> i64 {
        let places = (0..grid.height * grid.width).filter_map(|place| {
            let row = grid.top.checked_add_unsigned(place / grid.width * grid.row_step)?;
            let column = grid.left.checked_add_unsigned(place % grid.width * grid.column_step)?;
            let [row, column] = [usize::try_from(row).ok()?, usize::try_from(column).ok()?];
            (row < self.reference.height && column < self.reference.width)
                .then_some(row * self.reference.width + column)
        });
        let (levels, bits) = (self.levels(of), self.bits(of));
        let read = |pe: usize| match levels.get(pe) {
            Some(level) if level.is_finite() => whole_level(*level),
            Some(_) => 0,
            None => bits.get(pe).copied().unwrap_or_default().into(),
        };
        places.map(read).sum()
    }

    fn bound(&self, of: Value, side: Side) -> i64 {
        let columns = self.reference.width;
        let bits = self.bits(of);
        let ones = || self.pes().filter(|pe| bits[*pe]);
        as_number(
            match side {
                Side::Top => ones().map(|pe| pe / columns).min(),
                Side::Left => ones().map(|pe| pe % columns).min(),
                Side::Bottom => ones().map(|pe| pe / columns).max(),
                Side::Right => ones().map(|pe| pe % columns).max(),
            }
            .unwrap_or_default(),
        )
    }

    fn number(&self, of: &Number) -> i64 {
        match of {
            Number::Constant(constant) => *constant,
            Number::Value(value) => number(&self.values[value]),
            Number::Arithmetic(arithmetic, of) => arithmetic.of(self.number(&of[0]), self.number(&of[1])),
            Number::Comparison(comparison, of) => comparison.holds(self.number(&of[0]), self.number(&of[1])).into(),
            Number::Choice(of) => self.number(&of[if self.number(&of[0]) != 0 { 1 } else { 2 }]),
        }
    }
}

impl Arithmetic {
    /// What it makes of two numbers.
    #[must_use]
    pub fn of(self, a: i64, b: i64) -> i64 {
        match self {
            Self::Add => saturated(a.saturating_add(b)),
            Self::Subtract => saturated(a.saturating_sub(b)),
            Self::Multiply => saturated(a.saturating_mul(b)),
            Self::Divide => match (a.checked_div(b), a.checked_rem(b)) {
                (Some(quotient), Some(rest)) => quotient - i64::from(rest != 0 && (rest < 0) != (b < 0)),
                _ => 0,
            },
            Self::Min => a.min(b),
            Self::Max => a.max(b),
        }
    }
}

fn saturated(number: i64) -> i64 {
    number.clamp(-Term::LARGEST, Term::LARGEST)
}

impl Comparison {
    /// Whether two numbers compare like that.
    #[must_use]
    pub const fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Self::Less => a < b,
            Self::AtMost => a <= b,
            Self::Equal => a == b,
        }
    }
}

/// The larger of two levels; not a number if one of them is not.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

fn apart(at: Displacement) -> (i64, i64) {
    (at.x.into(), at.y.into())
}

fn as_number(place: usize) -> i64 {
    i64::try_from(place).unwrap_or(i64::MAX)
}
