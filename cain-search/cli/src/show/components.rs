//! Shows networks in the pixels, part by part.

use std::fmt::Write as _;

use cain_codegen::kinds::InPixel;
use cain_isa::Instruction;
use cain_network::in_pixel::Compiled;

use super::args::{Details, Format};
use super::facts::{count, enumerated};
use super::leaving;
use super::stages::made;
use crate::kinds::listing;
use crate::network;
use crate::program::ProgramRecord;

/// The programs of a network in one of the formats.
pub(crate) fn show(
    name: &str,
    compiled: &Compiled,
    doc: Option<&str>,
    format: Format,
    details: Details<'_>,
) -> Result<String, String> {
    let record = network::record_in_pixel(name, compiled);
    details.check(record.parts.iter().map(|part| part.listing.len()).sum())?;
    Ok(if format == Format::Scamp5 { listing::<InPixel>(&record) } else { text(&record, compiled, doc, details) })
}

/// Every step with what it makes, and where others may interrupt the network.
fn text(record: &ProgramRecord, compiled: &Compiled, doc: Option<&str>, details: Details<'_>) -> String {
    let ProgramRecord { name, words, us, reserved, parts, .. } = record;
    let mut text = format!("{name}\n");
    doc.into_iter().flat_map(str::lines).for_each(|line| text = format!("{text}  {line}\n"));
    let head = [
        format!("{words} control words, about {us:.2} µs on the chip, without read-outs"),
        format!("a pixel of 1 counts {} DN", compiled.level()),
        format!("weights are in {}, which are loaded once", enumerated(reserved)),
        "every part is proved for all pictures and all weights".to_owned(),
    ];
    let ways = leaving::of_tables(compiled.switches(), &compiled.network().machine.times);
    head.into_iter().chain(ways).for_each(|line| text = format!("{text}  {line}\n"));
    let width = parts.iter().flat_map(|part| &part.listing).map(String::len).max().unwrap_or_default();
    let mut number = 0;
    for part in parts {
        let numbers = number + 1..=number + part.listing.len();
        if details.steps.is_some() && !numbers.clone().any(|number| details.has(number)) {
            number = *numbers.end();
            continue;
        }
        let words = count(u64::try_from(part.words).unwrap_or(u64::MAX), "control word");
        // Writing to a text cannot fail.
        let _ = writeln!(text, "\n{}: {words}, {:.2} µs", part.name, part.us);
        for line in &part.listing {
            number += 1;
            if !details.has(number) {
                continue;
            }
            let makes = line.parse::<Instruction>().map(made).unwrap_or_default();
            text.extend([format!("{number:>4}  {line:<width$}  {makes}").trim_end(), "\n"]);
            for way in leaving::at_of_tables(compiled.switches(), number) {
                text.extend(["      < ", &way, "\n"]);
            }
        }
    }
    text
}
