//! Random programs, compared with their meaning over several frames.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_possible_wrap,
    reason = "rows, columns, levels and numbers of tests are small"
)]

mod running;

use cain_digital::Logic;
use cain_isa::program::{Grid, Selection};
use cain_isa::random::SplitMix64;
use cain_isa::{Displacement, Fraction, Machine};
use cain_search::switches::SwitchError;
use cain_search::{Interruption, Options};
use cain_vision::CompileError;
use cain_vision::declaration::{
    Arithmetic, Axis, Builder, Comparison, Declaration, First, Kind, Number, Operation, Result as Outcome, Side,
    Storage, Summand, Until, Value,
};
use cain_vision::reference::Content;
use running::{SIDE, some_cells, try_compare};

/// The largest level of values that may be read again.
const LARGEST: f64 = 100.0;

/// The values that may be read at a place.
#[derive(Clone, Default)]
struct Scope {
    levels: Vec<Value>,
    bits: Vec<Value>,
    numbers: Vec<Value>,
}

struct Random {
    source: SplitMix64,
    builder: Builder,
    scope: Scope,
    lists: usize,
    /// Whether levels are read at other PEs; then nothing is decided by bits.
    moves: bool,
}

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.source.below(end)
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        if of.is_empty() { None } else { Some(of[self.below(of.len())]) }
    }

    fn level(&mut self) -> Value {
        // The latest ones are read most.
        let levels = self.scope.levels.clone();
        let late = levels.len().saturating_sub(3);
        if self.below(3) > 0 { self.one(&levels[late..]).unwrap() } else { self.one(&levels).unwrap() }
    }

    fn bit(&mut self) -> Value {
        if self.scope.bits.is_empty() {
            self.comparison();
        }
        let bits = self.scope.bits.clone();
        self.one(&bits).unwrap()
    }

    /// Bits, of which some are made for this.
    fn fresh_bit(&mut self) -> Value {
        if self.below(2) == 0 {
            self.comparison();
            return self.scope.bits[self.scope.bits.len() - 1];
        }
        self.bit()
    }

    fn number(&mut self) -> Number {
        let numbers = self.scope.numbers.clone();
        if self.below(4) == 0 || numbers.is_empty() {
            return Number::Constant(self.below(9) as i64 - 4);
        }
        Number::Value(self.one(&numbers).unwrap())
    }

    /// A number between these.
    fn number_within(&mut self, low: i64, high: i64) -> Value {
        let number = self.number();
        let clamp = |how, number, end| Number::Arithmetic(how, Box::new([number, Number::Constant(end)]));
        let number = clamp(Arithmetic::Min, clamp(Arithmetic::Max, number, low), high);
        self.builder.define(Operation::Number(number)).unwrap()
    }

    fn at(&mut self) -> Displacement {
        let mut along = || self.source.below(5) as i16 - 2;
        Displacement::new(along(), along())
    }

    fn sum(&mut self) -> Operation {
        let count = 1 + self.below(3);
        let weights = [(1, 1), (-1, 1), (1, 1), (1, 2), (-1, 2), (1, 4), (2, 1)];
        let mut summands: Vec<Summand> = Vec::new();
        for _ in 0..count {
            let (numerator, denominator) = self.one(&weights).unwrap();
            let weight = Fraction::new(numerator, denominator).unwrap();
            let at = if self.moves && self.below(2) == 0 { self.at() } else { Displacement::ZERO };
            summands.push(Summand { of: self.level(), weight, at });
        }
        let constant = if self.below(2) == 0 { Fraction::from(self.below(21) as i32 - 10) } else { Fraction::ZERO };
        let mut numbers = Vec::new();
        if self.below(3) == 0 {
            numbers.push((Fraction::from(if self.below(2) == 0 { 1 } else { -1 }), self.number_within(-9, 9)));
        }
        Operation::Sum { summands, constant, numbers }
    }

    fn fits(&self, value: Value) -> bool {
        matches!(self.builder.kind(value), Kind::Levels { low, high } if low >= -LARGEST && high <= LARGEST)
    }

    fn levels(&mut self) {
        let operation = match self.below(6) {
            0..=1 => self.sum(),
            2 => Operation::Abs(self.level()),
            3 => Operation::Max(self.level(), self.level()),
            4 => Operation::Min(self.level(), self.level()),
            _ => Operation::Select { bits: self.bit(), then: self.level(), otherwise: self.level() },
        };
        let value = self.builder.define(operation).unwrap();
        if self.fits(value) {
            self.scope.levels.push(value);
        }
    }

    fn comparison(&mut self) {
        let sum = self.sum();
        let of = self.builder.define(sum).unwrap();
        let of = if self.fits(of) { of } else { self.level() };
        let value = self.builder.define(Operation::Positive(of)).unwrap();
        self.scope.bits.push(value);
    }

    fn bits(&mut self) {
        let value = match self.below(8) {
            0..=2 => return self.comparison(),
            3 => {
                let area = [self.number(), self.number(), Number::Constant(5), self.number()];
                self.builder.define(Operation::Inside { area })
            }
            4 => {
                let selection = Selection { row: 0, column: 1, free_row_bits: !2, free_column_bits: !1 };
                self.builder.define(Operation::Pattern(selection))
            }
            _ => {
                // Sometimes of more than there are registers for.
                let count = if self.below(8) == 0 { 6 + self.below(5) } else { 1 + self.below(3) };
                let of = (0..count).map(|_| self.fresh_bit()).collect();
                let mut parts = Vec::new();
                for input in 0..count {
                    let at = if self.below(2) == 0 { Displacement::ZERO } else { self.at() };
                    let pixel = Logic::pixel(input, at);
                    parts.push(if self.below(3) == 0 { Logic::Not(Box::new(pixel)) } else { pixel });
                    if self.below(4) == 0 {
                        let at = self.at();
                        parts.push(Logic::pixel(input, at));
                    }
                }
                let most = parts.len() as u32;
                let function = match self.below(4) {
                    0 => Logic::All(parts),
                    1 => Logic::Any(parts),
                    2 => Logic::Odd(parts),
                    _ => Logic::Count { of: parts, least: 1 + self.below(2) as u32, most },
                };
                self.builder.define(Operation::Logic { function, of })
            }
        };
        self.scope.bits.push(value.unwrap());
    }

    fn numbers(&mut self) {
        let choices = if self.moves { 2 } else { 8 };
        let operation = match self.below(choices) {
            0 => {
                let all = [Arithmetic::Add, Arithmetic::Subtract, Arithmetic::Min, Arithmetic::Max, Arithmetic::Divide];
                let how = self.one(&all).unwrap();
                Operation::Number(Number::Arithmetic(how, Box::new([self.number(), self.number()])))
            }
            1 => {
                let how = self.one(&[Comparison::Less, Comparison::AtMost, Comparison::Equal]).unwrap();
                let compared = Number::Comparison(how, Box::new([self.number(), self.number()]));
                Operation::Number(Number::Choice(Box::new([compared, self.number(), self.number()])))
            }
            2 => Operation::Any(self.bit()),
            3 => Operation::Count(self.bit()),
            4 => Operation::Bound(self.bit(), self.random_side()),
            5 => Operation::First(self.bit(), if self.source.below(2) == 0 { Axis::Row } else { Axis::Column }),
            6 => {
                let (row_step, column_step) = (1 + self.below(3), 1 + self.below(2));
                let [top, left] = [self.below(6), self.below(6)].map(usize::cast_signed);
                let grid =
                    Grid { top, left, row_step, column_step, height: 1 + self.below(3), width: 1 + self.below(5) };
                let of = if self.below(2) == 0 { self.bit() } else { self.level() };
                Operation::Read(of, grid)
            }
            _ => Operation::Bound(self.bit(), Side::Top),
        };
        let value = self.builder.define(operation).unwrap();
        self.scope.numbers.push(value);
    }

    fn random_side(&mut self) -> Side {
        self.one(&[Side::Top, Side::Left, Side::Bottom, Side::Right]).unwrap()
    }

    fn body(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            match self.below(if depth > 0 { 12 } else { 9 }) {
                0..=2 => self.levels(),
                3..=5 => self.bits(),
                6..=7 => self.numbers(),
                8 => {
                    if self.lists < 2 {
                        let numbers = (0..=self.lists).map(|_| self.number_within(-500, 500)).collect();
                        self.builder.list(self.lists, numbers);
                        self.lists += 1;
                    }
                }
                9..=10 => self.repeat(depth - 1),
                _ => self.decide(depth - 1),
            }
        }
    }

    /// One of each kind that is next after a pass or comes out of a decision.
    fn ends(&mut self, outer: &Scope) -> [Value; 3] {
        let bit = self.bit();
        let number = self.number_within(-50, 50);
        let own: Vec<Value> = self.scope.levels.iter().copied().filter(|level| !outer.levels.contains(level)).collect();
        let level = self.one(&own).unwrap_or_else(|| self.level());
        [level, bit, number]
    }

    fn repeat(&mut self, depth: usize) {
        let outer = self.scope.clone();
        let first = [self.level(), self.bit(), self.number_within(-50, 50)];
        let count = self.number_within(0, 3);
        let kinds = [Kind::Levels { low: -LARGEST, high: LARGEST }, Kind::Bits, Kind::Number { low: -50, high: 50 }];
        // What the check and the body are given.
        self.builder.begin();
        let inside = kinds.map(|kind| self.builder.given(kind));
        let counter = self.builder.given(Kind::Number { low: 0, high: 4 });
        let kind = self.below(if self.moves { 1 } else { 3 });
        let until = match kind {
            1 => {
                self.builder.begin();
                let of = inside[1];
                let any = self.builder.define(Operation::Any(of)).unwrap();
                Until::Fails { statements: self.builder.end().statements(), condition: any }
            }
            2 => Until::Stable(1),
            _ => Until::Passes(count),
        };
        self.scope.levels.push(inside[0]);
        self.scope.bits.push(inside[1]);
        self.scope.numbers.extend([inside[2], counter]);
        let statements = 1 + self.below(4);
        self.body(statements, depth);
        let next = self.ends(&outer);
        let body = self.builder.end();
        let carried: Vec<[Value; 3]> = (0..3).map(|kind| [first[kind], inside[kind], next[kind]]).collect();
        let after = self.builder.repeat(4, until, &carried, counter, body).unwrap();
        self.scope = outer;
        self.scope.levels.push(after[0]);
        self.scope.bits.push(after[1]);
        self.scope.numbers.push(after[2]);
    }

    fn decide(&mut self, depth: usize) {
        let outer = self.scope.clone();
        let condition = self.number_within(0, 1);
        let mut ends = Vec::new();
        let bodies = [(); 2].map(|()| {
            self.builder.begin();
            let count = self.below(4);
            self.body(count, depth);
            ends.push(self.ends(&outer));
            self.scope = outer.clone();
            self.builder.end()
        });
        let pairs: Vec<[Value; 2]> = (0..3).map(|kind| [ends[0][kind], ends[1][kind]]).collect();
        let joined = self.builder.decide(condition, bodies, &pairs).unwrap();
        self.scope.levels.push(joined[0]);
        self.scope.bits.push(joined[1]);
        self.scope.numbers.push(joined[2]);
    }
}

