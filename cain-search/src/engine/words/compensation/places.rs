//! The places of a program and the changes possible there: free cells are filled with the error, and words read them.

use std::cmp::Reverse;

use cain_isa::{Cell, ErrorModel, Store, Word};

use super::effects::Effects;
use crate::Declaration;
use crate::costs::count;
use crate::engine::compensation::{Choice, Effect, Held, MAX_CELLS, Place, Places};
use crate::sort;

/// The most cells that a word reads in addition to its own sources.
const MAX_READ: usize = 3;
/// For each number of cells, the destinations of the words that fill them: without a source, a word has at most two.
const FILLINGS: [&[u8]; MAX_READ] = [&[1], &[2], &[2, 1]];

/// A program, and the cells that may hold the error.
///
/// There is a place before each word and at the end, where two words may carry a value to another cell and back, and
/// one for each word itself, which may read further cells.
pub(super) struct Program<'a> {
    words: &'a [Word],
    effects: &'a Effects,
    model: &'a ErrorModel,
    allows: &'a dyn Fn(&Word) -> bool,
    cells: Vec<Free>,
    /// Whether words may carry values to another cell and back.
    pub(super) with_pairs: bool,
}

/// A cell that is free some of the time.
struct Free {
    cell: Cell,
    store: Store,
    /// Before each word and at the end: if the cell is free there, the number of the word that overwrites it next, or
    /// that of the end.
    until: Vec<Option<usize>>,
}

/// A change at a place.
pub(super) struct Change<'a> {
    /// The words that replace the word at this place, or are inserted between two words.
    pub(super) words: [Option<Word>; 3],
    choice: Choice<'a>,
}

/// The words that fill cells, if any, and what cells hold after them.
struct Fill {
    words: [Option<Word>; 2],
    filled: Vec<usize>,
    held: Held,
}

/// A set of cells that a word reads, and the sum of what they hold, in DN.
#[derive(Clone, Copy)]
struct Reading {
    cells: [Cell; MAX_READ],
    count: usize,
    dn: f64,
}

impl Reading {
    const NOTHING: Self = Self { cells: [Cell::News; MAX_READ], count: 0, dn: 0.0 };

    fn cells(&self) -> &[Cell] {
        &self.cells[..self.count]
    }

    /// The number of errors that the cells hold.
    fn errors(&self) -> i64 {
        i64::try_from(self.count).unwrap_or(i64::MAX)
    }

    /// The set with one cell more.
    fn with(mut self, cell: Cell, dn: f64) -> Self {
        self.cells[self.count] = cell;
        Self { count: self.count + 1, dn: self.dn + dn, ..self }
    }
}

impl<'a> Program<'a> {
    pub(super) fn new(
        declaration: &'a Declaration,
        words: &'a [Word],
        effects: &'a Effects,
        allows: &'a dyn Fn(&Word) -> bool,
    ) -> Self {
        let registers = declaration.writable().into_iter().map(|reg| (Cell::Reg(reg), Store::Reg(reg)));
        let mut cells: Vec<Free> = registers
            .chain([(Cell::News, Store::News)])
            .map(|(cell, store)| Free { cell, store, until: free_until(words, effects, store) })
            .collect();
        sort::by_key(&mut cells, |free| Reverse(free.until.iter().flatten().count()));
        cells.truncate(MAX_CELLS);
        Self { words, effects, model: &declaration.options.error_model, allows, cells, with_pairs: false }
    }

