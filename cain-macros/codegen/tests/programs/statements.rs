//! Random programs of statements, against a walk over what they say.

use std::fmt;

use cain_isa::random::SplitMix64;

use super::planes::{Bits as Plane, plane};
use super::run::Run;

/// The range of the state, and that of what is assigned to variables.
const STATE: (i64, i64) = (0, 9);
const VARIABLE: (i64, i64) = (-50, 50);

enum Number {
    Literal(i64),
    Variable(usize),
    State,
    Parameter,
    Sum(Box<[Number; 2]>),
    Difference(Box<[Number; 2]>),
    Product(Box<[Number; 2]>),
    Larger(Box<[Number; 2]>),
    /// With the parameter added, which is not known while the program is compiled: what is known is divided exactly.
    Quotient(Box<Number>, i64),
    Rest(Box<Number>, i64),
    Count(Box<Bits>),
    Choice(Box<Truth>, Box<[Number; 2]>),
}

enum Truth {
    On,
    Less(Box<[Number; 2]>),
    Equal(Box<[Number; 2]>),
    Not(Box<Truth>),
    Both(Box<[Truth; 2]>),
    Any(Box<Bits>),
}

enum Bits {
    Variable(usize),
    State,
    Rows(i64, i64),
    Columns(i64, i64),
    Not(Box<Bits>),
    And(Box<[Bits; 2]>),
    Or(Box<[Bits; 2]>),
    East(Box<Bits>),
    Choice(Box<Truth>, Box<[Bits; 2]>),
}

enum Statement {
    Number(usize, Number),
    Bits(usize, Bits),
    If(Truth, Vec<Statement>, Option<Vec<Statement>>),
    /// Both paths, and of each variable of bits that of one of them in each PE.
    Mask(Bits, Vec<Statement>, Option<Vec<Statement>>),
    Repeat(i64, Vec<Statement>),
    While(Truth, i64, Vec<Statement>),
}

/// A program, and what it begins its state of numbers with beside the parameter.
struct Program {
    first: i64,
    body: Vec<Statement>,
    next: (Number, Bits),
}

/// What is known at a place of a program.
#[derive(Clone)]
struct Known {
    parameter: i64,
    is_on: bool,
    state: i64,
    mask: Plane,
    numbers: [i64; 3],
    bits: [Plane; 2],
}

fn within(number: i64, (low, high): (i64, i64)) -> i64 {
    number.clamp(low, high)
}

impl Number {
    fn of(&self, known: &Known) -> i64 {
        let both = |of: &[Self; 2]| (of[0].of(known), of[1].of(known));
        match self {
            Self::Literal(number) => *number,
            Self::Variable(place) => known.numbers[*place],
            Self::State => known.state,
            Self::Parameter => known.parameter,
            Self::Sum(of) => both(of).0 + both(of).1,
            Self::Difference(of) => both(of).0 - both(of).1,
            Self::Product(of) => both(of).0 * both(of).1,
            Self::Larger(of) => both(of).0.max(both(of).1),
            Self::Quotient(of, by) => (known.parameter + of.of(known)).div_euclid(*by),
            Self::Rest(of, by) => (known.parameter + of.of(known)).rem_euclid(*by),
            Self::Count(bits) => bits.of(known).count(),
            Self::Choice(truth, of) => of[usize::from(!truth.of(known))].of(known),
        }
    }
}

impl Truth {
    fn of(&self, known: &Known) -> bool {
        match self {
            Self::On => known.is_on,
            Self::Less(of) => of[0].of(known) < of[1].of(known),
            Self::Equal(of) => of[0].of(known) == of[1].of(known),
            Self::Not(of) => !of.of(known),
            Self::Both(of) => of[0].of(known) && of[1].of(known),
            Self::Any(bits) => bits.of(known).count() > 0,
        }
    }
}

