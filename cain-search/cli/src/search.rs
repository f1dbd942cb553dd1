//! The search for the programs that a command is about.

use cain_codegen::kernel_file::Diagnostic;
use cain_codegen::kinds::{Compiled, Part, Placed};
use cain_codegen::plan_file::PlanFolder;

use crate::kinds::Shown;
use crate::options::Search;
use crate::watch::{Cut, Interrupt, Watch, Watched};

/// What a search found.
pub(crate) struct Found<K: Shown> {
    pub(crate) compiled: Compiled<K>,
    pub(crate) watched: Watched,
    /// A further message about the search for the user.
    pub(crate) notice: Option<Diagnostic>,
}

/// Searches for programs of a declaration. Options of the command line take precedence over those of the source.
pub(crate) fn find<K: Shown>(
    declared: &Placed<K>,
    args: &Search,
    interrupt: &Interrupt,
) -> Result<Found<K>, Diagnostic> {
    search(declared, &declared.of.with(args), args, interrupt)
}

/// What becomes of a plan that does not belong to its declaration.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stale {
    /// An error, as in a build.
    Refused,
    /// A remark; the program is searched for.
    Told,
}

/// The programs that a build uses unless options ask for others, and remarks about their origin: those of the plan, else what
/// a search with the budget of the build finds.
pub(crate) fn of_build<K: Shown>(
    declared: &Placed<K>,
    plans: &PlanFolder,
    stale: Stale,
    args: &Search,
    interrupt: &Interrupt,
) -> Result<(Compiled<K>, Vec<Diagnostic>), Diagnostic> {
    let mut notices = Vec::new();
    let found = if args.is_asked_for() {
        find(declared, args, interrupt)?
    } else {
        match declared.of.load(plans) {
            Ok(Some((program, file))) => return Ok((Compiled { program, file: Some(file) }, notices)),
            Ok(None) => {}
            Err(error) if stale == Stale::Refused => return Err(declared.diagnostic(Part::Whole, error)),
            Err(error) => notices.push(declared.diagnostic(Part::Whole, format_args!("its plan is not used: {error}"))),
        }
        search(declared, &declared.of, args, interrupt)?
    };
    notices.extend(found.notice);
    Ok((found.compiled, notices))
}

/// Searches for programs of a declaration with other options.
fn search<K: Shown>(
    declared: &Placed<K>,
    wanted: &K,
    args: &Search,
    interrupt: &Interrupt,
) -> Result<Found<K>, Diagnostic> {
    let ended = |message: &str| declared.diagnostic(Part::Whole, message);
    if interrupt.is_pressed() {
        return Err(ended("not searched because of Ctrl-C"));
    }
    let mut watch = Watch::start(declared.name(), wanted.nodes(), args.time, interrupt);
    let result = wanted.search(&mut |progress| watch.look(progress));
    let watched = watch.stop();
    match (result, watched.cut) {
        (Ok(program), _) => {
            wanted.check(&program).map_err(|mistake| declared.diagnostic(mistake.part, mistake.message))?;
            let words = K::figures(&program).words;
            if let Some(most) = args.max_words.filter(|most| words > usize::try_from(*most).unwrap_or(usize::MAX)) {
                return Err(ended(&format!(
                    "the shortest program found takes {words} control words, more than {most}"
                )));
            }
            let notice = watched.notice().map(ended);
            Ok(Found { compiled: Compiled { program, file: None }, watched, notice })
        }
        (Err(_), Some(Cut::Time(limit))) => {
            let seconds = limit.as_secs_f64();
            Err(ended(&format!("no program found within {seconds} s; allow more with `--time`")))
        }
        (Err(_), Some(Cut::Interrupt)) => Err(ended("no program found before Ctrl-C")),
        (Err(error), None) => Err(declared.failed(&error)),
    }
}
