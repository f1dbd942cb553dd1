//! Lists of results.

use std::collections::BTreeMap;

use cain_analysis::owned::Step;
use cain_isa::program::Term;

use super::numbers::{Numbers, place};
use super::{CompileError, Compiler};
use crate::declaration::{Declaration, Result as Outcome, Statement, Value};
use crate::plan::{ListPlace, Piece};

/// The most numbers in a list.
const MOST: usize = 4096;

/// A place for each list, with room for as many entries as loops can add.
pub(super) fn places(
    declaration: &Declaration,
    numbers: &mut Numbers,
) -> Result<BTreeMap<usize, ListPlace>, CompileError> {
    let mut lists: BTreeMap<usize, ListPlace> = BTreeMap::new();
    for result in &declaration.results {
        if let Outcome::List(list) = result.of {
            lists.entry(list).or_insert(ListPlace { first: 0, capacity: 0, width: 1 });
        }
    }
    count(&declaration.body, 1, &mut lists)?;
    for (list, place) in &mut lists {
        let needed = place.capacity.saturating_mul(place.width);
        if needed > MOST {
            let value = first_number(&declaration.body, *list);
            return Err(CompileError::LongList { value, needed, most: MOST });
        }
        place.first = numbers.more(1 + needed);
    }
    Ok(lists)
}

/// The first number that is added to a list.
fn first_number(body: &[Statement], list: usize) -> Option<Value> {
    body.iter().find_map(|statement| match statement {
        Statement::List { list: found, numbers } if *found == list => numbers.first().copied(),
        other => other.bodies().into_iter().find_map(|within| first_number(within, list)),
    })
}

/// Adds the entries of a body that is carried out so many times.
fn count(body: &[Statement], times: usize, lists: &mut BTreeMap<usize, ListPlace>) -> Result<(), CompileError> {
    for statement in body {
        match statement {
            Statement::List { list, numbers } => {
                let width = numbers.len();
                let place = lists.entry(*list).or_insert(ListPlace { first: 0, capacity: 0, width });
                if place.capacity == 0 {
                    place.width = width;
                } else if place.width != width {
                    return Err(CompileError::List { list: *list, value: numbers.first().copied(), most: MOST });
                }
                place.capacity = place.capacity.saturating_add(times);
            }
            Statement::Loop(of) => {
                let passes = usize::try_from(of.most).unwrap_or(usize::MAX);
                count(of.until.statements(), times.saturating_mul(passes.saturating_add(1)), lists)?;
                count(&of.body, times.saturating_mul(passes), lists)?;
            }
            Statement::Decide(decision) => {
                count(&decision.then, times, lists)?;
                count(&decision.otherwise, times, lists)?;
            }
            Statement::Define { .. } => {}
        }
    }
    Ok(())
}

impl<'d> Compiler<'d> {
    /// Lists are empty when a frame begins.
    pub(super) fn empty_lists(&mut self) {
        let places: Vec<usize> = self.lists.values().map(|list| list.first).collect();
        for first in places {
            self.compute_of(first, vec![Term::Constant(0.0)]);
        }
    }

    /// Adds numbers to a list.
    pub(super) fn append(&mut self, list: usize, numbers: &'d [Value]) -> Result<(), CompileError> {
        let Some(ListPlace { first, capacity, .. }) = self.lists.get(&list).copied() else {
            return Err(CompileError::List { list, value: numbers.first().copied(), most: MOST });
        };
        let places = numbers.iter().map(|value| place(*value)).collect();
        self.pieces.push(Piece::List { list, numbers, step: Step::Append { list: first, capacity, numbers: places } });
        Ok(())
    }
}
