//! From layers to planes: what the array holds at some time, each made of others.

use cain_isa::network::Grid;
use cain_isa::{Displacement, Fraction};

use super::CompileError;
use super::levels::{Headroom, MOST_HEADROOM};
use crate::network::{Image, Network, Operation, Reach, Source, Window};

/// The place of a plane in [`Planes::list`].
pub(super) type PlaneId = usize;

/// All planes of a network, each after those that it is made of, and what is read of them.
#[derive(Debug)]
pub(super) struct Planes {
    pub(super) list: Vec<Plane>,
    pub(super) readouts: Vec<PlaneReadout>,
}

/// What a register holds in some step.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    /// The layer that it belongs to; the picture if `None`.
    pub(super) layer: Option<usize>,
    pub(super) channel: usize,
    /// Sums of different blocks are not made together.
    pub(super) block: usize,
    pub(super) kind: Kind,
    pub(super) grid: Grid,
    /// The number that has to be around the map, if later planes read it.
    pub(super) around: Option<f64>,
}

/// How a plane is made of others.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// The picture.
    Image,
    /// A weighted sum of numbers, plus a number.
    Linear {
        terms: Vec<Term>,
        bias: f64,
    },
    /// What is negative becomes 0.
    Relu(Wire),
    /// What is negative is halved that many times.
    LeakyRelu(Wire, u32),
    Abs(Wire),
    /// Held between two numbers.
    Clamp(Wire, f64, f64),
    /// The largest, or smallest, of several.
    Extreme {
        largest: bool,
        of: Vec<(Wire, Displacement)>,
    },
    /// A bit: whether the number is above that.
    Threshold {
        of: Wire,
        at: f64,
        inclusive: bool,
    },
    /// A bit: whether all, or any, of several bits are 1.
    Bits {
        all: bool,
        of: Vec<(PlaneId, Displacement)>,
    },
    /// The numbers 0 and 1 of a bit.
    Spread(PlaneId),
}

/// A plane times a factor, plus a summand, in the numbers of the network.
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

/// What is read of one plane.
#[derive(Clone, Debug)]
pub(super) struct PlaneReadout {
    pub(super) layer: usize,
    pub(super) channel: usize,
    pub(super) wire: Wire,
    pub(super) windows: Option<Vec<Window>>,
    pub(super) mean: bool,
}

impl Kind {
    /// Whether it takes a digital register.
    pub(super) const fn is_bit(&self) -> bool {
        matches!(self, Self::Threshold { .. } | Self::Bits { .. })
    }