    /// The changes possible at a place, given what cells hold.
    pub(super) fn changes(&self, place: usize, held: Held) -> Vec<Change<'_>> {
        match self.words.get(place / 2) {
            Some(word) if place % 2 == 1 => self.readers(place / 2, word, held),
            _ if self.with_pairs => self.pairs(place / 2, held),
            _ => Vec::new(),
        }
    }

    /// The word at a place, if there is one.
    pub(super) fn word_at(&self, place: usize) -> Option<&Word> {
        self.words.get(place / 2).filter(|_| place % 2 == 1)
    }

    /// The word with further sources, possibly after a word that fills cells.
    fn readers(&self, i: usize, word: &Word, held: Held) -> Vec<Change<'_>> {
        let takes = |free: &Free| with_sources(word, &[free.cell]).is_some();
        let mut changes = Vec::new();
        for fill in self.fills(i, held, MAX_READ, takes) {
            let behind = self.behind(2 * i + 1, fill.held);
            for reading in self.readings(i, &fill, takes) {
                let Some(read) = with_sources(word, reading.cells()).filter(self.allows) else { continue };
                let errors = (reading.errors(), reading.dn);
                let [first, second] = fill.words;
                // They replace the word that is there.
                changes.extend(Change::new(
                    [first, second, Some(read)],
                    1,
                    (&self.effects.of_source[i], errors),
                    behind,
                ));
            }
        }
        changes
    }

    /// Two additional words that carry a value to another cell and back, with room for sources in both. Values for
    /// which the same is possible one word later are left out.
    fn pairs(&self, i: usize, held: Held) -> Vec<Change<'_>> {
        let gain = f64::from(self.model.gain);
        let lost = f64::from(self.model.offset_of(1)) * (1.0 - gain);
        let mut changes = Vec::new();
        for fill in self.fills(i, held, MAX_READ - 1, |_| true) {
            let is_spare = |&n: &usize| self.cells[n].until[i].is_some() && fill.held[n] == 0;
            let spare = (0..self.cells.len()).filter(is_spare);
            // NEWS is least useful for anything else.
            let Some(by) = spare.min_by_key(|&n| self.cells[n].store != Store::News) else { continue };
            let by = self.cells[by].cell;
            let readings = self.readings(i, &fill, |_| true);
            for (cell, of_cell) in self.carried(i) {
                for (there, back) in
                    readings.iter().flat_map(|&reading| [(reading, Reading::NOTHING), (Reading::NOTHING, reading)])
                {
                    let words = [(by, cell, there), (cell, by, back)].map(|(to, from, reading)| {
                        with_sources(&Word::new(&[to], &[from]).ok()?, reading.cells()).filter(self.allows)
                    });
                    let [Some(first), Some(second)] = words else { continue };
                    let errors = (there.errors() - back.errors(), gain * (gain * there.dn - back.dn) + lost);
                    changes.extend(Change::new(
                        [fill.words[0], Some(first), Some(second)],
                        0,
                        (of_cell, errors),
                        fill.held,
                    ));
                }
            }
        }
        changes
    }

    /// The values that registers hold before a word, with what 1 more in them adds to the outputs, except those for
    /// which the same can be done one word later.
    fn carried(&self, i: usize) -> impl Iterator<Item = (Cell, &Effect)> {
        let free = |i: usize| self.cells.iter().filter(|free| free.until[i].is_some()).count();
        let of_cell = &self.effects.of_cell;
        let later = of_cell.get(i + 1).filter(|_| free(i) < 2 || free(i + 1) >= 2);
        of_cell.get(i).into_iter().flatten().filter_map(move |(store, effect)| {
            let Store::Reg(reg) = *store else { return None };
            let is_new = later.is_none_or(|later| later.get(store) != Some(effect));
            is_new.then_some((Cell::Reg(reg), effect))
        })
    }

    /// The words that may fill cells before the i-th word: none, or those that fill up to `most` cells, at least one of
    /// which is `useful`.
    fn fills(&self, i: usize, held: Held, most: usize, useful: impl Fn(&Free) -> bool) -> Vec<Fill> {
        let is_free = |&n: &usize| self.cells[n].until[i].is_some() && held[n] == 0;
        let mut free: Vec<usize> = (0..self.cells.len()).filter(is_free).collect();
        sort::by_key(&mut free, |&n| (Reverse(self.cells[n].until[i]), !useful(&self.cells[n])));
        let first_useful = free.iter().copied().find(|&n| useful(&self.cells[n]));
        let mut fills = vec![Fill { words: [None; 2], filled: Vec::new(), held }];
        let Some(first_useful) = first_useful else { return fills };
        for (by, count) in FILLINGS.into_iter().zip(1..=most.min(free.len())) {
            let mut filled = free[..count].to_vec();
            if !filled.iter().any(|&n| useful(&self.cells[n])) {
                filled[count - 1] = first_useful;
            }
            let (mut words, mut held, mut rest) = ([None; 2], held, filled.as_slice());
            for (word, &destinations) in words.iter_mut().zip(by) {
                let part = rest.split_off(..usize::from(destinations)).unwrap_or_default();
                let cells: Vec<Cell> = part.iter().map(|&n| self.cells[n].cell).collect();
                *word = Word::new(&cells, &[]).ok().filter(self.allows);
                for &n in part {
                    held[n] = destinations;
                }
            }
            if words.iter().flatten().count() == by.len() {
                fills.push(Fill { words, filled, held });
            }
        }
        fills
    }

    /// The sets of cells that may be read; if cells were just filled, at least one of them is included.
    fn readings(&self, i: usize, fill: &Fill, useful: impl Fn(&Free) -> bool) -> Vec<Reading> {
        let mut readings = vec![Reading::NOTHING];
        for (destinations, count) in (1..).zip(1..Word::MAX_DESTINATIONS) {
            let holds = |n: &usize| fill.held[*n] == destinations;
            let is_there = |n: &usize| holds(n) && self.cells[*n].until[i].is_some() && useful(&self.cells[*n]);
            let mut cells: Vec<usize> = (0..self.cells.len()).filter(is_there).collect();
            sort::by_key(&mut cells, |n| !fill.filled.contains(n));
            let least = usize::from(fill.filled.first().is_some_and(holds));
            let dn = f64::from(self.model.offset_of(count));
            let mut more = Vec::new();
            for mut reading in readings {
                let most = cells.len().min(MAX_READ - reading.count);
                more.extend((least == 0).then_some(reading));
                for &n in &cells[..most] {
                    reading = reading.with(self.cells[n].cell, dn);
                    more.push(reading);
                }
            }
            readings = more;
        }
        readings.retain(|reading| reading.count > 0);
        readings
    }
}

