//! The search for one filter of a kernel file.

use cain_codegen::Plan;
use cain_codegen::kernel_file::{Diagnostic, Filter};
use cain_search::{Declaration, search_watched};

use crate::args::{DEFAULT_NODES, Search};
use crate::interrupt::Interrupt;
use crate::watch::{Cut, Watch, Watched};

/// What a search found.
pub(crate) struct Found {
    pub(crate) plan: Plan,
    /// When it was found.
    pub(crate) watched: Watched,
    /// What the user should know about the search.
    pub(crate) notice: Option<Diagnostic>,
}

/// Searches a program for a filter, with the options of the command line before those of the file.
pub(crate) fn find(filter: &Filter, args: &Search, interrupt: &Interrupt) -> Result<Found, Diagnostic> {
    if interrupt.is_pressed() {
        return Err(filter.diagnostic("not searched because of Ctrl-C"));
    }
    let declaration = declaration(filter, args);
    let mut watch = Watch::start(filter.name(), declaration.options.nodes, args.time, interrupt);
    let solution = search_watched(&declaration, |progress| watch.look(progress));
    let watched = watch.stop();
    let solution = match (solution, watched.cut) {
        (Ok(solution), _) => solution,
        (Err(_), Some(Cut::Time(limit))) => {
            let seconds = limit.as_secs_f64();
            return Err(filter.diagnostic(&format!("no program found within {seconds} s; allow more with `--time`")));
        }
        (Err(_), Some(Cut::Interrupt)) => return Err(filter.diagnostic("no program found before Ctrl-C")),
        (Err(error), None) => return Err(filter.search_failed(&error)),
    };
    let interrupted = watched.cut == Some(Cut::Interrupt);
    let notice = interrupted.then(|| filter.diagnostic("this is the best program found before Ctrl-C"));
    let plan = Plan { solution, approximated: filter.approximated, folder: None };
    Ok(Found { plan, watched, notice })
}

/// The declaration with the options of the command line.
fn declaration(filter: &Filter, args: &Search) -> Declaration {
    let mut declaration = filter.declaration.clone();
    let options = &mut declaration.options;
    options.nodes = args.nodes.or(filter.nodes).unwrap_or(DEFAULT_NODES);
    options.memory = args.memory.unwrap_or(options.memory);
    options.instructions = args.isa.unwrap_or(options.instructions);
    options.objective = args.objective.unwrap_or(options.objective);
    options.offset = args.offset.or(options.offset);
    declaration
}
