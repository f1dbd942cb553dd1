//! Work on several threads.
//!
//! A pool is a number of threads that may run; there are none that wait for work. Whoever has work for others starts threads
//! for it, as many as are free, so that nested work takes no more threads than there are. An item of work is begun in its
//! turn, but may be done on any thread, and the results are in the order of the items.

use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, Scope};

use super::number::number;

/// The threads that may be started, beside those that run.
pub(crate) struct Pool(AtomicUsize);

thread_local! {
    /// The pool from which this thread takes others.
    static POOL: RefCell<Option<Arc<Pool>>> = const { RefCell::new(None) };
}

impl Pool {
    /// A pool of this many threads, the one that asks for it included.
    pub(crate) fn new(threads: usize) -> Arc<Self> {
        Arc::new(Self(AtomicUsize::new(threads.saturating_sub(1))))
    }

    /// Does something for which the threads of this pool are taken.
    pub(crate) fn install<T>(self: &Arc<Self>, work: impl FnOnce() -> T) -> T {
        let _before = Before(POOL.replace(Some(Arc::clone(self))));
        work()
    }

    /// The pool of this thread, or one of all processors.
    fn current() -> Arc<Self> {
        static ALL: OnceLock<Arc<Pool>> = OnceLock::new();
        let own = POOL.with_borrow(Option::clone);
        own.unwrap_or_else(|| Arc::clone(ALL.get_or_init(|| Self::new(number()))))
    }

    fn take(self: &Arc<Self>) -> Option<Taken> {
        let taken = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |free| free.checked_sub(1));
        taken.is_ok().then(|| Taken(Arc::clone(self)))
    }
}

/// The pool that a thread had before.
struct Before(Option<Arc<Pool>>);

impl Drop for Before {
    fn drop(&mut self) {
        POOL.set(self.0.take());
    }
}

/// A thread that is taken from a pool until this is dropped.
struct Taken(Arc<Pool>);

impl Drop for Taken {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A task that is done once with each number below `count`.
struct Job<'t> {
    pool: Arc<Pool>,
    count: usize,
    next: AtomicUsize,
    task: &'t (dyn Fn(usize) + Sync),
}

/// Does a task once with each number below `count`, on as many threads as are free. A panic of a task is one of this
/// function.
pub(crate) fn each(count: usize, task: &(dyn Fn(usize) + Sync)) {
    let job = Job { pool: Pool::current(), count, next: AtomicUsize::new(0), task };
    thread::scope(|scope| work(scope, &job));
}

/// Works on what nobody has begun, and fetches others for it.
fn work<'scope>(scope: &'scope Scope<'scope, '_>, job: &'scope Job<'_>) {
    loop {
        let at = job.next.fetch_add(1, Ordering::Relaxed);
        if at >= job.count {
            return;
        }
        if at + 1 < job.count
            && let Some(taken) = job.pool.take()
        {
            let help = move || taken.0.install(|| work(scope, job));
            // If the system provides no thread, the work takes longer but can still be done.
            let _ = thread::Builder::new().spawn_scoped(scope, help);
        }
        (job.task)(at);
    }
}

/// Applies a function to each item, given with its number.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], function: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
    let results: Vec<_> = items.iter().map(|_| Mutex::new(None)).collect();
    each(items.len(), &|at| {
        if let (Some(item), Some(result)) = (items.get(at), results.get(at)) {
            let done = function(at, item);
            *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        }
    });
    results.into_iter().filter_map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

/// Applies a function to each item, given with its number, until it fails. The error is that of the first item for which it
/// does.
pub(crate) fn try_map<T: Sync, R: Send, E: Send>(
    items: &[T],
    function: impl Fn(usize, &T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let failed = AtomicUsize::new(usize::MAX);
    let results = map(items, |at, item| {
        // What comes before may fail as well.
        let result = (at < failed.load(Ordering::Relaxed)).then(|| function(at, item));
        if let Some(Err(_)) = result {
            failed.fetch_min(at, Ordering::Relaxed);
        }
        result
    });
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::{Pool, each, map, try_map};
    use std::collections::BTreeSet;
    use std::panic::catch_unwind;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Barrier, Mutex};
    use std::thread;

    #[test]
    fn results_are_in_order() {
        let items: Vec<usize> = (0..1000).collect();
        for threads in [1, 2, 7] {
            let found = Pool::new(threads).install(|| map(&items, |at, item| (at, item * 3)));
            assert_eq!(found, items.iter().map(|item| (*item, item * 3)).collect::<Vec<_>>());
        }
        assert!(map(&[] as &[u8], |_, item| *item).is_empty());
    }

    #[test]
    fn the_first_error_is_told() {
        let items: Vec<usize> = (0..500).collect();
        for threads in [1, 4] {
            let failing = |_, item: &usize| if item % 100 == 57 { Err(*item) } else { Ok(()) };
            assert_eq!(Pool::new(threads).install(|| try_map(&items, failing)), Err(57));
        }
        assert_eq!(try_map(&items, |_, item| Ok::<_, ()>(*item)), Ok(items.clone()));
    }

    /// All threads of a pool meet, which they could not if there were fewer.
    #[test]
    fn as_many_threads_as_there_are() {
        let (meeting, names) = (Barrier::new(3), Mutex::new(BTreeSet::new()));
        Pool::new(3).install(|| {
            each(3, &|_| {
                meeting.wait();
                names.lock().unwrap().insert(format!("{:?}", thread::current().id()));
            });
        });
        assert_eq!(names.lock().unwrap().len(), 3);
    }

    #[test]
    fn nested_work_takes_no_more() {
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Pool::new(3).install(|| {
            each(6, &|_| {
                each(20, &|_| {
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    thread::yield_now();
                    running.fetch_sub(1, Ordering::SeqCst);
                });
            });
        });
        assert!((1..=3).contains(&most.load(Ordering::SeqCst)), "{most:?}");
    }

    /// Threads that end, even by a panic, can be taken again.
    #[test]
    fn panics_are_passed_on() {
        let pool = Pool::new(2);
        for _ in 0..3 {
            let result = catch_unwind(|| {
                pool.install(|| {
                    each(10, &|at| assert!(at != 7, "seven"));
                });
            });
            assert!(result.is_err());
        }
        let meeting = Barrier::new(2);
        pool.install(|| {
            each(2, &|_| {
                meeting.wait();
            });
        });
    }
}
