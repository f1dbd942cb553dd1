//! Formulas of the controller as expressions.

use cain_isa::program::Term;

use super::interval::{Sort, parts};
use super::naming::Names;
use super::ranges::Ranges;

/// A formula as an expression, and what it is computed with; nothing for one that is none.
pub(super) fn expression(formula: &[Term], names: &Names<'_>, ranges: &Ranges) -> Option<(String, Sort)> {
    let parts = parts(formula, &|place| ranges.range(place));
    // What holds all parts.
    let is_wide = parts.iter().any(|part| Sort::of(part.range) == Sort::Wide);
    let sort = if is_wide { Sort::Wide } else { Sort::Whole };
    let mut stack: Vec<Text> = Vec::new();
    for (term, part) in formula.iter().zip(parts) {
        let operands = stack.split_off(stack.len().checked_sub(term.operands())?);
        let made = match (*term, operands.as_slice()) {
            (Term::Constant(constant), _) => Text::constant(constant, sort),
            (Term::Number(place), _) => {
                let name = names.number(place);
                let is_cast = sort == Sort::Wide && names.sort(place, ranges) == Sort::Whole;
                Text::alone(if is_cast { format!("double({name})") } else { name })
            }
            (Term::Choose, [condition, then, otherwise]) => {
                Text::joined(format!("{condition} != 0 ? {then} : {otherwise}"))
            }
            (term, [a, b]) => of_two(term, a, b, sort)?,
            _ => return None,
        };
        let made = if part.saturates { Text::alone(format!("cain_helpers::saturated({})", made.text)) } else { made };
        stack.push(made);
    }
    let made = stack.pop()?;
    stack.is_empty().then_some((made.text, sort))
}

fn of_two(term: Term, a: &Text, b: &Text, sort: Sort) -> Option<Text> {
    let kind = sort.name();
    let operator = |operator: &str| Text::joined(format!("{a} {operator} {b}"));
    let holds = |operator: &str| Text::alone(format!("{kind}({a} {operator} {b})"));
    let called = |name: &str| Text::alone(format!("cain_helpers::{name}({}, {})", a.text, b.text));
    Some(match term {
        Term::Add => operator("+"),
        Term::Subtract => operator("-"),
        Term::Multiply => operator("*"),
        Term::Divide if sort == Sort::Whole => called("divided"),
        Term::Divide => called("divided_wide"),
        Term::Min => called(&format!("least<{kind}>")),
        Term::Max => called(&format!("largest<{kind}>")),
        Term::Less => holds("<"),
        Term::AtMost => holds("<="),
        Term::Equal => holds("=="),
        Term::Choose | Term::Constant(_) | Term::Number(_) => return None,
    })
}

/// An expression, and whether it can be an operand as it stands.
struct Text {
    text: String,
    is_alone: bool,
}

impl Text {
    fn alone(text: String) -> Self {
        Self { text, is_alone: true }
    }

    fn joined(text: String) -> Self {
        Self { text, is_alone: false }
    }

    fn constant(constant: f64, sort: Sort) -> Self {
        let text = if sort == Sort::Wide { format!("{constant:?}") } else { format!("{constant}") };
        Self { text, is_alone: constant >= 0.0 }
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_alone { f.write_str(&self.text) } else { write!(f, "({})", self.text) }
    }
}
