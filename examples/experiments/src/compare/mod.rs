//! Two builds of the command `cain` on the corpus.

pub(crate) mod build;
mod checkpoint;
pub(crate) mod verdict;

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, IsTerminal as _};
use std::path::Path;

use indicatif::ProgressBar;

use crate::args;
use crate::corpus::{Case, STRATA, case};
use crate::interrupt::Interrupt;
use crate::sampling::progress;
use crate::sheet::{Sheet, decimal};
use build::{Build, Outcome, Pair};
use checkpoint::{Checkpoint, Kind};
use verdict::Comparison;

/// New seeds are below this, so that they can be typed.
const SEEDS: u64 = 1_000_000;
/// By how much the budget of the second build may change to take the CPU time of the first.
const MOST_STRETCHED: f64 = 8.0;
/// How often progress is told where there is no terminal.
const TOLD: u32 = 10;

/// A comparison as far as it went.
pub(crate) struct Compared {
    /// The seed of the corpus.
    pub(crate) seed: u64,
    pairs: BTreeMap<u32, Pair>,
    /// Whether no case is missing.
    pub(crate) is_complete: bool,
}

/// Runs both builds on all cases that the checkpoint does not have; what went wrong is a message.
pub(crate) fn compare(args: &args::Compare, interrupt: &Interrupt) -> Result<Compared, String> {
    let builds = [Build::new(&args.a, &args.with_a)?, Build::new(&args.b, &args.with_b)?];
    let kind = |seed| Kind {
        seed,
        nodes: args.nodes,
        equal_cpu: args.equal_cpu,
        builds: builds.each_ref().map(Build::identity),
    };
    let (mut checkpoint, pairs) = match &args.checkpoint {
        Some(path) => Checkpoint::open(path, args.seed, |seed| kind(seed.unwrap_or_else(new_seed)))?,
        None => (Checkpoint::none(kind(args.seed.unwrap_or_else(new_seed))), BTreeMap::new()),
    };
    let seed = checkpoint.seed();
    let size = args.size.unwrap_or(if args.long { args::LONG } else { args::FAST });
    let is_wanted = |case: &Case| args.only.is_none_or(|stratum| case.strata.contains(&stratum));
    let mut compared = Compared { seed, pairs, is_complete: true };
    compared.pairs.retain(|number, _| *number <= size && is_wanted(&case(seed, *number)));
    eprintln!("seed {seed}, {size} cases");

    let folder = tempfile::tempdir().map_err(|error| format!("cannot make a folder for kernel files: {error}"))?;
    let line = Line::new(size);
    for number in 1..=size {
        line.show(number);
        let case = case(seed, number);
        if !is_wanted(&case) || compared.pairs.contains_key(&number) {
            continue;
        }
        let pair = pair(&case, &builds, args, folder.path())?;
        // Ctrl-C reaches the builds as well, and what they found by then means nothing.
        if interrupt.is_pressed() {
            compared.is_complete = false;
            break;
        }
        checkpoint.add(number, &pair)?;
        compared.pairs.insert(number, pair);
    }
    line.clear();
    Ok(compared)
}

/// Both outcomes for a case.
fn pair(case: &Case, builds: &[Build; 2], args: &args::Compare, folder: &Path) -> Result<Pair, String> {
    let path = folder.join(format!("case{}.toml", case.number));
    std::fs::write(&path, &case.text).map_err(|error| format!("cannot write a kernel file: {error}"))?;
    let [a, b] = builds;
    let first = a.run(case, &path, args.nodes)?;
    let mut second = b.run(case, &path, args.nodes)?;
    if args.equal_cpu && first.used_all && second.used_all {
        let stretched = (first.cpu / second.cpu).clamp(1.0 / MOST_STRETCHED, MOST_STRETCHED);
        second = b.run(case, &path, times(args.nodes, stretched))?;
    }
    let _ = std::fs::remove_file(&path);
    Ok([first, second])
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "budgets are far below 2^52 and positive"
)]
fn times(nodes: u64, factor: f64) -> u64 {
    (nodes as f64 * factor).round().max(1.0) as u64
}

