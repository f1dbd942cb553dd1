//! Tests when requests are served, and the counts about them.

use std::cell::Cell;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};

use cain_runtime::HostController as _;
use cain_runtime::io::ArrayIo;
use cain_runtime::isa::asm::{A, B, C, overwritten, res};
use cain_runtime::isa::{Cells, Reg, SwitchPoint, Switches, Times};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{AddError, Clock, Context, LONGEST, Outcome, Requests, Schedule, Task, Tasks, Ticking};

/// A task that resets a register several times, and may be left before each time.
struct Resets {
    register: Reg,
    times: u32,
    /// The cells that others may overwrite; empty if the task cannot be left.
    others: Cells,
}

impl<H: ArrayIo<Error = SimError>> Task<H> for Resets {
    fn cells(&self) -> Cells {
        overwritten(&[self.register])
    }

    fn run(&mut self, scamp: &mut Context<'_, H>) -> Result<Outcome, SimError> {
        for at in 0..=self.times {
            let point = SwitchPoint { at, resume: at, kept: &[], bits: &[], levels: &[], sets_flag: false, extra: 0 };
            scamp.boundary(&[Switches { others: self.others, points: &[point], latency: WORDS }], at)?;
            if at < self.times {
                scamp.execute(res(self.register))?;
            }
        }
        Ok(Outcome::Done)
    }
}

/// The words of a reset.
const WORDS: u32 = 2;
const WORD: u32 = Times::SCAMP5.analogue;

/// The longest waits of both tasks above a long one, which are requested after a number of words; `is_left` tells
/// whether the highest can be left.
fn waits(middle_at: u32, fast_at: u32, is_left: bool) -> [u32; 2] {
    let (requests, clock, words) = (Requests::<3>::new(), AtomicU32::new(0), Cell::new(0));
    let handler = |now| {
        words.set(words.get() + 1);
        for (task, at) in [(1, middle_at), (2, fast_at)] {
            if words.get() == at {
                requests.make(task, now).unwrap();
            }
        }
    };
    let mut slow = Resets { register: A, times: 3_700, others: overwritten(&[B, C]) };
    let mut middle = Resets { register: B, times: 1, others: Cells::NONE };
    let mut fast = Resets { register: C, times: 4, others: if is_left { overwritten(&[A]) } else { Cells::NONE } };
    let scamp = Ticking::new(Array::new(1, 1), &clock, Times::SCAMP5, handler);
    let mut tasks = Tasks::new(scamp, &clock, &requests);
    tasks.add(0, &mut slow, Schedule::default()).unwrap();
    tasks.add(1, &mut middle, Schedule::default()).unwrap();
    tasks.add(2, &mut fast, Schedule::default()).unwrap();
    requests.make(0, 0).unwrap();
    while tasks.serve().unwrap() {}
    [1, 2].map(|task| tasks.counts(task).unwrap().worst_response)
}

#[test]
fn requests_are_not_forgotten_for_those_above_them() {
    let fast = 4 * WORDS * WORD;
    // Both are requested at the same word; the lower one also waits for the other.
    assert_eq!(waits(3, 3, false), [WORD + fast, WORD]);
    // The request comes while the higher one runs, with or without switch points; that began after 4 words.
    for at in 5..12 {
        let rest = fast - (at - 4) * WORD;
        for is_left in [false, true] {
            assert_eq!(waits(at, 3, is_left), [rest, WORD], "{at}");
        }
    }
}

/// A task that runs for its own time.
struct Waits<'c> {
    clock: &'c AtomicU32,
    ticks: u32,
}

impl Task<Array> for Waits<'_> {
    fn cells(&self) -> Cells {
        Cells::NONE
    }

    fn run(&mut self, _: &mut Context<'_, Array>) -> Result<Outcome, SimError> {
        self.clock.fetch_add(self.ticks, Ordering::Relaxed);
        Ok(Outcome::Done)
    }
}

/// Requests that one run serves count as waiting since the first of them.
#[test]
fn merged_requests_are_counted_from_the_first() {
    let (requests, clock) = (Requests::<1>::new(), AtomicU32::new(0));
    let mut task = Waits { clock: &clock, ticks: 100 };
    let mut tasks = Tasks::new(Array::new(1, 1), &clock, &requests);
    let schedule = Schedule { deadline: NonZeroU32::new(5_000), every: None };
    tasks.add(0, &mut task, schedule).unwrap();
    for (times, response) in [(&[0, 5_000, 10_640][..], 11_020), (&[11_120, 11_150], 11_020), (&[11_300], 11_020)] {
        for &at in times {
            requests.make(0, at).unwrap();
        }
        clock.store(times.last().unwrap() + 380, Ordering::Relaxed);
        assert!(tasks.serve().unwrap());
        assert_eq!(tasks.counts(0).unwrap().worst_response, response);
    }
    let counts = tasks.counts(0).unwrap();
    assert_eq!((counts.requests, counts.runs, counts.missed), (6, 3, 1));
    assert_eq!((counts.total_response, counts.worst_completion), (11_020 + 410 + 380, 11_120));
}

