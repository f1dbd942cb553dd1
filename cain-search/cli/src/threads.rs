//! Worker threads.

use std::num::NonZeroUsize;

/// More of them would only wait for each other, and each takes memory.
const MOST: usize = 1024;

/// The value of `--threads`.
pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MOST);
    threads.ok_or_else(|| format!("expected a number from 1 to {MOST}"))
}

/// Does something with so many worker threads, or with one for each processor.
pub(crate) fn on_threads<T: Send>(threads: Option<NonZeroUsize>, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(0, NonZeroUsize::get)).build();
    match pool {
        Ok(pool) => pool.install(work),
        // The system gives no threads: then it takes longer.
        Err(_) => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::threads;

    #[test]
    fn numbers_of_threads() {
        assert_eq!(threads("1024").map(std::num::NonZeroUsize::get), Ok(1024));
        for text in ["0", "1025", "", "-1", "x", "99999999999999999999"] {
            assert!(threads(text).is_err(), "{text}");
        }
    }
}
