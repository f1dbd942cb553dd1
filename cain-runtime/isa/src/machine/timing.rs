//! The durations of words and read-outs.

use crate::{Clock, Word};

/// The time that a place in the controller's list of events takes on SCAMP-5, used or not, in microseconds: the
/// published 273 µs for three lists of 100, which include some work of the controller (CNNs-on-FPSPs).
pub const EVENT_TIME: f32 = 273.0 / 300.0;

/// The time that SCAMP-5 takes to scan a byte, in microseconds: what 60 frames per second of 256×256 values leave for
/// each (documentation of SCAMP-5d).
///
/// There is no figure for eight bits of a digital scan, which are taken to last as long.
pub const SCANNED_BYTE_TIME: f32 = 1e6 / (60.0 * 65536.0);

/// The numbers of words of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally([u64; Clock::ALL.len()]);

impl Tally {
    /// A tally of no words.
    pub const ZERO: Self = Self([0; Clock::ALL.len()]);

    /// Counts a word.
    pub fn count(&mut self, word: &Word) {
        self.0[word.clock() as usize] += 1;
    }

    /// The number of words at this clock.
    #[must_use]
    pub const fn at(&self, clock: Clock) -> u64 {
        self.0[clock as usize]
    }

    /// The number of all words.
    #[must_use]
    pub fn words(&self) -> u64 {
        self.0.iter().copied().fold(0, u64::saturating_add)
    }

    /// Whether all words are of the kind that runs at high speed in a program without other words.
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

    /// The words of so many passes.
    #[must_use]
    pub fn times(mut self, passes: u64) -> Self {
        self.0.iter_mut().for_each(|count| *count = count.saturating_mul(passes));
        self
    }

    /// Adds the words of another tally.
    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(count, other)| *count = count.saturating_add(other));
    }
}

impl FromIterator<Word> for Tally {
    fn from_iter<I: IntoIterator<Item = Word>>(words: I) -> Self {
        let mut tally = Self::ZERO;
        words.into_iter().for_each(|word| tally.count(&word));
        tally
    }
}

/// How long control words take, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Times {
    /// The duration of an analogue word.
    pub analogue: u32,
    /// The duration of a digital word in a program with analogue words.
    pub digital: u32,
    /// The duration of a digital word that reads neighbours, in a program with analogue words.
    pub neighbours: u32,
    /// The duration of a word that propagates.
    pub propagation: u32,
    /// The duration of a digital word in a program without analogue words and propagation.
    pub high_speed: u32,
}

impl Times {
    /// SCAMP-5 at 10 MHz.
    ///
    /// An analogue word takes two periods of the clock: Stow et al. 2022 measured programs of 48 ICWs in 9 µs and of
    /// 180 ICWs in 35 µs, 188 and 194 ns each. The vendor's library sends the other words of the same program at the
    /// same rate, and programs without analogue words faster; a word of those is taken to last one period, which agrees
    /// with the published 1 µs for a handful of them (Bose et al., "Fully embedding fast convolutional networks on
    /// pixel processor arrays", ECCV 2020).
    pub const SCAMP5: Self = Self { analogue: 190, digital: 190, neighbours: 190, propagation: 190, high_speed: 100 };

    /// The time of a program of these words, in nanoseconds.
    ///
    /// A program is a sequence of words that is launched at once: between two programs the controller selects PEs, sets
    /// a level or reads out.
    #[must_use]
    pub fn of_program(&self, program: &Tally) -> u64 {
        if program.is_high_speed() {
            return program.words().saturating_mul(self.high_speed.into());
        }
        let times = Clock::ALL.iter().map(|&clock| program.at(clock).saturating_mul(self.of(clock).into()));
        times.fold(0, u64::saturating_add)
    }

    /// The duration of one word in a program with analogue words.
    #[must_use]
    pub const fn of(&self, clock: Clock) -> u32 {
        match clock {
            Clock::Analogue => self.analogue,
            Clock::Digital => self.digital,
            Clock::Neighbours => self.neighbours,
            Clock::Propagation => self.propagation,
        }
    }
}
