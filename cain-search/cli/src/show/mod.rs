//! `cain show`.

mod args;
mod bits;
mod blocks;
mod dot;
mod facts;
mod form;
pub(crate) mod format;
mod frame;
mod grid;
mod html;
pub(crate) mod leaving;
mod lives;
mod parts;
pub(crate) mod phrases;
mod planes;
mod programs;
mod stages;
pub(crate) mod svg;
#[cfg(test)]
mod tests;
mod text;
mod trace;
mod vendor;

use std::io::{self, Write as _};

use cain_codegen::kernel_file::Diagnostic;
use cain_codegen::kinds::{Part, Placed};
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::printable::Printable;
use cain_codegen::{Plan, of_each_kind};
use cain_isa::program::StepOf;

pub(crate) use args::Show;
pub(crate) use bits::show as digital;
pub(crate) use blocks::show as super_pixels;
pub(crate) use programs::show as whole;
pub(crate) use stages::{show as network, show_automaton as automaton, show_in_pixel as in_pixel};
pub(crate) use vendor::{pasted, remarks};

use crate::files::{check, write};
use crate::kinds::{Asked, Shown};
use crate::search::{Stale, of_build};
use crate::sources::{Declared, Reading, load};
use crate::watch::Interrupt;
use format::{Details, Format};
use svg::card::Look;
use trace::Trace;

/// Whether every filter could be shown; fails if the standard output cannot be written.
pub(crate) fn run(args: &Show, interrupt: &Interrupt) -> io::Result<bool> {
    let format = match args.format().and_then(|format| args.output.as_deref().map_or(Ok(()), check).map(|()| format)) {
        Ok(format) => format,
        Err(problem) => {
            eprintln!("{problem}");
            return Ok(false);
        }
    };
    let reading = Reading::of(&args.search, args.plans.as_deref());
    let Some(chosen) = load(&args.file, &args.names, &reading) else { return Ok(false) };
    if let Some(problem) = too_many(&chosen, format) {
        eprintln!("{}: {problem}", Printable(args.file.display()));
        return Ok(false);
    }
    interrupt.listen();
    let mut shown = Vec::new();
    for declared in &chosen {
        let (item, plans) = (&declared.item, &declared.plans);
        match of_each_kind!(item, item => show(item, plans, format, args, interrupt)) {
            Ok((text, notices)) => {
                for notice in notices {
                    eprintln!("{}", declared.locate(&notice));
                }
                shown.push(text);
            }
            Err(problem) => eprintln!("{}", declared.locate(&problem)),
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
fn too_many(chosen: &[Declared], format: Format) -> Option<String> {
    let names = || chosen.iter().map(|declared| format!("`{}`", declared.item.name())).collect::<Vec<_>>().join(", ");
    (format.is_picture() && chosen.len() > 1).then(|| format!("a picture shows one filter; name one of {}", names()))
}

/// The programs in the chosen format, and remarks about their origin.
fn show<K: Shown>(
    declared: &Placed<K>,
    plans: &PlanFolder,
    format: Format,
    args: &Show,
    interrupt: &Interrupt,
) -> Result<(String, Vec<Diagnostic>), Diagnostic> {
    let problem = |message: String| declared.diagnostic(Part::Whole, message);
    let (what, formats) = K::FORMATS;
    if !formats.contains(&format) {
        let formats: Vec<String> = formats.iter().map(|format| format!("`--format {}`", format.name())).collect();
        return Err(problem(format!("{what} are shown as {} only", phrases::enumerated(&formats))));
    }
    let (compiled, notices) = of_build(declared, plans, Stale::Told, &args.search, interrupt)?;
    let (of, doc, details) = (&declared.of, declared.doc.as_deref(), args.details());
    let program = of.program(&compiled.program);
    details.check(program.steps().map(StepOf::pieces).sum()).map_err(problem)?;
    if format == Format::Scamp5 {
        return Ok((of.pasted(&compiled, &program, doc), notices));
    }
    let text = of.show(&Asked { compiled: &compiled, program: &program, doc, format, details });
    text.map(|text| (text, notices)).map_err(problem)
}

/// The most instructions that a picture has room for.
const MOST_IN_PICTURE: usize = 512;

/// A plan in that format, with the documentation of its filter; the error tells why the format cannot show it.
pub(crate) fn render(plan: &Plan, doc: Option<&str>, format: Format, details: Details<'_>) -> Result<String, String> {
    let Details { simulator, steps } = details;
    let count = plan.listing().len();
    if format.is_picture() && count > MOST_IN_PICTURE {
        return Err(format!(
            "the program has {count} instructions, and a picture room for {MOST_IN_PICTURE}; take `--format text`"
        ));
    }
    let trace = Trace::of(&plan.solution.program).map_err(|error| error.to_string())?;
    let look = || {
        let look = Look::of(&trace, facts::inputs(plan.declaration()));
        look.ok_or_else(|| "the program reaches too far for a picture; take `--format text`".to_owned())
    };
    Ok(match format {
        Format::Text => text::text(plan, doc, &trace, steps),
        Format::Scamp5 => vendor::pasted(plan, doc),
        Format::Jss => vendor::jss(plan, doc, simulator)?,
        Format::Dot => dot::dot(plan, &trace),
        Format::Svg => svg::svg(plan, &trace, &look()?),
        Format::Html => html::html(plan, doc, &trace, &look()?),
    })
}
