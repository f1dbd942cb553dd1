//! Places where programs of sums can read levels, and what these do there.

use cain_analysis::prove::{Atom, Polynomial, Prover};
use cain_isa::{Bus, Cell, Fraction, HostController as _, Instruction, Reg, Store, Word, transfer_error};
use cain_search::{Declaration, Proved};

/// The largest magnitude of a value that contains a level, and of a level, in DN.
pub(super) const LIMIT: f64 = 127.0;

/// The requirements on an output besides its weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Wanted {
    /// The constant to add, in DN.
    pub(in super::super) summand: f64,
    /// The tolerance of the constant.
    pub(in super::super) tolerance: f64,
    /// Whether levels compensate for the transfer errors that are left in it, since nothing else does.
    pub(in super::super) is_compensated: bool,
}

/// A level that a word reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) place: Place,
    pub(super) level: i8,
    /// How often the errors of transfers to one, two and three cells are added to the level.
    pub(super) errors: [Fraction; 3],
}

/// A place in the program where a level is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The index of the word in the listing.
    pub(super) index: usize,
    /// A word before it that scales the level down.
    pub(super) before: Option<Word>,
    /// The word with the additional source.
    pub(super) word: Word,
}

/// A transfer with an additional source.
fn with(instruction: &Instruction, source: Cell) -> Option<Word> {
    let Instruction::Word(Word::Bus(bus)) = instruction else { return None };
    let sources: Vec<Cell> = bus.sources().iter().copied().chain([source]).collect();
    Bus::new(bus.destinations(), &sources).ok().filter(|_| !bus.is_mean()).map(Word::from)
}

/// Words that can read a level themselves.
pub(super) fn direct_places(program: &Proved) -> Vec<Place> {
    let words = program.listing().iter().enumerate();
    words.filter_map(|(index, word)| Some(Place { index, before: None, word: with(word, Cell::In)? })).collect()
}

/// Words that can read a fraction of a level, which another word before them writes to free cells.
pub(super) fn longer_places(program: &Proved) -> Vec<Place> {
    let mut places = vec![];
    for (index, instruction) in program.listing().iter().enumerate() {
        let cells = free(program, index);
        let mut parts: Vec<Vec<Cell>> = vec![];
        for (i, &first) in cells.iter().enumerate() {
            for (j, &second) in cells[..i].iter().enumerate() {
                parts.push(vec![first, second]);
                parts.extend(cells[..j].iter().map(|&third| vec![first, second, third]));
            }
        }
        for part in parts {
            let before = Bus::new(&part, &[Cell::In]).ok().map(Word::from);
            // Any of the cells will do that the word itself does not write.
            let word = part.iter().find_map(|&cell| with(instruction, cell));
            places.extend(before.zip(word).map(|(before, word)| Place { index, before: Some(before), word }));
        }
    }
    places
}

/// The cells whose contents are not needed from a word on.
fn free(program: &Proved, index: usize) -> Vec<Cell> {
    let declaration = program.declaration();
    let rest = || program.listing()[index..].iter().flat_map(Instruction::words);
    let family = |cell: &Cell| if matches!(cell, Cell::Port(_)) { Cell::News } else { *cell };
    let is_free = |cell: &Cell| {
        let reads = |word: &Word| word.sources().iter().any(|source| family(source) == *cell);
        let writes = |word: &Word| word.destinations().iter().any(|target| family(target) == *cell);
        let is_output = declaration.outputs.iter().any(|output| Cell::Reg(output.reg) == *cell);
        rest().find(|word| reads(word) || writes(word)).map_or(!is_output, |word| !reads(&word))
    };
    let cells = declaration.writable().into_iter().map(Cell::Reg).chain([Cell::News]);
    cells.filter(is_free).collect()
}

/// Whether no word reads two levels.
pub(super) fn apart(readings: &[Reading]) -> bool {
    let index = |reading: &Reading| reading.place.index;
    readings.iter().enumerate().all(|(i, one)| readings[..i].iter().all(|other| index(other) != index(one)))
}

/// All values that a program makes; the levels are additional channels.
pub(super) struct Values {
    /// The written values in order, and how often each holds the errors of transfers to one, two and three cells.
    pub(super) written: Vec<(Polynomial, [Fraction; 3])>,
    pub(super) outputs: Vec<Polynomial>,
    /// The number of inputs; the first channels are theirs.
    pub(super) inputs: usize,
}

