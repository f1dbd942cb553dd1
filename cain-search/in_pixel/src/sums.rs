//! Sums of ink and of weighted ink, as the convolution forms them.

use core::fmt;
use std::collections::BTreeMap;

use cain_analysis::evaluate::{Analogue, AnalogueDomain, Source, Write};
use cain_isa::{Displacement, Fraction, Reg, Store, Word};

/// The PEs where FLAG is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flags {
    Unknown,
    All,
    /// Where a bit is 1 of the pixel that lies this many columns to the east and rows to the north.
    Ink(usize, [i16; 2]),
    /// Where the bit of the filter with this number is 1.
    Weight(usize),
    /// Where the bit of the filter with this number is 0.
    NoWeight(usize),
    /// Where taps leave the array.
    Border,
}

/// A term of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Term {
    One,
    /// The constant transfer error of a word with this many destinations.
    Error(usize),
    /// A bit of the pixel that lies this many columns to the east and rows to the north, counted only where a bit of
    /// the filter is 1, if one is given.
    Ink {
        plane: usize,
        bit: Option<usize>,
        x: i16,
        y: i16,
    },
}

/// A combination of terms, none with weight 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Combination(BTreeMap<Term, Fraction>);

impl Combination {
    /// The sum of weighted terms, where those that are equal are combined; `None` if weights are too large.
    pub(crate) fn sum(terms: impl IntoIterator<Item = (Term, Fraction)>) -> Option<Self> {
        terms
            .into_iter()
            .try_fold(Self::default(), |sum, (term, weight)| sum.plus(weight, &Self::of(term, Fraction::ONE)))
    }

    fn of(term: Term, weight: Fraction) -> Self {
        Self(BTreeMap::from([(term, weight)]))
    }

    pub(crate) fn plus(mut self, factor: Fraction, other: &Self) -> Option<Self> {
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

    /// The weight of a term; 0 if it does not occur.
    pub(crate) fn weight(&self, term: Term) -> Fraction {
        self.0.get(&term).copied().unwrap_or(Fraction::ZERO)
    }

    /// The combination in the PE at a displacement; `None` if it contains weights, which may be those of another block.
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

    /// The combination where FLAG is 1, and 0 elsewhere; `None` if that is no combination of terms.
    fn where_flags(&self, flags: Flags) -> Option<Self> {
        if let Flags::NoWeight(bit) = flags {
            return self.clone().plus(Fraction::from(-1), &self.where_flags(Flags::Weight(bit))?);
        }
        let part = self.0.iter().map(|(term, weight)| {
            let term = match (flags, *term) {
                (Flags::Ink(plane, [x, y]), Term::One) => Term::Ink { plane, bit: None, x, y },
                (Flags::Weight(bit), Term::Ink { plane, bit: None, x, y }) => Term::Ink { plane, bit: Some(bit), x, y },
                (Flags::Weight(bit), term @ Term::Ink { bit: Some(same), .. }) if same == bit => term,
                _ => return None,
            };
            Some((term, *weight))
        });
        // Different terms may become equal.
        Self::sum(part.collect::<Option<Vec<_>>>()?)
    }
}

/// The content of a cell.
#[derive(Clone, Debug)]
enum Held {
    Unknown,
    Everywhere(Combination),
    /// The combination, but 0 where taps leave the array.
    Cleared(Combination),
    /// The combination where FLAG was 1, after this many writes of FLAG.
    Partly(usize, Combination),
}

impl Held {
    fn everywhere(&self) -> Option<&Combination> {
        match self {
            Self::Everywhere(value) | Self::Cleared(value) => Some(value),
            Self::Unknown | Self::Partly(..) => None,
        }
    }
}

/// The analogue cells, which hold the same combination in every PE.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    cells: Analogue<Held>,
    combinations: Combinations,
}

impl Sums {
    /// The initial state, in which nothing is known, not even FLAG.
    pub(crate) fn new() -> Self {
        Self { cells: Analogue::default(), combinations: Combinations { flags: Flags::Unknown, writes: 0 } }
    }

    pub(crate) fn level(&mut self, level: i8) {
        let level = Combination::of(Term::One, Fraction::from(i32::from(level)));
        self.cells.give(Store::In, Held::Everywhere(level));
    }

    /// Sets the content of a register in every PE before the program.
    pub(crate) fn load(&mut self, reg: Reg, value: Combination) {
        self.cells.give(Store::Reg(reg), Held::Everywhere(value));
    }

