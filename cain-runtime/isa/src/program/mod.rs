//! What a controller does for one call, as data.
//!
//! A [`Program`] is constant data: it is made while a crate is compiled, needs no allocator, and is carried out on any array.
//! It has named [parts](Part), which are lists of [steps](StepOf): words, what the controller sets for them, and what it reads.
//!
//! Everything on the array has one coordinate rule: rows count from the north, columns from the west. Steps that belong to a
//! picture count from its north-west corner, all others from that of the array.
//!
//! Steps stand one after the other, and a position in a program is how many *pieces* were carried out before it: an instruction
//! is a piece, and any other step. [Switch points](Switches) are such positions.

mod area;
mod format;
mod number;
mod plane;
mod read_out;
mod step;
mod storage;

use crate::{Reg, Switches};

pub use area::{Area, Grid, Selection};
pub use format::Format;
pub use number::{Found, Term};
pub use plane::{BitPlane, LOADING, PlaneOf};
pub use read_out::{Count, EventRead, Held, ReadOut, ReadOutOf, on_chip};
pub use step::{Body, CAPTURING, Kinds, SUM_STEP, Set, Step, StepOf, outside};
pub use storage::{Constant, Storage};

/// What a controller does for one call, as constant data.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// Rows and columns of the blocks that the array is cut into, which have to divide it.
    pub blocks: (usize, usize),
    /// The pictures that it works on.
    pub pictures: &'static [Picture],
    /// What is done once, before the first call. Calls leave what it writes as it is.
    pub preparation: &'static [Step],
    /// What is done in every call, in this order.
    pub parts: &'static [Part],
    /// How many numbers are read for each place of a picture.
    pub numbers: usize,
    /// Where a call may be left for each of those that may interrupt it.
    pub switches: &'static [Switches<'static>],
}

impl Program {
    /// All steps of a call, in their order.
    pub fn steps(&self) -> impl Iterator<Item = &'static Step> + Clone + use<> {
        self.parts.iter().flat_map(|part| part.steps)
    }

    /// The registers of bits that the preparation loads.
    pub fn planes(&self) -> impl Iterator<Item = &'static BitPlane> + Clone + use<> {
        self.preparation.iter().filter_map(|step| if let Step::Load(plane) = step { Some(plane) } else { None })
    }

    /// Control words of a call.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.parts.iter().map(|part| part.words).fold(0, u32::saturating_add)
    }

    /// The time of a call as far as it is [known](StepOf::nanoseconds).
    #[must_use]
    pub fn nanoseconds(&self) -> u64 {
        self.parts.iter().map(|part| part.nanoseconds).fold(0, u64::saturating_add)
    }
}

/// A part of a program, as constant data.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its name: the layer and channels of a network, `edge[0,1]`.
    pub name: &'static str,
    /// Control words.
    pub words: u32,
    /// The time of its steps as far as it is [known](StepOf::nanoseconds).
    pub nanoseconds: u64,
    /// What is done, in this order.
    pub steps: &'static [Step],
}

/// A picture that a program works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The register that it is in when a call begins.
    pub register: Reg,
    /// Where its pixels are; of those that are several PEs wide, the PE in the north-west.
    pub pixels: Grid,
}
