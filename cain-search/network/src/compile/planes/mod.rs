//! Lowers layers to planes: contents of the array at some time, each made of others.

mod exact;
mod lowering;
mod places;
mod readouts;

use std::rc::Rc;

use cain_isa::network::Grid;
use cain_isa::{Displacement, Fraction};

use super::levels::{Headroom, MOST_HEADROOM};
use super::stage::Extent;
use crate::{MOST_PIXELS, Window};

pub(super) use exact::{Exact, Number};
pub(super) use lowering::exact;

/// The index of a plane in [`Planes::list`].
pub(super) type PlaneId = usize;

/// All planes of a network, each after those that it is made of, and the read-outs.
#[derive(Debug)]
pub(super) struct Planes {
    pub(super) list: Vec<Plane>,
    pub(super) readouts: Vec<PlaneReadout>,
}

/// The content of a register at some step.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    /// The layer that it belongs to; `None` for the picture.
    pub(super) layer: Option<usize>,
    pub(super) channel: usize,
    /// The block of the plane; sums of different blocks are not made together.
    pub(super) block: usize,
    pub(super) kind: Kind,
    pub(super) grid: Grid,
    /// The values needed around the map, if later planes read them.
    pub(super) around: Option<Around>,
}

/// The values around a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Around {
    /// A number.
    Number(f64),
    /// A value that does not exceed any value of the map.
    Least,
}

/// The way in which a plane is made of others.
#[derive(Clone, Debug)]
pub(super) enum Kind {
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
pub(super) struct Wire {
    pub(super) plane: PlaneId,
    pub(super) scale: Fraction,
    pub(super) shift: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub(super) wire: Wire,
    pub(super) displacement: Displacement,
    pub(super) weight: Fraction,
}

/// A read-out of one plane.
#[derive(Clone, Debug)]
pub(super) struct PlaneReadout {
    pub(super) layer: usize,
    pub(super) channel: usize,
    pub(super) wire: Wire,
    pub(super) wanted: Wanted,
    /// Whether the plane is a further bit of a number, whose values are added to those of the first.
    pub(super) adds: bool,
}

/// The information that the controller wants from a plane.
#[derive(Clone, Debug)]
pub(super) enum Wanted {
    /// All values.
    Pixels,
    /// Sums over windows, or their means.
    Windows(Vec<Window>, bool),
    /// The pixels that are 1, up to this many.
    Events(usize),
}

impl Kind {
    /// Whether it occupies a digital register.
    pub(super) const fn is_bit(&self) -> bool {
        matches!(self, Self::Threshold { .. } | Self::Bits { .. } | Self::Exact { .. })
    }

    /// The south-western and north-eastern corners of the rectangle of pixels that a PE reads.
    pub(super) fn reach(&self) -> (Displacement, Displacement) {
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
    pub(super) fn sources(&self) -> Vec<PlaneId> {
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
    const fn of(plane: PlaneId) -> Self {
        Self { plane, scale: Fraction::ONE, shift: 0.0 }
    }
}

impl Planes {
    /// The number of times each plane is read by others and by read-outs.
    pub(super) fn uses(&self) -> Vec<usize> {
        let mut uses = vec![0; self.list.len()];
        for readout in &self.readouts {
            uses[readout.wire.plane] += 1;
        }
        // Later planes come first, so that planes which are not used do not count as readers.
        for plane in (0..self.list.len()).rev() {
            if uses[plane] > 0 {
                self.list[plane].kind.sources().into_iter().for_each(|source| uses[source] += 1);
            }
        }
        uses
    }
}

impl Planes {
    /// The layer that reads beyond the border of the array around a plane, in some position of a picture of that size.
    pub(super) fn beyond_the_array(&self, readers: &[PlaneId], size: (usize, usize)) -> Option<usize> {
        let leaves = |reader: PlaneId| {
            let Plane { grid, kind, .. } = &self.list[reader];
            let (low, high) = kind.reach();
            let Extent { top, left, bottom, right } = Extent::of(*grid, size, low, high);
            size.0 + top + bottom > MOST_PIXELS || size.1 + left + right > MOST_PIXELS
        };
        readers.iter().find(|&&reader| leaves(reader)).and_then(|&reader| self.list[reader].layer)
    }

    /// The readers of each plane.
    pub(super) fn readers(&self) -> Vec<Vec<PlaneId>> {
        let mut readers = vec![vec![]; self.list.len()];
        for (reader, plane) in self.list.iter().enumerate() {
            plane.kind.sources().into_iter().for_each(|source| readers[source].push(reader));
        }
        readers
    }

    /// The layers of the sums that a plane depends on through other kinds of planes, as far as they may still be scaled
    /// down.
    pub(super) fn may_be_smaller(&self, plane: PlaneId, headroom: &Headroom) -> Vec<usize> {
        let mut layers = vec![];
        let mut open = self.list[plane].kind.sources();
        while let Some(source) = open.pop() {
            match (&self.list[source].kind, self.list[source].layer) {
                (Kind::Linear { .. }, Some(layer)) => layers.push(layer),
                (kind, _) => open.extend(kind.sources()),
            }
        }
        layers.sort_unstable();
        layers.dedup();
        layers.retain(|&layer| headroom[layer] < MOST_HEADROOM);
        layers
    }
}
