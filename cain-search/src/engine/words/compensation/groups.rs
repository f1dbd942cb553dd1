//! Cells that hold the error for a while, and what words can do with them.

use cain_isa::{Cell, ErrorModel, Store, Word};

use super::effects::Effects;
use super::supplies::{Supply, with_sources};
use crate::engine::compensation::{Choice, Effect};
use crate::metrics::offset;

/// The part of an error that is lost at most on its way to the outputs, as an estimate.
const UNCERTAIN: f64 = 0.06;

/// Cells that one word fills.
#[derive(Clone)]
pub(super) struct Fill {
    supplies: Vec<Supply>,
    /// The word before which they are filled, the first one before which all of them are free.
    at: usize,
    /// What they hold, in DN.
    dn: f64,
}

/// Cells that words may read to compensate errors.
#[derive(Clone)]
pub(super) struct Group {
    pub(super) fills: Vec<Fill>,
}

/// The program that is compensated.
pub(super) struct Program<'a> {
    pub(super) words: &'a [Word],
    pub(super) effects: &'a Effects,
    pub(super) model: &'a ErrorModel,
    pub(super) allows: &'a dyn Fn(&Word) -> bool,
    /// The cells that may be written.
    pub(super) writable: &'a [(Cell, Store)],
}

/// Something that is done at a place, and what comes of it.
pub(super) struct Change {
    /// The words that take the place of the one that is there, or come between two words.
    words: Vec<Word>,
    pub(super) choice: Choice,
}

impl Fill {
    /// The word that fills these cells; `None` if they are not free at the same time, or the bus does not take them.
    pub(super) fn of(supplies: Vec<Supply>, program: &Program<'_>) -> Option<Self> {
        let at = supplies.iter().map(|supply| supply.from).max()?;
        let is_open = |supply: &Supply| supply.users.last().is_some_and(|&last| last >= at);
        let dn = offset(program.model, supplies.len().to_le_bytes()[0]);
        let fill = Self { supplies, at, dn };
        (fill.supplies.iter().all(is_open) && (program.allows)(&fill.word()?)).then_some(fill)
    }

    fn word(&self) -> Option<Word> {
        let cells: Vec<Cell> = self.supplies.iter().map(|supply| supply.cell).collect();
        Word::new(&cells, &[]).ok()
    }

    /// The cells that hold the error before a word.
    fn cells_at(&self, i: usize) -> impl Iterator<Item = Cell> {
        let is_there = move |supply: &&Supply| (self.at..=supply.to).contains(&i);
        self.supplies.iter().filter(is_there).map(|supply| supply.cell)
    }

    /// Whether it fills a cell that another one fills.
    pub(super) fn clashes(&self, other: &Self) -> bool {
        self.supplies.iter().any(|own| other.supplies.iter().any(|supply| supply.cell == own.cell))
    }
}

impl Group {
    /// Whether all cells hold the same, so that the bias that remains follows from the multiples that are cancelled.
    pub(super) fn is_uniform(&self) -> bool {
        self.fills.windows(2).all(|pair| pair[0].supplies.len() == pair[1].supplies.len())
    }

    /// About the least bias that remains once the multiples are cancelled.
    pub(super) fn least_bias(&self, effects: &Effects) -> f64 {
        let Some(dn) = self.fills.first().map(|fill| fill.dn).filter(|_| self.is_uniform()) else { return 0.0 };
        let remains = |(bias, times): (&f64, &f64)| (bias - times * dn).abs() - UNCERTAIN * (times * dn).abs();
        effects.left.bias.iter().zip(&effects.times).map(remains).fold(0.0, f64::max)
    }

