//! The beam search for a schedule.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::inputs::{inputs, is_needed, places};
use super::listing::{self, Schedule};
use super::room::Joints;
use super::state::{Content, Done, FLAG, R0, R12, SLOTS, State, Step};
use super::uses::{Given, Uses};
use crate::effort::Effort;
use crate::network::Network;

/// The breadth of the search for a schedule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beam {
    /// The number of states kept for each number of gates.
    pub(crate) width: usize,
    /// How far ahead of the first unfinished gate others may be executed.
    pub(crate) window: u32,
}

/// A state and the step that led to it.
struct Node {
    state: State,
    parent: usize,
    step: Step,
}

/// The shortest program that the beam finds; otherwise the number of gates that it completed.
///
/// A program that is not shorter than the best one does not count, and neither does one found after the budget is used
/// up.
pub(crate) fn schedule(
    network: &Network,
    given: &Given,
    flag: bool,
    beam: Beam,
    effort: &mut Effort<'_>,
) -> Result<Schedule, usize> {
    let uses = Uses::of(network, given);
    let start = start(&uses).ok_or(0_usize)?;
    let mut layers = vec![vec![Node { state: start, parent: 0, step: Step { room: None, place: 0, slot: 0 } }]];
    let gates = uses.order.len();
    for done in 0..gates {
        let most = effort.words().map_or(usize::MAX, |words| words - 1).checked_sub(gates - 1 - done).ok_or(done)?;
        let next = next_layer(&layers[done], most, &uses, flag, beam, effort).ok_or(done)?;
        if next.is_empty() {
            return Err(done);
        }
        layers.push(next);
    }
    let last = &layers[gates];
    let best = (0..last.len()).min_by_key(|&i| last[i].state.words).ok_or(gates)?;
    Ok(listing::write(&path(&layers, best), &uses))
}

/// The most promising states with one more gate and at most `most` words; `None` if the budget is used up.
fn next_layer(
    layer: &[Node],
    most: usize,
    uses: &Uses<'_>,
    flag: bool,
    beam: Beam,
    effort: &mut Effort<'_>,
) -> Option<Vec<Node>> {
    let mut found: HashMap<Key, Node, FxBuildHasher> = HashMap::default();
    for (parent, node) in layer.iter().enumerate() {
        effort.state()?;
        expand(&node.state, uses, flag, beam, |step, state| {
            if state.words as usize > most {
                return;
            }
            let key = Key::of(&state);
            let better = found.get(&key).is_none_or(|known| state.words < known.state.words);
            if better {
                found.insert(key, Node { state, parent, step });
            }
        });
    }
    let mut next: Vec<(u32, Node)> = found.into_values().map(|node| (score(&node.state, uses), node)).collect();
    next.sort_unstable_by_key(|(score, node)| (*score, node.parent, node.step));
    next.truncate(beam.width);
    Some(next.into_iter().map(|(_, node)| node).collect())
}

/// The states from the first to the chosen one, with the steps that lead to them.
fn path(layers: &[Vec<Node>], last: usize) -> Vec<(State, Step)> {
    let mut path = Vec::new();
    let mut at = last;
    for layer in layers.iter().rev() {
        let node = &layer[at];
        path.push((node.state.clone(), node.step));
        at = node.parent;
    }
    path.reverse();
    path
}

/// The state with the inputs in their registers.
fn start(uses: &Uses<'_>) -> Option<State> {
    let mut slots = [Content::Free; SLOTS];
    for (value, slot) in inputs(uses.network).zip(places(uses)?) {
        if is_needed(value, uses) {
            slots[slot] = Content::Value(value);
        }
    }
    Some(State { done: Done { first: 0, beyond: 0 }, slots, words: 0, flag: false, joints: Joints::default() })
}

/// Finds all possible next steps.
fn expand(state: &State, uses: &Uses<'_>, flag: bool, beam: Beam, mut found: impl FnMut(Step, State)) {
    let end = uses.order.len().min(state.done.first as usize + beam.window as usize);
    let end = u32::try_from(end).unwrap_or(u32::MAX);
    let ready: Vec<u32> = (state.done.first..end).filter(|&place| state.is_ready(place, uses)).collect();
    let rooms = state.rooms(uses, flag);
    for room in std::iter::once(None).chain(rooms.into_iter().map(Some)) {
        let state = room.map_or_else(|| state.clone(), |room| state.with_room(room, uses));
        for &place in &ready {
            for slot in state.targets(place, uses, flag) {
                let step = Step { room, place, slot };
                if let Some(next) = state.after(step, uses) {
                    found(step, next);
                }
            }
        }
    }
}

/// The part of a state that matters for continuations; it ignores which of R5 to R11 holds which value.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    done: Done,
    special: [Content; 7],
    flag: bool,
    joints: Joints,
}

impl Key {
    fn of(state: &State) -> Self {
        let [r0, r1, r2, r3, r4] = [R0, 1, 2, 3, 4].map(|slot| state.slots[slot]);
        Self {
            done: state.done,
            special: [r0, r1, r2, r3, r4, state.slots[R12], state.slots[FLAG]],
            flag: state.flag,
            joints: state.joints,
        }
    }
}

/// The score of a state; lower is more promising. It adds up the words so far, the set-up for the next move, copies of
/// values in its way, the values to be kept, and gates executed long before their turn.
fn score(state: &State, uses: &Uses<'_>) -> u32 {
    let next = state.next_move(uses);
    let set_up = next.map_or(0, |(_, from)| state.expected_set_up(from));
    let stuck = next.map_or(0, |(place, _)| state.stuck(place, uses));
    8 * (state.words + set_up + 2 * stuck) + 2 * state.live() + 2 * state.done.beyond.count_ones()
}
