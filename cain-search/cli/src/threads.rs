//! Worker threads.

use std::num::NonZeroUsize;

use clap::Args;
use rayon::prelude::*;

/// The most worker threads: more of them would only wait for each other, and each takes memory.
const MOST: usize = 1024;

/// The option `--threads`.
#[derive(Args, Clone, Copy, Default)]
pub(crate) struct Threads {
    /// Worker threads; they never change the result [default: one per processor]
    #[arg(long = "threads", value_name = "N", value_parser = threads)]
    pub(crate) count: Option<NonZeroUsize>,
}

impl Threads {
    /// Does something with this number of worker threads.
    pub(crate) fn run<T: Send>(self, work: impl FnOnce() -> T + Send) -> T {
        cain_search::threads::lend(|count, task| (0..count).into_par_iter().for_each(task));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.count.map_or(0, NonZeroUsize::get)).build();
        match pool {
            Ok(pool) => pool.install(work),
            // If the system provides no threads, the work takes longer but can still be done.
            Err(_) => work(),
        }
    }
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MOST);
    threads.ok_or_else(|| format!("expected a number from 1 to {MOST}"))
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
