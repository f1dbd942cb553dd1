//! Constants within programs of sums: words that have room for another source read a level, which mostly costs no
//! further word.
//!
//! The contribution of a level to the outputs follows from the proof of the program that reads it.

mod compensation;

use std::collections::BTreeSet;

use cain_isa::prove::{Atom, Polynomial, Prover};
use cain_isa::{Bus, Cell, Fraction, HostController as _, Instruction, Reg, Store, Word};

use cain_isa::program::owned::Step;
use cain_search::{Declaration, Proved};

/// The largest magnitude of a value that contains a level, and of a level, in DN.
const LIMIT: f64 = 127.0;
/// The transfer error for which there must be room, in DN.
const LARGEST_ERROR: f64 = 24.0;
/// The most combinations of levels that are tried.
const MOST_TRIALS: usize = 256;
/// The difference between sums that is neglected, in DN.
const ROUNDING: f64 = 1e-9;

/// The requirements on an output besides its weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// The constant to add, in DN.
    pub(super) summand: f64,
    /// The tolerance of the constant.
    pub(super) tolerance: f64,
    /// Whether levels compensate for the transfer errors that are left in it, since nothing else does.
    pub(super) is_compensated: bool,
}

/// A level that a word reads.
#[derive(Clone, Copy, Debug)]
struct Reading {
    place: Place,
    level: i8,
    /// How often the errors of transfers to one, two and three cells are added to the level.
    errors: [Fraction; 3],
}

/// A place in the program where a level is read.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The index of the word in the listing.
    index: usize,
    /// A word before it that scales the level down.
    before: Option<Word>,
    /// The word with the additional source.
    word: Word,
}

/// A place where a level can be read, and its factor in each output.
#[derive(Clone)]
struct Room {
    place: Place,
    gains: Vec<Fraction>,
}

/// The steps of a program whose outputs are as wanted, if levels can achieve that, given the range of the values of
/// each input.
pub(super) fn with_summands(program: &Proved, ranges: &[(f64, f64)], wanted: &[Wanted]) -> Option<Vec<Step>> {
    let mut readings: Vec<Reading> = vec![];
    let mut direct: Option<Vec<Room>> = None;
    for (i, wanted) in wanted.iter().enumerate() {
        if wanted.summand.abs() <= wanted.tolerance {
            continue;
        }
        let fits = |more: &Vec<Reading>| {
            let all: Vec<Reading> = readings.iter().chain(more).copied().collect();
            apart(&all)
                && follow(program.declaration(), program.listing(), &all).is_some_and(|it| it.fits(ranges, &all))
        };
        let direct = direct.get_or_insert_with(|| rooms(program, direct_places(program)));
        let first = |rooms: &[Room]| choices(rooms, i, *wanted).into_iter().take(MOST_TRIALS).find(fits);
        let more = first(direct).or_else(|| {
            let longer = rooms(program, longer_places(program));
            first(&[direct.clone(), longer].concat())
        })?;
        readings.extend(more);
    }
    compensation::compensate(program, ranges, wanted, &mut readings);
    is_proved(program, &readings).then(|| steps(program.listing(), &readings))
}

/// A transfer with an additional source.
fn with(instruction: &Instruction, source: Cell) -> Option<Word> {
    let Instruction::Word(Word::Bus(bus)) = instruction else { return None };
    let sources: Vec<Cell> = bus.sources().iter().copied().chain([source]).collect();
    Bus::new(bus.destinations(), &sources).ok().filter(|_| !bus.is_mean()).map(Word::from)
}

/// Words that can read a level themselves.
fn direct_places(program: &Proved) -> Vec<Place> {
    let words = program.listing().iter().enumerate();
    words.filter_map(|(index, word)| Some(Place { index, before: None, word: with(word, Cell::In)? })).collect()
}

