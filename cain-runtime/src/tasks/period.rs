//! Periodic requests, made by the clock.

use core::num::NonZeroU32;

use super::{LONGEST, Ticks};

/// Requests a task periodically.
#[derive(Clone, Copy, Debug)]
pub(super) struct Period {
    every: NonZeroU32,
    /// When the next request is due.
    next: Ticks,
    /// The number of requests that have not been served.
    waiting: u32,
    /// The time at which the first of these was due.
    since: Ticks,
}

impl Period {
    /// A period whose first request is due at time `first`. It must not be longer than [`LONGEST`].
    pub(super) const fn new(every: NonZeroU32, first: Ticks) -> Self {
        Self { every, next: first, waiting: 0, since: first }
    }

    /// Makes the requests that are due. The next due time is less than half of the clock's range ahead, so it can be
    /// distinguished from a due time that has passed.
    pub(super) fn look(&mut self, now: Ticks) {
        let late = now.wrapping_sub(self.next);
        if late > LONGEST {
            return;
        }
        if self.waiting == 0 {
            self.since = self.next;
        }
        // Processors without a division instruction need a division only if more than one request is due.
        let more = if late < self.every.get() { 0 } else { late / self.every };
        self.waiting = self.waiting.saturating_add(more).saturating_add(1);
        self.next = self.next.wrapping_add(more.wrapping_mul(self.every.get())).wrapping_add(self.every.get());
    }

    pub(super) const fn is_requested(&self) -> bool {
        self.waiting > 0
    }

    /// Marks all requests as served; returns their number, and when the first was due.
    pub(super) const fn close(&mut self) -> Option<(u32, Ticks)> {
        if self.waiting == 0 {
            return None;
        }
        let closed = (self.waiting, self.since);
        self.waiting = 0;
        Some(closed)
    }
}