fn new_seed() -> u64 {
    RandomState::new().hash_one(0) % SEEDS
}

impl Compared {
    /// Programs that do not compute their kernels.
    pub(crate) fn faults(&self) -> Vec<String> {
        let fault = |(number, pair): (&u32, &Pair)| {
            let of = |(name, outcome): (&str, &Outcome)| {
                let fault = outcome.fault.as_ref()?;
                Some(format!("case {number} of seed {}: {name}: {fault}", self.seed))
            };
            ["A", "B"].into_iter().zip(pair).filter_map(of).collect::<Vec<_>>()
        };
        self.pairs.iter().flat_map(fault).collect()
    }

    /// A row for each stratum that has cases.
    pub(crate) fn sheet(&self, nodes: u64) -> Sheet {
        let strata: Vec<(Vec<&'static str>, &Pair)> =
            self.pairs.iter().map(|(number, pair)| (case(self.seed, *number).strata, pair)).collect();
        let row = |stratum: &&'static str| {
            let pairs: Vec<&Pair> =
                strata.iter().filter(|(strata, _)| strata.contains(stratum)).map(|(_, pair)| *pair).collect();
            (!pairs.is_empty()).then(|| row(stratum, &Comparison::of(&pairs, self.seed)))
        };
        Sheet {
            constants: vec![("seed", self.seed.to_string()), ("nodes", nodes.to_string())],
            titles: TITLES.to_vec(),
            rows: STRATA.iter().filter_map(row).collect(),
            note: Some(
                "words: means over the cases for which both builds have programs. change: of what the cases minimise, the \
                 geometric mean, with its 95 % interval by bootstrap. better, worse: cases in which B finds less, or more, than A.",
            ),
        }
    }
}

/// The titles of the columns of a comparison.
pub(crate) const TITLES: [&str; 15] = [
    "stratum", "cases", "none_a", "none_b", "words_a", "words_b", "change_%", "from", "to", "better", "worse",
    "sign_p", "cpu_a_s", "cpu_b_s", "b_is",
];

/// The row of a stratum.
pub(crate) fn row(stratum: &str, of: &Comparison) -> Vec<Option<String>> {
    let [words_a, words_b] = of.words.map(decimal);
    let [cpu_a, cpu_b] = of.cpu.map(|cpu| Some(format!("{cpu:.1}")));
    let count = |count: usize| Some(count.to_string());
    let percent = |change: Option<f64>| change.map(|change| format!("{:+.2}", 100.0 * change));
    vec![
        Some(stratum.to_owned()),
        count(of.cases),
        count(of.missing[0]),
        count(of.missing[1]),
        words_a,
        words_b,
        percent(of.change),
        percent(of.interval.map(|(from, _)| from)),
        percent(of.interval.map(|(_, to)| to)),
        count(of.better),
        count(of.worse),
        Some(format!("{:.3}", of.sign)),
        cpu_a,
        cpu_b,
        Some(of.verdict().to_owned()),
    ]
}

/// Tells how many cases are done: a line that is renewed on a terminal, elsewhere a line now and then.
struct Line {
    bar: Option<ProgressBar>,
    size: u32,
}

impl Line {
    fn new(size: u32) -> Self {
        Self { bar: io::stderr().is_terminal().then(|| progress("compare", "cases", size.into())), size }
    }

    /// Shows that the case with this number begins.
    fn show(&self, number: u32) {
        let done = number - 1;
        match &self.bar {
            Some(bar) => bar.set_position(done.into()),
            None if done > 0 && done.is_multiple_of(self.size.div_ceil(TOLD)) => {
                eprintln!("{done} of {} cases", self.size);
            }
            None => {}
        }
    }

    fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
