//! Weighted sums: chooses which are made together, and their registers.

use std::collections::BTreeSet;

use cain_isa::Reg;

use super::super::CompileError;
use super::super::headroom::Headroom;
use super::super::levels::{kernel, share, sources};
use super::super::linear::{Program, Sum, Unmade};
use super::super::planes::{Kind, Plane, PlaneId, Planes, Term};
use super::super::script::Script;
use super::super::stage::Work;
use super::super::summand::Wanted;
use super::operations::above;
use super::{Failure, Planner};
use cain_search::SearchError;

impl Planner<'_, '_> {
    pub(super) fn sum(&mut self, plane: PlaneId) -> Result<(), Failure> {
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
        self.sum_with(plane, &group)?;
        // What sums in a block share is there only for as long as all of them are made.
        let rest = if self.planes.list[plane].block == 0 { &[] } else { &group[1..] };
        rest.iter().try_for_each(|&other| self.make(other))
    }

    /// Makes a sum, the first of a group, together with as many of the others as gain by it.
    fn sum_with(&mut self, plane: PlaneId, group: &[PlaneId]) -> Result<(), Failure> {
        let most = self.together(group);
        for size in (2..=most).rev() {
            let planes = &group[..size];
            let Some(together) = self.sum_of(planes)? else { continue };
            let Ok(joint) = self.program(&together, false) else { continue };
            let words = joint.as_ref().map_or(0, Program::words);
            if self.one_by_one(planes)?.is_none_or(|apart| words <= apart) {
                return self.add_sum(planes, &together, joint);
            }
            break;
        }
        let alone = self.sum_of(&[plane])?.ok_or(Failure::Registers(plane))?;
        let may_be_smaller = |(_, headroom): &(_, &Headroom)| !self.planes.may_be_smaller(plane, headroom).is_empty();
        let needed = !self.searches.as_ref().is_some_and(may_be_smaller);
        let program = self.program(&alone, needed).map_err(|unmade| match unmade {
            Unmade::Search(error) => Failure::Room(plane, Box::new(error)),
            Unmade::Summand => Failure::Summand(plane),
        })?;
        self.add_sum(&[plane], &alone, program)
    }

    /// A program for sums, if programs are wanted.
    fn program(&mut self, sum: &Sum, needed: bool) -> Result<Option<Program>, Unmade> {
        /// With this many registers besides the result, there usually is a program.
        const ENOUGH: usize = 2;
        match &mut self.searches {
            Some((searches, _)) => searches.search(sum, needed).map(Some),
            None if sum.scratch.len() >= ENOUGH => Ok(None),
            None => Err(Unmade::Search(SearchError::Registers { writable: vec![], enough: None, remedy: None })),
        }
    }

    /// The sum and others of the same layer that have not been made yet and read the same planes, or, in a block, some of
    /// them.
    fn siblings(&self, plane: PlaneId, read: &[PlaneId]) -> Vec<PlaneId> {
        let list = &self.planes.list;
        let is_sibling = |&other: &PlaneId| {
            let same = |terms: &[Term]| {
                let others = sources(terms);
                let shares = || others.iter().any(|source| read.contains(source));
                let are_there = || others.iter().all(|&source| self.registers.place(source).is_some());
                others == read || (list[plane].block != 0 && shares() && are_there())
            };
            (list[other].layer, list[other].block) == (list[plane].layer, list[plane].block)
                && self.left[other] > 0
                && self.registers.place(other).is_none()
                && terms(self.planes, other).is_some_and(same)
        };
        let others = (0..list.len()).filter(|&other| other != plane).filter(is_sibling);
        std::iter::once(plane).chain(others).collect()
    }

    /// The number of these sums that can be made together.
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

    /// The planes that are not needed after these sums.
    fn given_up(&self, group: &[PlaneId]) -> Vec<PlaneId> {
        let readers = |source: PlaneId| group.iter().filter(|&&plane| self.reads(plane).contains(&source)).count();
        self.read_by(group).into_iter().filter(|&source| self.left[source] == readers(source)).collect()
    }

    /// The words of these sums made one by one, if programs were found.
    fn one_by_one(&mut self, group: &[PlaneId]) -> Result<Option<usize>, Failure> {
        let before = (self.registers.clone(), self.left.clone());
        let words = self.one_after_the_other(group);
        (self.registers, self.left) = before;
        words
    }