fn declaration(seed: u64, moves: bool, interruption: Option<Interruption>) -> Declaration {
    let options = Options { nodes: 100, interruption, ..Options::default() };
    let mut builder = Builder::new("random", Machine::SCAMP5, options);
    builder.on_array_of(SIDE);
    let mut random = Random { source: SplitMix64::new(seed), builder, scope: Scope::default(), lists: 0, moves };
    let levels = Kind::Levels { low: -40.0, high: 40.0 };
    let image = random.builder.input("image", levels, false);
    let mask = random.builder.input("mask", Kind::Bits, false);
    let parameter = random.builder.parameter("parameter", (-20, 20), 3, false);
    let switch = random.builder.parameter("switch", (0, 1), 1, true);
    random.scope = Scope { levels: vec![image], bits: vec![mask], numbers: vec![parameter, switch] };
    let large = Kind::Levels { low: -LARGEST, high: LARGEST };
    let mut states = Vec::new();
    for (name, kind, first) in [
        ("levels", large, First::Input(0)),
        ("bits", Kind::Bits, First::Constant(1)),
        ("number", Kind::Number { low: -50, high: 50 }, First::Constant(7)),
    ] {
        if random.below(2) == 0 {
            let (state, before) = random.builder.state(name, kind, first, Storage::Plain);
            match kind {
                Kind::Levels { .. } => random.scope.levels.push(before),
                Kind::Bits => random.scope.bits.push(before),
                Kind::Number { .. } => random.scope.numbers.push(before),
            }
            states.push((state, kind));
        }
    }
    let count = 3 + random.below(6);
    random.body(count, 2);
    let none = Scope::default();
    for (state, kind) in states {
        let [level, bit, number] = random.ends(&none);
        let next = match kind {
            Kind::Levels { .. } => level,
            Kind::Bits => bit,
            Kind::Number { .. } => number,
        };
        random.builder.next(state, next).unwrap();
    }
    for name in ["one", "two"] {
        let [level, bit, number] = random.ends(&none);
        for (kind, value) in [("levels", level), ("bits", bit), ("number", number)] {
            if random.below(2) == 0 {
                random.builder.result(format!("{name} {kind}"), Outcome::Value(value));
            }
        }
    }
    for list in 0..random.lists {
        random.builder.result(format!("list {list}"), Outcome::List(list));
    }
    random.builder.finish()
}

