//! A reflex at a fixed rate with a hard deadline, while a slow program works in the background.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};

use cain_runtime::isa::{Plan, Times};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{Counts, Requests, Schedule, Tasks, Ticking};

use crate::task::{Filter, side};

/// What became of both tasks.
pub(crate) struct Demonstration {
    /// The deadline of the reflex after each request, in nanoseconds.
    pub(crate) deadline: u32,
    pub(crate) with: [Counts; 2],
    pub(crate) without: [Counts; 2],
    pub(crate) wrong: u32,
}

/// Runs both tasks for so many frames of the reflex, with and without interruption. The deadline is what the compiler
/// promises: the latency of the background and the length of the reflex.
pub(crate) fn run(
    slow: &'static Plan,
    fast: &'static Plan,
    frames: u32,
    image: &[f32],
) -> Result<Demonstration, SimError> {
    let latency = slow.switches.first().map_or(0, |table| table.latency);
    let deadline = (latency + fast.cost.icws) * Times::SCAMP5.analogue;
    let drained: &'static Plan = Box::leak(Box::new(Plan { switches: &[], ..*slow }));
    let (with, wrong) = both(slow, fast, deadline, frames, image)?;
    let (without, wrong_without) = both(drained, fast, deadline, frames, image)?;
    Ok(Demonstration { deadline, with, without, wrong: wrong + wrong_without })
}

/// The slow task again and again, and the fast one three times in each of its runs, at a rate that does not divide it.
fn both(
    slow: &'static Plan,
    fast: &'static Plan,
    deadline: u32,
    frames: u32,
    image: &[f32],
) -> Result<([Counts; 2], u32), SimError> {
    let requests = Requests::<2>::new();
    let clock = AtomicU32::new(0);
    let (mut of_slow, mut of_fast) = (Filter::new(slow, image)?, Filter::new(fast, image)?);
    let array = Ticking::new(Array::new(side(image), side(image)), &clock, Times::SCAMP5, |_| ());
    let mut tasks = Tasks::new(array, &clock, &requests);
    let every = 3 * deadline + Times::SCAMP5.analogue / 2;
    let schedule = Schedule { deadline: NonZeroU32::new(deadline), every: NonZeroU32::new(every) };
    let added = [tasks.add(0, &mut of_slow, Schedule::default()), tasks.add(1, &mut of_fast, schedule)];
    debug_assert_eq!(added, [Ok(()), Ok(())]);
    while clock.load(Ordering::Relaxed) / every < frames {
        let _ = requests.make(0, clock.load(Ordering::Relaxed));
        while tasks.serve()? {}
    }
    let counts = [0, 1].map(|number| tasks.counts(number).copied().unwrap_or_default());
    drop(tasks);
    Ok((counts, of_slow.wrong + of_fast.wrong))
}
