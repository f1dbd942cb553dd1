//! The planes that the stages of a network make and need.

use cain_isa::program::{Held, StepOf};
use cain_isa::{Bit, Cells};
use cain_network::{CompiledNetwork, Stage, Work};
use cain_search::switches::Steps;

use crate::predicted::Errors;

/// A plane: something that a register holds after a part and that a later one needs.
#[derive(Clone)]
pub(super) struct Plane {
    pub(super) held: Held,
    /// Its name: the picture, or a channel of a layer.
    pub(super) name: String,
    /// Its values, such as `-60 to 60 DN`.
    pub(super) values: String,
    /// Whether this part made it.
    pub(super) is_new: bool,
}

/// The planes after each stage that later ones need, analogue ones first; with their predicted errors.
pub(super) fn planes(compiled: &CompiledNetwork, errors: Option<&Errors>) -> Vec<Vec<Plane>> {
    let network = compiled.network();
    let needed = Steps::of(compiled.steps(), &network.machine, Cells::NONE).needed();
    let (low, high) = network.input.levels;
    let values = format!("{low} to {high} DN");
    let image = Plane { held: Held::Reg(compiled.input()), name: "the picture".to_owned(), values, is_new: false };
    let (mut planes, mut boundary, mut after) = (vec![image], 0, Vec::new());
    for (number, stage) in compiled.stages().iter().enumerate() {
        boundary += stage.steps.iter().map(StepOf::pieces).sum::<usize>();
        let needed = needed.get(boundary).copied().unwrap_or(Cells::NONE);
        let made = made_by(compiled, (number, stage), errors);
        for plane in &mut planes {
            plane.is_new = false;
        }
        planes.retain(|old| !made.iter().any(|new| new.held == old.held));
        planes.extend(made);
        planes.retain(|plane| needed.contains(plane.held.cells()));
        planes.sort_by_key(|plane| place(plane.held));
        after.push(planes.clone());
    }
    after
}

/// The place of a register in the order of all registers.
pub(super) fn place(held: Held) -> (bool, u8) {
    match held {
        Held::Reg(reg) => (false, reg.index()),
        Held::Bit(Bit::Reg(bit)) => (true, bit.number()),
        Held::Bit(_) => (true, u8::MAX),
    }
}

/// The planes that a stage makes.
fn made_by(compiled: &CompiledNetwork, (number, stage): (usize, &Stage), errors: Option<&Errors>) -> Vec<Plane> {
    if stage.work == Work::Read {
        return Vec::new();
    }
    let (low, high) = stage.range;
    let of_channel = |(place, (&channel, &held)): (usize, (&usize, &Held))| {
        let channel = Stage { channels: vec![channel], steps: Vec::new(), ..stage.clone() };
        let mut values =
            if matches!(held, Held::Bit(_)) { "bits".to_owned() } else { format!("{low:.0} to {high:.0} DN") };
        if let Some(errors) = errors.and_then(|errors| errors.of_map(number, place)) {
            values.extend([", ", &errors]);
        }
        Plane { held, name: channel.name(compiled.network()), values, is_new: true }
    };
    stage.channels.iter().zip(&stage.held).enumerate().map(of_channel).collect()
}
