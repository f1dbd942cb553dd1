//! Chooses the order in which planes are made, and their registers.

mod border;
mod exact;
mod operations;
mod readouts;
mod sums;

use std::collections::{BTreeMap, HashSet};

use cain_analysis::prove;
use cain_isa::operations::OperationError;
use cain_isa::program::{Grid, Held};
use cain_isa::{Displacement, Dreg, Fraction, PlaneOperation, Reg};
use cain_search::SearchError;

use super::CompileError;
use super::check::{Contents, Flow};
use super::constant::Constant;
use super::error::Obstacle;
use super::headroom::Headroom;
use super::levels::Level;
use super::planes::{Kind, PlaneId, Planes, Wanted, Wire};
use super::registers::Registers;
use super::script::Script;
use super::searches::Searches;
use super::stage::{Extent, Stage, Work};
use crate::Network;

pub(super) use readouts::readout_layers;

/// The reason why there is no plan.
#[derive(Debug)]
pub(super) enum Failure {
    /// The network cannot be compiled.
    Error(CompileError),
    /// No program was found for this sum; the planes that it reads may be too large.
    Room(PlaneId, Box<SearchError>),
    /// The program of this sum has no place for its summand.
    Summand(PlaneId),
    /// There are too few registers at this plane.
    Registers(PlaneId),
    /// There are too few digital registers at this plane.
    Bits(PlaneId),
    /// A number has more bits than there are digital registers for it.
    BitsOfResult { plane: PlaneId, free: usize, needed: usize },
    /// No program was found for this number while other bits are kept.
    Exact { plane: PlaneId, held: usize, error: Box<cain_digital::SearchError> },
}

impl From<CompileError> for Failure {
    fn from(error: CompileError) -> Self {
        Self::Error(error)
    }
}

/// The number of the bit that marks the outside of a map, as if it were a plane.
const OUTSIDE: PlaneId = PlaneId::MAX;

/// The number of a bit that is read out alone, as if it were a plane.
const ALONE: PlaneId = PlaneId::MAX - 1;

