//! Requests for tasks, from interrupt handlers, other threads, or a clock.

use core::fmt;

use super::Ticks;
use super::atomic::{AtomicBool, Ordering, fence};
use super::batches::Batches;

/// The pending requests for each of `N` tasks, which are numbered by priority, the highest last.
///
/// It needs nothing but loads and stores of atomic words, so it works on processors that have nothing else, such as a
/// Cortex-M0. Each task's requests must come from one place at a time: one interrupt handler or one thread. Requests of
/// the [clock](super::Schedule::every) are counted separately. One scheduler serves them; what it leaves unserved
/// remains for the next one.
///
/// ```
/// use cain_runtime::tasks::Requests;
///
/// static REQUESTS: Requests<2> = Requests::new();
/// // In the interrupt handler of a timer, with the time at which it fired; nobody has added a task yet:
/// assert!(REQUESTS.make(1, 1_250).is_err());
/// ```
///
/// # No request is forgotten
///
/// A requester first stores the request and then sets `news`. The scheduler first clears `news` and then loads the
/// requests. Each of them stores to one place and then accesses another one, and two cores may each see their own store
/// before that of the other. Then the scheduler would find no request, and its delayed store to `news` would overwrite
/// that of the requester. So both have a full fence in between. One of the two fences comes first: if it is that of the
/// requester, the scheduler finds the request; if it is that of the scheduler, the requester's store to `news` comes
/// after the scheduler's, and stays.
#[derive(Debug)]
pub struct Requests<const N: usize> {
    /// Whether there may have been a request since this was last checked.
    news: AtomicBool,
    exists: [AtomicBool; N],
    batches: [Batches; N],
}

impl<const N: usize> Requests<N> {
    /// No requests.
    #[must_use]
    #[cfg(not(all(test, loom)))]
    pub const fn new() -> Self {
        Self {
            news: AtomicBool::new(false),
            exists: [const { AtomicBool::new(false) }; N],
            batches: [const { Batches::new() }; N],
        }
    }

    /// No requests; the words of `loom` cannot be made in constants.
    #[cfg(all(test, loom))]
    pub(super) fn new() -> Self {
        Self {
            news: AtomicBool::new(false),
            exists: core::array::from_fn(|_| AtomicBool::new(false)),
            batches: core::array::from_fn(|_| Batches::new()),
        }
    }

    /// Requests a task, at this time. A task that is requested again before it has begun runs once for both requests.
    pub fn make(&self, task: usize, at: Ticks) -> Result<(), NoSuchTask> {
        let exists = self.exists.get(task).is_some_and(|exists| exists.load(Ordering::Acquire));
        let (true, Some(batches)) = (exists, self.batches.get(task)) else {
            return Err(NoSuchTask { task, tasks: N });
        };
        batches.request(at);
        fence(Ordering::SeqCst);
        self.news.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Declares that there is a task with this number.
    pub(super) fn exists(&self, task: usize) {
        self.exists[task].store(true, Ordering::Release);
    }

    /// A word that is set whenever a request is made.
    pub(super) const fn news(&self) -> &AtomicBool {
        &self.news
    }

    /// Clears `news`. Looking at the requests after this finds all of them, or else `news` is set again.
    pub(super) fn take_news(&self) {
        if self.news.load(Ordering::Relaxed) {
            self.news.store(false, Ordering::Relaxed);
            fence(Ordering::SeqCst);
        }
    }

    /// The requests for one task.
    pub(super) const fn of(&self, task: usize) -> &Batches {
        &self.batches[task]
    }
}

#[cfg(not(all(test, loom)))]
impl<const N: usize> Default for Requests<N> {
    fn default() -> Self {
        Self::new()
    }
}

/// An error: a request for a task that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchTask {
    /// The requested number.
    pub task: usize,
    /// The number of tasks.
    pub tasks: usize,
}

impl fmt::Display for NoSuchTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no task {} was added; there is room for {}, counted from 0, the lowest priority",
            self.task, self.tasks
        )
    }
}

impl core::error::Error for NoSuchTask {}
