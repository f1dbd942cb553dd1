//! Passes one input to a target and catches every kind of fault.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Mutex;

use crate::memory::memory_of;
use crate::{Target, Verdict, targets};

/// The place of the last panic. Searches work on threads of their own.
static PLACE: Mutex<String> = Mutex::new(String::new());

/// Keeps panics from being printed; they are faults, and reported as such.
pub fn be_quiet() {
    panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        if let Ok(mut last) = PLACE.lock() {
            *last = place;
        }
    }));
}

/// The target's verdict on an input, or the fault that the input finds: a panic, more memory than the target may take,
/// or the judgement of the target's oracle.
pub fn judge(target: &Target, input: &[u8]) -> Result<Verdict, String> {
    let (result, taken) = memory_of(|| panic::catch_unwind(AssertUnwindSafe(|| (target.check)(input))));
    let verdict = result.unwrap_or_else(|panic| Err(format!("panic at {}: {}", place(), message(&*panic))))?;
    if taken > target.memory {
        return Err(format!("it took {taken} MiB of memory; at most {} are allowed", target.memory));
    }
    Ok(verdict)
}

/// Passes an input to the target of that name.
///
/// # Panics
///
/// If it finds a fault, which is how fuzzers want to be told, or if there is no such target.
pub fn expect(name: &str, input: &[u8]) {
    let target = targets::find(name).unwrap_or_else(|| panic!("no target `{name}`"));
    if let Err(fault) = judge(target, input) {
        panic!("{name}: {fault}");
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

fn place() -> String {
    PLACE.lock().map(|place| place.clone()).unwrap_or_default()
}
