//! Turns sums into operations on whole numbers.

use std::collections::HashMap;

use cain_isa::Displacement;

use super::declaration::{Declaration, Output, Then};
use crate::network::digits;
use crate::sums::{Form, Part, Term};

/// A number, identified by the index of the operation that makes it.
pub(super) type Value = usize;

/// An operation that makes a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operation {
    /// An input.
    Input(usize),
    Zero,
    /// A constant that the preparation provides.
    Constant(i64),
    Copy(Value),
    /// The number of a PE that lies this far to the east and to the north.
    Move(Value, (i32, i32)),
    Add(Value, Value),
    AddThree(Value, Value, Value),
    /// The first number minus the second.
    Subtract(Value, Value),
    Negate(Value),
    Double(Value),
    /// A number halved several times, rounding down.
    Halve(Value, u32),
    /// A number, or 0 where it is negative.
    Rectify(Value),
    /// All bits 1 where the first number is greater than the second.
    Greater(Value, Value),
}

impl Operation {
    /// The numbers that it reads.
    pub(super) fn sources(self) -> impl Iterator<Item = Value> {
        let sources = match self {
            Self::Input(_) | Self::Zero | Self::Constant(_) => [None; 3],
            Self::Copy(a)
            | Self::Move(a, _)
            | Self::Negate(a)
            | Self::Double(a)
            | Self::Halve(a, _)
            | Self::Rectify(a) => [Some(a), None, None],
            Self::Add(a, b) | Self::Subtract(a, b) | Self::Greater(a, b) => [Some(a), Some(b), None],
            Self::AddThree(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        sources.into_iter().flatten()
    }
}

/// Operations, each after those that it needs, and the wanted numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Operations {
    pub(super) list: Vec<Operation>,
    /// The numbers of the outputs, all different.
    pub(super) outputs: Vec<Value>,
    known: HashMap<Operation, Value>,
}

/// The outputs as sums of inputs; an output that compares has two sums, one after the other.
pub(super) fn direct(declaration: &Declaration) -> Form {
    let mut sums = Vec::new();
    for output in &declaration.outputs {
        let terms = || output.weights().map(|(input, at, weight)| (Term { part: Part::Input(input), at }, weight));
        if output.then == Then::Compare {
            sums.push(terms().filter(|(_, weight)| *weight > 0).collect());
            sums.push(terms().filter(|(_, weight)| *weight < 0).map(|(term, weight)| (term, -weight)).collect());
        } else {
            sums.push(terms().collect());
        }
    }
    Form::of(sums)
}

/// The operations that compute a form of the outputs. With `threes`, three numbers are added at once, which takes fewer
/// words but more registers.
pub(super) fn build(declaration: &Declaration, form: &Form, threes: bool) -> Operations {
    let sums = vec![None; form.len()];
    let mut builder = Builder { declaration, form, threes, operations: Operations::default(), sums };
    for input in 0..declaration.inputs.len() {
        builder.operations.push(Operation::Input(input));
    }
    let mut sums = 0..;
    for declared in &declaration.outputs {
        let mut value = builder.output(declared, &mut sums);
        value = builder.moved(value, declaration.outputs[0].bank, declared.bank, Displacement::ZERO);
        let operations = &mut builder.operations;
        let is_kept = declaration.inputs.get(value).is_some_and(|input| input.keep);
        if operations.outputs.contains(&value) || is_kept {
            // An equal operation would count as the same number.
            operations.list.push(Operation::Copy(value));
            value = operations.list.len() - 1;
        }
        operations.outputs.push(value);
    }
    builder.operations
}

impl Operations {
    /// The number that an operation makes; equal operations are shared.
    fn push(&mut self, operation: Operation) -> Value {
        *self.known.entry(operation).or_insert_with(|| {
            self.list.push(operation);
            self.list.len() - 1
        })
    }

    /// The constants that the preparation must provide.
    pub(super) fn constants(&self) -> Vec<i64> {
        let constant = |operation: &Operation| match operation {
            Operation::Constant(constant) => Some(*constant),
            _ => None,
        };
        self.list.iter().filter_map(constant).collect()
    }

    /// Whether a PE reads a neighbour other than the one with the next lower bit.
    pub(super) fn moves(&self) -> bool {
        let moves = |operation: &Operation| match operation {
            Operation::Move(..) | Operation::Halve(..) | Operation::Rectify(_) | Operation::Greater(..) => true,
            Operation::Input(_)
            | Operation::Zero
            | Operation::Constant(_)
            | Operation::Copy(_)
            | Operation::Add(..)
            | Operation::AddThree(..)
            | Operation::Subtract(..)
            | Operation::Negate(_)
            | Operation::Double(_) => false,
        };
        self.list.iter().any(moves)
    }
}

struct Builder<'d> {
    declaration: &'d Declaration,
    form: &'d Form,
    threes: bool,
    operations: Operations,
    sums: Vec<Option<Value>>,
}

