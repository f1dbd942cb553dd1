//! Between which ends the numbers of a program are, and which of them are read.

use std::collections::{BTreeMap, BTreeSet};

use cain_analysis::owned::{Program, Step};
use cain_isa::program::Term;

use super::interface::{Interface, Returned};
use super::interval::{ANY, Range, Sort, range};

/// The ranges of numbers, and which of them are read.
pub(super) struct Ranges {
    all: BTreeMap<usize, Range>,
    read: BTreeSet<usize>,
}

impl Ranges {
    pub(super) fn of(program: &Program, interface: &Interface) -> Self {
        let declared = interface.ranges.iter().map(|(place, (low, high))| (*place, ((*low).into(), (*high).into())));
        let declared: BTreeMap<usize, Range> = declared.collect();
        let mut ranges = Self { all: declared.clone(), read: BTreeSet::new() };
        ranges.all.extend(interface.is_first.map(|place| (place, (0, 1))));
        for kept in &interface.kept {
            // What it is later, the last step tells.
            ranges.all.entry(kept.place).or_insert((0, 0));
        }
        for result in &interface.results {
            match &result.of {
                Returned::Number(place) => ranges.read.extend([*place]),
                Returned::Found(places) | Returned::Tuple(places) => ranges.read.extend(places),
                Returned::List(_) => {}
            }
        }
        for step in program.steps() {
            ranges.step(step, &declared);
        }
        ranges
    }

    fn step(&mut self, step: &Step, declared: &BTreeMap<usize, Range>) {
        match step {
            Step::Compute { number, formula } => {
                self.read.extend(
                    formula.iter().filter_map(|term| if let Term::Number(place) = term { Some(*place) } else { None }),
                );
                if !declared.contains_key(number) {
                    let made = range(formula, &|place| self.range(place));
                    self.add(*number, made);
                }
            }
            Step::RegionOf { first, .. } => self.read.extend(*first..first + 4),
            Step::Find { what, first, .. } => {
                for place in *first..first + what.numbers() {
                    self.add(place, (0, 1 << 16));
                }
            }
            Step::Append { numbers, .. } => self.read.extend(numbers),
            Step::Loop { most, counter, goes_on, .. } => {
                self.read.extend([*goes_on]);
                // One more where it is checked the last time.
                self.all.insert(*counter, (0, (*most).into()));
            }
            Step::LevelOf { number, .. } | Step::Correct { number, .. } | Step::Decide { number, .. } => {
                self.read.extend([*number]);
            }
            _ => {}
        }
        for step in step.bodies().into_iter().flatten() {
            self.step(step, declared);
        }
    }

    fn add(&mut self, place: usize, range: Range) {
        let all = self.all.entry(place).or_insert(range);
        *all = (all.0.min(range.0), all.1.max(range.1));
    }

    /// Between which ends the number at a place is.
    pub(super) fn range(&self, place: usize) -> Range {
        self.all.get(&place).copied().unwrap_or(ANY)
    }

    /// What holds the number at a place.
    pub(super) fn sort(&self, place: usize) -> Sort {
        Sort::of(self.range(place))
    }

    /// The places of numbers that are read.
    pub(super) fn read(&self) -> impl Iterator<Item = usize> + Clone {
        self.read.iter().copied()
    }

    /// Whether anything reads the number at a place.
    pub(super) fn is_read(&self, place: usize) -> bool {
        self.read.contains(&place)
    }
}
