//! Searches for the program of a filter that a command needs.

use cain_codegen::Plan;
use cain_codegen::kernel_file::{Diagnostic, Exact, ExactFilter, Filter};
use cain_codegen::plan_file::{PlanFolder, PlanPath};
use cain_search::{Declaration, search_watched};

use crate::options::{DEFAULT_NODES, Search};
use crate::sources::Declared;
use crate::watch::{Cut, Interrupt, Watch, Watched};

/// The result of a search.
pub(crate) struct Found {
    pub(crate) plan: Plan,
    pub(crate) watched: Watched,
    /// A further message about the search for the user.
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
    let notice = watched.notice().map(|message| filter.diagnostic(message));
    let plan = Plan::new(solution, filter.approximated, None);
    Ok(Found { plan, watched, notice })
}

/// The result of a search on bits, how the search went, and a further message for the user. Options of the command line
/// take precedence over those of the file.
pub(crate) fn find_exact<D: Exact>(
    filter: &ExactFilter<D>,
    args: &Search,
    interrupt: &Interrupt,
) -> Result<(D::Solution, Watched, Option<Diagnostic>), Diagnostic> {
    let nodes = args.nodes.unwrap_or(filter.declaration.nodes());
    let declaration = filter.declaration.clone().with_nodes(nodes);
    let start = || Watch::start(filter.name(), nodes, args.time, interrupt);
    let found = watched(interrupt, start, |watch| declaration.search(&mut |progress| watch.look(progress)));
    let (solution, watched) = found.map_err(|failure| match failure {
        Failure::Ended(message) => filter.diagnostic(&message),
        Failure::Search(error) => filter.search_failed(&error),
    })?;
    let notice = watched.notice().map(|message| filter.diagnostic(message));
    Ok((solution, watched, notice))
}

/// The program that a build uses for a filter on bits, unless options ask for another one, and remarks about its
/// origin.
pub(crate) fn exact_of_build<D: Exact>(
    filter: &ExactFilter<D>,
    plans: &PlanFolder,
    args: &Search,
    interrupt: &Interrupt,
) -> Result<(D::Solution, Vec<Diagnostic>), Diagnostic> {
    let mut notices = Vec::new();
    if !args.is_asked_for() {
        match plans.load_bits(&filter.declaration) {
            Ok(Some((solution, _))) => return Ok((solution, notices)),
            Ok(None) => {}
            Err(error) => notices.push(filter.diagnostic(&format!("its plan is not used: {error}"))),
        }
    }
    let (solution, _, notice) = find_exact(filter, args, interrupt)?;
    notices.extend(notice);
    Ok((solution, notices))
}

/// The plan that a build uses for a filter, and remarks about its origin: the file itself if that is a plan, or else
/// the plan file, or else the result of a search with the budget of the build.
pub(crate) fn plan_of_build<F>(
    filter: &Filter,
    declared: &Declared<F>,
    args: &Search,
    interrupt: &Interrupt,
) -> Result<(Plan, Vec<Diagnostic>), Diagnostic> {
    let Declared { plans, program, .. } = declared;
    if let Some(solution) = program {
        return Ok((Plan::new(solution.clone(), filter.approximated, Some(PlanPath::of(&declared.file))), Vec::new()));
    }
    let mut notices = Vec::new();
    match plans.load(&filter.declaration) {
        Ok(Some((solution, file))) => {
            return Ok((Plan::new(solution, filter.approximated, Some(file)), notices));
        }
        Ok(None) => {}
        Err(error) => notices.push(filter.diagnostic(&format!("its plan is not used: {error}"))),
    }
    let budget = Search { nodes: Some(filter.declaration.options.nodes), ..args.clone() };
    let Found { plan, notice, .. } = find(filter, &budget, interrupt)?;
    notices.extend(notice);
    Ok((plan, notices))
}

/// The reason why a watched search has no result.
pub(crate) enum Failure<E> {
    /// It was not begun, or ended before its budget; the message says which.
    Ended(String),
    /// It failed by itself.
    Search(E),
}

/// Runs a search under a watch; returns the result, and how the search went.
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

/// The declaration of a filter with the options of the command line.
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
    options.max_words = args.max_words.or(options.max_words);
    options.error_model = args.chip.unwrap_or(options.error_model);
    declaration
}
