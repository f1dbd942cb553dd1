//! The requests that a driver sends to a device.

use super::field::Field;
use super::{Reader, Refusal, Writer};
use crate::io::{Pattern, Region, Scan};
use crate::isa::{Bit, Dreg, Reg};

macro_rules! requests {
    ($($kind:literal $name:ident ( $($argument:ident: $type:ty),* );)*) => {
        /// A request, without the words that may follow it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Request {
            $($name { $($argument: $type),* },)*
        }

        impl Request {
            pub(crate) const fn kind(self) -> u8 {
                match self {
                    $(Self::$name { .. } => $kind,)*
                }
            }

            /// The payload of the request, up to the words.
            pub(crate) fn arguments(self) -> Writer {
                let mut writer = Writer::new();
                match self {
                    $(Self::$name { $($argument),* } => {
                        $($argument.write(&mut writer);)*
                    })*
                }
                writer
            }

            /// Decodes a request of this kind, and returns what follows its arguments.
            pub(crate) fn decode(kind: u8, payload: &[u8]) -> Result<(Self, &[u8]), Refusal> {
                let mut reader = Reader::new(payload);
                let request = match kind {
                    $($kind => Self::$name {
                        $($argument: Field::read(&mut reader).ok_or(Refusal::Malformed)?),*
                    },)*
                    _ => return Err(Refusal::UnknownRequest(kind)),
                };
                Ok((request, reader.rest()))
            }
        }
    };
}

requests! {
    0x01 Hello(version: u16);
    0x02 Execute(fast: bool);
    0x03 Upload(fast: bool);
    0x04 Launch(number: u16);
    0x05 Clear();
    0x10 WaitForFrame();
    0x11 SetLevel(level: i8);
    0x12 SelectPattern(pattern: Pattern);
    0x13 SelectRegion(region: Region);
    0x20 Scan(reg: Reg, scan: Scan);
    0x21 ScanMeans(reg: Reg);
    0x22 ScanBits(bit: Bit, first: u16, last: u16);
    0x23 ScanEvents(bit: Bit, most: u32);
    0x24 BoundingBox(bit: Bit);
    0x25 Any(bit: Bit, pattern: Pattern);
    0x26 EstimateCount(register: Dreg, scratch: Reg);
    0x27 Sum16(reg: Reg);
    0x28 Sum64(reg: Reg);
    0x29 SumSparse(reg: Reg, pattern: Pattern);
    0x2A SumRegion(reg: Reg, region: Region);
}
