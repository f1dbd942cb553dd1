//! Compiles networks that other programs may interrupt.

use cain_isa::{Cells, Reg};

use super::fitting::any_planes;
use super::{CompileError, Obstacle, Searches, Stage};
use crate::Network;
use cain_search::Interruption;
use cain_search::switches::{Steps, SwitchError, SwitchTable};

/// The register of the picture, the stages, and the places where they may be left.
pub(super) type Interrupted = (Reg, Vec<Stage>, Vec<SwitchTable>);

/// Compiles a network so that it can be left as soon as its declaration demands, if it does.
///
/// If it takes too long to move the values that are in the way of the others, the network is compiled for the registers
/// that these do not use.
pub(super) fn compile(network: &Network, searches: &mut Searches<'_>) -> Result<Interrupted, CompileError> {
    let (input, stages) = any_planes(network, searches)?;
    let Some(interruption) = &network.interruption else { return Ok((input, stages, Vec::new())) };
    let first = match tables(network, interruption, &stages) {
        Ok(tables) => return Ok((input, stages, tables)),
        Err(error) => error,
    };
    let apart = apart_from(network, interruption);
    let error = match any_planes(&apart, searches) {
        Ok((input, stages)) => match tables(network, interruption, &stages) {
            Ok(tables) => return Ok((input, stages, tables)),
            Err(error) => Obstacle::Interruption { error: sooner(first, error), enough: None },
        },
        Err(error) => {
            let enough = match *error.obstacle {
                Obstacle::Registers { enough, .. } => enough,
                _ => None,
            };
            Obstacle::Interruption { error: first, enough }
        }
    };
    Err(CompileError::new(network, None, error))
}

/// The network on a machine without the registers of the others.
fn apart_from(network: &Network, interruption: &Interruption) -> Network {
    let mut apart = network.clone();
    let others = interruption.all().analogue();
    apart.machine.registers = network.machine.registers.iter().filter(|&reg| !others.contains(reg)).collect();
    apart
}

/// The places where the stages may be left, for each of those that may interrupt them.
fn tables(network: &Network, interruption: &Interruption, stages: &[Stage]) -> Result<Vec<SwitchTable>, SwitchError> {
    let steps = Steps::of(stages.iter().flat_map(|stage| &stage.steps), &network.machine, Cells::NONE);
    SwitchTable::all_of_steps(&steps, interruption)
}

/// The error of the program that makes the others wait for a shorter time.
fn sooner(first: SwitchError, second: SwitchError) -> SwitchError {
    match (&first, &second) {
        (SwitchError::Latency { latency: one, .. }, SwitchError::Latency { latency: other, .. }) if one <= other => {
            first
        }
        (SwitchError::Latency { .. }, SwitchError::Latency { .. }) => second,
        (SwitchError::Latency { .. }, _) => first,
        _ => second,
    }
}
