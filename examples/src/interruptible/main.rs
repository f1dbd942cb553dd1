//! Programs that interrupt each other on one array.
//!
//! `cargo run --release -p cain-examples --bin interruptible -- [--seed S] [--requests N] [--json] [--csv FILE] [--svg FILE]`
//!
//! First a comparison, as Yu et al. make it for accelerators (INCA, DAC 2020, figure 5): how long a request waits while
//! another program runs, and what the interruption costs, at every position. Either everything is saved, as a processor
//! does; or the program runs to the end of its layer; or it is left at a switch point that the compiler has found. Then
//! requests at random times, for which the bound of the compiler must hold, and corners with a hard deadline beside an
//! automaton that works in the background, and beside a whole program.
//!
//! How long a request waits follows from the words of a program and its table, so that it is counted by the clock; at every
//! position of kernels, and at some of long programs, the scheduler serves a request on a simulated array, and results and times
//! must be those.

mod added;
mod automaton;
mod cells;
mod clockwork;
mod comparison;
mod demonstration;
mod long;
mod output;
mod points;
mod programs;
mod random;
mod task;
mod whole;

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use cain_gallery::end;
use cain_runtime::isa::random::SplitMix64;
use clap::Parser;

use clockwork::WORD;
use comparison::{at_random, compare, compare_long, microseconds};
use demonstration::Demonstration;
use long::Long;
use programs::{FAST, PAIRS};
use random::Random;

/// Programs that interrupt each other on one array: how long requests wait, and what that costs.
#[derive(Parser)]
struct Args {
    /// Seed of the random requests and of images and weights
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Random requests for each pair of programs
    #[arg(long, default_value_t = 100_000)]
    requests: u32,
    /// Positions of each long program at which it is interrupted on the simulated array
    #[arg(long, default_value_t = 12)]
    checks: u32,
    /// One JSON object per row
    #[arg(long)]
    json: bool,
    /// Write the rows as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write a plot of the worst responses as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

fn main() -> ExitCode {
    end("interruptible", run(&Args::parse()))
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let mut random = Random(SplitMix64::new(args.seed));
    let image = random.plane(SIDE);
    let mut rows = Vec::new();
    for (slow, fast) in PAIRS {
        rows.extend(compare(slow, fast, &image)?);
        rows.push(at_random(slow, fast, args.requests, &mut random));
    }
    let programs = Long::all(&mut random, SCAMP5)?;
    for long in &programs {
        for fast in FAST {
            rows.extend(compare_long(long, fast, (args.checks, args.requests), &mut random)?);
        }
    }
    if !args.json {
        println!("{}", output::HEADER);
    }
    for row in &rows {
        println!("{}", if args.json { output::json(row) } else { output::line(row) });
    }
    for (file, text) in [(&args.csv, output::csv as fn(&[_]) -> _), (&args.svg, output::svg)] {
        if let Some(file) = file {
            fs::write(file, text(&rows)).map_err(|error| format!("{}: {error}", file.display()))?;
        }
    }
    let mut wrong = rows.iter().map(|row| row.wrong).sum::<u32>();
    // The last program is the automaton.
    if let Some(background) = programs.last() {
        let demonstration = demonstration::run(background, FAST[0], 1_000, &mut random)?;
        report(&demonstration, background.name, FAST[0].name, args.json);
        wrong += demonstration.wrong;
    }
    let both = whole::run(FAST[0], 200, &mut random)?;
    wrong += both.wrong;
    report_whole(&both, FAST[0].name, args.json);
    if wrong > 0 { Err(format!("{wrong} results or waits are wrong").into()) } else { Ok(()) }
}

fn report(demonstration: &Demonstration, background: &str, reflex: &str, json: bool) {
    let (deadline, wrong) = (microseconds(demonstration.deadline), demonstration.wrong);
    for (method, [of_slow, of_fast]) in [("with switch points", demonstration.with), ("without", demonstration.without)]
    {
        // The clock makes requests that are further apart than the deadline: of those that one run served together, all
        // but the last were served too late.
        let missed = of_fast.requests - of_fast.runs + of_fast.missed;
        if json {
            println!(
                "{{\"task\":\"{reflex}\",\"background\":\"{background}\",\"method\":\"{method}\",\
                 \"deadline_us\":{deadline:.2},\"requests\":{},\"frames\":{},\"missed\":{},\"background_frames\":{},\
                 \"wrong\":{wrong}}}",
                of_fast.requests, of_fast.runs, missed, of_slow.runs,
            );
        } else {
            println!(
                "\n`{reflex}` at a fixed rate, deadline {deadline:.2} µs, {method}: {} requests, {} frames, {} deadlines \
                 missed; `{background}` in the background: {} frames, left {} times for {:.2} µs more",
                of_fast.requests,
                of_fast.runs,
                missed,
                of_slow.runs,
                of_slow.interruptions,
                microseconds(WORD) * f64::from(u32::try_from(of_slow.extra_words).unwrap_or(u32::MAX)),
            );
        }
    }
}

fn report_whole(both: &whole::Both, reflex: &str, json: bool) {
    let whole::Both { latency, of_program, of_filter, wrong } = both;
    let [latency, response] = [*latency, of_filter.worst_response].map(microseconds);
    let (runs, left, frames) = (of_program.runs, of_program.interruptions, of_filter.runs);
    if json {
        println!(
            "{{\"task\":\"{reflex}\",\"program\":\"motion\",\"latency_us\":{latency:.2},\"worst_response_us\":{response:.2},\
             \"frames\":{frames},\"program_frames\":{runs},\"interruptions\":{left},\"wrong\":{wrong}}}"
        );
    } else {
        println!(
            "\n`{reflex}` beside the whole program `motion`: {frames} frames, which waited for at most {response:.2} µs, where the \
             compiler promises {latency:.2} µs; `motion`: {runs} frames, left {left} times"
        );
    }
}

/// The number of PEs along each side of SCAMP-5.
const SCAMP5: usize = 256;
/// The number of PEs along each side of the simulated array of kernels.
const SIDE: usize = 24;
