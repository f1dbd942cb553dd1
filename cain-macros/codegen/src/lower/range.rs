//! Results that exceed the range of the registers.

use cain_isa::Fraction;
use cain_search::Declaration;

use crate::tree::{At, Body, Header, Place};

/// Outputs beyond so many have one warning together.
const EACH: usize = 3;

/// A warning for every output whose results can exceed the range of the registers, or one for all of many, unless
/// `max_gain` is given: then the author knows.
pub(crate) fn warnings<S: Place>(declaration: &Declaration, header: &Header<S>, body: &Body<S>) -> Vec<At<String, S>> {
    if body.search.max_gain.is_some() || body.search.overrides.max_gain.is_some() {
        return Vec::new();
    }
    let excess = |(output, name)| {
        let excess = declaration.gain(output)?.checked_div(declaration.gain_of_registers())?;
        (excess > Fraction::ONE).then_some((excess, name))
    };
    let mut found: Vec<(Fraction, &At<String, S>)> =
        declaration.outputs.iter().zip(&header.outputs).filter_map(excess).collect();
    let others = if found.len() > EACH { found.len() - 1 } else { 0 };
    if others > 0 {
        found.sort_by_key(|(excess, _)| std::cmp::Reverse(*excess));
        found.truncate(1);
    }
    let warning = |(excess, name): (Fraction, &At<String, S>)| {
        let value = message::<S>(&name.value, others, excess)?;
        let sum = body.sums.iter().find(|sum| sum.register.value == name.value);
        let kernel = sum.and_then(|sum| sum.terms.as_ref()?.first()).map(|term| term.at);
        Some(At { value, at: kernel.unwrap_or(name.at) })
    };
    found.into_iter().filter_map(warning).collect()
}

/// The warning for results of an output, and of so many others, of up to `excess` times the range of the registers.
fn message<S: Place>(output: &str, others: usize, excess: Fraction) -> Option<String> {
    let fitting = (1..62)
        .map(|halvings| 1_i64 << halvings)
        .find(|&scale| Fraction::new(scale, 1).is_some_and(|scale| excess <= scale))?;
    let (subject, them) = match others {
        0 => (format!("the kernel of `{output}` has"), "it"),
        _ => (format!("the kernel of `{output}`, and {others} others, have"), "them"),
    };
    Some(format!(
        "{subject} values up to {} times the range of the registers, which saturate: scale {them} with 1/{fitting}, or \
         accept that with `{}`",
        shown(excess),
        S::ANY_GAIN
    ))
}

/// A number with few digits.
fn shown(number: Fraction) -> String {
    const MOST_DENOMINATOR: i64 = 64;
    match number.denominator() {
        ..=MOST_DENOMINATOR => number.to_string(),
        _ => format!("{:.3}", number.to_f64()),
    }
}
