//! What fields of messages are.

use std::cmp::Ordering;

use super::{Damage, ENDS, Field, KIND, Message, Value, append_bytes, append_number, number, part};

/// A number of a message.
trait Number: Copy + Default + PartialOrd {
    /// The kind of a value that is one such number.
    const KIND: u64;

    /// The number at the beginning of bytes, which are behind it afterwards.
    fn read(bytes: &mut &[u8]) -> Result<Self, Damage>;

    /// The number of a value; `None` if it is none.
    fn of(value: Value<'_>) -> Option<Self>;

    fn write(self, bytes: &mut Vec<u8>);

    /// Appends the number as a field.
    fn append_with(self, field: u64, bytes: &mut Vec<u8>) {
        append_number(field << 3 | Self::KIND, bytes);
        self.write(bytes);
    }
}

macro_rules! numbers {
    ($($name:ident: $kind:literal, |$bytes:ident| $read:expr, $value:pat => $of:expr, |$number:ident, $to:ident| $write:expr;)*) => {
        $(
            impl Number for $name {
                const KIND: u64 = $kind;

                fn read($bytes: &mut &[u8]) -> Result<Self, Damage> {
                    $read
                }

                fn of(value: Value<'_>) -> Option<Self> {
                    match value {
                        $value => Some($of),
                        _ => None,
                    }
                }

                fn write(self, $to: &mut Vec<u8>) {
                    let $number = self;
                    $write;
                }
            }

            impl Field for $name {
                fn take(&mut self, value: Value<'_>) -> Result<(), Damage> {
                    *self = Self::of(value).ok_or(KIND)?;
                    Ok(())
                }

                fn append(&self, field: u64, bytes: &mut Vec<u8>) {
                    if self.partial_cmp(&Self::default()).is_none_or(Ordering::is_ne) {
                        self.append_with(field, bytes);
                    }
                }
            }

            // One by one, or packed into bytes.
            impl Field for Vec<$name> {
                fn take(&mut self, value: Value<'_>) -> Result<(), Damage> {
                    let Value::Bytes(mut packed) = value else {
                        self.push($name::of(value).ok_or(KIND)?);
                        return Ok(());
                    };
                    while !packed.is_empty() {
                        self.push($name::read(&mut packed)?);
                    }
                    Ok(())
                }

                fn append(&self, field: u64, bytes: &mut Vec<u8>) {
                    if !self.is_empty() {
                        let mut packed = Vec::new();
                        for number in self {
                            number.write(&mut packed);
                        }
                        append_bytes(field, &packed, bytes);
                    }
                }
            }
        )*
    };
}

/// The lower half, as other programs read numbers that are too large.
fn lower(number: u64) -> i32 {
    let [a, b, c, d, ..] = number.to_le_bytes();
    i32::from_le_bytes([a, b, c, d])
}

numbers! {
    i64: 0, |bytes| number(bytes).map(u64::cast_signed), Value::Number(number) => number.cast_signed(),
        |number, to| append_number(number.cast_unsigned(), to);
    i32: 0, |bytes| number(bytes).map(lower), Value::Number(number) => lower(number),
        |number, to| append_number(i64::from(number).cast_unsigned(), to);
    f32: 5, |bytes| part(bytes, 4)?.try_into().map(f32::from_le_bytes).map_err(|_| ENDS),
        Value::Four(bytes) => f32::from_le_bytes(bytes), |number, to| to.extend(number.to_le_bytes());
    f64: 1, |bytes| part(bytes, 8)?.try_into().map(f64::from_le_bytes).map_err(|_| ENDS),
        Value::Eight(bytes) => f64::from_le_bytes(bytes), |number, to| to.extend(number.to_le_bytes());
}

impl Field for Vec<u8> {
    fn take(&mut self, value: Value<'_>) -> Result<(), Damage> {
        let Value::Bytes(bytes) = value else { return Err(KIND) };
        bytes.clone_into(self);
        Ok(())
    }

    fn append(&self, field: u64, bytes: &mut Vec<u8>) {
        if !self.is_empty() {
            append_bytes(field, self, bytes);
        }
    }
}

impl Field for String {
    fn take(&mut self, value: Value<'_>) -> Result<(), Damage> {
        let Value::Bytes(bytes) = value else { return Err(KIND) };
        let text = std::str::from_utf8(bytes).map_err(|_| Damage::new("a text is not UTF-8"))?;
        text.clone_into(self);
        Ok(())
    }

    fn append(&self, field: u64, bytes: &mut Vec<u8>) {
        if !self.is_empty() {
            append_bytes(field, self.as_bytes(), bytes);
        }
    }
}

macro_rules! lists {
    ($($item:ty),*) => {
        $(
            impl Field for Vec<$item> {
                fn take(&mut self, value: Value<'_>) -> Result<(), Damage> {
                    let mut item = <$item>::default();
                    item.take(value)?;
                    self.push(item);
                    Ok(())
                }

                fn append(&self, field: u64, bytes: &mut Vec<u8>) {
                    for item in self {
                        append_bytes(field, item.as_ref(), bytes);
                    }
                }
            }
        )*
    };
}

lists!(String, Vec<u8>);

impl Field for Option<i64> {
    fn take(&mut self, value: Value<'_>) -> Result<(), Damage> {
        self.get_or_insert_default().take(value)
    }

    fn append(&self, field: u64, bytes: &mut Vec<u8>) {
        if let Some(number) = self {
            number.append_with(field, bytes);
        }
    }
}

impl Field for Option<String> {
    fn take(&mut self, value: Value<'_>) -> Result<(), Damage> {
        self.get_or_insert_default().take(value)
    }

    fn append(&self, field: u64, bytes: &mut Vec<u8>) {
        if let Some(text) = self {
            append_bytes(field, text.as_bytes(), bytes);
        }
    }
}

impl<M: Message> Message for Box<M> {
    fn set(&mut self, field: u64, value: Value<'_>) -> Result<(), Damage> {
        M::set(self, field, value)
    }

    fn append(&self, bytes: &mut Vec<u8>) {
        M::append(self, bytes);
    }
}

impl<M: Message> Field for Option<M> {
    /// Parts of one message may be in several fields.
    fn take(&mut self, value: Value<'_>) -> Result<(), Damage> {
        let Value::Bytes(bytes) = value else { return Err(KIND) };
        self.get_or_insert_default().merge(bytes)
    }

    fn append(&self, field: u64, bytes: &mut Vec<u8>) {
        if let Some(message) = self {
            append_bytes(field, &message.encode_to_vec(), bytes);
        }
    }
}

impl<M: Message> Field for Vec<M> {
    fn take(&mut self, value: Value<'_>) -> Result<(), Damage> {
        let Value::Bytes(bytes) = value else { return Err(KIND) };
        self.push(M::decode(bytes)?);
        Ok(())
    }

    fn append(&self, field: u64, bytes: &mut Vec<u8>) {
        for message in self {
            append_bytes(field, &message.encode_to_vec(), bytes);
        }
    }
}
