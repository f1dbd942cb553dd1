//! Instruction patterns: instructions with their operands identified in all possible ways, and their effects, read off
//! the machine.

use cain_analysis::prove::{Polynomial, Prover};
use cain_isa::{
    BusLimits, Cell, Direction, Displacement, Fraction, Instruction, Machine, Op, OperandKind, Reg, Store, Word,
};
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use crate::InstructionSet;
use crate::engine::image::Image;
use crate::engine::instructions::{NEWS_FAMILY, assemble, direction_lists, ops};
use crate::sort;

/// All patterns of an instruction set, those with fewer control words first.
pub(crate) struct Patterns {
    pub(super) list: Vec<Pattern>,
    /// Whether NEWS keeps its value between instructions.
    pub(super) has_news: bool,
    /// The most cells that an instruction writes.
    pub(super) most_written: usize,
}

/// An instruction on *places*, each of which stands for a different cell. Places that are read come first.
pub(super) struct Pattern {
    pub(super) places: Vec<Place>,
    /// The number of places that are written.
    pub(super) written: usize,
    /// The number of control words.
    pub(super) words: u32,
    notation: Notation,
}

/// A place of a pattern, which stands for one of the cells of an instruction.
pub(super) struct Place {
    /// Whether the cell is NEWS; otherwise it is a register.
    pub(super) is_news: bool,
    pub(super) is_read: bool,
    /// The value that is written, if any: the sum of these places with these factors.
    pub(super) sum: Option<Vec<(usize, Image)>>,
    /// An earlier place that is interchangeable with this one; the cell chosen for it comes before the cell of this
    /// one.
    pub(super) alike: Option<usize>,
}

/// How to write the instruction down.
enum Notation {
    Macro {
        op: Op,
        directions: Vec<Direction>,
        /// The place of each register operand.
        places: Vec<usize>,
    },
    Word {
        destinations: Vec<Connected>,
        sources: Vec<Connected>,
    },
}

/// A cell that a word connects to the bus.
#[derive(Clone, Copy)]
enum Connected {
    /// NEWS, under any of its names.
    News(Cell),
    /// The register of a place.
    Place(usize),
}

/// The value written to each place, if any, as a list of sources: their places, displacements and weights.
type Effects = Vec<Option<Vec<(usize, Displacement, Fraction)>>>;

impl Patterns {
    /// The patterns of an instruction set.
    pub(crate) fn of(instructions: InstructionSet, machine: &Machine) -> Self {
        let has_news = instructions == InstructionSet::Native;
        let mut all = if has_news { of_words(machine.bus) } else { of_macros(instructions, machine) };
        sort::by_key(&mut all, |(_, pattern)| pattern.words);
        let mut seen: HashSet<Kind, FxBuildHasher> = HashSet::default();
        let list: Vec<Pattern> =
            all.into_iter().filter(|(kind, _)| seen.insert(kind.clone())).map(|(_, p)| p).collect();
        let most_written = list.iter().map(|pattern| pattern.written).max().unwrap_or(0);
        Self { list, has_news, most_written }
    }
}

/// What identifies a pattern: two that read the same and write the same are the same.
type Kind = (Vec<(bool, bool)>, Effects);

impl Pattern {
    /// A pattern with these cells and effects; `None` if a factor is too fine.
    fn new(cells: Vec<(bool, bool)>, effects: Effects, words: usize, notation: Notation) -> Option<(Kind, Self)> {
        let mut places = Vec::new();
        for (i, &(is_news, is_read)) in cells.iter().enumerate() {
            let sum = effects[i].as_ref().map(|sum| {
                let factor = |&(place, displacement, weight): &(usize, Displacement, Fraction)| {
                    Some((place, Image::of_fraction(weight)? * Image::of_shift(displacement)))
                };
                sum.iter().map(factor).collect::<Option<Vec<_>>>()
            });
            let sum = match sum {
                Some(sum) => Some(sum?),
                None => None,
            };
            let alike =
                (0..i).rev().find(|&other| cells[other] == cells[i] && exchanged(&effects, other, i) == effects);
            places.push(Place { is_news, is_read, sum, alike });
        }
        let written = effects.iter().flatten().count();
        let pattern = Self { places, written, words: u32::try_from(words).ok()?, notation };
        Some(((cells, effects), pattern))
    }

