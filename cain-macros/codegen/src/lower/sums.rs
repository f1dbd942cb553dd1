//! Sums of kernels as polynomials.

use cain_analysis::prove::Polynomial;
use cain_isa::Fraction;
use cain_search::KernelError;

use super::rounding::Rounding;
use crate::errors::Errors;
use crate::names;
use crate::tree::{Header, Number, Place, Sum, Term};

/// One polynomial per output of the header, zero after a mistake. Weights beyond exact arithmetic are rounded, if that is
/// allowed.
pub(crate) fn polynomials<S: Place>(
    header: &Header<S>,
    sums: &[Sum<S>],
    rounding: &mut Rounding,
    errors: &mut Errors<S>,
) -> Vec<Polynomial> {
    let mut polynomials: Vec<Option<Polynomial>> = vec![None; header.outputs.len()];
    for sum in sums {
        let polynomial = polynomial(header, sum, rounding, errors);
        let name = &sum.register;
        let output = header.outputs.iter().position(|output| output.value == name.value);
        match output.and_then(|index| polynomials.get_mut(index)) {
            None => {
                let known: Vec<&str> = header.outputs.iter().map(|output| output.value.as_str()).collect();
                errors.add(name.at, names::unknown("output", &name.value, &known));
            }
            Some(Some(_)) => errors.add(name.at, format_args!("output `{}` already has a kernel", name.value)),
            Some(slot) => *slot = Some(polynomial),
        }
    }
    for (output, polynomial) in header.outputs.iter().zip(&polynomials) {
        if polynomial.is_none() {
            let name = &output.value;
            errors.add(output.at, format_args!("output `{name}` has no kernel; add `{name} = [[..]];`"));
        }
    }
    polynomials.into_iter().map(Option::unwrap_or_default).collect()
}

/// The sum of the terms that are right.
fn polynomial<S: Place>(
    header: &Header<S>,
    sum: &Sum<S>,
    rounding: &mut Rounding,
    errors: &mut Errors<S>,
) -> Polynomial {
    let before = errors.len();
    let mut polynomial = Polynomial::new();
    for term in sum.terms.iter().flatten() {
        rounding.count_numbers(term);
        let channel = channel(header, term, errors);
        let matrix = matrix(term, errors);
        if let (Some(channel), Some(matrix)) = (channel, matrix)
            && let Err(error) = add(&matrix, factor(term), channel, rounding, &mut polynomial)
        {
            errors.add(term.at, error);
        }
    }
    let is_zero = errors.len() == before && polynomial.terms().next().is_none();
    if let Some(term) = sum.terms.iter().flatten().next_back().filter(|_| is_zero)
        && !sum.terms.iter().flatten().all(is_meant_as_zero)
    {
        let what = if sum.terms.iter().flatten().any(has_weight) { "cancel each other" } else { "are zero" };
        let name = &sum.register.value;
        errors.add(term.at, format_args!("all weights of output `{name}` {what}; if that is meant, write `[[0]]`"));
    }
    polynomial
}

/// Whether the term is a single weight of zero: larger kernels of zeros, or a scale of zero, are hardly meant.
fn is_meant_as_zero<S>(term: &Term<S>) -> bool {
    let is_zero = |weights: &[Number<S>]| matches!(weights, [only] if only.value == Fraction::ZERO);
    matches!(term.rows.as_slice(), [row] if is_zero(&row.weights))
}

/// Whether not all weights are zero.
fn has_weight<S>(term: &Term<S>) -> bool {
    let mut weights = term.rows.iter().flat_map(|row| &row.weights);
    factor(term) != Fraction::ZERO && weights.any(|weight| weight.value != Fraction::ZERO)
}

/// Adds the product of a factor, a kernel and an input channel to a sum.
fn add(
    matrix: &cain_search::Kernel,
    factor: Fraction,
    channel: u16,
    rounding: &mut Rounding,
    sum: &mut Polynomial,
) -> Result<(), KernelError> {
    let mut exact = sum.clone();
    match matrix.add_to(&mut exact, factor, channel) {
        Ok(()) => *sum = exact,
        Err(KernelError::Overflow) if rounding.is_allowed => {
            *sum = rounding.round_sum(sum).ok_or(KernelError::Overflow)?;
            let mut unscaled = Polynomial::new();
            matrix.add_to(&mut unscaled, Fraction::ONE, channel)?;
            for (atom, weight) in unscaled.terms() {
                let weight = rounding.round(weight.to_f64() * factor.to_f64()).ok_or(KernelError::Overflow)?;
                sum.add_term(atom, weight).ok_or(KernelError::Overflow)?;
            }
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

/// The factor of all weights of a term.
pub(crate) fn factor<S>(term: &Term<S>) -> Fraction {
    let scale = term.scale.as_ref().map_or(Fraction::ONE, |scale| scale.value);
    if term.negative { scale.negated() } else { scale }
}

fn channel<S: Place>(header: &Header<S>, term: &Term<S>, errors: &mut Errors<S>) -> Option<u16> {
    let known: Vec<&str> = header.inputs.iter().map(|input| input.register.value.as_str()).collect();
    let position = match (&term.input, known.as_slice()) {
        (None, [_]) => Some(0),
        (None, _) => {
            let inputs = names::list(&known, "or");
            errors.add(term.at, format_args!("with several inputs, say which one: {} with {inputs}", S::INPUT_OF_TERM));
            None
        }
        (Some(input), known) => {
            let position = known.iter().position(|name| *name == input.value);
            if position.is_none() {
                errors.add(input.at, names::unknown("input", &input.value, known));
            }
            position
        }
    };
    position.and_then(|position| u16::try_from(position).ok())
}

/// Reports a kernel without an origin or with rows of different lengths.
pub(crate) fn check_shape<S: Place>(term: &Term<S>, errors: &mut Errors<S>) {
    matrix(term, errors);
}

/// The kernel of a term, if it has an origin and rows of equal length.
fn matrix<S: Place>(term: &Term<S>, errors: &mut Errors<S>) -> Option<cain_search::Kernel> {
    let before = errors.len();
    let (height, width) = (term.rows.len(), term.rows.first().map_or(0, |row| row.weights.len()));
    for (index, row) in term.rows.iter().enumerate() {
        let found = row.weights.len();
        if found != width {
            errors.add(row.at, KernelError::Ragged { row: index, found, expected: width });
        }
    }
    if errors.len() > before {
        return None;
    }
    let rows = term.rows.iter().map(|row| row.weights.iter().map(|weight| weight.value).collect()).collect();
    let (matrix, at) = match &term.origin {
        Some(origin) => (cain_search::Kernel::with_origin(rows, origin.value), origin.at),
        None => (cain_search::Kernel::new(rows), term.at),
    };
    match matrix {
        Ok(matrix) => return Some(matrix),
        Err(KernelError::Even { .. }) => {
            let what_to_do = S::GIVE_A_CENTRE;
            errors.add(at, format_args!("a kernel of {height}×{width} weights has no centre; {what_to_do}"));
        }
        Err(error @ KernelError::Origin { .. }) => errors.add(at, error),
        Err(error) => errors.add(term.at, error),
    }
    None
}
