//! Native control words (ICWs): one bus transfer each.

use core::fmt;

use crate::{Cell, Direction, Offset, Reg};

/// One instruction code word (ICW): every PE connects some cells to its bus.
///
/// With K destinations, each receives −(sum of the sources)/K. This is the only thing the analogue part
/// can do; every macro instruction is a short sequence of words. The forms are those of the vendor
/// library: `bus` with one destination and up to four sources, `bus2` with two and up to two, `bus3` with
/// three and one. (SCAMP-5d library headers; `bus`, `bus2`, `bus3`.)
///
/// ```
/// use cain_isa::{Cell, Reg, Word};
///
/// let halve = Word::new(&[Cell::Reg(Reg::B), Cell::News], &[Cell::Reg(Reg::A)]).unwrap();
/// assert_eq!(halve.to_string(), "bus2(B,NEWS,A);");
/// // A cell can be connected only once.
/// assert!(Word::new(&[Cell::Reg(Reg::A)], &[Cell::Reg(Reg::A)]).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Word {
    destinations: [Cell; Self::MAX_DESTINATIONS],
    sources: [Cell; Self::MAX_SOURCES],
    destination_count: u8,
    source_count: u8,
}

impl Word {
    /// The most destinations of a word (`bus3`).
    pub const MAX_DESTINATIONS: usize = 3;
    /// The most sources of a word (`bus`).
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
        let word = Self::assemble(destinations, sources);
        match word.broken_rule() {
            Some(error) => Err(error),
            None => Ok(word),
        }
    }

    /// Puts a word together without looking at the rules; lists beyond the limits are cut.
    pub(crate) const fn assemble(destinations: &[Cell], sources: &[Cell]) -> Self {
        let mut word = Self {
            destinations: [Cell::News; Self::MAX_DESTINATIONS],
            sources: [Cell::News; Self::MAX_SOURCES],
            destination_count: 0,
            source_count: 0,
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

    /// The first bus rule that the word breaks: each register once, one cell of the NEWS family, and
    /// a port written alone.
    pub(crate) const fn broken_rule(&self) -> Option<WordError> {
        let connected = self.len_connected();
        let mut i = 0;
        while i < connected {
            let mut j = i + 1;
            while j < connected {
                let (first, second) = (self.connected(i), self.connected(j));
                if first.conflicts(second) {
                    return Some(match first {
                        Cell::Reg(reg) => WordError::Repeated(reg),
                        _ => WordError::NewsTwice(first, second),
                    });
                }
                j += 1;
            }
            i += 1;
        }
        let mut i = 0;
        while i < self.destination_count as usize {
            if let (Cell::Port(port), true) = (self.destinations[i], self.destination_count > 1) {
                return Some(WordError::SharedPort(port));
            }
            i += 1;
        }
        None
    }

    const fn len_connected(&self) -> usize {
        self.destination_count as usize + self.source_count as usize
    }

    /// The i-th cell on the bus, destinations first.
    const fn connected(&self, i: usize) -> Cell {
        let destinations = self.destination_count as usize;
        if i < destinations { self.destinations[i] } else { self.sources[i - destinations] }
    }

    /// The cells written, in the order of the listing.
    #[must_use]
    pub fn destinations(&self) -> &[Cell] {
        &self.destinations[..usize::from(self.destination_count)]
    }

    /// The cells read, in the order of the listing.
    #[must_use]
    pub fn sources(&self) -> &[Cell] {
        &self.sources[..usize::from(self.source_count)]
    }

    /// What the word does, one transfer per destination, with neighbours resolved into offsets.
    ///
    /// No source of a word is also one of its destinations, so the transfers may be carried out in any order.
    #[must_use]
    pub fn transfers(&self) -> impl ExactSizeIterator<Item = Transfer> + use<> {
        let word = *self;
        (0..word.destinations().len()).map(move |i| Transfer::to(&word, word.destinations[i]))
    }
}

impl fmt::Display for Word {
    /// SCAMP-5 C spelling, destinations first: `bus2(B,NEWS,A);`.
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

/// Storage in a PE: a register or its NEWS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Store {
    /// An analogue register.
    Reg(Reg),
    /// The PE's own NEWS.
    News,
}

/// What one word does to one storage cell, seen from the PE that owns the cell:
/// `store(p) := −Σ source(p + offset) / divisor`.
///
/// This is the meaning of the machine. Simulator, prover and every other reader of programs evaluate
/// transfers; none of them knows about ports or inversion by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The cell that is written.
    pub store: Store,
    /// The number of destinations that share the bus.
    pub divisor: u8,
    terms: [(Store, Offset); Word::MAX_SOURCES],
    term_count: u8,
}

