//! Requests by the clock.

use core::num::NonZeroU32;

use super::{LONGEST, Ticks};

/// Requests a task again and again, as the clock says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Period {
    every: NonZeroU32,
    /// When the next request is due.
    next: Ticks,
    /// How many requests are not served.
    waiting: u32,
    /// When the first of these was due.
    since: Ticks,
}

impl Period {
    /// The first request is due at that time. The period is not longer than [`LONGEST`].
    pub(super) const fn new(every: NonZeroU32, first: Ticks) -> Self {
        Self { every, next: first, waiting: 0, since: first }
    }

    /// Makes what requests are due. What is due next is less than half of what the clock can tell ahead, so that it is
    /// told from what is due now.
    pub(super) fn look(&mut self, now: Ticks) {
        let late = now.wrapping_sub(self.next);
        if late > LONGEST {
            return;
        }
        if self.waiting == 0 {
            self.since = self.next;
        }
        // Processors without division need it only when more than one request is due.
        let more = if late < self.every.get() { 0 } else { late / self.every };
        self.waiting = self.waiting.saturating_add(more).saturating_add(1);
        self.next = self.next.wrapping_add(more.wrapping_mul(self.every.get())).wrapping_add(self.every.get());
    }

    pub(super) const fn is_requested(&self) -> bool {
        self.waiting > 0
    }

    /// Requests count as served from now on: how many these are, and when the first was due.
    pub(super) const fn close(&mut self) -> Option<(u32, Ticks)> {
        if self.waiting == 0 {
            return None;
        }
        let closed = (self.waiting, self.since);
        self.waiting = 0;
        Some(closed)
    }
}
