//! Constant transfer errors that are left in sums, and levels that take them out again.
//!
//! Programs of sums cancel their transfer errors as far as all words err alike. On a chip, words with one destination and
//! with several do not, which in a long program adds up to more than the values themselves. What is left is known in
//! advance, so a level of the program that reaches one sum alone is changed by the controller, by as much as the errors of
//! its chip ask for: not at all on an array without errors.

use cain_isa::Fraction;
use cain_search::Proved;

use super::reading::{LIMIT, Place, Reading, Wanted, apart, direct_places, follow, gains, is_own, rooms};
use crate::compile::script::shares;

/// Errors below this, in DN, are left as they are: levels are whole numbers of DN.
const LEAST: f64 = 0.75;
/// The words at the end of a program in which a further level is looked for.
const LAST: usize = 160;

/// Lets levels compensate for the errors that are left in each sum, as far as words have room for them.
pub(super) fn compensate(program: &Proved, ranges: &[(f64, f64)], wanted: &[Wanted], readings: &mut Vec<Reading>) {
    // A level that a word reads beside others adds no transfer, so these stay.
    let Some(left) = follow(program.declaration(), program.listing(), readings).map(|values| values.errors) else {
        return;
    };
    let mut room = None;
    for output in (0..wanted.len()).filter(|output| wanted[*output].is_compensated) {
        let errors = left[output];
        if known(program, errors).abs() < LEAST {
            continue;
        }
        let fits = |all: &[Reading]| {
            let shifted: Vec<Reading> = all.iter().filter_map(|reading| reading.shifted(program)).collect();
            shifted.len() == all.len()
                && apart(all)
                && follow(program.declaration(), program.listing(), all)
                    .is_some_and(|values| values.fits(ranges, all) && values.fits(ranges, &shifted))
        };
        // A level that is there already.
        let changed = (0..readings.len()).find_map(|place| {
            let gains = gains(program, readings[place].place).filter(|gains| is_own(gains, output))?;
            let mut all = readings.clone();
            all[place].errors = shares(errors, gains[output])?;
            fits(&all).then_some(all)
        });
        // Or one of 0 DN that takes no word; the finer, the better.
        let changed = changed.or_else(|| {
            let rooms = room.get_or_insert_with(|| {
                let from = program.listing().len().saturating_sub(LAST);
                let places: Vec<Place> =
                    direct_places(program).into_iter().filter(|place| place.index >= from).collect();
                let mut rooms = rooms(program, places);
                rooms.sort_by_key(|room| room.gains.iter().map(|gain| gain.abs()).max());
                rooms
            });
            rooms.iter().filter(|room| is_own(&room.gains, output)).find_map(|room| {
                let errors = shares(errors, room.gains[output])?;
                let all: Vec<Reading> =
                    readings.iter().copied().chain([Reading { place: room.place, level: 0, errors }]).collect();
                fits(&all).then_some(all)
            })
        });
        if let Some(changed) = changed {
            *readings = changed;
        }
    }
}

/// Errors of transfers to one, two and three cells on the chip that the program is made for, in DN.
fn known(program: &Proved, errors: [Fraction; 3]) -> f64 {
    let offsets = program.declaration().options.error_model.offset;
    errors.iter().zip(offsets).map(|(count, offset)| count.to_f64() * f64::from(offset)).sum()
}

impl Reading {
    /// The level on the chip that the program is made for; `None` if there is no such level.
    fn shifted(self, program: &Proved) -> Option<Self> {
        let level = (f64::from(self.level) + known(program, self.errors)).round();
        #[expect(clippy::cast_possible_truncation, reason = "below the limit")]
        (level.abs() < LIMIT).then_some(Self { level: level as i8, ..self })
    }
}
