//! Worker threads.

use std::num::NonZeroUsize;

/// Does something with so many worker threads, or with one for each processor.
pub(crate) fn on_threads<T: Send>(threads: Option<NonZeroUsize>, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(0, NonZeroUsize::get)).build();
    match pool {
        Ok(pool) => pool.install(work),
        // The system gives no threads: then it takes longer.
        Err(_) => work(),
    }
}
