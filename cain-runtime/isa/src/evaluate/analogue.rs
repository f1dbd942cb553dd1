//! The analogue part: cells and transfers between them.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::{Bus, Displacement, Store, Transfer};

/// What analogue cells hold, and what transfers make of it.
pub trait AnalogueDomain {
    /// What a cell holds, in every PE.
    type Value: Clone;
    /// FLAG where it is not known to be the same in every PE.
    type Flag;
    /// Why a word cannot be followed.
    type Error;

    /// Called for a source that nothing was written to: what it holds, or that it must not be read.
    fn unwritten_cell(&mut self, store: Store) -> Result<Self::Value, Self::Error>;

    /// What one destination of a word receives in the PEs that take part: the sum of the sources, each seen from the owner
    /// of the destination, times the transfer's factor.
    ///
    /// Called once for each destination, in the order of the listing, before FLAG is looked at. `bus` is the whole word, for
    /// domains in which a value depends on how many cells share the bus.
    fn transfer(
        &mut self,
        bus: &Bus,
        transfer: &Transfer,
        sources: &[Source<'_, Self::Value>],
    ) -> Result<Self::Value, Self::Error>;

    /// What a cell holds after it was written in the PEs whose FLAG is 1; `before` is what it held, if it was ever written.
    ///
    /// Called only where FLAG may differ between PEs.
    fn choose(
        &mut self,
        flag: &Self::Flag,
        store: Store,
        written: Self::Value,
        before: Option<&Self::Value>,
    ) -> Result<Self::Value, Self::Error>;
}

/// What a word reads.
#[derive(Debug)]
pub struct Source<'a, V: Clone> {
    /// The cell.
    pub store: Store,
    /// What it holds.
    pub value: Cow<'a, V>,
    /// Where it is read, seen from the PE that the result is for. The level of the controller is the same everywhere: for
    /// [`Store::In`] it is zero.
    pub at: Displacement,
}

/// The analogue cells of an array.
#[derive(Clone, Debug)]
pub struct Analogue<V> {
    cells: BTreeMap<Store, V>,
}

impl<V: Clone> Analogue<V> {
    /// Nothing is written.
    #[must_use]
    pub const fn new() -> Self {
        Self { cells: BTreeMap::new() }
    }

    /// What the cell holds, if it was ever written.
    #[must_use]
    pub fn get(&self, store: Store) -> Option<&V> {
        self.cells.get(&store)
    }

    /// The cells that were written.
    pub fn written(&self) -> impl Iterator<Item = Store> + '_ {
        self.cells.keys().copied()
    }

    /// Lets a cell hold something in every PE, whatever FLAG is.
    pub fn give(&mut self, store: Store, value: V) {
        self.cells.insert(store, value);
    }

    /// Lets all cells be as if nothing was written to them.
    pub fn forget_all(&mut self) {
        self.cells.clear();
    }

    /// Carries out a transfer in the PEs whose FLAG is 1, which is every PE without `flag`.
    pub fn transfer<D: AnalogueDomain<Value = V>>(
        &mut self,
        domain: &mut D,
        bus: &Bus,
        flag: Option<&D::Flag>,
    ) -> Result<(), D::Error> {
        // No source of a word is also one of its destinations, so that they can be written one after the other.
        for transfer in bus.transfers() {
            let sources = self.sources(domain, transfer.terms().iter().copied())?;
            let written = domain.transfer(bus, &transfer, &sources)?;
            let after = match flag {
                None => written,
                Some(flag) => domain.choose(flag, transfer.store, written, self.cells.get(&transfer.store))?,
            };
            self.cells.insert(transfer.store, after);
        }
        Ok(())
    }

    /// What these cells hold, each with the place where it is read.
    pub fn sources<D: AnalogueDomain<Value = V>>(
        &self,
        domain: &mut D,
        terms: impl IntoIterator<Item = (Store, Displacement)>,
    ) -> Result<Vec<Source<'_, V>>, D::Error> {
        let mut sources = Vec::with_capacity(Bus::MAX_SOURCES);
        for (store, at) in terms {
            let value = match self.cells.get(&store) {
                Some(value) => Cow::Borrowed(value),
                None => Cow::Owned(domain.unwritten_cell(store)?),
            };
            sources.push(Source { store, value, at: if store == Store::In { Displacement::ZERO } else { at } });
        }
        Ok(sources)
    }
}

impl<V: Clone> Default for Analogue<V> {
    fn default() -> Self {
        Self::new()
    }
}
