//! Numbers.

use cain_codegen::number::{Read, read};
use cain_isa::Fraction;

use super::json::Node;
use super::notes::Notes;

/// A number, and how it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) value: Fraction,
    text: String,
}

impl Number {
    /// As kernel files have it: every number of JSON is one of TOML.
    pub(crate) fn toml(&self) -> String {
        self.text.clone()
    }
}

/// A whole number as it is, others as a fraction.
pub(crate) fn toml(value: Fraction) -> String {
    if value.denominator() == 1 { value.to_string() } else { format!("\"{value}\"") }
}

/// A number; a note if it is none. One with more digits than a fraction holds is rounded, which only approximation allows.
pub(crate) fn number(node: &Node<'_>, notes: &mut Notes) -> Option<Number> {
    let Some(text) = node.number() else {
        notes.wrong(node, format_args!("expected a number, found {}", node.kind()));
        return None;
    };
    let message = format!("the number {text} does not fit a fraction of 64-bit integers");
    let Ok(Read { value, is_exact }) = read(text) else {
        notes.wrong(node, message);
        return None;
    };
    if !is_exact {
        notes.add_rounded(node, message);
    }
    Some(Number { value, text: text.to_owned() })
}

/// A whole number; a note if it is none.
pub(crate) fn whole(node: &Node<'_>, notes: &mut Notes) -> Option<i64> {
    let value = number(node, notes)?.value;
    if value.denominator() != 1 {
        notes.wrong(node, format_args!("expected a whole number, found {value}"));
        return None;
    }
    Some(value.numerator())
}
