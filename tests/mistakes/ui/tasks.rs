use std::sync::atomic::AtomicU32;

use cain_runtime::isa::{Cells, Times};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{Context, Outcome, Requests, Schedule, Task, Tasks, Ticking};

type Scamp<'c> = Ticking<'c, Array, fn(u32)>;

struct Idle;

impl Task<Scamp<'_>> for Idle {
    fn cells(&self) -> Cells {
        Cells::NONE
    }

    fn run(&mut self, _: &mut Context<'_, Scamp<'_>>) -> Result<Outcome, SimError> {
        Ok(Outcome::Done)
    }
}

/// A deadline that no task can meet.
const NEVER: Schedule = Schedule { deadline: Some(0), every: None };

fn main() {
    let (clock, requests) = (AtomicU32::new(0), Requests::<3>::new());
    let handler: fn(u32) = |_| ();
    let scamp = Ticking::new(Array::new(4, 4), &clock, Times::SCAMP5, handler);
    let mut tasks = Tasks::new(scamp, &clock, &requests);
    let mut idle = Idle;
    tasks.add(0, &mut idle, NEVER).unwrap();
    // It would interrupt itself.
    tasks.add(1, &mut idle, Schedule::default()).unwrap();
}
