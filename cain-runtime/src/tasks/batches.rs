//! The requests for one task, and the time since which the first of them waits.

use super::Ticks;
use super::atomic::{AtomicU32, Ordering, fence};

/// The requests for one task, numbered from 1. Each run of the task serves a batch of them: all that came before the
/// run began.
///
/// The scheduler publishes which batch is open, and closes it when a run begins. The requester enters each request into
/// the batch that it sees open, so that both know the first request of a batch, even without compare-and-exchange: a
/// batch consists of the requests that were made while it was seen open.
///
/// Only one request can be late: one that was entered into a batch that has been closed in the meantime, and that the
/// scheduler has not seen. There is a fence after each request, and one before the scheduler counts a batch, so the
/// next request is entered into the batch that is open. So the first unserved request is a late one or the first of the
/// open batch. The times of both are kept until it is served:
///
/// - the time of the first request is overwritten when the next batch is seen;
/// - times of the last request alternate between two places, so that while a batch is open, the place of the batch
///   before it belongs to the request that may be late.
#[derive(Debug)]
pub(super) struct Batches {
    /// The open batch. Written by the scheduler.
    open: AtomicU32,
    /// The number of requests that were served. Written by the scheduler.
    served: AtomicU32,
    /// The number of the last request. Written by the requester, like everything below.
    made: AtomicU32,
    /// The batch that the requester has seen open.
    seen: AtomicU32,
    /// The first request of that batch.
    first: Request,
    /// The last request of a batch with an even number, and that of a batch with an odd number.
    last: [Request; 2],
}

/// One request.
#[derive(Debug)]
struct Request {
    number: AtomicU32,
    at: AtomicU32,
}

macro_rules! new {
    ($($keyword:ident)*) => {
        impl Batches {
            /// No requests; batch 0 is open and has not been seen yet.
            pub(super) $($keyword)* fn new() -> Self {
                Self {
                    open: AtomicU32::new(0),
                    served: AtomicU32::new(0),
                    made: AtomicU32::new(0),
                    seen: AtomicU32::new(u32::MAX),
                    first: Request::none(),
                    last: [Request::none(), Request::none()],
                }
            }
        }

        impl Request {
            $($keyword)* fn none() -> Self {
                Self { number: AtomicU32::new(0), at: AtomicU32::new(0) }
            }
        }
    };
}

#[cfg(not(all(test, loom)))]
new!(const);
#[cfg(all(test, loom))]
new!();

impl Batches {
    /// Adds a request. A full fence must follow before the next one.
    pub(super) fn request(&self, at: Ticks) {
        let number = self.made.load(Ordering::Relaxed).wrapping_add(1);
        let open = self.open.load(Ordering::Acquire);
        if self.seen.load(Ordering::Relaxed) != open {
            self.first.store(number, at);
            self.seen.store(open, Ordering::Release);
        }
        self.last(open).store(number, at);
        self.made.store(number, Ordering::Release);
    }

    /// Whether there is a request that has not been served.
    pub(super) fn is_requested(&self) -> bool {
        self.made.load(Ordering::Acquire) != self.served.load(Ordering::Relaxed)
    }

    /// Closes the open batch, whose requests count as served from now on. Returns their number and the time of the
    /// first.
    ///
    /// There must be a [request](Self::is_requested).
    pub(super) fn close(&self) -> (u32, Ticks) {
        let served = self.served.load(Ordering::Relaxed);
        let open = self.open.load(Ordering::Relaxed);
        let late = self.last(open.wrapping_sub(1));
        let is_late = late.number.load(Ordering::Relaxed) == served.wrapping_add(1);
        let since = if is_late { &late.at } else { &self.first.at }.load(Ordering::Relaxed);

        let next = open.wrapping_add(1);
        self.open.store(next, Ordering::Release);
        fence(Ordering::SeqCst);
        let made = self.made.load(Ordering::Acquire);
        // Requests that saw the next batch open already belong to it.
        let has_seen = self.seen.load(Ordering::Acquire) == next;
        let last = if has_seen { self.first.number.load(Ordering::Relaxed).wrapping_sub(1) } else { made };
        self.served.store(last, Ordering::Relaxed);
        (last.wrapping_sub(served), since)
    }

    fn last(&self, batch: u32) -> &Request {
        &self.last[(batch & 1) as usize]
    }
}

impl Request {
    fn store(&self, number: u32, at: Ticks) {
        self.number.store(number, Ordering::Relaxed);
        self.at.store(at, Ordering::Relaxed);
    }
}