/// Words that can read a fraction of a level, which another word before them writes to free cells.
fn longer_places(program: &Proved) -> Vec<Place> {
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

/// The places where a level has an effect and which otherwise leave the outputs as they are; one for each combination
/// of factors.
fn rooms(program: &Proved, places: Vec<Place>) -> Vec<Room> {
    let mut rooms: Vec<Room> = vec![];
    // Which cells hold a part of a level makes no difference to its factors.
    let mut known = BTreeSet::new();
    for place in places {
        let kind = (place.index, place.before.map(|before| before.destinations().len()));
        if known.contains(&kind) {
            continue;
        }
        let Some(gains) = gains(program, place) else { continue };
        known.insert(kind);
        if rooms.iter().all(|other| other.gains != gains) {
            rooms.push(Room { place, gains });
        }
    }
    rooms
}

/// The factor of a level in each output, if it is read in that place.
fn gains(program: &Proved, place: Place) -> Option<Vec<Fraction>> {
    let declaration = program.declaration();
    let reading = [Reading { place, level: 0, errors: [Fraction::ZERO; 3] }];
    let values = follow(declaration, program.listing(), &reading).filter(|values| values.are_those_of(program))?;
    let gains: Vec<Fraction> = (0..declaration.outputs.len()).map(|i| values.gain(i)).collect::<Option<_>>()?;
    gains.iter().any(|gain| !gain.is_zero()).then_some(gains)
}

/// Levels that add the wanted constant to one output and nothing to others: one level, or two with different factors.
/// Those that take fewer words come first.
fn choices(rooms: &[Room], output: usize, wanted: Wanted) -> Vec<Vec<Reading>> {
    let is_own = |room: &&Room| room.gains.iter().enumerate().all(|(i, gain)| (i == output) != gain.is_zero());
    let own = rooms.iter().filter(is_own).map(|room| (room.place, room.gains[output]));
    let mut own: Vec<(Place, Fraction)> = own.collect();
    own.sort_by_key(|(_, gain)| gain.abs());
    let reading = |(place, gain): (Place, Fraction), summand: f64| {
        let level = (summand / gain.to_f64()).round();
        #[expect(clippy::cast_possible_truncation, reason = "below the limit")]
        (level.abs() < LIMIT).then_some(Reading { place, level: level as i8, errors: [Fraction::ZERO; 3] })
    };
    let rest = |reading: &Reading, gain: Fraction, summand: f64| summand - gain.to_f64() * f64::from(reading.level);
    let is_near = |rest: f64| rest.abs() <= wanted.tolerance + ROUNDING;
    let mut all = vec![];
    for &place in &own {
        let one = reading(place, wanted.summand);
        all.extend(one.filter(|one| is_near(rest(one, place.1, wanted.summand))).map(|one| vec![one]));
    }
    for &coarse in &own {
        let Some(first) = reading(coarse, wanted.summand) else { continue };
        let left = rest(&first, coarse.1, wanted.summand);
        for &fine in &own {
            let second = reading(fine, left).filter(|second| is_near(rest(second, fine.1, left)));
            all.extend(second.map(|second| vec![first, second]));
        }
    }
    all.sort_by_key(|readings| readings.iter().filter(|reading| reading.place.before.is_some()).count());
    all
}

/// Whether no word reads two levels.
fn apart(readings: &[Reading]) -> bool {
    let index = |reading: &Reading| reading.place.index;
    readings.iter().enumerate().all(|(i, one)| readings[..i].iter().all(|other| index(other) != index(one)))
}

/// All values that a program makes; the levels are additional channels.
struct Values {
    /// The written values in order, and the number of transfer errors in each.
    written: Vec<(Polynomial, Fraction)>,
    outputs: Vec<Polynomial>,
    /// How often each output holds the errors of transfers to one, two and three cells.
    errors: Vec<[Fraction; 3]>,
    /// The number of inputs; the first channels are theirs.
    inputs: usize,
}

/// Executes a listing in which some words read levels; `None` if that overwrites an input that is kept.
fn follow(declaration: &Declaration, listing: &[Instruction], readings: &[Reading]) -> Option<Values> {
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
                written.push((prover.stored(transfer.store)?.clone(), prover.offset_error(transfer.store)?));
            }
        }
    }
    let outputs = declaration.outputs.iter().map(|output| prover.value(output.reg).cloned()).collect::<Option<_>>()?;
    let report = prover.report();
    let errors = declaration.outputs.iter().map(|output| report.offset_error_by_destinations(output.reg));
    let errors = errors.collect::<Option<_>>()?;
    let mut kept = declaration.inputs.iter().zip(0..).filter(|(input, _)| input.keep);
    let are_kept = kept.all(|(input, channel)| prover.value(input.reg) == Some(&Polynomial::input(channel)));
    are_kept.then_some(Values { written, outputs, errors, inputs: registers.len() })
}

impl Place {
    fn words(self) -> Vec<Word> {
        self.before.into_iter().chain([self.word]).collect()
    }
}

impl Values {
    /// The factor of the first level in an output.
    fn gain(&self, output: usize) -> Option<Fraction> {
        let of_level = self.outputs[output].terms().filter(|(atom, _)| usize::from(atom.channel) == self.inputs);
        of_level.map(|(_, weight)| weight).try_fold(Fraction::ZERO, Fraction::checked_add)
    }

