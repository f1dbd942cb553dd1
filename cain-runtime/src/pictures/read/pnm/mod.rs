//! Reads PBM, PGM, PPM and PAM files.

mod header;
pub(super) mod problem;
mod samples;

use std::io::BufRead;
use std::prelude::v1::*;

use self::header::{Header, Samples};
use self::problem::Problem;
use super::grey::{self, Grey};
use super::reason::{Reason, size};

/// The most pixels of a row that are read at once, such that bits end at whole bytes.
const PIECE: usize = 1 << 12;

/// Reads a file of the kind `P1` to `P7`, of which the digit is given.
pub(super) fn read(file: &mut impl BufRead, kind: u8) -> Result<Grey, Reason> {
    let header = Header::read(file, kind)?;
    let sample_bytes = if header.most > 0xff { 2 } else { 1 };
    let channels = u64::try_from(header.channels).unwrap_or(u64::MAX);
    let (width, height) = size(header.width, header.height, sample_bytes * channels)?;
    // What the file announces is not believed before it is there: pixels are added as they are read.
    let mut bytes = Vec::new();
    let mut pixel = Vec::with_capacity(header.channels);
    for (row, start) in (0..height).flat_map(|row| (0..width).step_by(PIECE).map(move |start| (row, start))) {
        let count = PIECE.min(width - start) * header.channels;
        let samples = samples::next(file, &header, count)?;
        for (place, sample) in samples.iter().enumerate() {
            if *sample > header.most {
                let column = start + place / header.channels;
                return Err(Reason::Pnm(Problem::Excess { row, column, found: *sample, most: header.most }));
            }
            pixel.push(*sample);
            if pixel.len() == header.channels {
                bytes.push(shade(&pixel, &header));
                pixel.clear();
            }
        }
        if samples.len() < count {
            let column = start + samples.len() / header.channels;
            return Err(Reason::Pnm(Problem::Short { row, column, width, height }));
        }
    }
    Ok(Grey { width, height, bytes })
}

/// The grey of a pixel, whose channels are from 0 to the most that the file announces.
fn shade(pixel: &[u32], header: &Header) -> u8 {
    if header.samples == Samples::Bits {
        // In bitmaps, 1 is black.
        return if pixel == [0] { u8::MAX } else { 0 };
    }
    let mut channels = [0; 4];
    let limit: u16 = if header.most > 0xff { 0xffff } else { 0xff };
    for (place, sample) in channels.iter_mut().zip(pixel) {
        *place = scaled(*sample, header.most, limit);
    }
    let channels = channels.get(..pixel.len()).unwrap_or(&channels);
    if limit == 0xffff {
        return grey::of_words(channels);
    }
    let mut bytes = [0; 4];
    for (place, channel) in bytes.iter_mut().zip(channels) {
        *place = channel.to_le_bytes()[0];
    }
    grey::of_bytes(bytes.get(..channels.len()).unwrap_or(&bytes))
}

/// A level from 0 to `most` as one from 0 to `limit`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates, as it should")]
#[expect(clippy::cast_precision_loss, reason = "both are below 2^16")]
fn scaled(level: u32, most: u32, limit: u16) -> u16 {
    if most == u32::from(limit) {
        return level.try_into().unwrap_or(limit);
    }
    (level as f32 * (f32::from(limit) / most as f32)).round() as u16
}
