//! From the syntax tree to the declaration: resolves names and checks everything, and reports each mistake at its place.

pub(crate) mod bits;
mod chip;
pub(crate) mod constants;
#[cfg(feature = "digital")]
pub(crate) mod digital;
mod inexact;
#[cfg(feature = "digital")]
pub(crate) mod logic;
pub(crate) mod machine;
pub(crate) mod options;
mod planes;
mod range;
mod rounding;
pub(crate) mod shortage;
mod sums;
#[cfg(feature = "digital")]
pub(crate) mod superpixel;

use cain_analysis::prove::Polynomial;
use cain_analysis::sorted::Set;
use cain_isa::Reg;
use cain_search::{Approximated, Declaration, DeclarationError, Input, Options, Output};

use self::machine::Described;
use self::planes::Names;
use self::rounding::Rounding;
use crate::errors::Errors;
#[cfg(feature = "digital")]
use crate::names;
use crate::tree::{At, Body, GainOption, Header, Number, Place, Term};

pub(crate) use self::planes::Planes;

/// The declaration of a header, still without kernels and options. It determines the signature of the generated function.
pub(crate) fn header<S: Place>(
    header: &Header<S>,
    described: Described,
    errors: &mut Errors<S>,
) -> Option<Declaration> {
    let Described { machine, errors: error_model } = described;
    let before = errors.len();
    let names = Names::of(header, &machine.registers);
    let inputs = inputs(header, &names, errors);
    let outputs = outputs(header, &names, &inputs, errors);
    let taken: Set<Reg> = inputs.iter().map(|input| input.reg).chain(outputs.iter().copied()).collect();
    let scratch = match &header.scratch {
        Some(listed) => scratch(listed, &names, &taken, errors),
        None => names.registers().filter(|reg| !taken.contains(reg)).collect(),
    };
    let outputs = outputs.into_iter().map(|reg| Output { reg, kernel: Polynomial::new() }).collect();
    let name = header.name.value.clone();
    (errors.len() == before).then(|| Declaration {
        name,
        inputs,
        outputs,
        scratch,
        machine,
        options: Options { error_model, ..Options::default() },
    })
}

fn inputs<S: Place>(header: &Header<S>, names: &Names<'_>, errors: &mut Errors<S>) -> Vec<Input> {
    if header.inputs.is_empty() {
        errors.add(header.name.at, DeclarationError::NoInput);
    }
    let mut inputs: Vec<Input> = Vec::new();
    for input in &header.inputs {
        let Some(reg) = register(&input.register, names, errors) else { continue };
        if inputs.iter().any(|earlier| earlier.reg == reg) {
            let rule = "is named for two inputs; give each its own";
            let message = names.misplaced(&input.register.value, &DeclarationError::InputTwice(reg), rule);
            errors.add(input.register.at, message);
        } else {
            inputs.push(Input { reg, keep: input.keep });
        }
    }
    inputs
}

fn outputs<S: Place>(header: &Header<S>, names: &Names<'_>, inputs: &[Input], errors: &mut Errors<S>) -> Vec<Reg> {
    if header.outputs.is_empty() {
        errors.add(header.name.at, DeclarationError::NoOutput);
    }
    let mut outputs = Vec::new();
    for output in &header.outputs {
        let Some(reg) = register(output, names, errors) else { continue };
        if inputs.iter().any(|input| input.reg == reg && input.keep) {
            errors.add(output.at, S::kept_output(&output.value));
        }
        if outputs.contains(&reg) {
            let rule = "is named for two outputs; give each its own";
            errors.add(output.at, names.misplaced(&output.value, &DeclarationError::OutputTwice(reg), rule));
        } else {
            outputs.push(reg);
        }
    }
    outputs
}

fn scratch<S: Place>(
    listed: &[At<String, S>],
    names: &Names<'_>,
    taken: &Set<Reg>,
    errors: &mut Errors<S>,
) -> Vec<Reg> {
    let mut scratch = Vec::new();
    for name in listed {
        let Some(reg) = register(name, names, errors) else { continue };
        if scratch.contains(&reg) {
            errors.add(name.at, format_args!("scratch register `{}` is listed twice", name.value));
        } else if taken.contains(&reg) {
            let rule = "is already in use; scratch planes are beside inputs and outputs";
            errors.add(name.at, names.misplaced(&name.value, &DeclarationError::ScratchTwice(reg), rule));
        } else {
            scratch.push(reg);
        }
    }
    scratch
}

fn register<S: Place>(name: &At<String, S>, names: &Names<'_>, errors: &mut Errors<S>) -> Option<Reg> {
    names.register(&name.value).map_err(|message| errors.add(name.at, message)).ok()
}

/// A declaration with its kernels and options.
pub(crate) struct Declared<S> {
    pub(crate) declaration: Declaration,
    /// The effect of approximation, if the filter allows it.
    pub(crate) approximated: Option<Approximated>,
    /// What is allowed, but hardly meant.
    pub(crate) warnings: Vec<At<String, S>>,
}

