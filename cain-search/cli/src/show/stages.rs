//! Shows networks, and networks in the pixels.

use cain_codegen::kinds::{InPixel, Network};
use cain_isa::program::{Held, StepOf};
use cain_isa::{Bit, Cells};
use cain_network::{CompiledNetwork, Stage, Work, in_pixel};
use cain_search::switches::Steps;

use super::args::{Details, Format};
use super::facts::enumerated;
use super::parts::{self, Plane};
use super::{leaving, lives};
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
        Format::Svg => lives::svg(compiled, &head(&record, compiled)),
        _ => {
            let head = documentation(doc).chain(head(&record, compiled));
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
    let ways = leaving::of_tables(compiled.switches(), &program.times);
    let head = documentation(doc).chain(head).chain(ways);
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
fn head(record: &ProgramRecord, compiled: &CompiledNetwork) -> Vec<String> {
    let mut head = vec![
        cost(record),
        format!("the picture is in {}", record.image),
        "every stage is proved for all values of what it reads".to_owned(),
    ];
    head.extend(leaving::of_tables(compiled.switches(), &compiled.network().machine.times));
    head
}

/// The planes that a stage makes.
fn made_by(compiled: &CompiledNetwork, stage: &Stage) -> Vec<Plane> {
    if stage.work == Work::Read {
        return Vec::new();
    }
    let (low, high) = stage.range;
    let of_channel = |(&channel, &held): (&usize, &Held)| {
        let channel = Stage { channels: vec![channel], steps: Vec::new(), ..stage.clone() };
        let values = if matches!(held, Held::Bit(_)) { "bits".to_owned() } else { format!("{low:.0} to {high:.0} DN") };
        Plane { held, name: channel.name(compiled.network()), values, is_new: true }
    };
    stage.channels.iter().zip(&stage.held).map(of_channel).collect()
}

/// The place of a register in the order of all registers.
pub(super) fn place(held: Held) -> (bool, u8) {
    match held {
        Held::Reg(reg) => (false, reg.index()),
        Held::Bit(Bit::Reg(bit)) => (true, bit.number()),
        Held::Bit(_) => (true, u8::MAX),
    }
}

/// All cells of a register.
fn cells(held: Held) -> Cells {
    match held {
        Held::Reg(reg) => Cells::register(reg),
        Held::Bit(bit) => Cells::bit(bit),
    }
}

/// The planes after each stage that later ones need, analogue ones first.
pub(super) fn planes(compiled: &CompiledNetwork) -> Vec<Vec<Plane>> {
    let network = compiled.network();
    let needed = Steps::of(compiled.steps(), &network.machine, Cells::NONE).needed();
    let (low, high) = network.input.levels;
    let values = format!("{low} to {high} DN");
    let image = Plane { held: Held::Reg(compiled.input()), name: "the picture".to_owned(), values, is_new: false };
    let (mut planes, mut boundary, mut after) = (vec![image], 0, Vec::new());
    for stage in compiled.stages() {
        boundary += stage.steps.iter().map(StepOf::pieces).sum::<usize>();
        let needed = needed.get(boundary).copied().unwrap_or(Cells::NONE);
        let made = made_by(compiled, stage);
        for plane in &mut planes {
            plane.is_new = false;
        }
        planes.retain(|old| !made.iter().any(|new| new.held == old.held));
        planes.extend(made);
        planes.retain(|plane| needed.contains(cells(plane.held)));
        planes.sort_by_key(|plane| place(plane.held));
        after.push(planes.clone());
    }
    after
}
