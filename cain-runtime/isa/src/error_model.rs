//! The errors of a chip: how the arithmetic of the array differs from exact arithmetic.

use core::fmt;

use crate::Fraction;

/// A model of the errors of analogue transfers: what a cell holds after a word has written it.
///
/// With K destinations and the exact value v = −(sum of the sources)/K a cell becomes
///
/// ```text
/// range( v · (1 ± mismatch) · (gain + fixed gain) · (1 + relative noise) + offset[K] + fixed offset + noise )
/// ```
///
/// where `fixed` quantities are drawn once per PE and cell (a fixed pattern: the same at every use) and `noise` at every
/// write. All draws are normal with mean 0. Values are in DN, the chip's 8-bit scale. The simulator draws them, and the
/// prediction of a program's accuracy follows them through the program.
///
/// The fields are public: start from one of the models below and change what you know better.
///
/// ```
/// use cain_isa::{ErrorModel, Saturation};
///
/// let noisy = ErrorModel { fixed_gain: 0.01, saturation: Saturation::Soft, ..ErrorModel::measured() };
/// assert!(noisy.fixed_gain > ErrorModel::measured().fixed_gain);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorModel {
    /// The value that arrives when 1 DN is transferred.
    pub gain: f32,
    /// The constant that a transfer adds, in DN, for one, two and three destinations.
    ///
    /// A macro instruction inverts twice, so the first of these cancels (up to the gain); after divisions, the
    /// difference of the others from it remains.
    pub offset: [f32; 3],
    /// The mismatch of two destinations: the first receives this share of its half more, and the second as much less.
    pub mismatch: f32,
    /// The standard deviation of the gain over PEs and cells.
    pub fixed_gain: f32,
    /// The standard deviation of the offset over PEs and cells, in DN.
    pub fixed_offset: f32,
    /// The standard deviation of the noise of a write, relative to the value written.
    pub relative_noise: f32,
    /// The standard deviation of the noise of a write, in DN.
    pub noise: f32,
    /// The standard deviation of the noise of converting a value for reading out, in DN.
    pub readout_noise: f32,
    /// What happens at the ends of the range.
    pub saturation: Saturation,
    /// How stored values change with time.
    pub drift: Drift,
}

/// What so many errors of transfers to one, two and three cells add up to, in DN, given these errors.
#[must_use]
pub fn transfer_error(counts: &[Fraction; 3], errors: [f32; 3]) -> f64 {
    counts.iter().zip(errors).map(|(count, error)| count.to_f64() * f64::from(error)).sum()
}

/// The level that stands for one to which so many errors of transfers are added, on a chip with these errors.
#[must_use]
pub fn compensated_level(level: i8, counts: &[Fraction; 3], errors: [f32; 3]) -> i8 {
    nearest_level(f64::from(level) + transfer_error(counts, errors))
}

/// The level that the controller can set which is nearest to a value, halves away from 0; there is no `round` without the
/// standard library.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "saturates")]
pub fn nearest_level(value: f64) -> i8 {
    (value + if value < 0.0 { -0.5 } else { 0.5 }) as i8
}

/// The behaviour of a cell for values beyond its range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Saturation {
    /// None: every value is held.
    #[default]
    None,
    /// Values are clamped to the [`Range`](crate::Range) of the machine.
    Hard,
    /// Values are unchanged up to three quarters of the range, and beyond bend towards its ends, which they never
    /// reach.
    ///
    /// The chip saturates softly, but the shape of its curve is not published; this one is x/(1 + x) beyond the knee.
    Soft,
}

/// A steady change of every value that is stored and not rewritten.
///
/// It is documented that stored values drift, but no figure is: the model is a placeholder for measurements of a chip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drift {
    /// The speed of the change, in DN per microsecond; 0 turns drift off.
    pub rate: f32,
    /// The level towards which values drift, in DN.
    pub level: f32,
}

impl ErrorModel {
    /// A model without errors, as exact as `f32`; values may exceed the range of the chip.
    #[must_use]
    pub const fn ideal() -> Self {
        Self {
            gain: 1.0,
            offset: [0.0; 3],
            mismatch: 0.0,
            fixed_gain: 0.0,
            fixed_offset: 0.0,
            relative_noise: 0.0,
            noise: 0.0,
            readout_noise: 0.0,
            saturation: Saturation::None,
            drift: Drift { rate: 0.0, level: 0.0 },
        }
    }

    /// A model without errors, except that every value that is written, including loaded images, is clamped to the
    /// range of the chip.
    #[must_use]
    pub const fn saturating() -> Self {
        Self { saturation: Saturation::Hard, ..Self::ideal() }
    }

    /// The default model of the emulator that comes with the original Cain: every write is off by 0.5 % of its value.
    #[must_use]
    pub const fn cain() -> Self {
        Self { relative_noise: 0.005, ..Self::ideal() }
    }

    /// The model that measurements of SCAMP-5 support.
    ///
    /// The transfer error of 20 DN is that of the vendor's instruction sheet, the read-out noise that of the SCAMP-5c
    /// documentation. Gain, the offset of divisions and both fixed patterns were fitted here so that the published
    /// accumulation experiment (a kernel of `diva`, `mov` and `add`, 1 to 32 times; CNNs-on-FPSPs, "Noise
    /// accumulation") is reproduced: a gain of 0.954 ± 0.0105 and an offset of −3.31 ± 0.75 DN per kernel. Three
    /// destinations were not measured and are treated like two. Temporal noise was too small to be seen beside the
    /// pattern.
    #[must_use]
    pub const fn measured() -> Self {
        Self {
            gain: 0.9928,
            offset: [20.0, 21.99, 21.99],
            fixed_gain: 0.0028,
            fixed_offset: 0.14,
            readout_noise: 0.65,
            ..Self::saturating()
        }
    }

