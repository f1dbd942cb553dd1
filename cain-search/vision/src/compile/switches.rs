//! Words that set up directions, and others that always do the same: once, in front of loops, and not where it is done already.

use std::collections::{BTreeMap, BTreeSet};

use cain_analysis::owned::Step;
use cain_isa::program::Held;
use cain_isa::{Bit, Cells, Dreg, Instruction, Logic, Operation, Word};

use crate::plan::Piece;

/// The digital registers that hold the same everywhere, and what.
type Known = BTreeMap<Dreg, bool>;

/// Leaves out what is done already.
pub(super) fn settle(pieces: &mut Vec<Piece<'_>>) {
    without_dead(pieces);
    hoisted(pieces);
    without_known(pieces, &mut Known::new());
}

/// What a word sets to 0 or to 1.
fn constant(word: &Word) -> Option<(&[Dreg], bool)> {
    match word {
        Word::Logic(logic) => match logic.operation() {
            Operation::Set => Some((logic.targets(), true)),
            Operation::Clr => Some((logic.targets(), false)),
            _ => None,
        },
        _ => None,
    }
}

fn constant_word(registers: &[Dreg], bit: bool) -> Option<Word> {
    let operation = if bit { Operation::Set } else { Operation::Clr };
    Logic::new(operation, registers, &[]).ok().map(Word::Logic)
}

/// Changes the words of a listing, each to others.
fn replace(listing: &mut Vec<Instruction>, mut each: impl FnMut(Word) -> Option<Word>) {
    let words = listing.iter().flat_map(Instruction::words).filter_map(&mut each);
    *listing = words.map(Instruction::Word).collect();
}

/// A word without those constants of which it is told; none if there are no others.
fn without(word: Word, is_left_out: impl Fn(Dreg, bool) -> bool) -> Option<Word> {
    let Some((registers, bit)) = constant(&word) else { return Some(word) };
    let rest: Vec<Dreg> = registers.iter().copied().filter(|register| !is_left_out(*register, bit)).collect();
    if rest.len() == registers.len() { Some(word) } else { constant_word(&rest, bit) }
}

fn has(cells: Cells, register: Dreg) -> bool {
    cells.contains(Cells::bit(Bit::Reg(register)))
}

