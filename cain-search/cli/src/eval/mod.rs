//! `cain eval`.

mod args;
pub(crate) mod array;
mod automaton;
mod compiled;
pub(crate) mod controller;
mod costs;
pub(crate) mod head;
mod in_pixel;
mod misread;
mod pictures;
mod report;
pub(crate) mod trace;

use std::io;

use cain_codegen::kernel_file::{
    DeclaredAutomaton, DeclaredInPixel, DeclaredNetwork, load_automata, load_in_pixel, load_machine, load_networks,
};
use cain_codegen::printable::Printable;
use cain_network::CompiledNetwork;

pub(crate) use args::Eval;

use crate::data::Labelled;
use crate::network::warnings;
use crate::predicted::prediction;
use crate::progress::Line;
use crate::watch::Interrupt;
use array::Arrays;
use compiled::compiled;
use head::head;
use pictures::pictures;
use report::Report;

/// Runs the command; returns whether the network was evaluated, or fails if the standard output cannot be written.
pub(crate) fn run(args: &Eval, interrupt: &Interrupt) -> io::Result<bool> {
    interrupt.listen();
    let printed = automaton(args).and_then(|automaton| match automaton {
        Some(_) if args.trace.is_some() => Err(untraced(args, "an automaton")),
        Some(declared) => automaton::evaluate(args, &declared, interrupt).map(|report| report.print(args.json)),
        None => in_pixel(args).and_then(|network| match network {
            Some(_) if args.trace.is_some() => Err(untraced(args, "a network in the pixels")),
            Some(declared) => in_pixel::evaluate(args, &declared, interrupt).map(|report| report.print(args.json)),
            None => evaluate(args, interrupt).map(|report| report.print(args.json)),
        }),
    });
    match printed {
        Ok(printed) => printed.map(|()| true),
        Err(problems) => {
            for problem in problems {
                eprintln!("{problem}");
            }
            Ok(false)
        }
    }
}

/// The message for what has no layers that could be traced.
fn untraced(args: &Eval, what: &str) -> Vec<String> {
    vec![format!("{}: `--trace` shows the layers of a network, and this is {what}", Printable(args.file.display()))]
}

/// The declarations of one kind in a file, from which one is chosen by its name.
struct Choice<'a, T> {
    args: &'a Eval,
    /// The word for this kind.
    what: &'static str,
    all: &'a [T],
    name: fn(&T) -> &str,
}

impl<T: Clone> Choice<'_, T> {
    /// The one with the given name, or the only one.
    fn chosen(&self) -> Result<Option<T>, Vec<String>> {
        match (&self.args.name, self.all) {
            (Some(name), all) => Ok(all.iter().find(|one| (self.name)(one) == name).cloned()),
            (None, []) => Ok(None),
            (None, [one]) => Ok(Some(one.clone())),
            (None, _) => Err(self.problem(&format!("name one of the {}: ", self.what))),
        }
    }

    /// The message for a name that does not exist.
    fn missing(&self) -> Vec<String> {
        let name = self.args.name.as_deref().unwrap_or_default();
        self.problem(&format!("there is no network `{name}`; the file has "))
    }

    fn problem(&self, message: &str) -> Vec<String> {
        let names: Vec<String> = self.all.iter().map(|one| format!("`{}`", (self.name)(one))).collect();
        vec![format!("{}: {message}{}", Printable(self.args.file.display()), names.join(", "))]
    }
}

fn automaton(args: &Eval) -> Result<Option<DeclaredAutomaton>, Vec<String>> {
    let all = &load_automata(&args.file).map_err(|error| error.messages())?;
    Choice { args, what: "automata", all, name: |declared| declared.name() }.chosen()
}

fn in_pixel(args: &Eval) -> Result<Option<DeclaredInPixel>, Vec<String>> {
    let all = &load_in_pixel(&args.file).map_err(|error| error.messages())?;
    let choice = Choice { args, what: "networks", all, name: |declared| declared.name() };
    match choice.chosen()? {
        // Another kind of network may be meant.
        None if !all.is_empty() && load_networks(&args.file).is_err() => Err(choice.missing()),
        chosen => Ok(chosen),
    }
}

fn evaluate(args: &Eval, interrupt: &Interrupt) -> Result<Report, Vec<String>> {
    let one = |problem: String| vec![problem];
    trace::check(args).map_err(one)?;
    let declared = declared(args)?;
    let (_, errors) = load_machine(&args.file).map_err(|error| error.messages())?;
    let compiled = compiled(args, &declared, interrupt)?;
    let image = compiled.network().input;
    let data = pictures(args, (image.height, image.width)).map_err(one)?;
    warn(args, &declared, &compiled, &data);
    let head = head(&args.file, &compiled).map_err(one)?;
    let arrays = Arrays::new(&compiled, args.model.errors(errors), args.seed).map_err(one)?;
    let costs = arrays.costs(&data).map_err(one)?;
    let pictures: Vec<(&[u8], usize)> = data.iter().collect();
    let line = Line::new(u64::try_from(pictures.len()).unwrap_or(u64::MAX), "pictures");
    let answers = arrays.answers(&pictures, head, interrupt, &line).map_err(one)?;
    drop(line);
    if let Some(folder) = &args.trace {
        trace::write(args, folder, &compiled, &data, (head, &costs, errors), interrupt).map_err(one)?;
    }
    misread::write(args, &pictures, answers.iter().map(|answer| answer.class), image.width).map_err(one)?;
    Ok(Report::new(&compiled, &data, &answers, costs))
}

/// Tells where the predicted errors for the first pictures cost accuracy.
fn warn(args: &Eval, declared: &DeclaredNetwork, compiled: &CompiledNetwork, data: &Labelled) {
    const PICTURES: usize = 8;
    let first: Vec<Vec<u8>> = data.iter().take(PICTURES).map(|(picture, _)| picture.to_vec()).collect();
    let predicted = prediction(compiled, Some(&first));
    for (part, message) in predicted.iter().flat_map(|predicted| warnings(compiled, predicted)) {
        eprintln!("{}:{}", Printable(args.file.display()), declared.diagnostic(part, message));
    }
}

/// The network that is evaluated.
fn declared(args: &Eval) -> Result<DeclaredNetwork, Vec<String>> {
    let all = &load_networks(&args.file).map_err(|error| error.messages())?;
    let choice = Choice { args, what: "networks", all, name: |declared| declared.name() };
    choice.chosen()?.ok_or_else(|| choice.missing())
}