fn frames(seed: u64) -> Vec<(Vec<Content>, Vec<i64>)> {
    let mut random = SplitMix64::new(seed ^ 0x5EED);
    let mut frame = || {
        let levels = (0..SIDE * SIDE).map(|_| random.below(81) as f64 - 40.0).collect();
        let bits = (0..SIDE * SIDE).map(|_| random.below(3) == 0).collect();
        let parameters = vec![random.below(41) as i64 - 20, random.below(2) as i64];
        (vec![Content::Levels(levels), Content::Bits(bits)], parameters)
    };
    (0..3).map(|_| frame()).collect()
}

/// Seeds from one on; programs that do not fit are left out, and no more than half may be.
fn all(moves: bool, first: u64, is_interrupted: bool) {
    let count = std::env::var("CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(60);
    let mut left_out = Vec::new();
    let mut interruptions = 0;
    for seed in first..first + count {
        println!("seed {seed}");
        let by = || Interruption::new(vec![some_cells(&mut SplitMix64::new(seed))], None);
        let declaration = declaration(seed, moves, is_interrupted.then(by));
        match try_compare(&declaration, &frames(seed), true) {
            Ok((_, left)) => interruptions += u64::from(left),
            Err(
                error @ (CompileError::Registers { .. }
                | CompileError::Bits { .. }
                | CompileError::Sum(..)
                | CompileError::Logic(..)
                | CompileError::StateOfOthers(_)
                | CompileError::Interruption(SwitchError::NoRoom { .. } | SwitchError::NoRoomForBits { .. })),
            ) => {
                left_out.push(error.to_string());
            }
            Err(error) => panic!("seed {seed}: {error:?}\n{declaration:?}"),
        }
    }
    println!("{} of {count} do not fit: {left_out:#?}; {interruptions} interruptions", left_out.len());
    assert!(left_out.len() as u64 <= count / 2);
    assert!(interruptions > count || !is_interrupted, "{interruptions}");
}

#[test]
fn random_programs_do_what_they_mean() {
    all(false, 1, false);
}

#[test]
fn random_programs_that_read_neighbours_do_what_they_mean_where_it_is_defined() {
    all(true, 1000, false);
}

/// Whatever interrupts them, wherever it may.
#[test]
fn random_programs_that_are_interrupted_do_what_they_mean() {
    all(false, 2000, true);
    all(true, 3000, true);
}