/// Leaves out constants that are overwritten before they are read.
fn without_dead(pieces: &mut [Piece<'_>]) {
    for piece in pieces {
        if let Piece::Do(Step::Execute(listing)) = piece {
            let words: Vec<Word> = listing.iter().flat_map(Instruction::words).collect();
            let mut place = 0;
            replace(listing, |word| {
                place += 1;
                without(word, |register, _| is_dead(&words[place..], register))
            });
        }
        piece.bodies_mut().for_each(|body| without_dead(body));
    }
}

fn is_dead(words: &[Word], register: Dreg) -> bool {
    for word in words {
        let effect = word.effect(true);
        if has(effect.reads, register) {
            return false;
        }
        if has(effect.writes, register) {
            return true;
        }
    }
    false
}

/// What a step without others within reads and writes of digital registers.
fn accesses(step: &Step) -> (Cells, Cells) {
    let mut reads = step.reads().unwrap_or(Cells::NONE);
    let mut writes = Cells::NONE;
    for word in step.listing().unwrap_or_default().iter().flat_map(Instruction::words) {
        let effect = word.effect(true);
        (reads, writes) = (reads.union(effect.reads), writes.union(effect.written()));
    }
    if let Step::RegionOf { register, .. } = step {
        writes = writes.union(Cells::bit(Bit::Reg(*register)));
    }
    (reads, writes)
}

/// Calls something for each word, and for each other step, of pieces and those within them.
fn each(pieces: &[Piece<'_>], of: &mut impl FnMut(Option<Word>, Cells, Cells)) {
    for piece in pieces {
        match piece {
            Piece::Do(Step::Execute(listing)) => {
                for word in listing.iter().flat_map(Instruction::words) {
                    let effect = word.effect(true);
                    of(Some(word), effect.reads, effect.written());
                }
            }
            Piece::Do(step) | Piece::List { step, .. } => {
                let (reads, writes) = accesses(step);
                of(None, reads, writes);
            }
            _ => piece.bodies().for_each(|body| each(body, of)),
        }
    }
}

/// Does in front of loops what every pass does alike.
fn hoisted(pieces: &mut Vec<Piece<'_>>) {
    let mut place = 0;
    while place < pieces.len() {
        pieces[place].bodies_mut().for_each(hoisted);
        if let Piece::Loop { of, places, check, body, .. } = &mut pieces[place] {
            let words = if of.most > 1 { hoist(places, check, body) } else { Vec::new() };
            if !words.is_empty() {
                let words = words.into_iter().map(Instruction::Word).collect();
                pieces.insert(place, Piece::Do(Step::Execute(words)));
                place += 1;
            }
        }
        place += 1;
    }
}

/// The words of a loop that may be done in front of it, in their order; they are left out in it. Without any pass, what is carried
/// is what it was.
fn hoist<'d>(places: &[Option<Held>], check: &mut [Piece<'d>], body: &mut [Piece<'d>]) -> Vec<Word> {
    let mut carried = BTreeSet::new();
    carry(places, &mut carried);
    carried_within(check, &mut carried);
    carried_within(body, &mut carried);
    let mut all = Vec::new();
    loop {
        let constants = constants(&carried, check, body);
        let others = if constants.is_empty() { invariant(&carried, check, body) } else { None };
        for pieces in [&mut *check, &mut *body] {
            change(pieces, &mut |word| {
                let word = without(word, |register, bit| constants.get(&register) == Some(&bit))?;
                Some(word).filter(|word| Some(*word) != others)
            });
        }
        for bit in [false, true] {
            let registers: Vec<Dreg> =
                constants.iter().filter(|(_, constant)| **constant == bit).map(|(register, _)| *register).collect();
            all.extend(registers.chunks(4).filter_map(|registers| constant_word(registers, bit)));
        }
        all.extend(others);
        if constants.is_empty() && others.is_none() {
            return all;
        }
    }
}

fn carry(places: &[Option<Held>], carried: &mut BTreeSet<Dreg>) {
    carried.extend(
        places.iter().flatten().filter_map(|held| if let Held::Bit(Bit::Reg(bit)) = held { Some(*bit) } else { None }),
    );
}

/// Adds the registers that loops among pieces carry.
fn carried_within(pieces: &[Piece<'_>], carried: &mut BTreeSet<Dreg>) {
    for piece in pieces {
        if let Piece::Loop { places, .. } = piece {
            carry(places, carried);
        }
        piece.bodies().for_each(|body| carried_within(body, carried));
    }
}

fn change(pieces: &mut [Piece<'_>], each: &mut impl FnMut(Word) -> Option<Word>) {
    for piece in pieces {
        if let Piece::Do(Step::Execute(listing)) = piece {
            replace(listing, &mut *each);
        }
        piece.bodies_mut().for_each(|body| change(body, each));
    }
}

/// Registers that a loop only sets to one constant, before anything reads them; none unless a word goes with them.
fn constants(carried: &BTreeSet<Dreg>, check: &[Piece<'_>], body: &[Piece<'_>]) -> Known {
    let mut found: BTreeMap<Dreg, Option<bool>> = BTreeMap::new();
    for pieces in [check, body] {
        each(pieces, &mut |word, reads, writes| {
            let set = word.as_ref().and_then(constant);
            for register in Dreg::ALL {
                let bit = set.filter(|(registers, _)| registers.contains(&register)).map(|(_, bit)| bit);
                if has(reads, register) {
                    // Read first, by a pass that finds what the one before left.
                    found.entry(register).or_insert(None);
                } else if has(writes, register) {
                    let known = found.entry(register).or_insert(bit);
                    if *known != bit || register.gate().is_some() {
                        *known = None;
                    }
                }
            }
        });
    }
    let known: Known = found
        .into_iter()
        .filter_map(|(register, bit)| Some((register, bit?)))
        .filter(|(register, _)| !carried.contains(register))
        .collect();
    let mut goes = false;
    for pieces in [check, body] {
        each(pieces, &mut |word, _, _| {
            goes |=
                word.is_some_and(|word| without(word, |register, bit| known.get(&register) == Some(&bit)).is_none());
        });
    }
    if goes { known } else { Known::new() }
}

/// A word of which a loop does not change what it reads, and which alone writes its register before that is read.
fn invariant(carried: &BTreeSet<Dreg>, check: &[Piece<'_>], body: &[Piece<'_>]) -> Option<Word> {
    let mut written = Cells::NONE;
    let mut candidates: Vec<(Word, Dreg)> = Vec::new();
    let mut spoilt: BTreeSet<Dreg> = carried.clone();
    let mut seen: BTreeMap<Dreg, Word> = BTreeMap::new();
    for pieces in [check, body] {
        each(pieces, &mut |word, reads, writes| {
            written = written.union(writes);
            for register in Dreg::ALL {
                if has(reads, register) && !seen.contains_key(&register) {
                    spoilt.insert(register);
                }
                if has(writes, register) {
                    match (seen.get(&register), word) {
                        (None, Some(word)) if is_gate(&word) && register.gate().is_none() => {
                            seen.insert(register, word);
                            candidates.push((word, register));
                        }
                        (Some(known), Some(word)) if *known == word => {}
                        _ => drop(spoilt.insert(register)),
                    }
                }
            }
        });
    }
    let stays = |(word, register): &(Word, Dreg)| {
        !spoilt.contains(register) && word.effect(true).reads.intersection(written).is_empty()
    };
    candidates.into_iter().find(stays).map(|(word, _)| word)
}

/// Whether a word writes one register with a function of others.
fn is_gate(word: &Word) -> bool {
    let Word::Logic(logic) = word else { return false };
    matches!(logic.operation(), Operation::Or | Operation::Nor)
        && logic.targets().len() == 1
        && logic.sources().iter().all(|source| matches!(source, Bit::Reg(_)))
}

/// Leaves out constants that are there already.
fn without_known(pieces: &mut [Piece<'_>], known: &mut Known) {
    for piece in pieces {
        match piece {
            Piece::Do(Step::Execute(listing)) => replace(listing, |word| {
                let left = without(word, |register, bit| known.get(&register) == Some(&bit))?;
                let written = left.effect(true).written();
                known.retain(|register, _| !has(written, *register));
                if let Some((registers, bit)) = constant(&left) {
                    known.extend(
                        registers.iter().filter(|register| register.gate().is_none()).map(|register| (*register, bit)),
                    );
                }
                Some(left)
            }),
            Piece::Do(step) | Piece::List { step, .. } => {
                let (_, written) = accesses(step);
                known.retain(|register, _| !has(written, *register));
            }
            Piece::Loop { check, body, .. } => {
                let mut written = Cells::NONE;
                each(check, &mut |_, _, writes| written = written.union(writes));
                each(body, &mut |_, _, writes| written = written.union(writes));
                known.retain(|register, _| !has(written, *register));
                let mut inside = known.clone();
                without_known(check, &mut inside);
                without_known(body, &mut inside);
            }
            Piece::Decide { then, otherwise, .. } => {
                let mut other = known.clone();
                without_known(then, known);
                without_known(otherwise, &mut other);
                known.retain(|register, bit| other.get(register) == Some(bit));
            }
            Piece::First { body, .. } => {
                let mut other = known.clone();
                without_known(body, &mut other);
                known.retain(|register, bit| other.get(register) == Some(bit));
            }
            Piece::Holds(..) => {}
        }
    }
}
