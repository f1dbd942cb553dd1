//! Constants of Rust around the block as numbers and kernels.

use proc_macro2::Span;

use crate::diagnostic::Position;
use crate::number::{self, Read};
use crate::surroundings::Literal;
use crate::tree::{Meaning, Number, Row, Term};

/// What a constant of Rust stands for, at the place of its use; or why it stands for nothing.
pub(crate) fn value(name: &str, at: Span, literal: &Literal, place: Position) -> Result<Meaning<Span>, String> {
    let mistake = |message: &dyn std::fmt::Display| format!("constant `{name}` in line {}: {message}", place.line);
    match literal {
        Literal::Number(text) => number(text, at).map(Meaning::Number).map_err(|error| mistake(&error)),
        Literal::List(rows) => {
            let rows = rows.iter().map(|entry| row(entry, at)).collect::<Result<_, _>>();
            let rows = rows.map_err(|error| mistake(&error))?;
            Ok(Meaning::Kernel(vec![Term { negative: false, scale: None, rows, at, origin: None, input: None }]))
        }
    }
}

fn row(literal: &Literal, at: Span) -> Result<Row<Span>, String> {
    let Literal::List(weights) = literal else {
        return Err("a kernel of one row has brackets around it, as in `[[1, 2, 1]]`".to_owned());
    };
    let weight = |weight: &Literal| match weight {
        Literal::Number(text) => number(text, at),
        Literal::List(_) => Err("a kernel is an array of rows, as in `[[1, 2, 1]]`, and not one of kernels".to_owned()),
    };
    Ok(Row { weights: weights.iter().map(weight).collect::<Result<_, _>>()?, at })
}

fn number(text: &str, at: Span) -> Result<Number<Span>, String> {
    let Read { value, is_exact } = number::read(text).map_err(|error| error.to_string())?;
    Ok(Number { value, is_exact, text: text.to_owned(), at, denominator: None })
}
