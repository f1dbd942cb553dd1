//! What is declared beside programs, as they can call it.

use cain_digital::{Declaration as OnBits, Formula};
use cain_search::Declaration;

use crate::kinds::Item;
use crate::kinds::kernel::Kernel;
use crate::names::article;
use crate::vision::{Filter, Meaning};

/// A filter or network that a program can call, or why it cannot be called; nothing is known of one with a mistake in its header.
/// `at` is where it is declared.
pub(crate) fn callable(name: &str, item: Option<&Item>, at: &str) -> Filter {
    let (inputs, meaning) = match item {
        Some(Item::Kernel(filter)) => (inputs(filter), sums(&filter.of.declaration, filter.is_right)),
        Some(Item::Digital(filter)) => {
            let declaration = &filter.of.declaration;
            let inputs = declaration.inputs.iter().map(|input| input.name.clone());
            (inputs.collect(), functions(declaration, filter.is_right))
        }
        Some(Item::Network(network)) => {
            let of = &network.of.network;
            let meaning =
                if network.is_right { Ok(Meaning::Network(Box::new(of.clone()))) } else { Err(mistaken(name)) };
            (vec!["image".to_owned(), "at".to_owned()], meaning)
        }
        None => (Vec::new(), Err(mistaken(name))),
        Some(Item::SuperPixel(_)) => {
            let reason = "has numbers in blocks of PEs, which programs do not have";
            (Vec::new(), Err(format!("filter `{name}` {reason}; {POSSIBLE}")))
        }
        Some(other) => (Vec::new(), Err(format!("`{name}` is {} {}; {POSSIBLE}", article(other.what()), other.what()))),
    };
    let (what, needed) = match item {
        Some(Item::Network(_)) => ("network", 1),
        _ => ("filter", inputs.len()),
    };
    Filter { name: name.to_owned(), what, at: at.to_owned(), inputs, needed, meaning }
}

const POSSIBLE: &str =
    "programs can call filters on analogue registers, digital ones whose outputs are expressions of bits, and networks";

fn mistaken(name: &str) -> String {
    format!("`{name}` has a mistake, which is told where it is declared")
}

/// The names of planes, or of the registers of inputs.
fn inputs(filter: &Kernel) -> Vec<String> {
    let name = |reg| filter.planes.as_ref().and_then(|planes| planes.name(reg)).map(str::to_owned);
    let inputs = filter.declaration.inputs.iter().map(|input| input.reg);
    inputs.map(|reg| name(reg).unwrap_or_else(|| reg.to_string())).collect()
}

fn sums(declaration: &Declaration, is_right: bool) -> Result<Meaning, String> {
    let (name, options) = (&declaration.name, &declaration.options);
    if !is_right {
        return Err(mistaken(name));
    }
    if options.approximate.is_some() {
        return Err(format!(
            "filter `{name}` leaves its weights to a search, but what a program computes is known before; give `approximate` a \
             `depth` instead of `search`, or declare the weights that `cain show` tells"
        ));
    }
    let promised = [("accuracy", options.accuracy.is_some()), ("max_words", options.max_words.is_some())];
    if let Some((option, _)) = promised.iter().find(|(_, is_given)| *is_given) {
        return Err(format!(
            "filter `{name}` has a limit `{option}`, which cannot be kept where it becomes part of a program; declare a filter \
             without it for programs"
        ));
    }
    Ok(Meaning::Sums(declaration.outputs.iter().map(|output| output.kernel.clone()).collect()))
}

fn functions(declaration: &OnBits, is_right: bool) -> Result<Meaning, String> {
    let name = &declaration.name;
    if !is_right {
        return Err(mistaken(name));
    }
    if let Some(input) = declaration.inputs.iter().find(|input| input.format.is_signed()) {
        return Err(format!(
            "input `{}` of filter `{name}` can be negative, and numbers in each PE cannot in programs; {POSSIBLE}",
            input.name
        ));
    }
    let functions = declaration.outputs.iter().map(|output| match &output.formula {
        Formula::Logic(function) => Ok(function.clone()),
        Formula::Sum(_) => Err(format!(
            "output `{}` of filter `{name}` is a sum of numbers in bits, and not an expression of bits; declare the filter on \
             analogue registers, and give it levels such as `if bits {{ 1 }} else {{ 0 }}`, or compare numbers of bits with \
             `at_least`",
            output.name
        )),
    });
    let functions = functions.collect::<Result<_, _>>()?;
    Ok(Meaning::Logic(declaration.inputs.iter().map(|input| input.format).collect(), functions))
}
