//! Encodes a word as the lines that it drives.

use super::{EncodeError, Icw, table};
use crate::isa::{Bit, Cell, Logic, Word};
use table::Lines;

impl TryFrom<Word> for Icw {
    type Error = EncodeError;

    fn try_from(word: Word) -> Result<Self, EncodeError> {
        let lines = match word {
            Word::Bus(bus) => transfer(bus.destinations(), bus.sources())?,
            Word::ResetPixels => table::RESET_PIXELS,
            Word::Nop => 0,
            Word::Where(sum) => table::WHERE | transfer(&[], sum.cells())?,
            Word::WhereBits(bits) => table::WHERE_BITS | read(bits.bits())?,
            Word::All => table::ALL,
            Word::Logic(logic) => write(&logic) | read(logic.sources())?,
            Word::FromNeighbours(word) => {
                let operands = table::load(word.target().number()) | table::read(word.source());
                table::from_neighbours(word.outside()) | operands
            }
            Word::ReadPropagation => table::READ_PROPAGATION,
            Word::Propagate { outside } => table::propagate(outside),
            Word::PrepareBlur => table::PREPARE_BLUR,
            Word::Square(square) => table::SQUARE | transfer(&[], square.cells())?,
            Word::Blur(blur) => table::diffusion(blur.axes()) | transfer(&[blur.to()], &[blur.from()])?,
        };
        Ok(Self { lines, clock: word.clock() })
    }
}

/// A destination is connected like a source, and written in addition.
fn transfer(destinations: &[Cell], sources: &[Cell]) -> Result<Lines, EncodeError> {
    let mut lines = 0;
    for &cell in destinations {
        let entry = entry(cell)?;
        lines |= entry.write | entry.select;
    }
    for &cell in sources {
        lines |= entry(cell)?.select;
    }
    Ok(lines)
}

fn entry(cell: Cell) -> Result<&'static table::CellLines, EncodeError> {
    table::CELLS.iter().find(|entry| entry.cell == cell).ok_or(EncodeError::NoSuchCell(cell))
}

fn read(bits: &[Bit]) -> Result<Lines, EncodeError> {
    if bits.contains(&Bit::Select) && bits.contains(&Bit::Rect) {
        return Err(EncodeError::SelectAndRect);
    }
    Ok(bits.iter().fold(0, |lines, &bit| lines | table::read(bit)))
}

fn write(logic: &Logic) -> Lines {
    let control = table::LOGIC.iter().find(|(operation, _)| *operation == logic.operation());
    let targets = logic.targets().iter().map(|target| table::load(target.number()));
    targets.fold(control.map_or(0, |(_, lines)| *lines), |lines, line| lines | line)
}
