//! Places where levels reach outputs, and how much of them arrives there.

use std::collections::{BTreeMap, BTreeSet};

use cain_isa::{Fraction, Store};
use cain_search::Proved;

use super::reading::{Place, Reading, follow};

/// A place where a level can be read, and its factor in each output.
#[derive(Clone)]
pub(super) struct Room {
    pub(super) place: Place,
    pub(super) gains: Vec<Fraction>,
}

/// The places where a level has an effect and which otherwise leave the outputs as they are; one for each combination
/// of factors.
pub(super) fn rooms(program: &Proved, places: Vec<Place>) -> Vec<Room> {
    let Some(reach) = reach(program) else { return vec![] };
    let mut rooms: Vec<Room> = vec![];
    // Which cells hold a part of a level makes no difference to its factors.
    let mut known = BTreeSet::new();
    for place in places {
        let kind = (place.index, place.before.map(|before| before.destinations().len()));
        if known.contains(&kind) {
            continue;
        }
        let part = place
            .before
            .and_then(|before| before.transfers().next())
            .map_or(Fraction::ONE, |transfer| transfer.factor());
        let scaled = reach[place.index].iter().map(|gain| gain.checked_mul(part)).collect::<Option<Vec<_>>>();
        let Some(expected) = scaled.filter(|gains| gains.iter().any(|gain| !gain.is_zero())) else { continue };
        if rooms.iter().any(|other| other.gains == expected) {
            known.insert(kind);
            continue;
        }
        let Some(gains) = gains(program, place) else { continue };
        known.insert(kind);
        rooms.push(Room { place, gains });
    }
    rooms
}

/// For each instruction, the factor in each output of what its word reads beside its sources, followed back from the outputs.
fn reach(program: &Proved) -> Option<Vec<Vec<Fraction>>> {
    let outputs = &program.declaration().outputs;
    let unit = |output| (0..outputs.len()).map(|i| if i == output { Fraction::ONE } else { Fraction::ZERO }).collect();
    let mut cells: BTreeMap<Store, Vec<Fraction>> =
        outputs.iter().enumerate().map(|(i, output)| (Store::Reg(output.reg), unit(i))).collect();
    let mut reach = vec![];
    for instruction in program.listing().iter().rev() {
        let mut read = vec![Fraction::ZERO; outputs.len()];
        for word in instruction.words().collect::<Vec<_>>().into_iter().rev() {
            // No word reads what it writes.
            read = vec![Fraction::ZERO; outputs.len()];
            let written: Vec<_> = word.transfers().filter_map(|it| Some((it, cells.remove(&it.store)?))).collect();
            for (transfer, gains) in written {
                let scaled: Vec<Fraction> =
                    gains.iter().map(|gain| gain.checked_mul(transfer.factor())).collect::<Option<_>>()?;
                add(&mut read, &scaled)?;
                for (source, _) in transfer.terms() {
                    add(cells.entry(*source).or_insert_with(|| vec![Fraction::ZERO; outputs.len()]), &scaled)?;
                }
            }
        }
        reach.push(read);
    }
    reach.reverse();
    Some(reach)
}

/// Adds each to each.
fn add(sums: &mut [Fraction], gains: &[Fraction]) -> Option<()> {
    for (sum, gain) in sums.iter_mut().zip(gains) {
        *sum = sum.checked_add(*gain)?;
    }
    Some(())
}

/// The factor of a level in each output, if it is read in that place.
pub(super) fn gains(program: &Proved, place: Place) -> Option<Vec<Fraction>> {
    let declaration = program.declaration();
    let reading = [Reading { place, level: 0, errors: [Fraction::ZERO; 3] }];
    let values = follow(declaration, program.listing(), &reading).filter(|values| values.are_those_of(program))?;
    let gains: Vec<Fraction> = (0..declaration.outputs.len()).map(|i| values.gain(i)).collect::<Option<_>>()?;
    gains.iter().any(|gain| !gain.is_zero()).then_some(gains)
}

/// Whether a level with these factors reaches one output alone.
pub(super) fn is_own(gains: &[Fraction], output: usize) -> bool {
    gains.iter().enumerate().all(|(i, gain)| (i == output) != gain.is_zero())
}
