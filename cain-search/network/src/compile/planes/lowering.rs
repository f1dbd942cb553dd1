//! Lowers layers to planes.

use cain_isa::program::Grid;
use cain_isa::{Displacement, Fraction};

use super::super::CompileError;
use super::displacement::displacement;
use super::{Around, Kind, Number, Plane, PlaneId, Planes, Term, Wanted, Wire};
use crate::arithmetic::near;
use crate::{BitLevels, Image, MOST_LEVEL, Network, Operation, Reach, Source};
use cain_digital::Format;

impl Planes {
    /// The planes of a network whose layers match each other.
    pub(in super::super) fn of(network: &Network) -> Result<Self, CompileError> {
        let (bits, exact) = (network.bits()?, network.exact());
        let image = &network.input;
        let grid = Grid { top: 0, left: 0, row_step: 1, column_step: 1, height: image.height, width: image.width };
        let plane = Plane { layer: None, channel: 0, block: 0, kind: Kind::Image, grid, around: None };
        let mut lowering = Lowering {
            network,
            planes: Self { list: vec![plane], readouts: vec![] },
            layers: Vec::with_capacity(bits.len()),
            bits,
            exact,
            layer: 0,
        };
        for layer in 0..network.layers.len() {
            lowering.layer = layer;
            let wires = lowering.layer()?;
            lowering.layers.push(wires);
        }
        Ok(lowering.planes)
    }
}

/// The planes of the layers so far.
pub(super) struct Lowering<'a> {
    pub(super) network: &'a Network,
    pub(super) planes: Planes,
    /// The channels of the layers so far; empty for layers on the controller.
    layers: Vec<Vec<Wire>>,
    /// For all layers that are bits, the numbers that these stand for.
    bits: Vec<Option<BitLevels>>,
    /// For all layers of numbers in bits, the formats of their channels.
    pub(super) exact: Vec<Option<Vec<Format>>>,
    pub(super) layer: usize,
}