/// Executes a listing in which some words read levels; `None` if that overwrites an input that is kept.
pub(super) fn follow(declaration: &Declaration, listing: &[Instruction], readings: &[Reading]) -> Option<Values> {
    let registers: Vec<Reg> = declaration.inputs.iter().map(|input| input.reg).collect();
    let mut prover = Prover::new(&registers).on(declaration.machine);
    let mut written = vec![];
    for (index, instruction) in listing.iter().enumerate() {
        let reading = readings.iter().position(|reading| reading.place.index == index);
        if let Some(i) = reading {
            prover.load(Store::In, u16::try_from(registers.len() + i).ok()?);
        }
        let place = reading.map(|i| readings[i].place);
        for word in place.map_or_else(|| instruction.words().collect(), Place::words) {
            prover.issue(word).ok()?;
            for transfer in word.transfers() {
                written.push((
                    prover.stored(transfer.store)?.clone(),
                    prover.offset_error_by_destinations(transfer.store)?,
                ));
            }
        }
    }
    let outputs = declaration.outputs.iter().map(|output| prover.value(output.reg).cloned()).collect::<Option<_>>()?;
    let mut kept = declaration.inputs.iter().zip(0..).filter(|(input, _)| input.keep);
    let are_kept = kept.all(|(input, channel)| prover.value(input.reg) == Some(&Polynomial::input(channel)));
    are_kept.then_some(Values { written, outputs, inputs: registers.len() })
}

impl Place {
    pub(super) fn words(self) -> Vec<Word> {
        self.before.into_iter().chain([self.word]).collect()
    }
}

impl Reading {
    /// The level on a chip with these errors of transfers; `None` if there is no such level.
    fn on_chip(self, offset: [f32; 3]) -> Option<f64> {
        let level = (f64::from(self.level) + transfer_error(&self.errors, offset)).round();
        (level.abs() < LIMIT).then_some(level)
    }
}

impl Values {
    /// Whether all values with levels fit into the registers, on a chip with these errors of transfers as well.
    pub(super) fn fits(&self, ranges: &[(f64, f64)], readings: &[Reading], offset: [f32; 3]) -> bool {
        self.excess(ranges, readings, offset).is_some_and(|excess| excess <= 0.0)
    }

    /// How far, in DN, values with levels leave the registers on a chip with these errors of transfers, beyond where values
    /// would go without the levels. `None` if they leave them without errors, or if there is no such level.
    pub(super) fn excess(&self, ranges: &[(f64, f64)], readings: &[Reading], offset: [f32; 3]) -> Option<f64> {
        let furthest = |offset: [f32; 3]| {
            let levels = readings.iter().map(|reading| reading.on_chip(offset)).collect::<Option<Vec<f64>>>()?;
            let with = |(value, errors): &(Polynomial, [Fraction; 3])| {
                let is_level = |(atom, _): (Atom, Fraction)| usize::from(atom.channel) >= self.inputs;
                value.terms().any(is_level).then(|| self.end(ranges, &levels, (value, transfer_error(errors, offset))))
            };
            Some(self.written.iter().filter_map(with).fold(0.0, f64::max))
        };
        let without = || {
            let levels = vec![0.0; readings.len()];
            let end = |(value, errors): &(Polynomial, [Fraction; 3])| {
                self.end(ranges, &levels, (value, transfer_error(errors, offset)))
            };
            self.written.iter().map(end).fold(LIMIT, f64::max)
        };
        if furthest([0.0; 3])? > LIMIT {
            return None;
        }
        let end = furthest(offset)?;
        Some(if end <= LIMIT { 0.0 } else { (end - without()).max(0.0) })
    }

    /// How far a value goes that has this error, in DN.
    fn end(&self, ranges: &[(f64, f64)], levels: &[f64], (value, error): (&Polynomial, f64)) -> f64 {
        let ends = |(atom, weight): (Atom, Fraction)| {
            let channel = usize::from(atom.channel);
            let (low, high) = match channel.checked_sub(self.inputs) {
                None => ranges[channel],
                Some(reading) => (levels[reading], levels[reading]),
            };
            let (a, b) = (low * weight.to_f64(), high * weight.to_f64());
            (a.min(b), a.max(b))
        };
        let (low, high) = value.terms().map(ends).fold((error, error), |(low, high), (a, b)| (low + a, high + b));
        high.max(-low)
    }

    /// Whether the outputs are those of the program, apart from levels.
    fn are_those_of(&self, program: &Proved) -> bool {
        let without_levels = |value: &Polynomial| {
            let mut sum = Polynomial::new();
            let mut inputs = value.terms().filter(|(atom, _)| usize::from(atom.channel) < self.inputs);
            inputs.try_for_each(|(atom, weight)| sum.add_term(atom, weight))?;
            Some(sum)
        };
        let mut pairs = self.outputs.iter().zip(program.outputs());
        pairs.all(|(value, output)| without_levels(value).as_ref() == Some(&output.kernel))
    }
}

/// Whether a listing that reads levels has the outputs of the program, apart from levels.
pub(super) fn is_proved(program: &Proved, listing: &[Instruction], readings: &[Reading]) -> bool {
    let values = follow(program.declaration(), listing, readings);
    values.is_some_and(|values| values.are_those_of(program))
}
