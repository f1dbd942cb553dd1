//! Search for large linear maps: tens to hundreds of outputs and terms.
//!
//! The search over bags cannot handle that size, since its work grows with the square of the number of terms. Here each
//! output has a program of its own, and the programs share only a table of sums, held in free registers.
//!
//! - [`map`]: a declaration as a matrix of integers, and their digits.
//! - [`table`]: sums of inputs, chosen by how often they occur; outputs as sums of entries of the table.
//! - [`chain`]: the order in which an output takes up its terms. It begins with the lowest digits and halves the sum
//!   between two of them, so that the scale of the kernels takes no instructions of its own. Within a digit the sum
//!   walks over the places where there are terms.
//! - [`macros`]: the macro instructions that such a way takes, and their exact number; [`words`]: the control words
//!   that it takes.
//! - [`gain`]: how large values become; [`split`]: outputs in parts, if they would become too large.
//! - [`sums`]: all sums of two terms, looked up by value; [`anneal`]: repeatedly replaces terms by others with the same
//!   sum.
//! - [`registers`]: what each register holds; [`emit`], [`emit_words`]: the program.

mod anneal;
mod chain;
mod emit;
mod emit_words;
mod gain;
mod macros;
mod map;
mod registers;
mod split;
mod sums;
mod table;
mod words;

use cain_isa::Stop;

use crate::costs::count;
use crate::engine::budget::Budget;
use crate::engine::work;
use crate::random::Random;
use crate::threads;
use crate::{Declaration, InstructionSet, OffsetRule, Output, Proved, Solution, Statistics, verify};
use anneal::{Annealing, Frame, Round, State};
use chain::{Programs, Walk};
use gain::Limit;
use macros::MacroWalk;
use map::Map;
use registers::Layout;
use sums::Sums;
use table::{Coding, Entry, Style};
use words::WordWalk;

/// A declaration that this search can be used for.
pub(crate) struct Large<'a> {
    declaration: &'a Declaration,
    map: Map,
    layout: Layout,
    instructions: Instructions,
}

/// The kind of instructions that programs are made of.
#[derive(Clone, Copy)]
enum Instructions {
    Macros(MacroWalk),
    Words(WordWalk),
}

/// A table, and the outputs or parts of outputs in the order in which they are made, each with its place in the map.
struct Start {
    coding: Coding,
    states: Vec<(usize, State)>,
}

/// The best program found.
pub(crate) struct Found {
    pub(crate) program: Proved,
    /// The nodes used when the first program was found, and when this one was found.
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

/// A lower bound on the number of instructions: each of them makes a single new value, or a value and its negative.
fn lower_bound(declaration: &Declaration) -> u32 {
    let is_input = |output: &&Output| declaration.inputs.iter().any(|input| input.reg == output.reg);
    let made = declaration.outputs.iter().filter(|output| !is_input(output)).count();
    count(made.div_ceil(3))
}

impl Instructions {
    fn of(declaration: &Declaration) -> Option<Self> {
        let set = declaration.options.instructions;
        let cancels = declaration.options.offset == OffsetRule::Cancelled;
        match set {
            InstructionSet::Native => WordWalk::new(&declaration.machine, cancels).map(Self::Words),
            InstructionSet::Macro | InstructionSet::Basic => {
                MacroWalk::new(set, &declaration.machine).map(Self::Macros)
            }
        }
    }
}

/// The number of weights from which on only this search is used.
const ALONE: usize = 300;
/// The number of weights from which on this search is worth trying.
const WORTH: usize = 24;
/// The fraction (one in so many) of the memory that the sums of two terms may take.
const PART_OF_SUMS: u64 = 4;
/// The number of outputs that are worked on between two looks at the budget.
const AT_A_TIME: usize = 8;
/// The number of changes of an output between two looks at the time.
const STEPS_AT_A_TIME: u32 = 1 << 14;
/// When two tables to begin with are compared, this many terms count as one instruction.
const TERMS_PER_INSTRUCTION: usize = 8;
/// The number of changes of each output in the first round; each round has twice as many.
const FIRST_STEPS: u32 = 64;
/// The number of rounds in which only improvements are accepted.
const DOWNHILL: u32 = 4;
/// The temperatures at the beginning and the end of a round, in instructions.
const COLD: (f64, f64) = (0.06, 0.05);
const HOT: (f64, f64) = (0.4, 0.05);

/// Whether a declaration is too large for the search over bags.
pub(crate) fn is_alone(declaration: &Declaration) -> bool {
    declaration.weights() >= ALONE
}

/// The reason why this search cannot be used for a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// The search cannot handle such weights or instructions, or there are few weights.
    Other,
    /// Too few registers: `enough` would have to be overwritten.
    Registers { enough: usize },
}

