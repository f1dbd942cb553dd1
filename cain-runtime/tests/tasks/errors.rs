//! After an error of the device, the next run gives the right result or an error.

use std::cell::Cell;
use std::sync::atomic::AtomicU32;

use cain_runtime::io::{ArrayIo, IoError};
use cain_runtime::isa::asm::{A, B, C, D, E, EAST, F, SOUTH, WEST, addx, mov, movx, neg, overwritten, subx};
use cain_runtime::isa::{Bit, Cells, Dreg, Word};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::tasks::{Context, Outcome, Requests, Schedule, Task, Tasks};
use cain_runtime::{Aregs, Dregs, operations};

use super::hooked::Hooked;

const SIDE: usize = 6;
const BIT: Bit = Bit::Reg(Dreg::ALL[5]);
/// The error of the device when a word fails.
const FAILURE: SimError = SimError::NoLevel;

fn image() -> Vec<f32> {
    (0..36_u16).map(|pe| f32::from(pe * 37 % 101) - 50.0).collect()
}

/// A convolution, a rectifier, maxima of neighbours and a threshold, of an image in A.
fn network(scamp: &mut impl ArrayIo<Error = SimError>) -> Result<(), SimError> {
    let (mut r, mut d) = (Aregs::new(), Dregs::new());
    for instruction in [subx(B, A, EAST, A), subx(C, A, SOUTH, A), addx(D, B, C, WEST), subx(C, D, EAST, A)] {
        scamp.execute(instruction)?;
    }
    let mut rectified = r.c.hold();
    operations::relu(scamp, &mut rectified)?;
    for side in [EAST, SOUTH] {
        scamp.execute(movx(D, C, side))?;
        operations::max(scamp, &mut rectified, &r.d.hold(), &mut r.e)?;
    }
    let mut inverted = r.d.hold();
    scamp.execute(neg(D, C))?;
    operations::abs(scamp, &mut inverted, &mut r.e)?;
    operations::threshold(scamp, &inverted, 30, &mut d.r5)?;
    scamp.execute(mov(B, D))
}

/// The results of the network.
fn results(array: &Array) -> Result<(Vec<f32>, Vec<bool>), SimError> {
    Ok((array.read_reg(C)?.to_vec(), array.read_bits(BIT)?))
}

/// A task that runs the network on an image and checks the results.
struct Network;

impl<W: FnMut(&mut Array, Word) -> Result<(), SimError>> Task<Hooked<W>> for Network {
    fn cells(&self) -> Cells {
        overwritten(&[A, B, C, D, E]).union(Cells::bit(BIT))
    }

    fn run(&mut self, scamp: &mut Context<'_, Hooked<W>>) -> Result<Outcome, SimError> {
        let mut undisturbed = Array::new(SIDE, SIDE);
        undisturbed.load_reg(A, &image())?;
        network(&mut undisturbed)?;
        scamp.controller().array.load_reg(A, &image())?;
        network(scamp)?;
        assert_eq!(results(&scamp.controller().array)?, results(&undisturbed)?);
        Ok(Outcome::Done)
    }
}

/// A task that writes a level.
struct Level;

impl<W: FnMut(&mut Array, Word) -> Result<(), SimError>> Task<Hooked<W>> for Level {
    fn cells(&self) -> Cells {
        overwritten(&[F])
    }

    fn run(&mut self, scamp: &mut Context<'_, Hooked<W>>) -> Result<Outcome, SimError> {
        scamp.load_level(F, 20)?;
        let array = &scamp.controller().array;
        assert!(array.read_reg(F)?.iter().all(|value| (value - 20.0).abs() < 1e-6));
        Ok(Outcome::Done)
    }
}

fn words_of_the_network() -> u32 {
    let mut words = 0;
    let mut array = Array::new(SIDE, SIDE);
    array.load_reg(A, &image()).unwrap();
    let hook = |array: &mut Array, word| {
        words += 1;
        cain_runtime::HostController::issue(array, word)
    };
    network(&mut Hooked { array, hook }).unwrap();
    words
}

