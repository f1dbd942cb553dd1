//! Encodes a word as the lines that it drives.
//!
//! Firmware does this for every word that it sends, so it works on words of 16 bits.

use super::table::{self, Words, words};
use super::{EncodeError, Icw};
use crate::isa::{Axes, Bit, Cell, Dreg, Operation, Word};

impl TryFrom<Word> for Icw {
    type Error = EncodeError;

    fn try_from(word: Word) -> Result<Self, EncodeError> {
        let mut lines = Driven(words(0));
        match word {
            Word::Bus(bus) => lines.transfer(bus.destinations(), bus.sources())?,
            Word::ResetPixels => lines.drive(const { &words(table::RESET_PIXELS) }),
            Word::Nop => {}
            Word::Where(sum) => {
                lines.drive(const { &words(table::WHERE) });
                lines.transfer(&[], sum.cells())?;
            }
            Word::WhereBits(bits) => {
                lines.drive(const { &words(table::WHERE_BITS) });
                lines.read(bits.bits())?;
            }
            Word::All => lines.drive(const { &words(table::ALL) }),
            Word::Logic(logic) => {
                lines.operation(logic.operation());
                lines.load(logic.targets());
                lines.read(logic.sources())?;
            }
            Word::FromNeighbours(word) => {
                let either = const { [words(table::from_neighbours(false)), words(table::from_neighbours(true))] };
                lines.drive(&either[usize::from(word.outside())]);
                lines.load(&[word.target()]);
                lines.read(&[word.source()])?;
            }
            Word::ReadPropagation => lines.drive(const { &words(table::READ_PROPAGATION) }),
            Word::Propagate { outside } => {
                let either = const { [words(table::propagate(false)), words(table::propagate(true))] };
                lines.drive(&either[usize::from(outside)]);
            }
            Word::PrepareBlur => lines.drive(const { &words(table::PREPARE_BLUR) }),
            Word::Square(square) => {
                lines.drive(const { &words(table::SQUARE) });
                lines.transfer(&[], square.cells())?;
            }
            Word::Blur(blur) => {
                lines.drive(match blur.axes() {
                    Axes::Both => const { &words(table::diffusion(Axes::Both)) },
                    Axes::Horizontal => const { &words(table::diffusion(Axes::Horizontal)) },
                    Axes::Vertical => const { &words(table::diffusion(Axes::Vertical)) },
                });
                lines.transfer(&[blur.to()], &[blur.from()])?;
            }
        }
        Ok(Self { words: lines.0, clock: word.clock() })
    }
}

/// The lines that are driven so far.
struct Driven(Words);

impl Driven {
    fn drive(&mut self, lines: &Words) {
        for (all, more) in self.0.iter_mut().zip(lines) {
            *all |= more;
        }
    }

    fn drive_line(&mut self, number: u8) {
        if let Some(word) = self.0.get_mut(usize::from(number >> 4)) {
            *word |= 1 << (number & 15);
        }
    }

    fn transfer(&mut self, destinations: &[Cell], sources: &[Cell]) -> Result<(), EncodeError> {
        for &cell in destinations {
            self.drive(&entry(cell)?.written);
        }
        for &cell in sources {
            self.drive(&entry(cell)?.read);
        }
        Ok(())
    }

    fn read(&mut self, bits: &[Bit]) -> Result<(), EncodeError> {
        if bits.contains(&Bit::Select) && bits.contains(&Bit::Rect) {
            return Err(EncodeError::SelectAndRect);
        }
        for &bit in bits {
            match bit {
                Bit::Reg(register) => self.drive_line(table::reading(register.number())),
                Bit::Flag => self.drive(const { &words(table::read(Bit::Flag)) }),
                Bit::Select => self.drive(const { &words(table::read(Bit::Select)) }),
                Bit::Rect => self.drive(const { &words(table::read(Bit::Rect)) }),
            }
        }
        Ok(())
    }

    fn load(&mut self, registers: &[Dreg]) {
        for register in registers {
            self.drive_line(table::loading(register.number()));
        }
    }

    fn operation(&mut self, operation: Operation) {
        if let Some((_, lines)) = table::LOGIC_WORDS.iter().find(|(known, _)| *known == operation) {
            self.drive(lines);
        }
    }
}

fn entry(cell: Cell) -> Result<&'static table::CellWords, EncodeError> {
    table::CELL_WORDS.iter().find(|entry| entry.cell == cell).ok_or(EncodeError::NoSuchCell(cell))
}
