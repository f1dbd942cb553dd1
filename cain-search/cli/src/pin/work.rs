//! Searching for many plans at the same time.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use cain_isa::Progress;
use indicatif::{ProgressBar, ProgressStyle};

use super::search::{Change, Pinned, State, pin};
use super::wanted::Wanted;
use crate::threads::Threads;
use crate::watch::Interrupt;

/// A search, with the state of the plan file before it.
pub(crate) struct Task<'k> {
    pub(crate) filter: &'k Wanted,
    pub(crate) state: State,
}

/// Searches for the plans of filters, several at a time; the results are in the order of the tasks.
pub(crate) fn pin_all(tasks: &[Task<'_>], threads: Threads, interrupt: &Interrupt) -> Vec<Result<Pinned, String>> {
    let nodes = |task: &Task<'_>| task.filter.declaration.options.nodes;
    side_by_side(tasks, threads, nodes, |task, share| follow(task, share, interrupt))
}

/// Works on several tasks at a time, each of which is a search within a budget of nodes; the results are in the order of the
/// tasks.
///
/// Each search has threads of its own, so that it does not wait for another one while it holds memory. Their number does
/// not change the results.
pub(super) fn side_by_side<T: Sync, R: Send>(
    tasks: &[T],
    threads: Threads,
    nodes: impl Fn(&T) -> u64 + Sync,
    work: impl Fn(&T, &mut Share<'_>) -> R + Sync,
) -> Vec<R> {
    let threads = threads.count.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let workers = threads.min(tasks.len()).max(1);
    let each = Threads { count: NonZeroUsize::new(threads / workers) };
    let bar = progress(tasks.iter().map(&nodes).sum(), tasks.len());
    let next = AtomicUsize::new(0);
    let take_all = |results: &mpsc::Sender<_>| {
        while let Some((index, task)) = take(&next, tasks) {
            let mut share = Share { bar: &bar, nodes: nodes(task), shown: 0 };
            let result = work(task, &mut share);
            share.shows(share.nodes);
            // The receiver outlives the workers.
            let _ = results.send((index, result));
        }
    };
    let mut results = thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..workers {
            let (sender, take_all) = (sender.clone(), &take_all);
            scope.spawn(move || each.run(|| take_all(&sender)));
        }
        drop(sender);
        let mut results = Vec::new();
        for result in receiver {
            results.push(result);
            bar.set_message(format!("{} of {} filters", results.len(), tasks.len()));
        }
        results
    });
    bar.finish_and_clear();
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// A task's share of the progress line.
pub(super) struct Share<'b> {
    bar: &'b ProgressBar,
    nodes: u64,
    shown: u64,
}

impl Share<'_> {
    /// Shows this number of nodes as used up.
    pub(super) fn shows(&mut self, nodes: u64) {
        let nodes = nodes.min(self.nodes).max(self.shown);
        self.bar.inc(nodes - self.shown);
        self.shown = nodes;
    }
}

/// The next item that no worker has taken yet.
fn take<'t, T>(next: &AtomicUsize, items: &'t [T]) -> Option<(usize, &'t T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    items.get(index).map(|item| (index, item))
}

/// A progress line for all searches together, if the standard error is a terminal.
fn progress(nodes: u64, filters: usize) -> ProgressBar {
    let bar = ProgressBar::new(nodes);
    // The template is constant, and without it a line would still be shown.
    if let Ok(style) = ProgressStyle::with_template("[{bar:24}] {human_pos} of {human_len} nodes, {msg}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.with_message(format!("0 of {filters} filters"))
}

/// Searches for one filter, watching for Ctrl-C and advancing the progress line.
fn follow(task: &Task<'_>, share: &mut Share<'_>, interrupt: &Interrupt) -> Result<Pinned, String> {
    let Task { filter, state } = task;
    if interrupt.is_pressed() {
        return match state {
            State::Valid { solution, .. } => Ok(Pinned { solution: solution.clone(), change: Change::Kept }),
            _ => Err(filter.complain("not searched because of Ctrl-C")),
        };
    }
    let result = pin(filter, state, |Progress { nodes, .. }| {
        share.shows(nodes);
        if interrupt.is_pressed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match result {
        Err(_) if interrupt.is_pressed() => Err(filter.complain("no program found before Ctrl-C")),
        result => result,
    }
}
