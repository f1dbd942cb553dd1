//! The output of `cain eval` for an automaton.

use std::io::{self, Write};

use cain_isa::Instruction;
use cain_network::automaton::{CompiledAutomaton, Saturated, clock_periods};
use cain_search::switches::SwitchTable;
use serde::Serialize;

use super::run::{AT, Answers};
use crate::json::print_object;
use crate::share::real;
use crate::share::share;
use crate::show::leaving::of_tables;
use crate::table::Table;

/// How well cells find out what they form, and the costs of a step.
pub(crate) struct Report {
    figures: Figures,
    layers: Vec<Layer>,
    saturated: Saturated,
    updated: u64,
    /// A description of how it may be interrupted.
    leaving: Vec<String>,
}

/// The figures of the JSON object, by their keys.
#[derive(Serialize)]
struct Figures {
    automaton: String,
    images: usize,
    at: Vec<Moment>,
    /// The share of pictures in which the programs computed the state of the reference in every step.
    exact: f64,
    instructions: usize,
    words: usize,
    step_ms_10_mhz: f64,
    step_ms_scamp5: f64,
    steps_per_second: f64,
    /// For each of those that may interrupt a step, the longest that it has to wait, in control words.
    latency: Vec<u32>,
}

/// The answers after some steps: the share of cells that are right, and of pictures in which all cells agree, both for
/// pictures that stay where they are and for those that move.
#[derive(Serialize)]
struct Moment {
    steps: usize,
    right: f64,
    agree: f64,
    moving_right: f64,
    moving_agree: f64,
}

/// The costs of a layer.
struct Layer {
    name: String,
    instructions: usize,
    words: usize,
    guard: u32,
    width: u32,
}

/// The clock of the simulator in "Neural Cellular Automata on a Focal Plane", in periods per millisecond.
const PERIODS_PER_MS: f64 = 10_000.0;

impl Report {
    pub(super) fn new(compiled: &CompiledAutomaton, still: &[Answers], moving: &[Answers]) -> Self {
        let words: Vec<_> = compiled.instructions().flat_map(Instruction::words).collect();
        let periods: u32 = words.iter().map(clock_periods).sum();
        let times = &compiled.automaton().machine.times;
        let nanoseconds: u64 = words.iter().map(|word| u64::from(times.of(word.clock()))).sum();
        let all = || still.iter().chain(moving);
        let seconds: f64 = all().map(|answers| answers.time.as_secs_f64()).sum();
        let mut saturated = Saturated::default();
        all().for_each(|answers| saturated.add(answers.saturated));
        let layers = compiled.layers().iter().enumerate().map(|(number, layer)| Layer {
            name: format!("layer {}", number + 1),
            instructions: layer.program.listing().len(),
            words: layer.program.listing().iter().map(Instruction::icws).sum(),
            guard: layer.guard,
            width: layer.width,
        });
        let figures = Figures {
            automaton: compiled.automaton().name.clone(),
            images: still.len(),
            at: AT.iter().enumerate().map(|(moment, &steps)| of_moment(moment, steps, still, moving)).collect(),
            exact: share(all().filter(|answers| answers.same).count(), still.len() + moving.len()),
            instructions: compiled.instructions().count(),
            words: words.len(),
            step_ms_10_mhz: f64::from(periods) / PERIODS_PER_MS,
            step_ms_scamp5: milliseconds(nanoseconds),
            steps_per_second: last_step(still, moving) / seconds.max(1e-9),
            latency: compiled.switches().iter().map(SwitchTable::latency).collect(),
        };
        let updated = all().map(|answers| answers.updated).sum();
        let leaving = of_tables(compiled.switches(), times);
        Self { figures, layers: layers.collect(), saturated, updated, leaving }
    }

    pub(crate) fn print(&self, json: bool) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if json {
            return print_object(&mut out, &self.figures);
        }
        let titles = ["", "instructions", "words", "bits below", "bits"];
        let table = Table::new(&titles, self.layers.iter().map(|layer| layer.name.as_str()), 6);
        table.head(&mut out)?;
        for Layer { name, instructions, words, guard, width } in &self.layers {
            let cells =
                [name.clone(), instructions.to_string(), words.to_string(), guard.to_string(), width.to_string()];
            table.row(&mut out, &cells)?;
        }
        writeln!(out)?;
        let titles = ["steps", "cells right", "all agree", "moving: right", "all agree"];
        let names: Vec<String> = self.figures.at.iter().map(|moment| moment.steps.to_string()).collect();
        let table = Table::new(&titles, names.iter().map(String::as_str), 9);
        table.head(&mut out)?;
        for (name, Moment { right, agree, moving_right, moving_agree, .. }) in names.iter().zip(&self.figures.at) {
            let percent = |share: &f64| format!("{:.2} %", 100.0 * share);
            table.row(
                &mut out,
                &[name.clone(), percent(right), percent(agree), percent(moving_right), percent(moving_agree)],
            )?;
        }
        writeln!(out)?;
        self.summary(&mut out)
    }

    fn summary(&self, out: &mut impl Write) -> io::Result<()> {
        let Figures { images, exact, instructions, words, step_ms_10_mhz, step_ms_scamp5, steps_per_second, .. } =
            &self.figures;
        writeln!(
            out,
            "{images} pictures; in {:.2} % of the runs every state is that of exact arithmetic",
            100.0 * exact
        )?;
        let Saturated { activations, updates, states } = self.saturated;
        writeln!(
            out,
            "of {} updates of a cell, saturated: {activations} activations, {updates} numbers of updates, {states} of states",
            self.updated
        )?;
        writeln!(
            out,
            "a step: {instructions} instructions, {words} words; {step_ms_10_mhz:.2} ms at 10 MHz by the periods of the published simulator, {step_ms_scamp5:.2} ms on SCAMP-5"
        )?;
        self.leaving.iter().try_for_each(|line| writeln!(out, "a step {line}"))?;
        writeln!(out, "simulated: {steps_per_second:.0} steps of a picture per second and thread")
    }
}

fn of_moment(moment: usize, steps: usize, still: &[Answers], moving: &[Answers]) -> Moment {
    let right = |runs: &[Answers]| {
        let shares = runs.iter().filter_map(|answers| answers.at.get(moment)).map(|(right, _)| right);
        shares.sum::<f64>() / real(runs.len())
    };
    let agree = |runs: &[Answers]| {
        share(runs.iter().filter(|answers| answers.at.get(moment).is_some_and(|(_, agree)| *agree)).count(), runs.len())
    };
    Moment { steps, right: right(still), agree: agree(still), moving_right: right(moving), moving_agree: agree(moving) }
}

/// The time of all steps that were simulated.
fn last_step(still: &[Answers], moving: &[Answers]) -> f64 {
    real(still.len() + moving.len()) * real(AT.into_iter().max().unwrap_or(0))
}

#[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53")]
fn milliseconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e6
}
