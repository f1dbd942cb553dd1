//! A task does not write registers that it has not declared, neither with words nor with functions of the controller.

use std::sync::atomic::AtomicU32;

use cain_runtime::HostController as _;
use cain_runtime::io::{Address, ArrayIo as _, Flood, IoError, Pattern, Region};
use cain_runtime::isa::asm::{A, B, C, D, E, F, digital, overwritten, res};
use cain_runtime::isa::{Axes, Bit, Cells, Dreg, Kept, KeptBit, Reg, SwitchPoint, Switches};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{Context, Outcome, Requests, Schedule, Task, Tasks};

/// Registers that the task declares.
const OWN: [usize; 3] = [5, 6, 0];

type Call<'a> = &'a dyn Fn(&mut Context<'_, Array>) -> Result<(), SimError>;

/// A task that requests the other one and makes a call.
struct Caller<'a>(&'a Requests<2>, Call<'a>);

impl Task<Array> for Caller<'_> {
    fn cells(&self) -> Cells {
        overwritten(&[A, B]).union(OWN.into_iter().map(|number| Dreg::ALL[number]).collect())
    }

    fn run(&mut self, scamp: &mut Context<'_, Array>) -> Result<Outcome, SimError> {
        self.0.make(1, 0).unwrap();
        (self.1)(scamp).map(|()| Outcome::Done)
    }
}

/// A task that does nothing.
struct Idle;

impl Task<Array> for Idle {
    fn cells(&self) -> Cells {
        overwritten(&[A])
    }

    fn run(&mut self, _: &mut Context<'_, Array>) -> Result<Outcome, SimError> {
        Ok(Outcome::Done)
    }
}

fn result(call: Call<'_>) -> Result<bool, SimError> {
    let (requests, clock) = (Requests::<2>::new(), AtomicU32::new(0));
    let mut array = Array::new(8, 8).diffusion(0.25);
    for reg in [A, B, C, D, E, F] {
        array.load_reg(reg, &[1.0; 64])?;
    }
    for register in Dreg::ALL {
        array.load_bits(register.into(), &[true; 64])?;
    }
    array.expose(&[50.0; 64])?;
    let (mut caller, mut idle) = (Caller(&requests, call), Idle);
    let mut tasks = Tasks::new(array, &clock, &requests);
    tasks.add(0, &mut caller, Schedule::default()).unwrap();
    tasks.add(1, &mut idle, Schedule::default()).unwrap();
    requests.make(0, 0).unwrap();
    tasks.serve()
}

#[test]
#[cfg(debug_assertions)]
fn nothing_undeclared_is_written() {
    const AT: Region = Region { first: Address { row: 1, column: 1 }, last: Address { row: 2, column: 2 } };
    let [own, foreign] = [Dreg::ALL[5], Dreg::ALL[7]];
    let flood = Flood { keep_directions: true, ..Flood::default() };
    let refused: [(&str, Call<'_>); 15] = [
        ("F", &|scamp| scamp.execute(res(F))),
        ("C", &|scamp| scamp.load_level(C, 1)),
        ("C", &|scamp| scamp.capture(C, A)),
        ("D", &|scamp| scamp.capture(A, D)),
        ("D", &|scamp| scamp.capture_with_gain(A, D, 2)),
        ("E", &|scamp| scamp.shift(E, 1, 0)),
        ("E", &|scamp| scamp.diffuse(E, 1, Axes::Both)),
        ("F", &|scamp| scamp.estimate_count(Dreg::ALL[5], F).map(drop)),
        ("R7", &|scamp| scamp.load_pattern(foreign, Pattern::ALL)),
        ("R7", &|scamp| scamp.load_region(foreign, AT)),
        ("R7", &|scamp| scamp.execute(digital::set(&[digital::R7]))),
        ("R1", &|scamp| scamp.shift_bits(own, 1, 0, false)),
        ("R12", &|scamp| scamp.flood(own, digital::R6, flood)),
        // Moving a value out of the way also writes a register.
        ("C", &|scamp| leave(scamp, SwitchPoint { kept: &[kept(A, C)], ..POINT })),
        ("R8", &|scamp| leave(scamp, SwitchPoint { bits: &[KEPT_BIT], ..POINT })),
    ];
    for (register, call) in refused {
        let error = match register.strip_prefix('R') {
            Some(number) => IoError::ForeignBit(Dreg::ALL[number.parse::<usize>().unwrap()]),
            None => IoError::Foreign(register.parse().unwrap()),
        };
        assert_eq!(result(call), Err(error.into()), "{register}");
        let message = format!("the task writes `{register}`, which is not among the cells that it has declared to use");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn what_is_declared_is_written() {
    let own = Dreg::ALL[5];
    let calls: [Call<'_>; 7] = [
        &|scamp| scamp.capture_with_gain(A, B, 3),
        &|scamp| scamp.shift(A, 1, 1),
        &|scamp| scamp.estimate_count(Dreg::ALL[9], B).map(drop),
        &|scamp| scamp.load_pattern(own, Pattern::ALL),
        &|scamp| scamp.execute(digital::where_bits(&[digital::R9])),
        &|scamp| scamp.execute(digital::not_in_place(digital::R5)),
        &|scamp| leave(scamp, SwitchPoint { kept: &[kept(A, B)], ..POINT }),
    ];
    for (number, call) in calls.into_iter().enumerate() {
        assert_eq!(result(call), Ok(true), "{number}");
    }
}

const POINT: SwitchPoint<'static> =
    SwitchPoint { at: 0, resume: 0, kept: &[], bits: &[], levels: &[], sets_flag: false, extra: 0 };
const KEPT_BIT: KeptBit = KeptBit { home: Bit::Reg(Dreg::ALL[5]), register: Dreg::ALL[8] };

const fn kept(home: Reg, register: Reg) -> Kept {
    Kept { home: Some(home), register }
}

/// Leaves the task at a point for the other task.
fn leave(scamp: &mut Context<'_, Array>, point: SwitchPoint<'_>) -> Result<(), SimError> {
    let switches = [Switches { others: overwritten(&[A]), points: &[point], latency: 0 }];
    scamp.boundary(&switches, 0).map(drop)
}