impl Lowering<'_> {
    fn layer(&mut self) -> Result<Vec<Wire>, CompileError> {
        let layer = &self.network.layers[self.layer];
        let sources: Vec<Vec<Wire>> = layer.from.iter().map(|source| self.source(*source)).collect();
        let all = || sources.iter().flatten().copied();
        match &layer.operation {
            Operation::Convolution { kernels, bias, stride, dilation, padding } => {
                let reach = Reach::of_kernels(kernels, *stride, *dilation, *padding);
                let wires: Vec<Wire> = all().map(|wire| self.analogue(wire)).collect();
                let reach = self.in_effect(reach, &wires);
                (0..kernels.len())
                    .map(|channel| self.sum(&reach, &wires, channel, &kernels[channel], bias[channel]))
                    .collect()
            }
            Operation::MeanPool { size, stride, dilation, padding, count_padding } => {
                let reach = Reach { size: *size, stride: *stride, dilation: *dilation, padding: *padding };
                let wires: Vec<Wire> = all().map(|wire| self.analogue(wire)).collect();
                let reach = self.in_effect(reach, &wires);
                let pixels = if *count_padding { Some(size.0 * size.1) } else { self.pixels_of_each(&reach, &wires) };
                let pixels = pixels.ok_or_else(|| self.unsupported(BORDER_MEANS))?;
                let weight = i64::try_from(pixels).ok().and_then(|pixels| Fraction::new(1, pixels));
                let kernel = vec![vec![vec![weight.ok_or_else(|| self.overflow())?; size.1]; size.0]];
                let pooled = wires.iter().enumerate();
                pooled.map(|(channel, wire)| self.sum(&reach, &[*wire], channel, &kernel, 0.0)).collect()
            }
            Operation::MaxPool { size, stride, dilation, padding } => {
                let reach = Reach { size: *size, stride: *stride, dilation: *dilation, padding: *padding };
                let wires: Vec<Wire> = all().collect();
                let reach = self.in_effect(reach, &wires);
                wires.into_iter().enumerate().map(|(channel, wire)| self.pool(&reach, channel, wire)).collect()
            }
            Operation::Affine { scale, shift } => {
                all().enumerate().map(|(i, wire)| self.affine(wire, *entry(scale, i), *entry(shift, i))).collect()
            }
            Operation::Relu => self.each(all(), |_, wire| Kind::Relu(wire)),
            Operation::LeakyRelu { exponent } => {
                let wires = self.with_room(all());
                self.each(wires.into_iter(), |_, wire| Kind::LeakyRelu(wire, *exponent))
            }
            Operation::Abs => {
                let wires = self.with_room(all());
                self.each(wires.into_iter(), |_, wire| Kind::Abs(wire))
            }
            Operation::Clamp { low, high } => self.each(all(), |_, wire| Kind::Clamp(wire, *low, *high)),
            Operation::Threshold { at, inclusive, below, above } => {
                let bits =
                    all().enumerate().map(|(channel, of)| self.threshold(channel, of, *entry(at, channel), *inclusive));
                let bits = bits.collect::<Result<Vec<_>, _>>()?;
                let step = above - below;
                if step == 0.0 {
                    return Err(self.unsupported("a threshold whose two `values` are the same number"));
                }
                let scale = near(step).ok_or_else(|| self.inexact(step))?;
                Ok(bits.into_iter().map(|bit| Wire { scale, shift: *below, ..bit }).collect())
            }
            Operation::Digital { kernels, stride, dilation, padding } => {
                let wires: Vec<Wire> = all().collect();
                let reach = Reach::of_kernels(kernels, *stride, *dilation, *padding);
                let reach = self.in_effect(reach, &wires);
                let channels = kernels.iter().enumerate();
                channels.map(|(channel, kernel)| self.exact_sum(&reach, &wires, channel, kernel)).collect()
            }
            Operation::Logic { functions } => {
                let wires: Vec<Wire> = all().collect();
                let channels = functions.iter().enumerate();
                channels.map(|(channel, function)| self.function(&wires, channel, function)).collect()
            }
            Operation::Maximum => self.extreme(true, &sources),
            Operation::Minimum => self.extreme(false, &sources),
            Operation::Concatenate => Ok(all().collect()),
            Operation::Windows { windows, mean } => {
                // The controller counts listed pixels.
                self.readout(&sources[0], &Wanted::Windows(windows.clone(), *mean))?;
                Ok(vec![])
            }
            Operation::Plane => {
                self.readout(&sources[0], &Wanted::Pixels)?;
                Ok(vec![])
            }
            Operation::Events { capacity } => {
                let Some(&Source::Layer(source)) = layer.from.first() else { return Ok(vec![]) };
                let levels = self.bits[source].clone().unwrap_or_default();
                let wires = all().zip(levels).enumerate();
                let wires = wires.map(|(channel, (wire, levels))| self.bit(channel, wire, levels));
                let wires = wires.collect::<Result<Vec<_>, _>>()?;
                self.readout(&wires, &Wanted::Events(*capacity))?;
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

    pub(super) fn push(&mut self, channel: usize, kind: Kind, grid: Grid) -> PlaneId {
        self.planes.list.push(Plane { layer: Some(self.layer), channel, block: 0, kind, grid, around: None });
        self.planes.list.len() - 1
    }

    pub(super) fn grid(&self, wire: Wire) -> Grid {
        self.planes.list[wire.plane].grid
    }

    /// The rows and columns of maps.
    fn size(&self, wires: &[Wire]) -> (usize, usize) {
        let grid = wires.first().map(|wire| self.grid(*wire));
        grid.map_or((0, 0), |grid| (grid.height, grid.width))
    }

    /// The reach, without padding that no output reads.
    fn in_effect(&self, reach: Reach, wires: &[Wire]) -> Reach {
        Reach { padding: reach.padding_in_effect(self.size(wires)), ..reach }
    }

    fn pixels_of_each(&self, reach: &Reach, wires: &[Wire]) -> Option<usize> {
        reach.pixels_of_each(self.size(wires))
    }

    /// Adds a plane for each wire, on the same grid.
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

    /// The numbers of a wire in an analogue plane.
    fn analogue(&mut self, wire: Wire) -> Wire {
        let number = match &self.planes.list[wire.plane].kind {
            Kind::Number(number) => number.clone(),
            kind if kind.is_bit() => Number { bits: vec![wire.plane], is_signed: false },
            _ => return wire,
        };
        let spread = |plane: &Plane| matches!(&plane.kind, Kind::Spread(of) if *of == number);
        let plane = self.planes.list.iter().position(spread).unwrap_or_else(|| {
            let Plane { channel, grid, .. } = self.planes.list[wire.plane];
            self.push(channel, Kind::Spread(number.clone()), grid)
        });
        Wire { plane, ..wire }
    }

    /// The numbers of a wire in an analogue plane whose values rise with them.
    pub(super) fn rising(&mut self, channel: usize, wire: Wire) -> Wire {
        let wire = self.analogue(wire);
        let Image { levels, range, .. } = self.network.input;
        let image_falls =
            matches!(self.planes.list[wire.plane].kind, Kind::Image) && (levels.0 < levels.1) != (range.0 < range.1);
        if (wire.scale < Fraction::ZERO) == image_falls { wire } else { self.alone(channel, wire) }
    }

    /// The same numbers in planes that can be moved so that 0 is 0 DN: in planes of their own where the picture would leave the
    /// range of the registers.
    fn with_room(&mut self, wires: impl Iterator<Item = Wire>) -> Vec<Wire> {
        let Image { levels, range, .. } = self.network.input;
        let step = (levels.1 - levels.0) / (range.1 - range.0);
        let wires = wires.enumerate().map(|(channel, wire)| {
            let moved = |end: f64| ((end + wire.shift / wire.scale.to_f64()) * step).abs();
            let is_picture = matches!(self.planes.list[wire.plane].kind, Kind::Image);
            let has_room = !is_picture || moved(range.0).max(moved(range.1)) <= MOST_LEVEL;
            if has_room { wire } else { self.alone(channel, wire) }
        });
        wires.collect()
    }

    /// The numbers of a wire in a plane of their own.
    fn alone(&mut self, channel: usize, wire: Wire) -> Wire {
        let term = Term { wire, displacement: Displacement::ZERO, weight: Fraction::ONE };
        let grid = self.grid(wire);
        Wire::of(self.push(channel, Kind::Linear { terms: vec![term], bias: 0.0 }, grid))
    }

    /// Applies a factor and a summand; they become part of the plane if that is a sum anyway.
    pub(super) fn affine(&mut self, wire: Wire, scale: Fraction, shift: f64) -> Result<Wire, CompileError> {
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

    /// Adds a channel of a convolution.
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

    /// Adds a channel of a pooling by maximum.
    fn pool(&mut self, reach: &Reach, channel: usize, wire: Wire) -> Result<Wire, CompileError> {
        let is_padded = !reach.padding.is_none();
        let is_bit = !is_padded && self.planes.list[wire.plane].kind.is_bit() && wire.scale > Fraction::ZERO;
        let wire = match (is_bit, is_padded) {
            (true, _) => wire,
            (false, false) => self.rising(channel, wire),
            (false, true) => {
                let analogue = self.analogue(wire);
                let rising = self.rising(channel, analogue);
                self.surround_with(rising, Around::Least)?;
                rising
            }
        };
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

    /// Adds the maximum or minimum of several maps, channel by channel.
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

    /// Ensures that there are zeros around a map.
    pub(super) fn surround(&mut self, wire: Wire) -> Result<(), CompileError> {
        self.surround_with(wire, Around::Number(-wire.shift / wire.scale.to_f64()))
    }

    fn surround_with(&mut self, wire: Wire, around: Around) -> Result<(), CompileError> {
        let around = match (self.planes.list[wire.plane].around, around) {
            (None, around) => around,
            (Some(earlier), around) if earlier == around => around,
            // The number of a sum is as good for a maximum as any other that no value is below.
            (Some(Around::Number(number)), Around::Least) | (Some(Around::Least), Around::Number(number))
                if self.least(wire.plane).is_some_and(|least| number <= least) =>
            {
                Around::Number(number)
            }
            _ => return Err(self.unsupported("a map around which different layers need different values")),
        };
        self.planes.list[wire.plane].around = Some(around);
        Ok(())
    }

    /// A number that no value of a map is below, if one follows from how the map is made.
    fn least(&self, plane: PlaneId) -> Option<f64> {
        let of = |wire: &Wire| {
            let least = self.least(wire.plane).filter(|_| wire.scale > Fraction::ZERO)?;
            Some(least * wire.scale.to_f64() + wire.shift)
        };
        match &self.planes.list[plane].kind {
            Kind::Image => {
                let (black, white) = self.network.input.range;
                Some(black.min(white))
            }
            Kind::Relu(_) | Kind::Abs(_) => Some(0.0),
            Kind::Clamp(_, low, _) => Some(*low),
            Kind::Extreme { largest: true, of: all } => all.iter().filter_map(|(wire, _)| of(wire)).reduce(f64::max),
            Kind::Extreme { largest: false, of: all } => {
                let all: Option<Vec<f64>> = all.iter().map(|(wire, _)| of(wire)).collect();
                all?.into_iter().reduce(f64::min)
            }
            _ => None,
        }
    }

    pub(super) fn unsupported(&self, what: &'static str) -> CompileError {
        CompileError::unsupported(self.network, self.layer, what)
    }

    pub(super) fn overflow(&self) -> CompileError {
        CompileError::overflow(self.network, self.layer)
    }

    fn inexact(&self, number: f64) -> CompileError {
        CompileError::inexact(self.network, self.layer, number)
    }
}

const BORDER_MEANS: &str = "means over fewer pixels at the border, where padding does not count; count it \
                            (`count_padding = true`), or use none";

/// The entry of a channel in a list with one for each, or one for all.
fn entry<T>(list: &[T], channel: usize) -> &T {
    if list.len() == 1 { &list[0] } else { &list[channel] }
}
