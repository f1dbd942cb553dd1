//! The scheduler.

use core::fmt;
use core::num::NonZeroU32;

use super::context::Others;
use super::{Clock, Context, Counts, NoSuchTask, Requests, Ticks};
use crate::io::ArrayIo;
use crate::isa::Cells;

/// Something to be done on the array: it takes an image, runs programs, reads out.
///
/// It begins with FLAG set in every PE and must end so. Whatever it leaves in registers may be overwritten by others
/// before it runs again.
pub trait Task<H: ArrayIo> {
    /// What it may overwrite: the registers of all its programs, digital ones among them, and those that it takes images into.
    /// NEWS and FLAG need not be named.
    fn cells(&self) -> Cells;

    /// Serves one request.
    fn run(&mut self, scamp: &mut Context<'_, H>) -> Result<Outcome, H::Error>;
}

/// How a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is done.
    Done,
    /// It is to run once more at once, for example because its image grew too old while it was
    /// [away](Context::away).
    Again,
}

/// When a task is to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// How long after a request it must have ended, in ticks. Later ends are counted, not prevented.
    pub deadline: Option<NonZeroU32>,
    /// The clock requests it, for the first time when it is added, and from then on after so many ticks each.
    pub every: Option<NonZeroU32>,
}

/// Runs up to `N` tasks on one array, each when it is requested; of several the one with the highest number, which also
/// interrupts the others.
///
/// It needs no allocator and no operating system. Requests may come at any time; the array is left at the next switch
/// point of the program that is running there, or where that is a program without any, at its end. After an error of the
/// controller every task starts anew at its next request.
pub struct Tasks<'t, H, C, const N: usize> {
    controller: H,
    all: All<'t, H, C, N>,
}

/// All tasks; those on the stack are taken out.
struct All<'t, H, C, const N: usize> {
    clock: C,
    requests: &'t Requests<N>,
    slots: [Option<Slot<'t, H>>; N],
}

struct Slot<'t, H> {
    /// `None` while it runs.
    task: Option<&'t mut dyn Task<H>>,
    cells: Cells,
    schedule: Schedule,
    /// When the clock requests it next.
    next: Ticks,
    /// How many of its requests were served.
    served: u32,
    counts: Counts,
}

impl<'t, H: ArrayIo, C: Clock, const N: usize> Tasks<'t, H, C, N> {
    /// No tasks yet, for the requests of the caller.
    pub const fn new(controller: H, clock: C, requests: &'t Requests<N>) -> Self {
        Self { controller, all: All { clock, requests, slots: [const { None }; N] } }
    }

    /// Adds a task under a number that is also its priority: 0 is the lowest.
    pub fn add(&mut self, number: usize, task: &'t mut dyn Task<H>, schedule: Schedule) -> Result<(), AddError> {
        let Some(slot) = self.all.slots.get_mut(number) else {
            return Err(AddError::NoSuchTask(NoSuchTask { task: number, tasks: N }));
        };
        if slot.is_some() {
            return Err(AddError::Taken { number });
        }
        self.all.requests.exists(number);
        // Every task begins and ends with FLAG set in every PE.
        let cells = task.cells().union(Cells::NEWS).without(Cells::FLAG);
        let (served, _) = self.all.requests.of(number);
        let next = self.all.clock.now();
        *slot = Some(Slot { task: Some(task), cells, schedule, next, served, counts: Counts::default() });
        Ok(())
    }

    /// Runs the requested task of the highest priority to its end, with all that interrupt it; whether there was one.
    pub fn serve(&mut self) -> Result<bool, H::Error> {
        let Some((task, _)) = self.all.requested(0) else { return Ok(false) };
        self.all.serve(&mut self.controller, task)?;
        Ok(true)
    }

    /// What became of the requests for a task, if it was added.
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
    /// The requested task of the highest priority from `lowest` on, with all that may be overwritten until it has ended.
    fn requested(&mut self, lowest: usize) -> Option<(usize, Cells)> {
        self.requests.news.store(false, core::sync::atomic::Ordering::Release);
        self.request_by_the_clock();
        let mut overwritten = Cells::NONE;
        for (number, slot) in self.slots.iter().enumerate().skip(lowest).rev() {
            let Some(slot) = slot else { continue };
            overwritten = overwritten.union(slot.cells);
            if slot.task.is_some() && self.requests.of(number).0 != slot.served {
                return Some((number, overwritten));
            }
        }
        None
    }

    fn request_by_the_clock(&mut self) {
        let now = self.clock.now();
        for (number, slot) in self.slots.iter_mut().enumerate() {
            let Some(slot) = slot else { continue };
            let Some(every) = slot.schedule.every else { continue };
            while now.wrapping_sub(slot.next) < Ticks::MAX / 2 {
                // The number is that of a slot with a task.
                let _ = self.requests.make(number, slot.next);
                slot.next = slot.next.wrapping_add(every.get());
            }
        }
    }
}

impl<H: ArrayIo, C: Clock, const N: usize> Others<H> for All<'_, H, C, N> {
    fn wanted(&mut self, task: usize) -> Option<(usize, Cells)> {
        self.requested(task + 1)
    }

    fn serve(&mut self, controller: &mut H, number: usize) -> Result<Ticks, H::Error> {
        let began = self.clock.now();
        let (made, at) = self.requests.of(number);
        let requests = self.requests;
        let Some(slot) = self.slots.get_mut(number).and_then(Option::as_mut) else { return Ok(0) };
        let Some(task) = slot.task.take() else { return Ok(0) };
        let cells = slot.cells;
        slot.counts.begin(made.wrapping_sub(slot.served), began.wrapping_sub(at));
        slot.served = made;
        // Tasks are added before any of them runs.
        let is_timed = self.slots.iter().flatten().any(|slot| slot.schedule.every.is_some());
        let result = loop {
            let news = &requests.news;
            let mut context = Context { controller, news, is_timed, others: self, cells, task: number, away: 0 };
            match task.run(&mut context) {
                Ok(Outcome::Again) => {
                    if let Some(slot) = &mut self.slots[number] {
                        slot.counts.again = slot.counts.again.wrapping_add(1);
                    }
                }
                Ok(Outcome::Done) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        let now = self.clock.now();
        if let Some(slot) = &mut self.slots[number] {
            slot.task = Some(task);
            let completion = now.wrapping_sub(at);
            let is_late = slot.schedule.deadline.is_some_and(|deadline| completion > deadline.get());
            slot.counts.end(completion, is_late || result.is_err());
        }
        result.map(|()| now.wrapping_sub(began))
    }

    fn interrupted(&mut self, task: usize, away: Ticks, extra_words: u32) {
        if let Some(slot) = &mut self.slots[task] {
            slot.counts.interrupted(away, extra_words);
        }
    }
}

/// Why a task cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddError {
    /// There is no room for one of that number.
    NoSuchTask(NoSuchTask),
    /// There is one of that number already. Priorities differ, since which of two equal ones runs first would be
    /// nobody's decision.
    Taken {
        /// The number.
        number: usize,
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
        }
    }
}

impl core::error::Error for AddError {}
