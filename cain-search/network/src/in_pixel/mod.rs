//! Networks whose weights are in the pixels instead of in the program.
//!
//! The array is cut into blocks. Each holds a copy of the picture and its own filter, and one program convolves all of them
//! at once; maxima and a ternary dense layer follow on the array, and only a sum for each class is read out (Bose et al.,
//! "Fully embedding fast convolutional networks on pixel processor arrays", ECCV 2020).
//!
//! A [`Declaration`] has the weights; [`compile`] lays them out and makes the programs, which are
//! proved for all pictures and all weights.
//!
//! # Layouts
//!
//! - `blocks`: networks of one convolution. Each block of the array has a copy of the picture and a filter.
//! - `interleaved`: networks of two convolutions. The picture is seen by the whole array, several PEs to a pixel, and each of
//!   these has a filter of its own: so what a filter of the second convolution needs is near by.

mod blocks;
#[cfg(test)]
mod changes;
mod declaration;
mod error;
mod interleaved;
mod pixels;
mod proof_error;
mod registers;
mod replay;
mod steps;
mod sums;
mod truth;
mod words;

use cain_isa::in_pixel::{Rectangle, Step};
use cain_isa::{Cells, Instruction, Machine, Reg};

use cain_search::switches::{Piece, Steps, SwitchError, SwitchTable};

pub use declaration::{Declaration, Scores, Second};
pub use error::InPixelError;
pub use pixels::Pixels;
pub use proof_error::InPixelProofError;
pub use registers::WeightPlane;
pub use steps::Program;

/// A part of a network, as the published table of times has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Its name in the table.
    pub name: &'static str,
    /// What it is carried out with.
    pub program: Program,
}

impl Component {
    /// How long its words and its scans of bits take, in nanoseconds. A program of digital words only runs at high speed.
    #[must_use]
    pub fn nanoseconds(&self, machine: &Machine) -> u64 {
        let steps = self.program.iter().map(|step| match step {
            Step::Execute(words) => machine.times.of_program(&words.iter().copied().collect()),
            Step::Count(count) => count.nanoseconds(),
            _ => 0,
        });
        steps.sum()
    }

    /// How many words it has.
    #[must_use]
    pub fn words(&self) -> usize {
        self.program.iter().map(|step| if let Step::Execute(words) = step { words.len() } else { 0 }).sum()
    }
}

/// A network in the pixels: what is loaded, and the programs, which are proved.
#[derive(Clone, Debug)]
pub struct Compiled {
    network: Declaration,
    components: Vec<Component>,
    planes: Vec<WeightPlane>,
    level: i8,
    result_level: Option<i8>,
    switches: Vec<SwitchTable>,
}

impl Compiled {
    /// What tells pixels of two bits apart, beside the sign, in DN: a picture from −100 to 100 DN has its levels at −100,
    /// −33, 33 and 100 DN.
    pub const CUT: i8 = 66;

    /// The network.
    #[must_use]
    pub const fn network(&self) -> &Declaration {
        &self.network
    }

    /// The parts, in the order in which they are carried out.
    #[must_use]
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// The registers that have to be loaded before the first picture. Programs leave them as they are.
    #[must_use]
    pub fn planes(&self) -> &[WeightPlane] {
        &self.planes
    }

    /// What a pixel of 1 counts in a sum, in DN.
    #[must_use]
    pub const fn level(&self) -> i8 {
        self.level
    }

    /// What a result of the second convolution of 1 counts, in DN, in the register that the [picture](Self::input) was in, in
    /// all PEs of a group of as many as there are filters in the first one.
    #[must_use]
    pub const fn result_level(&self) -> Option<i8> {
        self.result_level
    }

    /// Where it may be left for each of those that [may interrupt it](Declaration::interruption), and with it for all that come
    /// after that one.
    #[must_use]
    pub fn switches(&self) -> &[SwitchTable] {
        &self.switches
    }

    /// The register that the first convolution leaves the sums in: half of them with the sign turned, or, if there is a second
    /// one, the sums.
    #[must_use]
    pub const fn sums(&self) -> Reg {
        registers::SUM
    }

    /// The register that pooling leaves half the maxima in, each in all PEs of its window. If there is a second convolution,
    /// they are numbers as those of a [picture](Self::input), in the PEs of the first pixel of the window.
    #[must_use]
    pub const fn maxima(&self) -> Reg {
        if self.network.second.is_some() { registers::PICTURE } else { blocks::MAXIMUM }
    }

    /// The register that a picture is taken into. Pixels are how many of some [levels](Pixels::cuts) it exceeds.
    #[must_use]
    pub const fn input(&self) -> Reg {
        registers::PICTURE
    }

