//! Tests that every switch point of a program is taken, and that every boundary of the interrupting program is tried at
//! one.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicU32;

use cain_runtime::isa::{Cells, Plan, SwitchPoint, SwitchStep, Switches, Times};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{Context, Outcome, Requests, Schedule, Task, Tasks, Ticking};

use crate::long::{Background, Long, Results};
use crate::programs::faster;
use crate::task::{Clocked, Filter};

/// The most runs, each with different points, that take the points of a program without nested interruptions.
const RUNS: usize = 4;
/// The most pairs of a point and a boundary of the interrupting program. If there are more, a regular selection is
/// taken: each point at some boundaries, and each boundary at some points.
const PAIRS: usize = 1_000;

/// A program that is left at its points.
#[derive(Clone, Copy)]
pub(crate) enum Slow<'s> {
    Kernel(&'static Plan, &'s [f32]),
    Long(&'s Long, &'s Results),
}

/// A program, its points, and the program that interrupts it there.
pub(crate) struct Points<'p> {
    pub(crate) slow: Slow<'p>,
    pub(crate) table: Switches<'p>,
    /// The number of control words before each boundary of the program.
    pub(crate) before: &'p [u32],
    pub(crate) fast: &'static Plan,
    pub(crate) image: &'p [f32],
}

impl Points<'_> {
    /// Takes all points: in a few runs for these alone, and then in one for each boundary of the interrupting program,
    /// where another one interrupts that in turn, at a limited number of points. Returns the number of runs that had
    /// other results than undisturbed ones, or did not take a point.
    pub(crate) fn wrong(&self) -> Result<u32, SimError> {
        let points = self.table.points.iter().copied().filter(|point| self.words(point.at) > 0);
        let points: Vec<_> = points.collect();
        let runs = points.len().min(RUNS);
        let mut wrong = 0;
        for first in 0..runs {
            let some: Vec<_> = points.iter().copied().skip(first).step_by(runs).collect();
            for chosen in self.apart(&some) {
                wrong += self.take(&chosen, None)?;
            }
        }
        let boundaries = faster(self.fast).map_or(0..0, |_| 1..self.fast.cost.icws + 1);
        let every = (points.len() * boundaries.len()).div_ceil(PAIRS).max(1);
        for (number, nested) in boundaries.enumerate() {
            let some: Vec<_> = points.iter().copied().skip(number % every).step_by(every).collect();
            for chosen in self.apart(&some) {
                wrong += self.take(&chosen, Some(nested))?;
            }
        }
        Ok(wrong)
    }

    fn words(&self, boundary: u32) -> u32 {
        self.before[boundary as usize]
    }

    /// Distributes points to lists such that there are words between those in a list: of several points at one place,
    /// each list has one.
    fn apart<'s>(&self, points: &[SwitchPoint<'s>]) -> Vec<Vec<SwitchPoint<'s>>> {
        let mut places: BTreeMap<u32, usize> = BTreeMap::new();
        let mut lists: Vec<Vec<_>> = Vec::new();
        for point in points {
            let number = places.entry(self.words(point.at)).and_modify(|number| *number += 1).or_default();
            if lists.len() == *number {
                lists.push(Vec::new());
            }
            lists[*number].push(*point);
        }
        lists
    }

    /// Runs the program once and leaves it at each of these points; `nested` words later, the interrupting program is
    /// interrupted too.
    fn take(&self, points: &[SwitchPoint<'_>], nested: Option<u32>) -> Result<u32, SimError> {
        let due = self.due(points);
        let requests = Requests::<3>::new();
        let clock = AtomicU32::new(0);
        let (own, next) = (Cell::new(0), Cell::new(0));
        let (inside, is_inside) = (Cell::new(0), Cell::new(false));
        let handler = |now| {
            // The tasks are added below.
            if is_inside.get() {
                inside.set(inside.get() + 1);
                if Some(inside.get()) == nested {
                    let _ = requests.make(2, now);
                }
                return;
            }
            own.set(own.get() + 1);
            if due.get(next.get()) == Some(&own.get()) {
                next.set(next.get() + 1);
                inside.set(0);
                let _ = requests.make(1, now);
            }
        };
        let Self { fast, image, table, .. } = *self;
        let switches = [Switches { points, ..table }];
        let mut slow = Taken::new(self.slow, &switches)?;
        let mut middle = Inside { filter: Filter::new(fast, image)?, is_inside: &is_inside };
        let mut nested_one = faster(fast).map(|plan| Filter::new(plan, image)).transpose()?;
        let mut tasks = Tasks::new(Ticking::new(slow.array(), &clock, Times::SCAMP5, handler), &clock, &requests);
        let mut added = vec![tasks.add(0, &mut slow, Schedule::default())];
        added.push(tasks.add(1, &mut middle, Schedule::default()));
        added.extend(nested_one.as_mut().map(|filter| tasks.add(2, filter, Schedule::default())));
        debug_assert!(added.iter().all(Result::is_ok), "{added:?}");
        let _ = requests.make(0, 0);
        while tasks.serve()? {}
        let [left, entered] = [0, 1].map(|number| tasks.counts(number).copied().unwrap_or_default());
        let deepest = tasks.counts(2).copied().unwrap_or_default();
        drop(tasks);
        let taken = u32::try_from(points.len()).unwrap_or(u32::MAX);
        let wanted = [taken, taken, if nested.is_some() { taken } else { 0 }];
        let missed = u32::from([left.interruptions, entered.runs, deepest.runs] != wanted);
        Ok(slow.wrong() + middle.filter.wrong + nested_one.map_or(0, |filter| filter.wrong) + missed)
    }

    /// The number of words after which each request is made so that it is served at the next point; this includes words
    /// that make room and move values back.
    fn due(&self, points: &[SwitchPoint<'_>]) -> Vec<u32> {
        let mut words = 0;
        let mut from = 0;
        let due = points.iter().map(|point| {
            words += self.words(point.at) - from;
            let here = words;
            words += count(point.leaving().chain(point.returning()));
            from = self.words(point.resume);
            here
        });
        due.collect()
    }
}

fn count(steps: impl Iterator<Item = SwitchStep>) -> u32 {
    steps.filter_map(SwitchStep::word).map(|_| 1).sum()
}

/// The task of a program that is left.
enum Taken<'t> {
    Kernel(Filter<'t>),
    Long(Box<Background<'t>>),
}

impl<'t> Taken<'t> {
    fn new(slow: Slow<'t>, switches: &'t [Switches<'t>]) -> Result<Self, SimError> {
        Ok(match slow {
            Slow::Kernel(plan, image) => Self::Kernel(Filter::new(plan, image)?.left_at(switches)),
            Slow::Long(long, wanted) => Self::Long(Box::new(Background::new(long, switches, wanted))),
        })
    }

    fn array(&self) -> Array {
        match self {
            Self::Kernel(filter) => filter.array(),
            Self::Long(background) => background.begin(),
        }
    }

    fn wrong(&self) -> u32 {
        match self {
            Self::Kernel(filter) => filter.wrong,
            Self::Long(background) => background.wrong,
        }
    }
}

impl<F: FnMut(u32)> Task<Clocked<'_, F>> for Taken<'_> {
    fn cells(&self) -> Cells {
        match self {
            Self::Kernel(filter) => Task::<Clocked<'_, F>>::cells(filter),
            Self::Long(background) => Task::<Clocked<'_, F>>::cells(&**background),
        }
    }

    fn run(&mut self, scamp: &mut Context<'_, Clocked<'_, F>>) -> Result<Outcome, SimError> {
        match self {
            Self::Kernel(filter) => filter.run(scamp),
            Self::Long(background) => background.run(scamp),
        }
    }
}

/// A filter that tells while it runs, and the program that interrupts it.
struct Inside<'i> {
    filter: Filter<'i>,
    is_inside: &'i Cell<bool>,
}

impl<F: FnMut(u32)> Task<Clocked<'_, F>> for Inside<'_> {
    fn cells(&self) -> Cells {
        Task::<Clocked<'_, F>>::cells(&self.filter)
    }

    fn run(&mut self, scamp: &mut Context<'_, Clocked<'_, F>>) -> Result<Outcome, SimError> {
        self.is_inside.set(true);
        let outcome = self.filter.run(scamp);
        self.is_inside.set(false);
        outcome
    }
}

#[cfg(test)]
mod tests {
    use cain_runtime::isa::Plan;
    use cain_runtime::isa::random::SplitMix64;

    use crate::comparison::{compare, compare_long, table};
    use crate::long::Long;
    use crate::programs::{FAST, PAIRS};
    use crate::random::Random;

    /// The rows count as wrong all results that differ from undisturbed runs, points that are not taken, and longer
    /// waits than promised; with the measured errors, the effect of an interruption is bounded.
    #[test]
    fn every_point_of_every_program_at_every_nesting() {
        let mut random = Random(SplitMix64::new(2));
        let image = random.plane(crate::SIDE);
        let mut rows = Vec::new();
        for (slow, fast) in PAIRS {
            rows.extend(compare(slow, fast, &image).unwrap());
        }
        // The example itself lets each of the fast ones interrupt each of the long ones.
        for (long, fast) in Long::all(&mut random, 32).unwrap().iter().zip(FAST.into_iter().cycle()) {
            rows.extend(compare_long(long, fast, (2, 1_000), &mut random).unwrap());
            is_left_soon_and_for_little(long, fast);
        }
        for row in &rows {
            assert_eq!(row.wrong, 0, "{} by {}, {}", row.task, row.by, row.method);
        }
        assert!(rows.iter().any(|row| row.task == "automaton"));
        let bounded: Vec<_> = rows.iter().filter_map(|row| row.added.zip(row.added_bound)).collect();
        assert_eq!(bounded.len(), PAIRS.len());
        assert!(bounded.iter().all(|(added, bound)| added <= bound), "{bounded:?}");
        assert!(bounded.iter().any(|(added, _)| *added > 0.0), "{bounded:?}");
    }

    /// For programs of a thousand words and more, the worst wait is at most a fiftieth of the longest layer, and an
    /// interruption costs at most a hundredth of the run.
    fn is_left_soon_and_for_little(long: &Long, fast: &Plan) {
        let words = long.steps.words();
        if words < 1_000 {
            return;
        }
        let table = table(long, fast).unwrap();
        let ends = std::iter::once(&0).chain(&long.layers).zip(&long.layers);
        let layer = ends.map(|(from, to)| to - from).max().unwrap();
        assert!(50 * table.latency() <= layer, "{} of {layer} by {}", table.latency(), fast.name);
        assert!(100 * table.most_extra() <= words, "{} of {words} by {}", table.most_extra(), fast.name);
    }
}
