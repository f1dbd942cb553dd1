//! Time.

use core::sync::atomic::{AtomicU32, Ordering};

use crate::io::ArrayIo;
use crate::io::delegate::delegate;
use crate::isa::{HostController, Times, Word};

/// A time in ticks of the caller's clock, which wraps around. Times that are compared lie at most [`LONGEST`] apart.
pub type Ticks = u32;

/// The longest period, deadline or wait, in ticks: the clock wraps around, so that of two times that lie further apart
/// nobody knows which is the later one.
pub const LONGEST: Ticks = Ticks::MAX / 2;

/// How long ago that was; nothing if it is yet to come, as it may be where another clock told it.
pub(super) const fn elapsed(now: Ticks, since: Ticks) -> Ticks {
    let elapsed = now.wrapping_sub(since);
    if elapsed > LONGEST { 0 } else { elapsed }
}

/// Tells the time.
///
/// A word that an interrupt handler counts up is a clock; a timer of the controller is another, behind a few lines of
/// the user's.
pub trait Clock {
    /// The time now.
    fn now(&self) -> Ticks;
}

impl Clock for &AtomicU32 {
    fn now(&self) -> Ticks {
        self.load(Ordering::Relaxed)
    }
}

/// A controller that keeps a clock by the words that it sends, the time on the chip in nanoseconds, and calls a handler
/// after each word, as interrupts come between words.
///
/// It serves simulations, where nothing else tells the time. Waiting for frames and reading out take no time here.
#[derive(Debug)]
pub struct Ticking<'c, H, F> {
    controller: H,
    clock: &'c AtomicU32,
    times: Times,
    handler: F,
}

impl<'c, H, F: FnMut(Ticks)> Ticking<'c, H, F> {
    /// Counts on `clock` how long words take that are sent to `controller`.
    pub const fn new(controller: H, clock: &'c AtomicU32, times: Times, handler: F) -> Self {
        Self { controller, clock, times, handler }
    }

    /// The controller.
    pub const fn controller_mut(&mut self) -> &mut H {
        &mut self.controller
    }
}

impl<H: HostController, F: FnMut(Ticks)> HostController for Ticking<'_, H, F> {
    type Error = H::Error;

    fn issue(&mut self, word: Word) -> Result<(), H::Error> {
        self.controller.issue(word)?;
        let now = self.clock.now().wrapping_add(self.times.of(word.clock()));
        self.clock.store(now, Ordering::Relaxed);
        (self.handler)(now);
        Ok(())
    }
}

impl<H: ArrayIo, F: FnMut(Ticks)> ArrayIo for Ticking<'_, H, F> {
    delegate!(controller this => this.controller);

    fn wait_for_frame(&mut self) -> Result<(), H::Error> {
        self.controller.wait_for_frame()
    }
}
