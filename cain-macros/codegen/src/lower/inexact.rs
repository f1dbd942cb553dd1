//! Weights that the instruction set cannot reach, in filters without approximation.

use cain_analysis::prove::Polynomial;
use cain_isa::Fraction;
use cain_search::{ApproximateError, Approximation, InstructionSet, nearest};

use super::sums::factor;
use crate::errors::Errors;
use crate::tree::{Number, Place, Sum, Term};

/// The depth of suggested alternatives, which is finer than the noise of the array.
const DEPTH: u32 = 8;

/// Reports, once per term, the scale or first weight that makes a weight unreachable.
pub(crate) fn report<S: Place>(
    sums: &[Sum<S>],
    exact: &[Polynomial],
    instructions: InstructionSet,
    errors: &mut Errors<S>,
) {
    let mut remedy = None;
    for term in sums.iter().filter_map(|sum| sum.terms.as_ref()).flatten() {
        let mut weights = wrong_weights(term, instructions);
        let Some(first) = weights.next() else { continue };
        let is_native_exact = wrong_weights(term, InstructionSet::Native).next().is_none();
        let native = if is_native_exact { "; `isa = native` reaches it exactly" } else { "" };
        let remedy = remedy.get_or_insert_with(|| S::approximate(DEPTH, &enough(exact)));
        let advice = Advice { instructions, native, remedy };
        match &term.scale {
            Some(scale) if !instructions.reaches(scale.value) => add(scale, 0, advice, errors),
            _ => add(first, weights.count(), advice, errors),
        }
    }
}

/// What would reach a weight.
#[derive(Clone, Copy)]
struct Advice<'a> {
    /// The instructions that do not.
    instructions: InstructionSet,
    /// What to say about control words, which also divide by three.
    native: &'a str,
    /// The approximation to allow.
    remedy: &'a str,
}

/// The weights that the instruction set cannot reach once they are scaled.
fn wrong_weights<S>(term: &Term<S>, instructions: InstructionSet) -> impl Iterator<Item = &Number<S>> {
    let scaled = |weight: &Number<S>| weight.value.checked_mul(factor(term));
    let weights = term.rows.iter().flat_map(|row| &row.weights);
    weights.filter(move |weight| scaled(weight).is_some_and(|value| !instructions.reaches(value)))
}

fn add<S: Place>(
    number: &Number<S>,
    more: usize,
    Advice { instructions, native, remedy }: Advice<'_>,
    errors: &mut Errors<S>,
) {
    let (at, fault) = match &number.denominator {
        Some(denominator) => (denominator.at, format!("denominator {}", denominator.value)),
        None => (number.at, format!("{} is {}, whose denominator", number.text, number.value)),
    };
    let more = match more {
        0 => String::new(),
        1 => " (one more weight of this kernel is inexact too)".to_owned(),
        more => format!(" ({more} more weights of this kernel are inexact too)"),
    };
    let nearest = nearest(number.value, DEPTH).and_then(|near| {
        let distance = near.checked_sub(number.value)?.abs();
        Some(format!("; the nearest multiple of 1/2^{DEPTH} is {near}, off by {distance}; write that, or"))
    });
    let nearest = nearest.unwrap_or_else(|| ";".to_owned());
    let (denominators, why) = instructions.denominators();
    errors.add(at, format_args!("{fault} is not {denominators}{more}, and {why}{native}{nearest} add `{remedy}`"));
}

/// A short decimal that, as the `error` allowed, suffices at the suggested depth.
fn enough(exact: &[Polynomial]) -> String {
    let within = Approximation { depth: DEPTH, error: Fraction::ZERO };
    let needed = match within.apply(&mut exact.to_vec()) {
        Err(ApproximateError::TooFar { closest }) => closest.error,
        _ => Fraction::ZERO,
    };
    let decimals = ["0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5"];
    let fits = |text: &&str| text.parse().is_ok_and(|allowed: Fraction| needed <= allowed);
    match decimals.into_iter().find(fits) {
        Some(decimal) => decimal.to_owned(),
        None => ((needed.numerator() / needed.denominator()) + 1).to_string(),
    }
}
