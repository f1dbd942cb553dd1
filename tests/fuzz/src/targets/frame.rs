//! Frames of the link, written and read according to the page about the protocol alone.

use crc::{CRC_16_IBM_3740, Crc};

const SYNC: [u8; 2] = [0x5C, 0xA5];
const CHECKSUM: Crc<u16> = Crc::<u16>::new(&CRC_16_IBM_3740);
/// The size of kind, number and length.
const HEADER: usize = 6;

/// A request or an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) kind: u8,
    pub(super) number: u8,
    pub(super) payload: Vec<u8>,
}

impl Frame {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let length = u32::try_from(self.payload.len()).unwrap_or(u32::MAX);
        let mut body = vec![self.kind, self.number];
        body.extend(length.to_le_bytes());
        body.extend(&self.payload);
        let checksum = CHECKSUM.checksum(&body);
        [&SYNC, body.as_slice(), &checksum.to_le_bytes()].concat()
    }

    /// The frame at the beginning of these bytes, and its size; `None` if there is no complete one.
    pub(super) fn parse(bytes: &[u8]) -> Option<(Self, usize)> {
        let body = bytes.strip_prefix(&SYNC)?;
        let (&[kind, number, a, b, c, d], rest) = body.split_first_chunk::<HEADER>()?;
        let length = usize::try_from(u32::from_le_bytes([a, b, c, d])).ok()?;
        let payload = rest.get(..length)?.to_vec();
        let (checksum, _) = rest[length..].split_first_chunk::<2>()?;
        let is_right = CHECKSUM.checksum(&body[..HEADER + length]) == u16::from_le_bytes(*checksum);
        is_right.then_some((Self { kind, number, payload }, SYNC.len() + HEADER + length + checksum.len()))
    }
}
