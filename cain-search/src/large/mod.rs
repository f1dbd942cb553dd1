//! Search for large linear maps: tens to hundreds of outputs and terms.
//!
//! The search over bags does not reach that size, since its work grows with the square of the terms. Here each output
//! has a program of its own, and what they share is a table of sums in the registers that are free.
//!
//! - [`map`]: a declaration as a matrix of integers, and their digits.
//! - [`table`]: sums of inputs, chosen by how often they occur; outputs as sums of entries of the table.
//! - [`chain`]: the order in which an output takes up its terms. Digits come from the lowest on, and the sum is halved
//!   between two of them, so that the scale of the kernels takes no instruction of its own. Within a digit the sum walks
//!   over the places where there are terms.
//! - [`macros`]: how many macro instructions such a way takes, exactly, and which.
//! - [`sums`]: all sums of two terms by their value, and [`anneal`]: other terms with the same sum, tried again and again.
//! - [`registers`], [`emit`]: the program.

mod anneal;
mod chain;
mod emit;
mod emit_words;
mod gain;
mod macros;
mod map;
mod random;
mod registers;
mod split;
mod sums;
mod table;
mod words;

use cain_isa::Stop;

use crate::costs::count;
use crate::engine::budget::Budget;
use crate::engine::{parallel, work};
use crate::{Declaration, InstructionSet, OffsetRule, Output, Proved, Solution, Statistics, verify};
use anneal::{Annealing, Frame, State};
use chain::Walk;
use gain::Limit;
use macros::MacroWalk;
use map::Map;
use random::Random;
use registers::Layout;
use sums::Sums;
use table::{Coding, Entry, Style};
use words::WordWalk;

/// A declaration that this search can be used for.
pub(crate) struct Large<'a> {
    declaration: &'a Declaration,
    map: Map,
    layout: Layout,
    walk: Instructions,
}

/// What programs are made of.
#[derive(Clone, Copy)]
enum Instructions {
    Macros(MacroWalk),
    Words(WordWalk),
}

/// The best program found.
pub(crate) struct Found {
    pub(crate) program: Proved,
    /// Nodes used when the first program was found, and when this one was.
    pub(crate) nodes_to_first: u64,
    pub(crate) nodes_to_best: u64,
    pub(crate) stop: Stop,
}

impl Found {
    pub(crate) fn solution(self, budget: &Budget<'_>) -> Solution {
        let Self { program, nodes_to_first, nodes_to_best, stop } = self;
        let lower_bound = lower_bound(program.declaration());
        let statistics = Statistics { nodes: budget.used(), nodes_to_first, nodes_to_best, lower_bound, stop };
        Solution { program, statistics }
    }
}

/// A number of instructions below which there is no program: one makes a single new value, or a value and its negative.
fn lower_bound(declaration: &Declaration) -> u32 {
    let is_input = |output: &&Output| declaration.inputs.iter().any(|input| input.reg == output.reg);
    let made = declaration.outputs.iter().filter(|output| !is_input(output)).count();
    count(made.div_ceil(3))
}

/// From so many weights on, declarations are searched for here alone.
const ALONE: usize = 300;
/// From so many weights on, it is worth a try.
const WORTH: usize = 24;
/// The share of the memory that goes into the sums of two terms.
const PART_OF_SUMS: u64 = 4;
/// Outputs that are worked on between two looks at the budget.
const AT_A_TIME: usize = 8;
/// Changes of each output in the first round; each round has twice as many.
const FIRST_STEPS: u32 = 500;
/// The rounds up to this one only go downhill.
const DOWNHILL: u32 = 1;
/// Temperatures at the beginning and the end of a round, in instructions.
const COLD: (f64, f64) = (0.06, 0.05);
const HOT: (f64, f64) = (0.4, 0.05);

impl<'a> Large<'a> {
    /// `None` if the weights, the instructions or the registers are not such that this search finds a program.
    pub(crate) fn of(declaration: &'a Declaration) -> Option<Self> {
        if declaration.weights() < WORTH {
            return None;
        }
        let map = Map::of(declaration)?;
        let (instructions, cancels) =
            (declaration.options.instructions, declaration.options.offset == OffsetRule::Cancelled);
        let walk = match instructions {
            InstructionSet::Native => Instructions::Words(WordWalk::new(&declaration.machine, cancels)?),
            InstructionSet::Macro | InstructionSet::Basic => {
                Instructions::Macros(MacroWalk::new(instructions, &declaration.machine)?)
            }
        };
        let held = usize::from(Limit::of(declaration).is_some());
        let error = usize::from(cancels && instructions == InstructionSet::Native);
        let layout = Layout::of(declaration, &map, 1 + held + error)?;
        Some(Self { declaration, map, layout, walk })
    }

    /// Whether the declaration is too large for the search over bags.
    pub(crate) fn is_alone(&self) -> bool {
        self.declaration.weights() >= ALONE
    }

    /// Looks for shorter and shorter programs until the budget is used.
    pub(crate) fn search(&self, budget: &mut Budget<'_>) -> Option<Found> {
        match self.walk {
            Instructions::Macros(walk) => self.search_with(walk, budget),
            Instructions::Words(walk) => self.search_with(walk, budget),
        }
    }

