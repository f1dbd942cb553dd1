//! Explores every way in which a scheduler and requesters on other cores can interleave, with every value that a load
//! may see.

extern crate std;

use core::cell::Cell;
use core::sync::atomic::AtomicU32 as Clock;
use std::vec::Vec;

use loom::sync::Arc;
use loom::thread::{self, JoinHandle};

use super::{Context, Outcome, Requests, Schedule, Task, Tasks};
use crate::io::ArrayIo as _;
use crate::isa::{Cells, SwitchPoint, Switches};
use crate::sim::{Array, SimError};

/// A model of all interleavings with up to this many preemptions.
fn bounded(preemptions: usize) -> loom::model::Builder {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model
}

/// Makes requests for one task, at times equal to their numbers.
fn request(requests: &Arc<Requests<1>>, count: u32) -> JoinHandle<()> {
    let requests = Arc::clone(requests);
    thread::spawn(move || (1..=count).for_each(|number| requests.make(0, number).unwrap()))
}

/// Checks that a batch has the requests after those of the batch before it, and waits since the first of them.
fn check_batches(count: u32, looks: u32) {
    let requests = Arc::new(Requests::<1>::new());
    requests.exists(0);
    let requester = request(&requests, count);
    let mut served = 0;
    let mut look = || {
        let batches = requests.of(0);
        if batches.is_requested() {
            let (more, since) = batches.close();
            assert!(more > 0);
            assert_eq!(since, served + 1);
            served += more;
        }
    };
    (0..looks).for_each(|_| look());
    requester.join().unwrap();
    // The last request may have seen the batch open that followed the one before it.
    (0..2).for_each(|_| look());
    assert_eq!(served, count);
}

#[test]
fn batches_have_all_requests_and_the_time_of_the_first() {
    bounded(3).check(|| check_batches(3, 2));
}

#[test]
fn more_batches_have_all_requests_and_the_time_of_the_first() {
    bounded(2).check(|| check_batches(5, 4));
}

/// Counts how often it runs.
struct Short<'r>(&'r Cell<u32>);

impl Task<Array> for Short<'_> {
    fn cells(&self) -> Cells {
        Cells::NONE
    }

    fn run(&mut self, _: &mut Context<'_, Array>) -> Result<Outcome, SimError> {
        self.0.set(self.0.get() + 1);
        Ok(Outcome::Done)
    }
}

/// A task that may be interrupted at any time, and waits for the requesters before the last one.
struct Long<'r> {
    requesters: Vec<JoinHandle<()>>,
    runs: &'r [Cell<u32>],
}

impl Task<Array> for Long<'_> {
    fn cells(&self) -> Cells {
        Cells::NONE
    }

    fn run(&mut self, scamp: &mut Context<'_, Array>) -> Result<Outcome, SimError> {
        let point = SwitchPoint { at: 0, resume: 0, kept: &[], bits: &[], levels: &[], sets_flag: false, extra: 0 };
        let table = [Switches { others: Cells::NEWS, points: &[point], latency: 0 }];
        scamp.boundary(&table, 0)?;
        scamp.boundary(&table, 0)?;
        self.requesters.drain(..).for_each(|requester| requester.join().unwrap());
        scamp.boundary(&table, 0)?;
        assert!(self.runs.iter().all(|runs| runs.get() > 0), "forgotten: {:?}", self.runs);
        Ok(Outcome::Done)
    }
}

/// Checks that a running program is interrupted for all requested tasks, each requested by a core of its own.
fn check_wake_up<const TASKS: usize>(requesting: [u32; 2]) {
    let requests = Arc::new(Requests::<TASKS>::new());
    let clock = Clock::new(0);
    let runs = [const { Cell::new(0) }; 2];
    let runs = &runs[..TASKS - 1];
    (0..TASKS).for_each(|task| requests.exists(task));
    let requester = |task| {
        let requests = Arc::clone(&requests);
        thread::spawn(move || (0..requesting[task - 1]).for_each(|_| requests.make(task, 0).unwrap()))
    };
    let mut long = Long { requesters: (1..TASKS).map(requester).collect(), runs };
    let mut short: Vec<_> = runs.iter().map(Short).collect();
    let mut tasks = Tasks::new(Array::new(1, 1), &clock, &*requests);
    tasks.add(0, &mut long, Schedule::default()).unwrap();
    for (number, short) in (1..).zip(&mut short) {
        tasks.add(number, short, Schedule::default()).unwrap();
    }
    requests.make(0, 0).unwrap();
    while tasks.serve().unwrap() {}
    for task in 1..TASKS {
        assert_eq!(tasks.counts(task).unwrap().requests, requesting[task - 1]);
    }
}

#[test]
fn a_running_program_is_left_for_a_request_of_another_core() {
    bounded(2).check(|| check_wake_up::<2>([2, 0]));
}

#[test]
fn a_running_program_is_left_for_requests_of_two_cores() {
    bounded(1).check(|| check_wake_up::<3>([1, 1]));
}