    /// The ways to read cells that are there before a word, some of each fill: each with how many they are and what they
    /// hold together.
    fn readings(&self, i: usize) -> Vec<(Vec<Cell>, i64, f64)> {
        let mut readings = vec![(Vec::new(), 0, 0.0)];
        for fill in &self.fills {
            let cells: Vec<Cell> = fill.cells_at(i).collect();
            let with = |(read, count, dn): &(Vec<Cell>, i64, f64)| {
                let mut reading = (read.clone(), *count, *dn);
                let more = cells.iter().map(|&cell| {
                    reading = ([reading.0.as_slice(), &[cell]].concat(), reading.1 + 1, reading.2 + fill.dn);
                    reading.clone()
                });
                std::iter::once((read.clone(), *count, *dn)).chain(more.collect::<Vec<_>>()).collect::<Vec<_>>()
            };
            readings = readings.iter().flat_map(with).collect();
        }
        readings.retain(|reading| !reading.0.is_empty());
        readings
    }

    /// What may be done: at the even places between words, at the odd ones with the words.
    pub(super) fn places(&self, program: &Program<'_>, inserts: bool) -> Vec<Vec<Change>> {
        let mut places = Vec::new();
        for i in 0..=program.words.len() {
            let readings = self.readings(i);
            places.push(if inserts { self.pairs(program, i, &readings) } else { Vec::new() });
            if let Some(word) = program.words.get(i) {
                let of_source = &program.effects.of_source[i];
                let read = |(cells, count, dn): &(Vec<Cell>, i64, f64)| {
                    let read = with_sources(word, cells).filter(program.allows)?;
                    change(vec![read], of_source.times(*count, *dn)?, 0)
                };
                places.push(readings.iter().filter_map(read).collect());
            }
        }
        places
    }

    /// Two words more, which carry a value to another cell and back, with room for sources in both.
    fn pairs(&self, program: &Program<'_>, i: usize, readings: &[(Vec<Cell>, i64, f64)]) -> Vec<Change> {
        let live = &program.effects.of_cell[i];
        let is_taken = |cell: Cell| self.fills.iter().flat_map(|fill| &fill.supplies).any(|supply| supply.cell == cell);
        let is_free = |&&(cell, store): &&(Cell, Store)| !live.contains_key(&store) && !is_taken(cell);
        // NEWS comes last, and is free most often.
        let Some(&(by, _)) = program.writable.iter().rev().find(is_free) else { return Vec::new() };
        let gain = f64::from(program.model.gain);
        let lost = offset(program.model, 1) * (1.0 - gain);
        let nothing = (Vec::new(), 0, 0.0);
        let mut changes = Vec::new();
        for &(cell, store) in program.writable.iter().filter(|(cell, _)| *cell != Cell::News) {
            let Some(of_cell) = live.get(&store) else { continue };
            for (there, back) in readings.iter().flat_map(|reading| [(reading, &nothing), (&nothing, reading)]) {
                let dn = gain * (gain * there.2 - back.2) + lost;
                let words = [(by, cell, there), (cell, by, back)].map(|(to, from, reading)| {
                    Word::new(&[to], &[&[from], reading.0.as_slice()].concat()).ok().filter(program.allows)
                });
                let [Some(first), Some(second)] = words else { continue };
                changes.extend(
                    of_cell.times(there.1 - back.1, dn).and_then(|effect| change(vec![first, second], effect, 2)),
                );
            }
        }
        changes
    }

    /// The program with the words that fill the cells, and with what was chosen.
    pub(super) fn changed(&self, program: &Program<'_>, places: &[Vec<Change>], chosen: &[Option<usize>]) -> Vec<Word> {
        let chosen_at =
            |place: usize| chosen.get(place).copied().flatten().map(|choice| places[place][choice].words.as_slice());
        let mut words = Vec::new();
        for i in 0..=program.words.len() {
            words.extend(self.fills.iter().filter(|fill| fill.at == i).filter_map(Fill::word));
            words.extend(chosen_at(2 * i).unwrap_or_default());
            if let Some(word) = program.words.get(i) {
                words.extend(chosen_at(2 * i + 1).unwrap_or(std::slice::from_ref(word)));
            }
        }
        words
    }
}

/// A change that does something.
fn change(words: Vec<Word>, effect: Effect, cost: u32) -> Option<Change> {
    let is_one = !effect.cancels() || effect.worst_bias() > 0.0;
    is_one.then_some(Change { words, choice: Choice { effect, cost } })
}
