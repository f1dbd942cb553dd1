//! Shows networks in the pixels, component by component.

use std::fmt::Write as _;

use cain_codegen::kernel_file::{DeclaredInPixel, Diagnostic};
use cain_isa::Instruction;
use cain_network::in_pixel::Compiled;

use super::args::{Format, Show};
use super::facts::{count, enumerated};
use super::leaving;
use super::stages::made;
use crate::in_pixel::{self, InPixelRecord};

/// The programs of a network, for which no search is needed.
pub(super) fn show(declared: &DeclaredInPixel, format: Format, args: &Show) -> Result<String, Diagnostic> {
    if !matches!(format, Format::Text | Format::Scamp5) {
        let message = "networks in the pixels are shown as `--format text` and `--format scamp5` only";
        return Err(declared.diagnostic(message));
    }
    if args.details().steps.is_some() {
        return Err(declared.diagnostic("`--steps` is for filters; networks are shown with all steps"));
    }
    let compiled = in_pixel::compiled(declared)?;
    let record = InPixelRecord::of(&declared.name, &compiled);
    Ok(if format == Format::Scamp5 { listing(&record) } else { text(&record, &compiled, declared.doc.as_deref()) })
}

/// The programs alone.
fn listing(record: &InPixelRecord) -> String {
    let mut listing = Vec::new();
    // Writing to a vector cannot fail.
    let _ = record.print_listings(&mut listing);
    String::from_utf8_lossy(&listing).trim_start().to_owned()
}

/// Every step with what it makes, and where others may interrupt the network.
fn text(record: &InPixelRecord, compiled: &Compiled, doc: Option<&str>) -> String {
    let InPixelRecord { name, words, us, level, reserved, components, .. } = record;
    let mut text = format!("{name}\n");
    doc.into_iter().flat_map(str::lines).for_each(|line| text = format!("{text}  {line}\n"));
    let head = [
        format!("{words} control words, about {us:.2} µs on the chip, without read-outs"),
        format!("a pixel of 1 counts {level} DN"),
        format!("weights are in {}, which are loaded once", enumerated(reserved)),
        "every component is proved for all pictures and all weights".to_owned(),
    ];
    let ways = leaving::of_tables(compiled.switches(), &compiled.network().machine.times);
    head.into_iter().chain(ways).for_each(|line| text = format!("{text}  {line}\n"));
    let width = components.iter().flat_map(|component| &component.listing).map(String::len).max().unwrap_or_default();
    let mut number = 0;
    for component in components {
        let words = count(u64::try_from(component.words).unwrap_or(u64::MAX), "control word");
        // Writing to a text cannot fail.
        let _ = writeln!(text, "\n{}: {words}, {:.2} µs", component.name, component.us);
        for line in &component.listing {
            number += 1;
            let makes = line.parse::<Instruction>().map(made).unwrap_or_default();
            text.extend([format!("{number:>4}  {line:<width$}  {makes}").trim_end(), "\n"]);
            for way in leaving::at_of_tables(compiled.switches(), number) {
                text.extend(["      < ", &way, "\n"]);
            }
        }
    }
    text
}
