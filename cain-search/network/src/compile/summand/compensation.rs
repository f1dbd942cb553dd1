//! Constant transfer errors that are left in sums, and levels that take them out again.
//!
//! Programs of sums cancel their transfer errors as far as all words err alike. On a chip, words with one destination and
//! with several do not, and earlier errors are made smaller than later ones, which in a long program adds up to more than the
//! values themselves. What is left is known in advance, so a level of the program that reaches one sum alone is changed by the controller, by as much as the errors of
//! its chip ask for: not at all on an array without errors.

use cain_isa::{Bus, Cell, ErrorModel, Fraction, Instruction, Reg, Word};
use cain_search::Proved;

use super::constants::constants;
use super::reading::{Place, Reading, Wanted, apart, direct_places, follow};
use super::rooms::{Reach, Room, is_own};

/// Errors below this, in DN, are left as they are: levels are whole numbers of DN.
const LEAST: f64 = 0.75;
/// The words at the end of a program in which a further level is looked for.
const LAST: usize = 160;

/// Errors from which on, in DN, two more words are worth it where no word has room for a level.
const WORTH_WORDS: f64 = 2.0;

/// Lets levels compensate for the errors that are left in each sum; the listing becomes longer where words have no room for
/// them. The largest values may saturate, but by less than half of the error that all of them had.
pub(super) fn compensate(
    (program, reach): (&Proved, &Reach),
    (ranges, zeros): (&[(f64, f64)], &[f64]),
    wanted: &[Wanted],
    (listing, readings): (&mut Vec<Instruction>, &mut Vec<Reading>),
) {
    let declaration = program.declaration();
    let (model, ideal) = (&declaration.options.error_model, ErrorModel::ideal());
    let offset = model.offset;
    let constants_of =
        |program: (&[Instruction], &[Reading]), model, level| constants(declaration, program, zeros, (model, level));
    let Some(exact) = constants_of((listing, readings), &ideal, None) else { return };
    let excess = |listing: &[Instruction], all: &[Reading]| {
        let values = Some(all).filter(|all| apart(all)).and_then(|all| follow(declaration, listing, all));
        values.and_then(|values| values.excess(ranges, all, offset)).unwrap_or(f64::INFINITY)
    };
    let mut room = None;
    for output in (0..wanted.len()).filter(|output| wanted[*output].is_compensated) {
        let exact = exact[output].value;
        let left = constants_of((listing, readings), model, None);
        let Some(size) = left.map(|left| left[output].excess(exact, offset).abs()) else { return };
        if size < LEAST {
            continue;
        }
        // With the share of errors that the level at an index takes.
        let compensated = |listing: Vec<Instruction>, mut all: Vec<Reading>, index: usize| {
            all[index].errors = [Fraction::ZERO; 3];
            let constant = constants_of((&listing, &all), model, Some(index))?[output];
            all[index].errors = constant.shares(exact, offset)?;
            Some((listing, all))
        };
        let with = |listing: Vec<Instruction>, place: Place| {
            let reading = Reading { place, level: 0, errors: [Fraction::ZERO; 3] };
            compensated(listing, readings.iter().copied().chain([reading]).collect(), readings.len())
        };
        // A level that is there already.
        let there = (0..readings.len()).filter_map(|index| {
            reach.gains(readings[index].place).filter(|gains| is_own(gains, output))?;
            compensated(listing.clone(), readings.clone(), index)
        });
        // Or one of 0 DN that takes no word; the finer, the better.
        let fresh = std::iter::once_with(|| room.get_or_insert_with(|| last_rooms(program, reach)).iter()).flatten();
        let fresh = fresh.filter(|room| is_own(&room.gains, output));
        let fresh = fresh.filter_map(|room| with(listing.clone(), room.place));
        // Or one that two more words add.
        let longer = added(declaration.outputs[output].reg, listing.len()).filter(|_| size >= WORTH_WORDS);
        let longer = longer.and_then(|(add, back)| {
            let words = [add.word, back].map(Instruction::Word);
            with(listing.iter().copied().chain(words).collect(), add)
        });
        let ways = there.chain(fresh).chain(longer);
        if let Some(way) = least(ways, |(listing, all)| excess(listing, all), size / 2.0) {
            (*listing, *readings) = way;
        }
    }
}

/// The first for which a number is 0, or else the one with the least if that is at most so large.
fn least<T>(all: impl Iterator<Item = T>, number: impl Fn(&T) -> f64, most: f64) -> Option<T> {
    let mut best: Option<(f64, T)> = None;
    for one in all {
        let found = number(&one);
        if best.as_ref().map_or(found <= most, |(least, _)| found < *least) {
            best = Some((found, one));
        }
        if best.as_ref().is_some_and(|(least, _)| *least <= 0.0) {
            break;
        }
    }
    best.map(|(_, one)| one)
}

/// Where a level of 0 DN takes no word near the end of a program, finer ones first.
fn last_rooms(program: &Proved, reach: &Reach) -> Vec<Room> {
    let from = program.listing().len().saturating_sub(LAST);
    let places: Vec<Place> = direct_places(program).into_iter().filter(|place| place.index >= from).collect();
    let mut rooms = reach.rooms(places);
    rooms.sort_by_key(|room| room.gains.iter().map(|gain| gain.abs()).max());
    rooms
}

/// A word after a listing of that length that adds a level to a register, and the one that completes it.
fn added(reg: Reg, index: usize) -> Option<(Place, Word)> {
    let word = |to: Cell, from: &[Cell]| Bus::new(&[to], from).ok().map(Word::from);
    let add = word(Cell::News, &[Cell::Reg(reg), Cell::In])?;
    Some((Place { index, before: None, word: add }, word(Cell::Reg(reg), &[Cell::News])?))
}

#[cfg(test)]
mod tests {
    use super::least;

    #[test]
    fn what_saturates_too_much_is_left() {
        let taken = |excesses: &[f64]| least(0..excesses.len(), |&place| excesses[place], 4.0);
        assert_eq!(taken(&[5.0, 3.0, 2.0, 3.0]), Some(2));
        assert_eq!(taken(&[3.0, 0.0, 0.0]), Some(1));
        assert_eq!(taken(&[4.0, 4.0]), Some(0));
        assert_eq!(taken(&[5.0, f64::INFINITY]), None);
    }
}
