//! Sums of ink and of weighted ink, as the convolution forms them.

use core::fmt;
use std::collections::BTreeMap;

use cain_isa::{Displacement, Fraction, Reg, Store, Word};

use super::Declaration;

/// Where FLAG is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flags {
    Unknown,
    All,
    /// Where that bit of the pixel is 1.
    Ink(usize),
    /// Where the bit of that number of the filter is 1.
    Weight(usize),
    /// Where it is 0.
    NoWeight(usize),
    /// Where taps leave the array.
    Border,
}

/// What is summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Term {
    One,
    /// The constant error of a transfer.
    Error,
    /// A bit of the pixel that many columns to the east and rows to the north, where that bit of the filter is 1 if there is
    /// one.
    Ink {
        plane: usize,
        bit: Option<usize>,
        x: i16,
        y: i16,
    },
}

/// A combination of terms, without zero weights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Combination(BTreeMap<Term, Fraction>);

impl Combination {
    fn of(term: Term, weight: Fraction) -> Self {
        Self(BTreeMap::from([(term, weight)]))
    }

    fn plus(mut self, factor: Fraction, other: &Self) -> Option<Self> {
        for (term, weight) in &other.0 {
            let before = self.0.get(term).copied().unwrap_or(Fraction::ZERO);
            let sum = before.checked_add(weight.checked_mul(factor)?)?;
            if sum.is_zero() {
                self.0.remove(term);
            } else {
                self.0.insert(*term, sum);
            }
        }
        Some(self)
    }

    /// In the PE at that displacement; nothing if weights are in it, which may be those of another block.
    fn at(&self, by: Displacement) -> Option<Self> {
        if by == Displacement::ZERO {
            return Some(self.clone());
        }
        let moved = self.0.iter().map(|(term, weight)| {
            let term = match *term {
                Term::Ink { plane, bit: None, x, y } => {
                    Term::Ink { plane, bit: None, x: x.checked_add(by.x)?, y: y.checked_add(by.y)? }
                }
                Term::Ink { bit: Some(_), .. } => return None,
                term => term,
            };
            Some((term, *weight))
        });
        Some(Self(moved.collect::<Option<_>>()?))
    }

    /// Where FLAG is 1, and 0 elsewhere; nothing if that is no combination of terms.
    fn where_flags(&self, flags: Flags) -> Option<Self> {
        if let Flags::NoWeight(bit) = flags {
            return self.clone().plus(Fraction::from(-1), &self.where_flags(Flags::Weight(bit))?);
        }
        let part = self.0.iter().map(|(term, weight)| {
            let term = match (flags, *term) {
                (Flags::Ink(plane), Term::One) => Term::Ink { plane, bit: None, x: 0, y: 0 },
                (Flags::Weight(bit), Term::Ink { plane, bit: None, x, y }) => Term::Ink { plane, bit: Some(bit), x, y },
                (Flags::Weight(bit), term @ Term::Ink { bit: Some(same), .. }) if same == bit => term,
                _ => return None,
            };
            Some((term, *weight))
        });
        Some(Self(part.collect::<Option<_>>()?))
    }
}

/// What a cell holds.
#[derive(Clone, Debug)]
enum Held {
    Everywhere(Combination),
    /// Where FLAG was 1 after so many writes of it.
    Partly(usize, Combination),
}

/// The analogue cells, which hold the same combination in every PE.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    cells: BTreeMap<Store, Held>,
    flags: Flags,
    /// How often FLAG has been written.
    writes: usize,
    cleared: Vec<Store>,
}

impl Sums {
    /// Nothing is known, not even of FLAG.
    pub(super) const fn new() -> Self {
        Self { cells: BTreeMap::new(), flags: Flags::Unknown, writes: 0, cleared: Vec::new() }
    }