/// Completes the declaration of a header; `None` if there was a mistake in the filter, here or before.
pub(crate) fn body<S: Place>(
    mut declaration: Declaration,
    header: &Header<S>,
    body: &Body<S>,
    errors: &mut Errors<S>,
) -> Option<Declared<S>> {
    bits::refuse_expressions(body, errors);
    bits::refuse_order(body, errors);
    if let Some(found) = &body.bits {
        errors.add(found.at, format_args!("only digital filters have `bits`; add {}", S::DIGITAL));
    }
    let error_model = declaration.options.error_model;
    let options = options::search_of_filter(&body.search, &declaration.machine, errors);
    let book = body.search.book.as_ref().is_none_or(|book| book.value);
    declaration.options = Options { error_model, book, ..options };
    let mut rounding = Rounding::new(body.approximate.is_some());
    if !rounding.is_allowed {
        check_exact(body, errors);
    }
    let mut sums = sums::polynomials(header, &body.sums, &mut rounding, errors);
    let mut approximated = None;
    if let Some(options) = &body.approximate {
        let allowed = options::approximation(options, errors);
        let report =
            |error| errors.add(rounding::place_of(&error, header, &body.sums).unwrap_or(options.error.at), error);
        if options.search {
            let left = allowed.map(|allowed| rounding.allow(allowed, &mut sums));
            declaration.options.approximate = left.and_then(|left| left.map_err(report).ok());
        } else {
            let applied = allowed.map(|allowed| rounding.approximate(allowed, &mut sums));
            approximated = applied.and_then(|applied| applied.map_err(report).ok());
        }
    } else {
        inexact::report(&body.sums, &sums, declaration.options.instructions, errors);
    }
    for (output, kernel) in declaration.outputs.iter_mut().zip(sums) {
        output.kernel = kernel;
    }
    let is_read = body.is_read();
    // Only what concerns the declaration as a whole can still be wrong.
    if is_read
        && errors.is_empty()
        && let Err(error) = declaration.validate()
    {
        let planes = Planes::of(header, &declaration.machine.registers);
        let message = Planes::explain(planes.as_ref(), error.to_string());
        errors.add(place_of(&error, &declaration, header, body), message);
    }
    (is_read && errors.is_empty()).then(|| {
        let warnings = range::warnings(&declaration, header, body);
        Declared { declaration, approximated, warnings }
    })
}

/// The kernels of the outputs as they are written, without approximation.
#[cfg(feature = "digital")]
pub(crate) fn exact_sums<S: Place>(header: &Header<S>, body: &Body<S>, errors: &mut Errors<S>) -> Vec<Polynomial> {
    check_exact(body, errors);
    sums::polynomials(header, &body.sums, &mut Rounding::new(false), errors)
}

/// Reports an input on bits that cannot be a parameter of the generated function, which has these others as well.
#[cfg(feature = "digital")]
fn check_parameters<S: Place>(header: &Header<S>, others: &[&str], errors: &mut Errors<S>) {
    let inputs = header.inputs.iter().map(|input| input.register.value.as_str());
    if let Err((input, message)) = names::numbers(inputs, others) {
        errors.add(header.inputs.get(input).map_or(header.name.at, |input| input.register.at), message);
    }
}

/// Reports numbers that were rounded when they were read.
fn check_exact<S: Place>(body: &Body<S>, errors: &mut Errors<S>) {
    let terms = body.sums.iter().filter_map(|sum| sum.terms.as_ref()).flatten();
    terms.flat_map(numbers).for_each(|number| options::check_exact(number, errors));
}

/// The place at which to report a mistake of the declaration as a whole.
fn place_of<S: Place>(error: &DeclarationError, declaration: &Declaration, header: &Header<S>, body: &Body<S>) -> S {
    let output = |reg: Reg| {
        let mut outputs = declaration.outputs.iter().zip(&header.outputs);
        outputs.find(|(output, _)| output.reg == reg).map(|(_, name)| name.at)
    };
    let place = match *error {
        DeclarationError::Missing { reg, .. } => output(reg),
        DeclarationError::EmptyInput(_) | DeclarationError::InputBeyondRegisters { .. } => {
            body.search.input.as_ref().map(|input| input.at)
        }
        _ => body.search.max_gain.as_ref().map(GainOption::at),
    };
    place.unwrap_or(header.name.at)
}

/// The place of the weight with the largest numerator or denominator once it is scaled.
pub(crate) fn largest<S: Copy>(body: &Body<S>) -> Option<S> {
    let terms = body.sums.iter().filter_map(|sum| sum.terms.as_ref()).flatten();
    let weights =
        terms.flat_map(|term| term.rows.iter().flat_map(|row| &row.weights).map(move |weight| (term, weight)));
    let size = |&(term, weight): &(&Term<S>, &Number<S>)| {
        let scaled = weight.value.checked_mul(sums::factor(term));
        scaled.map_or(u64::MAX, |scaled| scaled.numerator().unsigned_abs().max(scaled.denominator().unsigned_abs()))
    };
    weights.max_by_key(size).map(|(_, weight)| weight.at)
}

fn numbers<S>(term: &Term<S>) -> impl Iterator<Item = &Number<S>> {
    term.scale.iter().chain(term.rows.iter().flat_map(|row| &row.weights))
}