    /// Where the picture is when it is taken, with the PEs of each pixel side by side.
    #[must_use]
    pub const fn taken(&self) -> Rectangle {
        taken(&self.network)
    }

    /// All parts, one after the other, as a program that can be left. It may use all registers of its machine; those that hold
    /// weights stay as they are.
    #[must_use]
    pub fn steps(&self) -> Steps {
        let mut pieces = Vec::new();
        for step in self.components.iter().flat_map(|component| &component.program) {
            match step {
                Step::Execute(words) => {
                    pieces.extend(words.iter().map(|&word| Piece::Instruction(Instruction::Word(word))));
                }
                Step::Level(level) => pieces.push(Piece::Level(Some(*level))),
                Step::Select(_) | Step::Region(_) => pieces.push(Piece::Controller),
                Step::Sum(reg) => pieces.push(Piece::Reads(Cells::register(*reg))),
                Step::Count(count) => pieces.push(Piece::Reads(Cells::bit(count.register.into()))),
            }
        }
        let weights: Cells = self.planes.iter().map(|plane| plane.register).collect();
        Steps::new(pieces, self.network.machine.cells().without(weights), weights)
    }

    /// What the array sees when it takes a picture of these pixels, row by row: of the largest pixel and of 0 these levels, in
    /// DN, and of others what is between in proportion.
    #[must_use]
    pub fn seen(&self, pixels: &[u8], [on, off]: [f32; 2]) -> Vec<f32> {
        let (network, taken) = (&self.network, self.taken());
        let level = |pixel: u8| {
            let share = f32::from(pixel) / f32::from(network.pixels.largest());
            off + (on - off) * share
        };
        // What is seen beside the picture does not count.
        let mut seen = vec![on; network.side * network.side];
        for (y, line) in seen.chunks_mut(network.side).skip(taken.top).take(taken.height).enumerate() {
            for (x, pixel) in line.iter_mut().skip(taken.left).take(taken.width).enumerate() {
                let place = y / network.scale * network.picture + x / network.scale;
                *pixel = level(pixels.get(place).copied().unwrap_or(0).min(network.pixels.largest()));
            }
        }
        seen
    }
}

/// Why there is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompileError {
    /// The network cannot be laid out.
    Network(InPixelError),
    /// The machine has no such words.
    Word(cain_isa::WordError),
    /// The machine has no such operation.
    Operation(cain_isa::OperationError),
    /// The programs are not proved; this is a fault of the compiler.
    Proof(InPixelProofError),
    /// It cannot be left for those that may interrupt it, or not as soon as wanted.
    Interruption(SwitchError),
}

impl core::fmt::Display for CompileError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Network(error) => error.fmt(f),
            Self::Word(error) => error.fmt(f),
            Self::Operation(error) => error.fmt(f),
            Self::Proof(error) => error.fmt(f),
            Self::Interruption(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for CompileError {}

impl From<InPixelError> for CompileError {
    fn from(error: InPixelError) -> Self {
        Self::Network(error)
    }
}

impl From<cain_isa::WordError> for CompileError {
    fn from(error: cain_isa::WordError) -> Self {
        Self::Word(error)
    }
}

impl From<cain_isa::OperationError> for CompileError {
    fn from(error: cain_isa::OperationError) -> Self {
        Self::Operation(error)
    }
}

impl From<InPixelProofError> for CompileError {
    fn from(error: InPixelProofError) -> Self {
        Self::Proof(error)
    }
}

/// Lays a network out and makes its programs, proved for all pictures and all weights.
pub fn compile(network: &Declaration) -> Result<Compiled, CompileError> {
    network.check()?;
    let network = network.clone();
    let mut compiled = if let Some(second) = &network.second {
        let parts = interleaved::Parts::of(&network, second)?;
        parts.prove(&network, second)?;
        let interleaved::Parts { components, planes, level, result_level, .. } = parts;
        let result_level = Some(result_level);
        Compiled { network, components, planes, level, result_level, switches: Vec::new() }
    } else {
        let parts = blocks::Parts::of(&network)?;
        parts.prove(&network)?;
        let blocks::Parts { components, planes, level, .. } = parts;
        Compiled { network, components, planes, level, result_level: None, switches: Vec::new() }
    };
    if let Some(interruption) = &compiled.network.interruption {
        let steps = compiled.steps();
        compiled.switches = SwitchTable::all_of_steps(&steps, interruption).map_err(CompileError::Interruption)?;
    }
    Ok(compiled)
}

/// Where the picture is when it is taken: in the last block before the middle of the array.
const fn taken(network: &Declaration) -> Rectangle {
    let before = network.blocks() / 2;
    let first = before.saturating_sub(1) * network.block + network.margin();
    Rectangle { top: first, left: first, height: network.extent(), width: network.extent() }
}
