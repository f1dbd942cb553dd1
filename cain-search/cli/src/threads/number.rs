//! How many threads work.

use std::num::NonZeroUsize;
use std::{env, thread};

/// The environment variable that sets the number of threads where no option does.
const VARIABLE: &str = "CAIN_THREADS";
/// The most worker threads: more of them would only wait for each other, and each takes memory.
const MOST: usize = 1024;

/// The number of threads where no option sets one.
pub(super) fn number() -> usize {
    let set = env::var(VARIABLE).ok().and_then(|text| threads(&text).ok());
    set.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

/// A number of threads as options have it.
pub(super) fn threads(text: &str) -> Result<NonZeroUsize, String> {
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