impl Places for Program<'_> {
    fn possible(&self) -> Vec<Place<'_>> {
        let times = |weight, most: usize, cost: u32| {
            let counts = (1..).take(most).flat_map(|count| if cost > 0 { vec![count, -count] } else { vec![count] });
            counts.filter_map(|count| Choice::new(weight, (count, 0.0), cost, Held::default())).collect::<Vec<_>>()
        };
        let mut places = Vec::new();
        for i in 0..=self.words.len() {
            let free: Vec<&Free> = self.cells.iter().filter(|free| free.until[i].is_some()).collect();
            let most = (MAX_READ - 1).min(free.len().saturating_sub(1));
            let pairs = self.carried(i).filter(|_| self.with_pairs).flat_map(|(_, of_cell)| times(of_cell, most, 2));
            let filling = (!free.is_empty()).then_some(1);
            places.push(Place { choices: pairs.collect(), filling, lasts: true });
            if let Some(word) = self.words.get(i) {
                let takes = free.iter().filter(|free| with_sources(word, &[free.cell]).is_some()).map(|free| free.cell);
                let takes: Vec<Cell> = takes.take(MAX_READ).collect();
                let most = (1..=takes.len()).take_while(|&n| with_sources(word, &takes[..n]).is_some()).count();
                let choices = times(&self.effects.of_source[i], most, 0);
                places.push(Place { choices, filling, lasts: free.iter().any(|free| free.until[i] > Some(i)) });
            }
        }
        places
    }

    fn choices(&self, place: usize, held: Held) -> Vec<Choice<'_>> {
        self.changes(place, held).into_iter().map(|change| change.choice).collect()
    }

    fn behind(&self, place: usize, mut held: Held) -> Held {
        if let Some(word) = self.word_at(place) {
            for (held, free) in held.iter_mut().zip(&self.cells) {
                if word.transfers().any(|transfer| transfer.store == free.store) {
                    *held = 0;
                }
            }
        }
        held
    }
}

impl<'a> Change<'a> {
    /// A change with these words, unless it has no effect: it adds errors to a value with this weight. `there` of the
    /// words were in the program before.
    fn new(
        words: [Option<Word>; 3],
        there: u32,
        (weight, errors): (&'a Effect, (i64, f64)),
        held: Held,
    ) -> Option<Self> {
        let cost = count(words.iter().flatten().count()) - there;
        Some(Self { words, choice: Choice::new(weight, errors, cost, held)? })
    }
}

/// The word with further sources; `None` if the bus does not allow them.
fn with_sources(word: &Word, further: &[Cell]) -> Option<Word> {
    let own = word.sources();
    let mut sources = [Cell::News; Word::MAX_SOURCES];
    let (first, rest) = sources.get_mut(..own.len() + further.len())?.split_at_mut(own.len());
    first.copy_from_slice(own);
    rest.copy_from_slice(further);
    Word::new(word.destinations(), &sources[..own.len() + further.len()]).ok()
}

/// Before each word and at the end: if the cell is free there, the number of the word that overwrites it next, or that
/// of the end.
fn free_until(words: &[Word], effects: &Effects, store: Store) -> Vec<Option<usize>> {
    let mut next = words.len();
    let mut until: Vec<Option<usize>> = (0..=words.len())
        .rev()
        .map(|i| {
            if words.get(i).is_some_and(|word| word.transfers().any(|transfer| transfer.store == store)) {
                next = i;
            }
            (!effects.live[i].contains(&store)).then_some(next)
        })
        .collect();
    until.reverse();
    until
}
