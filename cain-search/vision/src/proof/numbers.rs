//! Numbers of the controller, as linear sums of what is not known.

use std::collections::{BTreeMap, HashMap};

use cain_isa::Fraction;
use cain_isa::program::{Found, Grid, Term};

use super::Failure;
use super::diagram::Diagram;
use super::form::{Atom, Form};
use crate::declaration::{Arithmetic, Comparison, Number, Value};

/// A number that is no sum of others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    /// A value of the declaration.
    Value(Value),
    /// Whether it is the first frame.
    First,
    /// What a place held when the frame began.
    Kept(usize),
    /// What is found about bits.
    Found(Found, usize, Diagram),
    /// The sum of levels over the array.
    Total(Diagram),
    /// What is read of the PEs of a grid.
    Read(Diagram, Grid),
    /// Something else that is computed of numbers.
    Computed(u8, Vec<Form>),
}

/// The numbers that occur.
#[derive(Debug, Default)]
pub(super) struct Sources {
    all: Vec<Source>,
    known: HashMap<Source, usize>,
}

impl Sources {
    pub(super) fn form(&mut self, source: Source) -> Form {
        let number = *self.known.entry(source.clone()).or_insert_with(|| {
            self.all.push(source);
            self.all.len() - 1
        });
        Form::atom(Atom::Number(number))
    }

    pub(super) fn source(&self, atom: Atom) -> Option<&Source> {
        if let Atom::Number(number) = atom { self.all.get(number) } else { None }
    }

    /// What is found, where several searches find the same.
    pub(super) fn found(&mut self, what: Found, number: usize, of: Diagram) -> Form {
        self.form(match (what, number) {
            (Found::Bounds, 4) | (Found::First, 2) => Source::Found(Found::Any, 0, of),
            _ => Source::Found(what, number, of),
        })
    }

    /// What a term makes of numbers.
    fn term(&mut self, term: Term, of: &[Form]) -> Result<Form, Failure> {
        Ok(match (term, of) {
            (Term::Add, [a, b]) => a.clone().plus(Fraction::ONE, b)?,
            (Term::Subtract, [a, b]) => a.clone().plus(Fraction::from(-1), b)?,
            (Term::Multiply, [a, b]) => match (a.as_constant(), b.as_constant()) {
                (Some(factor), _) => b.times(factor)?,
                (_, Some(factor)) => a.times(factor)?,
                _ => self.computed(2, of),
            },
            (Term::Divide, _) => self.computed(3, of),
            (Term::Min, _) => self.computed(4, of),
            (Term::Max, _) => self.computed(5, of),
            (Term::Less, _) => self.computed(6, of),
            (Term::AtMost, _) => self.computed(7, of),
            (Term::Equal, _) => self.computed(8, of),
            (Term::Choose, _) => self.computed(9, of),
            _ => return Err(Failure::Kinds),
        })
    }

    fn computed(&mut self, how: u8, of: &[Form]) -> Form {
        self.form(Source::Computed(how, of.to_vec()))
    }

    /// One number if another one is not 0, else a third one.
    pub(super) fn choice(&mut self, of: &[Form; 3]) -> Form {
        self.computed(9, of)
    }

    /// The value of a formula; places that hold nothing are not known.
    pub(super) fn formula(&mut self, formula: &[Term], places: &BTreeMap<usize, Form>) -> Result<Form, Failure> {
        let mut stack: Vec<Form> = Vec::new();
        for term in formula {
            let of = stack.split_off(stack.len().checked_sub(term.operands()).ok_or(Failure::Kinds)?);
            if stack.len() >= Term::DEPTH {
                return Err(Failure::TooLarge);
            }
            let number = match term {
                Term::Constant(constant) => Form::constant(whole(*constant)?),
                Term::Number(place) => places.get(place).cloned().ok_or(Failure::Kinds)?,
                term => self.term(*term, &of)?,
            };
            stack.push(number);
        }
        if stack.len() == 1 { stack.pop().ok_or(Failure::Kinds) } else { Err(Failure::Kinds) }
    }

    /// The value of an expression.
    pub(super) fn expression(&mut self, number: &Number) -> Result<Form, Failure> {
        let (term, of) = match number {
            Number::Constant(constant) => {
                return Ok(Form::constant(Fraction::new(*constant, 1).ok_or(Failure::TooLarge)?));
            }
            Number::Value(value) => return Ok(self.form(Source::Value(*value))),
            Number::Arithmetic(arithmetic, of) => {
                let term = match arithmetic {
                    Arithmetic::Add => Term::Add,
                    Arithmetic::Subtract => Term::Subtract,
                    Arithmetic::Multiply => Term::Multiply,
                    Arithmetic::Divide => Term::Divide,
                    Arithmetic::Min => Term::Min,
                    Arithmetic::Max => Term::Max,
                };
                (term, of.as_slice())
            }
            Number::Comparison(comparison, of) => {
                let term = match comparison {
                    Comparison::Less => Term::Less,
                    Comparison::AtMost => Term::AtMost,
                    Comparison::Equal => Term::Equal,
                };
                (term, of.as_slice())
            }
            Number::Choice(of) => (Term::Choose, of.as_slice()),
        };
        let of = of.iter().map(|number| self.expression(number)).collect::<Result<Vec<_>, _>>()?;
        self.term(term, &of)
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::float_cmp, reason = "compared")]
fn whole(number: f64) -> Result<Fraction, Failure> {
    let whole = number as i64;
    if whole as f64 == number { Fraction::new(whole, 1).ok_or(Failure::TooLarge) } else { Err(Failure::Kinds) }
}
