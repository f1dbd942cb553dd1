//! Kernels as polynomials.

use cain_isa::Fraction;
use cain_isa::prove::Polynomial;
use cain_search::KernelError;

use crate::errors::Errors;
use crate::filter::{Header, Kernel, Place, Term};
use crate::names;
use crate::number::{near, near_kernel};

/// One polynomial per output of the header, zero where there was a mistake; if weights may be rounded, they are where exact
/// arithmetic does not hold them.
pub(crate) fn sums<S: Place>(
    header: &Header<S>,
    kernels: &[Kernel<S>],
    may_round: bool,
    errors: &mut Errors<S>,
) -> Vec<Polynomial> {
    let mut sums: Vec<Option<Polynomial>> = vec![None; header.outputs.len()];
    for kernel in kernels {
        let sum = sum(header, kernel, may_round, errors);
        let name = &kernel.register;
        let output = header.outputs.iter().position(|output| output.value == name.value);
        match output.and_then(|index| sums.get_mut(index)) {
            None => {
                let known: Vec<&str> = header.outputs.iter().map(|output| output.value.as_str()).collect();
                errors.add(name.at, names::unknown("output", &name.value, &known));
            }
            Some(Some(_)) => errors.add(name.at, format_args!("output `{}` already has a kernel", name.value)),
            Some(slot) => *slot = Some(sum),
        }
    }
    for (output, sum) in header.outputs.iter().zip(&sums) {
        if sum.is_none() {
            let name = &output.value;
            errors.add(output.at, format_args!("output `{name}` has no kernel; add `{name} = [[..]];`"));
        }
    }
    sums.into_iter().map(Option::unwrap_or_default).collect()
}

/// The sum of a kernel's terms, as far as they are right.
fn sum<S: Place>(header: &Header<S>, kernel: &Kernel<S>, may_round: bool, errors: &mut Errors<S>) -> Polynomial {
    let mut sum = Polynomial::new();
    for term in kernel.terms.iter().flatten() {
        let channel = channel(header, term, errors);
        let matrix = matrix(term, errors);
        if let (Some(channel), Some(matrix)) = (channel, matrix)
            && let Err(error) = add(&matrix, factor(term), channel, may_round, &mut sum)
        {
            errors.add(term.at, error);
        }
    }
    sum
}

/// Adds a matrix, times a factor and on that input channel, to a sum.
fn add(
    matrix: &cain_search::Kernel,
    factor: Fraction,
    channel: u16,
    may_round: bool,
    sum: &mut Polynomial,
) -> Result<(), KernelError> {
    let mut exact = sum.clone();
    match matrix.add_to(&mut exact, factor, channel) {
        Ok(()) => *sum = exact,
        Err(KernelError::Overflow) if may_round => {
            *sum = near_kernel(sum).ok_or(KernelError::Overflow)?;
            let mut unscaled = Polynomial::new();
            matrix.add_to(&mut unscaled, Fraction::ONE, channel)?;
            for (atom, weight) in unscaled.terms() {
                let weight = near(weight.to_f64() * factor.to_f64()).ok_or(KernelError::Overflow)?;
                sum.add_term(atom, weight).ok_or(KernelError::Overflow)?;
            }
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

/// What the weights of a term are multiplied by.
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

/// The matrix of a term, if it has an origin and equally long rows.
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