impl<'a> Large<'a> {
    pub(crate) fn of(declaration: &'a Declaration) -> Result<Self, Unfit> {
        if declaration.weights() < WORTH || declaration.options.looks_at_errors() {
            return Err(Unfit::Other);
        }
        let map = Map::of(declaration).ok_or(Unfit::Other)?;
        let instructions = Instructions::of(declaration).ok_or(Unfit::Other)?;
        let held = usize::from(Limit::of(declaration).is_some());
        let error = usize::from(matches!(instructions, Instructions::Words(walk) if walk.cancels));
        let table = declaration.inputs.len() * usize::from(map.doublings());
        match Layout::of(declaration, &map, 1 + held + error) {
            Some(layout) if layout.has_room_for(table) => Ok(Self { declaration, map, layout, instructions }),
            _ => {
                let consumed = declaration.inputs.iter().filter(|input| !input.keep).count();
                Err(Unfit::Registers { enough: consumed + map.outputs.len() + 1 + held + error + table })
            }
        }
    }

    /// Looks for shorter and shorter programs until the budget is used up.
    pub(crate) fn search(&self, budget: &mut Budget<'_>) -> Option<Found> {
        match self.instructions {
            Instructions::Macros(walk) => self.search_with(walk, budget),
            Instructions::Words(walk) => self.search_with(walk, budget),
        }
    }

