//! What can go wrong between a driver and its device.

use core::fmt;

use super::{EncodeError, LinkError, Refusal};
use crate::io::IoError;
use crate::isa::MachineError;

/// The reason why a device did not do what it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviceError {
    /// The link fails to carry bytes. The device must be connected again.
    Link(LinkError),
    /// What came back is not an answer to the request. The device must be connected again.
    Garbage(Garbage),
    /// An earlier error has left driver and device out of step.
    Disconnected,
    /// The other side speaks another version of the protocol.
    Version {
        /// The version of the device.
        device: u16,
        /// The version of this driver.
        driver: u16,
    },
    /// The device understood the request but did not carry it out.
    Refused(Refusal),
    /// The chip lacks something that the machine of the programs has. Nothing was sent.
    Machine(MachineError),
    /// One of the words cannot be sent to the chip. Nothing was sent.
    Word(EncodeError),
    /// The store of the device has no room for a program. Nothing was sent.
    StoreFull {
        /// The number of words that exceed the room in the store.
        over: usize,
        /// The number of words of the program.
        words: usize,
    },
    /// The store was cleared, or the device connected again, after the program was uploaded.
    StaleProgram,
    /// A controller function was called with invalid arguments. Nothing was sent.
    Io(IoError),
}

/// A description of bytes that are not an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Garbage {
    /// They do not begin like an answer.
    Start,
    /// They are the answer to another request.
    Sequence {
        /// The number of the request that they answer.
        found: u8,
        /// The number of the request that was sent.
        expected: u8,
    },
    /// They are an answer of another kind.
    Kind(u8),
    /// The answer is longer or shorter than it may be.
    Length {
        /// Its length in bytes.
        found: u32,
        /// The expected length.
        expected: u32,
    },
    /// The checksum does not match the bytes.
    Checksum,
    /// A field has a value without a meaning.
    Value,
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Link(error) => error.fmt(f),
            Self::Garbage(garbage) => write!(f, "what came from the device is no answer: {garbage}; connect again"),
            Self::Disconnected => f.write_str("the link broke off during an earlier request; connect again"),
            Self::Version { device, driver } => write!(
                f,
                "the device speaks version {device} of the protocol and this driver version {driver}; update the older one"
            ),
            Self::Refused(refusal) => write!(f, "the device refused: {refusal}"),
            Self::Machine(error) => {
                write!(f, "the driver's chip is SCAMP-5, and programs for another machine do not run on it: {error}")
            }
            Self::Word(error) => error.fmt(f),
            Self::StoreFull { over, words } => write!(
                f,
                "the device's store has no room for {over} of the program's {words} words; \
                 clear the store, or run the program without uploading it"
            ),
            Self::StaleProgram => f.write_str(
                "the program is not in the device's store any more, which was cleared since; upload the program again",
            ),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for Garbage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("it does not begin like one"),
            Self::Sequence { found, expected } => write!(f, "it has the number {found}, expected {expected}"),
            Self::Kind(kind) => write!(f, "its kind, {kind:#04x}, is that of another request"),
            Self::Length { found, expected } => write!(f, "it has {found} bytes, expected {expected}"),
            Self::Checksum => f.write_str("the checksum is wrong"),
            Self::Value => f.write_str("a value in it has no meaning"),
        }
    }
}

impl core::error::Error for DeviceError {}

impl From<LinkError> for DeviceError {
    fn from(error: LinkError) -> Self {
        Self::Link(error)
    }
}

impl From<Garbage> for DeviceError {
    fn from(garbage: Garbage) -> Self {
        Self::Garbage(garbage)
    }
}

impl From<MachineError> for DeviceError {
    fn from(error: MachineError) -> Self {
        Self::Machine(error)
    }
}

impl From<EncodeError> for DeviceError {
    fn from(error: EncodeError) -> Self {
        Self::Word(error)
    }
}

impl From<IoError> for DeviceError {
    fn from(error: IoError) -> Self {
        Self::Io(error)
    }
}

impl From<Refusal> for DeviceError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}