/// Puts the planes of a network into an order and into registers.
pub(super) struct Planner<'a, 'w> {
    network: &'a Network,
    planes: &'a Planes,
    levels: &'a [Level],
    /// The source of programs; without it, sums are assumed to have a program if there are enough registers for it.
    searches: Option<(&'a mut Searches<'w>, &'a Headroom)>,
    registers: Registers,
    /// The number of reads still to come for each plane.
    left: Vec<usize>,
    /// The errors of transfers to one, two and three cells in planes whose thresholds compensate for them.
    errors: BTreeMap<PlaneId, [Fraction; 3]>,
    /// Read-outs of bits that have not been done yet.
    pending: Vec<usize>,
    /// The bit that marks the outside of a map.
    outside: Option<(Dreg, Grid)>,
    /// The planes that the next stage reads.
    reading: Vec<(PlaneId, Held)>,
    /// The planes that each stage reads and makes.
    flows: Vec<Flow>,
    /// The operations of all stages, to be proved.
    operations: HashSet<PlaneOperation>,
    stages: Vec<Stage>,
}

impl<'a, 'w> Planner<'a, 'w> {
    pub(super) fn new(
        network: &'a Network,
        planes: &'a Planes,
        levels: &'a [Level],
        searches: Option<(&'a mut Searches<'w>, &'a Headroom)>,
        registers: Registers,
    ) -> Self {
        Self {
            network,
            planes,
            levels,
            searches,
            registers,
            left: planes.uses(),
            errors: BTreeMap::new(),
            pending: vec![],
            outside: None,
            reading: vec![],
            flows: vec![],
            operations: HashSet::new(),
            stages: vec![],
        }
    }

    /// Makes and reads everything; returns the stages.
    pub(super) fn run(mut self) -> Result<Vec<Stage>, Failure> {
        let input = *self.registers.free().first().ok_or(Failure::Registers(0))?;
        self.registers.hold(input, Some(0));
        self.surround(0)?;
        for (i, readout) in self.planes.readouts.iter().enumerate() {
            self.make(readout.wire.plane)?;
            if let Wanted::Events(capacity) = readout.wanted {
                self.list(readout, capacity)?;
                continue;
            }
            self.pending.push(i);
            if !self.planes.list[readout.wire.plane].kind.is_bit() {
                self.read_pending(false);
            }
        }
        self.read_pending(true);
        if self.searches.is_some() {
            self.prove(input)?;
        }
        Ok(self.stages)
    }

    /// Proves the operations, and that each stage reads what earlier ones left. Sums have been proved already.
    fn prove(&self, input: Reg) -> Result<(), Failure> {
        for operation in &self.operations {
            prove::operation(operation).map_err(|error| CompileError::proof(self.network, error))?;
        }
        let mut contents = Contents::of(input, 0);
        for (stage, flow) in self.stages.iter().zip(&self.flows) {
            contents
                .follow(&stage.steps, flow)
                .map_err(|_| CompileError::new(self.network, stage.layer, Obstacle::Lost))?;
        }
        Ok(())
    }

    /// Brings a plane into a register, after those that it is made of.
    fn make(&mut self, plane: PlaneId) -> Result<(), Failure> {
        let planes = self.planes;
        // Planes that are not made yet, with what they are made of and how many of these are there.
        let mut waiting = vec![];
        let mut next = Some(plane);
        loop {
            if let Some(plane) = next.filter(|&plane| self.registers.place(plane).is_none()) {
                waiting.push((plane, planes.list[plane].kind.sources(), 0));
            }
            let Some((plane, sources, made)) = waiting.last_mut() else { return Ok(()) };
            next = sources.get(*made).copied();
            *made += 1;
            if next.is_none() {
                let plane = *plane;
                waiting.pop();
                self.make_of_sources(plane)?;
            }
        }
    }

    /// Brings a plane into a register whose sources are in registers.
    fn make_of_sources(&mut self, plane: PlaneId) -> Result<(), Failure> {
        let planes = self.planes;
        let kind = &planes.list[plane].kind;
        self.reading = self.places(&kind.sources());
        match kind {
            // The picture is held from the beginning for as long as it is needed, and a number is there with its bits.
            Kind::Image | Kind::Number(_) => Ok(()),
            Kind::Linear { .. } => self.sum(plane),
            Kind::Relu(wire) => self.relu(plane, *wire),
            Kind::LeakyRelu(wire, halvings) => self.leaky_relu(plane, *wire, *halvings),
            Kind::Abs(wire) => self.abs(plane, *wire),
            Kind::Clamp(wire, low, high) => self.clamp(plane, *wire, (*low, *high)),
            Kind::Extreme { largest, of } => self.extreme(plane, *largest, of),
            Kind::Threshold { of, at, inclusive } => self.threshold(plane, *of, *at, *inclusive),
            Kind::Bits { all, of } => self.bits(plane, *all, of),
            Kind::Exact { program, bit } => self.exact(plane, program, *bit),
            Kind::Spread(number) => self.spread(plane, number),
        }
    }

    /// The registers of planes.
    fn places(&self, planes: &[PlaneId]) -> Vec<(PlaneId, Held)> {
        planes.iter().filter_map(|&plane| Some((plane, self.registers.place(plane)?))).collect()
    }

    /// Counts a use of a plane, which is released after the last one.
    fn consume(&mut self, plane: PlaneId) {
        self.left[plane] = self.left[plane].saturating_sub(1);
        if self.left[plane] == 0 {
            self.registers.forget(plane);
        }
    }

    fn free(&self, plane: PlaneId) -> Result<Reg, Failure> {
        self.registers.free().first().copied().ok_or(Failure::Registers(plane))
    }

    fn scratch<const N: usize>(&self, plane: PlaneId) -> Result<[Reg; N], Failure> {
        self.registers.free().first_chunk().copied().ok_or(Failure::Registers(plane))
    }

    /// A constant and two registers to make it in; if there are too few registers, a constant that needs none.
    fn made_in(&self, constant: Constant, busy: Reg) -> (Constant, [Reg; 2]) {
        match *self.registers.free() {
            [u, t, ..] => (constant, [u, t]),
            [u] => (constant.to_whole(), [u, u]),
            [] => (constant.to_whole(), [busy, busy]),
        }
    }

    /// A constant for a lower bound of the values in a register, and two registers to make it in. Without a free
    /// register, only 0 is possible.
    fn lower_bound(&self, plane: PlaneId, constant: Constant, reg: Reg) -> Result<(Constant, [Reg; 2]), Failure> {
        let (constant, ts) = self.made_in(constant, reg);
        if constant != Constant::ZERO && self.registers.free().is_empty() {
            return Err(Failure::Registers(plane));
        }
        Ok((constant, ts))
    }

    fn free_bit(&mut self, plane: PlaneId) -> Result<Dreg, Failure> {
        if self.registers.free_bits().is_empty() {
            self.read_pending(true);
        }
        self.registers.free_bits().first().copied().ok_or(Failure::Bits(plane))
    }

    /// The register of a plane to be overwritten: its own after the last use, otherwise that of a copy.
    fn take(&mut self, script: &mut Script, of: PlaneId, plane: PlaneId) -> Result<Reg, Failure> {
        let reg = self.registers.reg(of).ok_or(Failure::Registers(plane))?;
        if self.left[of] == 1 {
            return Ok(reg);
        }
        let copy = self.free(plane)?;
        script.shift(copy, reg, Displacement::ZERO);
        self.registers.hold(copy, Some(plane));
        Ok(copy)
    }

    /// Completes a plane in an analogue register that was made from one other.
    fn made(&mut self, script: Script, plane: PlaneId, of: PlaneId, reg: Reg) -> Result<(), Failure> {
        self.consume(of);
        self.registers.hold(reg, Some(plane));
        self.stage(script, &[plane], 0, Work::Operation)?;
        self.surround(plane)
    }

    fn stage(&mut self, script: Script, planes: &[PlaneId], macs: u64, work: Work) -> Result<(), Failure> {
        let first = planes.first().copied().unwrap_or_default();
        let (steps, operations) = script.into_steps().map_err(|error| self.operation_error(first, error))?;
        self.operations.extend(operations);
        let made = self.places(planes);
        let held = made.iter().map(|(_, held)| *held).collect();
        self.flows.push(Flow { read: std::mem::take(&mut self.reading), made });
        let list = planes.iter().map(|&plane| &self.planes.list[plane]);
        let channels = list.clone().map(|plane| plane.channel).collect();
        let layer = list.clone().next().and_then(|plane| plane.layer);
        let levels = planes.iter().map(|&plane| &self.levels[plane]);
        let range = levels.fold((0.0_f64, 0.0_f64), |(low, high), level| (low.min(level.low), high.max(level.high)));
        let (pixels, way) = self.extents(planes, &work);
        let grids = planes.iter().map(|&plane| self.planes.list[plane].grid).collect();
        let errors = |plane| self.errors.get(plane).copied().unwrap_or([Fraction::ZERO; 3]);
        let compensated = planes.iter().map(errors).collect();
        self.stages.push(Stage { layer, channels, steps, held, grids, compensated, range, pixels, way, macs, work });
        Ok(())
    }

    /// How far planes reach outside of the picture: the pixels that they are made of, and the paths of these.
    fn extents(&self, planes: &[PlaneId], work: &Work) -> (Extent, Extent) {
        let size = (self.network.input.height, self.network.input.width);
        let of = |plane: PlaneId, (low, high): (Displacement, Displacement)| {
            Extent::of(self.planes.list[plane].grid, size, low, high)
        };
        let read = |plane: PlaneId| of(plane, self.planes.list[plane].kind.reach());
        let pixels = planes.iter().map(|&plane| read(plane)).fold(Extent::default(), Extent::with);
        let Work::Sum(program) = work else { return (pixels, pixels) };
        let reach = program.reach();
        let way = |plane: PlaneId| of(plane, (reach.min, reach.max));
        (pixels, planes.iter().map(|&plane| way(plane)).fold(pixels, Extent::with))
    }

    fn operation_error(&self, plane: PlaneId, error: OperationError) -> Failure {
        CompileError::operation(self.network, self.planes.list[plane].layer, error).into()
    }

    fn level(&self, wire: Wire) -> Level {
        self.levels[wire.plane].of(wire).unwrap_or(self.levels[wire.plane])
    }
}
