//! `cain eval`.

mod args;
mod array;
mod automaton;
mod controller;
mod costs;
mod in_pixel;
mod misread;
mod report;

use std::io;

use cain_codegen::kernel_file::{
    DeclaredAutomaton, DeclaredInPixel, DeclaredNetwork, load_automata, load_in_pixel, load_machine, load_networks,
};
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;
use cain_search::network::{CompiledNetwork, Operation, compile};
use indicatif::ProgressBar;

pub(crate) use args::Eval;

use crate::data::Labelled;
use crate::files::write;
use crate::sources::package::Package;
use crate::watch::Interrupt;
use array::Arrays;
use report::Report;

/// Whether the network was evaluated; fails if the standard output cannot be written.
pub(crate) fn run(args: &Eval, interrupt: &Interrupt) -> io::Result<bool> {
    interrupt.listen();
    let printed = automaton(args).and_then(|automaton| match automaton {
        Some(declared) => automaton::evaluate(args, &declared, interrupt).map(|report| report.print(args.json)),
        None => in_pixel(args).and_then(|network| match network {
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

/// The automaton that is named, or the only one.
fn automaton(args: &Eval) -> Result<Option<DeclaredAutomaton>, Vec<String>> {
    let automata = load_automata(&args.file).map_err(|error| error.messages())?;
    match (&args.name, automata.as_slice()) {
        (Some(name), all) => Ok(all.iter().find(|automaton| automaton.name() == name).cloned()),
        (None, []) => Ok(None),
        (None, [one]) => Ok(Some(one.clone())),
        (None, all) => {
            let names: Vec<String> = all.iter().map(|automaton| format!("`{}`", automaton.name())).collect();
            let file = Printable(args.file.display());
            Err(vec![format!("{file}: name one of the automata: {}", names.join(", "))])
        }
    }
}

/// The network in the pixels that is named, or the only one.
fn in_pixel(args: &Eval) -> Result<Option<DeclaredInPixel>, Vec<String>> {
    let networks = load_in_pixel(&args.file).map_err(|error| error.messages())?;
    let file = Printable(args.file.display());
    let names = || networks.iter().map(|network| format!("`{}`", network.name)).collect::<Vec<_>>().join(", ");
    match (&args.name, networks.as_slice()) {
        (_, []) => Ok(None),
        (None, [one]) => Ok(Some(one.clone())),
        (None, _) => Err(vec![format!("{file}: name one of the networks: {}", names())]),
        (Some(name), all) => match all.iter().find(|network| network.name == *name) {
            Some(found) => Ok(Some(found.clone())),
            None if load_networks(&args.file).is_ok() => Ok(None),
            None => Err(vec![format!("{file}: there is no network `{name}`; the file has {}", names())]),
        },
    }
}

fn evaluate(args: &Eval, interrupt: &Interrupt) -> Result<Report, Vec<String>> {
    let one = |problem: String| vec![problem];
    let declared = declared(args)?;
    let (_, errors) = load_machine(&args.file).map_err(|error| error.messages())?;
    let compiled = compiled(args, &declared)?;
    let image = compiled.network().input;
    let limit = args.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let data = Labelled::load(&args.data, (image.height, image.width), limit).map_err(one)?;
    let head = head(args, &compiled).map_err(one)?;
    let arrays = Arrays::new(&compiled, args.model.errors(errors), args.seed).map_err(one)?;
    let costs = arrays.costs(&data).map_err(one)?;
    let pictures: Vec<(&[u8], usize)> = data.iter().collect();
    let line = ProgressBar::new(u64::try_from(pictures.len()).unwrap_or(u64::MAX));
    let answers = arrays.answers(&pictures, head, interrupt, &line).map_err(one)?;
    line.finish_and_clear();
    if let Some(path) = &args.output {
        let picture = misread::sheet(&pictures, answers.iter().map(|answer| answer.class), image.width);
        let bytes = picture.png().map_err(|error| one(error.to_string()))?;
        write(path, bytes).map_err(one)?;
    }
    Ok(Report::new(&compiled, &data, &answers, costs))
}

/// The network that is evaluated.
fn declared(args: &Eval) -> Result<DeclaredNetwork, Vec<String>> {
    let networks = load_networks(&args.file).map_err(|error| error.messages())?;
    let file = Printable(args.file.display());
    let names = || networks.iter().map(|network| format!("`{}`", network.name())).collect::<Vec<_>>().join(", ");
    match &args.name {
        Some(name) => {
            let found = networks.iter().find(|network| network.name() == name);
            found
                .cloned()
                .ok_or_else(|| vec![format!("{file}: there is no network `{name}`; the file has {}", names())])
        }
        None => match networks.as_slice() {
            [network] => Ok(network.clone()),
            _ => Err(vec![format!("{file}: name one of the networks: {}", names())]),
        },
    }
}

/// The network as a build compiles it: with its plan if there is one, unless another budget is wanted.
fn compiled(args: &Eval, declared: &DeclaredNetwork) -> Result<CompiledNetwork, Vec<String>> {
    if args.nodes.is_none() {
        let planned = plans(args)?.load_network(&declared.network).map_err(|error| vec![error.to_string()])?;
        if let Some((compiled, _)) = planned {
            return Ok(compiled);
        }
    }
    let mut network = declared.network.clone();
    network.options.nodes = args.nodes.unwrap_or(network.options.nodes);
    compile(&network).map_err(|error| {
        let diagnostic = declared.diagnostic(error.layer, &error.obstacle.to_string());
        vec![format!("{}:{diagnostic}", Printable(args.file.display()))]
    })
}

fn plans(args: &Eval) -> Result<PlanFolder, Vec<String>> {
    match &args.plans {
        Some(folder) => Ok(PlanFolder::new(folder, folder)),
        None => Package::of(&args.file)
            .map(|package| package.plans())
            .map_err(|error| vec![format!("{}: {error}", Printable(args.file.display()))]),
    }
}

/// The layer whose numbers tell the class: the first one that nobody reads.
fn head(args: &Eval, compiled: &CompiledNetwork) -> Result<usize, String> {
    let network = compiled.network();
    let shapes = network.shapes().map_err(|error| error.to_string())?;
    let is_number = |&layer: &usize| matches!(shapes.get(layer), Some(cain_search::network::Shape::Numbers(_)));
    network.heads().into_iter().find(is_number).ok_or_else(|| {
        let file = Printable(args.file.display());
        format!("{file}: network `{}` ends in maps; end it with numbers, one for each class", network.name)
    })
}

/// The class that a head tells.
fn class(operation: Option<&Operation>, numbers: &[f64]) -> usize {
    if matches!(operation, Some(Operation::Argmax)) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the place of a number")]
        return numbers.first().map_or(0, |place| *place as usize);
    }
    let first = (0, f64::NEG_INFINITY);
    let larger = |(best, most), (place, &number)| if number > most { (place, number) } else { (best, most) };
    numbers.iter().enumerate().fold(first, larger).0
}

#[expect(clippy::cast_precision_loss, reason = "there are fewer pictures than 2^53")]
fn share(part: usize, of: usize) -> f64 {
    part as f64 / of.max(1) as f64
}