/// A clock whose reading is followed by an interrupt handler that makes a request.
struct Interrupted<'r>(&'r AtomicU32, &'r Requests<1>);

impl Clock for Interrupted<'_> {
    fn now(&self) -> u32 {
        let now = self.0.fetch_add(10, Ordering::Relaxed);
        if now < 50 {
            self.1.make(0, now + 5).unwrap();
        }
        now
    }
}

#[test]
fn requests_of_a_later_time_have_not_waited() {
    let (requests, clock) = (Requests::<1>::new(), AtomicU32::new(0));
    let mut task = Waits { clock: &clock, ticks: 0 };
    let mut tasks = Tasks::new(Array::new(1, 1), Interrupted(&clock, &requests), &requests);
    tasks.add(0, &mut task, Schedule::default()).unwrap();
    // The clock of another core may be ahead.
    requests.make(0, 70).unwrap();
    while tasks.serve().unwrap() {}
    let counts = tasks.counts(0).unwrap();
    assert!(counts.requests == 6 && counts.worst_response <= 30 && counts.worst_completion <= 40, "{counts:?}");
}

fn every(ticks: u32) -> Schedule {
    Schedule { deadline: None, every: NonZeroU32::new(ticks) }
}

#[test]
fn periods_and_deadlines_that_the_clock_cannot_tell_are_refused() {
    let (requests, clock) = (Requests::<1>::new(), AtomicU32::new(0));
    for ticks in [LONGEST + 1, 0xC000_0000, u32::MAX] {
        for schedule in [every(ticks), Schedule { deadline: NonZeroU32::new(ticks), every: None }] {
            let mut task = Waits { clock: &clock, ticks: 0 };
            let mut tasks = Tasks::new(Array::new(1, 1), &clock, &requests);
            let error = tasks.add(0, &mut task, schedule).unwrap_err();
            assert_eq!(error, AddError::TooLong { ticks });
            let message = format!(
                "a period or deadline of {ticks} ticks is too long, since the clock wraps around; expected 2147483647 at most: \
                 let the clock tick more slowly"
            );
            assert_eq!(error.to_string(), message);
            assert!(requests.make(0, 0).is_err() && tasks.counts(0).is_none());
        }
    }
}

/// All missed periods are made up for at once, even if the clock wraps around.
#[test]
fn the_clock_requests_once_for_each_period() {
    for begin in [0, 5, u32::MAX - 3, LONGEST] {
        for (period, passed) in
            [(LONGEST, 0), (LONGEST, LONGEST), (1, LONGEST), (1_000, 999), (1_000, 5_500), (7, 1 << 30)]
        {
            let (requests, clock) = (Requests::<1>::new(), AtomicU32::new(begin));
            let mut task = Waits { clock: &clock, ticks: 0 };
            let mut tasks = Tasks::new(Array::new(1, 1), &clock, &requests);
            tasks.add(0, &mut task, every(period)).unwrap();
            assert_eq!([tasks.serve(), tasks.serve()], [Ok(true), Ok(false)]);
            clock.store(begin.wrapping_add(passed), Ordering::Relaxed);
            let more = passed / period;
            assert_eq!(tasks.serve(), Ok(more > 0));
            assert_eq!(tasks.serve(), Ok(false));
            let counts = tasks.counts(0).unwrap();
            let waited = if more > 0 { passed - period } else { 0 };
            assert_eq!((counts.requests, counts.worst_response), (1 + more, waited), "{begin} {period} {passed}");
            // The next request is on time again.
            clock.store(begin.wrapping_add((more + 1).wrapping_mul(period)), Ordering::Relaxed);
            assert_eq!([tasks.serve(), tasks.serve()], [Ok(true), Ok(false)]);
        }
    }
}

/// The same task may be requested both by the clock and by others.
#[test]
fn requests_of_the_clock_are_counted_with_others() {
    let (requests, clock) = (Requests::<1>::new(), AtomicU32::new(0));
    let mut task = Waits { clock: &clock, ticks: 0 };
    let mut tasks = Tasks::new(Array::new(1, 1), &clock, &requests);
    tasks.add(0, &mut task, every(100)).unwrap();
    for (at, now) in [(30, 40), (70, 120), (150, 170)] {
        requests.make(0, at).unwrap();
        clock.store(now, Ordering::Relaxed);
        assert_eq!([tasks.serve(), tasks.serve()], [Ok(true), Ok(false)]);
    }
    let counts = tasks.counts(0).unwrap();
    assert_eq!((counts.requests, counts.runs, counts.total_response), (5, 3, 40 + 50 + 20));
}

/// The next scheduler finds requests that the previous one did not serve.
#[test]
fn requests_outlive_a_scheduler() {
    let (requests, clock) = (Requests::<1>::new(), AtomicU32::new(0));
    let mut task = Waits { clock: &clock, ticks: 0 };
    for served in [false, true] {
        let mut tasks = Tasks::new(Array::new(1, 1), &clock, &requests);
        tasks.add(0, &mut task, Schedule::default()).unwrap();
        if served {
            assert_eq!([tasks.serve(), tasks.serve()], [Ok(true), Ok(false)]);
        } else {
            requests.make(0, 0).unwrap();
        }
    }
}
