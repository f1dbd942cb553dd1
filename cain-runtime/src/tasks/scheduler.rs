//! The scheduler.

use core::fmt;
use core::num::NonZeroU32;

use super::clock::elapsed;
use super::context::Others;
use super::period::Period;
use super::{Clock, Context, Counts, LONGEST, NoSuchTask, Requests, Ticks};
use crate::io::{ArrayIo, IoError};
use crate::isa::{Cells, Word};

/// A task on the array, which takes an image, runs programs, and reads out.
///
/// It begins with FLAG set in every PE and must end so, unless it ends with an error. Everything that it leaves in
/// registers may be overwritten by others before it runs again.
pub trait Task<H: ArrayIo> {
    /// The cells that it may overwrite: the registers of all its programs, including digital ones, and those into which
    /// it takes images. NEWS and FLAG need not be named.
    fn cells(&self) -> Cells;

    /// Serves one request, or all that were made before it began.
    ///
    /// An error that occurred while the task was interrupted must be returned, because what the task held is lost. If
    /// it continues anyway, it is not interrupted any more, and its run ends with [`IoError::Lost`] whatever it
    /// returns.
    fn run(&mut self, scamp: &mut Context<'_, H>) -> Result<Outcome, H::Error>;
}

/// How a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is done.
    Done,
    /// It should run once more immediately, for example because its image grew too old while it was
    /// [interrupted](Context::away).
    Again,
}

/// The timing of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The time after a request by which the task must have ended, in ticks, at most [`LONGEST`]. Missed deadlines are
    /// counted, not prevented.
    pub deadline: Option<NonZeroU32>,
    /// The period of requests by the clock, in ticks, at most [`LONGEST`]; the first is made when the task is added.
    /// [`Requests`] may be made in addition.
    pub every: Option<NonZeroU32>,
}

/// Runs up to `N` tasks on one array, each when it is requested; among several, the one with the highest number, which
/// also interrupts the others.
///
/// It needs no allocator and no operating system. Requests may come at any time; the running program is left at its
/// next switch point or, if it has none, at its end.
///
/// An error of the controller ends the task in which it occurs, and all that were interrupted for it. Each of them
/// starts anew at its next request, and FLAG is set in every PE before any task runs again; other requests remain.
pub struct Tasks<'t, H, C, const N: usize> {
    controller: H,
    all: All<'t, H, C, N>,
}

/// All tasks, except that running or interrupted ones are taken out.
struct All<'t, H, C, const N: usize> {
    clock: C,
    requests: &'t Requests<N>,
    slots: [Option<Slot<'t, H>>; N],
    /// Whether the array is in the state in which tasks begin; after an error it is not, whatever was carried out
    /// before.
    is_settled: bool,
}

struct Slot<'t, H> {
    /// The task; `None` while it runs.
    task: Option<&'t mut dyn Task<H>>,
    cells: Cells,
    deadline: Option<NonZeroU32>,
    period: Option<Period>,
    counts: Counts,
}

impl<'t, H: ArrayIo, C: Clock, const N: usize> Tasks<'t, H, C, N> {
    /// A scheduler without tasks, for the requests of the caller. It assumes that FLAG is set in every PE.
    pub const fn new(controller: H, clock: C, requests: &'t Requests<N>) -> Self {
        Self { controller, all: All { clock, requests, slots: [const { None }; N], is_settled: true } }
    }

    /// Adds a task under a number that is also its priority; 0 is the lowest.
    pub fn add(&mut self, number: usize, task: &'t mut dyn Task<H>, schedule: Schedule) -> Result<(), AddError> {
        let Some(slot) = self.all.slots.get_mut(number) else {
            return Err(AddError::NoSuchTask(NoSuchTask { task: number, tasks: N }));
        };
        if slot.is_some() {
            return Err(AddError::Taken { number });
        }
        let longer = [schedule.deadline, schedule.every].into_iter().flatten().find(|ticks| ticks.get() > LONGEST);
        if let Some(ticks) = longer {
            return Err(AddError::TooLong { ticks: ticks.get() });
        }
        // Every task begins and ends with FLAG set in every PE.
        let cells = task.cells().union(Cells::NEWS).without(Cells::FLAG);
        let period = schedule.every.map(|every| Period::new(every, self.all.clock.now()));
        *slot = Some(Slot { task: Some(task), cells, deadline: schedule.deadline, period, counts: Counts::default() });
        self.all.requests.exists(number);
        Ok(())
    }

    /// Runs the requested task with the highest priority to its end, including all that interrupt it; returns whether
    /// there was one.
    ///
    /// After an error, FLAG first has to be set in every PE. While that fails, no task runs and all requests remain.
    pub fn serve(&mut self) -> Result<bool, H::Error> {
        let Some((task, _)) = self.all.requested(0) else { return Ok(false) };
        self.all.serve(&mut self.controller, task)?;
        Ok(true)
    }

