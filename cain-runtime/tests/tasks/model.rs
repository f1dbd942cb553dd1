//! Explores all sequences of requests, polls, switch points and errors for three tasks.
//!
//! Requests arrive between any two words, and whenever the scheduler reads the clock. Words fail, executed or not.

use std::cell::RefCell;
use std::num::NonZeroU32;

use cain_runtime::HostController as _;
use cain_runtime::io::ArrayIo as _;
use cain_runtime::isa::program::Step;
use cain_runtime::isa::{Bit, Cells, Dreg, Word};
use cain_runtime::program::carry_out;
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{Clock, Context, Counts, Outcome, Requests, Schedule, Task, Tasks};

use super::choices::{Choices, all_ways};
use super::hooked::Hooked;
use super::programs::{FAST, LEVEL, MIDDLE, Program, SLOW, THERE_AND_BACK};

/// Limits on the number of events on a path.
#[derive(Clone, Copy)]
struct Limits {
    requests: u32,
    failures: u32,
}

const PROGRAMS: [&Program; 3] = [&SLOW, &MIDDLE, &FAST];
/// The longest time that tasks of a lower priority may keep each task waiting, in words: the latencies of their tables.
const BOUNDS: [u32; 3] = [0, SLOW.switches[0].latency, SLOW.switches[1].latency];
/// A deadline shorter than the longest waits and longer than the shortest ones.
const DEADLINE: u32 = 12;

/// The events so far, as seen by an observer of the array who knows nothing of the scheduler.
struct Seen {
    limits: Limits,
    /// The time; words and interrupts take one tick each.
    now: u32,
    /// The number of requests of each task when the clock was last read.
    at_reading: [usize; 3],
    /// The last reading of the clock.
    read: u32,
    /// The requests of each task that no run has served yet.
    waiting: [Vec<u32>; 3],
    /// The words of tasks of a lower priority since the first of these.
    blocked: [u32; 3],
    /// The bound on these words.
    bound: [u32; 3],
    /// The running tasks, the last one on top, each with its first request.
    running: Vec<(usize, u32)>,
    /// The first request of the task that has just ended, and whether it failed.
    ended: Option<(usize, u32, bool)>,
    counts: [Counts; 3],
}

struct Model<'w> {
    choices: &'w RefCell<Choices>,
    requests: Requests<3>,
    seen: RefCell<Seen>,
}

impl Model<'_> {
    /// Makes requests of any tasks, or none.
    fn interrupt(&self) {
        loop {
            let mut seen = self.seen.borrow_mut();
            if seen.limits.requests == 0 {
                return;
            }
            let Some(task) = self.choices.borrow_mut().choose(4).checked_sub(1) else { return };
            seen.limits.requests -= 1;
            seen.now += 1;
            let (task, now) = (task as usize, seen.now);
            seen.waiting[task].push(now);
            drop(seen);
            self.requests.make(task, now).unwrap();
        }
    }

    /// Sends a word to the array.
    fn word(&self, array: &mut Array, word: Word) -> Result<(), SimError> {
        let mut seen = self.seen.borrow_mut();
        seen.now += 1;
        if let Some(&(top, _)) = seen.running.last() {
            for task in top + 1..3 {
                seen.blocked[task] += u32::from(!seen.waiting[task].is_empty());
            }
        }
        // The word is executed, lost on the way to the array, or its answer is lost on the way back.
        let fate = if seen.limits.failures > 0 { self.choices.borrow_mut().choose(3) } else { 0 };
        seen.limits.failures -= u32::from(fate > 0);
        drop(seen);
        if fate != 1 {
            array.issue(word)?;
        }
        self.interrupt();
        if fate == 0 { Ok(()) } else { Err(SimError::NoLevel) }
    }

    fn begin(&self, task: usize) {
        let mut seen = self.seen.borrow_mut();
        let count = seen.at_reading[task];
        assert!(count > 0, "task {task} runs without a request");
        let first = seen.waiting[task].drain(..count).next().unwrap();
        assert!(seen.blocked[task] <= seen.bound[task], "task {task} waited for {} words", seen.blocked[task]);
        (seen.blocked[task], seen.bound[task]) = (0, BOUNDS[task]);
        // A task that runs before others also makes them wait while values are moved there and back.
        seen.bound[..task].iter_mut().for_each(|bound| *bound += THERE_AND_BACK);
        assert!(seen.running.last().is_none_or(|&(top, _)| top < task));
        let response = seen.read - first;
        let counts = &mut seen.counts[task];
        counts.requests += u32::try_from(count).unwrap();
        counts.runs += 1;
        counts.worst_response = counts.worst_response.max(response);
        counts.total_response += u64::from(response);
        seen.running.push((task, first));
    }

    fn end(&self, is_error: bool) {
        let mut seen = self.seen.borrow_mut();
        let (task, first) = seen.running.pop().unwrap();
        seen.ended = Some((task, first, is_error));
    }
}