    /// The corners of the rectangle of pixels that a PE reads: south-west and north-east.
    pub(super) fn reach(&self) -> (Displacement, Displacement) {
        let places: Vec<Displacement> = match self {
            Self::Linear { terms, .. } => terms.iter().map(|term| term.displacement).collect(),
            Self::Extreme { of, .. } => of.iter().map(|(_, displacement)| *displacement).collect(),
            Self::Bits { of, .. } => of.iter().map(|(_, displacement)| *displacement).collect(),
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
            Self::Image => vec![],
            Self::Linear { terms, .. } => terms.iter().map(|term| term.wire.plane).collect(),
            Self::Relu(wire) | Self::LeakyRelu(wire, _) | Self::Abs(wire) | Self::Clamp(wire, ..) => vec![wire.plane],
            Self::Threshold { of, .. } => vec![of.plane],
            Self::Extreme { of, .. } => of.iter().map(|(wire, _)| wire.plane).collect(),
            Self::Bits { of, .. } => of.iter().map(|(plane, _)| *plane).collect(),
            Self::Spread(plane) => vec![*plane],
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
    /// The planes of a network whose shapes fit.
    pub(super) fn of(network: &Network) -> Result<Self, CompileError> {
        let shapes = network.shapes()?;
        let image = &network.input;
        let grid = Grid { top: 0, left: 0, row_step: 1, column_step: 1, height: image.height, width: image.width };
        let plane = Plane { layer: None, channel: 0, block: 0, kind: Kind::Image, grid, around: None };
        let mut lowering = Lowering {
            network,
            planes: Self { list: vec![plane], readouts: vec![] },
            layers: Vec::with_capacity(shapes.len()),
            layer: 0,
        };
        for layer in 0..network.layers.len() {
            lowering.layer = layer;
            let wires = lowering.layer()?;
            lowering.layers.push(wires);
        }
        Ok(lowering.planes)
    }

    /// How often each plane is read by others and by read-outs.
    pub(super) fn uses(&self) -> Vec<usize> {
        let mut uses = vec![0; self.list.len()];
        for readout in &self.readouts {
            uses[readout.wire.plane] += 1;
        }
        // Later planes first, so that what nobody reads does not count.
        for plane in (0..self.list.len()).rev() {
            if uses[plane] > 0 {
                self.list[plane].kind.sources().into_iter().for_each(|source| uses[source] += 1);
            }
        }
        uses
    }
}

struct Lowering<'a> {
    network: &'a Network,
    planes: Planes,
    /// The channels of the layers so far; none where they are numbers.
    layers: Vec<Vec<Wire>>,
    layer: usize,
}

impl Lowering<'_> {
    fn layer(&mut self) -> Result<Vec<Wire>, CompileError> {
        let layer = &self.network.layers[self.layer];
        let sources: Vec<Vec<Wire>> = layer.from.iter().map(|source| self.source(*source)).collect();
        let all = || sources.iter().flatten().copied();
        match &layer.operation {
            Operation::Convolution { kernels, bias, stride, dilation, padding } => {
                let size = (kernels[0][0].len(), kernels[0][0][0].len());
                let reach = Reach { size, stride: *stride, dilation: *dilation, padding: *padding };
                let wires: Vec<Wire> = all().map(|wire| self.analogue(wire)).collect();
                (0..kernels.len())
                    .map(|channel| self.sum(&reach, &wires, channel, &kernels[channel], bias[channel]))
                    .collect()
            }
            Operation::MeanPool { size, stride, padding, count_padding } => {
                if !padding.is_none() && !count_padding {
                    return Err(self.unsupported("means without the padding; count the padding, or use none"));
                }
                let reach = Reach { size: *size, stride: *stride, dilation: (1, 1), padding: *padding };
                let weight = i64::try_from(size.0 * size.1).ok().and_then(|area| Fraction::new(1, area));
                let kernel = vec![vec![vec![weight.ok_or_else(|| self.overflow())?; size.1]; size.0]];
                let wires: Vec<Wire> = all().map(|wire| self.analogue(wire)).collect();
                let pooled = wires.iter().enumerate();
                pooled.map(|(channel, wire)| self.sum(&reach, &[*wire], channel, &kernel, 0.0)).collect()
            }
            Operation::MaxPool { size, stride, padding } => {
                let reach = Reach { size: *size, stride: *stride, dilation: (1, 1), padding: *padding };
                all().enumerate().map(|(channel, wire)| self.pool(&reach, channel, wire)).collect()
            }
            Operation::Affine { scale, shift } => {
                all().enumerate().map(|(i, wire)| self.affine(wire, *entry(scale, i), *entry(shift, i))).collect()
            }
            Operation::Relu => self.each(all(), |_, wire| Kind::Relu(wire)),
            Operation::LeakyRelu { exponent } => self.each(all(), |_, wire| Kind::LeakyRelu(wire, *exponent)),
            Operation::Abs => self.each(all(), |_, wire| Kind::Abs(wire)),
            Operation::Clamp { low, high } => self.each(all(), |_, wire| Kind::Clamp(wire, *low, *high)),
            Operation::Threshold { at, inclusive, below, above } => {
                let bits = self.each(all(), |channel, of| Kind::Threshold {
                    of,
                    at: *entry(at, channel),
                    inclusive: *inclusive,
                })?;
                let step = above - below;
                let scale = exact(step).filter(|scale| !scale.is_zero()).ok_or_else(|| self.inexact(step))?;
                Ok(bits.into_iter().map(|bit| Wire { scale, shift: *below, ..bit }).collect())
            }
            Operation::Maximum => self.extreme(true, &sources),
            Operation::Minimum => self.extreme(false, &sources),
            Operation::Concatenate => Ok(all().collect()),
            Operation::Windows { windows, mean } => {
                self.readout(&sources[0], Some(windows), *mean);
                Ok(vec![])
            }
            Operation::Plane => {
                self.readout(&sources[0], None, false);
                Ok(vec![])
            }
            Operation::Dense { .. } | Operation::Rectify | Operation::Softmax | Operation::Argmax | Operation::Join => {
                Ok(vec![])
            }
        }
    }

