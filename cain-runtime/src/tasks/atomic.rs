//! Atomic words, loads and stores of which is all that a Cortex-M0 has.

#[cfg(not(test))]
pub(super) use core::sync::atomic::{AtomicBool, AtomicU32, Ordering, fence};
#[cfg(test)]
pub(super) use watched::{AtomicBool, AtomicU32, Ordering, fence};

/// The same for tests, in which something else may happen before each access: an interrupt, or where `loom` explores how
/// threads interleave, a switch to another one.
#[cfg(test)]
mod watched {
    #[cfg(not(loom))]
    use core::sync::atomic as words;
    #[cfg(loom)]
    use loom::sync::atomic as words;

    #[cfg(not(loom))]
    use super::super::interrupts::interrupt as before;
    pub(in super::super) use words::{Ordering, fence};

    #[cfg(loom)]
    loom::lazy_static! {
        static ref STEPS: words::AtomicU32 = words::AtomicU32::new(0);
    }

    /// Of accesses to one word `loom` remembers the last one only, and takes them for independent if that was the same
    /// thread's. So each of them counts a word up that all share, in no order with anything else.
    #[cfg(loom)]
    fn before() {
        STEPS.fetch_add(1, Ordering::Relaxed);
    }

    macro_rules! watched {
        ($($constant:ident)?: $name:ident($value:ty)) => {
            #[derive(Debug)]
            pub(in super::super) struct $name(words::$name);

            impl $name {
                pub(in super::super) $($constant)? fn new(value: $value) -> Self {
                    Self(words::$name::new(value))
                }

                pub(in super::super) fn load(&self, ordering: Ordering) -> $value {
                    before();
                    self.0.load(ordering)
                }

                pub(in super::super) fn store(&self, value: $value, ordering: Ordering) {
                    before();
                    self.0.store(value, ordering);
                }
            }
        };
    }

    #[cfg(not(loom))]
    watched!(const: AtomicBool(bool));
    #[cfg(not(loom))]
    watched!(const: AtomicU32(u32));
    #[cfg(loom)]
    watched!(: AtomicBool(bool));
    #[cfg(loom)]
    watched!(: AtomicU32(u32));
}