impl Bits {
    fn of(&self, known: &Known) -> Plane {
        let both = |of: &[Self; 2], join: fn(bool, bool) -> bool| of[0].of(known).with(&of[1].of(known), join);
        match self {
            Self::Variable(place) => known.bits[*place].clone(),
            Self::State => known.mask.clone(),
            Self::Rows(first, last) => plane(|row, _| (*first..=*last).contains(&row)),
            Self::Columns(first, last) => plane(|_, column| (*first..=*last).contains(&column)),
            Self::Not(of) => of.of(known).map(|bit| !bit),
            Self::And(of) => both(of, |a, b| a && b),
            Self::Or(of) => both(of, |a, b| a || b),
            Self::East(of) => {
                let of = of.of(known);
                plane(|row, column| of.bit(row, column + 1))
            }
            Self::Choice(truth, of) => of[usize::from(!truth.of(known))].of(known),
        }
    }
}

fn run(statements: &[Statement], known: &mut Known) {
    for statement in statements {
        match statement {
            Statement::Number(place, number) => known.numbers[*place] = within(number.of(known), VARIABLE),
            Statement::Bits(place, bits) => known.bits[*place] = bits.of(known),
            Statement::If(truth, then, otherwise) => {
                let otherwise = otherwise.as_deref().unwrap_or_default();
                run(if truth.of(known) { then } else { otherwise }, known);
            }
            Statement::Mask(bits, then, otherwise) => {
                let (mask, mut other) = (bits.of(known), known.clone());
                run(then, known);
                run(otherwise.as_deref().unwrap_or_default(), &mut other);
                for (then, otherwise) in known.bits.iter_mut().zip(&other.bits) {
                    let joined = then.with(otherwise, |then, otherwise| [then, otherwise]);
                    *then = joined.with(&mask, |[then, otherwise], mask| if mask { then } else { otherwise });
                }
            }
            Statement::Repeat(times, body) => (0..*times).for_each(|_| run(body, known)),
            Statement::While(truth, most, body) => {
                for _ in 0..*most {
                    if !truth.of(known) {
                        break;
                    }
                    run(body, known);
                }
            }
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(number) => write!(f, "({number})"),
            Self::Variable(place) => f.write_str(["a", "b", "c"][*place]),
            Self::State => f.write_str("s"),
            Self::Parameter => f.write_str("t"),
            Self::Sum(of) => write!(f, "({} + {})", of[0], of[1]),
            Self::Difference(of) => write!(f, "({} - {})", of[0], of[1]),
            Self::Product(of) => write!(f, "({} * {})", of[0], of[1]),
            Self::Larger(of) => write!(f, "max({}, {})", of[0], of[1]),
            Self::Quotient(of, by) => write!(f, "((t + {of}) / {by})"),
            Self::Rest(of, by) => write!(f, "((t + {of}) % {by})"),
            Self::Count(bits) => write!(f, "count({bits})"),
            Self::Choice(truth, of) => write!(f, "(if {truth} {{ {} }} else {{ {} }})", of[0], of[1]),
        }
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::On => f.write_str("on"),
            Self::Less(of) => write!(f, "({} < {})", of[0], of[1]),
            Self::Equal(of) => write!(f, "({} == {})", of[0], of[1]),
            Self::Not(of) => write!(f, "(!{of})"),
            Self::Both(of) => write!(f, "({} & {})", of[0], of[1]),
            Self::Any(bits) => write!(f, "any({bits})"),
        }
    }
}

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(place) => f.write_str(["u", "v"][*place]),
            Self::State => f.write_str("m"),
            Self::Rows(first, last) => write!(f, "rows({first}..={last})"),
            Self::Columns(first, last) => write!(f, "columns({first}..={last})"),
            Self::Not(of) => write!(f, "(!{of})"),
            Self::And(of) => write!(f, "({} & {})", of[0], of[1]),
            Self::Or(of) => write!(f, "({} | {})", of[0], of[1]),
            Self::East(of) => write!(f, "({of})@east"),
            Self::Choice(truth, of) => write!(f, "(if {truth} {{ {} }} else {{ {} }})", of[0], of[1]),
        }
    }
}

