//! Requests for tasks, from interrupt handlers, other threads, or a clock.

use core::fmt;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// A time in ticks of the caller's clock, which wraps around. Times that are compared lie less than 2^31 ticks apart.
pub type Ticks = u32;

/// What there is to do: one counter for each of `N` tasks, which are numbered by priority, the highest last.
///
/// It needs nothing but loads and stores of atomic words, so that it works on processors without more, such as a
/// Cortex-M0. Each task's requests must come from one place at a time: one interrupt handler, one thread.
///
/// ```
/// use cain_runtime::tasks::Requests;
///
/// static REQUESTS: Requests<2> = Requests::new();
/// // In the interrupt handler of a timer, with the time at which it fired; nobody has added a task yet:
/// assert!(REQUESTS.make(1, 1_250).is_err());
/// ```
#[derive(Debug)]
pub struct Requests<const N: usize> {
    /// Whether any request may have come since this was last looked at; set after what it announces.
    pub(super) news: AtomicBool,
    exists: [AtomicBool; N],
    made: [AtomicU32; N],
    at: [AtomicU32; N],
}

impl<const N: usize> Requests<N> {
    /// No requests.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            news: AtomicBool::new(false),
            exists: [const { AtomicBool::new(false) }; N],
            made: [const { AtomicU32::new(0) }; N],
            at: [const { AtomicU32::new(0) }; N],
        }
    }

    /// Requests a task, at that time. A task that is requested again before it has begun runs once for both.
    pub fn make(&self, task: usize, at: Ticks) -> Result<(), NoSuchTask> {
        let exists = self.exists.get(task).is_some_and(|exists| exists.load(Ordering::Acquire));
        let (true, Some(made), Some(time)) = (exists, self.made.get(task), self.at.get(task)) else {
            return Err(NoSuchTask { task, tasks: N });
        };
        time.store(at, Ordering::Relaxed);
        made.store(made.load(Ordering::Relaxed).wrapping_add(1), Ordering::Release);
        self.news.store(true, Ordering::Release);
        Ok(())
    }

    /// From now on there is that task.
    pub(super) fn exists(&self, task: usize) {
        self.exists[task].store(true, Ordering::Release);
    }

    /// How often a task was requested, and when for the last time.
    pub(super) fn of(&self, task: usize) -> (u32, Ticks) {
        let made = self.made[task].load(Ordering::Acquire);
        (made, self.at[task].load(Ordering::Relaxed))
    }
}

impl<const N: usize> Default for Requests<N> {
    fn default() -> Self {
        Self::new()
    }
}

/// A request for a task that there is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchTask {
    /// The number asked for.
    pub task: usize,
    /// How many there are.
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