    fn source(&self, source: Source) -> Vec<Wire> {
        match source {
            Source::Image => vec![Wire::of(0)],
            Source::Layer(layer) => self.layers[layer].clone(),
        }
    }

    fn push(&mut self, channel: usize, kind: Kind, grid: Grid) -> PlaneId {
        self.planes.list.push(Plane { layer: Some(self.layer), channel, block: 0, kind, grid, around: None });
        self.planes.list.len() - 1
    }

    fn grid(&self, wire: Wire) -> Grid {
        self.planes.list[wire.plane].grid
    }

    /// A plane per wire, in the same places.
    fn each(
        &mut self,
        wires: impl Iterator<Item = Wire>,
        kind: impl Fn(usize, Wire) -> Kind,
    ) -> Result<Vec<Wire>, CompileError> {
        let wires = wires.enumerate().map(|(channel, wire)| {
            let wire = self.rising(channel, wire);
            let grid = self.grid(wire);
            Ok(Wire::of(self.push(channel, kind(channel, wire), grid)))
        });
        wires.collect()
    }

    /// The same numbers in an analogue plane.
    fn analogue(&mut self, wire: Wire) -> Wire {
        if !self.planes.list[wire.plane].kind.is_bit() {
            return wire;
        }
        let spread = |plane: &Plane| matches!(plane.kind, Kind::Spread(bit) if bit == wire.plane);
        let plane = self.planes.list.iter().position(spread).unwrap_or_else(|| {
            let Plane { channel, grid, .. } = self.planes.list[wire.plane];
            self.push(channel, Kind::Spread(wire.plane), grid)
        });
        Wire { plane, ..wire }
    }

    /// The same numbers in an analogue plane whose values rise with them.
    fn rising(&mut self, channel: usize, wire: Wire) -> Wire {
        let wire = self.analogue(wire);
        let Image { levels, range, .. } = self.network.input;
        let image_falls =
            matches!(self.planes.list[wire.plane].kind, Kind::Image) && (levels.0 < levels.1) != (range.0 < range.1);
        if (wire.scale < Fraction::ZERO) == image_falls { wire } else { self.alone(channel, wire) }
    }

    /// The same numbers in a plane of their own.
    fn alone(&mut self, channel: usize, wire: Wire) -> Wire {
        let term = Term { wire, displacement: Displacement::ZERO, weight: Fraction::ONE };
        let grid = self.grid(wire);
        Wire::of(self.push(channel, Kind::Linear { terms: vec![term], bias: 0.0 }, grid))
    }

    /// A factor and a summand are part of the plane if that is a sum anyway.
    fn affine(&mut self, wire: Wire, scale: Fraction, shift: f64) -> Result<Wire, CompileError> {
        let factor = wire.scale.checked_mul(scale).ok_or_else(|| self.overflow())?;
        let summand = wire.shift * scale.to_f64() + shift;
        let Plane { channel, grid, kind, .. } = self.planes.list[wire.plane].clone();
        if scale.is_zero() {
            return Ok(Wire::of(self.push(channel, Kind::Linear { terms: vec![], bias: shift }, grid)));
        }
        let Kind::Linear { terms, bias } = kind else {
            return Ok(Wire { plane: wire.plane, scale: factor, shift: summand });
        };
        let scaled = |term: Term| Some(Term { weight: term.weight.checked_mul(factor)?, ..term });
        let terms = terms.into_iter().map(scaled).collect::<Option<_>>().ok_or_else(|| self.overflow())?;
        let bias = bias * factor.to_f64() + summand;
        Ok(Wire::of(self.push(channel, Kind::Linear { terms, bias }, grid)))
    }