    fn search_with<W: Programs>(&self, walk: W, budget: &mut Budget<'_>) -> Option<Found> {
        let limit = Limit::of(self.declaration);
        let Start { coding, mut states } = self.begin(walk, limit, budget)?;
        let frame = Frame { walk, coding: &coding, limit };
        let first = self.proved(frame, &states, budget)?;
        budget.improved(first.listing().len(), false);
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

    /// The best table to begin with, and the outputs made with it.
    fn begin<W: Walk>(&self, walk: W, limit: Option<Limit>, budget: &mut Budget<'_>) -> Option<Start> {
        let is_allowed = |entry: &Entry| limit.is_none_or(|limit| limit.allows(gain::of_entry(entry, self.map.scale)));
        let mut best: Option<(u32, Start)> = None;
        for copies in self.numbers_of_copies::<W>() {
            let mut work = 0;
            let Some(mut coding) = self.plain(walk, limit, copies, &mut work) else { continue };
            coding.share(self.declaration.inputs.len(), |number| self.layout.reach(number), is_allowed, &mut work);
            let states = outputs(Frame { walk, coding: &coding, limit }, &mut work);
            budget.charge(work);
            let Some(states) = states else { continue };
            // Fewer terms lead to a shorter program in the end.
            let terms: usize = coding.outputs.iter().map(Vec::len).sum();
            let score = length(&states) + count(terms / TERMS_PER_INSTRUCTION + coding.entries.len());
            if best.as_ref().is_none_or(|(least, _)| score < *least) {
                best = Some((score, Start { coding, states }));
            }
        }
        best.map(|(_, start)| start)
    }

    /// The numbers of copies of each input that are worth trying: one, or as many as there are planes.
    fn numbers_of_copies<W: Walk>(&self) -> Vec<u8> {
        let all = self.map.top + 1;
        let some = if W::SUMS_ARE_NEGATIVE { [1, 2, all] } else { [1, 1, all] };
        let mut numbers: Vec<u8> = some.into_iter().filter(|copies| *copies <= all).collect();
        numbers.dedup();
        if self.map.doublings() > 0 {
            numbers.truncate(1);
        }
        numbers
    }

    /// Outputs as sums of inputs, with nothing shared, and with inputs halved beforehand as often as is best then;
    /// `None` if there are too few registers.
    fn plain<W: Walk>(&self, walk: W, limit: Option<Limit>, copies: u8, work: &mut u64) -> Option<Coding> {
        let channels = u16::try_from(self.declaration.inputs.len()).ok()?;
        let most = if limit.is_some() { self.map.scale.saturating_sub(self.map.top) } else { 0 };
        let coding = |halvings: u8| {
            let in_table = u8::from(halvings > 0) + copies - 1 + self.map.doublings();
            let has_room = self.layout.has_room_for(usize::from(in_table) * usize::from(channels));
            let style = Style { halvings, copies, negative_sums: W::SUMS_ARE_NEGATIVE };
            has_room.then(|| Coding::plain(&self.map, channels, style))
        };
        if most == 0 {
            return coding(0);
        }
        let mut of = |halvings| {
            let coding = coding(halvings)?;
            let states = outputs(Frame { walk, coding: &coding, limit }, work)?;
            Some((length(&states) + count(coding.entries.len()), coding))
        };
        let all = (0..=most).filter_map(&mut of).min_by_key(|(length, _)| *length);
        all.map(|(_, coding)| coding)
    }

    /// Improves all outputs in longer and longer rounds until the budget is used up. Returns how much of it was used at
    /// the last improvement.
    fn improve<W: Programs>(
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
        let beside = count(first.program.listing().len()).saturating_sub(length(states));
        let mut nodes_to_best = first.nodes_to_best;
        let mut round = 0;
        loop {
            for start in (0..states.len()).step_by(AT_A_TIME) {
                if budget.stopped().is_some() {
                    return nodes_to_best;
                }
                let before = length(states);
                let end = (start + AT_A_TIME).min(states.len());
                let changed = self.round(frame, &sums, &states[start..end], (start, round), budget);
                for (state, changed) in states[start..end].iter_mut().zip(changed) {
                    state.1 = changed;
                }
                let after = length(states);
                if after < before {
                    nodes_to_best = budget.used();
                    budget.improved(usize::try_from(after + beside).unwrap_or(usize::MAX), false);
                }
            }
            round += 1;
        }
    }

    /// Changes some outputs in one round, the first of them with this number; the watcher can end the round.
    fn round<W: Walk>(
        &self,
        frame: Frame<'_, W>,
        sums: &Sums,
        states: &[(usize, State)],
        (first, number): (usize, u32),
        budget: &mut Budget<'_>,
    ) -> Vec<State> {
        let steps = FIRST_STEPS.saturating_mul(1_u32.checked_shl(number).unwrap_or(u32::MAX));
        let heat = if number < DOWNHILL { COLD } else { HOT };
        let begin =
            |(output, (_, state)): (usize, &(usize, State))| Round::new(state, steps, heat, Random::of(output, number));
        let mut rounds: Vec<Round> = (first..).zip(states).map(begin).collect();
        while rounds.iter().any(|round| !round.is_over()) && budget.stopped() != Some(Stop::Interrupted) {
            let numbered: Vec<_> = rounds.iter().zip(states).collect();
            let advanced = threads::map(&numbered, |(round, (output, _))| {
                let entries = self.layout.entries_for(*output).min(frame.coding.entries.len());
                let (mut round, mut work) = (Round::clone(round), 0);
                Annealing { frame, sums, entries }.advance(&mut round, STEPS_AT_A_TIME, &mut work);
                (round, work)
            });
            for (round, (advanced, work)) in rounds.iter_mut().zip(advanced) {
                *round = advanced;
                budget.charge(work);
            }
        }
        rounds.into_iter().map(Round::into_best).collect()
    }

    /// The proved program for these terms, if it is valid in every respect.
    fn proved<W: Programs>(
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

/// All outputs, most of them in a single part; `None` if one of them cannot be made.
fn outputs<W: Walk>(frame: Frame<'_, W>, work: &mut u64) -> Option<Vec<(usize, State)>> {
    let mut states = Vec::new();
    for (output, terms) in frame.coding.outputs.iter().enumerate() {
        states.extend(split::parts(terms, frame, work)?.into_iter().map(|state| (output, state)));
    }
    Some(states)
}

fn length(states: &[(usize, State)]) -> u32 {
    states.iter().map(|(_, state)| state.length()).sum()
}
