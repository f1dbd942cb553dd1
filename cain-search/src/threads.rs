//! Lends threads to searches.
//!
//! This crate starts no threads. A program that has some can lend them; here, those of rayon's current pool:
//!
//! ```
//! use rayon::prelude::*;
//!
//! cain_search::threads::lend(|count, task| (0..count).into_par_iter().for_each(task));
//! ```

use std::sync::{Mutex, OnceLock, PoisonError};

/// A function that does a task once with each number below `count`, in any order and on any threads, and returns when
/// all are done.
pub type Executor = fn(count: usize, task: &(dyn Fn(usize) + Sync));

static EXECUTOR: OnceLock<Executor> = OnceLock::new();

/// Lets all later searches of this process share their work among the threads of an executor; the programs they find
/// stay the same. Only the first call has an effect.
pub fn lend(executor: Executor) {
    EXECUTOR.get_or_init(|| executor);
}

/// Applies a function to every item; the results are in the order of the items, however many threads there are.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], function: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let Some(executor) = EXECUTOR.get().filter(|_| items.len() > 1) else {
        return items.iter().map(function).collect();
    };
    let results: Vec<_> = items.iter().map(|_| Mutex::new(None)).collect();
    executor(items.len(), &|at| {
        if let (Some(item), Some(result)) = (items.get(at), results.get(at)) {
            let done = function(item);
            *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        }
    });
    let results = results.into_iter().map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner));
    // An executor that leaves out numbers costs time but no results.
    results.zip(items).map(|(result, item)| result.unwrap_or_else(|| function(item))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_in_the_order_of_the_items() {
        // This executor runs backwards, and leaves out the last number.
        lend(|count, task| (0..count - 1).rev().for_each(task));
        assert_eq!(map(&[1, 2, 3, 4], |item| item * item), [1, 4, 9, 16]);
        assert_eq!(map(&[5], |item| item * item), [25]);
    }
}
