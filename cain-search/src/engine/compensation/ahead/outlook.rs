//! Tables that tell what the remaining places of a program can cancel in each output on its own, and with how many
//! instructions.

use cain_analysis::sorted::Map;

use super::super::Effect;
use super::super::choice::Place;
use super::costs::{NEVER, known};

/// The largest multiple, in either direction from 0, that a table distinguishes, and the most entries of all tables.
const MOST: usize = 256;
const MAX_ENTRIES: usize = 1 << 19;
/// The number of table entries that take about as long as one sum.
const ENTRIES: usize = 512;

/// For each output and each number of places passed, how many instructions cancel what may be left there.
pub(crate) struct Outlooks(Vec<Outlook>);

/// The tables of one output.
struct Outlook {
    /// The common divisor of all multiples that can be left.
    divisor: i64,
    tables: Vec<Table>,
}

/// The least number of instructions that cancels each multiple, beginning with the multiple `least`.
struct Table {
    least: i64,
    costs: Vec<u8>,
}

impl Outlooks {
    /// The tables for `left` and these places; `None` if the remainder of an output cannot be cancelled with at most
    /// `most` instructions. Adds to `tried`.
    pub(super) fn of(left: &Effect, most: u32, places: &[Place<'_>], tried: &mut usize) -> Option<Self> {
        let most = u8::try_from(most).unwrap_or(NEVER - 1);
        let outputs = left.multiples.len().max(1);
        let span = i64::try_from((MAX_ENTRIES / (outputs * places.len().max(1)) / 2).min(MOST)).ok()?;
        let mut entries = 0;
        // For each output and place, the effects, each with the fewest instructions.
        let mut effects = vec![Vec::new(); left.multiples.len()];
        for place in places {
            let mut of_outputs = vec![Map::from([(0, 0)]); left.multiples.len()];
            for choice in &place.choices {
                let cost = u8::try_from(choice.cost).unwrap_or(NEVER);
                for (effects, multiple) in of_outputs.iter_mut().zip(choice.multiples()) {
                    let least = effects.get_or_insert_with(multiple, || cost);
                    *least = cost.min(*least);
                }
            }
            for (effects, of_output) in effects.iter_mut().zip(of_outputs) {
                effects.push(of_output.into_iter().collect());
            }
        }
        let outlook = |(&left, effects): (&i64, &Vec<Vec<_>>)| Outlook::of(left, (span, most), effects, &mut entries);
        let outlooks = left.multiples.iter().zip(&effects).map(outlook).collect::<Option<_>>();
        *tried += entries / ENTRIES;
        Some(Self(outlooks?))
    }

    /// The least number of instructions that a sum still needs after so many places; `None` if the remainder of an
    /// output cannot be cancelled.
    pub(crate) fn least(&self, places: usize, left: &[i64]) -> Option<u8> {
        let mut costs = self.0.iter().zip(left).map(|(outlook, &left)| outlook.cost(places, left));
        costs.try_fold(0, |least, cost| Some(least.max(cost?)))
    }
}

impl Outlook {
    /// The tables of one output, for multiples up to `span` and at most `most` instructions, given the effects that
    /// each place can have and the instructions that they take. Adds to `entries`.
    fn of(left: i64, (span, most): (i64, u8), places: &[Vec<(i64, u8)>], entries: &mut usize) -> Option<Self> {
        let divisor =
            places.iter().flatten().fold(0, |divisor, effect| common_divisor(divisor, effect.0.unsigned_abs()));
        let divisor = i64::try_from(divisor.max(1)).ok()?;
        if left % divisor != 0 {
            return None;
        }
        let left = left / divisor;
        let effects: Vec<Vec<(i64, u8)>> =
            places.iter().map(|place| place.iter().map(|(effect, cost)| (effect / divisor, *cost)).collect()).collect();
        let windows = windows(left, span, &effects)?;
        let mut tables = vec![Table { least: 0, costs: vec![0] }];
        for (effects, &window) in effects.iter().zip(&windows).rev() {
            let table = tables.last()?.before(effects, window, most);
            *entries += table.costs.len() * effects.len();
            tables.push(table);
        }
        tables.reverse();
        let outlook = Self { divisor, tables };
        outlook.cost(0, left * divisor).is_some().then_some(outlook)
    }

