//! Emits programs of control words.
//!
//! If transfer errors have to cancel, one register holds nothing but the error of a single word. As a further source it
//! cancels the error of the word that reads it. Sums of outputs need it only now and then: two words in a row cancel
//! each other's error, and a word that halves cancels its own with that of the word before if it also adds the
//! register.

use cain_isa::{Cell, Direction, Displacement, Instruction, Reg, Word};

use super::chain::{HELD, Programs, Stop};
use super::macros::parts;
use super::map::Map;
use super::registers::Layout;
use super::table::{Coding, Entry, EntryId, Origin, Part};
use super::words::{Kind, Step, WordWalk};

impl Programs for WordWalk {
    fn program(
        &self,
        map: &Map,
        coding: &Coding,
        chains: &[Vec<Vec<Stop>>],
        layout: &Layout,
    ) -> Option<Vec<Instruction>> {
        let error = if self.cancels { Some(*layout.spare.last()?) } else { None };
        let mut program = Program { layout, walk: *self, error, listing: Vec::new() };
        if let Some(error) = error {
            program.push(&[error.into()], &[])?;
        }
        for (number, entry) in coding.entries.iter().enumerate() {
            program.entry(number, entry)?;
        }
        let mut at_end = Vec::new();
        for ((wanted, chain), &result) in map.outputs.iter().zip(chains).zip(&layout.results) {
            program.output(chain, result, map.scale)?;
            if wanted.is_input {
                at_end.push((wanted.reg, result));
            }
        }
        for (reg, result) in at_end {
            program.copy(reg, result)?;
        }
        Some(program.listing)
    }
}

struct Program<'a> {
    layout: &'a Layout,
    walk: WordWalk,
    /// The register that holds the error of a word, if errors have to cancel.
    error: Option<Reg>,
    listing: Vec<Instruction>,
}

