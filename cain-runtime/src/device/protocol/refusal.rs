//! The reasons why a device does not carry out a request.

use core::fmt;

/// The reason why a device does not carry out a request that arrived intact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// It does not know this kind of request.
    UnknownRequest(u8),
    /// The payload does not fit the kind of request.
    Malformed,
    /// It speaks another version of the protocol, namely this one.
    Version(u16),
    /// It does not know the word at this place of the list.
    UnknownWord(u32),
    /// There is no room in the store for this many words of the program.
    StoreFull(u32),
    /// There is no program with this number in the store.
    UnknownProgram(u16),
    /// The array failed to do it.
    Failed,
    /// A reason that this driver does not know: a code and a detail.
    Other(u8, u32),
}

impl Refusal {
    pub(crate) const BYTES: usize = 5;

    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let (code, detail) = match self {
            Self::UnknownRequest(kind) => (1, kind.into()),
            Self::Malformed => (2, 0),
            Self::Version(version) => (3, version.into()),
            Self::UnknownWord(place) => (4, place),
            Self::StoreFull(over) => (5, over),
            Self::UnknownProgram(number) => (6, number.into()),
            Self::Failed => (7, 0),
            Self::Other(code, detail) => (code, detail),
        };
        let [a, b, c, d] = detail.to_le_bytes();
        [code, a, b, c, d]
    }

    pub(crate) fn from_bytes([code, a, b, c, d]: [u8; Self::BYTES]) -> Self {
        let detail = u32::from_le_bytes([a, b, c, d]);
        let known = match code {
            1 => u8::try_from(detail).ok().map(Self::UnknownRequest),
            2 => Some(Self::Malformed),
            3 => u16::try_from(detail).ok().map(Self::Version),
            4 => Some(Self::UnknownWord(detail)),
            5 => Some(Self::StoreFull(detail)),
            6 => u16::try_from(detail).ok().map(Self::UnknownProgram),
            7 => Some(Self::Failed),
            _ => None,
        };
        known.unwrap_or(Self::Other(code, detail))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownRequest(kind) => write!(f, "it knows no request of kind {kind:#04x}; update its program"),
            Self::Malformed => f.write_str("the request is not as it expects it; driver and device do not match"),
            Self::Version(version) => write!(f, "it speaks version {version} of the protocol"),
            Self::UnknownWord(place) => write!(f, "it knows no such word as number {place} of the list, from 0"),
            Self::StoreFull(over) => {
                write!(f, "its store has no room for {over} words of the program; clear the store")
            }
            Self::UnknownProgram(number) => write!(f, "its store has no program {number}; upload the program again"),
            Self::Failed => f.write_str("the array cannot do that now; see the device's own log"),
            Self::Other(code, detail) => write!(f, "for a reason that this driver does not know, {code} with {detail}"),
        }
    }
}
