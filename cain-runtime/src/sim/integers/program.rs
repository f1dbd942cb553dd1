//! Listings as sums of planes.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use crate::io::IoError;
use crate::isa::{Displacement, Instruction, Store, Word};
use crate::sim::SimError;

/// A listing of linear instructions, as sums of planes.
#[derive(Clone, Debug)]
pub struct IntegerProgram {
    pub(super) sums: Vec<Sum>,
}

/// A plane as a sum of other planes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) store: Store,
    /// The planes that are added, followed by those that are subtracted.
    pub(super) terms: Vec<(Store, Displacement)>,
    pub(super) added: usize,
    pub(super) halvings: u32,
}

/// The most terms of a sum: as many as a word has sources.
pub(super) const MOST: usize = 4;

/// A value in terms of what was stored before an instruction.
#[derive(Clone, Default)]
struct Form {
    terms: Vec<Term>,
}

/// A term: a plane, where it is read, whether it is subtracted, and how often it is halved.
type Term = (Store, Displacement, bool, u32);

/// The reason why a program cannot be carried out on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IntegerError {
    /// A word of a program is not a transfer, or reads something other than registers and NEWS.
    NotATransfer(Word),
    /// A word divides by a number other than one or two.
    Divisor(u8),
    /// An instruction reads farther away than the array has room around its pixels.
    Reach(Displacement),
    /// Arrays of integers do not have this word.
    Word(Word),
    /// The digital part of an array refuses something.
    Bits(SimError),
}

impl From<IoError> for IntegerError {
    fn from(error: IoError) -> Self {
        Self::Bits(error.into())
    }
}

impl From<SimError> for IntegerError {
    fn from(error: SimError) -> Self {
        Self::Bits(error)
    }
}

impl fmt::Display for IntegerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotATransfer(word) => write!(f, "`{word}` is no transfer between registers"),
            Self::Divisor(divisor) => write!(f, "integers are halved only, not divided by {divisor}"),
            Self::Reach(Displacement { x, y }) => {
                write!(f, "an instruction reads {x} PEs to the east and {y} to the north; give the array more room")
            }
            Self::Word(word) => write!(f, "`{word}` is nothing that an array of integers does"),
            Self::Bits(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for IntegerError {}

impl IntegerProgram {
    /// The program of a listing. What macro instructions leave in NEWS is not kept.
    pub fn new(listing: &[Instruction]) -> Result<Self, IntegerError> {
        let mut sums = Vec::new();
        for instruction in listing {
            let mut forms: BTreeMap<Store, Form> = BTreeMap::new();
            for word in instruction.words() {
                let written = transfers(&word, &forms)?;
                forms.extend(written);
            }
            let is_macro = matches!(instruction, Instruction::Macro(_));
            let uneven = |form: &Form| form.terms.windows(2).any(|pair| pair[0].3 != pair[1].3);
            let kept: Vec<_> = forms.into_iter().filter(|(store, _)| !is_macro || *store != Store::News).collect();
            // Several results at once could read one another, and terms with different scales need more than one sum.
            let is_sum = |form: &Form| form.terms.len() <= MOST && !uneven(form);
            if kept.len() > 1 || !kept.iter().all(|(_, form)| is_sum(form)) {
                for word in instruction.words() {
                    let written = transfers(&word, &BTreeMap::new())?;
                    sums.extend(written.into_iter().map(|(store, form)| form.into_sum(store)));
                }
            } else {
                sums.extend(kept.into_iter().map(|(store, form)| form.into_sum(store)));
            }
        }
        Ok(Self { sums })
    }

    /// The number of sums.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sums.len()
    }

    /// Whether it does nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }
}

/// What a word writes, given forms for the contents of some stores.
fn transfers(word: &Word, forms: &BTreeMap<Store, Form>) -> Result<Vec<(Store, Form)>, IntegerError> {
    if !matches!(word, Word::Bus(_)) {
        return Err(IntegerError::NotATransfer(*word));
    }
    let mut written = Vec::new();
    for transfer in word.transfers() {
        let halving = match transfer.divisor {
            1 => 0,
            2 => 1,
            divisor => return Err(IntegerError::Divisor(divisor)),
        };
        let mut form = Form::default();
        for &(store, displacement) in transfer.terms() {
            match forms.get(&store) {
                Some(known) => {
                    let through = |&(store, at, negative, halvings): &Term| {
                        (store, at + displacement, !negative, halvings + halving)
                    };
                    form.terms.extend(known.terms.iter().map(through));
                }
                None if matches!(store, Store::Reg(_) | Store::News) => {
                    form.terms.push((store, displacement, true, halving));
                }
                None => return Err(IntegerError::NotATransfer(*word)),
            }
        }
        written.push((transfer.store, form));
    }
    Ok(written)
}

impl Form {
    fn into_sum(self, store: Store) -> Sum {
        let halvings = self.terms.first().map_or(0, |term| term.3);
        let of = |wanted: bool| self.terms.iter().filter(move |term| term.2 == wanted).map(|term| (term.0, term.1));
        let added = of(false).count();
        Sum { store, terms: of(false).chain(of(true)).collect(), added, halvings }
    }
}
