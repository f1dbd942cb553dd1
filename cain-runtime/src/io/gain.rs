//! How much light can be amplified.

/// The largest gain of [`ArrayIo::capture_with_gain`](super::ArrayIo::capture_with_gain).
pub const MAX_GAIN: u8 = 5;
