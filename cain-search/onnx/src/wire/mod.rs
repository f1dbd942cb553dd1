//! The encoding of Protocol Buffers, in which ONNX files are: messages are fields, each with a number, and a value whose kind
//! the number tells to those who know the message. Fields that are not known are passed over.

mod fields;

use std::fmt;

/// Why bytes are no message of its kind: the fields on the way to the place, from the outermost, and what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Damage {
    fields: Vec<&'static str>,
    what: &'static str,
}

impl Damage {
    const fn new(what: &'static str) -> Self {
        Self { fields: Vec::new(), what }
    }

    /// The same within a field.
    pub(crate) fn within(mut self, field: &'static str) -> Self {
        self.fields.insert(0, field);
        self
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.fields.is_empty() {
            write!(f, "in `{}`, ", self.fields.join("."))?;
        }
        f.write_str(self.what)
    }
}

/// A value of a field as it is in the bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'b> {
    Number(u64),
    Eight([u8; 8]),
    Four([u8; 4]),
    Bytes(&'b [u8]),
    /// A group, which older files have in place of a message; its contents are passed over.
    Group,
}

/// A message, all of whose fields may be missing.
pub(crate) trait Message: Default {
    /// Takes over a value of the field with this number.
    fn set(&mut self, field: u64, value: Value<'_>) -> Result<(), Damage>;

    /// Appends all fields.
    fn append(&self, bytes: &mut Vec<u8>);

    /// Adds the fields in these bytes.
    fn merge(&mut self, mut bytes: &[u8]) -> Result<(), Damage> {
        while !bytes.is_empty() {
            let (field, value) = next(&mut bytes)?;
            self.set(field, value)?;
        }
        Ok(())
    }

    /// The message of these bytes.
    fn decode(bytes: &[u8]) -> Result<Self, Damage> {
        let mut message = Self::default();
        message.merge(bytes)?;
        Ok(message)
    }

    /// The bytes of this message.
    fn encode_to_vec(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.append(&mut bytes);
        bytes
    }
}

/// What a field may be.
pub(crate) trait Field {
    /// Takes over a value: in place of the one before, or behind it in lists.
    fn take(&mut self, value: Value<'_>) -> Result<(), Damage>;

    /// Appends the field with its number, unless its value is what it is without.
    fn append(&self, field: u64, bytes: &mut Vec<u8>);
}

/// The most groups within each other.
const DEEPEST: usize = 100;

const ENDS: Damage = Damage::new("the bytes end too early");
const KIND: Damage = Damage::new("a value is of another kind");
const NUMBER: Damage = Damage::new("a number has more than 64 bits");

/// The field at the beginning of bytes, which are behind it afterwards.
fn next<'b>(bytes: &mut &'b [u8]) -> Result<(u64, Value<'b>), Damage> {
    let (field, kind) = key(bytes)?;
    if kind != 3 {
        return Ok((field, value(bytes, kind)?));
    }
    // The groups that have begun.
    let mut open = vec![field];
    while let Some(innermost) = open.last() {
        let (inner, kind) = key(bytes)?;
        match kind {
            3 if open.len() < DEEPEST => open.push(inner),
            4 if inner == *innermost => {
                open.pop();
            }
            kind => {
                value(bytes, kind)?;
            }
        }
    }
    Ok((field, Value::Group))
}

/// The number of a field, and the kind of its value.
fn key(bytes: &mut &[u8]) -> Result<(u64, u64), Damage> {
    let key = number(bytes)?;
    let field = key >> 3;
    if field == 0 || key > u64::from(u32::MAX) {
        Err(Damage::new("a field has no number"))
    } else {
        Ok((field, key & 7))
    }
}

fn value<'b>(bytes: &mut &'b [u8], kind: u64) -> Result<Value<'b>, Damage> {
    match kind {
        0 => number(bytes).map(Value::Number),
        1 => part(bytes, 8)?.try_into().map(Value::Eight).map_err(|_| ENDS),
        2 => {
            let length = number(bytes)?;
            part(bytes, usize::try_from(length).map_err(|_| ENDS)?).map(Value::Bytes)
        }
        5 => part(bytes, 4)?.try_into().map(Value::Four).map_err(|_| ENDS),
        _ => Err(KIND),
    }
}

fn part<'b>(bytes: &mut &'b [u8], length: usize) -> Result<&'b [u8], Damage> {
    let (part, rest) = bytes.split_at_checked(length).ok_or(ENDS)?;
    *bytes = rest;
    Ok(part)
}

/// A number in groups of seven bits, the lowest first; all but the last have the highest bit of their byte set.
fn number(bytes: &mut &[u8]) -> Result<u64, Damage> {
    let mut number = 0;
    for place in 0..10 {
        let (first, rest) = bytes.split_first().ok_or(ENDS)?;
        *bytes = rest;
        if place == 9 && *first > 1 {
            break;
        }
        number |= u64::from(first & 0x7f) << (7 * place);
        if first & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(NUMBER)
}

fn append_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

fn append_bytes(field: u64, value: &[u8], bytes: &mut Vec<u8>) {
    append_number(field << 3 | 2, bytes);
    // No slice is longer than 64 bits can tell.
    append_number(u64::try_from(value.len()).unwrap_or(u64::MAX), bytes);
    bytes.extend_from_slice(value);
}

/// Declares messages: structures whose fields have a number in front.
macro_rules! messages {
    ($($(#[$about:meta])* $name:ident { $($(#[$what:meta])* $number:literal $field:ident: $kind:ty,)* })*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Debug, Default, PartialEq)]
            pub(crate) struct $name {
                $($(#[$what])* pub(crate) $field: $kind,)*
            }

            impl Message for $name {
                fn set(&mut self, field: u64, value: Value<'_>) -> Result<(), Damage> {
                    match field {
                        $($number => {
                            Field::take(&mut self.$field, value).map_err(|damage| damage.within(stringify!($field).trim_start_matches("r#")))
                        })*
                        _ => Ok(()),
                    }
                }

                fn append(&self, bytes: &mut Vec<u8>) {
                    $(Field::append(&self.$field, $number, bytes);)*
                }
            }
        )*
    };
}

pub(crate) use messages;
