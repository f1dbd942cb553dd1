//! Passing one input to a target, whatever happens there.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

use peak_alloc::PeakAlloc;

use crate::{Target, Verdict};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

thread_local! {
    /// Where the last panic of the thread was.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps panics from being printed; they are faults, and reported as such.
pub fn be_quiet() {
    panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        PLACE.with_borrow_mut(|last| *last = place);
    }));
}

/// What the target thinks of an input, or the fault that the input finds: a panic, more memory than the target may take,
/// or what the target's oracle says.
pub fn judge(target: &Target, input: &[u8]) -> Result<Verdict, String> {
    let (result, taken) = memory_of(|| panic::catch_unwind(AssertUnwindSafe(|| (target.check)(input))));
    let verdict = result.unwrap_or_else(|panic| Err(format!("panic at {}: {}", PLACE.take(), message(&*panic))))?;
    if taken > target.memory {
        return Err(format!("it took {taken} MiB of memory; at most {} are allowed", target.memory));
    }
    Ok(verdict)
}

/// What the work results in, and the most memory that it took, in MiB.
pub(crate) fn memory_of<R>(work: impl FnOnce() -> R) -> (R, u64) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = work();
    (result, MEMORY.peak_usage().saturating_sub(before) as u64 >> 20)
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