    /// The least number of instructions that cancels `left` after so many places, if it can be cancelled.
    fn cost(&self, places: usize, left: i64) -> Option<u8> {
        self.tables[places].get(left / self.divisor).and_then(known)
    }
}

impl Table {
    fn get(&self, multiple: i64) -> Option<u8> {
        self.costs.get(usize::try_from(multiple.checked_sub(self.least)?).ok()?).copied()
    }

    /// The table before a place with these effects.
    fn before(&self, effects: &[(i64, u8)], (least, most): (i64, i64), limit: u8) -> Self {
        let mut costs = vec![NEVER; usize::try_from(most - least + 1).unwrap_or(0)];
        for &(effect, cost) in effects {
            // The index that the first multiple of the window leads to.
            let to = least.saturating_add(effect).saturating_sub(self.least);
            let (skipped, from) = (usize::try_from(-to).unwrap_or(0), usize::try_from(to).unwrap_or(0));
            let after = self.costs.get(from..).unwrap_or_default();
            for (own, after) in costs.iter_mut().skip(skipped).zip(after) {
                let sum = after.saturating_add(cost);
                *own = (*own).min(if sum > limit { NEVER } else { sum });
            }
        }
        Self { least, costs }
    }
}

/// The range of multiples that may be left before each place: those that can be reached and can still be cancelled.
/// `None` if there are none.
fn windows(left: i64, span: i64, places: &[Vec<(i64, u8)>]) -> Option<Vec<(i64, i64)>> {
    let extremes = |place: &Vec<(i64, u8)>| {
        let effects = || place.iter().map(|effect| effect.0);
        (effects().min().unwrap_or(0), effects().max().unwrap_or(0))
    };
    let add = |sum: &mut (i64, i64), extremes: (i64, i64)| {
        *sum = (sum.0.checked_add(extremes.0)?, sum.1.checked_add(extremes.1)?);
        Some(())
    };
    let mut ahead = (0, 0);
    places.iter().try_for_each(|place| add(&mut ahead, extremes(place)))?;
    let mut reached = (left, left);
    let mut windows = Vec::new();
    for place in places {
        let least = reached.0.max(ahead.1.checked_neg()?).max(-span);
        let most = reached.1.min(ahead.0.checked_neg()?).min(span);
        if least > most {
            return None;
        }
        windows.push((least, most));
        let (low, high) = extremes(place);
        add(&mut reached, (low, high))?;
        add(&mut ahead, (low.checked_neg()?, high.checked_neg()?))?;
    }
    (reached.0 <= 0 && reached.1 >= 0).then_some(windows)
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::Outlook;

    #[test]
    fn fewest_instructions_of_an_output() {
        // What each place can add, and the instructions that this takes.
        let places = [vec![(0, 0), (4, 1)], vec![(0, 0), (-6, 0)], vec![(0, 0), (2, 0), (4, 3)]];
        let cost = |left: i64| Outlook::of(left, (99, 9), &places, &mut 0).and_then(|outlook| outlook.cost(0, left));
        let costs = [(0, 0), (6, 0), (4, 0), (-2, 0), (-4, 1), (-6, 1), (-8, 4), (2, 1)];
        for (left, expected) in costs {
            assert_eq!(cost(left), Some(expected), "{left}");
        }
        assert_eq!(cost(1), None, "not a multiple of 2");
        assert_eq!(cost(-10), None, "too far");
        assert!(Outlook::of(-8, (99, 3), &places, &mut 0).is_none(), "too many instructions");
        assert!(Outlook::of(-8, (3, 9), &places, &mut 0).is_none(), "too large a multiple");
    }
}
