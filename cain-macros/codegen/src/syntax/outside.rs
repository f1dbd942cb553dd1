//! Constants of Rust around the block as numbers and kernels.

use proc_macro2::{Ident, Span};

use crate::number::{self, Read};
use crate::surroundings::{Constant, Literal};
use crate::tree::{At, Meaning, Number, Row, Term};

/// What a constant of Rust stands for, at the place of its use; or why it stands for nothing.
pub(crate) fn value(name: &Ident, constant: &Constant) -> Result<Meaning<Span>, String> {
    let line = constant.position.line;
    let at = name.span();
    let mistake = |message: &dyn std::fmt::Display| format!("constant `{name}` in line {line}: {message}");
    match &constant.literal {
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

impl Meaning<Span> {
    /// The same, all of it at that place.
    pub(crate) fn at(&self, at: Span) -> Self {
        let number = |number: &Number<Span>| {
            let denominator = number.denominator.as_ref().map(|part| At { value: part.value.clone(), at });
            Number { at, denominator, ..number.clone() }
        };
        let row = |row: &Row<Span>| Row { weights: row.weights.iter().map(number).collect(), at };
        match self {
            Self::Number(value) => Self::Number(number(value)),
            Self::Kernel(terms) => {
                let term = |term: &Term<Span>| Term {
                    scale: term.scale.as_ref().map(number),
                    rows: term.rows.iter().map(row).collect(),
                    at,
                    ..term.clone()
                };
                Self::Kernel(terms.iter().map(term).collect())
            }
        }
    }
}
