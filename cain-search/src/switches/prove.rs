//! Proves that a program finds the values that it needs when it comes back.

use std::collections::BTreeMap;

use cain_isa::prove::Prover;
use cain_isa::{Cells, HostController as _, Reg, Store, SwitchStep};

use super::flow::Flow;
use super::{Point, SwitchError};
use crate::Proved;

/// The channel of values that others have written; no declaration has that many inputs.
const FOREIGN: u16 = u16::MAX;

/// Leaves the program at each point, lets the others write unknown values to everything they may overwrite, comes back,
/// and compares the values that the program needs with those of an undisturbed run: as polynomials, and with their
/// offset errors.
///
/// This suffices for one interruption, since the rest of a program computes a function of the values that it reads
/// before it writes them. For several interruptions, it also suffices if [ways back](ways_back_stay) remain valid.
pub(super) fn check(program: &Proved, flow: &Flow, others: Cells, points: &[Point]) -> Result<(), SwitchError> {
    if let Some(point) = points.iter().find(|point| !ways_back_stay(flow, others, points, point)) {
        return Err(failure(program, point.resume));
    }
    let declaration = program.declaration();
    let inputs: Vec<Reg> = declaration.inputs.iter().map(|input| input.reg).collect();
    let mut state = Prover::new(&inputs);
    // The undisturbed states to which later points go back, each with the last such point.
    let mut last_use: BTreeMap<u32, u32> = BTreeMap::new();
    last_use.extend(points.iter().filter(|point| point.resume < point.at).map(|point| (point.resume, point.at)));
    let mut earlier: BTreeMap<u32, Prover> = BTreeMap::new();
    let mut points = points.iter().peekable();
    for at in 0..=program.listing().len() {
        let here = u32::try_from(at).unwrap_or(u32::MAX);
        if let Some(instruction) = at.checked_sub(1).map(|last| program.listing()[last]) {
            state.execute(instruction).map_err(|_| failure(program, here))?;
        }
        let Some(point) = points.next_if(|point| point.at == here) else { continue };
        let undisturbed = earlier.get(&point.resume).unwrap_or(&state);
        let needed = flow.live[point.resume as usize];
        if !interrupted(&state, point, others).is_some_and(|state| agree(&state, undisturbed, needed)) {
            return Err(failure(program, point.resume));
        }
        earlier.retain(|resume, _| last_use[resume] > here);
        if last_use.get(&here).is_some_and(|&last| last > here) {
            earlier.insert(here, state.clone());
        }
    }
    Ok(())
}

/// Whether the state to which a point goes back is still there however often the program was left before, at any of
/// these points for the same others.
pub(super) fn ways_back_stay(flow: &Flow, others: Cells, points: &[Point], point: &Point) -> bool {
    way_back_stays(flow, points.iter().map(|point| (others, point)), (others, point))
}

/// Whether the state to which a point goes back is still there however often the program was left before, at each of
/// the points for others that overwrite its cells. Nothing may overwrite that state: neither the others, nor the
/// instructions in between, nor the moves at the points in between; and those points must go back to the same place or
/// not at all, so that nothing beyond this point was executed since.
pub(super) fn way_back_stays<'p>(
    flow: &Flow,
    points: impl Iterator<Item = (Cells, &'p Point)>,
    (others, point): (Cells, &Point),
) -> bool {
    if point.resume == point.at {
        return true;
    }
    let needed = flow.live[point.resume as usize];
    let written = &flow.written[point.resume as usize..point.at as usize];
    let mut overwritten = written.iter().fold(others, |sum, written| sum.union(*written));
    for (others, other) in points.filter(|(_, other)| (point.resume..=point.at).contains(&other.at)) {
        if other.resume != other.at && other.resume != point.resume {
            return false;
        }
        overwritten = overwritten.union(others).union(other.keepers());
    }
    needed.intersection(overwritten).is_empty()
}

/// Whether both states agree in the values that are needed.
fn agree(one: &Prover, other: &Prover, needed: Cells) -> bool {
    let same = |reg: Reg| {
        one.value(reg) == other.value(reg) && one.report().offset_error(reg) == other.report().offset_error(reg)
    };
    needed.analogue().iter().all(same) && (!needed.contains(Cells::NEWS) || one.news() == other.news())
}

/// The state of a program that was left at a point and has come back.
fn interrupted(state: &Prover, point: &Point, others: Cells) -> Option<Prover> {
    let mut state = state.clone();
    for word in point.as_switch_point().leaving().filter_map(SwitchStep::word) {
        state.issue(word).ok()?;
    }
    if others.contains(Cells::NEWS) {
        state.load(Store::News, FOREIGN);
    }
    others.analogue().iter().for_each(|reg| state.load(Store::Reg(reg), FOREIGN));
    for word in point.as_switch_point().returning().filter_map(SwitchStep::word) {
        state.issue(word).ok()?;
    }
    Some(state)
}

fn failure(program: &Proved, at: u32) -> SwitchError {
    SwitchError::Unproved { at, next: program.listing().get(at as usize).copied() }
}
