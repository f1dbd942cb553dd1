//! Compensates the offset error that is left in the outputs.
//!
//! A word without sources leaves nothing but the error. Where registers, or NEWS, are free for a while, such a word can
//! put the error there, and words that have room for one more source can add it to what they sum: each of these takes
//! from the outputs a multiple of the error that follows from the later words ([`effects`]). If that does not suffice,
//! values are carried to another cell and back, by two words with room for the error.
//!
//! The multiples have to cancel exactly. But words with several destinations have a different error from words with
//! one, so a bias may be left. A word that fills two or three cells at once puts that other error there. With both
//! errors available, multiples and biases can be cancelled together: a subset-sum problem in two constants
//! ([`Search`]), over the [`places`] of the program and what cells hold there. The remaining bias is weighed against
//! further words as in the comparison of programs.

mod effects;
mod places;

use cain_isa::{Fraction, Instruction, Word};

use crate::costs::{Costs, count, loss};
use crate::engine::compensation::{Backwards, Search};
use crate::engine::work::{of_replay, of_sums};
use crate::{Declaration, Objective};
use effects::Effects;
use places::Program;

/// Increasing efforts: first without values that are carried back and forth, then with them.
const EFFORTS: [Effort; 2] = [
    Effort { with_pairs: false, least: 1, most: 3, sums: 32 },
    Effort { with_pairs: true, least: 3, most: 5, sums: 16 },
];
/// The number of outputs from which on a program in which all multiples cancel is left unchanged, unless accuracy is
/// the objective.
const SEVERAL_OUTPUTS: usize = 2;
/// The most compensated programs whose full errors are compared.
const MAX_COMPARED: usize = 4;

struct Effort {
    with_pairs: bool,
    /// The least number of additional words that it can take.
    least: u32,
    /// The most additional words; for each output, if pairs are needed to find any program.
    most: u32,
    /// The most sums that are followed at the same time.
    sums: usize,
}

/// Adds few words and sources to the program so that no output holds an offset error and the bias is small. Returns the
/// program unchanged if that is already so, and `None` if no program was found whose [`loss`] is below `allowance`.
/// Adds to `work`.
pub(crate) fn compensate(
    declaration: &Declaration,
    words: &[Word],
    allowance: f64,
    work: &mut u64,
) -> Option<Vec<Word>> {
    let effects = Effects::of(declaration, words)?;
    let loss = |cost: u32, bias: f64| loss(declaration, cost, bias);
    let mut best: Vec<(f64, Vec<Word>)> = Vec::new();
    if effects.left.cancels() {
        // Reducing the bias of several outputs takes longer than finding another program.
        let objective = declaration.options.objective_in_force();
        if declaration.outputs.len() >= SEVERAL_OUTPUTS && objective != Objective::Accuracy {
            return Some(words.to_vec());
        }
        best.push((loss(0, effects.left.worst_bias()), words.to_vec()));
    }
    let outputs = count(effects.left.multiples.len());
    let allows = |word: &Word| declaration.machine.bus.allows(word).is_ok();
    let mut program = Program::new(declaration, words, &effects, &allows);
    let mut tried = 0;
    for effort in &EFFORTS {
        let limit = best.first().map_or(allowance, |best| best.0);
        let is_possible = !effort.with_pairs || !effects.of_cell.is_empty();
        if limit <= loss(effort.least, 0.0) || !is_possible {
            break;
        }
        program.with_pairs = effort.with_pairs;
        let most = if effort.with_pairs && best.is_empty() { outputs.saturating_mul(effort.most) } else { effort.most };
        let search = Search { left: &effects.left, most, most_sums: effort.sums, follows: false, loss: &loss, limit };
        for way in search.run(&program, MAX_COMPARED, &mut tried) {
            let changed = (0..).zip(way.at).flat_map(|(place, (held, choice))| match choice {
                Some(choice) => program.changes(place, held).swap_remove(choice).words,
                None => [program.word_at(place).copied(), None, None],
            });
            let at = best.partition_point(|other| other.0 <= way.loss);
            best.insert(at, (way.loss, changed.flatten().collect()));
        }
        best.truncate(MAX_COMPARED);
    }
    *work += of_sums(tried);
    best_of(declaration, best.into_iter().map(|(_, words)| words).collect(), work)
}

/// The multiples of the transfer error that a program leaves in the outputs; `None` if exact arithmetic overflows.
pub(super) fn left_over(declaration: &Declaration, words: &[Word]) -> Option<Vec<Fraction>> {
    let mut at = Backwards::from_end(&declaration.outputs, &declaration.options.error_model);
    at.undo_all(words)?;
    Some(at.left.exact)
}

/// The program with the least costs. Adds to `work`.
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

#[cfg(test)]
mod tests {
    use cain_analysis::prove::{Polynomial, Prover};
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
        // An ideal error model: if all words have the same error, there is no bias.
        let mut declaration = declaration(&[Reg::A]);
        declaration.options.error_model = ErrorModel::ideal();
        let compensated = compensate(&declaration, &words, f64::INFINITY, &mut 0).unwrap();
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
            if let Some(compensated) = compensate(&declaration(&outputs), &words, f64::INFINITY, &mut 0) {
                let after = run(&compensated);
                for reg in outputs {
                    prop_assert_eq!(after.value(reg), before.value(reg));
                    prop_assert_eq!(after.report().offset_error(reg), Some(Fraction::ZERO));
                }
            }
        }
    }
}
