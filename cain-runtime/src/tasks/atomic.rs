//! Atomic words, used only by loads and stores, since a Cortex-M0 has nothing else.

#[cfg(not(test))]
pub(super) use core::sync::atomic::{AtomicBool, AtomicU32, Ordering, fence};
#[cfg(test)]
pub(super) use watched::{AtomicBool, AtomicU32, Ordering, fence};

/// Atomic words for tests, in which something else may happen before each access: an interrupt or, where `loom`
/// explores how threads interleave, a switch to another thread.
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

    /// For each word `loom` remembers only the last access, and takes accesses as independent if that was by the same
    /// thread. So each access increments a word that all share, without any ordering.
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
