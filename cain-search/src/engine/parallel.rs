//! Work on several threads, if the feature `parallel` is on.

/// Applies a function to every item; the results come in the order of the items, however many threads there are.
///
/// With the feature `parallel` the threads are those of the current rayon pool.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], function: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "parallel")]
    if items.len() > 1 && rayon::current_num_threads() > 1 {
        use rayon::prelude::*;
        return items.par_iter().map(function).collect();
    }
    items.iter().map(function).collect()
}
