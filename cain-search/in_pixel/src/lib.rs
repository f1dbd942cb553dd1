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
//! - `interleaved`: networks of two convolutions. The whole array sees the picture, several PEs to a pixel, and each of
//!   these has a filter of its own: so the inputs of a filter of the second convolution are nearby.

mod blocks;
#[cfg(test)]
mod changes;
mod check;
mod compile_error;
mod declaration;
mod error;
mod follower;
// The simulated array with which proofs of digital programs are tested too.
#[cfg(test)]
#[path = "../../digital/src/grid.rs"]
mod grid;
mod interleaved;
mod pixels;
mod proof_error;
mod reference;
mod registers;
mod replay;
mod resolution;
mod steps;
mod sums;
mod truth;
mod words;

use cain_isa::program::{Area, Grid, Picture};
use cain_isa::{Cells, Reg};

use cain_analysis::owned::{self, Part, Program, Step};
use cain_search::switches::{Steps, SwitchTable};

pub use compile_error::CompileError;
pub use declaration::{Declaration, Scores, Second};
pub use error::InPixelError;
pub use pixels::Pixels;
pub use proof_error::InPixelProofError;
pub use registers::WeightPlane;
pub use resolution::Resolution;

/// A network in the pixels: its weight planes and its proved programs.
#[derive(Clone, Debug)]
pub struct Compiled {
    network: Declaration,
    parts: Vec<Part>,
    planes: Vec<WeightPlane>,
    level: i8,
    result_level: Option<i8>,
    switches: Vec<SwitchTable>,
}

impl Compiled {
    /// The magnitude of the levels that, besides 0, separate pixels of two bits, in DN: a picture from −100 to 100 DN
    /// has its levels at −100, −33, 33 and 100 DN.
    pub const CUT: i8 = pixels::CUT;

    /// The network.
    #[must_use]
    pub const fn network(&self) -> &Declaration {
        &self.network
    }

    /// The parts, as the published table of times has them, in the order in which they are carried out.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// What the controller does for a picture.
    #[must_use]
    pub fn program(&self, name: &str) -> Program {
        let (network, taken) = (&self.network, self.taken());
        let [top, left] = [taken.top, taken.left].map(usize::cast_signed);
        let pixels = Grid::new((top, left), (network.scale, network.scale), (network.picture, network.picture));
        let plane = |plane: &WeightPlane| Step::Load(owned::plane(plane.register, &plane.bits, network.side));
        Program {
            name: name.to_owned(),
            blocks: (1, 1),
            pictures: vec![Picture { register: self.input(), pixels }],
            preparation: self.planes.iter().map(plane).collect(),
            parts: self.parts.clone(),
            numbers: network.classes(),
            times: network.machine.times,
        }
    }

    /// The registers of the weights.
    fn weights(&self) -> Cells {
        self.planes.iter().map(|plane| plane.register).collect()
    }

    /// The steps for a picture, to be left on the way.
    #[must_use]
    pub fn steps(&self) -> Steps {
        Steps::of(self.parts.iter().flat_map(|part| &part.steps), &self.network.machine, self.weights())
    }

    /// The registers that have to be loaded before the first picture. Programs preserve them.
    #[must_use]
    pub fn planes(&self) -> &[WeightPlane] {
        &self.planes
    }

    /// The level of a pixel of 1, in DN. It counts half of it in a sum.
    #[must_use]
    pub const fn level(&self) -> i8 {
        self.level
    }

    /// The value of a result of 1 of the second convolution, in DN. It is in the register of the
    /// [picture](Self::input), in all PEs of a group that has as many PEs as the first convolution has filters.
    #[must_use]
    pub const fn result_level(&self) -> Option<i8> {
        self.result_level
    }

    /// The places where it may be left, for each of those that [may interrupt it](Declaration::interruption) together
    /// with all that come after that one.
    #[must_use]
    pub fn switches(&self) -> &[SwitchTable] {
        &self.switches
    }

    /// The register with the sums of the first convolution: minus half of them or, if there is a second convolution,
    /// the sums themselves.
    #[must_use]
    pub const fn sums(&self) -> Reg {
        registers::SUM
    }

    /// The register with half the maxima after pooling, each in all PEs of its window. If there is a second
    /// convolution, they are numbers in the format of the [picture](Self::input), in the PEs of the window's first
    /// pixel.
    #[must_use]
    pub const fn maxima(&self) -> Reg {
        if self.network.second.is_some() { registers::PICTURE } else { blocks::MAXIMUM }
    }

    /// The register for the picture. A pixel is the number of [levels](Pixels::cuts) that it exceeds.
    #[must_use]
    pub const fn input(&self) -> Reg {
        registers::PICTURE
    }

    /// The rectangle in which the picture is taken, with the PEs of each pixel side by side.
    #[must_use]
    pub const fn taken(&self) -> Area {
        self.network.taken()
    }

    /// The levels that the array sees when it takes a picture of these pixels, row by row: `on` for the largest pixel,
    /// `off` for 0, and proportional values in between, in DN.
    #[must_use]
    pub fn seen(&self, pixels: &[u8], [on, off]: [f32; 2]) -> Vec<f32> {
        let (network, taken) = (&self.network, self.taken());
        let level = |pixel: u8| {
            let share = f32::from(pixel) / f32::from(network.pixels.largest());
            off + (on - off) * share
        };
        // The surroundings of the picture do not matter.
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

/// Lays out a network and makes its programs, proved for all pictures and all weights.
pub fn compile(network: &Declaration) -> Result<Compiled, CompileError> {
    network.check()?;
    let network = network.clone();
    let mut compiled = if let Some(second) = &network.second {
        let parts = interleaved::Programs::of(&network, second)?;
        parts.prove(&network, second)?;
        let interleaved::Programs { parts, planes, level, result_level, .. } = parts;
        let result_level = Some(result_level);
        Compiled { network, parts, planes, level, result_level, switches: Vec::new() }
    } else {
        let parts = blocks::Programs::of(&network)?;
        parts.prove(&network)?;
        let blocks::Programs { parts, planes, level, .. } = parts;
        Compiled { network, parts, planes, level, result_level: None, switches: Vec::new() }
    };
    compiled.program("").allowed(&compiled.network.machine).map_err(CompileError::Machine)?;
    if let Some(interruption) = &compiled.network.interruption {
        compiled.switches =
            SwitchTable::all_of_steps(&compiled.steps(), interruption).map_err(CompileError::Interruption)?;
    }
    Ok(compiled)
}
