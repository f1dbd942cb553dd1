//! The orientation of a camera, which it records in its files (Exif).

use std::prelude::v1::*;

use super::grey::Grey;

/// The tag of the orientation, and the type of its value: one number of two bytes.
const TAG: u32 = 0x112;
const SHORT: u32 = 3;

/// What is done with a picture before it is shown, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Orientation {
    /// Rows become columns.
    transposed: bool,
    /// West becomes east.
    flipped: bool,
    /// North becomes south.
    upturned: bool,
}

impl Orientation {
    /// The orientation in a block of Exif data.
    pub(super) fn of_exif(block: &[u8]) -> Option<Self> {
        let is_little = match block {
            [b'I', b'I', 42, 0, ..] => true,
            [b'M', b'M', 0, 42, ..] => false,
            _ => return None,
        };
        let number = |at: usize, length: usize| {
            let bytes = block.get(at..at.checked_add(length)?)?.iter().map(|byte| u32::from(*byte));
            let joined = |number: u32, byte: u32| number << 8 | byte;
            Some(if is_little { bytes.rev().fold(0, joined) } else { bytes.fold(0, joined) })
        };
        let entries = usize::try_from(number(4, 4)?).ok()?;
        (0..usize::try_from(number(entries, 2)?).ok()?).find_map(|entry| {
            let at = entries.checked_add(2 + 12 * entry)?;
            let is_orientation = (number(at, 2)?, number(at + 2, 2)?, number(at + 4, 4)?) == (TAG, SHORT, 1);
            if is_orientation { Self::numbered(number(at + 8, 2)?) } else { None }
        })
    }

    /// The orientations in the order of their numbers in files, from 1.
    fn numbered(number: u32) -> Option<Self> {
        let (transposed, flipped, upturned) = match number {
            1 => (false, false, false),
            2 => (false, true, false),
            3 => (false, true, true),
            4 => (false, false, true),
            5 => (true, false, false),
            6 => (true, true, false),
            7 => (true, true, true),
            8 => (true, false, true),
            _ => return None,
        };
        Some(Self { transposed, flipped, upturned })
    }

    /// The picture as it is shown.
    pub(super) fn applied(self, picture: Grey) -> Grey {
        if self == Self::default() {
            return picture;
        }
        let Grey { width, height, bytes } = picture;
        let (across, down) = if self.transposed { (height, width) } else { (width, height) };
        let shown = (0..down).flat_map(|row| (0..across).map(move |column| (row, column))).map(|(row, column)| {
            let row = if self.upturned { down - 1 - row } else { row };
            let column = if self.flipped { across - 1 - column } else { column };
            let place = if self.transposed { column * width + row } else { row * width + column };
            bytes.get(place).copied().unwrap_or_default()
        });
        Grey { width: across, height: down, bytes: shown.collect() }
    }
}
