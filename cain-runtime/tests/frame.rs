//! Frames without the library: their checksum, and a link with bytes that are known beforehand.

use std::collections::VecDeque;

use cain_runtime::device::{LinkError, Transport};

/// A link on which certain bytes wait, whatever is written to it.
pub(crate) struct Waiting(pub(crate) VecDeque<u8>);

impl Transport for Waiting {
    fn write(&mut self, _: &[u8]) -> Result<(), LinkError> {
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LinkError> {
        let count = buffer.len().min(self.0.len());
        buffer.iter_mut().zip(self.0.drain(..count)).for_each(|(place, byte)| *place = byte);
        if count > 0 { Ok(count) } else { Err(LinkError::TimedOut) }
    }
}

/// CRC-16/IBM-3740, bit by bit.
pub(crate) fn crc(bytes: &[u8]) -> u16 {
    bytes.iter().fold(u16::MAX, |crc, &byte| {
        (0..8).fold(crc ^ (u16::from(byte) << 8), |crc, _| if crc >> 15 == 1 { crc << 1 ^ 0x1021 } else { crc << 1 })
    })
}
