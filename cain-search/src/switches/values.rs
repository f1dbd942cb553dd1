//! The proof that programs find what they need when they come back, whatever registers hold.
//!
//! A value is a number that stands for the way in which it was computed: by which word, from which values. Only this is
//! known about the results of words: a transfer from one cell to another negates, so that two of them are the identity,
//! and OR of a single bit copies it. Equal numbers mean equal values, in every PE and for all inputs.

use std::collections::HashMap;

use cain_analysis::sorted::{Map, Set};
use cain_isa::{Bit, Cell, Cells, Dreg, Instruction, KeptLevels, Operation, Reg, SwitchStep, Word};

use super::flow::{Flow, Gate};
use super::piece::Piece;
use super::ways_back::ways_back_stay;
use super::{Point, SwitchError};

type Value = u32;

/// The value 1 in every PE, which FLAG has at first.
const EVERYWHERE: Value = 0;

/// The origin of a value.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Term {
    Everywhere,
    /// The initial content of a place.
    Initial(Place),
    /// The content that others left in a place at a point.
    Foreign(u32, Place),
    Minus(Value),
    /// The result of a word in a place, with the state of the controller and the values that it read.
    Word(Word, Place, u32, Vec<Value>),
    /// The result of the controller in a place, at the step with this number.
    Controller(u32, Place),
}

/// The place of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Place {
    Reg(Reg),
    News,
    Bit(Dreg),
    Flag,
}

/// All terms so far, with their numbers.
struct Terms(HashMap<Term, Value>);

impl Terms {
    fn number(&mut self, term: Term) -> Value {
        let next = Value::try_from(self.0.len()).unwrap_or(Value::MAX);
        *self.0.entry(term).or_insert(next)
    }

    /// The number of minus a value. Negating twice gives the value itself.
    fn minus(&mut self, value: Value, signs: &mut HashMap<Value, Value>) -> Value {
        if let Some(&positive) = signs.get(&value) {
            return positive;
        }
        let minus = self.number(Term::Minus(value));
        signs.insert(minus, value);
        minus
    }
}

/// The values in all places.
#[derive(Clone, Default)]
struct State {
    values: Map<Place, Value>,
    /// The last step of the controller that set levels or selections.
    controller: u32,
    /// The value that the first half of a word has left on the bus for the second.
    bus: Option<Value>,
}

/// Executes words on states.
struct Machine {
    terms: Terms,
    /// For each negative value, its negation.
    signs: HashMap<Value, Value>,
}

/// Leaves the program at each point, lets the others write unknown values to everything they may overwrite, comes back,
/// and compares the values that the program needs with those of an undisturbed run.
///
/// This suffices for one interruption, since the rest of a program computes a function of the values that it reads
/// before it writes them. For several interruptions, it also suffices if [ways back](ways_back_stay) remain valid.
pub(super) fn check(pieces: &[Piece], flow: &Flow, others: Cells, points: &[Point]) -> Result<(), SwitchError> {
    if let Some(point) = points.iter().find(|point| !ways_back_stay(flow, others, points, point)) {
        return Err(failure(pieces, point.resume));
    }
    let mut machine = Machine { terms: Terms(HashMap::from([(Term::Everywhere, EVERYWHERE)])), signs: HashMap::new() };
    let mut state = State { values: Map::from([(Place::Flag, EVERYWHERE)]), ..State::default() };
    let resumed: Set<u32> = points.iter().map(|point| point.resume).collect();
    let mut earlier: Map<u32, State> = Map::new();
    let mut points = points.iter().peekable();
    for at in 0..=pieces.len() {
        let here = u32::try_from(at).unwrap_or(u32::MAX);
        if let Some(piece) = at.checked_sub(1).map(|last| &pieces[last]) {
            machine.carry_out(&mut state, here, piece);
        }
        if resumed.contains(&here) {
            earlier.insert(here, state.clone());
        }
        let Some(point) = points.next_if(|point| point.at == here) else { continue };
        let undisturbed = earlier.get(&point.resume).unwrap_or(&state).clone();
        if !has_levels(flow, point) || repeats(flow, point) {
            return Err(failure(pieces, point.at));
        }
        let back = machine.interrupted(&state, point, others);
        let resume = point.resume as usize;
        if !machine.agree(&back, &undisturbed, flow.live[resume], flow.gates[resume]) {
            return Err(failure(pieces, point.resume));
        }
    }
    Ok(())
}

impl Machine {
    fn carry_out(&mut self, state: &mut State, number: u32, piece: &Piece) {
        match piece {
            Piece::Instruction(instruction) => instruction.words().for_each(|word| self.word(state, &word)),
            Piece::Level(_) | Piece::Controller => state.controller = number,
            Piece::Reads(_) => {}
            Piece::Writes(cells) => self.written(state, number, *cells),
            Piece::Once(effect, _) => {
                state.controller = number;
                self.written(state, number, effect.written());
            }
        }
    }

    /// The controller writes cells.
    fn written(&mut self, state: &mut State, number: u32, cells: Cells) {
        for place in places(cells) {
            let value = self.terms.number(Term::Controller(number, place));
            state.values.insert(place, value);
        }
    }

