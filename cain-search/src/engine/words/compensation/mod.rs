//! Compensating the offset error that is left in the outputs.
//!
//! A word without sources leaves nothing but the error. Where a register, or NEWS, is free for a while, such a word can
//! put the error there, and words that have room for one more source can add it to what they sum: each takes away a
//! multiple of the error from the outputs, which follows from the words after it. Which of them cancel what is
//! left is a subset-sum problem ([`effects`]). One word is tried first, which can fill up to three cells
//! ([`mod@supplies`]), then two and three.

mod effects;
mod supplies;

use cain_isa::{Cell, Word};

use crate::Declaration;
use effects::Effects;
use supplies::{Supply, supplies, with_sources};

/// The most groups of cells that are tried.
const MAX_GROUPS: usize = 1024;

/// The program with few words and sources added, so that no output holds an offset error; the program itself if none
/// does; `None` if no such program was found. Adds to `work`.
pub(crate) fn compensate(declaration: &Declaration, words: &[Word], work: &mut u64) -> Option<Vec<Word>> {
    let effects = Effects::of(declaration, words)?;
    if effects.is_compensated() {
        return Some(words.to_vec());
    }
    let supplies = supplies(declaration, words);
    let is_within = |words: &Vec<Word>| words.iter().all(|word| declaration.machine.bus.allows(word).is_ok());
    let by_group = |group: Group| {
        let most: Vec<usize> = words.iter().enumerate().map(|(i, word)| group.room(i, word)).collect();
        Some(group.fill(words, &effects.chosen(&most, work)?)).filter(is_within)
    };
    filled_at_once(&supplies).chain(filled_apart(&supplies)).take(MAX_GROUPS).find_map(by_group)
}

/// Cells that hold the error for a while.
struct Group {
    supplies: Vec<Supply>,
    /// Whether one word fills all of them.
    at_once: bool,
}

impl Group {
    /// The first `n` cells that the i-th word may use.
    fn cells(&self, i: usize, n: usize) -> Vec<Cell> {
        let open = self.supplies.iter().filter(|supply| supply.users.contains(&i));
        open.map(|supply| supply.cell).take(n).collect()
    }

    /// How many cells the i-th word can take as further sources.
    fn room(&self, i: usize, word: &Word) -> usize {
        (1..=self.supplies.len())
            .take_while(|&n| self.cells(i, n).len() == n && with_sources(word, &self.cells(i, n)).is_some())
            .count()
    }

    /// The program with the words that fill the cells, and with the chosen number of further sources for each word.
    fn fill(&self, words: &[Word], chosen: &[usize]) -> Vec<Word> {
        let first_use = |supply: &Supply| (0..words.len()).find(|&i| self.cells(i, chosen[i]).contains(&supply.cell));
        let uses: Vec<_> = self.supplies.iter().map(first_use).collect();
        let first = uses.iter().flatten().min().copied();
        let mut filled = Vec::new();
        for (i, word) in words.iter().enumerate() {
            let is_filled =
                |used: Option<usize>| if self.at_once { used.and(first) == Some(i) } else { used == Some(i) };
            let cells = self.supplies.iter().zip(&uses).filter(|(_, used)| is_filled(**used));
            let cells: Vec<Cell> = cells.map(|(supply, _)| supply.cell).collect();
            filled.extend(Word::new(&cells, &[]));
            filled.push(with_sources(word, &self.cells(i, chosen[i])).unwrap_or(*word));
        }
        filled
    }
}

/// Cells that one word can fill: one, two or three of them.
fn filled_at_once(supplies: &[Supply]) -> impl Iterator<Item = Group> + '_ {
    let n = supplies.len();
    let singles = (0..n).map(|i| vec![i]);
    let pairs = (0..n).flat_map(move |i| (i + 1..n).map(move |j| vec![i, j]));
    let triples = (0..n).flat_map(move |i| (i + 1..n).flat_map(move |j| (j + 1..n).map(move |k| vec![i, j, k])));
    singles.chain(pairs).chain(triples).filter_map(move |chosen| {
        let supplies: Vec<&Supply> = chosen.into_iter().map(|i| &supplies[i]).collect();
        // All of them are free from the word on at which the last one becomes free.
        let from = supplies.iter().map(|supply| supply.from).max()?;
        let cells: Vec<Cell> = supplies.iter().map(|supply| supply.cell).collect();
        Word::new(&cells, &[]).ok()?;
        let later = |supply: &&Supply| Supply {
            users: supply.users.iter().copied().filter(|&user| user >= from).collect(),
            ..(*supply).clone()
        };
        let supplies: Vec<Supply> = supplies.iter().map(later).collect();
        supplies.iter().all(|supply| !supply.users.is_empty()).then_some(Group { supplies, at_once: true })
    })
}

