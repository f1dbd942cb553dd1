//! Reports on kernels.

use std::collections::BTreeMap;
use std::time::Duration;

use cain_analysis::owned::Program;
use cain_codegen::kinds::{Compiled, Kernel};
use cain_codegen::{instruction_set_name, objective_name};
use cain_isa::{Instruction, Stop};
use cain_search::{Accuracy, Approximated, Statistics, depth, noise, tenths, thousandths};
use serde::Serialize;

use crate::kinds::{Asked, Record, Shown};
use crate::options::{DEFAULT_NODES, Search};
use crate::show;
use crate::show::format::Format;
use crate::table::or_dash;
use crate::watch::{Cut, Watched};

/// What is told of a kernel beside its program; as JSON, the keys are those of the fields.
#[derive(Debug, Serialize)]
pub(crate) struct OfKernel {
    pub(crate) objective: &'static str,
    /// The number of macro instructions; `None` if the program has native words.
    pub(crate) macros: Option<u32>,
    /// The number of instructions in the longest chain of results that depend on each other.
    pub(crate) depth: u32,
    /// The largest gain of an intermediate value, as a fraction.
    pub(crate) peak_gain: String,
    /// The multiple of the constant transfer error that each output holds, as a fraction; `None` beyond exact
    /// arithmetic.
    pub(crate) offset_error: BTreeMap<String, Option<String>>,
    /// The noise, see [`noise`]; `None` beyond exact arithmetic.
    pub(crate) noise: Option<f64>,
    /// The predicted error of the worst output for a natural image on a chip with the published errors: the root mean
    /// square, in DN.
    pub(crate) rms: f64,
    /// The largest mean difference of an output, in DN, with its sign.
    pub(crate) bias: f64,
    /// For each output, the expected error and its parts.
    pub(crate) accuracy: BTreeMap<String, Parts>,
    #[serde(flatten)]
    pub(crate) search: Searched,
    /// The milliseconds until a first program was found.
    pub(crate) ms_to_first: f64,
    /// A proved lower bound on the number of instructions.
    pub(crate) lower_bound: u32,
    /// The effect of approximation, if the kernel file asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) approximated: Option<Moved>,
}

/// How a search went.
#[derive(Debug, Serialize)]
pub(crate) struct Searched {
    pub(crate) nodes: u64,
    /// The milliseconds of the whole search.
    pub(crate) ms: f64,
    /// The milliseconds until this program was found.
    pub(crate) ms_to_best: f64,
    /// The reason why the search ended: `proved`, `nodes`, `patience`, `time` (by `--time`), `interrupted` (by Ctrl-C) or
    /// `exhausted`.
    pub(crate) stop: String,
}

impl Searched {
    pub(crate) fn of(
        &cain_digital::Statistics { nodes, nodes_to_best, stop }: &cain_digital::Statistics,
        watched: &Watched,
    ) -> Self {
        let ms_to_best = milliseconds(watched.moment(nodes_to_best));
        Self { nodes, ms: milliseconds(watched.total), ms_to_best, stop: self::stop(stop, watched.cut) }
    }
}

/// How far approximation moved the weights.
#[derive(Debug, Serialize)]
pub(crate) struct Moved {
    /// Weights are multiples of 1/2^depth.
    pub(crate) depth: u32,
    /// The sum of absolute changes, as a fraction.
    pub(crate) error: String,
}

/// The expected error of an output in DN: its root mean square, and the root mean squares of its independent causes, of
/// which the bias has a sign.
#[derive(Debug, Serialize)]
pub(crate) struct Parts {
    rms: f64,
    bias: f64,
    gain: f64,
    distortion: f64,
    fixed_pattern: f64,
    noise: f64,
}

impl Parts {
    fn of(accuracy: &Accuracy) -> Self {
        let &Accuracy { bias, gain, distortion, fixed_pattern, noise } = accuracy;
        Self {
            rms: thousandths(accuracy.rms()),
            bias: thousandths(bias),
            gain: thousandths(gain),
            distortion: thousandths(distortion),
            fixed_pattern: thousandths(fixed_pattern),
            noise: thousandths(noise),
        }
    }
}

impl OfKernel {
    /// The offsets of the outputs in one cell of a table, which is 0 if there are none.
    pub(crate) fn offset_errors(&self) -> String {
        let left = |offset: &Option<String>| offset.clone().unwrap_or_else(|| "?".to_owned());
        let left: Vec<String> = self.offset_error.values().map(left).collect();
        if left.iter().all(|offset| offset == "0") { "0".to_owned() } else { left.join(",") }
    }
}

/// The reason why a search ended; the engine itself only knows that it was told to stop.
fn stop(stop: Stop, cut: Option<Cut>) -> String {
    match (stop, cut) {
        (Stop::Interrupted, Some(Cut::Time(_))) => "time".to_owned(),
        (Stop::Interrupted, _) => "interrupted".to_owned(),
        (stop, _) => stop.to_string(),
    }
}

