//! Shows automata, part by part of a step.

use std::fmt::Write as _;

use cain_codegen::kernel_file::{DeclaredAutomaton, Diagnostic};
use cain_codegen::plan_file::PlanFolder;

use super::args::{Format, Show};
use super::facts::count;
use crate::automaton::{self, AutomatonRecord, Programs};
use crate::watch::Interrupt;

/// A step of an automaton, with the programs of a build unless options ask for others.
pub(super) fn show(
    declared: &DeclaredAutomaton,
    plans: &PlanFolder,
    format: Format,
    args: &Show,
    interrupt: &Interrupt,
) -> Result<String, Diagnostic> {
    if !matches!(format, Format::Text | Format::Scamp5) {
        let message = "automata are shown as `--format text` and `--format scamp5` only";
        return Err(declared.diagnostic(None, message));
    }
    if args.details().steps.is_some() {
        return Err(declared.diagnostic(None, "`--steps` is for filters; automata are shown with all steps"));
    }
    let searched = Programs::Searched(args.search.nodes);
    let programs = if args.search.is_asked_for() { searched } else { Programs::OfBuild(plans) };
    let record = automaton::record(declared, programs, interrupt)?;
    Ok(if format == Format::Scamp5 { listing(&record) } else { text(&record, declared.doc.as_deref()) })
}

/// The programs alone.
fn listing(record: &AutomatonRecord) -> String {
    let mut listing = Vec::new();
    // Writing to a vector cannot fail.
    let _ = record.print_listing(&mut listing);
    String::from_utf8_lossy(&listing).trim_start().to_owned()
}

/// Every part, with its costs and the places of its results.
fn text(record: &AutomatonRecord, doc: Option<&str>) -> String {
    let mut text = format!("{}\n", record.name);
    let head = [
        format!("a step: {} control words, about {:.2} µs on the chip", record.words, record.us),
        format!("grey and state are in {}", record.state.join(" ")),
        "all sums are proved, and that no value on the way overflows the registers".to_owned(),
    ];
    let doc = doc.into_iter().flat_map(str::lines).map(str::to_owned);
    doc.chain(head).for_each(|line| text = format!("{text}  {line}\n"));
    for part in &record.parts {
        let words = count(u64::try_from(part.words).unwrap_or(u64::MAX), "control word");
        // Writing to a text cannot fail.
        let _ = writeln!(text, "\n{}: {words}, {:.2} µs", part.name, part.us);
        if !part.results.is_empty() {
            let _ = writeln!(text, "  results in {}", part.results.join(" "));
        }
        part.listing.iter().for_each(|line| text.extend(["  ", line, "\n"]));
    }
    text
}
