//! How fast the simulated array is: `cargo bench -p cain-runtime --features sim,simd`.
//!
//! A *frame* is one run of the 48 control words that compute the three kernels of AnalogNet2 (Stow et al. 2022,
//! table 2) on 256×256 PEs. Word by word the array is told about one word at a time; as a plan it is told about all of
//! them at once.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use cain_runtime::HostController;
use cain_runtime::io::ArrayIo as _;
use cain_runtime::isa::asm::{
    A, B, C, D, E, EAST, F, NEWS, NORTH, SOUTH, WEST, XE, XN, add, add2x, add3, addx, bus, div_copy, diva, mov, movx,
    neg, reg, sub2x, subx,
};
use cain_runtime::isa::{Cells, Cost, Found, Fraction, Instruction, Plan, Stop};
use cain_runtime::sim::{Array, ErrorModel, SimError};
use cain_runtime::tasks::{Context, Outcome, Requests, Schedule, Task, Tasks};
use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};

const ANALOG_NET_2: Plan = Plan {
    name: "analog_net_2",
    declaration: "",
    inputs: &[A],
    outputs: &[A, B, C],
    listing: &[
        diva(A, D, E),
        div_copy(D, E, C, A),
        movx(E, D, WEST),
        movx(C, E, NORTH),
        neg(F, E),
        subx(B, F, EAST, A),
        addx(E, E, D, SOUTH),
        add2x(D, F, D, NORTH, NORTH),
        sub2x(F, D, SOUTH, SOUTH, C),
        add2x(D, C, D, EAST, SOUTH),
        add(E, E, D),
        movx(D, A, NORTH),
        add2x(A, C, A, EAST, EAST),
        movx(C, B, EAST),
        add(D, F, D),
        add2x(F, F, E, EAST, SOUTH),
        movx(E, B, SOUTH),
        addx(A, B, A, SOUTH),
        addx(A, B, A, WEST),
        add2x(B, F, B, NORTH, WEST),
        add3(C, D, C, E),
    ],
    cost: Cost { macros: 21, icws: 48, peak_gain: Fraction::ONE },
    accuracy: &[],
    found: Found { nodes: 0, lower_bound: 0, stop: Stop::Nodes },
    switches: &[],
};

const PES: usize = 256 * 256;
/// Two planes read and one written.
const BYTES_OF_A_WORD: usize = 3 * PES * size_of::<f32>();

fn main() {
    divan::main();
    ratio();
    polls();
}

/// A ramp in every register, so that any word can run.
fn array(model: ErrorModel) -> Array {
    let ramp: Vec<f32> = (0..=u8::MAX).cycle().take(PES).map(|value| f32::from(value) - 128.0).collect();
    let mut array = Array::scamp5().errors(model);
    for reg in [A, B, C, D, E, F] {
        array.load_reg(reg, &ramp).expect("the ramp has the size of the array");
    }
    array.execute(mov(F, F)).expect("F is written");
    array
}

/// Copies as many bytes as a word with two sources reads and writes.
#[divan::bench]
fn copy(bencher: Bencher<'_, '_>) {
    let (from, mut to) = copied();
    bencher.counter(BytesCount::new(BYTES_OF_A_WORD)).bench_local(|| black_box(&mut to).copy_from_slice(&from));
}

/// Half as many values as a word with two sources touches: a copy touches each of them twice.
fn copied() -> (Vec<f32>, Vec<f32>) {
    let values = BYTES_OF_A_WORD / size_of::<f32>() / 2;
    (vec![1.0; values], vec![0.0; values])
}

#[divan::bench(args = [bus(&[NEWS], &[reg(A), reg(B)]), bus(&[XE], &[reg(A), reg(B)]), bus(&[reg(A)], &[XN, reg(B)])])]
fn word(bencher: Bencher<'_, '_>, word: Instruction) {
    let mut array = array(ErrorModel::ideal());
    bencher.counter(BytesCount::new(BYTES_OF_A_WORD)).bench_local(|| array.execute(word));
}