/// A duration in milliseconds, to the microsecond.
fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

impl Shown for Kernel {
    type More = OfKernel;

    const TITLES: &'static [&'static str] = &[
        "filter",
        "macros",
        "ICWs",
        "bound",
        "depth",
        "peak_gain",
        "noise",
        "offset_error",
        "rms",
        "bias",
        "nodes",
        "first ms",
        "best ms",
        "total ms",
        "stop",
    ];
    const HAS_LINES: bool = true;
    const FORMATS: (&'static str, &'static [Format]) = ("filters", &Format::ALL);

    fn with(&self, args: &Search) -> Self {
        let mut wanted = self.clone();
        let options = &mut wanted.declaration.options;
        options.nodes = args.nodes.or(self.nodes).unwrap_or(DEFAULT_NODES);
        args.set(options);
        options.memory = args.memory.unwrap_or(options.memory);
        options.instructions = args.isa.unwrap_or(options.instructions);
        options.objective = args.objective.unwrap_or(options.objective);
        options.offset = args.offset.unwrap_or(options.offset);
        options.input = args.input.or(options.input);
        options.max_gain = args.max_gain.unwrap_or(options.max_gain);
        options.accuracy = args.accuracy.or(options.accuracy);
        options.max_words = args.max_words.or(options.max_words);
        options.error_model = args.chip.unwrap_or(options.error_model);
        wanted
    }

    fn isa(compiled: &Compiled<Self>) -> &'static str {
        instruction_set_name(compiled.program.program.declaration().options.instructions)
    }

    fn more(&self, compiled: &Compiled<Self>, watched: &Watched) -> OfKernel {
        let plan = self.plan(compiled.clone());
        let (declaration, program, report) = (plan.declaration(), plan.listing(), plan.report());
        let only_macros = program.iter().all(|instruction| matches!(instruction, Instruction::Macro(_)));
        let outputs: Vec<_> = declaration.outputs.iter().map(|output| output.reg).collect();
        let &Statistics { nodes, nodes_to_first, nodes_to_best, lower_bound, stop } = &plan.solution.statistics;
        let predicted = plan.solution.program.accuracy();
        OfKernel {
            objective: objective_name(declaration.options.objective_in_force()),
            macros: only_macros.then_some(report.macros),
            depth: depth(program),
            peak_gain: report.peak_gain.to_string(),
            offset_error: outputs
                .iter()
                .map(|&reg| (reg.to_string(), report.offset_error(reg).map(|o| o.to_string())))
                .collect(),
            noise: noise(program, &outputs),
            rms: thousandths(Accuracy::worst_rms(&predicted)),
            bias: thousandths(Accuracy::worst_bias(&predicted)),
            accuracy: outputs.iter().zip(&predicted).map(|(reg, of)| (reg.to_string(), Parts::of(of))).collect(),
            search: Searched::of(&cain_digital::Statistics { nodes, nodes_to_best, stop }, watched),
            ms_to_first: milliseconds(watched.moment(nodes_to_first)),
            lower_bound,
            approximated: plan.approximated.map(|done| Moved { depth: done.depth, error: done.error.to_string() }),
        }
    }

    fn rows(Record { program, more }: &Record<Self>) -> Vec<Vec<String>> {
        vec![vec![
            program.name.clone(),
            or_dash(more.macros),
            program.words.to_string(),
            more.lower_bound.to_string(),
            more.depth.to_string(),
            more.peak_gain.clone(),
            or_dash(more.noise.map(|noise| format!("{noise:.1}"))),
            more.offset_errors(),
            format!("{:.1}", more.rms),
            format!("{:.1}", tenths(more.bias)),
            more.search.nodes.to_string(),
            format!("{:.1}", more.ms_to_first),
            format!("{:.1}", more.search.ms_to_best),
            format!("{:.1}", more.search.ms),
            more.search.stop.clone(),
        ]]
    }

    fn facts(&self, compiled: &Compiled<Self>) -> Vec<String> {
        let moved = self.plan(compiled.clone()).approximated;
        let line =
            |done: Approximated| format!("weights in multiples of 1/2^{}, moved by {} in all", done.depth, done.error);
        moved.map(line).into_iter().collect()
    }

    fn remarks(&self, compiled: &Compiled<Self>, _: &Program, doc: Option<&str>) -> Vec<String> {
        show::remarks(&self.plan(compiled.clone()), doc)
    }

    fn pasted(&self, compiled: &Compiled<Self>, _: &Program, doc: Option<&str>) -> String {
        show::pasted(&self.plan(compiled.clone()), doc)
    }

    fn show(&self, asked: &Asked<'_, Self>) -> Result<String, String> {
        show::render(&self.plan(asked.compiled.clone()), asked.doc, asked.format, asked.details)
    }
}