impl Program<'_> {
    fn push(&mut self, destinations: &[Cell], sources: &[Cell]) -> Option<()> {
        self.listing.push(Word::new(destinations, sources).ok()?.into());
        Some(())
    }

    /// Adds a word with one more source that cancels its error.
    fn push_without_error(&mut self, destinations: &[Cell], sources: &[Cell]) -> Option<()> {
        let error = self.error.map(Cell::from);
        let sources: Vec<Cell> = sources.iter().copied().chain(error).collect();
        self.push(destinations, &sources)
    }

    fn copy(&mut self, to: Reg, from: Reg) -> Option<()> {
        self.push(&[Cell::News], &[from.into()])?;
        self.push(&[to.into()], &[Cell::News])
    }

    fn entry(&mut self, number: usize, entry: &Entry) -> Option<()> {
        let result = *self.layout.entries.get(number)?;
        match entry.origin {
            Origin::Input => Some(()),
            Origin::Halved(of, times) => {
                let from = self.layout.of_entry(of)?;
                self.halved(from, times, result).map(|_| ())
            }
            Origin::Doubled(of) => {
                let (from, spare) = (self.layout.of_entry(of)?, *self.layout.spare.first()?);
                self.copy(spare, from)?;
                self.push(&[Cell::News], &[from.into(), spare.into()])?;
                self.push(&[result.into()], &[Cell::News])
            }
            Origin::Sum(parts) => self.sum_of_parts(parts, result),
        }
    }

    /// Halves a register so many times, into another one; if it is not halved at all, returns the register itself.
    fn halved(&mut self, from: Reg, times: u8, result: Reg) -> Option<Reg> {
        let spare = *self.layout.spare.first()?;
        if times == 0 { Some(from) } else { self.halved_into(result, from, times, spare) }
    }

    /// Halves a register at least once, using another register on the way.
    fn halved_into(&mut self, result: Reg, from: Reg, times: u8, other: Reg) -> Option<Reg> {
        let mut from = from;
        for done in 0..times {
            // The register written last is the result.
            let to = if (times - done) % 2 == 1 { result } else { other };
            let destinations = [to.into(), Cell::News];
            if done % 2 == 0 {
                self.push(&destinations, &[from.into()])?;
            } else {
                self.push_without_error(&destinations, &[from.into()])?;
            }
            from = to;
        }
        if times % 2 == 1 {
            self.push(&[result.into()], &[Cell::News])?;
        }
        Some(result)
    }

    fn sum_of_parts(&mut self, [first, second]: [Part; 2], result: Reg) -> Option<()> {
        let spare = *self.layout.spare.first()?;
        // The register for a halved part is not that of the result, which the last word writes.
        let halved = |program: &mut Self, part: Part| {
            let from = program.layout.of_entry(part.entry)?;
            match part.halvings {
                0 => Some(from),
                times => program.halved_into(spare, from, times, result),
            }
        };
        let (x0, x1) = (halved(self, first)?, halved(self, second)?);
        let steps: Option<Vec<Direction>> =
            parts(second.place, Displacement::ZERO, 1).into_iter().map(Direction::of).collect();
        let steps = steps?;
        if first.negative == second.negative {
            let x1 = if steps.is_empty() { x1 } else { self.moved(spare, x1, &steps)? };
            self.push_without_error(&[result.into()], &[x0.into(), x1.into()])
        } else if first.negative {
            let port = self.in_news(x1, &steps)?;
            self.push(&[result.into()], &[port, x0.into()])
        } else {
            self.push(&[Cell::News], &[x0.into()])?;
            let x1 = if steps.is_empty() { x1 } else { return None };
            self.push(&[result.into()], &[Cell::News, x1.into()])
        }
    }

    /// Puts the negative of a register into NEWS; returns the port from which it is then read, moved.
    fn in_news(&mut self, from: Reg, steps: &[Direction]) -> Option<Cell> {
        let spare = *self.layout.spare.first()?;
        let mut source = from;
        let mut rest = steps;
        while rest.len() > 2 {
            source = self.moved(spare, source, &rest[..2])?;
            rest = &rest[2..];
        }
        let to = rest.get(1).map_or(Cell::News, |step| Cell::Port(step.opposite()));
        self.push(&[to], &[source.into()])?;
        Some(rest.first().map_or(Cell::News, |step| Cell::Port(*step)))
    }

    /// Reads a register at a displacement, without leaving an error.
    fn moved(&mut self, to: Reg, from: Reg, steps: &[Direction]) -> Option<Reg> {
        let mut from = from;
        for steps in steps.chunks(2) {
            let push = steps.get(1).map_or(Cell::News, |step| Cell::Port(step.opposite()));
            self.push(&[push], &[from.into()])?;
            self.push(&[to.into()], &[steps.first().map_or(Cell::News, |step| Cell::Port(*step))])?;
            from = to;
        }
        Some(to)
    }

    /// Makes the parts of an output, each of which adds the sum of those before it.
    fn output(&mut self, parts: &[Vec<Stop>], result: Reg, last_plane: u8) -> Option<()> {
        let spare = *self.layout.spare.first()?;
        let [before @ .., last] = parts else {
            return match self.error {
                Some(_) => self.push_without_error(&[result.into()], &[]),
                None => self.push(&[result.into()], &[]),
            };
        };
        for (i, part) in before.iter().enumerate() {
            let held = *self.layout.spare.get(1)?;
            if i == 0 {
                self.sum(part, (held, spare), last_plane)?;
            } else {
                self.sum(part, (result, spare), last_plane)?;
                self.copy(held, result)?;
            }
        }
        self.sum(last, (result, spare), last_plane)
    }

    /// Makes the sum of some stops, with one more register besides that of the result.
    fn sum(&mut self, stops: &[Stop], (result, spare): (Reg, Reg), last_plane: u8) -> Option<()> {
        let (begin, mut steps) = self.walk.steps(stops, last_plane)?;
        if steps.is_empty() {
            let from = self.of(begin)?;
            return self.copy(result, from);
        }
        let compensated = if self.error.is_some() { self.compensated(&mut steps) } else { vec![false; steps.len()] };
        let mut from: Cell = self.of(begin)?.into();
        let registers = registers(&steps, result, spare);
        let mut news = Cell::News;
        for ((step, to), compensated) in steps.iter().zip(registers).zip(compensated) {
            let terms = step.terms.iter().map(|&entry| self.of(entry).map(Cell::from));
            let mut sources: Vec<Cell> = terms.collect::<Option<_>>()?;
            let (destinations, source) = match step.kind {
                Kind::Stay => (vec![to.into()], from),
                Kind::ToNews(direction) => {
                    news = Cell::News;
                    (vec![direction.map_or(Cell::News, |direction| Cell::Port(direction.opposite()))], from)
                }
                Kind::FromNews(direction) => (vec![to.into()], direction.map_or(news, Cell::Port)),
                Kind::Halve => (vec![to.into(), Cell::News], from),
            };
            sources.insert(0, source);
            if compensated {
                self.push_without_error(&destinations, &sources)?;
            } else {
                self.push(&destinations, &sources)?;
            }
            from = to.into();
        }
        Some(())
    }

    fn of(&self, entry: EntryId) -> Option<Reg> {
        if entry == HELD { self.layout.spare.get(1).copied() } else { self.layout.of_entry(entry) }
    }

    /// Chooses the words that also read the error, so that none is left at the end; adds two words if there is no other
    /// way.
    fn compensated(&self, steps: &mut Vec<Step>) -> Vec<bool> {
        // Before each word the sum holds the error once or not at all. For each of these states: whether it can be
        // reached, and if so, from which state and by which choice.
        let mut reached: Vec<[Option<(usize, bool)>; 2]> = Vec::new();
        let mut possible = [true, false];
        for step in steps.iter() {
            let mut next = [None; 2];
            let has_room = step.terms.len() < self.walk.most_terms();
            let mut reach = |to: usize, from: usize, choice: bool| {
                if possible[from] && next[to].is_none() {
                    next[to] = Some((from, choice));
                }
            };
            reach(1, 0, false);
            if step.kind == Kind::Halve {
                reach(0, 1, true);
            } else {
                reach(0, 1, false);
                if has_room {
                    reach(0, 0, true);
                }
            }
            possible = next.map(|origin| origin.is_some());
            reached.push(next);
        }
        let mut state = usize::from(!possible[0]);
        let is_left = state == 1;
        let mut choices: Vec<bool> = reached
            .iter()
            .rev()
            .map(|origins| {
                let (from, choice) = origins[state].unwrap_or((0, false));
                state = from;
                choice
            })
            .collect();
        choices.reverse();
        if is_left {
            // −1 + 1 is 0, and the other word must not add its own error.
            steps.extend([Kind::Stay, Kind::Stay].map(|kind| Step { kind, terms: vec![] }));
            choices.extend([false, true]);
        }
        choices
    }
}

/// The registers that the words write; the last one is the result. The others can be chosen freely, unless a word in
/// between reads one and writes the other.
fn registers(steps: &[Step], result: Reg, spare: Reg) -> Vec<Reg> {
    let mut registers = vec![result; steps.len()];
    let mut to = result;
    // Whether the register written before must be a different one.
    let mut differs = false;
    for (step, register) in steps.iter().zip(&mut registers).rev() {
        if let Kind::ToNews(_) = step.kind {
            differs = false;
            continue;
        }
        if differs {
            to = if to == result { spare } else { result };
        }
        *register = to;
        differs = matches!(step.kind, Kind::Stay | Kind::Halve);
    }
    // A word that writes NEWS leaves the register that it reads unchanged.
    for i in 1..steps.len() {
        if let Kind::ToNews(_) = steps[i].kind {
            registers[i] = registers[i - 1];
        }
    }
    registers
}