#[divan::bench(args = ["ideal", "saturating", "cain", "measured"])]
fn frame_word_by_word(bencher: Bencher<'_, '_>, model: &str) {
    let mut array = array(named(model));
    bencher.counter(ItemsCount::new(1_u32)).bench_local(|| word_by_word(&mut array));
}

#[divan::bench(args = ["ideal", "saturating", "cain", "measured"])]
fn frame_as_a_plan(bencher: Bencher<'_, '_>, model: &str) {
    let mut array = array(named(model));
    bencher.counter(ItemsCount::new(1_u32)).bench_local(|| array.run(&ANALOG_NET_2));
}

fn named(model: &str) -> ErrorModel {
    match model {
        "saturating" => ErrorModel::saturating(),
        "cain" => ErrorModel::cain(),
        "measured" => ErrorModel::measured(),
        _ => ErrorModel::ideal(),
    }
}

fn word_by_word(array: &mut Array) {
    for word in ANALOG_NET_2.listing.iter().flat_map(Instruction::words) {
        array.issue(word).expect("every register is written");
    }
}

/// The figures that do not depend on how fast the machine is just now: both sides in turns, the best of each.
fn ratio() {
    let (from, mut to) = copied();
    let (mut array, mut measured) = (array(ErrorModel::ideal()), array(ErrorModel::measured()));
    let word = bus(&[NEWS], &[reg(A), reg(B)]);
    let [mut copy, mut sum, mut words, mut plan, mut with_errors] = [Duration::MAX; 5];
    for _ in 0..300 {
        copy = copy.min(time(|| black_box(&mut to).copy_from_slice(black_box(&from))));
        sum = sum.min(time(|| array.execute(word).expect("A and B are written")));
        words = words.min(time(|| word_by_word(&mut array)));
        plan = plan.min(time(|| array.run(&ANALOG_NET_2).expect("every register is written")));
        with_errors = with_errors.min(time(|| measured.run(&ANALOG_NET_2).expect("every register is written")));
    }
    let per_second = |time: Duration| 1.0 / time.as_secs_f64();
    println!("\nbest of 300, in turns:");
    println!("  a word with two sources takes {:.2} times the time of copying as many bytes", div_time(sum, copy));
    println!("  {:.0} words per second", per_second(sum));
    println!("  {:.0} frames per second word by word, {:.0} as a plan", per_second(words), per_second(plan));
    println!("  {:.0} frames per second as a plan with the model `measured`", per_second(with_errors));
}

fn time(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

fn div_time(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

/// What polls cost beside a load and a branch of the bench's own.
fn polls() {
    let (clock, requests) = (AtomicU32::new(0), Requests::<1>::new());
    let mut polls = Polls { poll: Duration::MAX, load: Duration::MAX };
    let mut tasks = Tasks::new(Array::new(1, 1), &clock, &requests);
    tasks.add(0, &mut polls, Schedule::default()).expect("there is room for one task");
    requests.make(0, 0).expect("the task was added");
    tasks.serve().expect("nothing is sent to the array");
    drop(tasks);
    let nanoseconds = |time: Duration| time.as_secs_f64() * 1e9 / f64::from(POLLS);
    println!("  {:.2} ns for a poll, {:.2} for a load and a branch", nanoseconds(polls.poll), nanoseconds(polls.load));
}

const POLLS: u32 = 100_000;

/// A task that nobody interrupts.
struct Polls {
    poll: Duration,
    load: Duration,
}

impl Task<Array> for Polls {
    fn cells(&self) -> Cells {
        Cells::NONE
    }

    fn run(&mut self, scamp: &mut Context<'_, Array>) -> Result<Outcome, SimError> {
        let news = AtomicBool::new(false);
        for _ in 0..300 {
            let poll =
                time(|| (0..POLLS).map(|at| scamp.boundary(&[], black_box(at))).for_each(|way| _ = black_box(way)));
            let load = time(|| (0..POLLS).for_each(|at| branch(black_box(&news), black_box(at))));
            (self.poll, self.load) = (self.poll.min(poll), self.load.min(load));
        }
        Ok(Outcome::Done)
    }
}

fn branch(news: &AtomicBool, at: u32) {
    if news.load(Ordering::Acquire) {
        black_box(at);
    }
}