    /// Whether all values with levels fit into the registers.
    fn fits(&self, ranges: &[(f64, f64)], readings: &[Reading]) -> bool {
        let ends = |(atom, weight): (Atom, Fraction)| {
            let channel = usize::from(atom.channel);
            let (low, high) = match channel.checked_sub(self.inputs) {
                None => ranges[channel],
                Some(reading) => (f64::from(readings[reading].level), f64::from(readings[reading].level)),
            };
            let (a, b) = (low * weight.to_f64(), high * weight.to_f64());
            (a.min(b), a.max(b))
        };
        self.written.iter().all(|(value, errors)| {
            let has_level = value.terms().any(|(atom, _)| usize::from(atom.channel) >= self.inputs);
            let (low, high) = value.terms().map(ends).fold((0.0, 0.0), |(low, high), (a, b)| (low + a, high + b));
            // Without its errors, and with them.
            let errors = errors.to_f64() * LARGEST_ERROR;
            !has_level || (low + errors.min(0.0) >= -LIMIT && high + errors.max(0.0) <= LIMIT)
        })
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

/// Whether a program that reads levels has the outputs of the program, apart from levels.
fn is_proved(program: &Proved, readings: &[Reading]) -> bool {
    let values = follow(program.declaration(), program.listing(), readings);
    values.is_some_and(|values| values.are_those_of(program))
}

/// The listing with its levels, each of which is set as early as the previous one permits.
fn steps(listing: &[Instruction], readings: &[Reading]) -> Vec<Step> {
    let mut steps: Vec<Step> = vec![];
    let mut words: Vec<Instruction> = vec![];
    let mut set = None;
    let mut set_level = |steps: &mut Vec<Step>, words: &mut Vec<Instruction>, reading: &Reading| {
        let Reading { level, errors, .. } = *reading;
        if set.replace((level, errors)) != Some((level, errors)) {
            if !words.is_empty() {
                steps.push(Step::Execute(std::mem::take(words)));
            }
            let is_fixed = errors.iter().all(|error| error.is_zero());
            steps.push(if is_fixed { Step::Level(level) } else { Step::Compensation { level, errors } });
        }
    };
    if let Some(first) = readings.iter().min_by_key(|reading| reading.place.index) {
        set_level(&mut steps, &mut words, first);
    }
    for (index, instruction) in listing.iter().enumerate() {
        if let Some(reading) = readings.iter().find(|reading| reading.place.index == index) {
            set_level(&mut steps, &mut words, reading);
            words.extend(reading.place.words().into_iter().map(Instruction::Word));
        } else {
            words.push(*instruction);
        }
    }
    steps.push(Step::Execute(words));
    steps
}

#[cfg(test)]
mod tests {
    use super::{Wanted, with_summands};
    use cain_isa::asm::{A, B, C, NEWS, bus, reg};
    use cain_isa::program::owned::Step;
    use cain_isa::program::owned::words;
    use cain_isa::prove::{Atom, Polynomial};
    use cain_isa::{Displacement, Fraction, Instruction, Machine};
    use cain_search::{Declaration, Input, OffsetRule, Options, Output, Proved, verify};

    /// A program for B = `weight`·A, with C as scratch.
    fn program(weight: i32, listing: &[Instruction]) -> Proved {
        let mut kernel = Polynomial::new();
        kernel.add_term(Atom { channel: 0, displacement: Displacement::ZERO }, Fraction::from(weight)).unwrap();
        let declaration = Declaration {
            name: "sum".into(),
            inputs: vec![Input { reg: A, keep: true }],
            outputs: vec![Output { reg: B, kernel }],
            scratch: vec![C],
            machine: Machine::SCAMP5,
            options: Options { offset: OffsetRule::Any, ..Options::default() },
        };
        verify(&declaration, listing).unwrap()
    }

    fn steps(program: &Proved, summand: f64, tolerance: f64) -> Option<Vec<Step>> {
        with_summands(program, &[(-100.0, 100.0)], &[Wanted { summand, tolerance, is_compensated: false }])
    }

    #[test]
    fn summands_take_no_word_if_a_level_is_exact() {
        let copy = program(1, &[bus(&[NEWS], &[reg(A)]), bus(&[reg(B)], &[NEWS])]);
        let added = steps(&copy, 10.0, 0.0).unwrap();
        assert!(matches!(added[..], [Step::Level(10 | -10), Step::Execute(_)]), "{added:?}");
        assert_eq!(words(&added), 2);
        // Half of a level takes a word that divides it.
        assert_eq!(words(&steps(&copy, 10.5, 0.0).unwrap()), 3);
        assert_eq!(words(&steps(&copy, 10.5, 0.5).unwrap()), 2);
        assert_eq!(steps(&copy, 0.0, 0.0).unwrap(), [Step::Execute(copy.listing().to_vec())]);
        // The first exceeds what registers hold, the other is finer than two levels can be.
        assert_eq!(steps(&copy, 30.0, 0.0), None);
        assert_eq!(steps(&copy, 0.01, 0.0), None);
    }
}
