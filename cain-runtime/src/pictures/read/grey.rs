//! Pictures of greys, and how colours become grey.

use std::prelude::v1::*;

/// The share of each colour in the light that is seen, for the colours and the white of screens (sRGB).
const SHARES: [f32; 3] = [0.212_647_84, 0.715_179_2, 0.072_173_04];

/// A picture of greys in rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::pictures) struct Grey {
    pub(in crate::pictures) width: usize,
    pub(in crate::pictures) height: usize,
    pub(in crate::pictures) bytes: Vec<u8>,
}

/// The grey of a pixel whose channels are bytes: a grey or three colours, either of them with an opacity that is left
/// out.
pub(super) fn of_bytes(channels: &[u8]) -> u8 {
    match *channels {
        [grey] | [grey, _] => grey,
        [red, green, blue, ..] => luma([red, green, blue].map(|level| f32::from(level) * (1.0 / 255.0))),
        [] => 0,
    }
}

/// The grey of a pixel whose channels have 16 bits.
pub(super) fn of_words(channels: &[u16]) -> u8 {
    match *channels {
        [grey] | [grey, _] => u8::try_from((u32::from(grey) + 128) / 257).unwrap_or(u8::MAX),
        [red, green, blue, ..] => luma([red, green, blue].map(|level| f32::from(level) * (1.0 / 65_535.0))),
        [] => 0,
    }
}

/// The grey of a colour, whose parts are from 0 to 1.
fn luma(colour: [f32; 3]) -> u8 {
    let light = colour.into_iter().zip(SHARES).fold(0.0, |light, (level, share)| light + level * share);
    crate::pictures::byte(light * 255.0)
}
