//! The fields of a payload.

use crate::io::{Address, Pattern, Region, Scan};
use crate::isa::{Bit, Dreg, Reg};

/// Collects the fields of a payload, with room for the arguments of any request.
pub(crate) struct Writer {
    bytes: [u8; 16],
    used: usize,
}

impl Writer {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; 16], used: 0 }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.used).unwrap_or(&self.bytes)
    }

    fn put(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.used) {
            *place = byte;
            self.used += 1;
        }
    }
}

/// Reads the fields of a payload one by one.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The bytes that have not been read as fields.
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.0
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*bytes)
    }
}

/// A value that can be a field of a payload.
pub(crate) trait Field: Sized {
    fn write(self, to: &mut Writer);

    /// Reads a field; `None` if there are too few bytes or they do not encode a value.
    fn read(from: &mut Reader<'_>) -> Option<Self>;
}

impl Field for u8 {
    fn write(self, to: &mut Writer) {
        to.put(self);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        from.take().map(Self::from_le_bytes)
    }
}

macro_rules! numbers {
    ($($number:ident)*) => {$(
        impl Field for $number {
            fn write(self, to: &mut Writer) {
                self.to_le_bytes().into_iter().for_each(|byte| to.put(byte));
            }

            fn read(from: &mut Reader<'_>) -> Option<Self> {
                from.take().map(Self::from_le_bytes)
            }
        }
    )*};
}

numbers! { i8 u16 u32 }

impl Field for bool {
    fn write(self, to: &mut Writer) {
        to.put(self.into());
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        match u8::read(from)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Field for Reg {
    fn write(self, to: &mut Writer) {
        to.put(self.index());
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        u8::read(from).map(Self::from_index)
    }
}

impl Field for Dreg {
    fn write(self, to: &mut Writer) {
        to.put(self.number());
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        u8::read(from).and_then(Self::new)
    }
}

impl Field for Bit {
    fn write(self, to: &mut Writer) {
        to.put(match self {
            Self::Reg(register) => register.number(),
            Self::Flag => 13,
            Self::Select => 14,
            Self::Rect => 15,
        });
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        match u8::read(from)? {
            13 => Some(Self::Flag),
            14 => Some(Self::Select),
            15 => Some(Self::Rect),
            number => Dreg::new(number).map(Self::Reg),
        }
    }
}

/// Implements [`Field`] for structures, as their fields one after the other.
macro_rules! structures {
    ($($name:ident { $($field:ident),* })*) => {$(
        impl Field for $name {
            fn write(self, to: &mut Writer) {
                $(self.$field.write(to);)*
            }

            fn read(from: &mut Reader<'_>) -> Option<Self> {
                Some(Self { $($field: Field::read(from)?),* })
            }
        }
    )*};
}

structures! {
    Address { row, column }
    Region { first, last }
    Pattern { row, column, free_row_bits, free_column_bits }
    Scan { region, row_step, column_step }
}