fn block(statements: &[Statement]) -> String {
    statements.iter().map(|statement| [" ".to_owned(), statement.to_string()].concat()).collect()
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decision = |condition: &dyn fmt::Display, then: &[Self], otherwise: &Option<Vec<Self>>| {
            let otherwise = otherwise.as_ref().map(|otherwise| format!(" else {{{} }}", block(otherwise)));
            format!("if {condition} {{{} }}{}", block(then), otherwise.unwrap_or_default())
        };
        match self {
            Self::Number(place, number) => {
                let (low, high) = VARIABLE;
                write!(f, "{} = clamp({number}, {low}, {high});", ["a", "b", "c"][*place])
            }
            Self::Bits(place, bits) => write!(f, "{} = {bits};", ["u", "v"][*place]),
            Self::If(truth, then, otherwise) => f.write_str(&decision(truth, then, otherwise)),
            Self::Mask(bits, then, otherwise) => f.write_str(&decision(bits, then, otherwise)),
            Self::Repeat(times, body) => write!(f, "repeat {times} {{{} }}", block(body)),
            Self::While(truth, most, body) => write!(f, "while {truth}, at most {most} {{{} }}", block(body)),
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((low, high), Self { first, body, next: (number, bits) }) = (STATE, self);
        write!(
            f,
            "program p(t: -9..=9, on: bool) -> (a, b, c, u, v, next s, next m) {{ state s: {low}..={high} = t + ({first}); \
             state m: bits = rows(2..=5); var a: number = 1; var b: number = -2; var c: number = 3; var u: bits = \
             rows(1..=4); var v: bits = columns(0..=7);{} next s = t + {number}; next m = {bits}; }}",
            block(body)
        )
    }
}

