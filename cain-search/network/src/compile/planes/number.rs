//! Numbers in digital registers.

use cain_analysis::prove::{Atom, Polynomial};
use cain_digital::{Format, Formula, Logic};
use cain_isa::{Displacement, Fraction};

use super::plane_id::PlaneId;

/// An integer in bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Number {
    /// The planes of the bits, lowest first.
    pub(in super::super) bits: Vec<PlaneId>,
    /// Whether the number is in two's complement.
    pub(in super::super) is_signed: bool,
}

/// A recipe for a number that one program makes of others.
#[derive(Clone, Debug)]
pub(in super::super) struct Exact {
    /// The inputs of the formula, each listed once.
    pub(in super::super) read: Vec<Number>,
    pub(in super::super) formula: Formula,
    /// The format of the result.
    pub(in super::super) format: Format,
    /// The number of multiply-accumulates for one pixel.
    pub(in super::super) macs: usize,
}

impl Number {
    /// The value of its lowest bit on the array, in DN, such that all values fit into a register; `None` if it has too
    /// many bits.
    pub(in super::super) fn step(&self) -> Option<i8> {
        let most = if self.is_signed { 7 } else { 6 };
        let bits = self.bits.len();
        (bits <= most).then(|| 1 << (7 - bits))
    }

    /// The value of a bit, in units of the lowest bit.
    pub(in super::super) fn weight(&self, bit: usize) -> i32 {
        let weight = 1 << bit;
        if self.is_signed && bit + 1 == self.bits.len() { -weight } else { weight }
    }

    pub(in super::super) fn format(&self) -> Option<Format> {
        Format::new(u32::try_from(self.bits.len()).ok()?, self.is_signed)
    }
}

impl Exact {
    /// The displacements that a PE reads.
    pub(in super::super) fn places(&self) -> Vec<Displacement> {
        match &self.formula {
            Formula::Sum(sum) => sum.terms().map(|(atom, _)| atom.displacement).collect(),
            Formula::Logic(logic) => logic.pixels().into_iter().map(|(_, _, at)| at).collect(),
        }
    }

    /// The recipe with some of the input numbers replaced by their single bits; `None` if weights become too large.
    pub(in super::super) fn with_bits_of(&self, is_split: impl Fn(&Number) -> bool) -> Option<Self> {
        let mut read: Vec<Number> = vec![];
        // For each number, the index of its first new input, and whether it was replaced by its bits.
        let mut places = vec![];
        for number in &self.read {
            let is_split = is_split(number);
            places.push((read.len(), is_split));
            if is_split {
                read.extend(number.bits.iter().map(|&bit| Number { bits: vec![bit], is_signed: false }));
            } else {
                read.push(number.clone());
            }
        }
        let formula = match &self.formula {
            Formula::Sum(sum) => {
                let mut terms = Polynomial::new();
                for (atom, weight) in sum.terms() {
                    let number = self.read.get(usize::from(atom.channel))?;
                    let (first, is_split) = places[usize::from(atom.channel)];
                    for bit in 0..if is_split { number.bits.len() } else { 1 } {
                        let channel = u16::try_from(first + bit).ok()?;
                        let counts = if is_split { number.weight(bit) } else { 1 };
                        terms.add_term(Atom { channel, ..atom }, weight.checked_mul(Fraction::from(counts))?)?;
                    }
                }
                terms.into()
            }
            Formula::Logic(logic) => {
                let placed = logic.with_pixels(&|input, bit, at| {
                    let (first, is_split) = *places.get(input)?;
                    let (input, bit) = if is_split { (first + usize::try_from(bit).ok()?, 0) } else { (first, bit) };
                    Some(Logic::Pixel { input, bit, at })
                });
                placed?.into()
            }
        };
        Some(Self { read, formula, ..self.clone() })
    }
}
