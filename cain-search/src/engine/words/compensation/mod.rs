//! Compensating the offset error that is left in the outputs.
//!
//! A word without sources leaves nothing but the error. Where registers, or NEWS, are free for a while, such a word can
//! put the error there ([`mod@supplies`]), and words that have room for one more source can add it to what they sum: each
//! takes away a multiple of the error from the outputs, which follows from the words after it ([`effects`]). Where that does
//! not suffice, a value is carried to another cell and back, by two words with room.
//!
//! The multiples have to cancel exactly. But words of several destinations have another error than those of one, which
//! leaves a bias even then. A word that fills two or three cells at once puts that other error there. With both errors at
//! hand multiples and biases can be cancelled together: a subset-sum problem in two constants. What remains of the bias
//! is weighed against further words as in the comparison of programs.

mod effects;
mod groups;
mod supplies;

use cain_isa::{Instruction, Word};

use crate::Declaration;
use crate::costs::{Costs, count, loss};
use crate::engine::compensation::{Choice, Search};
use crate::engine::work::{of_replay, of_sums};
use effects::Effects;
use groups::{Fill, Group, Program};
use supplies::{supplies, writable};

/// The most cells that are tried, those with the most users.
const MAX_SUPPLIES: usize = 12;
/// The most sums that are followed at a time, and the most that are tried for a program: with cells that all hold the same,
/// with others, and with words that carry a value to and fro.
const MAX_SUMS: usize = 512;
const MAX_TRIED: [usize; 3] = [1 << 14, 1 << 12, 1 << 12];
/// Less of it is worth the while where the multiples cancel and only the bias is large.
const FOR_BIAS: usize = 4;
/// The most groups of cells of a kind: without words that carry a value to and fro, and with them.
const MAX_GROUPS: [usize; 2] = [64, 4];
/// The most compensated programs of a kind.
const MAX_FOUND: usize = 2;
/// The most words that carry values to and fro.
const MOST_INSERTED: u32 = 2;
/// The most compensated programs that are compared by all their errors.
const MAX_COMPARED: usize = 4;

/// The program with few words and sources added, so that no output holds an offset error and the bias is small; the program
/// itself if that is so already; `None` if no such program was found. Adds to `work`.
pub(crate) fn compensate(declaration: &Declaration, words: &[Word], work: &mut u64) -> Option<Vec<Word>> {
    let effects = Effects::of(declaration, words)?;
    let loss = |cost: u32, bias: f64| loss(declaration, cost, bias);
    let mut best: Vec<(f64, Vec<Word>)> = Vec::new();
    if effects.left.cancels() {
        best.push((loss(0, effects.left.worst_bias()), words.to_vec()));
    }
    let writable: Vec<_> = writable(declaration).collect();
    let allows = |word: &Word| declaration.machine.bus.allows(word).is_ok();
    let model = &declaration.options.error_model;
    let program = Program { words, effects: &effects, model, allows: &allows, writable: &writable };
    let kinds = groups(declaration, &program);
    // Sums take longer the more outputs there are.
    let ease = effects.left.multiples.len().max(1) * if effects.left.cancels() { FOR_BIAS } else { 1 };
    let mut tried = [0; 3];
    for (inserts, most) in [0, MOST_INSERTED].into_iter().zip(MAX_GROUPS) {
        for kind in &kinds {
            let mut found = 0;
            for group in kind.iter().take(most) {
                let effort = if inserts > 0 { 2 } else { usize::from(!group.is_uniform()) };
                if tried[effort] > MAX_TRIED[effort] / ease || found == MAX_FOUND {
                    break;
                }
                let fills = count(group.fills.len());
                let least = loss(fills.saturating_add(inserts), group.least_bias(&effects));
                if best.first().is_some_and(|best| best.0 <= least) {
                    continue;
                }
                let places = group.places(&program, inserts > 0);
                let choices: Vec<Vec<Choice>> =
                    places.iter().map(|changes| changes.iter().map(|change| change.choice.clone()).collect()).collect();
                let loss = |cost: u32, bias: f64| loss(cost.saturating_add(fills), bias);
                let (most_sums, follows) = (MAX_SUMS, group.is_uniform());
                let search = Search { left: &effects.left, most: inserts, most_sums, follows, loss: &loss };
                if let Some(way) = search.run(&choices, &mut tried[effort]) {
                    found += 1;
                    let at = best.partition_point(|other| other.0 <= way.loss);
                    best.insert(at, (way.loss, group.changed(&program, &places, &way.at)));
                    best.truncate(MAX_COMPARED);
                }
            }
        }
    }
    *work += of_sums(tried.iter().sum::<usize>() * effects.left.multiples.len());
    best_of(declaration, best.into_iter().map(|(_, words)| words).collect(), work)
}

/// The program that costs least. Adds to `work`.
fn best_of(declaration: &Declaration, mut programs: Vec<Vec<Word>>, work: &mut u64) -> Option<Vec<Word>> {
    if programs.len() < 2 {
        return programs.pop();
    }
    *work += programs.iter().map(|words| of_replay(words.len(), declaration.weights())).sum::<u64>();
    let costs =
        |words: &[Word]| Costs::of(declaration, &words.iter().copied().map(Instruction::Word).collect::<Vec<_>>());
    let objective = declaration.options.objective_in_force();
    let programs = programs.into_iter().map(|words| (costs(&words), words));
    programs.min_by(|a, b| objective.compare(&a.0, &b.0)).map(|(_, words)| words)
}

/// Cells that may hold the error, by kind: from groups that one word fills to those that take two.
fn groups(declaration: &Declaration, program: &Program<'_>) -> [Vec<Group>; 6] {
    let mut supplies = supplies(declaration, program.effects, program.words);
    supplies.truncate(MAX_SUPPLIES);
    let sets = |count: usize| (0..1_usize << supplies.len()).filter(move |set| set.count_ones() as usize == count);
    let chosen = |set: usize| (0..supplies.len()).filter(|i| set >> i & 1 == 1).map(|i| supplies[i].clone()).collect();
    let fills = |count: usize| {
        let fills = sets(count).filter_map(|set| Fill::of(chosen(set), program));
        fills.take(MAX_GROUPS[0]).collect::<Vec<_>>()
    };
    let [one, two, three] = [1, 2, 3].map(fills);
    let at_once = |fills: &[Fill]| fills.iter().map(|fill| Group { fills: vec![fill.clone()] }).collect();
    let apart = |second: &[Fill]| {
        let pairs = one.iter().flat_map(|fill| second.iter().map(move |other| (fill, other)));
        let pairs = pairs.filter(|(fill, other)| !fill.clashes(other)).take(MAX_GROUPS[0]);
        pairs.map(|(fill, other)| Group { fills: vec![fill.clone(), other.clone()] }).collect()
    };
    [at_once(&one), at_once(&two), at_once(&three), apart(&one), apart(&two), apart(&three)]
}

#[cfg(test)]
mod tests {
    use cain_isa::prove::{Polynomial, Prover};
    use cain_isa::{Cell, Direction, ErrorModel, Fraction, HostController as _, Machine, Reg, Word};
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
        // On a chip whose words all have the same error, a bias costs nothing.
        let mut declaration = declaration(&[Reg::A]);
        declaration.options.error_model = ErrorModel::ideal();
        let compensated = compensate(&declaration, &words, &mut 0).unwrap();
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
