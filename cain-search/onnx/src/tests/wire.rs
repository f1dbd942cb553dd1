//! Tests that messages are the same bytes as those of `prost`, and that damaged bytes are read or refused alike.

use prost::Message as _;

use crate::wire::{Damage, Field, Message, Value, messages};

messages! {
    Outer {
        1 whole: i64,
        2 single: f32,
        3 text: String,
        4 bytes: Vec<u8>,
        5 inner: Option<Box<Inner>>,
        6 doubles: Vec<f64>,
        7 singles: Vec<f32>,
        8 wholes: Vec<i64>,
        9 halves: Vec<i32>,
        10 texts: Vec<String>,
        11 parts: Vec<Vec<u8>>,
        12 inners: Vec<Inner>,
        700 number: i32,
    }

    Inner {
        1 size: Option<i64>,
        2 name: Option<String>,
        3 again: Vec<Innermost>,
    }

    Innermost {
        1 number: i32,
    }
}

/// The same messages, as `prost` declares them.
mod other {
    #[derive(Clone, PartialEq, prost::Message)]
    pub(super) struct Outer {
        #[prost(int64, tag = "1")]
        pub(super) whole: i64,
        #[prost(float, tag = "2")]
        pub(super) single: f32,
        #[prost(string, tag = "3")]
        pub(super) text: String,
        #[prost(bytes = "vec", tag = "4")]
        pub(super) bytes: Vec<u8>,
        #[prost(message, optional, boxed, tag = "5")]
        pub(super) inner: Option<Box<Inner>>,
        #[prost(double, repeated, tag = "6")]
        pub(super) doubles: Vec<f64>,
        #[prost(float, repeated, tag = "7")]
        pub(super) singles: Vec<f32>,
        #[prost(int64, repeated, tag = "8")]
        pub(super) wholes: Vec<i64>,
        #[prost(int32, repeated, tag = "9")]
        pub(super) halves: Vec<i32>,
        #[prost(string, repeated, tag = "10")]
        pub(super) texts: Vec<String>,
        #[prost(bytes = "vec", repeated, tag = "11")]
        pub(super) parts: Vec<Vec<u8>>,
        #[prost(message, repeated, tag = "12")]
        pub(super) inners: Vec<Inner>,
        #[prost(int32, tag = "700")]
        pub(super) number: i32,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub(super) struct Inner {
        #[prost(int64, optional, tag = "1")]
        pub(super) size: Option<i64>,
        #[prost(string, optional, tag = "2")]
        pub(super) name: Option<String>,
        #[prost(message, repeated, tag = "3")]
        pub(super) again: Vec<Innermost>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub(super) struct Innermost {
        #[prost(int32, tag = "1")]
        pub(super) number: i32,
    }
}

/// Numbers below `limit` without any pattern.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn byte(&mut self) -> u8 {
        self.below(256).to_le_bytes()[0]
    }

    /// A number of any length.
    fn whole(&mut self) -> i64 {
        let shift = self.below(64);
        self.below(1 << 31);
        (self.0.cast_signed()) >> shift
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(4)).map(|_| item(self)).collect()
    }

    fn text(&mut self) -> String {
        self.list(|dice| char::from(dice.byte())).into_iter().collect()
    }

    fn inner(&mut self) -> other::Inner {
        other::Inner {
            size: (self.below(2) == 0).then(|| self.whole()),
            name: (self.below(2) == 0).then(|| self.text()),
            again: self.list(|dice| other::Innermost { number: dice.half() }),
        }
    }

    fn half(&mut self) -> i32 {
        i32::try_from(self.whole() >> 32).unwrap()
    }

    fn outer(&mut self) -> other::Outer {
        other::Outer {
            whole: self.whole(),
            single: f32::from(self.byte()),
            text: self.text(),
            bytes: self.list(Self::byte),
            inner: (self.below(2) == 0).then(|| Box::new(self.inner())),
            doubles: self.list(|dice| f64::from(dice.half()) / 8.0),
            singles: self.list(|dice| f32::from(dice.byte()) / 8.0),
            wholes: self.list(Self::whole),
            halves: self.list(Self::half),
            texts: self.list(Self::text),
            parts: self.list(|dice| dice.list(Self::byte)),
            inners: self.list(Self::inner),
            number: self.half(),
        }
    }
}

#[test]
fn messages_are_the_same_bytes() {
    let mut dice = Dice(1);
    for _ in 0..2000 {
        let bytes = prost::Message::encode_to_vec(&dice.outer());
        assert_eq!(Outer::decode(&bytes).unwrap().encode_to_vec(), bytes);
    }
}

/// Bytes are changed, left out or put in: most of what is read then are unknown fields, groups, parts of messages, lists that
/// are not packed, and ends that come too early.
#[test]
fn damaged_messages_are_read_or_refused_alike() {
    let mut dice = Dice(2);
    let mut counts = [0; 2];
    for _ in 0..60_000 {
        let mut bytes = prost::Message::encode_to_vec(&dice.outer());
        for _ in 0..=dice.below(3) {
            let place = dice.below(bytes.len() + 1);
            match dice.below(3) {
                0 => bytes.truncate(place),
                1 => bytes.insert(place, [dice.byte(), dice.byte() % 32, 0x8b][dice.below(3)]),
                _ => {
                    if let Some(byte) = bytes.get_mut(place) {
                        *byte = dice.byte() >> dice.below(8);
                    }
                }
            }
        }
        let (found, expected) = (Outer::decode(&bytes), other::Outer::decode(bytes.as_slice()));
        counts[usize::from(expected.is_ok())] += 1;
        match (found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found.encode_to_vec(), expected.encode_to_vec(), "{bytes:?}"),
            (Err(_), Err(_)) => {}
            (found, expected) => panic!("{bytes:?}: {found:?}, {expected:?}"),
        }
    }
    assert!(counts.iter().all(|count| *count > 5_000), "{counts:?}");
}

#[test]
fn what_is_damaged_is_told() {
    for (bytes, expected) in [
        (&b"\x08"[..], "the bytes end too early"),
        (b"\x2a\x04\x12\x02\xff\xff", "in `inner.name`, a text is not UTF-8"),
        (b"\x0a\x01a", "in `whole`, a value is of another kind"),
        (b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", "a number has more than 64 bits"),
        (b"\x00\x00", "a field has no number"),
        (b"\x0f", "a value is of another kind"),
        (&[0x9b, 0x06].repeat(1000), "a value is of another kind"),
    ] {
        assert_eq!(Outer::decode(bytes).unwrap_err().to_string(), expected);
    }
}