    /// A channel of a convolution.
    fn sum(
        &mut self,
        reach: &Reach,
        wires: &[Wire],
        channel: usize,
        kernel: &[Vec<Vec<Fraction>>],
        bias: f64,
    ) -> Result<Wire, CompileError> {
        let first = self.grid(wires[0]);
        let grid = self.outputs(reach, first)?;
        let mut terms = vec![];
        for (&wire, matrix) in wires.iter().zip(kernel) {
            let source = self.grid(wire);
            self.same_steps(first, source)?;
            if !reach.padding.is_none() {
                self.surround(wire)?;
            }
            for (weight, displacement) in matrix.iter().flatten().zip(self.taps(reach, source, grid)?) {
                if !weight.is_zero() {
                    terms.push(Term { wire, displacement, weight: *weight });
                }
            }
        }
        Ok(Wire::of(self.push(channel, Kind::Linear { terms, bias }, grid)))
    }

    /// A channel of a pooling by maximum.
    fn pool(&mut self, reach: &Reach, channel: usize, wire: Wire) -> Result<Wire, CompileError> {
        let is_bit = self.planes.list[wire.plane].kind.is_bit() && wire.scale > Fraction::ZERO;
        let wire = if is_bit { wire } else { self.rising(channel, wire) };
        if !reach.padding.is_none() {
            return Err(self.unsupported("padding of a maximum; leave it out, or pad before"));
        }
        let source = self.grid(wire);
        let grid = self.outputs(reach, source)?;
        let taps = self.taps(reach, source, grid)?;
        if is_bit {
            let of = taps.into_iter().map(|tap| (wire.plane, tap)).collect();
            return Ok(Wire { plane: self.push(channel, Kind::Bits { all: false, of }, grid), ..wire });
        }
        let of = taps.into_iter().map(|tap| (wire, tap)).collect();
        Ok(Wire::of(self.push(channel, Kind::Extreme { largest: true, of }, grid)))
    }

    /// The largest or smallest of several maps, channel by channel.
    fn extreme(&mut self, largest: bool, sources: &[Vec<Wire>]) -> Result<Vec<Wire>, CompileError> {
        let channels = 0..sources[0].len();
        let extreme = |channel: usize| {
            let wires: Vec<Wire> = sources.iter().map(|wires| wires[channel]).collect();
            let first = self.grid(wires[0]);
            let displaced = |wire: &Wire| displacement(first, self.grid(*wire));
            let displacements = wires.iter().map(displaced).collect::<Option<Vec<_>>>();
            let displacements = displacements.ok_or_else(|| self.overflow())?;
            wires.iter().try_for_each(|wire| self.same_steps(first, self.grid(*wire)))?;
            let same = |wire: &Wire| wire.scale == wires[0].scale && wire.shift.total_cmp(&wires[0].shift).is_eq();
            let bits = wires.iter().all(|wire| self.planes.list[wire.plane].kind.is_bit() && same(wire));
            if bits {
                let all = largest == (wires[0].scale < Fraction::ZERO);
                let of = wires.iter().map(|wire| wire.plane).zip(displacements).collect();
                return Ok(Wire { plane: self.push(channel, Kind::Bits { all, of }, first), ..wires[0] });
            }
            let wires = wires.into_iter().map(|wire| self.rising(channel, wire)).collect::<Vec<_>>();
            let of = wires.into_iter().zip(displacements).collect();
            Ok(Wire::of(self.push(channel, Kind::Extreme { largest, of }, first)))
        };
        channels.map(extreme).collect()
    }

