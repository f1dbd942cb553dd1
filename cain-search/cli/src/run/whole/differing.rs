//! Where results differ from what they mean.

use std::fmt::Display;

use cain_vision::reference::{Answer, Content};

/// The largest difference of levels that counts as none, in DN: the simulator computes in single precision.
const NONE: f64 = 1e-3;

/// How far a result is from its meaning.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Differing {
    /// How many values were compared: PEs, or numbers.
    pub(super) values: usize,
    /// How many of them differ.
    pub(super) count: usize,
    /// The largest difference of levels, in DN.
    pub(super) most: f64,
    /// Where the first is, after the number of its frame, and both values.
    pub(super) first: Option<String>,
}

impl Differing {
    /// How far the answer of an array with so many columns is from that of the reference.
    pub(super) fn of(found: &Answer, wanted: &Answer, width: usize) -> Self {
        let pe = |pe: usize| format!(", row {}, column {}", pe / width, pe % width);
        match (found, wanted) {
            (Answer::One(Content::Levels(found)), Answer::One(Content::Levels(wanted))) => {
                let apart = |(found, wanted): (&f64, &f64)| Some((found - wanted).abs()).filter(|apart| *apart > NONE);
                let level = |level: &f64| format!("{} DN", (level * 1000.0).round() / 1000.0);
                let most = found.iter().zip(wanted).filter_map(apart).fold(0.0, f64::max);
                let differ = |found: &f64, wanted: &f64| apart((found, wanted)).is_some();
                Self { most, ..Self::each(found, wanted, differ, pe, level) }
            }
            (Answer::One(Content::Bits(found)), Answer::One(Content::Bits(wanted))) => {
                Self::each(found, wanted, |found, wanted| found != wanted, pe, |bit| u8::from(*bit).to_string())
            }
            (Answer::One(Content::Number(found)), Answer::One(Content::Number(wanted))) => {
                Self::each(&[*found], &[*wanted], |found, wanted| found != wanted, |_| String::new(), i64::to_string)
            }
            (Answer::Several(found), Answer::Several(wanted)) => match [found, wanted].map(|all| all.split_last()) {
                // The last number tells whether there are any.
                [Some((1, found)), Some((1, wanted))] => Self::numbers(found, wanted, ""),
                [Some((0, _)), Some((0, _))] => Self { values: 1, ..Self::default() },
                [found, wanted] => {
                    let told = |all: Option<(&i64, &[i64])>| match all {
                        Some((1, numbers)) => listed(numbers),
                        _ => "none".to_owned(),
                    };
                    Self::one("", told(found), told(wanted))
                }
            },
            (Answer::List(found), Answer::List(wanted)) => Self::entries(found, wanted),
            _ => Self::one("", "something else", "another kind of result"),
        }
    }

    /// Numbers one by one, after what is told of their place.
    fn numbers(found: &[i64], wanted: &[i64], of: &str) -> Self {
        let place = |number: usize| match found.len() {
            1 => of.to_owned(),
            _ => format!("{of}, number {number}"),
        };
        Self::each(found, wanted, |found, wanted| found != wanted, place, i64::to_string)
    }

    /// The entries of lists, those that only one of them has included.
    fn entries(found: &[Vec<i64>], wanted: &[Vec<i64>]) -> Self {
        let mut all = Self::default();
        for entry in 0..found.len().max(wanted.len()) {
            let place = format!(", entry {entry}");
            all.add(&match (found.get(entry), wanted.get(entry)) {
                (Some(found), Some(wanted)) => Self::numbers(found, wanted, &place),
                (found, wanted) => {
                    let told =
                        |entry: Option<&Vec<i64>>| entry.map_or("no such entry".to_owned(), |entry| listed(entry));
                    Self::one(&place, told(found), told(wanted))
                }
            });
        }
        all
    }

    /// Values of the same places.
    fn each<T>(
        found: &[T],
        wanted: &[T],
        differ: impl Fn(&T, &T) -> bool,
        place: impl Fn(usize) -> String,
        told: impl Fn(&T) -> String,
    ) -> Self {
        let pairs = || found.iter().zip(wanted).enumerate().filter(|(_, (found, wanted))| differ(found, wanted));
        let first = pairs().next().map(|(at, (found, wanted))| both(&place(at), &told(found), &told(wanted)));
        Self { values: found.len(), count: pairs().count(), most: 0.0, first }
    }

    /// One value that differs.
    fn one(place: &str, found: impl Display, wanted: impl Display) -> Self {
        Self { values: 1, count: 1, most: 0.0, first: Some(both(place, &found, &wanted)) }
    }

    /// Adds what differs elsewhere, or in a later frame.
    pub(super) fn add(&mut self, other: &Self) {
        self.values += other.values;
        self.count += other.count;
        self.most = self.most.max(other.most);
        self.first = self.first.take().or_else(|| other.first.clone());
    }
}

/// What the array has at a place, and what the reference has there.
fn both(place: &str, found: &dyn Display, wanted: &dyn Display) -> String {
    format!("{place}: {found} on the array, {wanted} in the reference")
}

/// Numbers that belong together.
fn listed(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    format!("({})", numbers.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{Answer, Content, Differing};

    fn first(found: &Answer, wanted: &Answer) -> (usize, usize, Option<String>) {
        let Differing { values, count, first, .. } = Differing::of(found, wanted, 3);
        (values, count, first)
    }

    #[test]
    fn the_first_difference_is_told_with_its_place() {
        let bits = |bits: [u8; 6]| Answer::One(Content::Bits(bits.map(|bit| bit == 1).to_vec()));
        let told = |told: &str| Some(told.to_owned());
        assert_eq!(
            first(&bits([0, 1, 0, 0, 1, 1]), &bits([0, 1, 0, 0, 0, 0])),
            (6, 2, told(", row 1, column 1: 1 on the array, 0 in the reference"))
        );
        let levels = |levels: [f64; 6]| Answer::One(Content::Levels(levels.to_vec()));
        let found = levels([1.0, 2.0, 3.5, 4.0, 5.0, 6.0]);
        let wanted = levels([1.0, f64::NAN, 2.25, 4.0, 5.0, 0.0]);
        assert!((Differing::of(&found, &wanted, 3).most - 6.0).abs() < 1e-9);
        assert_eq!(
            first(&found, &wanted),
            (6, 2, told(", row 0, column 2: 3.5 DN on the array, 2.25 DN in the reference"))
        );
        let several = |numbers: &[i64]| Answer::Several(numbers.to_vec());
        assert_eq!(
            first(&several(&[1, 2, 1]), &several(&[1, 3, 1])),
            (2, 1, told(", number 1: 2 on the array, 3 in the reference"))
        );
        assert_eq!(
            first(&several(&[1, 2, 1]), &several(&[0, 0, 0])),
            (1, 1, told(": (1, 2) on the array, none in the reference"))
        );
        // What is found nowhere has no place.
        assert_eq!(first(&several(&[1, 2, 0]), &several(&[0, 0, 0])), (1, 0, None));
        let list = |entries: &[&[i64]]| Answer::List(entries.iter().map(|entry| entry.to_vec()).collect());
        assert_eq!(
            first(&list(&[&[1, 2], &[3, 4]]), &list(&[&[1, 2], &[3, 5], &[6, 7]])),
            (5, 2, told(", entry 1, number 1: 4 on the array, 5 in the reference"))
        );
        assert_eq!(
            first(&list(&[]), &list(&[&[6]])),
            (1, 1, told(", entry 0: no such entry on the array, (6) in the reference"))
        );
    }
}
