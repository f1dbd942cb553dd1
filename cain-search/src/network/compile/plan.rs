//! In which order planes are made, and in which registers.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use cain_isa::network::{Area, Grid, Held, ReadOut, Step};
use cain_isa::operations::OperationError;
use cain_isa::{Bit, Displacement, Dreg, Fraction, PlaneOperation, Reg, prove};

use super::CompileError;
use super::check::{Contents, Flow};
use super::constant::Constant;
use super::error::Obstacle;
use super::levels::{Headroom, Level, kernel, sources};
use super::linear::{Searches, Sum};
use super::planes::{Kind, Plane, PlaneId, Planes, Term, Wire};
use super::registers::Registers;
use super::script::Script;
use super::stage::{Extent, Stage, Work};
use crate::network::{Network, Operation, Shape, Window};
use crate::{Proved, SearchError};

/// Why there is no plan.
#[derive(Debug)]
pub(super) enum Failure {
    /// The network cannot be compiled.
    Error(CompileError),
    /// No program was found for this sum; the planes that it reads may be too large.
    Room(PlaneId, Box<SearchError>),
    /// There are too few registers at this plane.
    Registers(PlaneId),
    /// There are too few digital registers at this plane.
    Bits(PlaneId),
}

impl From<CompileError> for Failure {
    fn from(error: CompileError) -> Self {
        Self::Error(error)
    }
}

/// The bit that tells what is outside of a map, as if it were a plane.
const OUTSIDE: PlaneId = PlaneId::MAX;