/// Makes parts of programs.
struct Dice(SplitMix64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0.below(end)
    }

    fn small(&mut self, end: i64) -> i64 {
        i64::try_from(self.below(usize::try_from(end).unwrap())).unwrap()
    }

    fn number(&mut self, depth: usize) -> Number {
        let both = |dice: &mut Self| Box::new([dice.number(depth - 1), dice.number(depth - 1)]);
        match self.below(if depth == 0 { 4 } else { 12 }) {
            0 => Number::Literal(self.small(9) - 3),
            1 => Number::Variable(self.below(3)),
            2 => Number::State,
            3 => Number::Parameter,
            4 => Number::Sum(both(self)),
            5 => Number::Difference(both(self)),
            6 => Number::Product(both(self)),
            7 => Number::Larger(both(self)),
            8 => Number::Quotient(Box::new(self.number(depth - 1)), 1 + self.small(4)),
            9 => Number::Rest(Box::new(self.number(depth - 1)), 1 + self.small(4)),
            10 => Number::Count(Box::new(self.bits(depth - 1))),
            _ => Number::Choice(Box::new(self.truth(depth - 1)), both(self)),
        }
    }

    fn truth(&mut self, depth: usize) -> Truth {
        let numbers = |dice: &mut Self| Box::new([dice.number(depth.min(1)), dice.number(depth.min(1))]);
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0 => Truth::On,
            1 => Truth::Less(numbers(self)),
            2 => Truth::Equal(numbers(self)),
            3 => Truth::Not(Box::new(self.truth(depth - 1))),
            4 => Truth::Both(Box::new([self.truth(depth - 1), self.truth(depth - 1)])),
            _ => Truth::Any(Box::new(self.bits(depth - 1))),
        }
    }

    fn bits(&mut self, depth: usize) -> Bits {
        let both = |dice: &mut Self| Box::new([dice.bits(depth - 1), dice.bits(depth - 1)]);
        match self.below(if depth == 0 { 4 } else { 9 }) {
            0 => Bits::Variable(self.below(2)),
            1 => Bits::State,
            2 => Bits::Rows(self.small(4), 3 + self.small(4)),
            3 => Bits::Columns(self.small(4), 3 + self.small(8)),
            4 => Bits::Not(Box::new(self.bits(depth - 1))),
            5 => Bits::And(both(self)),
            6 => Bits::Or(both(self)),
            7 => Bits::East(Box::new(self.bits(depth - 1))),
            _ => Bits::Choice(Box::new(self.truth(depth - 1)), both(self)),
        }
    }

    /// Statements that assign something. Within masks, only bits are assigned, and nothing is repeated.
    fn statements(&mut self, depth: usize, is_masked: bool) -> Vec<Statement> {
        let mut all: Vec<Statement> = (0..self.below(3)).map(|_| self.statement(depth, is_masked)).collect();
        all.push(self.assignment(is_masked));
        all
    }

    fn assignment(&mut self, is_masked: bool) -> Statement {
        // Often the same number, so that several paths leave the same.
        match self.below(4) {
            0 if !is_masked => Statement::Number(self.below(3), Number::Literal(self.small(2))),
            1 | 2 if !is_masked => Statement::Number(self.below(3), self.number(2)),
            0 | 1 => Statement::Bits(self.below(2), Bits::Variable(self.below(2))),
            _ => Statement::Bits(self.below(2), self.bits(2)),
        }
    }

    fn statement(&mut self, depth: usize, is_masked: bool) -> Statement {
        if depth == 0 {
            return self.assignment(is_masked);
        }
        let otherwise = |dice: &mut Self, is_masked| (dice.below(3) > 0).then(|| dice.statements(depth - 1, is_masked));
        match self.below(if is_masked { 4 } else { 6 }) {
            0 => self.assignment(is_masked),
            1 => Statement::If(self.truth(1), self.statements(depth - 1, is_masked), otherwise(self, is_masked)),
            2 | 3 => Statement::Mask(self.bits(1), self.statements(depth - 1, true), otherwise(self, true)),
            4 => Statement::Repeat(2 + self.small(2), self.statements(depth - 1, false)),
            _ => Statement::While(self.truth(1), 1 + self.small(3), self.statements(depth - 1, false)),
        }
    }

    fn program(&mut self) -> Program {
        let body = (0..=self.below(4)).map(|_| self.statement(2, false)).collect();
        Program { first: self.small(9) - 2, body, next: (self.number(1), self.bits(1)) }
    }
}

/// Three frames of a random program with these parameters mean what its statements say, one after the other.
#[test]
fn statements_mean_what_they_say() {
    let mut dice = Dice(SplitMix64::new(20));
    for _ in 0..400 {
        let program = dice.program();
        let text = program.to_string();
        let mut found = Run::text(&text);
        let mut kept = None;
        for frame in 0..3 {
            let (parameter, is_on) = (dice.small(19) - 9, dice.below(2) == 1);
            let first = || (within(parameter + program.first, STATE), plane(|row, _| (2..=5).contains(&row)));
            let (state, mask) = kept.take().unwrap_or_else(first);
            let bits = [plane(|row, _| (1..=4).contains(&row)), plane(|_, column| column <= 7)];
            let mut known = Known { parameter, is_on, state, mask, numbers: [1, -2, 3], bits };
            run(&program.body, &mut known);
            let (number, bits) = &program.next;
            let next = (within(parameter + number.of(&known), STATE), bits.of(&known));
            let answers = found.blind(&[("t", parameter), ("on", is_on.into())]);
            for (name, wanted) in ["a", "b", "c", "s"].into_iter().zip(known.numbers.into_iter().chain([next.0])) {
                assert_eq!(
                    answers.number(name),
                    wanted,
                    "{name} in frame {frame} with t = {parameter}, on = {is_on}: {text}"
                );
            }
            for (name, wanted) in ["u", "v", "m"].into_iter().zip(known.bits.iter().chain([&next.1])) {
                assert!(
                    answers.bits(name) == *wanted,
                    "{name} in frame {frame} with t = {parameter}, on = {is_on}: {text}"
                );
            }
            kept = Some(next);
        }
    }
}