    /// Checks that all constants are finite numbers, and that no standard deviation is negative.
    ///
    /// The simulator and searches do this first.
    pub fn check(&self) -> Result<(), ErrorModelError> {
        let Self { gain, offset: [one, two, three], mismatch, drift: Drift { rate, level }, .. } = *self;
        let Self { fixed_gain, fixed_offset, relative_noise, noise, readout_noise, .. } = *self;
        let constants = [("gain", gain), ("mismatch", mismatch), ("drift.level", level)];
        let offsets = [one, two, three].map(|offset| ("offset", offset));
        let spreads = [
            ("fixed_gain", fixed_gain),
            ("fixed_offset", fixed_offset),
            ("relative_noise", relative_noise),
            ("noise", noise),
            ("readout_noise", readout_noise),
            ("drift.rate", rate),
        ];
        let mut all = constants.iter().chain(&offsets).chain(&spreads);
        if let Some((name, _)) = all.find(|(_, value)| !value.is_finite()) {
            return Err(ErrorModelError::NotFinite(name));
        }
        match spreads.iter().find(|(_, value)| *value < 0.0) {
            Some((name, _)) => Err(ErrorModelError::Negative(name)),
            None => Ok(()),
        }
    }

    /// Whether cells receive the exact value of the transfer.
    #[must_use]
    pub fn writes_exactly(&self) -> bool {
        let Self { readout_noise, drift, .. } = *self;
        *self == Self { readout_noise, drift, ..Self::ideal() }
    }

    /// Whether every write is random.
    #[must_use]
    pub fn has_noise(&self) -> bool {
        self.relative_noise > 0.0 || self.noise > 0.0
    }

    /// Whether transfers add a constant.
    #[must_use]
    pub fn has_offsets(&self) -> bool {
        self.offset.iter().any(|error| *error != 0.0)
    }

    /// Whether the same cell has different errors in different PEs.
    #[must_use]
    pub const fn has_fixed_pattern(&self) -> bool {
        self.fixed_gain != 0.0 || self.fixed_offset != 0.0
    }

    /// The share that a destination receives of the exact value, where `count` cells are written at once: of two, the first
    /// receives a little more and the second as much less.
    #[must_use]
    pub const fn share(&self, position: usize, count: usize) -> f32 {
        match (count, position) {
            (2, 0) => 1.0 + self.mismatch,
            (2, 1) => 1.0 - self.mismatch,
            _ => 1.0,
        }
    }

    /// The constant that a transfer to `count` cells adds to each, in DN.
    #[must_use]
    pub const fn offset_of(&self, count: usize) -> f32 {
        match count {
            1..=3 => self.offset[count - 1],
            _ => 0.0,
        }
    }

    /// What a picture between −128 and 127 DN is expected to be, without fixed patterns and noise, when it has been taken: it
    /// comes over two transfers, together with the level of a photo-sensor after a reset, −127 DN, which comes over one.
    #[must_use]
    pub fn captured(&self, level: f32) -> f32 {
        const RESET: f32 = -127.0;
        let lost = 1.0 - self.gain;
        self.gain * self.gain * (level + RESET) - self.gain * RESET + lost * lost * self.offset[0]
    }

    /// The variance of the error of a number that is read: the noise of the conversion, and that of rounding to whole DN.
    #[must_use]
    pub fn conversion_variance(&self) -> f64 {
        // That of a number that is uniform between −1/2 and 1/2.
        const ROUNDING: f64 = 1.0 / 12.0;
        f64::from(self.readout_noise) * f64::from(self.readout_noise) + ROUNDING
    }

    /// Levels of error as in the vendor's simulator: 0 has none, 1 has the range and the errors that all PEs share, 2
    /// also has the fixed patterns, and 3 and above have everything measured.
    ///
    /// What the vendor's levels contain in detail is not published; public programs use 3.
    #[must_use]
    pub const fn level(level: u8) -> Self {
        let measured = Self::measured();
        match level {
            0 => Self::ideal(),
            1 => Self { fixed_gain: 0.0, fixed_offset: 0.0, readout_noise: 0.0, ..measured },
            2 => Self { readout_noise: 0.0, ..measured },
            _ => measured,
        }
    }

    /// A model in which error terms can be worked out by hand: a transfer adds `one` DN to a single destination, or
    /// `two` DN to each of two destinations, of which the first receives the share `mismatch` more and the second as
    /// much less.
    ///
    /// In this model, for example, `divq(y,x)` leaves x·(1 − `mismatch`)/2 + (`one` − `two`).
    #[must_use]
    pub const fn analytic(one: f32, two: f32, mismatch: f32) -> Self {
        Self { offset: [one, two, two], mismatch, ..Self::ideal() }
    }

    /// A model in which every cell that is written receives `offset` DN more, whatever the form of the word.
    ///
    /// A program is free of constant errors if its results do not depend on `offset`.
    #[must_use]
    pub const fn constant(offset: f32) -> Self {
        Self { offset: [offset; 3], ..Self::ideal() }
    }
}

impl Default for ErrorModel {
    /// [`ideal`](Self::ideal).
    fn default() -> Self {
        Self::ideal()
    }
}

/// The reason why an [`ErrorModel`] is invalid, with the name of the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorModelError {
    /// The constant is infinite or not a number.
    NotFinite(&'static str),
    /// The constant is negative, but must be a standard deviation or a speed.
    Negative(&'static str),
}

impl fmt::Display for ErrorModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite(name) => {
                write!(f, "`{name}` of the error model is not a finite number; give it another value")
            }
            Self::Negative(name) => write!(f, "`{name}` of the error model is negative; give it a value from 0"),
        }
    }
}

impl core::error::Error for ErrorModelError {}
