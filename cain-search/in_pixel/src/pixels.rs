//! The pixels of a picture, and the parts of them that filters see.

use crate::error::InPixelError;

/// The magnitude of the levels that, besides 0, separate pixels of two bits, in DN: a picture from −100 to 100 DN
/// has its levels at −100, −33, 33 and 100 DN.
pub(crate) const CUT: i8 = 66;

/// The range of pixels, and the part of a pixel that filters see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// Ink or background: pixels are 0 or 1.
    OneBit,
    /// Pixels are 0 to 3, and filters see all of that.
    TwoBits,
    /// One bit for each half of the array. Pixels are 0 to 2; filters of the western half see 1 where they are 1 or 2,
    /// those of the eastern half where they are 2.
    ///
    /// So filters learn more about a picture than from one bit, while it takes no longer to bring it to them.
    Halves,
}

impl Pixels {
    /// Pixels with this many bits, all of which filters see.
    pub const fn of_bits(bits: usize) -> Result<Self, InPixelError> {
        match bits {
            1 => Ok(Self::OneBit),
            2 => Ok(Self::TwoBits),
            _ => Err(InPixelError::PixelBits(bits)),
        }
    }

    /// The number of bits that a filter sees.
    #[must_use]
    pub const fn bits(self) -> usize {
        match self {
            Self::OneBit | Self::Halves => 1,
            Self::TwoBits => 2,
        }
    }

    /// The largest pixel.
    #[must_use]
    pub const fn largest(self) -> u8 {
        match self {
            Self::OneBit => 1,
            Self::TwoBits => 3,
            Self::Halves => 2,
        }
    }

    /// The value that a filter in the western or eastern half of the array sees for a pixel.
    #[must_use]
    pub const fn seen(self, pixel: u8, is_eastern: bool) -> u8 {
        match self {
            Self::OneBit | Self::TwoBits if pixel > self.largest() => self.largest(),
            Self::OneBit | Self::TwoBits => pixel,
            Self::Halves => (pixel >= if is_eastern { 2 } else { 1 }) as u8,
        }
    }

    /// The largest value that a filter sees.
    #[must_use]
    pub const fn largest_seen(self) -> u8 {
        self.seen(self.largest(), true)
    }

    /// The pixel nearest to a grey, where 255 corresponds to the largest pixel.
    #[must_use]
    pub fn nearest(self, grey: u8) -> u8 {
        let largest = u16::from(self.largest());
        // The grey has to reach half a pixel less than the pixel's own level.
        let reaches = |pixel: u8| 2 * largest * u16::from(grey) >= (2 * u16::from(pixel) - 1) * u16::from(u8::MAX);
        (1..=self.largest()).rfind(|&pixel| reaches(pixel)).unwrap_or(0)
    }

    /// The levels with which a picture is compared, in DN: a pixel is the number of levels that it exceeds. They lie
    /// between the levels of the pixels of a picture from −100 to 100 DN.
    #[must_use]
    pub const fn cuts(self) -> &'static [i8] {
        match self {
            Self::OneBit => &[0],
            Self::TwoBits => &[-CUT, 0, CUT],
            Self::Halves => &[-50, 50],
        }
    }
}
