//! Turns steps into words.

use cain_isa::{Bit, Bits, Dreg, FromNeighbours, Instruction, Logic, Operation, Word};

use super::inputs::places;
use super::room::Room;
use super::state::{Content, FLAG, R0, R12, SLOTS, State, Step};
use super::uses::{Uses, switches};
use crate::network::{Gate, Value};

/// A program with its registers.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    pub(crate) listing: Vec<Instruction>,
    /// The registers of the input bits, in the order of the network's inputs.
    pub(crate) inputs: Vec<usize>,
    /// The registers of the output bits.
    pub(crate) outputs: Vec<Vec<usize>>,
}

/// The words of a path that begins with the start.
///
/// The scheduler respects the rules of the machine; a word that broke one would be missing here, and the proof would
/// fail.
pub(super) fn write(path: &[(State, Step)], uses: &Uses<'_>) -> Schedule {
    let mut listing: Vec<Word> = Vec::new();
    for pair in path.windows(2) {
        let [(before, _), (_, step)] = pair else { continue };
        let mut before = before.clone();
        if let Some(room) = step.room {
            let (to, sources) = match room {
                Room::Copy { from, to } => (to, dreg(from).map(Bit::Reg).into_iter().collect()),
                Room::Join { joint, to } => (to, bits(&before, &uses.joints[joint], uses)),
            };
            listing.extend(opening(&before, to));
            listing.extend(any(to, &sources, false));
            before = before.with_room(room, uses);
        }
        let before = &before;
        listing.extend(set_up(before, *step, uses));
        listing.extend(opening(before, step.slot));
        listing.extend(match uses.gate(step.place) {
            Gate::Input => None,
            Gate::Any { sources, inverted } => any(step.slot, &bits(before, sources, uses), *inverted),
            Gate::Move { source, outside, .. } => dreg(step.slot)
                .and_then(|target| FromNeighbours::new(target, bit_of(before, *source, uses), *outside).ok())
                .map(Word::FromNeighbours),
        });
    }
    let end = &path[path.len() - 1].0;
    if end.flag {
        listing.push(Word::All);
    }
    Schedule {
        listing: listing.into_iter().map(Instruction::Word).collect(),
        inputs: places(uses).unwrap_or_default(),
        outputs: uses
            .network
            .outputs
            .iter()
            .map(|bits| bits.iter().map(|&bit| slot_of(end, bit, uses)).collect())
            .collect(),
    }
}

/// The words that set up directions before a step.
fn set_up(state: &State, step: Step, uses: &Uses<'_>) -> Vec<Word> {
    let Gate::Move { from, .. } = *uses.gate(step.place) else { return Vec::new() };
    let wrong = |on: bool| {
        let switches = switches(from).into_iter().enumerate();
        let wrong = switches.filter(move |&(i, wanted)| wanted == on && state.slots[i + 1] != Content::Constant(on));
        wrong.map(|(i, _)| i + 1).collect::<Vec<usize>>()
    };
    let (clear, mut set) = (wrong(false), wrong(true));
    if sets_r0(state, step, uses) {
        set.insert(0, R0);
    }
    let words = [(Operation::Clr, clear), (Operation::Set, set)];
    words.into_iter().filter(|(_, slots)| !slots.is_empty()).filter_map(|(op, slots)| logic(op, &slots, &[])).collect()
}

/// Whether R0 is set together with the directions.
fn sets_r0(state: &State, step: Step, uses: &Uses<'_>) -> bool {
    matches!(*uses.gate(step.place), Gate::Move { from, .. } if state.opens_r12_with(from))
}

/// The word that opens a register for writing, if it needs one.
fn opening(state: &State, slot: usize) -> Option<Word> {
    let is_closed = slot == R12 && state.slots[R0] != Content::Constant(true);
    if is_closed { logic(Operation::Set, &[R0], &[]) } else { None }
}

/// The OR of bits or its complement.
fn any(slot: usize, sources: &[Bit], inverted: bool) -> Option<Word> {
    if slot == FLAG {
        return Bits::new(sources).ok().map(Word::WhereBits);
    }
    let operation = match (sources.is_empty(), inverted) {
        (true, true) => Operation::Set,
        (true, false) => Operation::Clr,
        (false, true) => Operation::Nor,
        (false, false) => Operation::Or,
    };
    logic(operation, &[slot], sources)
}

fn logic(operation: Operation, targets: &[usize], sources: &[Bit]) -> Option<Word> {
    let targets: Option<Vec<Dreg>> = targets.iter().map(|&slot| dreg(slot)).collect();
    Logic::new(operation, &targets?, sources).ok().map(Word::Logic)
}

fn dreg(slot: usize) -> Option<Dreg> {
    Dreg::new(u8::try_from(slot).ok()?)
}

/// The bits that hold values, each once.
fn bits(state: &State, values: &[Value], uses: &Uses<'_>) -> Vec<Bit> {
    let mut bits = Vec::new();
    for &value in values {
        let bit = bit_of(state, value, uses);
        if !bits.contains(&bit) {
            bits.push(bit);
        }
    }
    bits
}

/// The bit that holds a value.
fn bit_of(state: &State, value: Value, uses: &Uses<'_>) -> Bit {
    dreg(slot_of(state, value, uses)).map_or(Bit::Flag, Bit::Reg)
}

/// The register that holds a value; the number of one that does not exist if none does.
fn slot_of(state: &State, value: Value, uses: &Uses<'_>) -> usize {
    let holds = |content: &Content| matches!(content, Content::Value(held) if uses.stands_for(*held, value));
    state.slots.iter().position(holds).unwrap_or(SLOTS)
}
