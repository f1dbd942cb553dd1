//! Carries out the searches of an experiment, sample by sample.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

use cain_search::{SearchError, Solution, search_watched};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::iter::{IntoParallelIterator as _, ParallelBridge as _, ParallelIterator as _};

use crate::interrupt::Interrupt;
use crate::study::{Lengths, Search, Study};

/// The longest time between two updates of the progress line.
const TICK: Duration = Duration::from_millis(250);

/// The results of all samples.
#[derive(Default)]
pub(crate) struct Sampled {
    /// The lengths of the samples 1, 2, .. in this order; fewer than requested if the user pressed Ctrl-C.
    pub(crate) lengths: Vec<Lengths>,
    /// The samples without a program, by the object of the search and the reason.
    pub(crate) missing: BTreeMap<(usize, String), Vec<u32>>,
}

/// Carries out the searches of a number of samples.
pub(crate) fn sample<S: Study>(study: &S, size: u32, threads: Option<u16>, interrupt: &Interrupt) -> Sampled {
    let line = progress(S::NAME, "searches", u64::from(size) * study.searches(1).len() as u64);
    let search_all = || -> Vec<_> {
        // Samples are taken one by one and in order, so that all but the last few are complete whenever the user ends
        // the run.
        let numbers = (1..=size).take_while(|_| !interrupt.is_pressed()).par_bridge();
        numbers.filter_map(|number| Some((number, one(study.searches(number), &line, interrupt)?))).collect()
    };
    cain_search::threads::lend(|count, task| (0..count).into_par_iter().for_each(task));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(0, usize::from)).build();
    // Without threads from the system, it only takes longer.
    let mut done = pool.map_or_else(|_| search_all(), |pool| pool.install(search_all));
    line.finish_and_clear();
    done.sort_unstable_by_key(|(number, _)| *number);

    let mut sampled = Sampled::default();
    let without_gap = (1..).zip(done).take_while(|(place, (number, _))| place == number);
    for (_, (number, found)) in without_gap {
        let mut lengths = Vec::new();
        for (place, (what, solution)) in found.into_iter().enumerate() {
            if let Err(error) = &solution {
                let reason = format!("{what}: {}", reason(error));
                sampled.missing.entry((place, reason)).or_default().push(number);
            }
            lengths.push(solution.ok().map(|solution| study.unit().length(&solution)));
        }
        sampled.lengths.push(lengths);
    }
    sampled
}

/// The name of a search, and its result.
type Found = (String, Result<Solution, SearchError>);

/// The results of one sample; `None` if the user pressed Ctrl-C before the last search was done.
fn one(searches: Vec<Search>, line: &ProgressBar, interrupt: &Interrupt) -> Option<Vec<Found>> {
    let go_on = |_| if interrupt.is_pressed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let find = |Search { what, declaration }| {
        let solution = search_watched(&declaration, go_on);
        line.inc(1);
        (!interrupt.is_pressed()).then_some((what, solution))
    };
    searches.into_iter().map(find).collect()
}

/// A progress line, which appears only if the standard error is a terminal.
pub(crate) fn progress(name: &str, of: &'static str, count: u64) -> ProgressBar {
    let line = ProgressBar::new(count).with_prefix(name.to_owned()).with_message(of);
    // The template is constant; the default style would show a line too.
    if let Ok(style) =
        ProgressStyle::with_template("{prefix} [{bar:24}] {human_pos} of {human_len} {msg}, about {eta} left")
    {
        line.set_style(style.progress_chars("=> "));
    }
    line.enable_steady_tick(TICK);
    line
}

fn reason(error: &SearchError) -> String {
    match error {
        SearchError::Budget { nodes, .. } => format!("no program found within {nodes} search nodes"),
        SearchError::Registers { .. } => "no program found in these registers".to_owned(),
        error => error.to_string(),
    }
}
