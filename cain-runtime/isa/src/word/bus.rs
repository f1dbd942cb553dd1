//! Transfers over the analogue bus.

use core::fmt;

use super::WordError;
use crate::{Cell, Direction, Displacement, Fraction, Renaming, Store};

/// A transfer over the analogue bus: every PE connects some cells to its bus.
///
/// With K destinations, each receives −(sum of the sources)/K. This is the only arithmetic that the analogue part
/// can do. The forms are those of the vendor library: `bus` with one destination and up to four sources, `bus2` with
/// two and up to two, `bus3` with three and exactly one. (SCAMP-5d library headers; `bus`, `bus2`, `bus3`.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bus {
    destinations: [Cell; Self::MAX_DESTINATIONS],
    sources: [Cell; Self::MAX_SOURCES],
    destination_count: u8,
    source_count: u8,
    /// Whether the sources are several ports of NEWS, which share one node and are therefore averaged.
    is_mean: bool,
}

impl Bus {
    /// A transfer without cells, as a placeholder.
    pub(super) const NOTHING: Self = Self::assemble(&[], &[]);

    /// The most destinations that a word has (`bus3`).
    pub const MAX_DESTINATIONS: usize = 3;
    /// The most sources that a word has (`bus`).
    pub const MAX_SOURCES: usize = 4;

    /// The word that writes `destinations` from `sources`, if the bus allows it.
    pub const fn new(destinations: &[Cell], sources: &[Cell]) -> Result<Self, WordError> {
        let max_sources = match destinations.len() {
            0 => return Err(WordError::NoDestination),
            1 => Self::MAX_SOURCES,
            2 => 2,
            3 => 1,
            _ => return Err(WordError::TooManyDestinations),
        };
        if sources.len() > max_sources {
            return Err(WordError::TooManySources { max: max_sources });
        }
        if sources.is_empty() && destinations.len() == Self::MAX_DESTINATIONS {
            return Err(WordError::NoSource);
        }
        let word = Self::assemble(destinations, sources);
        match word.broken_rule() {
            Some(error) => Err(error),
            None => Ok(word),
        }
    }

    /// Assembles a word without checking the rules; lists beyond the limits are truncated.
    pub(crate) const fn assemble(destinations: &[Cell], sources: &[Cell]) -> Self {
        let mut word = Self {
            destinations: [Cell::News; Self::MAX_DESTINATIONS],
            sources: [Cell::News; Self::MAX_SOURCES],
            destination_count: 0,
            source_count: 0,
            is_mean: false,
        };
        let mut i = 0;
        while i < destinations.len() && i < Self::MAX_DESTINATIONS {
            word.destinations[i] = destinations[i];
            word.destination_count += 1;
            i += 1;
        }
        let mut i = 0;
        while i < sources.len() && i < Self::MAX_SOURCES {
            word.sources[i] = sources[i];
            word.source_count += 1;
            i += 1;
        }
        word
    }

    /// The first rule of the bus that the word breaks: each cell only once, only one of the NEWS family, and a port
    /// only as the single destination.
    pub(crate) const fn broken_rule(&self) -> Option<WordError> {
        let mut connected = [Cell::News; Self::MAX_DESTINATIONS + Self::MAX_SOURCES];
        let count = self.len_connected();
        let mut i = 0;
        while i < count {
            connected[i] = self.connected(i);
            i += 1;
        }
        let (destinations, sources) = connected.split_at(self.destination_count as usize);
        let clash = if self.is_mean {
            // The ports are one node; it is enough that the destination is not part of it.
            WordError::clash(&[destinations[0], sources[0]])
        } else {
            WordError::clash(connected.split_at(count).0)
        };
        if clash.is_some() {
            return clash;
        }
        let mut i = 0;
        while i < destinations.len() {
            match destinations[i] {
                Cell::Port(port) if destinations.len() > 1 => return Some(WordError::SharedPort(port)),
                Cell::Pix | Cell::In => return Some(WordError::ReadOnly(destinations[i])),
                _ => i += 1,
            }
        }
        None
    }

    /// The word that writes minus the *average* of several neighbours' NEWS.
    ///
    /// If several buses connect a NEWS, its current is shared between them, so a bus that connects n ports receives the
    /// n-th part from each.
    pub const fn mean(destination: Cell, ports: &[Direction]) -> Result<Self, WordError> {
        if ports.is_empty() || ports.len() > Self::MAX_SOURCES {
            return Err(WordError::TooManySources { max: Self::MAX_SOURCES });
        }
        let mut cells = [Cell::News; Self::MAX_SOURCES];
        let mut i = 0;
        while i < ports.len() {
            let mut j = i + 1;
            while j < ports.len() {
                if ports[i].same(ports[j]) {
                    return Err(WordError::SourceTwice(Cell::Port(ports[i])));
                }
                j += 1;
            }
            cells[i] = Cell::Port(ports[i]);
            i += 1;
        }
        let word = Self::assemble_mean(&[destination], cells.split_at(ports.len()).0);
        match word.broken_rule() {
            Some(error) => Err(error),
            None => Ok(word),
        }
    }

