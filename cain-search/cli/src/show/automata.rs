//! Shows automata, part by part of a step.

use std::fmt::Write as _;

use cain_codegen::kinds::Automaton;

use super::format::{Details, Format};
use super::phrases::count;
use crate::automaton::AutomatonRecord;
use crate::kinds::listing;

/// A step of an automaton in one of the formats.
pub(crate) fn show(
    record: &AutomatonRecord,
    doc: Option<&str>,
    format: Format,
    details: Details<'_>,
) -> Result<String, String> {
    details.check(record.instructions)?;
    Ok(if format == Format::Scamp5 { listing::<Automaton>(record) } else { text(record, doc, details) })
}

/// Every part with what it costs and where its results are.
fn text(record: &AutomatonRecord, doc: Option<&str>, details: Details<'_>) -> String {
    let mut text = format!("{}\n", record.name);
    let head = [
        format!("a step: {} control words, about {:.2} µs on the chip", record.words, record.us),
        format!("grey and state are in {}", record.state.join(" ")),
        "all sums are proved, and that no value on the way overflows the registers".to_owned(),
    ];
    let doc = doc.into_iter().flat_map(str::lines).map(str::to_owned);
    doc.chain(head).for_each(|line| text = format!("{text}  {line}\n"));
    let mut before = 0;
    for part in &record.parts {
        let first = before + 1;
        before += part.listing.len();
        let shown: Vec<_> = (first..).zip(&part.listing).filter(|(number, _)| details.has(*number)).collect();
        if shown.is_empty() && details.steps.is_some() {
            continue;
        }
        let words = count(u64::try_from(part.words).unwrap_or(u64::MAX), "control word");
        // Writing to a text cannot fail.
        let _ = writeln!(text, "\n{}: {words}, {:.2} µs", part.name, part.us);
        if !part.results.is_empty() {
            let _ = writeln!(text, "  results in {}", part.results.join(" "));
        }
        for (number, line) in &shown {
            text.extend([&format!("{number:>4}  "), line.as_str(), "\n"]);
        }
    }
    text
}