    /// The statistics of a task's requests, if it was added.
    #[must_use]
    pub fn counts(&self, number: usize) -> Option<&Counts> {
        self.all.slots.get(number)?.as_ref().map(|slot| &slot.counts)
    }

    /// The controller.
    pub const fn controller_mut(&mut self) -> &mut H {
        &mut self.controller
    }
}

impl<H: ArrayIo, C: Clock, const N: usize> All<'_, H, C, N> {
    /// The requested task with the highest priority, from `lowest` on, with all cells that may be overwritten until it
    /// has ended.
    ///
    /// It sees all earlier requests from `lowest` on, whatever has happened to `news` since.
    fn requested(&mut self, lowest: usize) -> Option<(usize, Cells)> {
        self.requests.take_news();
        let now = self.clock.now();
        let mut overwritten = Cells::NONE;
        for (number, slot) in self.slots.iter_mut().enumerate().skip(lowest).rev() {
            let Some(slot) = slot else { continue };
            overwritten = overwritten.union(slot.cells);
            if let Some(period) = &mut slot.period {
                period.look(now);
            }
            let is_due = slot.period.as_ref().is_some_and(Period::is_requested);
            if slot.task.is_some() && (is_due || self.requests.of(number).is_requested()) {
                return Some((number, overwritten));
            }
        }
        None
    }

    /// Brings the array into the state in which tasks begin, unless it is already in it.
    fn settle(&mut self, controller: &mut H) -> Result<(), H::Error> {
        if !self.is_settled {
            controller.issue(Word::All)?;
            self.is_settled = true;
        }
        Ok(())
    }
}

impl<H: ArrayIo, C: Clock, const N: usize> Others<H> for All<'_, H, C, N> {
    fn wanted(&mut self, task: usize) -> Option<(usize, Cells)> {
        self.requested(task + 1)
    }

    fn serve(&mut self, controller: &mut H, number: usize) -> Result<Ticks, H::Error> {
        self.settle(controller)?;
        let requests = self.requests;
        let Some(slot) = self.slots.get_mut(number).and_then(Option::as_mut) else { return Ok(0) };
        let Some(task) = slot.task.take() else { return Ok(0) };
        let batch = requests.of(number);
        let made = batch.is_requested().then(|| batch.close());
        let due = slot.period.as_mut().and_then(Period::close);
        // Requests that come from now on are served by the next run, so the clock is not read too early for any of
        // them.
        let began = self.clock.now();
        let batches = [made, due].into_iter().flatten();
        let since = batches.clone().map(|(_, since)| since).max_by_key(|&since| elapsed(began, since)).unwrap_or(began);
        slot.counts.begin(batches.map(|(requests, _)| requests).fold(0, u32::wrapping_add), elapsed(began, since));
        let cells = slot.cells;
        // All tasks are added before any of them runs.
        let is_timed = self.slots.iter().flatten().any(|slot| slot.period.is_some());
        let result = loop {
            let news = requests.news();
            let mut context =
                Context { controller, news, is_timed, others: self, cells, task: number, away: 0, is_lost: false };
            match task.run(&mut context) {
                Err(error) => break Err(error),
                Ok(_) if context.is_lost => break Err(IoError::Lost.into()),
                Ok(Outcome::Done) => break Ok(()),
                Ok(Outcome::Again) => {
                    if let Some(slot) = &mut self.slots[number] {
                        slot.counts.again = slot.counts.again.wrapping_add(1);
                    }
                }
            }
        };
        self.is_settled &= result.is_ok();
        let now = self.clock.now();
        if let Some(slot) = &mut self.slots[number] {
            slot.task = Some(task);
            let completion = elapsed(now, since);
            let is_late = slot.deadline.is_some_and(|deadline| completion > deadline.get());
            slot.counts.end(completion, is_late || result.is_err());
        }
        result.map(|()| elapsed(now, began))
    }

    fn interrupted(&mut self, task: usize, away: Ticks, extra_words: u32) {
        if let Some(slot) = &mut self.slots[task] {
            slot.counts.interrupted(away, extra_words);
        }
    }
}

/// The reason why a task cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddError {
    /// The scheduler has no room for a task with this number.
    NoSuchTask(NoSuchTask),
    /// There is already a task with this number. Priorities must differ, because nothing would decide which of two
    /// equal ones runs first.
    Taken {
        /// The number.
        number: usize,
    },
    /// The clock cannot tell whether a period or a deadline of this length has passed.
    TooLong {
        /// Its length.
        ticks: Ticks,
    },
}

impl fmt::Display for AddError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchTask(NoSuchTask { task, tasks }) => {
                write!(f, "there is no place for a task {task}: the scheduler has {tasks}, counted from 0")
            }
            Self::Taken { number } => {
                write!(f, "there is a task of priority {number} already; no two tasks can have the same")
            }
            Self::TooLong { ticks } => write!(
                f,
                "a period or deadline of {ticks} ticks is too long, since the clock wraps around; expected {LONGEST} at most: \
                 let the clock tick more slowly"
            ),
        }
    }
}

impl core::error::Error for AddError {}
