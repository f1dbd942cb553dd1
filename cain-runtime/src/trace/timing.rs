//! Time and energy of words.

use crate::isa::{Clock, EVENT_TIME, SCANNED_BYTE_TIME, Times, Word};

/// How many words of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally([u64; Clock::ALL.len()]);

impl Tally {
    /// No words.
    pub const ZERO: Self = Self([0; Clock::ALL.len()]);

    /// Counts a word.
    pub fn count(&mut self, word: &Word) {
        self.0[word.clock() as usize] += 1;
    }

    /// Words at that clock.
    #[must_use]
    pub const fn at(&self, clock: Clock) -> u64 {
        self.0[clock as usize]
    }

    /// All words.
    #[must_use]
    pub fn words(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Whether there are no words but those that run at high speed when they have a program to themselves.
    #[must_use]
    pub const fn is_high_speed(&self) -> bool {
        self.at(Clock::Analogue) == 0 && self.at(Clock::Propagation) == 0
    }

    /// The words counted since `before`, an earlier copy of this tally.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        let mut more = *self;
        more.0.iter_mut().zip(before.0).for_each(|(count, before)| *count = count.saturating_sub(before));
        more
    }

    /// Adds the words of another.
    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(count, other)| *count += other);
    }
}

/// How long words and readouts take, in microseconds, and what power the chip draws meanwhile.
///
/// ```
/// use cain_runtime::trace::Timing;
///
/// let overclocked = Timing { analogue: 0.1, ..Timing::SCAMP5 };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// An analogue word.
    pub analogue: f32,
    /// A digital word in a program with analogue words.
    pub digital: f32,
    /// A digital word that reads neighbours, in a program with analogue words.
    pub neighbours: f32,
    /// A word that propagates.
    pub propagation: f32,
    /// A digital word in a program without analogue words and propagation.
    pub high_speed: f32,
    /// One value of an analogue scan.
    pub scanned_value: f32,
    /// A byte of a digital scan: eight bits.
    pub scanned_bits: f32,
    /// One place of a list of events, whether used or not.
    pub event: f32,
    /// The 16 sums over blocks of [`sum_16`](crate::io::ArrayIo::sum_16).
    pub sum_16: f32,
    /// The 64 sums over blocks of [`sum_64`](crate::io::ArrayIo::sum_64), or the 64 means of
    /// [`scan_means`](crate::io::ArrayIo::scan_means).
    pub sum_64: f32,
    /// Any other input or readout of the controller, but for frames.
    pub other_io: f32,
    /// The power of the array, in watts.
    pub array_watts: f32,
    /// The power of the board with its controller, in watts.
    pub board_watts: f32,
}

impl Timing {
    /// SCAMP-5 at 10 MHz: the words as in [`Times::SCAMP5`].
    ///
    /// Bose et al. (ECCV 2020) have the powers: 1.25 W for the array at full rate and 0.75 W for the board; the array
    /// alone then takes 0.24 µJ for an analogue word.
    ///
    /// Of readouts, the library headers have 14 and 28 µs for the two sums over blocks; of scans and events see
    /// [`SCANNED_BYTE_TIME`] and [`EVENT_TIME`]. There are no figures for the others: the means of 64 blocks are taken to last
    /// as long as their sums, and the rest as 0.
    pub const SCAMP5: Self = Self {
        analogue: 0.0,
        digital: 0.0,
        neighbours: 0.0,
        propagation: 0.0,
        high_speed: 0.0,
        scanned_value: SCANNED_BYTE_TIME,
        scanned_bits: SCANNED_BYTE_TIME,
        event: EVENT_TIME,
        sum_16: 14.0,
        sum_64: 28.0,
        other_io: 0.0,
        array_watts: 1.25,
        board_watts: 0.75,
    }
    .of_words(&Times::SCAMP5);

    /// The same with words that take so long; inputs, readouts and powers stay as they are.
    ///
    /// ```
    /// use cain_runtime::isa::{Machine, Times};
    /// use cain_runtime::trace::Timing;
    ///
    /// let fast = Machine { times: Times { analogue: 50, ..Times::SCAMP5 }, ..Machine::SCAMP5 };
    /// assert_eq!(Timing::SCAMP5.of_words(&fast.times).analogue, 0.05);
    /// ```
    #[must_use]
    pub const fn of_words(self, times: &Times) -> Self {
        Self {
            analogue: microseconds(times.analogue),
            digital: microseconds(times.digital),
            neighbours: microseconds(times.neighbours),
            propagation: microseconds(times.propagation),
            high_speed: microseconds(times.high_speed),
            ..self
        }
    }

    /// The time of one word among analogue ones, in microseconds.
    #[must_use]
    pub const fn of(&self, clock: Clock) -> f32 {
        match clock {
            Clock::Analogue => self.analogue,
            Clock::Digital => self.digital,
            Clock::Neighbours => self.neighbours,
            Clock::Propagation => self.propagation,
        }
    }

    /// The time of a program of these words, in microseconds.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "2^53 words take 54 years")]
    pub fn microseconds(&self, program: &Tally) -> f64 {
        if program.is_high_speed() {
            return program.words() as f64 * f64::from(self.high_speed);
        }
        Clock::ALL.iter().map(|&clock| program.at(clock) as f64 * f64::from(self.of(clock))).sum()
    }

    /// The energy that array and board take in that many microseconds, in microjoules.
    #[must_use]
    pub fn microjoules(&self, microseconds: f64) -> f64 {
        microseconds * f64::from(self.array_watts + self.board_watts)
    }
}

#[expect(clippy::cast_precision_loss, reason = "exact below 16 ms")]
const fn microseconds(nanoseconds: u32) -> f32 {
    nanoseconds as f32 / 1000.0
}

impl Default for Timing {
    fn default() -> Self {
        Self::SCAMP5
    }
}
