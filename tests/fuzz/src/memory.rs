//! The peak memory of a piece of work.

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The result of the work, and its peak memory in MiB.
pub(crate) fn memory_of<R>(work: impl FnOnce() -> R) -> (R, u64) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = work();
    (result, MEMORY.peak_usage().saturating_sub(before) as u64 >> 20)
}
