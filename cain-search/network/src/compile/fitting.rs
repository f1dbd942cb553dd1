//! Fits the planes of a network into registers.

use cain_isa::Reg;

use super::error::{CompileError, Obstacle};
use super::flag;
use super::levels::{Level, Summands, levels, relax};
use super::plan::{Failure, Planner};
use super::planes::{Kind, Plane, Planes};
use super::registers::Registers;
use super::searches::Searches;
use super::stage::Stage;
use crate::Network;
use cain_search::SearchError;

/// The most sums that are accumulated together; the more, the more seldom their sources are made.
const MOST_TOGETHER: usize = 4;

/// The register of the picture and the stages of a network, whose planes are either kept or made anew.
pub(super) fn any_planes(network: &Network, searches: &mut Searches<'_>) -> Result<(Reg, Vec<Stage>), CompileError> {
    let kept = Planes::of(network)?;
    let first = match compile_planes(network, &kept, searches) {
        Err(error) if matches!(*error.obstacle, Obstacle::Registers { .. } | Obstacle::Search(_)) => error,
        done => return done,
    };
    let mut planes = kept;
    while let Some(layer) = planes.widest_layer() {
        for together in (1..=MOST_TOGETHER).rev() {
            let Some(split) = planes.one_after_the_other(layer, together) else { return Err(first) };
            let is_last = together == 1;
            if (is_last || may_fit(network, &split))
                && let Ok(compiled) = compile_planes(network, &split, searches)
            {
                return Ok(compiled);
            }
            if is_last {
                planes = split;
            }
        }
    }
    Err(first)
}

/// Whether there are enough registers for planes, as far as that is known without a search.
fn may_fit(network: &Network, planes: &Planes) -> bool {
    let levels = levels(network, planes, &vec![0; network.layers.len()], &Summands::new());
    levels.is_ok_and(|levels| are_enough(network, planes, &levels, network.machine.registers.len()))
}

/// Compiles the planes of a network.
fn compile_planes(
    network: &Network,
    planes: &Planes,
    searches: &mut Searches<'_>,
) -> Result<(Reg, Vec<Stage>), CompileError> {
    let uses = planes.uses();
    let is_sum = |(plane, &uses): (&Plane, &usize)| uses > 0 && matches!(plane.kind, Kind::Linear { .. });
    searches.begin(planes.list.iter().zip(&uses).filter(|pair| is_sum(*pair)).count());
    let mut headroom = vec![0; network.layers.len()];
    let mut summands = Summands::new();
    loop {
        let levels = levels(network, planes, &headroom, &summands)?;
        let registers = Registers::of(&network.machine.registers, network.machine.bits);
        let input = registers.free().first().copied().unwrap_or(Reg::A);
        let failure = match Planner::new(network, planes, &levels, Some((searches, &headroom)), registers).run() {
            Ok(mut stages) => {
                flag::drop_repeated_clears(&mut stages);
                flag::drop_needless(&mut stages);
                return Ok((input, stages));
            }
            Err(failure) => failure,
        };
        match &failure {
            Failure::Summand(plane) if relax(&mut summands, *plane) => continue,
            Failure::Room(plane, _) => {
                let larger = planes.may_be_smaller(*plane, &headroom);
                if !larger.is_empty() {
                    for layer in larger {
                        headroom[layer] += 1;
                    }
                    continue;
                }
            }
            _ => {}
        }
        return Err(error_of(network, planes, &levels, failure));
    }
}

/// Translates a failure into an error that the author of a network understands.
fn error_of(network: &Network, planes: &Planes, levels: &[Level], failure: Failure) -> CompileError {
    let found = network.machine.registers.len();
    let at = |plane: usize, obstacle| CompileError::new(network, planes.list[plane].layer, obstacle);
    let registers = || Obstacle::Registers { found, enough: enough(network, planes, levels) };
    match failure {
        Failure::Error(error) => error,
        Failure::Summand(plane) => CompileError::range(network, planes.list[plane].layer.unwrap_or_default()),
        Failure::Bits(plane) => at(plane, Obstacle::Bits),
        Failure::BitsOfResult { plane, free, needed } => at(plane, Obstacle::BitsOfResult { free, needed }),
        Failure::Exact { plane, held, error } => at(plane, Obstacle::Exact { held, error: *error }),
        Failure::Registers(plane) => at(plane, registers()),
        Failure::Room(plane, error) => match *error {
            SearchError::Registers { .. } => at(plane, registers()),
            SearchError::Budget { .. } if !are_enough(network, planes, levels, found) => at(plane, registers()),
            error => at(plane, Obstacle::Search(error)),
        },
    }
}

/// The number of analogue registers that would suffice for a network that needs more than there are, if any number
/// does.
fn enough(network: &Network, planes: &Planes, levels: &[Level]) -> Option<usize> {
    let mut more = network.machine.registers.len() + 1..=Registers::MOST;
    more.find(|&count| are_enough(network, planes, levels, count))
}

/// Whether a plan needs at most `count` analogue registers, as far as that is known without a search.
fn are_enough(network: &Network, planes: &Planes, levels: &[Level], count: usize) -> bool {
    let machine = u16::try_from(count).map(|count| network.machine.with_registers(count));
    let registers = machine.map(|machine| Registers::of(&machine.registers, network.machine.bits));
    registers.is_ok_and(|registers| Planner::new(network, planes, levels, None, registers).run().is_ok())
}
