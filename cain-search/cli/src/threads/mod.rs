//! Worker threads.

mod number;
mod pool;

use std::num::NonZeroUsize;

use clap::Args;

use number::{number, threads};
use pool::Pool;
#[cfg(feature = "onnx")]
pub(crate) use pool::map;
pub(crate) use pool::try_map;

/// The option `--threads`.
#[derive(Args, Clone, Copy, Default)]
pub(crate) struct Threads {
    /// Worker threads; they never change the result [default: one per processor]
    #[arg(long = "threads", value_name = "N", value_parser = threads)]
    pub(crate) count: Option<NonZeroUsize>,
}

impl Threads {
    /// Does something with this number of worker threads.
    pub(crate) fn run<T>(self, work: impl FnOnce() -> T) -> T {
        cain_search::threads::lend(pool::each);
        Pool::new(self.number()).install(work)
    }

    /// The number of worker threads.
    pub(crate) fn number(self) -> usize {
        self.count.map_or_else(number, NonZeroUsize::get)
    }
}