/// A number and whether it is subtracted.
type Signed = (Value, bool);

impl Builder<'_> {
    /// The number of an output, in the bank of the first output, made of the next sums.
    fn output(&mut self, declared: &Output, sums: &mut impl Iterator<Item = usize>) -> Value {
        let mut next = |builder: &mut Self| sums.next().map(|sum| builder.sum(sum)).unwrap_or_default();
        let mut value = next(self);
        if declared.then == Then::Compare {
            let mut others = next(self);
            let side = if declared.bias > 0 { &mut value } else { &mut others };
            *side = self.biased(*side, declared.bias.wrapping_abs());
            return self.operations.push(Operation::Greater(value, others));
        }
        if declared.halvings() > 0 {
            value = self.operations.push(Operation::Halve(value, declared.halvings()));
        }
        value = self.biased(value, declared.bias);
        match declared.then {
            Then::Rectify => self.operations.push(Operation::Rectify(value)),
            Then::Nothing | Then::Compare => value,
        }
    }

    /// Adds a constant to a number.
    fn biased(&mut self, value: Value, bias: i64) -> Value {
        if bias == 0 {
            return value;
        }
        let bias = self.operations.push(Operation::Constant(bias));
        self.operations.push(Operation::Add(value, bias))
    }

    /// Makes a sum and everything that it needs, in the bank of the first output.
    fn sum(&mut self, sum: usize) -> Value {
        if let Some(value) = self.sums[sum] {
            return value;
        }
        let terms: Vec<(Term, i64)> = self.form.terms(sum).collect();
        let mut places: Vec<(u32, bool, Value)> = Vec::new();
        for (term, weight) in terms {
            let value = self.term(term);
            places.extend(digits(weight).into_iter().map(|(shift, negative)| (shift, negative, value)));
        }
        let mut so_far: Option<Signed> = None;
        for shift in (0..=places.iter().map(|place| place.0).max().unwrap_or(0)).rev() {
            let doubled = so_far.map(|(value, negative)| (self.operations.push(Operation::Double(value)), negative));
            let added = places.iter().filter(|place| place.0 == shift).map(|&(_, negative, value)| (value, negative));
            so_far = self.add(doubled.into_iter().chain(added).collect());
        }
        let value = match so_far {
            None => self.operations.push(Operation::Zero),
            Some((value, false)) => value,
            Some((value, true)) => self.operations.push(Operation::Negate(value)),
        };
        self.sums[sum] = Some(value);
        value
    }

    /// The sum of some numbers, or its negative.
    fn add(&mut self, numbers: Vec<Signed>) -> Option<Signed> {
        let (minus, plus): (Vec<Signed>, Vec<Signed>) = numbers.into_iter().partition(|(_, negative)| *negative);
        let [mut plus, mut minus] =
            [plus, minus].map(|list| list.into_iter().map(|(value, _)| value).collect::<Vec<_>>());
        for list in [&mut plus, &mut minus] {
            while let [a, b, c, ..] = *list.as_slice() {
                let (count, sum) =
                    if self.threes { (3, Operation::AddThree(a, b, c)) } else { (2, Operation::Add(a, b)) };
                list.drain(..count);
                list.insert(0, self.operations.push(sum));
            }
        }
        if plus.len() == 2 && minus.len() == 2 {
            minus = vec![self.operations.push(Operation::Add(minus[0], minus[1]))];
        }
        while !plus.is_empty()
            && let Some(taken_off) = minus.pop()
        {
            let from = plus.remove(0);
            plus.insert(0, self.operations.push(Operation::Subtract(from, taken_off)));
        }
        let (list, negative) = if plus.is_empty() { (minus, true) } else { (plus, false) };
        match *list.as_slice() {
            [a, b] => Some((self.operations.push(Operation::Add(a, b)), negative)),
            [a] => Some((a, negative)),
            _ => None,
        }
    }

    /// A part of a sum as seen at its displacement.
    fn term(&mut self, term: Term) -> Value {
        let work = self.declaration.outputs[0].bank;
        match term.part {
            Part::Input(input) => self.moved(input, self.declaration.inputs[input].bank, work, term.at),
            Part::Sum(sum) => {
                let value = self.sum(sum);
                self.moved(value, work, work, term.at)
            }
        }
    }

    /// Moves a number from bank `from` of the block at a displacement to bank `to` of this one.
    fn moved(&mut self, value: Value, from: usize, to: usize, at: Displacement) -> Value {
        let layout = &self.declaration.layout;
        let offset = layout.offset(to, from).unwrap_or_default();
        let side = |side: usize| i32::try_from(side).unwrap_or(0);
        let by =
            (i32::from(at.x) * side(layout.width()) + offset.0, i32::from(at.y) * side(layout.height()) + offset.1);
        if by == (0, 0) { value } else { self.operations.push(Operation::Move(value, by)) }
    }
}