/// Puts the planes of a network in an order and into registers.
pub(super) struct Planner<'a> {
    network: &'a Network,
    planes: &'a Planes,
    levels: &'a [Level],
    /// Where programs come from; without, sums are taken to have one if there are registers for it.
    searches: Option<(&'a mut Searches, &'a Headroom)>,
    registers: Registers,
    /// How often each plane is still read.
    left: Vec<usize>,
    /// The transfer errors that planes hold whose thresholds make up for them.
    errors: BTreeMap<PlaneId, Fraction>,
    /// Read-outs of bits that have not been done yet.
    pending: Vec<usize>,
    /// A bit that tells what is outside of a map.
    outside: Option<(Dreg, Grid)>,
    /// What the stage that is made next reads.
    reading: Vec<(PlaneId, Held)>,
    /// What each stage reads and makes.
    flows: Vec<Flow>,
    /// The operations of all stages, to be proved.
    operations: HashSet<PlaneOperation>,
    stages: Vec<Stage>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(
        network: &'a Network,
        planes: &'a Planes,
        levels: &'a [Level],
        searches: Option<(&'a mut Searches, &'a Headroom)>,
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

    /// The stages that make and read everything.
    pub(super) fn run(mut self) -> Result<Vec<Stage>, Failure> {
        let input = *self.registers.free().first().ok_or(Failure::Registers(0))?;
        self.registers.hold(input, Some(0));
        self.surround(0)?;
        for (i, readout) in self.planes.readouts.iter().enumerate() {
            self.make(readout.wire.plane)?;
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

    /// Proves the operations, and that each stage reads what earlier ones left. Sums are proved already.
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

    /// Brings a plane into a register.
    fn make(&mut self, plane: PlaneId) -> Result<(), Failure> {
        if self.registers.place(plane).is_some() {
            return Ok(());
        }
        let planes = self.planes;
        let kind = &planes.list[plane].kind;
        for source in kind.sources() {
            self.make(source)?;
        }
        self.reading = self.places(&kind.sources());
        match kind {
            // It is held from the beginning for as long as it is needed.
            Kind::Image => Ok(()),
            Kind::Linear { .. } => self.sum(plane),
            Kind::Relu(wire) => self.relu(plane, *wire),
            Kind::LeakyRelu(wire, halvings) => self.leaky_relu(plane, *wire, *halvings),
            Kind::Abs(wire) => self.abs(plane, *wire),
            Kind::Clamp(wire, low, high) => self.clamp(plane, *wire, (*low, *high)),
            Kind::Extreme { largest, of } => self.extreme(plane, *largest, of),
            Kind::Threshold { of, at, inclusive } => self.threshold(plane, *of, *at, *inclusive),
            Kind::Bits { all, of } => self.bits(plane, *all, of),
            Kind::Spread(bit) => self.spread(plane, *bit),
        }
    }

    /// Where planes are held.
    fn places(&self, planes: &[PlaneId]) -> Vec<(PlaneId, Held)> {
        planes.iter().filter_map(|&plane| Some((plane, self.registers.place(plane)?))).collect()
    }

    /// One use of a plane less; it is given up after the last.
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

    /// A constant and two registers to make it in; one that needs none if there are not as many.
    fn made_in(&self, constant: Constant, busy: Reg) -> (Constant, [Reg; 2]) {
        match *self.registers.free() {
            [u, t, ..] => (constant, [u, t]),
            [u] => (constant.to_whole(), [u, u]),
            [] => (constant.to_whole(), [busy, busy]),
        }
    }

    fn free_bit(&mut self, plane: PlaneId) -> Result<Dreg, Failure> {
        if self.registers.free_bits().is_empty() {
            self.read_pending(true);
        }
        self.registers.free_bits().first().copied().ok_or(Failure::Bits(plane))
    }

    /// The register of a plane that is overwritten: its own after the last use, else that of a copy.
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

    /// Ends the making of a plane in an analogue register from one other.
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
        self.stages.push(Stage { layer, channels, steps, held, grids, range, pixels, way, macs, work });
        Ok(())
    }

    /// How far planes reach out of the picture: the pixels that they are made of, and the ways of these.
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

    fn sum(&mut self, plane: PlaneId) -> Result<(), Failure> {
        let Some(terms) = terms(self.planes, plane) else { return Ok(()) };
        if terms.is_empty() {
            let mut script = Script::default();
            let reg = self.free(plane)?;
            script.clear(reg);
            self.registers.hold(reg, Some(plane));
            self.stage(script, &[plane], 0, Work::Operation)?;
            return self.surround(plane);
        }
        let group = self.siblings(plane, &sources(terms));
        let most = self.together(&group);
        for size in (2..=most).rev() {
            let planes = &group[..size];
            let Some(together) = self.sum_of(planes)? else { continue };
            let Ok(joint) = self.program(&together, false) else { continue };
            let words = joint.as_ref().map_or(0, |program| program.report().icws);
            if self.one_by_one(planes)?.is_none_or(|apart| words <= apart) {
                return self.add_sum(planes, &together, joint);
            }
            break;
        }
        let alone = self.sum_of(&[plane])?.ok_or(Failure::Registers(plane))?;
        let may_be_smaller = |(_, headroom): &(_, &Headroom)| !self.planes.may_be_smaller(plane, headroom).is_empty();
        let needed = !self.searches.as_ref().is_some_and(may_be_smaller);
        let program = self.program(&alone, needed).map_err(|error| Failure::Room(plane, Box::new(error)))?;
        self.add_sum(&[plane], &alone, program)
    }

    /// A program for sums, if programs are wanted.
    fn program(&mut self, sum: &Sum, needed: bool) -> Result<Option<Proved>, SearchError> {
        /// With as many registers beside the result there mostly is a program.
        const ENOUGH: usize = 2;
        match &mut self.searches {
            Some((searches, _)) => searches.search(sum, needed).map(Some),
            None if sum.scratch.len() >= ENOUGH => Ok(None),
            None => Err(SearchError::Registers { writable: vec![], enough: None, remedy: None }),
        }
    }

    /// The sums of the same layer that read the same planes and are not there yet.
    fn siblings(&self, plane: PlaneId, read: &[PlaneId]) -> Vec<PlaneId> {
        let list = &self.planes.list;
        let is_sibling = |&other: &PlaneId| {
            let same = |terms: &[Term]| sources(terms) == read;
            (list[other].layer, list[other].block) == (list[plane].layer, list[plane].block)
                && self.left[other] > 0
                && self.registers.place(other).is_none()
                && terms(self.planes, other).is_some_and(same)
        };
        let others = (0..list.len()).filter(|&other| other != plane).filter(is_sibling);
        std::iter::once(plane).chain(others).collect()
    }

    /// How many of these sums can be made together.
    fn together(&self, group: &[PlaneId]) -> usize {
        /// Registers that are left for what follows.
        const SPARE: usize = 2;
        let fits = |&size: &usize| self.room(&group[..size]) >= size + SPARE;
        (2..=group.len()).rev().find(fits).unwrap_or(1)
    }

    /// The registers that a program for these sums may overwrite.
    fn room(&self, group: &[PlaneId]) -> usize {
        self.registers.free().len() + self.given_up(group).len()
    }

    /// The planes that nobody needs after these sums.
    fn given_up(&self, group: &[PlaneId]) -> Vec<PlaneId> {
        let read = terms(self.planes, group[0]).map(sources).unwrap_or_default();
        read.into_iter().filter(|&plane| self.left[plane] == group.len()).collect()
    }

    /// The words of these sums one by one, if programs were found.
    fn one_by_one(&mut self, group: &[PlaneId]) -> Result<Option<u32>, Failure> {
        let mut words = 0;
        for &plane in group {
            let Some(sum) = self.sum_of(&[plane])? else { return Ok(None) };
            match self.program(&sum, false) {
                Ok(program) => words += program.map_or(0, |program| program.report().icws),
                Err(_) => return Ok(None),
            }
        }
        Ok(Some(words))
    }

    /// What is to be computed for these sums, and where; nothing if there is no register for it.
    fn sum_of(&self, group: &[PlaneId]) -> Result<Option<Sum>, Failure> {
        let given_up = self.given_up(group);
        let read = terms(self.planes, group[0]).map(sources).unwrap_or_default();
        let inputs: Vec<(Reg, bool)> =
            read.iter().filter_map(|plane| Some((self.registers.reg(*plane)?, !given_up.contains(plane)))).collect();
        let mut room: Vec<Reg> = given_up.iter().filter_map(|&plane| self.registers.reg(plane)).collect();
        room.extend(self.registers.free());
        if room.len() < group.len() {
            return Ok(None);
        }
        let scratch = room.split_off(group.len());
        let mut outputs = vec![];
        for (&reg, &plane) in room.iter().zip(group) {
            let terms = terms(self.planes, plane).unwrap_or_default();
            let layer = self.planes.list[plane].layer.unwrap_or_default();
            let kernel = kernel(self.levels, terms, self.levels[plane].scale)
                .ok_or_else(|| CompileError::overflow(self.network, layer))?;
            outputs.push((reg, kernel));
        }
        let ends = |end: fn(&Level) -> f64| read.iter().map(move |&plane| end(&self.levels[plane]));
        let low = ends(|level| level.low).fold(0.0, f64::min);
        let high = ends(|level| level.high).fold(0.0, f64::max);
        let layer = self.planes.list[group[0]].layer.unwrap_or_default();
        let scratch = scratch.into_iter().filter(|reg| !inputs.iter().any(|(input, _)| input == reg)).collect();
        let name = self.network.layers[layer].name.clone();
        let may_err = group.iter().all(|&plane| self.may_err(plane));
        Ok(Some(Sum { name, inputs, outputs, scratch, range: (low, high), may_err }))
    }

    /// Whether a plane may hold transfer errors: if it is only compared with levels, which make up for them.
    fn may_err(&self, plane: PlaneId) -> bool {
        /// The largest level that has to be compared with; beyond it there is room for three errors of 20 DN.
        const MOST: f64 = 64.0;
        let is_level = |kind: &Kind| match kind {
            Kind::Threshold { of, at, inclusive } => {
                let level = self.level(*of);
                let constant = above(&level, *at, *inclusive != (level.scale.numerator() < 0));
                constant.is_whole() && constant.value().abs() <= MOST
            }
            _ => false,
        };
        let list = &self.planes.list;
        let mut readers = list.iter().map(|other| &other.kind).filter(|kind| kind.sources().contains(&plane));
        let is_read = self.planes.readouts.iter().any(|readout| readout.wire.plane == plane);
        list[plane].around.is_none() && !is_read && readers.all(is_level)
    }

    /// Adds sums that have a program.
    fn add_sum(&mut self, group: &[PlaneId], sum: &Sum, program: Option<Proved>) -> Result<(), Failure> {
        let read = terms(self.planes, group[0]).map(sources).unwrap_or_default();
        for _ in group {
            for &plane in &read {
                self.consume(plane);
            }
        }
        for (&plane, (reg, _)) in group.iter().zip(&sum.outputs) {
            self.registers.hold(*reg, Some(plane));
            let errors = program.as_ref().and_then(|program| program.report().offset_error(*reg));
            self.errors.extend(errors.filter(|errors| !errors.is_zero()).map(|errors| (plane, errors)));
        }
        let macs = |plane: PlaneId| {
            let Plane { grid, .. } = &self.planes.list[plane];
            let weights = terms(self.planes, plane).map_or(0, <[Term]>::len);
            (weights * grid.height * grid.width) as u64
        };
        let macs = group.iter().map(|&plane| macs(plane)).sum();
        let mut script = Script::default();
        let work = program.map_or(Work::Operation, Work::Sum);
        if let Work::Sum(program) = &work {
            script.push(Step::Execute(program.listing().to_vec()));
        }
        self.stage(script, group, macs, work)?;
        group.iter().try_for_each(|&plane| self.surround(plane))
    }

    fn relu(&mut self, plane: PlaneId, wire: Wire) -> Result<(), Failure> {
        let mut script = Script::default();
        let reg = self.take(&mut script, wire.plane, plane)?;
        let level = self.level(wire);
        let (least, ts) = self.made_in(level.constant(level.zero), reg);
        script.at_least(reg, least, ts);
        self.made(script, plane, wire.plane, reg)
    }

    fn leaky_relu(&mut self, plane: PlaneId, wire: Wire, halvings: u32) -> Result<(), Failure> {
        let mut script = Script::default();
        let reg = self.take(&mut script, wire.plane, plane)?;
        let (summand, ts) = self.made_in(self.level(wire).to_centre(), reg);
        script.add(reg, summand, ts);
        if let Ok(halvings @ 1..) = u8::try_from(halvings) {
            let ts = self.scratch(plane)?;
            script.leaky_relu(reg, halvings, ts);
        }
        self.made(script, plane, wire.plane, reg)
    }

    fn abs(&mut self, plane: PlaneId, wire: Wire) -> Result<(), Failure> {
        let mut script = Script::default();
        let reg = self.take(&mut script, wire.plane, plane)?;
        let (summand, ts) = self.made_in(self.level(wire).to_centre(), reg);
        script.add(reg, summand, ts);
        script.abs(reg, self.free(plane)?);
        self.made(script, plane, wire.plane, reg)
    }

    fn clamp(&mut self, plane: PlaneId, wire: Wire, (low, high): (f64, f64)) -> Result<(), Failure> {
        let level = self.level(wire);
        let mut script = Script::default();
        let reg = self.take(&mut script, wire.plane, plane)?;
        let [low, high] = [low, high].map(|end| level.constant(level.value(end)));
        if low.value() > level.low {
            let (low, ts) = self.made_in(low, reg);
            script.at_least(reg, low, ts);
        }
        if high.value() < level.high {
            let (high, ts) = self.made_in(high, reg);
            script.at_most(reg, high, ts);
        }
        self.made(script, plane, wire.plane, reg)
    }

    fn extreme(&mut self, plane: PlaneId, largest: bool, of: &[(Wire, Displacement)]) -> Result<(), Failure> {
        let Some(&(first, _)) = of.first() else { return Ok(()) };
        let mut script = Script::default();
        let reg = self.take(&mut script, first.plane, plane)?;
        self.registers.hold(reg, Some(plane));
        let ts = self.scratch(plane)?;
        if of.iter().all(|(wire, _)| wire.plane == first.plane) {
            for step in growth(of.iter().map(|(_, displacement)| *displacement)) {
                script.extreme(largest, reg, (reg, step), Constant::ZERO, ts);
            }
        } else {
            for &(wire, displacement) in &of[1..] {
                let other = self.registers.reg(wire.plane).ok_or(Failure::Registers(plane))?;
                let level = Constant::whole(self.level(first).zero - self.level(wire).zero);
                script.extreme(largest, reg, (other, displacement), level, ts);
            }
        }
        let others: BTreeSet<PlaneId> = of.iter().map(|(wire, _)| wire.plane).filter(|&of| of != first.plane).collect();
        for other in others {
            self.consume(other);
        }
        self.made(script, plane, first.plane, reg)
    }

    fn threshold(&mut self, plane: PlaneId, of: Wire, at: f64, inclusive: bool) -> Result<(), Failure> {
        let level = self.level(of);
        let falling = level.scale.numerator() < 0;
        let bit = self.free_bit(plane)?;
        let reg = self.registers.reg(of.plane).ok_or(Failure::Registers(plane))?;
        let constant = above(&level, at, inclusive != falling);
        let errors = self.errors.get(&of.plane).copied().unwrap_or(Fraction::ZERO);
        let mut script = Script::default();
        match *self.registers.free() {
            [t] if !constant.is_whole() && self.left[of.plane] == 1 => {
                script.threshold_of_distance(bit, reg, constant, falling, t);
            }
            _ => {
                let (constant, ts) = self.made_in(constant, reg);
                script.threshold(bit, (reg, errors), constant, falling, ts);
            }
        }
        self.consume(of.plane);
        self.registers.hold_bit(bit, Some(plane));
        self.stage(script, &[plane], 0, Work::Operation)
    }

    fn bits(&mut self, plane: PlaneId, all: bool, of: &[(PlaneId, Displacement)]) -> Result<(), Failure> {
        let mut script = Script::default();
        let Some(&(first, _)) = of.first() else { return Ok(()) };
        let bit = |planner: &Self, id: PlaneId| planner.registers.bit(id).ok_or(Failure::Bits(plane));
        let mut held = bit(self, first)?;
        let same = of.iter().all(|(other, _)| *other == first);
        let steps: Vec<(PlaneId, Displacement)> = if same {
            growth(of.iter().map(|(_, displacement)| *displacement)).into_iter().map(|step| (first, step)).collect()
        } else {
            of[1..].to_vec()
        };
        if self.registers.free_bits().len() < 5 {
            self.read_pending(true);
        }
        let mut free = self.registers.free_bits();
        for (other, step) in steps {
            let &[shifted, joined, t, u, ..] = free.as_slice() else { return Err(Failure::Bits(plane)) };
            let from = if same { held } else { bit(self, other)? };
            script.shift_bits(shifted, from, step, t);
            script.join_bits(all, joined, (held, shifted), [t, u]);
            free.retain(|&bit| bit != joined);
            if held != bit(self, first)? {
                free.push(held);
            }
            held = joined;
        }
        let sources: BTreeSet<PlaneId> = of.iter().map(|(other, _)| *other).collect();
        for source in sources {
            self.consume(source);
        }
        self.registers.hold_bit(held, Some(plane));
        self.stage(script, &[plane], 0, Work::Operation)
    }

    fn spread(&mut self, plane: PlaneId, bit: PlaneId) -> Result<(), Failure> {
        let reg = self.free(plane)?;
        let register = self.registers.bit(bit).ok_or(Failure::Bits(plane))?;
        let mut script = Script::default();
        script.spread(reg, register, Constant::whole(self.levels[plane].high).level);
        self.made(script, plane, bit, reg)
    }

    /// Writes what has to be around a map.
    fn surround(&mut self, plane: PlaneId) -> Result<(), Failure> {
        let Some(number) = self.planes.list[plane].around else { return Ok(()) };
        let Some(reg) = self.registers.reg(plane) else { return Ok(()) };
        let grid = self.planes.list[plane].grid;
        self.reading = self.places(&[plane]);
        let mut script = Script::default();
        let bit = if let Some((bit, _)) = self.outside {
            bit
        } else {
            let bit = self.free_bit(plane)?;
            // Taken from now on.
            self.registers.hold_bit(bit, Some(OUTSIDE));
            bit
        };
        if self.outside == Some((bit, grid)) {
            self.reading.push((OUTSIDE, Held::Bit(Bit::Reg(bit))));
        } else {
            script.push(Step::Outside(bit, grid));
            self.outside = Some((bit, grid));
        }
        let level = &self.levels[plane];
        let (constant, ts) = self.made_in(level.constant(level.value(number)), reg);
        self.free(plane)?;
        script.replace(reg, bit, constant, ts);
        self.stage(script, &[plane], 0, Work::Border)?;
        if let Some(flow) = self.flows.last_mut() {
            flow.made.push((OUTSIDE, Held::Bit(Bit::Reg(bit))));
        }
        Ok(())
    }

    /// Does the read-outs that were put off: all, or those of analogue planes.
    fn read_pending(&mut self, bits: bool) {
        for i in std::mem::take(&mut self.pending) {
            let readout = &self.planes.readouts[i];
            let plane = readout.wire.plane;
            if self.planes.list[plane].kind.is_bit() && !bits {
                self.pending.push(i);
                continue;
            }
            let Some(held) = self.registers.place(plane) else { continue };
            self.flows.push(Flow { read: vec![(plane, held)], made: vec![] });
            self.stages.push(self.read(i, held));
            self.consume(plane);
        }
    }

    fn read(&self, i: usize, held: Held) -> Stage {
        let readout = &self.planes.readouts[i];
        let plane = &self.planes.list[readout.wire.plane];
        let level = self.level(readout.wire);
        let (scale, shift) = if plane.kind.is_bit() {
            (readout.wire.scale.to_f64(), readout.wire.shift)
        } else {
            let scale = level.scale.to_f64().recip();
            (scale, -level.zero * scale)
        };
        let pixels = plane.grid.height * plane.grid.width;
        let numbers = readout.windows.as_ref().map_or(pixels, Vec::len);
        let step = Step::Read(ReadOut {
            from: held,
            grid: plane.grid,
            windows: readout.windows.as_ref().map(|windows| windows.iter().map(area).collect()),
            first: self.first_number(readout.layer) + readout.channel * numbers,
            scale,
            shift,
            mean: readout.mean,
        });
        Stage {
            layer: Some(readout.layer),
            channels: vec![readout.channel],
            steps: vec![step],
            held: vec![held],
            grids: vec![plane.grid],
            range: (level.low, level.high),
            pixels: Extent::default(),
            way: Extent::default(),
            macs: 0,
            work: Work::Read,
        }
    }

    /// The place of a layer's first number among those of all read-outs.
    fn first_number(&self, layer: usize) -> usize {
        readout_layers(self.network).take_while(|(other, _)| *other < layer).map(|(_, count)| count).sum()
    }
}

/// The layers that are read out, and how many numbers they make.
pub(super) fn readout_layers(network: &Network) -> impl Iterator<Item = (usize, usize)> {
    let shapes = network.shapes().unwrap_or_default();
    let layers = network.layers.iter().zip(shapes).enumerate();
    layers.filter_map(|(i, (layer, shape))| match (&layer.operation, shape) {
        (Operation::Windows { .. } | Operation::Plane, Shape::Numbers(count)) => Some((i, count)),
        _ => None,
    })
}

fn terms(planes: &Planes, plane: PlaneId) -> Option<&[Term]> {
    match &planes.list[plane].kind {
        Kind::Linear { terms, .. } => Some(terms),
        _ => None,
    }
}

/// The constant that values have to exceed to stand for numbers above that.
fn above(level: &Level, at: f64, inclusive: bool) -> Constant {
    let at = level.value(at);
    match level.lattice.and_then(|lattice| lattice.around(at, inclusive)) {
        Some((below, next)) => Constant::between(below, next),
        None => level.constant(at),
    }
}

/// The steps by which a PE's own value grows to a rectangle of them: each joins what there is with the same that far away.
fn growth(window: impl Iterator<Item = Displacement>) -> Vec<Displacement> {
    let places: Vec<Displacement> = window.collect();
    let axis = |along: fn(&Displacement) -> i16, step: fn(i16) -> Displacement| {
        let places: BTreeSet<i16> = places.iter().map(along).collect();
        let places: Vec<i16> = places.into_iter().collect();
        let spacing = places.windows(2).map(|pair| pair[1] - pair[0]).next().unwrap_or(1);
        let count = |ends: Option<&i16>| ends.map_or(0, |end| (end / spacing).abs());
        let (below, above) = (count(places.first()), count(places.last()));
        let mut steps = vec![];
        let (mut low, mut high) = (0, 0);
        while high < above {
            let far = (low + high + 1).min(above - high);
            steps.push(step(far * spacing));
            high += far;
        }
        while low < below {
            let far = (low + high + 1).min(below - low);
            steps.push(step(-far * spacing));
            low += far;
        }
        steps
    };
    let mut steps = axis(|place| place.x, |x| Displacement::new(x, 0));
    steps.extend(axis(|place| place.y, |y| Displacement::new(0, y)));
    steps
}

const fn area(window: &Window) -> Area {
    let Window { top, left, height, width } = *window;
    Area { top, left, height, width }
}
