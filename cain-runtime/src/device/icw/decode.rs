//! Decodes lines into the word that drives them, for whatever stands in for the chip.

use core::fmt;

use super::{Icw, table};
use crate::isa::{Axes, Bit, Bits, Blur, Bus, Cell, Clock, Direction, Dreg, FromNeighbours, Logic, Square, Sum, Word};
use table::Lines;

impl Icw {
    /// The word that these lines encode.
    ///
    /// Lines have no order: destinations and sources come in the order of the registers, and a bit that was named twice
    /// comes once. Lines that no word of [`Word`] drives are an error, even if a chip might do something with them.
    pub fn decode(self) -> Result<Word, DecodeError> {
        let lines = table::lines(self.words);
        let word = match self.clock {
            Clock::Analogue => analogue(lines),
            Clock::Digital => digital(lines),
            Clock::Neighbours => from_neighbours(lines),
            Clock::Propagation => propagation(lines),
        };
        // Bits that were not examined above must not be set.
        word.filter(|&word| Self::try_from(word) == Ok(self)).ok_or(DecodeError::Unknown(self))
    }
}

fn analogue(lines: Lines) -> Option<Word> {
    let fixed = [(0, Word::Nop), (table::RESET_PIXELS, Word::ResetPixels), (table::ALL, Word::All)];
    let fixed = fixed.into_iter().chain([(table::READ_PROPAGATION, Word::ReadPropagation)]);
    if let Some((_, word)) = fixed.into_iter().find(|(known, _)| *known == lines) {
        return Some(word);
    }
    let (mut destinations, mut sources) = (Listed::new(Cell::News), Listed::new(Cell::News));
    for entry in &table::CELLS {
        if has(lines, entry.select) {
            let is_written = entry.write != 0 && has(lines, entry.write);
            if is_written { &mut destinations } else { &mut sources }.push(entry.cell);
        }
    }
    let (destinations, sources) = (destinations.items(), sources.items());
    if has(lines, table::WHERE) {
        return Sum::new(sources).ok().map(Word::Where);
    }
    if has(lines, table::SQUARE) {
        return Square::new(sources).ok().map(Word::Square);
    }
    // `blur` drives the lines of both axes, so it is looked for first.
    let axes = [Axes::Both, Axes::Horizontal, Axes::Vertical];
    if let Some(axes) = axes.into_iter().find(|&axes| has(lines, table::diffusion(axes))) {
        return match (destinations, sources) {
            (&[to], &[from]) => Blur::new(axes, to, from).ok().map(Word::Blur),
            _ => None,
        };
    }
    transfer(destinations, sources).map(Word::Bus)
}

fn transfer(destinations: &[Cell], sources: &[Cell]) -> Option<Bus> {
    let mut ports = Listed::new(Direction::North);
    for source in sources {
        if let Cell::Port(direction) = source {
            ports.push(*direction);
        }
    }
    match (destinations, ports.items()) {
        (&[to], ports @ [_, _, ..]) if ports.len() == sources.len() => Bus::mean(to, ports).ok(),
        _ => Bus::new(destinations, sources).ok(),
    }
}

fn digital(lines: Lines) -> Option<Word> {
    if lines == table::PREPARE_BLUR {
        return Some(Word::PrepareBlur);
    }
    let sources = bits_read(lines);
    if has(lines, table::WHERE_BITS) {
        return Bits::new(sources.items()).ok().map(Word::WhereBits);
    }
    let targets = loaded(lines);
    let operations = table::LOGIC.iter().filter(|(_, control)| has(lines, *control));
    let words = operations.filter_map(|(operation, _)| Logic::new(*operation, targets.items(), sources.items()).ok());
    // The lines of some operations contain those of others.
    words.map(Word::Logic).find(|&word| Icw::try_from(word).is_ok_and(|icw| icw.words == table::words(lines)))
}

fn from_neighbours(lines: Lines) -> Option<Word> {
    let outside = has(lines, table::from_neighbours(true));
    match (loaded(lines).items(), bits_read(lines).items()) {
        (&[target], &[source]) => FromNeighbours::new(target, source, outside).ok().map(Word::FromNeighbours),
        _ => None,
    }
}

fn propagation(lines: Lines) -> Option<Word> {
    [false, true]
        .into_iter()
        .find(|&outside| table::propagate(outside) == lines)
        .map(|outside| Word::Propagate { outside })
}

fn bits_read(lines: Lines) -> Listed<Bit> {
    let mut bits = Listed::new(Bit::Flag);
    // The lines of `RECT` contain those of `SELECT`.
    let selectors = if has(lines, table::read(Bit::Rect)) { Bit::Rect } else { Bit::Select };
    for bit in Dreg::ALL.map(Bit::Reg).into_iter().chain([Bit::Flag, selectors]) {
        if has(lines, table::read(bit)) {
            bits.push(bit);
        }
    }
    bits
}

fn loaded(lines: Lines) -> Listed<Dreg> {
    let mut registers = Listed::new(Dreg::ALL[0]);
    for register in Dreg::ALL {
        if has(lines, table::load(register.number())) {
            registers.push(register);
        }
    }
    registers
}

const fn has(lines: Lines, wanted: Lines) -> bool {
    lines & wanted == wanted
}

/// A short list without an allocator, with room for every cell and every bit of a PE.
struct Listed<T> {
    items: [T; 16],
    count: usize,
}

impl<T: Copy> Listed<T> {
    const fn new(blank: T) -> Self {
        Self { items: [blank; 16], count: 0 }
    }

    fn push(&mut self, item: T) {
        if let Some(place) = self.items.get_mut(self.count) {
            *place = item;
            self.count += 1;
        }
    }

    fn items(&self) -> &[T] {
        self.items.get(..self.count).unwrap_or(&self.items)
    }
}

/// An error: bits that are not a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// There is no clock with this number.
    Clock(u8),
    /// No word drives these lines at that clock.
    Unknown(Icw),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clock(number) => write!(f, "no clock has the number {number}; expected 0 to 3"),
            Self::Unknown(icw) => write!(f, "no control word drives the lines of {icw:?}"),
        }
    }
}

impl core::error::Error for DecodeError {}
