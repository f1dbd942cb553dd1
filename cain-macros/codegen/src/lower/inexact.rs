//! Literals that halvings cannot reach, where no approximation was allowed.

use cain_isa::Fraction;
use cain_isa::prove::Polynomial;
use cain_search::{ApproximateError, Approximation, InstructionSet, nearest};

use super::kernels::factor;
use crate::errors::Errors;
use crate::filter::{Kernel, Number, Place, Term};

/// The depth at which alternatives are suggested: finer than the array's noise.
const DEPTH: u32 = 8;

/// Reports per term the scale, or the first weight, that is to blame for a weight that is not representable.
pub(crate) fn report<S: Place>(
    kernels: &[Kernel<S>],
    sums: &[Polynomial],
    instructions: InstructionSet,
    errors: &mut Errors<S>,
) {
    let mut remedy = None;
    for term in kernels.iter().filter_map(|kernel| kernel.terms.as_ref()).flatten() {
        let mut weights = wrong_weights(term, instructions);
        let Some(first) = weights.next() else { continue };
        let remedy = remedy.get_or_insert_with(|| S::approximate(DEPTH, &enough(sums)));
        match &term.scale {
            Some(scale) if !instructions.reaches(scale.value) => add(scale, 0, (instructions, remedy), errors),
            _ => add(first, weights.count(), (instructions, remedy), errors),
        }
    }
}

/// The weights that, scaled, the instruction set cannot reach.
fn wrong_weights<S>(term: &Term<S>, instructions: InstructionSet) -> impl Iterator<Item = &Number<S>> {
    let scaled = |weight: &Number<S>| weight.value.checked_mul(factor(term));
    let weights = term.rows.iter().flat_map(|row| &row.weights);
    weights.filter(move |weight| scaled(weight).is_some_and(|value| !instructions.reaches(value)))
}

fn add<S: Place>(
    number: &Number<S>,
    more: usize,
    (instructions, remedy): (InstructionSet, &str),
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
    errors.add(at, format_args!("{fault} is not {denominators}{more}, and {why}{nearest} add `{remedy}`"));
}

/// An error that allows these kernels to be approximated at the suggested depth, as a short decimal.
fn enough(sums: &[Polynomial]) -> String {
    let within = Approximation { depth: DEPTH, error: Fraction::ZERO };
    let needed = match within.apply(&mut sums.to_vec()) {
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
