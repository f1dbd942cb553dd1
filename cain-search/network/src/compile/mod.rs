//! Compiles networks: turns layers into steps of a controller.

mod check;
mod constant;
mod error;
mod flag;
mod interrupted;
mod lattice;
mod levels;
mod linear;
mod memo;
mod pinned;
mod plan;
mod planes;
mod recompute;
mod registers;
mod rungs;
mod script;
mod searches;
mod stage;
mod summand;

use std::collections::BTreeSet;

use cain_isa::{Dreg, Reg};

use super::Network;
use cain_search::SearchError;
use cain_search::switches::SwitchTable;
use interrupted::Interrupted;
use levels::{Level, Summands, levels, relax};
use plan::{Failure, Planner, readout_layers};
use planes::{Kind, Plane, Planes};
use registers::Registers;
use rungs::rungs;
use searches::Searches;

pub use error::{CompileError, Obstacle};
pub use pinned::{Answer, Pins, Searched, Wanted};
pub use script::NetworkStep;
pub use stage::{Extent, Stage, Work};

/// A network as steps of a controller.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledNetwork {
    network: Network,
    input: Reg,
    stages: Vec<Stage>,
    switches: Vec<SwitchTable>,
    searched: Vec<Searched>,
}

impl CompiledNetwork {
    fn of(network: &Network, (input, stages, switches): Interrupted, searched: Vec<Searched>) -> Self {
        Self { network: network.clone(), input, stages, switches, searched }
    }

    /// The network that was compiled.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The register that must hold the picture at the start.
    #[must_use]
    pub fn input(&self) -> Reg {
        self.input
    }

    /// The stages in order.
    #[must_use]
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// All steps in order.
    pub fn steps(&self) -> impl Iterator<Item = &NetworkStep> {
        self.stages.iter().flat_map(|stage| &stage.steps)
    }

    /// Control words.
    #[must_use]
    pub fn words(&self) -> usize {
        self.stages.iter().map(Stage::words).sum()
    }

    /// The registers that are written.
    #[must_use]
    pub fn written(&self) -> (BTreeSet<Reg>, BTreeSet<Dreg>) {
        check::written(self.steps())
    }

    /// How far the pixels that results are made of lie outside of the picture; no other picture may be there.
    #[must_use]
    pub fn pixels(&self) -> Extent {
        self.stages.iter().map(|stage| stage.pixels).fold(Extent::default(), Extent::with)
    }

    /// How far values in transit leave the picture; all of that has to be on the array.
    #[must_use]
    pub fn way(&self) -> Extent {
        self.stages.iter().map(|stage| stage.way).fold(Extent::default(), Extent::with)
    }

    /// The places where it may be left, for each of those that [may interrupt it](Network::interruption) together with
    /// all that come after that one.
    #[must_use]
    pub fn switches(&self) -> &[SwitchTable] {
        &self.switches
    }

    /// The searches and their results, in order; see [`Pins`].
    #[must_use]
    pub fn searched(&self) -> &[Searched] {
        &self.searched
    }

    /// The layers that are read out, and the number of values of each, in the order of the values.
    #[must_use]
    pub fn readouts(&self) -> Vec<(usize, usize)> {
        readout_layers(&self.network).collect()
    }
}

/// Compiles a network with the results of earlier searches, without searching. Everything is proved anew.
pub fn compile_pinned(network: &Network, pins: Pins) -> Result<CompiledNetwork, CompileError> {
    check(network)?;
    let mut searches = Searches::new(network.machine, &network.options);
    searches.answer_with(pins);
    let found = interrupted::compile(network, &mut searches);
    if let Some(declaration) = searches.unanswered() {
        return Err(CompileError::new(network, None, Obstacle::Stale(declaration.to_string())));
    }
    Ok(CompiledNetwork::of(network, found?, searches.take_searched()))
}

/// Compiles a network: finds programs for all of its layers on the array, in an order and with scales that fit the
/// registers.
///
/// Planes are kept for as long as they are needed. If that takes too many registers, sums of many planes are
/// accumulated plane by plane, and these planes are made anew for each sum.
///
/// The program found for one sum determines what is searched for next, so that more nodes may well lead to more words.
/// Therefore, the network is compiled with each of several budgets up to that of its options, and the version with the
/// fewest words is taken: a larger budget never gives more words.
pub fn compile(network: &Network) -> Result<CompiledNetwork, CompileError> {
    check(network)?;
    let mut searches = Searches::new(network.machine, &network.options);
    let compile_within = |nodes: u64, searches: &mut Searches| {
        searches.restart(nodes);
        let found = interrupted::compile(network, searches)?;
        Ok(CompiledNetwork::of(network, found, searches.take_searched()))
    };
    let mut rungs = rungs(network.options.nodes);
    let mut best = compile_within(rungs.next().unwrap_or(1), &mut searches);
    for nodes in rungs {
        if searches.are_same_with(nodes) {
            continue;
        }
        if let Ok(compiled) = compile_within(nodes, &mut searches)
            && best.as_ref().map_or(true, |best| compiled.words() < best.words())
        {
            best = Ok(compiled);
        }
    }
    best
}

/// Checks that a network has no errors.
fn check(network: &Network) -> Result<(), CompileError> {
    network.check().1.into_iter().next().map_or(Ok(()), |mistake| Err(mistake.into()))
}

/// The register of the picture and the stages of a network, whose planes are either kept or made anew.
fn any_planes(network: &Network, searches: &mut Searches) -> Result<(Reg, Vec<Stage>), CompileError> {
    let kept = Planes::of(network)?;
    let first = match compile_planes(network, &kept, searches) {
        Err(error) if matches!(*error.obstacle, Obstacle::Registers { .. } | Obstacle::Search(_)) => error,
        done => return done,
    };
    let mut planes = kept;
    while let Some(split) = planes.widest_layer().and_then(|layer| planes.one_after_the_other(layer)) {
        planes = split;
        if let Ok(compiled) = compile_planes(network, &planes, searches) {
            return Ok(compiled);
        }
    }
    Err(first)
}

/// Compiles the planes of a network.
fn compile_planes(
    network: &Network,
    planes: &Planes,
    searches: &mut Searches,
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
