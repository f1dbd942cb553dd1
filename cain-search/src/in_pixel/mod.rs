//! Networks whose weights are in the pixels instead of in the program.
//!
//! The array is cut into blocks. Each holds a copy of the picture and its own filter, and one program convolves all of them
//! at once; maxima and a ternary dense layer follow on the array, and only a sum for each class is read out (Bose et al.,
//! "Fully embedding fast convolutional networks on pixel processor arrays", ECCV 2020).
//!
//! A [`Declaration`] has the weights; [`compile`] lays them out and makes the programs, which are
//! proved for all pictures and all weights.
//!
//! # What the array does
//!
//! - *Duplication.* Pixels have one bit or two. These are shifted from the middle of the array to its borders in all four
//!   quadrants at once, so that no bit goes further than half the array along each axis.
//! - *Convolution.* With weights w = ±1, half the sum Σ w·x is Σ x − ½ Σ x, where the first sum is over the pixels of
//!   positive weights: FLAG selects what is added, and nothing has to be subtracted but a box sum, which is the same for all
//!   filters. A weight of 1 is a bit of 0, so that the sum comes out with its sign turned and FLAG after `where` is 1 where
//!   `ReLU` has to write 0. With weights −1, 0 and 1 there are two bits for each, and pixels are added and subtracted.
//!   Weights are shared by cells of 1 to 16 PEs, as many as there have to be, which lie in one block: no bit of a weight ever
//!   crosses a border between blocks.
//! - *Borders.* The margin around the picture is as wide as a filter less one, and empty, so that sums at the border of a
//!   block do not meet the picture of the next. Sums whose pixels lie outside of the array are 0.
//! - *Maxima* are copied to all PEs of their window, one of which holds the weight for a class. That weight comes to the four
//!   PEs of its cell, and the product from there to the window, so that the sum over the array counts it 16 times: its
//!   converter has 8 bits.

mod declaration;
mod error;
mod layout;
mod program;
mod prove;
mod replay;
mod sums;
mod taps;
#[cfg(test)]
mod tests;
mod words;

use cain_isa::in_pixel::Step;
use cain_isa::{Clock, Dreg, Machine, Reg, Word};

use crate::switches::{Steps, SwitchError, SwitchTable};

pub use declaration::Declaration;
pub use error::InPixelError;
pub use layout::WeightPlane;
pub use program::Program;
pub use prove::InPixelProofError;

/// A part of a network, as the published table of times has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Its name in the table.
    pub name: &'static str,
    /// What it is carried out with.
    pub program: Program,
}

impl Component {
    /// How long its words take, in nanoseconds. A program of digital words only runs at high speed.
    #[must_use]
    pub fn nanoseconds(&self, machine: &Machine) -> u64 {
        let times = machine.times;
        let programs = self.program.iter().filter_map(|step| match step {
            Step::Execute(words) => Some(words),
            _ => None,
        });
        let time = |words: &Vec<Word>| -> u64 {
            let slow = words.iter().any(|word| matches!(word.clock(), Clock::Analogue | Clock::Propagation));
            words.iter().map(|word| u64::from(if slow { times.of(word.clock()) } else { times.high_speed })).sum()
        };
        programs.map(time).sum()
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
    homes: layout::Homes,
    /// The registers that the copies of the picture are in, the lowest bit first.
    ink: Vec<Dreg>,
    level: i8,
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

    /// Where it may be left for each of those that [may interrupt it](Declaration::interruption), and with it for all that come
    /// after that one.
    #[must_use]
    pub fn switches(&self) -> &[SwitchTable] {
        &self.switches
    }

    /// The register that the convolution leaves half the sums in, with the sign turned.
    #[must_use]
    pub const fn sums(&self) -> Reg {
        program::SUM
    }

    /// The register that pooling leaves half the maxima in, each in all PEs of its window.
    #[must_use]
    pub const fn maxima(&self) -> Reg {
        program::MAXIMUM
    }

    /// The register that a picture is taken into. Pixels of one bit are 1 where it is positive; of two bits they are how many
    /// of −[`CUT`](Self::CUT), 0 and [`CUT`](Self::CUT) DN it exceeds.
    #[must_use]
    pub const fn input(&self) -> Reg {
        program::PICTURE
    }

    /// Where the picture is when it is taken, with the PEs of each pixel side by side.
    #[must_use]
    pub const fn taken(&self) -> cain_isa::in_pixel::Rectangle {
        program::taken(&self.network)
    }

    /// What the array sees when it takes a picture of these pixels, row by row: of the largest pixel and of 0 these levels, in
    /// DN, and of others what is between in proportion.
    #[must_use]
    pub fn seen(&self, pixels: &[u8], [on, off]: [f32; 2]) -> Vec<f32> {
        let (network, taken) = (&self.network, self.taken());
        let level = |pixel: u8| {
            let share = f32::from(pixel) / f32::from(network.largest());
            off + (on - off) * share
        };
        // What is seen beside the picture does not count.
        let mut seen = vec![on; network.side * network.side];
        for (y, line) in seen.chunks_mut(network.side).skip(taken.top).take(taken.height).enumerate() {
            for (x, pixel) in line.iter_mut().skip(taken.left).take(taken.width).enumerate() {
                let place = y / network.scale * network.picture + x / network.scale;
                *pixel = level(pixels.get(place).copied().unwrap_or(0).min(network.largest()));
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
    let homes = layout::homes(network.bits(), &network.machine)?;
    let level = program::level(network)?;
    let (duplication, ink) = program::duplication(network)?;
    let pool = program::pool(network).words()?;
    let components = vec![
        Component { name: "duplication", program: duplication },
        Component { name: "convolution", program: program::convolution(network, &homes, &ink, level)? },
        Component { name: "relu", program: program::relu()? },
        Component { name: "max pooling", program: program::pooling(network, &pool)? },
        Component { name: "fully connected", program: program::fully_connected(network)? },
    ];
    let planes = layout::planes(network, &homes.bits);
    let mut compiled =
        Compiled { network: network.clone(), components, planes, homes, ink, level, switches: Vec::new() };
    if let Some(interruption) = &network.interruption {
        let steps = Steps::of_in_pixel(&compiled);
        compiled.switches = SwitchTable::all_of_steps(&steps, interruption).map_err(CompileError::Interruption)?;
    }
    prove::network(&compiled)?;
    Ok(compiled)
}
