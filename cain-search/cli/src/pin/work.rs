//! Searching for many plans at the same time.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::progress::Line;
use crate::threads::Threads;

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
    let threads = threads.number();
    let workers = threads.min(tasks.len()).max(1);
    let each = Threads { count: NonZeroUsize::new(threads / workers) };
    let line = Line::new(tasks.iter().map(&nodes).sum(), "nodes").logged();
    line.message(format!("0 of {} plans", tasks.len()));
    let next = AtomicUsize::new(0);
    let take_all = |results: &mpsc::Sender<_>| {
        while let Some((index, task)) = take(&next, tasks) {
            let mut share = Share { line: &line, nodes: nodes(task), shown: 0 };
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
            line.message(format!("{} of {} plans", results.len(), tasks.len()));
        }
        results
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// A task's share of the progress.
pub(super) struct Share<'m> {
    line: &'m Line,
    nodes: u64,
    shown: u64,
}

impl Share<'_> {
    /// Shows this number of nodes as used up.
    pub(super) fn shows(&mut self, nodes: u64) {
        let nodes = nodes.min(self.nodes).max(self.shown);
        self.line.advance(nodes - self.shown);
        self.shown = nodes;
    }
}

/// The next item that no worker has taken yet.
fn take<'t, T>(next: &AtomicUsize, items: &'t [T]) -> Option<(usize, &'t T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    items.get(index).map(|item| (index, item))
}
