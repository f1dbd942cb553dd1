//! What the array holds at some time, and how it is made.

use std::rc::Rc;

use cain_isa::program::Grid;
use cain_isa::{Displacement, Fraction};

use super::number::{Exact, Number};
use super::plane_id::PlaneId;
use crate::Window;

/// The content of a register at some step.
#[derive(Clone, Debug)]
pub(in super::super) struct Plane {
    /// The layer that it belongs to; `None` for the picture.
    pub(in super::super) layer: Option<usize>,
    pub(in super::super) channel: usize,
    /// The block of the plane; sums of different blocks are not made together.
    pub(in super::super) block: usize,
    pub(in super::super) kind: Kind,
    pub(in super::super) grid: Grid,
    /// The values needed around the map, if later planes read them.
    pub(in super::super) around: Option<Around>,
}

/// The values around a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) enum Around {
    /// A number.
    Number(f64),
    /// A value that does not exceed any value of the map.
    Least,
}

/// The way in which a plane is made of others.
#[derive(Clone, Debug)]
pub(in super::super) enum Kind {
    /// The picture.
    Image,
    /// A weighted sum of numbers, plus a constant.
    Linear {
        terms: Vec<Term>,
        bias: f64,
    },
    /// Negative numbers become 0.
    Relu(Wire),
    /// Negative numbers are halved this many times.
    LeakyRelu(Wire, u32),
    Abs(Wire),
    /// Numbers are clamped between two bounds.
    Clamp(Wire, f64, f64),
    /// The largest or smallest of several numbers.
    Extreme {
        largest: bool,
        of: Vec<(Wire, Displacement)>,
    },
    /// A bit: 1 where the number is above `at`.
    Threshold {
        of: Wire,
        at: f64,
        inclusive: bool,
    },
    /// A bit: 1 where all, or any, of several bits are 1.
    Bits {
        all: bool,
        of: Vec<(PlaneId, Displacement)>,
    },
    /// A bit of a number that one program makes together with all its other bits, which are the planes beside this one.
    Exact {
        program: Rc<Exact>,
        bit: usize,
    },
    /// A number; it occupies the registers of its bits, but none of its own.
    Number(Number),
    /// The analogue values of a number in bits, such as 0 and 1 for a single bit.
    Spread(Number),
}

/// A plane times a factor, plus a summand, in numbers of the network.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Wire {
    pub(in super::super) plane: PlaneId,
    pub(in super::super) scale: Fraction,
    pub(in super::super) shift: f64,
}

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Term {
    pub(in super::super) wire: Wire,
    pub(in super::super) displacement: Displacement,
    pub(in super::super) weight: Fraction,
}

/// A read-out of one plane.
#[derive(Clone, Debug)]
pub(in super::super) struct PlaneReadout {
    pub(in super::super) layer: usize,
    pub(in super::super) channel: usize,
    pub(in super::super) wire: Wire,
    pub(in super::super) wanted: Wanted,
    /// Whether the plane is a further bit of a number, whose values are added to those of the first.
    pub(in super::super) adds: bool,
}

/// The information that the controller wants from a plane.
#[derive(Clone, Debug)]
pub(in super::super) enum Wanted {
    /// All values.
    Pixels,
    /// Sums over windows, or their means.
    Windows(Vec<Window>, bool),
    /// The pixels that are 1, up to this many.
    Events(usize),
}

impl Kind {
    /// Whether it occupies a digital register.
    pub(in super::super) const fn is_bit(&self) -> bool {
        matches!(self, Self::Threshold { .. } | Self::Bits { .. } | Self::Exact { .. })
    }

    /// The south-western and north-eastern corners of the rectangle of pixels that a PE reads.
    pub(in super::super) fn reach(&self) -> (Displacement, Displacement) {
        let places: Vec<Displacement> = match self {
            Self::Linear { terms, .. } => terms.iter().map(|term| term.displacement).collect(),
            Self::Extreme { of, .. } => of.iter().map(|(_, displacement)| *displacement).collect(),
            Self::Bits { of, .. } => of.iter().map(|(_, displacement)| *displacement).collect(),
            Self::Exact { program, .. } => program.places(),
            _ => vec![],
        };
        places.into_iter().fold((Displacement::ZERO, Displacement::ZERO), |(low, high), place| {
            let low = Displacement::new(low.x.min(place.x), low.y.min(place.y));
            (low, Displacement::new(high.x.max(place.x), high.y.max(place.y)))
        })
    }

    /// The planes that it is made of, each once.
    pub(in super::super) fn sources(&self) -> Vec<PlaneId> {
        let mut planes: Vec<PlaneId> = match self {
            Self::Image | Self::Number(_) => vec![],
            Self::Linear { terms, .. } => terms.iter().map(|term| term.wire.plane).collect(),
            Self::Relu(wire) | Self::LeakyRelu(wire, _) | Self::Abs(wire) | Self::Clamp(wire, ..) => vec![wire.plane],
            Self::Threshold { of, .. } => vec![of.plane],
            Self::Extreme { of, .. } => of.iter().map(|(wire, _)| wire.plane).collect(),
            Self::Bits { of, .. } => of.iter().map(|(plane, _)| *plane).collect(),
            Self::Exact { program, .. } => program.read.iter().flat_map(|number| &number.bits).copied().collect(),
            Self::Spread(number) => number.bits.clone(),
        };
        planes.sort_unstable();
        planes.dedup();
        planes
    }
}

impl Wire {
    pub(super) const fn of(plane: PlaneId) -> Self {
        Self { plane, scale: Fraction::ONE, shift: 0.0 }
    }
}