    pub(crate) fn flags(&mut self, flags: Flags) {
        self.combinations.flags = flags;
        self.combinations.writes += 1;
    }

    /// The content of a register in every PE whose taps stay within the array.
    pub(crate) fn value(&self, reg: Reg) -> Option<&Combination> {
        self.combinations.value(self.cells.get(Store::Reg(reg))?)
    }

    /// Whether the register was set to 0 where taps leave the array.
    pub(crate) fn is_cleared_at_border(&self, reg: Reg) -> bool {
        matches!(self.cells.get(Store::Reg(reg)), Some(Held::Cleared(_)))
    }

    /// Executes an analogue word; `None` if its result is no combination of terms.
    pub(crate) fn word(&mut self, word: &Word) -> Option<()> {
        match word {
            Word::Bus(bus) => {
                let flags = self.combinations.flags;
                let partly = (flags != Flags::All).then_some(&flags);
                self.cells.transfer(&mut self.combinations, bus, partly).ok()
            }
            Word::Logic(_) | Word::FromNeighbours(_) | Word::WhereBits(_) | Word::All => Some(()),
            _ => None,
        }
    }
}

/// The domain of combinations where FLAG is 1.
#[derive(Clone, Debug)]
struct Combinations {
    flags: Flags,
    /// The number of times that FLAG has been written.
    writes: usize,
}

/// The error that a result is no combination of terms.
struct NoCombination;

impl Combinations {
    /// The content of a cell that may be read; this includes values written under the present FLAG.
    fn value<'h>(&self, held: &'h Held) -> Option<&'h Combination> {
        match held {
            Held::Partly(writes, value) => (*writes == self.writes).then_some(value),
            _ => held.everywhere(),
        }
    }

    /// A source as seen from the reading PE.
    fn seen(&self, source: &Source<'_, Held>) -> Option<Combination> {
        if source.at == Displacement::ZERO {
            return self.value(&source.value).cloned();
        }
        source.value.everywhere()?.at(source.at)
    }
}

impl AnalogueDomain for Combinations {
    type Value = Held;
    type Flag = Flags;
    type Error = NoCombination;

    fn unwritten_cell(&mut self, _: Store) -> Result<Held, NoCombination> {
        Ok(Held::Unknown)
    }

    fn transfer(&mut self, write: &Write<'_, Held>) -> Result<Held, NoCombination> {
        let error = Combination::of(Term::Error(write.bus.destinations().len()), Fraction::ONE);
        let add = |sum: Combination, source| sum.plus(write.transfer.factor(), &self.seen(source)?);
        let value = write.sources.iter().try_fold(error, add).filter(|_| !write.bus.is_mean());
        value.map(Held::Everywhere).ok_or(NoCombination)
    }

    fn choose(&mut self, flags: &Flags, written: Held, before: &Held) -> Result<Held, NoCombination> {
        let Held::Everywhere(value) = written else { return Err(NoCombination) };
        let joined = match before {
            // Everywhere else it remains unchanged, as required.
            Held::Everywhere(before) | Held::Cleared(before)
                if *flags == Flags::Border && value == Combination::default() =>
            {
                return Ok(Held::Cleared(before.clone()));
            }
            Held::Everywhere(before) | Held::Cleared(before) => joined(before, &value, *flags),
            Held::Partly(..) | Held::Unknown => None,
        };
        Ok(joined.map_or_else(|| Held::Partly(self.writes, value), Held::Everywhere))
    }
}

/// One value where these flags are 0 and another one where they are 1; `None` if that is no combination of terms.
fn joined(elsewhere: &Combination, here: &Combination, flags: Flags) -> Option<Combination> {
    let difference = here.clone().plus(Fraction::from(-1), elsewhere)?;
    elsewhere.clone().plus(Fraction::ONE, &difference.where_flags(flags)?)
}

impl fmt::Display for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (term, weight)) in self.0.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { " + " })?;
            match term {
                Term::One => write!(f, "{weight}")?,
                Term::Error(destinations) => write!(f, "{weight}·error{destinations}")?,
                Term::Ink { plane, bit: None, x, y } => write!(f, "{weight}·ink{plane}({x},{y})")?,
                Term::Ink { plane, bit: Some(bit), x, y } => write!(f, "{weight}·bit {bit}·ink{plane}({x},{y})")?,
            }
        }
        f.write_str(if self.0.is_empty() { "0" } else { "" })
    }
}