    fn word(&mut self, state: &mut State, word: &Word) {
        let everywhere = self.value(state, Place::Flag) == EVERYWHERE;
        let effect = word.effect(everywhere);
        let copied = self.copied(state, word, everywhere);
        let mut read: Vec<Value> = places(effect.reads).into_iter().map(|place| self.value(state, place)).collect();
        read.extend(state.bus.take());
        let mut written = Vec::new();
        for place in places(effect.written()) {
            let value = copied.unwrap_or_else(|| {
                let mut from = read.clone();
                if places(effect.changes).contains(&place) {
                    from.push(self.value(state, place));
                }
                self.terms.number(Term::Word(*word, place, state.controller, from))
            });
            written.push((place, value));
        }
        if effect.is_first_half {
            let term = Term::Word(*word, Place::News, state.controller, read);
            state.bus = Some(self.terms.number(term));
        }
        state.values.extend(written);
    }

    /// The value that a word only copies, or negates if it is analogue.
    fn copied(&mut self, state: &State, word: &Word, everywhere: bool) -> Option<Value> {
        match word {
            Word::All => Some(EVERYWHERE),
            Word::Bus(bus) if everywhere => {
                let (&[to], &[from]) = (bus.destinations(), bus.sources()) else { return None };
                plain(to)?;
                let value = self.value(state, plain(from)?);
                Some(self.terms.minus(value, &mut self.signs))
            }
            Word::WhereBits(bits) => {
                let &[Bit::Reg(from)] = bits.bits() else { return None };
                Some(self.value(state, Place::Bit(from)))
            }
            Word::Logic(logic) if logic.operation() == Operation::Or => {
                let (&[to], &[from]) = (logic.targets(), logic.sources()) else { return None };
                let from = match from {
                    Bit::Reg(from) => Place::Bit(from),
                    Bit::Flag => Place::Flag,
                    Bit::Select | Bit::Rect => return None,
                };
                to.gate().is_none().then(|| self.value(state, from))
            }
            _ => None,
        }
    }

    fn value(&mut self, state: &State, place: Place) -> Value {
        match state.values.get(&place) {
            Some(&value) => value,
            None => self.terms.number(Term::Initial(place)),
        }
    }

    /// The state of a program that was left at a point and has come back. The state of the controller is set again.
    ///
    /// Planes of two levels are treated specially: their words restore the plane, as long as its bit is not
    /// overwritten.
    fn interrupted(&mut self, state: &State, point: &Point, others: Cells) -> State {
        let mut state = state.clone();
        let point = point.as_switch_point();
        point.leaving().filter_map(SwitchStep::word).for_each(|word| self.word(&mut state, &word));
        let bit =
            |machine: &mut Self, state: &State, kept: &KeptLevels| machine.value(state, Place::Bit(kept.register));
        let bits: Vec<Value> = point.levels.iter().map(|kept| bit(self, &state, kept)).collect();
        let planes: Vec<Value> = point.levels.iter().map(|kept| self.value(&state, Place::Reg(kept.home))).collect();
        for place in places(others) {
            let value = self.terms.number(Term::Foreign(point.at, place));
            state.values.insert(place, value);
        }
        let stay = point.levels.iter().zip(&bits).all(|(kept, &was)| bit(self, &state, kept) == was);
        point.returning().filter_map(SwitchStep::word).for_each(|word| self.word(&mut state, &word));
        if stay {
            state.values.extend(point.levels.iter().map(|kept| Place::Reg(kept.home)).zip(planes));
        }
        state
    }

    /// Whether both states agree in the values that are needed.
    fn agree(&mut self, one: &State, other: &State, needed: Cells, gate: Gate) -> bool {
        let flag = if gate == Gate::All { Cells::FLAG } else { Cells::NONE };
        places(needed.union(flag)).into_iter().all(|place| self.value(one, place) == self.value(other, place))
    }
}

/// Whether something happens again on the way from where a point goes back to that must happen only once.
fn repeats(flow: &Flow, point: &Point) -> bool {
    let again = flow.happens_once.get(point.resume as usize..point.at as usize);
    again.is_none_or(|pieces| pieces.contains(&true))
}

/// Whether planes that are kept as bits have the levels that the bits represent, each with a bit of its own.
fn has_levels(flow: &Flow, point: &Point) -> bool {
    let known = &flow.levels[point.at as usize];
    let bits: Set<Dreg> = point.levels.iter().map(|kept| kept.register).collect();
    bits.len() == point.levels.len()
        && point.levels.iter().all(|kept| known.get(&kept.home) == Some(&(kept.low, kept.high)))
}

/// The place of a cell of the PE itself.
fn plain(cell: Cell) -> Option<Place> {
    match cell {
        Cell::Reg(reg) => Some(Place::Reg(reg)),
        Cell::News => Some(Place::News),
        Cell::Port(_) | Cell::Pix | Cell::In => None,
    }
}

fn places(cells: Cells) -> Vec<Place> {
    let news = cells.contains(Cells::NEWS).then_some(Place::News);
    let bits = cells.bits().filter_map(|bit| match bit {
        Bit::Reg(register) => Some(Place::Bit(register)),
        Bit::Flag => Some(Place::Flag),
        Bit::Select | Bit::Rect => None,
    });
    cells.analogue().iter().map(Place::Reg).chain(news).chain(bits).collect()
}

fn failure(pieces: &[Piece], at: u32) -> SwitchError {
    let next: Option<Instruction> = match pieces.get(at as usize) {
        Some(Piece::Instruction(instruction)) => Some(*instruction),
        _ => None,
    };
    SwitchError::Unproved { at, next }
}
