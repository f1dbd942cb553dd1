//! Clocks and times.

use core::sync::atomic::{AtomicU32, Ordering};

use crate::io::ArrayIo;
use crate::io::delegate::delegate;
use crate::isa::{Bit, HostController, Reg, Times, Word};
use crate::program::PlaneIo;

/// A time in ticks of the caller's clock, which wraps around. Times that are compared must be at most [`LONGEST`]
/// apart.
pub type Ticks = u32;

/// The longest period, deadline or wait, in ticks: the clock wraps around, so for two times further apart it is unknown
/// which is the later one.
pub const LONGEST: Ticks = Ticks::MAX / 2;

/// The time that has passed since `since`; 0 if that is yet to come, as may be the case if another clock reported it.
pub(super) const fn elapsed(now: Ticks, since: Ticks) -> Ticks {
    let elapsed = now.wrapping_sub(since);
    if elapsed > LONGEST { 0 } else { elapsed }
}

/// A source of time.
///
/// A word that an interrupt handler increments is a clock; a timer of the controller becomes one with a few lines of
/// user code.
pub trait Clock {
    /// The current time.
    fn now(&self) -> Ticks;
}

impl Clock for &AtomicU32 {
    fn now(&self) -> Ticks {
        self.load(Ordering::Relaxed)
    }
}

/// A controller that derives a clock from the words that it sends, with the time on the chip in nanoseconds, and that
/// calls a handler after each word, since interrupts come between words.
///
/// It serves simulations, where nothing else measures time. Waiting for frames and reading out take no time here.
#[derive(Debug)]
pub struct Ticking<'c, H, F> {
    controller: H,
    clock: &'c AtomicU32,
    times: Times,
    handler: F,
}

impl<'c, H, F: FnMut(Ticks)> Ticking<'c, H, F> {
    /// A controller that adds to `clock` how long the words sent to `controller` take.
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

/// Planes that the host gives take no time: the chip has no such function.
impl<H: PlaneIo, F: FnMut(Ticks)> PlaneIo for Ticking<'_, H, F> {
    fn give_levels(&mut self, register: Reg, levels: &[i8]) -> Result<(), H::Error> {
        self.controller.give_levels(register, levels)
    }

    fn give_bits(&mut self, bit: Bit, bits: &[bool]) -> Result<(), H::Error> {
        self.controller.give_bits(bit, bits)
    }
}

impl<H: ArrayIo, F: FnMut(Ticks)> ArrayIo for Ticking<'_, H, F> {
    delegate!(controller this => this.controller);

    fn wait_for_frame(&mut self) -> Result<(), H::Error> {
        self.controller.wait_for_frame()
    }
}