/// Two or three cells, each of which a word of its own fills.
fn filled_apart(supplies: &[Supply]) -> impl Iterator<Item = Group> + '_ {
    let n = supplies.len();
    let pairs = (0..n).flat_map(move |i| (i + 1..n).map(move |j| vec![i, j]));
    let triples = (0..n).flat_map(move |i| (i + 1..n).flat_map(move |j| (j + 1..n).map(move |k| vec![i, j, k])));
    let group = |chosen: Vec<usize>| chosen.into_iter().map(|i| supplies[i].clone()).collect();
    pairs.chain(triples).map(move |chosen| Group { supplies: group(chosen), at_once: false })
}

#[cfg(test)]
mod tests {
    use cain_isa::prove::{Polynomial, Prover};
    use cain_isa::{Cell, Direction, Fraction, HostController as _, Machine, Reg, Word};
    use proptest::prelude::*;

    use super::compensate;
    use crate::{Declaration, Input, Options, Output};

    fn run(words: &[Word]) -> Prover {
        let mut prover = Prover::new(&[Reg::A]);
        words.iter().try_for_each(|&word| prover.issue(word)).unwrap();
        prover
    }

    fn declaration(outputs: &[Reg]) -> Declaration {
        Declaration {
            name: "words".into(),
            inputs: vec![Input { reg: Reg::A, keep: false }],
            outputs: outputs.iter().map(|&reg| Output { reg, kernel: Polynomial::new() }).collect(),
            scratch: vec![Reg::D, Reg::E],
            machine: Machine::SCAMP5,
            options: Options::default(),
        }
    }

    #[test]
    fn one_word_makes_up_for_four_halvings() {
        let a = Cell::Reg(Reg::A);
        let b = Cell::Reg(Reg::B);
        let words: Vec<Word> = Direction::ALL
            .iter()
            .flat_map(|&from| [Word::new(&[Cell::News, b], &[a]), Word::new(&[a], &[Cell::Port(from), b])])
            .collect::<Result<_, _>>()
            .unwrap();
        assert_eq!(run(&words).report().offset_error(Reg::A), Some(Fraction::from(-4)));
        let compensated = compensate(&declaration(&[Reg::A]), &words, &mut 0).unwrap();
        assert_eq!(compensated.len(), words.len() + 1);
        assert_eq!(run(&compensated).report().offset_error(Reg::A), Some(Fraction::ZERO));
    }

    fn words() -> impl Strategy<Value = Vec<Word>> {
        let registers = [Reg::A, Reg::B, Reg::C].map(Cell::Reg);
        let cells: Vec<Cell> =
            registers.into_iter().chain([Cell::News]).chain(Direction::ALL.map(Cell::Port)).collect();
        let some = |range| prop::sample::subsequence(cells.clone(), range);
        let word = (some(1..=2), some(1..=3));
        prop::collection::vec(word, 1..12).prop_map(|all| {
            let mut prover = Prover::new(&[Reg::A]);
            let words = all.iter().filter_map(|(to, from)| Word::new(to, from).ok());
            words.filter(|&word| prover.clone().issue(word).is_ok() && prover.issue(word).is_ok()).collect()
        })
    }

    proptest! {
        #[test]
        fn values_stay_and_offsets_go(words in words()) {
            let before = run(&words);
            let outputs: Vec<Reg> = [Reg::A, Reg::B].into_iter().filter(|&reg| before.value(reg).is_some()).collect();
            if let Some(compensated) = compensate(&declaration(&outputs), &words, &mut 0) {
                let after = run(&compensated);
                for reg in outputs {
                    prop_assert_eq!(after.value(reg), before.value(reg));
                    prop_assert_eq!(after.report().offset_error(reg), Some(Fraction::ZERO));
                }
            }
        }
    }
}
