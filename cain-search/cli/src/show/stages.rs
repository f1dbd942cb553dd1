//! Shows networks, stage by stage.

use std::fmt::Write as _;

use cain_codegen::kinds::Network;
use cain_isa::program::Held;
use cain_isa::program::owned::{Step, lines, shown};
use cain_isa::{Bit, Cells, Instruction};
use cain_network::{CompiledNetwork, Stage, Work};
use cain_search::switches::Steps;

use super::args::{Details, Format};
use super::facts::count;
use super::form::{forms, name};
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
    details.check(compiled.steps().flat_map(pieces).count())?;
    Ok(match format {
        Format::Scamp5 => listing::<Network>(&network::record(compiled)),
        Format::Svg => lives::svg(compiled, &head(compiled)),
        _ => text(compiled, doc, details),
    })
}

/// Facts about the whole network.
fn head(compiled: &CompiledNetwork) -> Vec<String> {
    let ProgramRecord { words, us, image, .. } = network::record(compiled);
    let mut head = vec![
        format!("{words} control words, about {us:.2} µs on the chip, without read-outs"),
        format!("the picture is in {image}"),
        "every stage is proved for all values of what it reads".to_owned(),
    ];
    head.extend(leaving::of_tables(compiled.switches(), &compiled.network().machine.times));
    head
}

/// Every step with what it makes and where others may interrupt the network, and the planes after every stage.
fn text(compiled: &CompiledNetwork, doc: Option<&str>, details: Details<'_>) -> String {
    let mut text = format!("{}\n", compiled.network().name);
    let doc = doc.into_iter().flat_map(str::lines).map(str::to_owned);
    doc.chain(head(compiled)).for_each(|line| text = format!("{text}  {line}\n"));
    let width = compiled.stages().iter().flat_map(|stage| &stage.steps).flat_map(pieces).map(|piece| piece.line.len());
    let width = width.max().unwrap_or_default().min(WIDEST);
    let mut number = 0;
    for (stage, planes) in compiled.stages().iter().zip(planes(compiled)) {
        let first = number + 1;
        let pieces = (first..).zip(stage.steps.iter().flat_map(pieces));
        let listed: Vec<_> =
            pieces.inspect(|(last, _)| number = *last).filter(|(number, _)| details.has(*number)).collect();
        if listed.is_empty() && details.steps.is_some() {
            continue;
        }
        // Writing to a text cannot fail.
        let _ = writeln!(text, "\n{}: {}", stage.part(compiled.network()).name, cost(compiled, stage));
        for (number, Piece { line, makes }) in listed {
            let line = format!("{number:>4}  {line:<width$}  {makes}");
            text.extend([line.trim_end(), "\n"]);
            for way in leaving::at_of_tables(compiled.switches(), number) {
                text.extend(["      < ", &way, "\n"]);
            }
        }
        for Plane { held, name, values, is_new } in planes {
            let mark = if is_new { '>' } else { ' ' };
            let _ = writeln!(text, "      {mark} {:<4}  {name}, {values}", shown(held));
        }
    }
    text
}

/// The width up to which steps widen their column.
const WIDEST: usize = 32;

/// The costs of a stage.
pub(super) fn cost(compiled: &CompiledNetwork, stage: &Stage) -> String {
    if stage.work == Work::Read {
        return "by the controller".to_owned();
    }
    let hundredths = stage.nanoseconds(&compiled.network().machine.times) / 10;
    let words = count(u64::try_from(stage.words()).unwrap_or(u64::MAX), "control word");
    format!("{words}, {}.{:02} µs", hundredths / 100, hundredths % 100)
}

/// What is carried out between two points where a network might be left.
struct Piece {
    line: String,
    makes: String,
}

fn pieces(step: &Step) -> Vec<Piece> {
    let makes = match step {
        Step::Execute(listing) => listing.iter().map(|&instruction| made(instruction)).collect(),
        _ => vec![String::new()],
    };
    lines(step, 256).into_iter().zip(makes).map(|(line, makes)| Piece { line, makes }).collect()
}

/// What an instruction makes, such as `NEWS = -A[east]`; empty for words that write no analogue cell.
pub(super) fn made(instruction: Instruction) -> String {
    let forms = forms(instruction).unwrap_or_default();
    let made = forms.iter().filter(|(store, form)| !form.is_unchanged(**store));
    made.map(|(store, form)| format!("{} = {form}", name(*store))).collect::<Vec<_>>().join(", ")
}

/// A plane: something that a register holds after a stage and that a later one needs.
#[derive(Clone)]
pub(super) struct Plane {
    pub(super) held: Held,
    /// Its name: the picture, or a channel of a layer.
    pub(super) name: String,
    /// Its values, such as `-60 to 60 DN`.
    pub(super) values: String,
    /// Whether this stage made it.
    pub(super) is_new: bool,
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
        boundary += stage.steps.iter().flat_map(pieces).count();
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