    fn search_with<W: Walk>(&self, walk: W, budget: &mut Budget<'_>) -> Option<Found> {
        let mut work = 0;
        let limit = Limit::of(self.declaration);
        let coding = self.coding(walk, limit, &mut work)?;
        let frame = Frame { walk, coding: &coding, limit };
        let mut states = Vec::new();
        for (output, terms) in coding.outputs.iter().enumerate() {
            states.extend(split::parts(terms, frame, &mut work)?.into_iter().map(|state| (output, state)));
        }
        budget.charge(work);
        let first = self.proved(frame, &states, budget)?;
        budget.improved(first.listing().len());
        let nodes_to_first = budget.used();
        let mut found = Found { program: first, nodes_to_first, nodes_to_best: nodes_to_first, stop: Stop::Nodes };
        found.nodes_to_best = self.improve(frame, &mut states, &found, budget);
        found.stop = budget.stopped().unwrap_or(Stop::Nodes);
        match self.proved(frame, &states, budget) {
            Some(better) if better.listing().len() < found.program.listing().len() => found.program = better,
            _ => found.nodes_to_best = nodes_to_first,
        }
        Some(found)
    }

    /// The table and the terms of all outputs to begin with.
    fn coding<W: Walk>(&self, walk: W, limit: Option<Limit>, work: &mut u64) -> Option<Coding> {
        let channels = u16::try_from(self.declaration.inputs.len()).ok()?;
        let style = self.style(walk, limit, channels, work);
        let mut coding = Coding::plain(&self.map, channels, style);
        let is_allowed = |entry: &Entry| limit.is_none_or(|limit| limit.allows(gain::of_entry(entry, self.map.scale)));
        coding.share(channels.into(), |number| self.layout.reach(number), is_allowed, work);
        Some(coding)
    }

    /// The beginning of the table with which outputs are shortest while nothing is shared.
    fn style<W: Walk>(&self, walk: W, limit: Option<Limit>, channels: u16, work: &mut u64) -> Style {
        let spare_planes = self.map.scale - self.map.top;
        let most = if limit.is_some() { spare_planes } else { 0 };
        let styles = (0..=most).flat_map(|halvings| {
            let twice = [false, W::SUMS_ARE_NEGATIVE && halvings < spare_planes.max(1) && self.map.top > 1];
            twice.map(|twice| Style { halvings, twice, negative_sums: W::SUMS_ARE_NEGATIVE })
        });
        let length = |style: &Style| {
            let halved = u32::from(channels) * (u32::from(style.halvings > 0) + u32::from(style.twice));
            let registers = usize::try_from(halved).unwrap_or(usize::MAX);
            if registers > 0 && self.layout.reach(registers - 1) < self.map.outputs.len() {
                return u32::MAX;
            }
            let coding = Coding::plain(&self.map, channels, *style);
            let frame = Frame { walk, coding: &coding, limit };
            let parts = coding.outputs.iter().map(|terms| split::parts(terms, frame, work));
            let lengths = parts.map(|parts| parts.map_or(u32::MAX / 2, |parts| parts.iter().map(State::length).sum()));
            lengths.fold(2 * halved, u32::saturating_add)
        };
        styles.min_by_key(length).unwrap_or_default()
    }

    /// Changes all outputs, in rounds that get longer, until the budget is used. Returns how much of it was used at the
    /// last improvement.
    fn improve<W: Walk>(
        &self,
        frame: Frame<'_, W>,
        states: &mut [(usize, State)],
        first: &Found,
        budget: &mut Budget<'_>,
    ) -> u64 {
        let room = usize::try_from((self.declaration.options.memory << 20) / PART_OF_SUMS).unwrap_or(usize::MAX);
        let top = frame.coding.highest_plane().saturating_add(1).min(self.map.scale);
        let sums = Sums::new(&frame.coding.entries, top, room);
        budget.charge(sums.work());
        let total = |states: &[(usize, State)]| states.iter().map(|(_, state)| state.length()).sum::<u32>();
        let beside = count(first.program.listing().len()).saturating_sub(total(states));
        let mut nodes_to_best = first.nodes_to_best;
        let mut round = 0;
        loop {
            let steps = FIRST_STEPS.saturating_mul(1_u32.checked_shl(round).unwrap_or(u32::MAX));
            let heat = if round < DOWNHILL { COLD } else { HOT };
            for start in (0..states.len()).step_by(AT_A_TIME) {
                if budget.stopped().is_some() {
                    return nodes_to_best;
                }
                let before = total(states);
                let end = (start + AT_A_TIME).min(states.len());
                let numbered: Vec<_> = (start..end).zip(&states[start..end]).collect();
                let changed = parallel::map(&numbered, |(number, (output, state))| {
                    let entries = self.layout.entries_for(*output).min(frame.coding.entries.len());
                    let mut work = 0;
                    let random = &mut Random::of(*number, round);
                    let changed = Annealing { frame, sums: &sums, entries }.run(state, steps, heat, random, &mut work);
                    (changed, work)
                });
                for (state, (changed, work)) in states[start..end].iter_mut().zip(changed) {
                    budget.charge(work);
                    state.1 = changed;
                }
                let after = total(states);
                if after < before {
                    nodes_to_best = budget.used();
                    budget.improved(usize::try_from(after + beside).unwrap_or(usize::MAX));
                }
            }
            round += 1;
        }
    }

    /// The program of these terms, if it is right in every respect.
    fn proved<W: Walk>(
        &self,
        frame: Frame<'_, W>,
        states: &[(usize, State)],
        budget: &mut Budget<'_>,
    ) -> Option<Proved> {
        let mut chains = vec![Vec::new(); self.map.outputs.len()];
        for (output, state) in states {
            chains[*output].push(state.stops());
        }
        let listing = frame.walk.program(&self.map, frame.coding, &chains, &self.layout)?;
        let weights = self.map.outputs.iter().map(|wanted| wanted.weights.len()).max().unwrap_or(0);
        budget.charge(work::of_replay(listing.len(), weights));
        verify(self.declaration, &listing).ok()
    }
}