    /// The instruction on these registers, if the chip can run it.
    pub(super) fn assemble(&self, registers: &[Option<Reg>]) -> Option<Instruction> {
        let register = |&place: &usize| registers.get(place).copied().flatten();
        match &self.notation {
            Notation::Macro { op, directions, places } => {
                let registers = places.iter().map(register).collect::<Option<Vec<Reg>>>()?;
                assemble(*op, &registers, directions).map(Instruction::Macro)
            }
            Notation::Word { destinations, sources } => {
                let cells = |list: &[Connected]| {
                    let cell = |connected: &Connected| match connected {
                        Connected::News(cell) => Some(*cell),
                        Connected::Place(place) => register(place).map(Cell::Reg),
                    };
                    list.iter().map(cell).collect::<Option<Vec<Cell>>>()
                };
                Word::new(&cells(destinations)?, &cells(sources)?).ok().map(Instruction::Word)
            }
        }
    }
}

/// The effects with two places swapped.
fn exchanged(effects: &Effects, a: usize, b: usize) -> Effects {
    let other = |place: usize| match place {
        place if place == a => b,
        place if place == b => a,
        place => place,
    };
    let renamed = |sum: &Vec<(usize, Displacement, Fraction)>| {
        let mut sum: Vec<_> =
            sum.iter().map(|&(place, displacement, weight)| (other(place), displacement, weight)).collect();
        sort::by_key(&mut sum, |&(place, displacement, _)| (place, displacement));
        sum
    };
    (0..effects.len()).map(|place| effects[other(place)].as_ref().map(renamed)).collect()
}

fn of_macros(instructions: InstructionSet, machine: &Machine) -> Vec<(Kind, Pattern)> {
    let mut all = Vec::new();
    for &op in ops(instructions).iter().filter(|op| machine.macros.contains(**op)) {
        let operands = op.operands().iter().filter(|kind| **kind != OperandKind::Direction).count();
        for directions in direction_lists(op) {
            all.extend(partitions(operands).iter().filter_map(|places| of_macro(op, &directions, places, machine.bus)));
        }
    }
    all
}

/// The macro instruction whose register operands are in these places, if the chip can run it.
fn of_macro(op: Op, directions: &[Direction], places: &[usize], bus: BusLimits) -> Option<(Kind, Pattern)> {
    let roles = op.operands().iter().filter(|kind| **kind != OperandKind::Direction);
    let count = places.iter().max().map_or(0, |last| last + 1);
    let mut is_read = vec![false; count];
    for (&place, role) in places.iter().zip(roles) {
        is_read[place] |= matches!(role, OperandKind::Source | OperandKind::Both);
    }
    // Places that are read come first.
    let mut order: Vec<usize> = (0..count).collect();
    sort::by_key(&mut order, |&place| !is_read[place]);
    let position = |place: usize| order.iter().position(|&other| other == place);
    let places = places.iter().map(|&place| position(place)).collect::<Option<Vec<usize>>>()?;
    let cells: Vec<(bool, bool)> = order.iter().map(|&place| (false, is_read[place])).collect();

    let registers: Vec<Reg> = (0..).map(Reg::from_index).take(count).collect();
    let operands: Vec<Reg> = places.iter().map(|&place| registers[place]).collect();
    let instruction = Instruction::Macro(assemble(op, &operands, directions)?);
    if instruction.words().any(|word| bus.allows(&word).is_err()) {
        return None;
    }
    let inputs = cells.iter().filter(|cell| cell.1).count();
    let prover = Prover::of(&[instruction], &registers[..inputs]).ok()?;
    let terms = |value: &Polynomial| {
        value.terms().map(|(atom, weight)| (usize::from(atom.channel), atom.displacement, weight)).collect()
    };
    let written = |reg: &&Reg| prover.report().writes.contains(reg);
    let effect = |reg: &Reg| Some(reg).filter(written).and_then(|&reg| prover.value(reg)).map(terms);
    let effects: Effects = registers.iter().map(effect).collect();
    let notation = Notation::Macro { op, directions: directions.to_vec(), places };
    Pattern::new(cells, effects, op.icws(), notation)
}