    fn readout(&mut self, wires: &[Wire], windows: Option<&Vec<Window>>, mean: bool) {
        for (channel, &wire) in wires.iter().enumerate() {
            let readout = PlaneReadout { layer: self.layer, channel, wire, windows: windows.cloned(), mean };
            self.planes.readouts.push(readout);
        }
    }

    /// Has zeros around a map.
    fn surround(&mut self, wire: Wire) -> Result<(), CompileError> {
        let number = -wire.shift / wire.scale.to_f64();
        let plane = &mut self.planes.list[wire.plane];
        if plane.around.is_some_and(|around| around.total_cmp(&number).is_ne()) {
            return Err(self.unsupported("zeros around a map whose zero another layer takes for something else"));
        }
        plane.around = Some(number);
        Ok(())
    }

    /// The places of outputs: those of the middle of the pixels that they read.
    fn outputs(&self, reach: &Reach, source: Grid) -> Result<Grid, CompileError> {
        let along = |size: usize, dilation: usize, before: usize| {
            (((size - 1) / 2) * dilation).cast_signed() - before.cast_signed()
        };
        let rows = along(reach.size.0, reach.dilation.0, reach.padding.top);
        let columns = along(reach.size.1, reach.dilation.1, reach.padding.left);
        let (height, width) = reach.outputs((source.height, source.width)).ok_or_else(|| self.overflow())?;
        Ok(Grid {
            top: source.top + rows * source.row_step.cast_signed(),
            left: source.left + columns * source.column_step.cast_signed(),
            row_step: source.row_step * reach.stride.0,
            column_step: source.column_step * reach.stride.1,
            height,
            width,
        })
    }

    /// Where the pixels are that an output reads, seen from it.
    fn taps(&self, reach: &Reach, source: Grid, output: Grid) -> Result<Vec<Displacement>, CompileError> {
        let tap = |(row, column): (isize, isize)| {
            let south = source.top - output.top + row * source.row_step.cast_signed();
            let east = source.left - output.left + column * source.column_step.cast_signed();
            Some(Displacement::new(i16::try_from(east).ok()?, i16::try_from(-south).ok()?))
        };
        reach.pixels(0, 0).map(tap).collect::<Option<_>>().ok_or_else(|| self.overflow())
    }

    fn same_steps(&self, first: Grid, other: Grid) -> Result<(), CompileError> {
        let steps = |grid: Grid| (grid.row_step, grid.column_step);
        if steps(first) == steps(other) {
            return Ok(());
        }
        Err(self.unsupported("maps whose pixels are differently far apart on the array, after strides"))
    }

    fn unsupported(&self, what: &'static str) -> CompileError {
        CompileError::unsupported(self.network, self.layer, what)
    }

    fn overflow(&self) -> CompileError {
        CompileError::overflow(self.network, self.layer)
    }

    fn inexact(&self, number: f64) -> CompileError {
        CompileError::inexact(self.network, self.layer, number)
    }
}

/// Where a map begins, seen from the other.
fn displacement(from: Grid, to: Grid) -> Option<Displacement> {
    let (south, east) = (to.top - from.top, to.left - from.left);
    Some(Displacement::new(i16::try_from(east).ok()?, i16::try_from(-south).ok()?))
}

/// The entry of a channel in a list with one for each, or one for all.
fn entry<T>(list: &[T], channel: usize) -> &T {
    if list.len() == 1 { &list[0] } else { &list[channel] }
}

/// A number as a fraction, if it has few binary digits.
pub(super) fn exact(number: f64) -> Option<Fraction> {
    const MOST_DIGITS: u32 = 24;
    let limit = 2.0_f64.powi(30);
    (0..=MOST_DIGITS).find_map(|digits| {
        let scaled = number * 2.0_f64.powi(digits.cast_signed());
        #[expect(clippy::cast_possible_truncation, reason = "whole and below the limit")]
        let numerator = (scaled.abs() < limit && scaled.fract() == 0.0).then_some(scaled as i64)?;
        Fraction::new(numerator, 1 << digits)
    })
}

impl Planes {
    /// The layers of the sums that a plane reads, through what is no sum, as far as they may be smaller than they are.
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