    /// The words of these sums made one after the other, each of which leaves fewer registers to the next; their
    /// programs are not added.
    fn one_after_the_other(&mut self, group: &[PlaneId]) -> Result<Option<usize>, Failure> {
        let mut words = 0;
        for &plane in group {
            let Some(sum) = self.sum_of(&[plane])? else { return Ok(None) };
            match self.program(&sum, false) {
                Ok(program) => words += program.as_ref().map_or(0, Program::words),
                Err(_) => return Ok(None),
            }
            self.take_places(&[plane], &sum);
        }
        Ok(Some(words))
    }

    /// Registers the results of sums, and counts a read of their sources for each.
    fn take_places(&mut self, group: &[PlaneId], sum: &Sum) {
        for source in group.iter().flat_map(|&plane| self.reads(plane)).collect::<Vec<_>>() {
            self.consume(source);
        }
        for (&plane, (reg, _)) in group.iter().zip(&sum.outputs) {
            self.registers.hold(*reg, Some(plane));
        }
    }

    /// The declaration of these sums and their registers; `None` if there is no register for a result.
    fn sum_of(&self, group: &[PlaneId]) -> Result<Option<Sum>, Failure> {
        let given_up = self.given_up(group);
        let read = self.read_by(group);
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
            let kernel = kernel(self.levels, (&read, terms), self.levels[plane].scale)
                .ok_or_else(|| CompileError::overflow(self.network, layer))?;
            outputs.push((reg, kernel));
        }
        // Values on the way are as far from what they could be as the sums.
        let share = group.iter().map(|&plane| share(self.network, self.planes, plane)).fold(0.0, f64::max);
        let range = |&plane: &PlaneId| (share * self.levels[plane].low, share * self.levels[plane].high);
        let ranges = read.iter().map(range).collect();
        let zeros = read.iter().map(|&plane| self.levels[plane].zero).collect();
        let wanted = group.iter().map(|&plane| self.wanted(plane)).collect();
        let may_err = group.iter().all(|&plane| self.may_err(plane));
        let layer = self.planes.list[group[0]].layer.unwrap_or_default();
        let scratch = scratch.into_iter().filter(|reg| !inputs.iter().any(|(input, _)| input == reg)).collect();
        let name = self.network.layers[layer].name.clone();
        Ok(Some(Sum { name, inputs, outputs, scratch, ranges, zeros, wanted, may_err }))
    }

    /// The planes that a sum reads.
    fn reads(&self, plane: PlaneId) -> Vec<PlaneId> {
        terms(self.planes, plane).map(sources).unwrap_or_default()
    }

    /// The planes that sums read, in order.
    fn read_by(&self, group: &[PlaneId]) -> Vec<PlaneId> {
        group.iter().flat_map(|&plane| self.reads(plane)).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn wanted(&self, plane: PlaneId) -> Wanted {
        let level = &self.levels[plane];
        Wanted { summand: level.summand, tolerance: level.tolerance(), is_compensated: !self.may_err(plane) }
    }

    /// Whether a plane may contain transfer errors, because it is only compared with levels, which compensate for them.
    fn may_err(&self, plane: PlaneId) -> bool {
        /// The largest level to compare with; beyond it, there is room for three errors of 20 DN.
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
    fn add_sum(&mut self, group: &[PlaneId], sum: &Sum, program: Option<Program>) -> Result<(), Failure> {
        self.reading = self.places(&self.read_by(group));
        self.take_places(group, sum);
        for (&plane, (reg, _)) in group.iter().zip(&sum.outputs) {
            if self.may_err(plane) {
                let errors = program.as_ref().and_then(|of| of.proved.report().offset_error_by_destinations(*reg));
                self.errors.extend(errors.map(|errors| (plane, errors)));
            }
        }
        let macs = |plane: PlaneId| {
            let Plane { grid, .. } = &self.planes.list[plane];
            let weights = terms(self.planes, plane).map_or(0, <[Term]>::len);
            (weights * grid.height * grid.width) as u64
        };
        let macs = group.iter().map(|&plane| macs(plane)).sum();
        let mut script = Script::default();
        let work = program.map_or(Work::Operation, |Program { proved, steps }| {
            for step in steps {
                script.push(step);
            }
            Work::Sum(proved)
        });
        self.stage(script, group, macs, work)?;
        group.iter().try_for_each(|&plane| self.surround(plane))
    }
}

fn terms(planes: &Planes, plane: PlaneId) -> Option<&[Term]> {
    match &planes.list[plane].kind {
        Kind::Linear { terms, .. } => Some(terms),
        _ => None,
    }
}
