//! Arithmetic of the controller, with what is known computed at once.

use cain_vision::declaration::{Arithmetic, Comparison, Number};

pub(super) fn arithmetic(operation: Arithmetic, a: Number, b: Number) -> Number {
    match (operation, &a, &b) {
        (_, Number::Constant(a), Number::Constant(b)) => Number::Constant(operation.of(*a, *b)),
        (Arithmetic::Add | Arithmetic::Subtract, _, Number::Constant(0))
        | (Arithmetic::Multiply | Arithmetic::Divide, _, Number::Constant(1)) => a,
        (Arithmetic::Add, Number::Constant(0), _) | (Arithmetic::Multiply, Number::Constant(1), _) => b,
        _ => Number::Arithmetic(operation, Box::new([a, b])),
    }
}

/// What remains of a division, which is rounded down.
pub(super) fn remainder(a: Number, b: Number) -> Number {
    let quotient = arithmetic(Arithmetic::Divide, a.clone(), b.clone());
    arithmetic(Arithmetic::Subtract, a, arithmetic(Arithmetic::Multiply, quotient, b))
}

pub(super) fn comparison(comparison: Comparison, a: Number, b: Number) -> Number {
    match (&a, &b) {
        (Number::Constant(a), Number::Constant(b)) => Number::Constant(comparison.holds(*a, *b).into()),
        _ => Number::Comparison(comparison, Box::new([a, b])),
    }
}

pub(super) fn choice(condition: Number, then: Number, otherwise: Number) -> Number {
    match condition {
        Number::Constant(0) => otherwise,
        Number::Constant(_) => then,
        _ if then == otherwise => then,
        condition => Number::Choice(Box::new([condition, then, otherwise])),
    }
}

pub(super) fn not(truth: Number) -> Number {
    comparison(Comparison::Equal, truth, Number::Constant(0))
}

pub(super) fn negative(of: Number) -> Number {
    arithmetic(Arithmetic::Subtract, Number::Constant(0), of)
}

/// How many parts it has.
pub(super) fn size(of: &Number) -> usize {
    1 + match of {
        Number::Constant(_) | Number::Value(_) => 0,
        Number::Arithmetic(_, of) | Number::Comparison(_, of) => of.iter().map(size).sum(),
        Number::Choice(of) => of.iter().map(size).sum(),
    }
}