impl Clock for &Model<'_> {
    fn now(&self) -> u32 {
        let mut seen = self.seen.borrow_mut();
        seen.at_reading = seen.waiting.each_ref().map(Vec::len);
        seen.read = seen.now;
        if let Some((task, first, is_error)) = seen.ended.take() {
            let completion = seen.read - first;
            let counts = &mut seen.counts[task];
            counts.worst_completion = counts.worst_completion.max(completion);
            counts.missed += u32::from(is_error || completion > DEADLINE);
        }
        let read = seen.read;
        drop(seen);
        self.interrupt();
        read
    }
}

struct Work<'m, 'w> {
    model: &'m Model<'w>,
    number: usize,
}

impl<F: FnMut(&mut Array, Word) -> Result<(), SimError>> Task<Hooked<F>> for Work<'_, '_> {
    fn cells(&self) -> Cells {
        PROGRAMS[self.number].cells
    }

    fn run(&mut self, scamp: &mut Context<'_, Hooked<F>>) -> Result<Outcome, SimError> {
        self.model.begin(self.number);
        let result = self.work(scamp);
        self.model.end(result.is_err());
        result.map(|()| Outcome::Done)
    }
}

impl Work<'_, '_> {
    fn work<F: FnMut(&mut Array, Word) -> Result<(), SimError>>(
        &self,
        scamp: &mut Context<'_, Hooked<F>>,
    ) -> Result<(), SimError> {
        let program = PROGRAMS[self.number];
        let (input, values) = program.input;
        scamp.controller().array.load_reg(input, &values)?;
        if program.has_switch_point {
            scamp.switch_point(&[input])?;
        }
        scamp.set_level(LEVEL)?;
        carry_out(scamp, &[Step::Execute(program.listing)], program.switches, &[], &mut [])?;
        let array = &mut scamp.controller().array;
        let (output, values) = program.output;
        assert_eq!(array.read_reg(output)?, values, "task {}", self.number);
        if let Some(bits) = program.bit {
            assert_eq!(array.read_bits(Bit::Reg(Dreg::ALL[5]))?, bits, "task {}", self.number);
        }
        Ok(())
    }
}

fn go(choices: &RefCell<Choices>, limits: Limits) {
    let seen = Seen {
        limits,
        now: 0,
        at_reading: [0; 3],
        read: 0,
        waiting: [const { Vec::new() }; 3],
        blocked: [0; 3],
        bound: BOUNDS,
        running: Vec::new(),
        ended: None,
        counts: [Counts::default(); 3],
    };
    let model = &Model { choices, requests: Requests::new(), seen: RefCell::new(seen) };
    let mut works = [0, 1, 2].map(|number| Work { model, number });
    let chip = Hooked { array: Array::new(2, 1), hook: |array: &mut Array, word| model.word(array, word) };
    let mut tasks = Tasks::new(chip, model, &model.requests);
    let schedule = Schedule { deadline: NonZeroU32::new(DEADLINE), every: None };
    for (number, work) in works.iter_mut().enumerate() {
        tasks.add(number, work, schedule).unwrap();
    }
    model.seen.borrow_mut().waiting[0].push(0);
    model.requests.make(0, 0).unwrap();
    loop {
        match tasks.serve() {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => assert_eq!(error, SimError::NoLevel),
        }
        assert!(model.seen.borrow().running.is_empty());
    }
    let seen = model.seen.borrow();
    assert!(seen.waiting.iter().all(Vec::is_empty), "forgotten: {:?}", seen.waiting);
    for number in 0..3 {
        let counts = *tasks.counts(number).unwrap();
        let Counts { interruptions, extra_words, longest_away, .. } = counts;
        // The number of times that a task is left follows from the scheduler's own actions.
        assert_eq!(counts, Counts { interruptions, extra_words, longest_away, ..seen.counts[number] });
    }
}

#[test]
fn requests_at_any_time() {
    let ways = all_ways(|choices| go(choices, Limits { requests: 3, failures: 0 }));
    assert!(ways > 100_000, "{ways}");
}

#[test]
fn an_error_at_any_word_and_requests_at_any_time() {
    let ways = all_ways(|choices| go(choices, Limits { requests: 2, failures: 1 }));
    assert!(ways > 80_000, "{ways}");
}

#[test]
fn errors_at_any_words_and_a_request_at_any_time() {
    let ways = all_ways(|choices| go(choices, Limits { requests: 1, failures: 2 }));
    assert!(ways > 6_000, "{ways}");
}