/// Every way in which operands can coincide, each given as a place number for every operand.
fn partitions(operands: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for _ in 0..operands {
        let longer = |places: &Vec<usize>| {
            let new = places.iter().max().map_or(0, |last| last + 1);
            (0..=new).map(|place| [places.as_slice(), &[place]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn of_words(bus: BusLimits) -> Vec<(Kind, Pattern)> {
    let names = || std::iter::once(None).chain(NEWS_FAMILY.map(Some));
    let mut all = Vec::new();
    for (writes, reads) in names().flat_map(|writes| names().map(move |reads| (writes, reads))) {
        for written in 0..=Word::MAX_DESTINATIONS {
            all.extend((0..=Word::MAX_SOURCES).filter_map(|read| of_word((writes, written), (reads, read), bus)));
        }
    }
    all
}

/// The word that writes and reads these numbers of registers, and NEWS under these names, if the bus allows it.
fn of_word(writes: (Option<Cell>, usize), reads: (Option<Cell>, usize), bus: BusLimits) -> Option<(Kind, Pattern)> {
    let mut cells = Vec::new();
    let mut connect = |(news, registers): (Option<Cell>, usize), is_read: bool| {
        let mut connected = Vec::new();
        for name in news.into_iter().map(Some).chain(std::iter::repeat_n(None, registers)) {
            connected.push(name.map_or(Connected::Place(cells.len()), Connected::News));
            cells.push((name.is_some(), is_read));
        }
        connected
    };
    let (sources, destinations) = (connect(reads, true), connect(writes, false));
    let registers: Vec<Option<Reg>> = (0..).map(|place| Some(Reg::from_index(place))).take(cells.len()).collect();
    let place_of = |store: Store, is_read: bool| match store {
        Store::Reg(reg) => Some(usize::from(reg.index())),
        _ => cells.iter().position(|&cell| cell == (true, is_read)),
    };
    let notation = Notation::Word { destinations, sources };
    let unconnected = Pattern { places: Vec::new(), written: 0, words: 1, notation };
    let Some(Instruction::Word(word)) = unconnected.assemble(&registers) else { return None };
    bus.allows(&word).ok()?;
    let mut effects: Effects = vec![None; cells.len()];
    for transfer in word.transfers() {
        let weight = Fraction::new(-1, transfer.divisor.into())?;
        let term =
            |&(store, displacement): &(Store, Displacement)| Some((place_of(store, true)?, displacement, weight));
        let mut sum = transfer.terms().iter().map(term).collect::<Option<Vec<_>>>()?;
        sort::by_key(&mut sum, |&(place, displacement, _)| (place, displacement));
        effects[place_of(transfer.store, false)?] = Some(sum);
    }
    Pattern::new(cells, effects, 1, unconnected.notation)
}

#[cfg(test)]
mod tests {
    use super::{Patterns, partitions};
    use crate::InstructionSet::{Basic, Macro, Native};
    use cain_isa::Machine;

    #[test]
    fn operands_that_are_the_same() {
        let bell = [1, 1, 2, 5, 15];
        assert_eq!([0, 1, 2, 3, 4].map(|operands| partitions(operands).len()), bell);
    }

    #[test]
    fn what_the_sets_have() {
        let count = |set, wanted: fn(&super::Pattern) -> bool| {
            let patterns = Patterns::of(set, &Machine::SCAMP5);
            patterns.list.iter().filter(|pattern| wanted(pattern)).count()
        };
        // div(y0,y1,x), div(y0,y1,y2,x) and diva(x,y1,y2).
        assert_eq!([Basic, Macro].map(|set| count(set, |pattern| pattern.written > 1)), [0, 3]);
        // One with each number of sources, and zero.
        assert_eq!(
            count(Native, |pattern| pattern.written == 1 && !pattern.places.iter().any(|place| place.is_news)),
            5
        );
        assert_eq!([Basic, Macro, Native].map(|set| Patterns::of(set, &Machine::SCAMP5).most_written), [1, 3, 3]);
    }
}
