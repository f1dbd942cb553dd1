//! Shows networks, and networks in the pixels.

use cain_codegen::kinds::{InPixel, Network};
use cain_isa::program::StepOf;
use cain_network::{CompiledNetwork, in_pixel};

use super::format::{Details, Format};
use super::phrases::enumerated;
use super::planes::planes;
use super::{lives, parts};
use crate::kinds::listing;
use crate::network;
use crate::program::ProgramRecord;

/// The program of a network in one of the formats.
pub(crate) fn show(
    compiled: &CompiledNetwork,
    doc: Option<&str>,
    format: Format,
    details: Details<'_>,
) -> Result<String, String> {
    let program = compiled.program();
    details.check(program.steps().map(StepOf::pieces).sum())?;
    let record = network::record(compiled);
    Ok(match format {
        Format::Scamp5 => listing::<Network>(&record),
        Format::Svg => lives::svg(compiled, &head(&record)),
        _ => {
            let head = documentation(doc).chain(head(&record));
            parts::text(&program, compiled.switches(), head, &planes(compiled), details)
        }
    })
}

/// The program of a network in the pixels in one of the formats.
pub(crate) fn show_in_pixel(
    name: &str,
    compiled: &in_pixel::Compiled,
    doc: Option<&str>,
    format: Format,
    details: Details<'_>,
) -> Result<String, String> {
    let program = compiled.program(name);
    details.check(program.steps().map(StepOf::pieces).sum())?;
    let record = network::record_in_pixel(name, compiled);
    if format == Format::Scamp5 {
        return Ok(listing::<InPixel>(&record));
    }
    let head = [
        cost(&record),
        format!("a pixel of 1 counts {} DN", compiled.level()),
        format!("weights are in {}, which are loaded once", enumerated(&record.reserved)),
        "every part is proved for all pictures and all weights".to_owned(),
    ];
    let head = documentation(doc).chain(head).chain(record.leaving);
    Ok(parts::text(&program, compiled.switches(), head, &[], details))
}

/// The lines of the documentation of a declaration.
fn documentation(doc: Option<&str>) -> impl Iterator<Item = String> {
    doc.into_iter().flat_map(str::lines).map(str::to_owned)
}

fn cost(ProgramRecord { words, us, .. }: &ProgramRecord) -> String {
    format!("{words} control words, about {us:.2} µs on the chip, without read-outs")
}

/// Facts about the whole network.
fn head(record: &ProgramRecord) -> Vec<String> {
    let mut head = vec![
        cost(record),
        format!("the picture is in {}", record.image),
        "every stage is proved for all values of what it reads".to_owned(),
    ];
    head.extend_from_slice(&record.leaving);
    head
}