impl Transfer {
    fn to(word: &Word, destination: Cell) -> Self {
        // A PE that writes its neighbour's NEWS stands opposite to that direction, seen from the owner.
        let (store, writer) = match destination {
            Cell::Reg(reg) => (Store::Reg(reg), Offset::ZERO),
            Cell::News => (Store::News, Offset::ZERO),
            Cell::Port(direction) => (Store::News, direction.opposite().offset()),
        };
        let mut terms = [(Store::News, Offset::ZERO); Word::MAX_SOURCES];
        for (term, source) in terms.iter_mut().zip(word.sources()) {
            *term = match *source {
                Cell::Reg(reg) => (Store::Reg(reg), writer),
                Cell::News => (Store::News, writer),
                Cell::Port(direction) => (Store::News, writer + direction.offset()),
            };
        }
        Self { store, divisor: word.destination_count, terms, term_count: word.source_count }
    }

    /// The storage cells summed, each with the position it is read from.
    #[must_use]
    pub fn terms(&self) -> &[(Store, Offset)] {
        &self.terms[..usize::from(self.term_count)]
    }
}

/// The bus rule that a word breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WordError {
    /// A word must write something.
    NoDestination,
    /// More than three destinations.
    TooManyDestinations,
    /// More sources than the vendor's form with that number of destinations takes.
    TooManySources {
        /// The most that it takes.
        max: usize,
    },
    /// A register is connected to the bus twice.
    Repeated(Reg),
    /// Two names of the NEWS family are on one bus. They are one cell, so one word cannot read and write it,
    /// and two reads of it would be an average and not a sum.
    NewsTwice(Cell, Cell),
    /// A port is one of several destinations; what the chip does then is not known.
    SharedPort(Direction),
}

impl fmt::Display for WordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDestination => f.write_str("a word needs a destination"),
            Self::TooManyDestinations => f.write_str("a word has at most three destinations"),
            Self::TooManySources { max } => write!(f, "this form of a word takes at most {max} sources"),
            Self::Repeated(reg) => {
                write!(f, "register `{reg}` is connected twice to one bus; use another register for one of them")
            }
            Self::NewsTwice(first, second) => {
                write!(f, "`{first}` and `{second}` are both NEWS, of which one word connects at most one")
            }
            Self::SharedPort(port) => {
                write!(f, "port `{}` cannot share a word with other destinations", Cell::Port(*port))
            }
        }
    }
}

impl core::error::Error for WordError {}

#[cfg(test)]
mod tests {
    use super::{Store, Word, WordError};
    use crate::{Cell, Direction, Offset, Reg};

    const A: Cell = Cell::Reg(Reg::A);
    const B: Cell = Cell::Reg(Reg::B);
    const C: Cell = Cell::Reg(Reg::C);
    const XE: Cell = Cell::Port(Direction::East);
    const XW: Cell = Cell::Port(Direction::West);

    #[test]
    fn rules_of_the_bus() {
        assert_eq!(Word::new(&[], &[A]), Err(WordError::NoDestination));
        assert_eq!(Word::new(&[A], &[B, A]), Err(WordError::Repeated(Reg::A)));
        assert_eq!(Word::new(&[A], &[B, B]), Err(WordError::Repeated(Reg::B)));
        assert_eq!(Word::new(&[Cell::News], &[XE]), Err(WordError::NewsTwice(Cell::News, XE)));
        assert_eq!(Word::new(&[A], &[XE, XW]), Err(WordError::NewsTwice(XE, XW)));
        assert_eq!(Word::new(&[A, XE], &[B]), Err(WordError::SharedPort(Direction::East)));
        assert_eq!(Word::new(&[A, B], &[C, XE, Cell::Reg(Reg::D)]), Err(WordError::TooManySources { max: 2 }));
        assert_eq!(Word::new(&[A, B, C], &[]).map(|w| w.destinations().len()), Ok(3));
        assert!(Word::new(&[A, Cell::News], &[B]).is_ok());
        assert!(Word::new(&[A, B, C, XE], &[]).is_err());
    }

    /// The table of scamp5 ports: a value pushed through XW comes from the east.
    #[test]
    fn writing_a_port_is_seen_from_the_owner() {
        let push = Word::new(&[XW], &[A]).unwrap();
        let transfer = push.transfers().next().unwrap();
        assert_eq!(transfer.store, Store::News);
        assert_eq!(transfer.terms(), [(Store::Reg(Reg::A), Offset::new(1, 0))]);

        let pull = Word::new(&[A], &[Cell::Port(Direction::North), B]).unwrap();
        let transfer = pull.transfers().next().unwrap();
        assert_eq!(transfer.terms(), [(Store::News, Offset::new(0, 1)), (Store::Reg(Reg::B), Offset::ZERO)]);
    }
}