    /// Assembles a [`mean`](Self::mean) without checking the rules.
    pub(crate) const fn assemble_mean(destinations: &[Cell], ports: &[Cell]) -> Self {
        let mut word = Self::assemble(destinations, ports);
        word.is_mean = ports.len() > 1;
        word
    }

    /// The same word on other registers.
    pub(crate) const fn renamed(mut self, renaming: Renaming<'_>) -> Self {
        let mut i = 0;
        while i < self.destinations.len() {
            self.destinations[i] = renaming.cell(self.destinations[i]);
            i += 1;
        }
        let mut i = 0;
        while i < self.sources.len() {
            self.sources[i] = renaming.cell(self.sources[i]);
            i += 1;
        }
        self
    }

    /// Whether the word averages several ports.
    #[must_use]
    pub const fn is_mean(&self) -> bool {
        self.is_mean
    }

    const fn len_connected(&self) -> usize {
        self.destination_count as usize + self.source_count as usize
    }

    /// The i-th cell on the bus, destinations first.
    const fn connected(&self, i: usize) -> Cell {
        let destinations = self.destination_count as usize;
        if i < destinations { self.destinations[i] } else { self.sources[i - destinations] }
    }

    /// The cells that are written, in the order of the listing.
    #[must_use]
    pub fn destinations(&self) -> &[Cell] {
        &self.destinations[..usize::from(self.destination_count)]
    }

    /// The cells that are read, in the order of the listing.
    #[must_use]
    pub fn sources(&self) -> &[Cell] {
        &self.sources[..usize::from(self.source_count)]
    }

    /// The transfers of the word, one per destination, with neighbours resolved into displacements.
    ///
    /// No source of a word is also one of its destinations, so the transfers may be carried out in any order.
    #[must_use]
    pub fn transfers(&self) -> impl ExactSizeIterator<Item = Transfer> + use<> {
        let word = *self;
        (0..word.destinations().len()).map(move |i| Transfer::to(&word, word.destinations[i]))
    }
}

impl fmt::Display for Bus {
    /// Writes SCAMP-5 C spelling, destinations first: `bus2(B,NEWS,A);`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.destination_count {
            1 => "bus(",
            2 => "bus2(",
            _ => "bus3(",
        })?;
        for i in 0..self.len_connected() {
            if i > 0 {
                f.write_str(",")?;
            }
            self.connected(i).fmt(f)?;
        }
        f.write_str(");")
    }
}

/// The effect of one word on one storage cell, seen from the PE that owns the cell:
/// `store(p) := −Σ source(p + displacement) / divisor`.
///
/// This defines what the machine does. Simulator, prover and all other readers of programs evaluate transfers; none of
/// them has its own notion of ports or inversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The cell that is written.
    pub store: Store,
    /// The number by which the sum is divided: the number of destinations that share the bus, times the number of ports
    /// of an average.
    pub divisor: u8,
    terms: [(Store, Displacement); Bus::MAX_SOURCES],
    term_count: u8,
}

impl Transfer {
    pub(super) fn to(word: &Bus, destination: Cell) -> Self {
        // Seen from the owner of the NEWS, the PE that writes it is in the opposite direction.
        let (store, writer) = match destination {
            Cell::Port(direction) => (Store::News, direction.opposite().displacement()),
            cell => cell.seen_from(Displacement::ZERO),
        };
        let mut terms = [(Store::News, Displacement::ZERO); Bus::MAX_SOURCES];
        for (term, source) in terms.iter_mut().zip(word.sources()) {
            *term = source.seen_from(writer);
        }
        let shares = if word.is_mean { word.source_count } else { 1 };
        Self { store, divisor: word.destination_count * shares, terms, term_count: word.source_count }
    }

    /// The weight of each source: −1/divisor, because the bus inverts and is shared.
    ///
    /// Searches that calculate with integers, and simulators that round, use the [`divisor`](Self::divisor) instead and
    /// invert by themselves.
    #[must_use]
    pub const fn factor(&self) -> Fraction {
        match Fraction::new(-1, self.divisor as i64) {
            Some(factor) => factor,
            // This means that nothing is written; no word has such a divisor.
            None => Fraction::ZERO,
        }
    }

    /// The storage cells that are summed, each with the displacement it is read from.
    #[must_use]
    pub fn terms(&self) -> &[(Store, Displacement)] {
        &self.terms[..usize::from(self.term_count)]
    }
}
