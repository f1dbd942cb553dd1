//! The analogue part of the machine: cells and transfers between them.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use cain_isa::{Bus, Displacement, Store, Transfer};

use crate::sorted::Map;

/// The representation of analogue values, and the effect of transfers on them.
pub trait AnalogueDomain {
    /// The content of a cell in every PE.
    type Value: Clone;
    /// The representation of FLAG where it is not known to be the same in every PE.
    type Flag;
    /// The reason why a word cannot be followed.
    type Error;

    /// The content of a cell that was never written, or the error that it must not be read. It is called for sources,
    /// and for cells that keep their content where FLAG is 0.
    fn unwritten_cell(&mut self, store: Store) -> Result<Self::Value, Self::Error>;

    /// The value that one destination of a word receives in the PEs that take part: the sum of the sources, each as
    /// seen from the owner of the destination, times the transfer's factor.
    ///
    /// It is called once for each destination, in the order of the listing, before FLAG is considered.
    fn transfer(&mut self, write: &Write<'_, Self::Value>) -> Result<Self::Value, Self::Error>;

    /// The content of a cell that held `before` and was then written in the PEs whose FLAG is 1.
    ///
    /// It is called only where FLAG may differ between PEs.
    fn choose(
        &mut self,
        flag: &Self::Flag,
        written: Self::Value,
        before: &Self::Value,
    ) -> Result<Self::Value, Self::Error>;
}

/// One destination of a word.
#[derive(Debug)]
pub struct Write<'a, V: Clone> {
    /// The word: in some domains a value depends on how many cells share the bus.
    pub bus: &'a Bus,
    /// The part of the word that concerns the destination.
    pub transfer: Transfer,
    /// The terms of the transfer.
    pub sources: Vec<Source<'a, V>>,
}

impl<V: Clone> Write<'_, V> {
    /// The place of the destination among those of the word, and how many these are.
    #[must_use]
    pub fn place(&self) -> (usize, usize) {
        let stores = || self.bus.transfers().map(|transfer| transfer.store);
        (stores().position(|store| store == self.transfer.store).unwrap_or_default(), stores().len())
    }
}

/// A source that a word reads.
#[derive(Debug)]
pub struct Source<'a, V: Clone> {
    /// The cell.
    pub store: Store,
    /// Its content.
    pub value: Cow<'a, V>,
    /// The displacement at which it is read, as seen from the PE that gets the result. The level of the controller is
    /// the same everywhere: for [`Store::In`] it is zero.
    pub at: Displacement,
}

/// The analogue cells of an array.
#[derive(Clone, Debug)]
pub struct Analogue<V> {
    cells: Map<Store, V>,
}

impl<V: Clone> Analogue<V> {
    /// The content of a cell, if it was ever written.
    #[must_use]
    pub fn get(&self, store: Store) -> Option<&V> {
        self.cells.get(&store)
    }

    /// The cells that have been written.
    pub fn written(&self) -> impl Iterator<Item = Store> + '_ {
        self.cells.keys().copied()
    }

    /// Sets a cell in every PE, regardless of FLAG.
    pub fn give(&mut self, store: Store, value: V) {
        self.cells.insert(store, value);
    }

    /// Treats all cells as if they had never been written.
    pub fn forget_all(&mut self) {
        self.cells.clear();
    }

    /// Executes a transfer in the PEs whose FLAG is 1; without `flag`, in every PE.
    pub fn transfer<D: AnalogueDomain<Value = V>>(
        &mut self,
        domain: &mut D,
        bus: &Bus,
        flag: Option<&D::Flag>,
    ) -> Result<(), D::Error> {
        // No source of a word is also one of its destinations, so they can be written one after the other.
        for transfer in bus.transfers() {
            let sources = self.sources(domain, transfer.terms().iter().copied())?;
            let written = domain.transfer(&Write { bus, transfer, sources })?;
            let after = match flag {
                None => written,
                Some(flag) => {
                    let before = self.read(domain, transfer.store)?;
                    domain.choose(flag, written, &before)?
                }
            };
            self.cells.insert(transfer.store, after);
        }
        Ok(())
    }

    /// The contents of these cells, each with the displacement at which it is read.
    pub fn sources<D: AnalogueDomain<Value = V>>(
        &self,
        domain: &mut D,
        terms: impl IntoIterator<Item = (Store, Displacement)>,
    ) -> Result<Vec<Source<'_, V>>, D::Error> {
        let mut sources = Vec::with_capacity(Bus::MAX_SOURCES);
        for (store, at) in terms {
            let at = if store == Store::In { Displacement::ZERO } else { at };
            sources.push(Source { store, value: self.read(domain, store)?, at });
        }
        Ok(sources)
    }

    fn read<D: AnalogueDomain<Value = V>>(&self, domain: &mut D, store: Store) -> Result<Cow<'_, V>, D::Error> {
        match self.cells.get(&store) {
            Some(value) => Ok(Cow::Borrowed(value)),
            None => Ok(Cow::Owned(domain.unwritten_cell(store)?)),
        }
    }
}

impl<V> Default for Analogue<V> {
    /// Cells that have not been written.
    fn default() -> Self {
        Self { cells: Map::new() }
    }
}