/// Each word fails once, executed or not, and so do some of the words after it; then both tasks run again.
#[test]
fn every_word_fails_once() {
    let words = words_of_the_network();
    assert!(words >= 40, "{words}");
    for (at, more, is_carried_out) in
        (0..words).flat_map(|at| (0..3).flat_map(move |more| [false, true].map(|carried| (at, more, carried))))
    {
        let (requests, clock, sent) = (Requests::<2>::new(), AtomicU32::new(0), Cell::new(0));
        let hook = |array: &mut Array, word| {
            let number = sent.replace(sent.get() + 1);
            let fails = (at..=at + more).contains(&number);
            if !fails || is_carried_out {
                cain_runtime::HostController::issue(array, word)?;
            }
            if fails { Err(FAILURE) } else { Ok(()) }
        };
        let (mut network, mut level) = (Network, Level);
        let mut tasks = Tasks::new(Hooked { array: Array::new(SIDE, SIDE), hook }, &clock, &requests);
        tasks.add(0, &mut network, Schedule::default()).unwrap();
        tasks.add(1, &mut level, Schedule::default()).unwrap();
        requests.make(0, 0).unwrap();
        assert_eq!(tasks.serve(), Err(FAILURE));
        requests.make(0, 0).unwrap();
        requests.make(1, 0).unwrap();
        // While the device fails, nothing runs, and no request is lost.
        for _ in 0..more {
            assert_eq!(tasks.serve(), Err(FAILURE));
        }
        assert_eq!([0, 1].map(|task| tasks.counts(task).unwrap().runs), [1, 0]);
        assert_eq!([tasks.serve(), tasks.serve(), tasks.serve()], [Ok(true), Ok(true), Ok(false)]);
        assert_eq!([0, 1].map(|task| tasks.counts(task).unwrap().runs), [2, 1]);
        assert_eq!([0, 1].map(|task| tasks.counts(task).unwrap().missed), [1, 0]);
    }
}

/// A task that is left for another one, whose error it does not return.
struct Careless;

impl<W: FnMut(&mut Array, Word) -> Result<(), SimError>> Task<Hooked<W>> for Careless {
    fn cells(&self) -> Cells {
        overwritten(&[A])
    }

    fn run(&mut self, scamp: &mut Context<'_, Hooked<W>>) -> Result<Outcome, SimError> {
        scamp.load_level(A, 1)?;
        assert_eq!(scamp.switch_point(&[A]), Err(FAILURE));
        // It was requested again, but its values are lost.
        assert_eq!(scamp.switch_point(&[A]), Err(IoError::Lost.into()));
        Ok(Outcome::Done)
    }
}

#[test]
fn an_error_of_others_cannot_be_ignored() {
    let (requests, clock, sent) = (Requests::<2>::new(), AtomicU32::new(0), Cell::new(0));
    let hook = |array: &mut Array, word| {
        cain_runtime::HostController::issue(array, word)?;
        let number = sent.replace(sent.get() + 1);
        if number == 0 || number == 2 {
            requests.make(1, 0).unwrap();
        }
        if number == 2 { Err(FAILURE) } else { Ok(()) }
    };
    let (mut careless, mut level) = (Careless, Level);
    let mut tasks = Tasks::new(Hooked { array: Array::new(SIDE, SIDE), hook }, &clock, &requests);
    tasks.add(0, &mut careless, Schedule::default()).unwrap();
    tasks.add(1, &mut level, Schedule::default()).unwrap();
    requests.make(0, 0).unwrap();
    let error = tasks.serve().unwrap_err();
    assert_eq!(error, IoError::Lost.into());
    assert_eq!(
        error.to_string(),
        "the task went on after an error that came while it was left for others, when what it held was lost; return the \
         error, so that it starts anew at its next request"
    );
    assert_eq!([0, 1].map(|task| tasks.counts(task).unwrap().missed), [1, 1]);
    assert_eq!([tasks.serve(), tasks.serve()], [Ok(true), Ok(false)]);
}
