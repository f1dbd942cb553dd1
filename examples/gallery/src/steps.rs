//! Animates a program: its listing, and the contents of the registers after each instruction.

use cain_runtime::HostController;
use cain_runtime::isa::{Instruction, Reg};
use cain_runtime::pictures::{Animation, Colour, Palette, Picture};
use cain_runtime::prove::Prover;
use cain_runtime::sim::Array;

use cain_gallery::SIDE;

use crate::canvas::{Canvas, width};
use crate::exhibit::Exhibit;
use crate::failure::Failure;
use crate::palette::palette;
use crate::style::{CAPTION, CARD, GAP, LINE, PAPER, STRONG, WEAK, body, heading, listing};

/// The time for which an instruction, and the results, are shown.
const MILLISECONDS: u16 = 1000;
const RESULT_MILLISECONDS: u16 = 3000;

const HEADER: usize = 60;
const PLACE: usize = SIDE + GAP;

/// The animation of a filter: the inputs, then every instruction.
pub(crate) fn animation(exhibit: &Exhibit) -> Result<Animation, Failure> {
    let plan = exhibit.filter.plan;
    let mut simulation = Simulation::new(exhibit)?;
    let mut animation = Animation::new(MILLISECONDS);
    let mut before = Vec::new();
    for (done, instruction) in std::iter::once(None).chain(plan.listing.iter().map(Some)).enumerate() {
        if let Some(instruction) = instruction {
            simulation.execute(*instruction)?;
        }
        let planes = simulation.planes(&exhibit.registers);
        let picture = frame(exhibit, done, &planes, &before);
        let milliseconds = if done == plan.listing.len() { RESULT_MILLISECONDS } else { MILLISECONDS };
        animation.push_for(picture, milliseconds);
        before = planes;
    }
    Ok(animation)
}

/// The array, and a prover with it whose weights determine the colours.
struct Simulation {
    array: Array,
    prover: Prover,
}

/// A plane and the colours that show it.
#[derive(PartialEq)]
struct Coloured {
    values: Vec<f32>,
    palette: Palette,
}

impl Simulation {
    fn new(exhibit: &Exhibit) -> Result<Self, Failure> {
        let mut array = Array::new(SIDE, SIDE);
        for (reg, image) in &exhibit.inputs {
            array.load_reg(*reg, image)?;
        }
        Ok(Self { array, prover: Prover::new(exhibit.filter.plan.inputs) })
    }

    fn execute(&mut self, instruction: Instruction) -> Result<(), Failure> {
        self.array.execute(instruction)?;
        Ok(self.prover.execute(instruction)?)
    }

    /// The planes of these registers; `None` for those not written yet.
    fn planes(&self, registers: &[Reg]) -> Vec<Option<Coloured>> {
        let plane = |reg: &Reg| {
            let values = self.array.read_reg(*reg).ok()?.to_vec();
            let palette = palette(self.prover.value(*reg), &values);
            Some(Coloured { values, palette })
        };
        registers.iter().map(plane).collect()
    }
}

/// The frame after `done` instructions, the last of which changed the planes from `before`.
fn frame(exhibit: &Exhibit, done: usize, planes: &[Option<Coloured>], before: &[Option<Coloured>]) -> Picture {
    let plan = exhibit.filter.plan;
    let lines: Vec<String> = plan.listing.iter().map(ToString::to_string).collect();
    let listing = listing();
    let left = 2 * GAP + lines.iter().map(|line| width(line, &listing)).max().unwrap_or(0);
    let columns = columns(planes.len());
    let rows = planes.len().div_ceil(columns);
    let height = (rows * (PLACE + CAPTION)).max((lines.len() + 1) * LINE);
    let mut canvas = Canvas::new(left + columns * PLACE, HEADER + height, PAPER);

    canvas.text(plan.name, GAP, 14, &heading(), STRONG);
    for (number, (line, top)) in (1..).zip(lines.iter().zip((HEADER..).step_by(LINE))) {
        canvas.text(line, GAP, top, &listing, if number == done { STRONG } else { WEAK });
    }
    for (number, (reg, plane)) in exhibit.registers.iter().zip(planes).enumerate() {
        let (x, y) = (left + number % columns * PLACE, HEADER + number / columns * (PLACE + CAPTION));
        let role = match done {
            0 if plan.inputs.contains(reg) => "input ",
            _ if done == lines.len() && plan.outputs.contains(reg) => "output ",
            _ => "",
        };
        let is_new = before.get(number).is_some_and(|before| before != plane);
        register(&mut canvas, x, y, &format!("{role}{reg}"), plane.as_ref(), if is_new { STRONG } else { WEAK });
    }
    canvas.into_picture()
}

/// A register with its name below, or an empty card while it is not written yet.
fn register(canvas: &mut Canvas, x: usize, y: usize, name: &str, plane: Option<&Coloured>, ink: Colour) {
    let (picture, caption) = match plane {
        Some(Coloured { values, palette }) => {
            (Picture::of_values(values, SIDE, *palette), format!("{name}, {palette}"))
        }
        None => (Picture::filled(SIDE, SIDE, CARD), format!("{name}, not written yet")),
    };
    canvas.paste(&picture, x, y);
    canvas.text(&caption, x, y + SIDE + 6, &body(), ink);
}

/// The number of registers in a row: up to three in one row, more in two.
fn columns(registers: usize) -> usize {
    if registers <= 3 { registers.max(1) } else { registers.div_ceil(2) }
}
