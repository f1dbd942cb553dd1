//! The filters of a kernel file that a command is about, and the search for a program for each.

use std::path::Path;

use cain_codegen::Plan;
use cain_codegen::kernel_file::{self, AnyFilter, Diagnostic, Filter, LoadError};
use cain_codegen::printable::Printable;
use cain_search::{Declaration, search_watched};

use crate::options::{DEFAULT_NODES, Search};
use crate::watch::{Cut, Interrupt, Watch, Watched};

/// The filters with these names, each once and in this order, or all of the file if there are no names.
///
/// `None` if the file or a name is wrong; that has been reported then.
pub(crate) fn load(file: &Path, names: &[String], search: &Search) -> Option<Vec<Filter>> {
    let filters = kernel_file::load_for(file, search.overrides());
    let chosen = choose(file, filters, names, Filter::name)?;
    for filter in &chosen {
        warn(file, filter);
    }
    Some(chosen)
}

/// [`load`] for filters of both kinds.
pub(crate) fn load_any(file: &Path, names: &[String], search: &Search) -> Option<Vec<AnyFilter>> {
    let filters = kernel_file::load_any(file, search.overrides());
    let chosen = choose(file, filters, names, AnyFilter::name)?;
    for filter in &chosen {
        if let AnyFilter::Analogue(filter) = filter {
            warn(file, filter);
        }
    }
    Some(chosen)
}

fn warn(file: &Path, filter: &Filter) {
    for warning in &filter.warnings {
        eprintln!("warning: {}:{warning}", Printable(file.display()));
    }
}

fn choose<F: Clone>(
    file: &Path,
    filters: Result<Vec<F>, LoadError>,
    names: &[String],
    name_of: fn(&F) -> &str,
) -> Option<Vec<F>> {
    let filters = filters.map_err(|error| eprintln!("{error}")).ok()?;
    if names.is_empty() {
        return Some(filters);
    }
    let mut chosen: Vec<F> = Vec::new();
    let mut is_right = true;
    for name in names {
        match kernel_file::find(&filters, name, name_of) {
            Ok(_) if chosen.iter().any(|earlier| name_of(earlier) == name) => {}
            Ok(filter) => chosen.push(filter.clone()),
            Err(problem) => {
                eprintln!("{}: {}", Printable(file.display()), Printable(&problem));
                is_right = false;
            }
        }
    }
    is_right.then_some(chosen)
}

/// What a search found.
pub(crate) struct Found {
    pub(crate) plan: Plan,
    pub(crate) watched: Watched,
    /// What else to tell the user about the search.
    pub(crate) notice: Option<Diagnostic>,
}

/// Searches for a program of a filter. Options of the command line take precedence over those of the file.
pub(crate) fn find(filter: &Filter, args: &Search, interrupt: &Interrupt) -> Result<Found, Diagnostic> {
    let declaration = declaration(filter, args);
    let start = || Watch::start(filter.name(), declaration.options.nodes, args.time, interrupt);
    let (solution, watched) =
        watched(interrupt, start, |watch| search_watched(&declaration, |progress| watch.look(progress))).map_err(
            |failure| match failure {
                Failure::Ended(message) => filter.diagnostic(&message),
                Failure::Search(error) => filter.search_failed(&error),
            },
        )?;
    let interrupted = watched.cut == Some(Cut::Interrupt);
    let notice = interrupted.then(|| filter.diagnostic("this is the best program found before Ctrl-C"));
    let plan = Plan::new(solution, filter.approximated, None);
    Ok(Found { plan, watched, notice })
}

/// Why a watched search has no result.
pub(crate) enum Failure<E> {
    /// It was not begun, or ended before its budget; the message says so.
    Ended(String),
    /// It failed by itself.
    Search(E),
}

/// The result of a search, and how it went.
pub(crate) fn watched<'a, S, E>(
    interrupt: &Interrupt,
    start: impl FnOnce() -> Watch<'a>,
    search: impl FnOnce(&mut Watch<'a>) -> Result<S, E>,
) -> Result<(S, Watched), Failure<E>> {
    if interrupt.is_pressed() {
        return Err(Failure::Ended("not searched because of Ctrl-C".to_owned()));
    }
    let mut watch = start();
    let result = search(&mut watch);
    let watched = watch.stop();
    match (result, watched.cut) {
        (Ok(solution), _) => Ok((solution, watched)),
        (Err(_), Some(Cut::Time(limit))) => {
            let seconds = limit.as_secs_f64();
            Err(Failure::Ended(format!("no program found within {seconds} s; allow more with `--time`")))
        }
        (Err(_), Some(Cut::Interrupt)) => Err(Failure::Ended("no program found before Ctrl-C".to_owned())),
        (Err(error), None) => Err(Failure::Search(error)),
    }
}

/// The declaration with the options of the command line.
fn declaration(filter: &Filter, args: &Search) -> Declaration {
    let mut declaration = filter.declaration.clone();
    let options = &mut declaration.options;
    options.nodes = args.nodes.or(filter.nodes).unwrap_or(DEFAULT_NODES);
    options.memory = args.memory.unwrap_or(options.memory);
    options.instructions = args.isa.unwrap_or(options.instructions);
    options.objective = args.objective.unwrap_or(options.objective);
    options.offset = args.offset.unwrap_or(options.offset);
    options.input = args.input.or(options.input);
    options.max_gain = args.max_gain.unwrap_or(options.max_gain);
    options.accuracy = args.accuracy.or(options.accuracy);
    options.error_model = args.chip.unwrap_or(options.error_model);
    declaration
}
