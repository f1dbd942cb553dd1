//! Programs that interrupt each other on one array.
//!
//! `cargo run --release -p cain-examples --bin interruptible -- [--seed S] [--requests N] [--json]`
//!
//! First a comparison, as Yu et al. make it for accelerators (INCA, DAC 2020, figure 5): how long a request waits while
//! another program runs, and what the interruption costs, at every position. Either everything is saved, as a processor
//! does; or the program runs to its end; or it is left at a switch point that the compiler has found. Then requests at
//! random times, for which the bound of the compiler must hold, and a reflex with a hard deadline beside a program that
//! works in the background.

mod comparison;
mod demonstration;
mod programs;
mod task;

use std::error::Error;
use std::process::ExitCode;

use cain_examples::end;
use cain_runtime::isa::{Plan, Times};
use clap::Parser;

use comparison::{Row, compare, microseconds, serve};
use programs::PAIRS;

/// Programs that interrupt each other on one array: how long requests wait, and what that costs.
#[derive(Parser)]
struct Args {
    /// Seed of the random requests and of the image
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Random requests for each pair of programs
    #[arg(long, default_value_t = 10_000)]
    requests: u32,
    /// One JSON object per row
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    end("interruptible", run(&Args::parse()))
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let mut random = Random(args.seed);
    let image: Vec<f32> = (0..SIDE * SIDE).map(|_| random.pixel()).collect();
    if !args.json {
        println!("task        method                 positions    mean/µs   worst/µs  bound/µs   extra/µs  wrong");
    }
    for (slow, fast) in PAIRS {
        for row in compare(slow, fast, &image)? {
            print(&row, args.json);
        }
        print(&at_random(slow, fast, args.requests, &mut random)?, args.json);
    }
    let (slow, fast) = PAIRS[0];
    let demonstration = demonstration::run(slow, fast, 1_000, &image)?;
    for (method, [of_slow, of_fast]) in [("with switch points", demonstration.with), ("without", demonstration.without)]
    {
        if args.json {
            println!(
                "{{\"task\":\"{}\",\"background\":\"{}\",\"method\":\"{method}\",\"deadline_us\":{:.2},\"frames\":{},\
                 \"missed\":{},\"background_frames\":{},\"wrong\":{}}}",
                fast.name,
                slow.name,
                microseconds(demonstration.deadline),
                of_fast.runs,
                of_fast.missed,
                of_slow.runs,
                demonstration.wrong
            );
        } else {
            println!(
                "\n`{}` every few µs, deadline {:.2} µs, {method}: {} frames, {} deadlines missed; `{}` in the background: {} \
                 frames, left {} times for {:.2} µs more",
                fast.name,
                microseconds(demonstration.deadline),
                of_fast.runs,
                of_fast.missed,
                slow.name,
                of_slow.runs,
                of_slow.interruptions,
                microseconds(Times::SCAMP5.analogue)
                    * f64::from(u32::try_from(of_slow.extra_words).unwrap_or(u32::MAX)),
            );
        }
    }
    Ok(())
}

/// PEs along each side of the simulated array.
const SIDE: usize = 24;

/// Requests at random words, one in each run.
fn at_random(
    slow: &'static Plan,
    fast: &'static Plan,
    requests: u32,
    random: &mut Random,
) -> Result<Row, Box<dyn Error>> {
    // The bound does not depend on the image, so that a small one does.
    let image: Vec<f32> = (0..9 * 9).map(|_| random.pixel()).collect();
    let (mut total, mut worst, mut extra, mut wrong) = (0, 0, 0, 0);
    for _ in 0..requests {
        let at = 1 + random.below(u64::from(slow.cost.icws));
        let outcome = serve(slow, fast, &image, |word| u64::from(word) == at)?;
        total += outcome.fast.total_response;
        worst = worst.max(outcome.fast.worst_response);
        extra += outcome.slow.extra_words;
        wrong += outcome.wrong;
    }
    #[expect(clippy::cast_precision_loss, reason = "means")]
    let [mean, extra] = [total as f64 / 1000.0, extra as f64 * microseconds(Times::SCAMP5.analogue)]
        .map(|sum| sum / f64::from(requests.max(1)));
    let bound = slow.switches.first().map(|table| microseconds(table.latency * Times::SCAMP5.analogue));
    let method = "switch points, random";
    Ok(Row { task: slow.name, method, positions: requests, mean, worst: microseconds(worst), bound, extra, wrong })
}

fn print(row: &Row, json: bool) {
    let Row { task, method, positions, mean, worst, bound, extra, wrong } = row;
    if json {
        let bound = bound.map_or("null".to_owned(), |bound| format!("{bound:.3}"));
        println!(
            "{{\"task\":\"{task}\",\"method\":\"{method}\",\"positions\":{positions},\"mean_us\":{mean:.3},\
             \"worst_us\":{worst:.3},\"bound_us\":{bound},\"extra_us\":{extra:.3},\"wrong\":{wrong}}}"
        );
    } else {
        let bound = bound.map_or(String::new(), |bound| format!("{bound:.2}"));
        println!(
            "{task:<11} {method:<22} {positions:>9} {mean:>10.2} {worst:>10.2} {bound:>9} {extra:>10.2} {wrong:>6}"
        );
    }
}

/// `SplitMix64` (Steele, Lea and Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    /// A grey value of a modest range.
    fn pixel(&mut self) -> f32 {
        f32::from(u8::try_from(self.below(64)).unwrap_or(0)) - 32.0
    }
}