    /// What the convolution has to leave: minus half the sum of the weighted pixels, of which 1 has that level.
    ///
    /// A bit of 1 stands for −1: a pixel times level where the bit is 1, less half of it in any case. Of the two bits of a
    /// ternary weight the first stands for −1 and the second for 1.
    pub(super) fn wanted(network: &Declaration, level: i8) -> Combination {
        let taps = network.taps;
        let mut terms = BTreeMap::new();
        for (plane, place) in
            (0..network.pixel_bits).flat_map(|plane| (0..taps * taps).map(move |place| (plane, place)))
        {
            let half = i32::from(level / 2) << plane;
            let coordinate = |number: usize| i16::try_from(number).unwrap_or(i16::MAX);
            let (x, y) = (coordinate(place % taps), -coordinate(place / taps));
            let weights = if network.is_ternary() {
                [(Some(2 * place), half), (Some(2 * place + 1), -half)]
            } else {
                [(Some(place), 2 * half), (None, -half)]
            };
            terms.extend(weights.map(|(bit, weight)| (Term::Ink { plane, bit, x, y }, Fraction::from(weight))));
        }
        Combination(terms)
    }

    pub(super) fn level(&mut self, level: i8) {
        let level = Combination::of(Term::One, Fraction::from(i32::from(level)));
        self.cells.insert(Store::In, Held::Everywhere(level));
    }

    pub(super) fn flags(&mut self, flags: Flags) {
        self.flags = flags;
        self.writes += 1;
    }

    /// What a register holds in every PE whose taps do not leave the array.
    pub(super) fn value(&self, reg: Reg) -> Option<&Combination> {
        self.read(Store::Reg(reg))
    }

    /// Whether the register became 0 where taps leave the array.
    pub(super) fn is_cleared_at_border(&self, reg: Reg) -> bool {
        self.cleared.contains(&Store::Reg(reg))
    }

    fn read(&self, store: Store) -> Option<&Combination> {
        match self.cells.get(&store)? {
            Held::Everywhere(value) => Some(value),
            Held::Partly(writes, value) => (*writes == self.writes).then_some(value),
        }
    }

    /// Carries out an analogue word; nothing if what it leaves is no combination of terms.
    pub(super) fn word(&mut self, word: &Word) -> Option<()> {
        match word {
            Word::Bus(bus) if (bus.destinations().len() == 1 || bus.sources().is_empty()) && !bus.is_mean() => {}
            Word::Logic(_) | Word::FromNeighbours(_) | Word::WhereBits(_) | Word::All => return Some(()),
            _ => return None,
        }
        for transfer in word.transfers() {
            let mut value = Combination::of(Term::Error, Fraction::ONE);
            for (store, by) in transfer.terms() {
                if *by != Displacement::ZERO && matches!(self.cells.get(store)?, Held::Partly(..)) {
                    return None;
                }
                value = value.plus(transfer.factor(), &self.read(*store)?.at(*by)?)?;
            }
            self.write(transfer.store, value);
        }
        Some(())
    }

    fn write(&mut self, store: Store, value: Combination) {
        self.cleared.retain(|cleared| *cleared != store);
        let before = match self.cells.get(&store) {
            Some(Held::Everywhere(before)) => Some(before.clone()),
            _ => None,
        };
        let held = match (self.flags, before) {
            (Flags::All, _) => Held::Everywhere(value),
            // Everywhere else it stays as it is, which is what is asked for.
            (Flags::Border, Some(before)) if value == Combination::default() => {
                self.cleared.push(store);
                Held::Everywhere(before)
            }
            (flags, before) => {
                let joined = before.and_then(|before| {
                    let difference = value.clone().plus(Fraction::from(-1), &before)?;
                    before.plus(Fraction::ONE, &difference.where_flags(flags)?)
                });
                joined.map_or(Held::Partly(self.writes, value), Held::Everywhere)
            }
        };
        self.cells.insert(store, held);
    }
}

impl fmt::Display for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (term, weight)) in self.0.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { " + " })?;
            match term {
                Term::One => write!(f, "{weight}")?,
                Term::Error => write!(f, "{weight}·error")?,
                Term::Ink { plane, bit: None, x, y } => write!(f, "{weight}·ink{plane}({x},{y})")?,
                Term::Ink { plane, bit: Some(bit), x, y } => write!(f, "{weight}·bit {bit}·ink{plane}({x},{y})")?,
            }
        }
        f.write_str(if self.0.is_empty() { "0" } else { "" })
    }
}
