//! Searching for many plans at the same time.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::progress::Line;
use crate::threads::Threads;

/// The time between two lines of a log.
const PAUSE: Duration = Duration::from_secs(10);

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
    let meter = Meter::new(tasks.iter().map(&nodes).sum(), tasks.len());
    let next = AtomicUsize::new(0);
    let take_all = |results: &mpsc::Sender<_>| {
        while let Some((index, task)) = take(&next, tasks) {
            let mut share = Share { meter: &meter, nodes: nodes(task), shown: 0 };
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
            meter.line.message(format!("{} of {} plans", results.len(), tasks.len()));
        }
        results
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// A task's share of the progress.
pub(super) struct Share<'m> {
    meter: &'m Meter,
    nodes: u64,
    shown: u64,
}

impl Share<'_> {
    /// Shows this number of nodes as used up.
    pub(super) fn shows(&mut self, nodes: u64) {
        let nodes = nodes.min(self.nodes).max(self.shown);
        self.meter.advance(nodes - self.shown);
        self.shown = nodes;
    }
}

/// The next item that no worker has taken yet.
fn take<'t, T>(next: &AtomicUsize, items: &'t [T]) -> Option<(usize, &'t T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    items.get(index).map(|item| (index, item))
}

/// Shows how far all searches together are: in a line on the standard error if that is a terminal, and otherwise in a new line
/// now and then, so that a log tells that something is going on.
struct Meter {
    line: Line,
    /// When the next line of a log is due.
    next: Mutex<Instant>,
}

impl Meter {
    fn new(nodes: u64, plans: usize) -> Self {
        let line = Line::new(nodes, "nodes");
        line.message(format!("0 of {plans} plans"));
        Self { line, next: Mutex::new(Instant::now() + PAUSE) }
    }

    fn advance(&self, nodes: u64) {
        self.line.advance(nodes);
        if self.line.is_hidden()
            && let Some(line) = self.line_at(Instant::now())
        {
            eprintln!("{line}");
        }
    }

    /// The line of a log, if one is due.
    fn line_at(&self, now: Instant) -> Option<String> {
        // Another thread is about to write one.
        let mut next = self.next.try_lock().ok().filter(|next| **next <= now)?;
        *next = now + PAUSE;
        Some(self.line.text())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::{Meter, PAUSE};

    #[test]
    fn logs_have_a_line_now_and_then() {
        let meter = Meter::new(20_000, 3);
        let start = Instant::now();
        meter.line.advance(1_500);
        assert_eq!(meter.line_at(start), None);
        let line = |pauses: u32| meter.line_at(start + PAUSE * pauses);
        assert_eq!(line(1).as_deref(), Some("1,500 of 20,000 nodes, 0 of 3 plans"));
        meter.line.message("1 of 3 plans".to_owned());
        assert_eq!(line(1), None);
        assert_eq!(line(2).as_deref(), Some("1,500 of 20,000 nodes, 1 of 3 plans"));
    }
}
