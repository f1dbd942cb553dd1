//! Compensating the offset error that is left in the outputs.
//!
//! A word without sources leaves nothing but the error. Where a register, or NEWS, is free for a while, such a word can
//! put the error there, and words that have room for one more source can add it to what they sum: each takes away a
//! multiple of the error from the outputs, which follows from the words after it. Which of them cancel what is
//! left is a subset-sum problem ([`effects`]). One word is tried first, which can fill up to three cells
//! ([`mod@supplies`]); of several ways the one that leaves the smallest bias is taken. Where it is not small enough, two and
//! three words are tried.

mod effects;
mod supplies;

use cain_isa::{Cell, Instruction, Word};

use crate::Declaration;
use crate::costs::Costs;
use crate::engine::work::of_replay;
use effects::Effects;
use supplies::{Supply, supplies, with_sources};

/// The most groups of cells that are tried.
const MAX_GROUPS: usize = 1024;
/// The most compensated programs of a kind that are compared. The word that puts the error into one cell, two or three has
/// another transfer error each time, which leaves another bias.
const MAX_COMPARED: usize = 2;
/// The most groups that are tried where there is a program already, but with a bias.
const MAX_BETTER: usize = 16;

/// The program with few words and sources added, so that no output holds an offset error; the program itself if none
/// does; `None` if no such program was found. Adds to `work`.
pub(crate) fn compensate(declaration: &Declaration, words: &[Word], work: &mut u64) -> Option<Vec<Word>> {
    let effects = Effects::of(declaration, words)?;
    if effects.is_compensated() {
        return Some(words.to_vec());
    }
    let supplies = supplies(declaration, words);
    let is_within = |words: &Vec<Word>| words.iter().all(|word| declaration.machine.bus.allows(word).is_ok());
    let by_group = |group: Group, work: &mut u64| {
        let most: Vec<usize> = words.iter().enumerate().map(|(i, word)| group.room(i, word)).collect();
        Some(group.fill(words, &effects.chosen(&most, work)?)).filter(is_within)
    };
    let mut compensated = Vec::new();
    for cells in 1..=Word::MAX_DESTINATIONS {
        let groups = filled_at_once(&supplies, cells).take(MAX_GROUPS);
        compensated.extend(groups.filter_map(|group| by_group(group, work)).take(MAX_COMPARED));
    }
    let best = best_of(declaration, compensated, work);
    if let Some((Costs { surcharge: 0, .. }, words)) = best {
        return Some(words);
    }
    let apart = filled_apart(&supplies).take(if best.is_some() { MAX_BETTER } else { MAX_GROUPS });
    let apart: Vec<_> = apart.filter_map(|group| by_group(group, work)).take(MAX_COMPARED).collect();
    let others = best_of(declaration, apart, work);
    let objective = declaration.options.objective_in_force();
    best.into_iter().chain(others).min_by(|a, b| objective.compare(&a.0, &b.0)).map(|(_, words)| words)
}

/// The program that costs least, with its costs. Adds to `work`.
fn best_of(declaration: &Declaration, programs: Vec<Vec<Word>>, work: &mut u64) -> Option<(Costs, Vec<Word>)> {
    *work += programs.iter().map(|words| of_replay(words.len(), declaration.weights())).sum::<u64>();
    let costs =
        |words: &[Word]| Costs::of(declaration, &words.iter().copied().map(Instruction::Word).collect::<Vec<_>>());
    let objective = declaration.options.objective_in_force();
    let programs = programs.into_iter().map(|words| (costs(&words), words));
    programs.min_by(|a, b| objective.compare(&a.0, &b.0))
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

/// So many cells that one word can fill: one, two or three of them.
fn filled_at_once(supplies: &[Supply], cells: usize) -> impl Iterator<Item = Group> + '_ {
    combinations(supplies, cells).filter_map(|supplies| {
        // All of them are free from the word on at which the last one becomes free.
        let from = supplies.iter().map(|supply| supply.from).max()?;
        let cells: Vec<Cell> = supplies.iter().map(|supply| supply.cell).collect();
        Word::new(&cells, &[]).ok()?;
        let later = |supply: Supply| Supply {
            users: supply.users.iter().copied().filter(|&user| user >= from).collect(),
            ..supply
        };
        let supplies: Vec<Supply> = supplies.into_iter().map(later).collect();
        supplies.iter().all(|supply| !supply.users.is_empty()).then_some(Group { supplies, at_once: true })
    })
}

/// Two or three cells, each of which a word of its own fills.
fn filled_apart(supplies: &[Supply]) -> impl Iterator<Item = Group> + '_ {
    (2..=3).flat_map(|cells| combinations(supplies, cells)).map(|supplies| Group { supplies, at_once: false })
}

/// All ways to choose so many supplies, in their order.
fn combinations(supplies: &[Supply], count: usize) -> Box<dyn Iterator<Item = Vec<Supply>> + '_> {
    if count == 0 {
        return Box::new(std::iter::once(Vec::new()));
    }
    Box::new((0..supplies.len()).flat_map(move |first| {
        let rest = combinations(&supplies[first + 1..], count - 1);
        rest.map(move |rest| [vec![supplies[first].clone()], rest].concat())
    }))
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
