//! `cain show`.

mod args;
mod dot;
mod facts;
mod form;
mod grid;
mod html;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod trace;
mod vendor;

use std::io::{self, Write as _};

use cain_codegen::Plan;
use cain_codegen::kernel_file::{Diagnostic, Filter};
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;

pub(crate) use args::Show;

use crate::files::write;
use crate::options::Search;
use crate::search::{Found, find, load};
use crate::watch::Interrupt;
use args::Format;
use svg::card::Look;
use trace::Trace;

/// Whether every filter could be shown; fails if the standard output cannot be written.
pub(crate) fn run(args: &Show, interrupt: &Interrupt) -> io::Result<bool> {
    let Some(chosen) = load(&args.file, &args.names, &args.search) else { return Ok(false) };
    let file = Printable(args.file.display());
    if let Some(problem) = too_many(&chosen, args.format()) {
        eprintln!("{file}: {problem}");
        return Ok(false);
    }
    let plans = args.plans();
    interrupt.listen();
    let mut shown = Vec::new();
    for filter in &chosen {
        match show(filter, args, plans.as_ref(), interrupt) {
            Ok((text, notices)) => {
                for notice in notices {
                    eprintln!("{file}:{notice}");
                }
                shown.push(text);
            }
            Err(problem) => eprintln!("{file}:{problem}"),
        }
    }
    let complete = shown.len() == chosen.len();
    let text = shown.join("\n");
    match &args.output {
        None => io::stdout().lock().write_all(text.as_bytes()).map(|()| complete),
        // A file with some of the programs would look complete.
        Some(_) if !complete => Ok(false),
        Some(path) => Ok(write(path, &text).map_err(|problem| eprintln!("{problem}")).is_ok()),
    }
}

/// Pictures show one filter.
fn too_many(chosen: &[Filter], format: Format) -> Option<String> {
    let is_picture = matches!(format, Format::Svg | Format::Html | Format::Dot);
    let names = || chosen.iter().map(|filter| format!("`{}`", filter.name())).collect::<Vec<_>>().join(", ");
    (is_picture && chosen.len() > 1).then(|| format!("a picture shows one filter; name one of {}", names()))
}

/// The filter's program in the chosen format, and remarks about its origin.
fn show(
    filter: &Filter,
    args: &Show,
    plans: Option<&PlanFolder>,
    interrupt: &Interrupt,
) -> Result<(String, Vec<Diagnostic>), Diagnostic> {
    let (plan, notices) = plan(filter, plans, &args.search, interrupt)?;
    let text = render(&plan, filter.doc.as_deref(), args.format(), args.simulator.as_deref());
    text.map(|text| (text, notices)).map_err(|problem| filter.diagnostic(&problem))
}

/// The plan of a filter, from its plan file or else from a search, and remarks about its origin.
fn plan(
    filter: &Filter,
    plans: Option<&PlanFolder>,
    args: &Search,
    interrupt: &Interrupt,
) -> Result<(Plan, Vec<Diagnostic>), Diagnostic> {
    let mut notices = Vec::new();
    if let Some(plans) = plans {
        match plans.load(&filter.declaration) {
            Ok(Some(solution)) => {
                let plan = Plan::new(solution, filter.approximated, Some(plans.clone()));
                return Ok((plan, notices));
            }
            Ok(None) => {}
            Err(error) => notices.push(filter.diagnostic(&format!("its plan is not used: {error}"))),
        }
    }
    let Found { plan, notice, .. } = find(filter, args, interrupt)?;
    notices.extend(notice);
    Ok((plan, notices))
}

/// A plan in that format, with the documentation of its filter; the error tells why the format cannot show it.
fn render(plan: &Plan, doc: Option<&str>, format: Format, simulator: Option<&str>) -> Result<String, String> {
    let trace = Trace::of(&plan.solution.program).map_err(|error| error.to_string())?;
    let look = || {
        let look = Look::of(&trace, facts::inputs(plan.declaration()));
        look.ok_or_else(|| "the program reaches too far for a picture; take `--format text`".to_owned())
    };
    Ok(match format {
        Format::Text => text::text(plan, doc, &trace),
        Format::Scamp5 => vendor::scamp5(plan, doc),
        Format::Jss => vendor::jss(plan, doc, simulator)?,
        Format::Dot => dot::dot(plan, &trace),
        Format::Svg => svg::svg(plan, &trace, &look()?),
        Format::Html => html::html(plan, doc, &trace, &look()?),
    })
}
