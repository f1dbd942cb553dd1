//! Compiles networks: turns layers into steps of a controller.

mod check;
mod constant;
mod error;
mod fitting;
mod flag;
mod headroom;
mod interrupted;
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

use std::ops::ControlFlow;

use cain_analysis::owned::{self, Program, Step};
use cain_isa::program::{Grid, Picture};
use cain_isa::{Progress, Range, Reg};
use cain_search::switches::SwitchTable;
use interrupted::Interrupted;
use plan::readout_layers;
use rungs::rungs;
use searches::Searches;

use super::Network;

pub use error::{CompileError, Obstacle};
pub use pinned::{Answer, Log, Pins, Searched, Wanted};
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
    pub fn steps(&self) -> impl Iterator<Item = &Step> + Clone {
        self.stages.iter().flat_map(|stage| &stage.steps)
    }

    pub(crate) fn steps_mut(&mut self) -> impl Iterator<Item = &mut Step> {
        self.stages.iter_mut().flat_map(|stage| &mut stage.steps)
    }

    /// Control words.
    #[must_use]
    pub fn words(&self) -> usize {
        self.stages.iter().map(Stage::words).sum()
    }

    /// What the controller does for a picture.
    #[must_use]
    pub fn program(&self) -> Program {
        let input = &self.network.input;
        let pixels = Grid::new((0, 0), (1, 1), (input.height, input.width));
        Program {
            name: self.network.name.clone(),
            blocks: (1, 1),
            pictures: vec![Picture { register: self.input, pixels }],
            preparation: Vec::new(),
            parts: self.stages.iter().map(|stage| stage.part(&self.network)).collect(),
            numbers: self.readouts().iter().map(|(_, count)| count).sum(),
            times: self.network.machine.times,
        }
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

    /// The layers that are read out, each with its own of the numbers that are read.
    #[must_use]
    pub fn by_layer(&self, numbers: &[f64]) -> Vec<(usize, Vec<f64>)> {
        let mut rest = numbers;
        let own = |(layer, count): (usize, usize)| {
            let (numbers, later) = rest.split_at(count.min(rest.len()));
            rest = later;
            (layer, numbers.to_vec())
        };
        readout_layers(&self.network).map(own).collect()
    }
}

/// Compiles a network with the results of earlier searches.
pub(crate) fn version_of(network: &Network, pins: Pins) -> Result<CompiledNetwork, CompileError> {
    check(network)?;
    let mut watch = |_| ControlFlow::Continue(());
    let mut searches = Searches::new(network.machine, &network.options, &mut watch);
    searches.answer_with(pins);
    let found = allowed(network, &mut searches);
    if let Some(declaration) = searches.unanswered() {
        return Err(CompileError::new(network, None, Obstacle::Stale(declaration.to_string())));
    }
    Ok(CompiledNetwork::of(network, found?, searches.take_searched()))
}

/// Compiles a network with each of several budgets up to that of its options, and takes the version with the
/// least cost. Where the watch breaks, that is the best version so far.
///
/// The series of budgets is the same for all larger ones, so a larger budget never gives a version that costs more.
pub(crate) fn best_version<C: Ord>(
    network: &Network,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    cost: impl Fn(&CompiledNetwork) -> C,
) -> Result<CompiledNetwork, CompileError> {
    check(network)?;
    let mut searches = Searches::new(network.machine, &network.options, watch);
    let compile_within = |nodes: u64, searches: &mut Searches<'_>| {
        searches.restart(nodes);
        let found = allowed(network, searches)?;
        Ok(CompiledNetwork::of(network, found, searches.take_searched()))
    };
    let judged = |compiled: CompiledNetwork| (cost(&compiled), compiled);
    let mut rungs = rungs(network.options.nodes);
    let mut best = compile_within(rungs.next().unwrap_or(1), &mut searches).map(judged);
    for nodes in rungs {
        if searches.are_ended() {
            break;
        }
        if searches.are_same_with(nodes) {
            continue;
        }
        let Ok(compiled) = compile_within(nodes, &mut searches) else { continue };
        if best.as_ref().is_ok_and(|(_, best)| best.steps().eq(compiled.steps())) {
            continue;
        }
        let other = judged(compiled);
        if best.as_ref().map_or(true, |best| other.0 < best.0) {
            best = Ok(other);
        }
    }
    best.map(|(_, compiled)| compiled)
}

/// Checks that a network has no errors, and that the registers of its machine hold the levels that stages choose from.
fn check(network: &Network) -> Result<(), CompileError> {
    if let Some(mistake) = network.check().1.into_iter().next() {
        return Err(mistake.into());
    }
    let range = network.machine.range;
    if !range.includes(Range::SCAMP5) {
        return Err(CompileError::new(network, None, Obstacle::SmallRange(range)));
    }
    Ok(())
}

/// Compiles a network, and checks that its machine has all words of the result.
fn allowed(network: &Network, searches: &mut Searches<'_>) -> Result<Interrupted, CompileError> {
    let compiled = interrupted::compile(network, searches)?;
    for stage in &compiled.1 {
        owned::allowed(&network.machine, &stage.steps)
            .map_err(|error| CompileError::new(network, stage.layer, Obstacle::Machine(error)))?;
    }
    Ok(compiled)
}
