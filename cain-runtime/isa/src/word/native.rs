//! Parses native words by the vendor's names.

use core::str::FromStr;

use super::{Axes, Bits, Blur, Bus, FromNeighbours, Logic, Operation, Square, Sum, Word, WordError};
use crate::{Bit, Cell, Direction, Dreg, InstructionErrorKind as Kind};

/// An error, and the operand that it concerns, if it concerns one.
type Failure<'a> = (Option<&'a str>, Kind);

/// Parses the word with this name and these operands; `None` if no word has this name.
pub(crate) fn parse<'a>(name: &str, operands: &[&'a str]) -> Option<Result<Word, Failure<'a>>> {
    Some(match name {
        "bus" => transfer(operands, 1),
        "bus2" => transfer(operands, 2),
        "bus3" => transfer(operands, 3),
        "rpix" => alone(operands, Word::ResetPixels),
        "nop" => alone(operands, Word::Nop),
        "all" | "ALL" => alone(operands, Word::All),
        "blurset" => alone(operands, Word::PrepareBlur),
        "where" => cells(operands).and_then(|list| rule(Sum::new(list.of(operands)).map(Word::Where))),
        "sq" => cells(operands).and_then(|list| rule(Square::new(list.of(operands)).map(Word::Square))),
        "WHERE" => bits(operands).and_then(|list| rule(Bits::new(list.of(operands)).map(Word::WhereBits))),
        "SET" => logic(operands, Operation::Set, operands.len()),
        "CLR" => logic(operands, Operation::Clr, operands.len()),
        "MOV" if operands.len() == 2 => logic(operands, Operation::Or, 1),
        "NOT" if operands.len() == 2 => logic(operands, Operation::Nor, 1),
        "OR" if operands.len() > 2 => logic(operands, Operation::Or, 1),
        "NOR" if operands.len() > 2 => logic(operands, Operation::Nor, 1),
        "MOV" => Err((None, Kind::OperandCount)),
        "DNEWS0" => from_neighbours(operands, false),
        "DNEWS1" => from_neighbours(operands, true),
        "blur" => blur(operands, Axes::Both),
        "blurh" => blur(operands, Axes::Horizontal),
        "blurv" => blur(operands, Axes::Vertical),
        _ => return None,
    })
}

fn rule<'a>(word: Result<Word, WordError>) -> Result<Word, Failure<'a>> {
    word.map_err(|error| (None, Kind::Word(error)))
}

fn alone<'a>(operands: &[&str], word: Word) -> Result<Word, Failure<'a>> {
    if operands.is_empty() { Ok(word) } else { Err((None, Kind::OperandCount)) }
}

fn transfer<'a>(operands: &[&'a str], destinations: usize) -> Result<Word, Failure<'a>> {
    let list = cells(operands)?;
    let (destinations, sources) = list.of(operands).split_at_checked(destinations).ok_or((None, Kind::OperandCount))?;
    let mut ports = [Direction::North; MAX_OPERANDS];
    let bus = match (destinations, several_ports(sources, &mut ports)) {
        (&[destination], Some(ports)) => Bus::mean(destination, ports),
        _ => Bus::new(destinations, sources),
    };
    rule(bus.map(Word::Bus))
}

/// The directions of the sources, if these are several ports.
fn several_ports<'p>(sources: &[Cell], ports: &'p mut [Direction; MAX_OPERANDS]) -> Option<&'p [Direction]> {
    for (port, source) in ports.iter_mut().zip(sources) {
        let Cell::Port(direction) = source else { return None };
        *port = *direction;
    }
    ports.get(..sources.len()).filter(|ports| ports.len() > 1)
}

fn logic<'a>(operands: &[&'a str], operation: Operation, targets: usize) -> Result<Word, Failure<'a>> {
    let (targets, sources) = operands.split_at_checked(targets).ok_or((None, Kind::OperandCount))?;
    let (registers, bits) = (registers(targets)?, bits(sources)?);
    rule(Logic::new(operation, registers.of(targets), bits.of(sources)).map(Word::Logic))
}

fn from_neighbours<'a>(operands: &[&'a str], outside: bool) -> Result<Word, Failure<'a>> {
    let &[target, source] = operands else { return Err((None, Kind::OperandCount)) };
    let target = target.parse().map_err(|_| (Some(target), Kind::UnknownDreg))?;
    let source = source.parse().map_err(|_| (Some(source), Kind::UnknownBit))?;
    rule(FromNeighbours::new(target, source, outside).map(Word::FromNeighbours))
}

fn blur<'a>(operands: &[&'a str], axes: Axes) -> Result<Word, Failure<'a>> {
    match *cells(operands)?.of(operands) {
        [to, from] => rule(Blur::new(axes, to, from).map(Word::Blur)),
        _ => Err((None, Kind::OperandCount)),
    }
}

/// A number of operands that no native word exceeds.
const MAX_OPERANDS: usize = Bus::MAX_DESTINATIONS + Bus::MAX_SOURCES;

/// A list of parsed operands, with room for more.
struct List<T>([T; MAX_OPERANDS]);

impl<T> List<T> {
    /// The first entries, as many as there are operands.
    fn of(&self, operands: &[&str]) -> &[T] {
        self.0.get(..operands.len()).unwrap_or(&self.0)
    }
}

fn cells<'a>(operands: &[&'a str]) -> Result<List<Cell>, Failure<'a>> {
    read(operands, Cell::News, Kind::UnknownCell)
}

fn bits<'a>(operands: &[&'a str]) -> Result<List<Bit>, Failure<'a>> {
    read(operands, Bit::Flag, Kind::UnknownBit)
}

fn registers<'a>(operands: &[&'a str]) -> Result<List<Dreg>, Failure<'a>> {
    read(operands, Dreg::ALL[0], Kind::UnknownDreg)
}

fn read<'a, T: FromStr + Copy>(operands: &[&'a str], blank: T, unknown: Kind) -> Result<List<T>, Failure<'a>> {
    let mut list = [blank; MAX_OPERANDS];
    for (slot, &text) in list.iter_mut().zip(operands) {
        *slot = text.parse().map_err(|_| (Some(text), unknown))?;
    }
    Ok(List(list))
}
