//! The time and energy of words and readouts.

use crate::isa::{Clock, EVENT_TIME, SCANNED_BYTE_TIME, Tally, Times};

/// How long words and readouts take, in microseconds, and the power that the chip draws.
///
/// ```
/// use cain_runtime::isa::Times;
/// use cain_runtime::trace::Timing;
///
/// let overclocked = Timing { words: Times { analogue: 100, ..Times::SCAMP5 }, ..Timing::SCAMP5 };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// The times of words.
    pub words: Times,
    /// The time of one value of an analogue scan.
    pub scanned_value: f32,
    /// The time of one byte of a digital scan, which has eight bits.
    pub scanned_bits: f32,
    /// The time of one place of a list of events, whether used or not.
    pub event: f32,
    /// The time of the 16 sums over blocks of [`sum_16`](crate::io::ArrayIo::sum_16).
    pub sum_16: f32,
    /// The time of the 64 sums over blocks of [`sum_64`](crate::io::ArrayIo::sum_64), or of the 64 means of
    /// [`scan_means`](crate::io::ArrayIo::scan_means).
    pub sum_64: f32,
    /// The time of any other input or readout of the controller, except frames.
    pub other_io: f32,
    /// The power of the array, in watts.
    pub array_watts: f32,
    /// The power of the board with its controller, in watts.
    pub board_watts: f32,
}

impl Timing {
    /// SCAMP-5 at 10 MHz: the words as in [`Times::SCAMP5`].
    ///
    /// The powers are those of Bose et al. (ECCV 2020): 1.25 W for the array at full rate and 0.75 W for the board; the
    /// array alone then takes 0.24 µJ for an analogue word.
    ///
    /// For readouts, the library headers give 14 and 28 µs for the two kinds of sums over blocks; for scans and events
    /// see [`SCANNED_BYTE_TIME`] and [`EVENT_TIME`]. There are no figures for the others: the means of 64 blocks are
    /// taken to last as long as their sums, and the rest as 0.
    pub const SCAMP5: Self = Self {
        words: Times::SCAMP5,
        scanned_value: SCANNED_BYTE_TIME,
        scanned_bits: SCANNED_BYTE_TIME,
        event: EVENT_TIME,
        sum_16: 14.0,
        sum_64: 28.0,
        other_io: 0.0,
        array_watts: 1.25,
        board_watts: 0.75,
    };

    /// The time of one word in a program with analogue words, in microseconds.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "exact below 16 ms")]
    pub const fn of(&self, clock: Clock) -> f32 {
        self.words.of(clock) as f32 / 1000.0
    }

    /// The time of a program of these words, in microseconds.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "2^53 nanoseconds are 104 days")]
    pub fn microseconds(&self, program: &Tally) -> f64 {
        self.words.of_program(program) as f64 / 1000.0
    }

    /// The energy that array and board take in this many microseconds, in microjoules.
    #[must_use]
    pub fn microjoules(&self, microseconds: f64) -> f64 {
        microseconds * f64::from(self.array_watts + self.board_watts)
    }
}

impl Default for Timing {
    fn default() -> Self {
        Self::SCAMP5
    }
}
