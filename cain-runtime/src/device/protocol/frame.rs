//! Frames: the bytes of a request or an answer on the link.

use crc::{CRC_16_IBM_3740, Crc, Digest, NoTable};

use crate::device::{DeviceError, Garbage, LinkError, Transport};

/// The bytes that every frame begins with.
const SYNC: [u8; 2] = [0x5C, 0xA5];

/// The checksum of the kind, the sequence number, the length and the payload.
static CHECKSUM: Crc<u16, NoTable> = Crc::<u16, NoTable>::new(&CRC_16_IBM_3740);

/// The header of a frame, which follows its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// The kind of request or answer.
    pub(crate) kind: u8,
    /// The sequence number, which a request and its answer share, and which changes with every request.
    pub(crate) sequence: u8,
    /// The number of bytes of the payload.
    pub(crate) length: u32,
}

impl Header {
    const BYTES: usize = 6;

    const fn to_bytes(self) -> [u8; Self::BYTES] {
        let [a, b, c, d] = self.length.to_le_bytes();
        [self.kind, self.sequence, a, b, c, d]
    }

    const fn from_bytes([kind, sequence, a, b, c, d]: [u8; Self::BYTES]) -> Self {
        Self { kind, sequence, length: u32::from_le_bytes([a, b, c, d]) }
    }
}

/// A frame that is being sent, whose payload is written piece by piece.
pub(crate) struct Outgoing<'t, T> {
    link: &'t mut T,
    checksum: Digest<'static, u16, NoTable>,
}

impl<'t, T: Transport> Outgoing<'t, T> {
    pub(crate) fn begin(link: &'t mut T, header: Header) -> Result<Self, DeviceError> {
        link.write(&SYNC)?;
        let mut frame = Self { link, checksum: CHECKSUM.digest() };
        frame.put(&header.to_bytes())?;
        Ok(frame)
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), DeviceError> {
        self.checksum.update(bytes);
        Ok(self.link.write(bytes)?)
    }

    pub(crate) fn finish(self) -> Result<(), DeviceError> {
        self.link.write(&self.checksum.finalize().to_le_bytes())?;
        Ok(self.link.flush()?)
    }
}

/// A frame that is being received, whose payload is read piece by piece.
pub(crate) struct Incoming<'t, T> {
    link: &'t mut T,
    checksum: Digest<'static, u16, NoTable>,
    header: Header,
    /// The number of bytes of the payload that have not been read.
    left: u32,
}

impl<'t, T: Transport> Incoming<'t, T> {
    /// Waits for a frame and reads its header.
    pub(crate) fn begin(link: &'t mut T) -> Result<Self, DeviceError> {
        let mut sync = [0; SYNC.len()];
        fill(link, &mut sync)?;
        if sync != SYNC {
            return Err(Garbage::Start.into());
        }
        let mut bytes = [0; Header::BYTES];
        fill(link, &mut bytes)?;
        let mut checksum = CHECKSUM.digest();
        checksum.update(&bytes);
        let header = Header::from_bytes(bytes);
        Ok(Self { link, checksum, header, left: header.length })
    }

    pub(crate) const fn header(&self) -> Header {
        self.header
    }

    /// The number of bytes of the payload that have not been read.
    pub(crate) fn left(&self) -> usize {
        usize::try_from(self.left).unwrap_or(usize::MAX)
    }

    /// The error for a payload that has more bytes than it may have.
    pub(crate) fn too_long(&self, expected: usize) -> DeviceError {
        let expected = u32::try_from(expected).unwrap_or(u32::MAX);
        Garbage::Length { found: self.header.length, expected }.into()
    }

    /// Fills the buffer from the payload.
    pub(crate) fn take(&mut self, buffer: &mut [u8]) -> Result<(), DeviceError> {
        let wanted = u32::try_from(buffer.len()).unwrap_or(u32::MAX);
        let Some(left) = self.left.checked_sub(wanted) else {
            let expected = (self.header.length - self.left).saturating_add(wanted);
            return Err(Garbage::Length { found: self.header.length, expected }.into());
        };
        fill(self.link, buffer)?;
        self.checksum.update(buffer);
        self.left = left;
        Ok(())
    }

    /// The next bytes of the payload, as many as the array holds.
    pub(crate) fn take_array<const N: usize>(&mut self) -> Result<[u8; N], DeviceError> {
        let mut bytes = [0; N];
        self.take(&mut bytes)?;
        Ok(bytes)
    }

    /// Checks that the whole payload was read and arrived as it was sent.
    pub(crate) fn finish(self) -> Result<(), DeviceError> {
        if self.left > 0 {
            let expected = self.header.length - self.left;
            return Err(Garbage::Length { found: self.header.length, expected }.into());
        }
        let mut sent = [0; 2];
        fill(self.link, &mut sent)?;
        if u16::from_le_bytes(sent) == self.checksum.finalize() { Ok(()) } else { Err(Garbage::Checksum.into()) }
    }
}

fn fill<T: Transport>(link: &mut T, buffer: &mut [u8]) -> Result<(), DeviceError> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        let room = rest.len();
        match link.read(rest)? {
            // No transport should report this, but waiting for it to change its mind could take forever.
            0 => return Err(LinkError::Closed.into()),
            count if count > room => return Err(LinkError::Failed.into()),
            count => filled += count,
        }
    }
    Ok(())
}
