//! Compensating what is left of the constant transfer error in the outputs.
//!
//! A word without sources leaves nothing but the error. Where a register, or NEWS, is free for a while, such a word can
//! put the error there, and words that have room for one more source can add it to what they sum: each takes away a
//! multiple of the error from the outputs, which follows from the words after it. Which of them make up for what is
//! left is a problem of subset sums. One word is tried first, which can fill up to three cells, then two and three.

use std::collections::BTreeMap;

use cain_isa::{Cell, Fraction, Store, Word};

use crate::Declaration;

/// Groups of cells tried.
const MAX_GROUPS: usize = 1024;
/// Sums followed at a time, the smallest; what goes beyond is left out.
const MAX_SUMS: usize = 512;

/// A multiple of the transfer error for each output, in units of a common denominator.
type Multiples = Vec<i64>;

/// A cell that is free for a while: the error may be put there before the first word and used by all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Supply {
    cell: Cell,
    /// The words that may use it, by number, in order.
    users: Vec<usize>,
    /// From where on it is free.
    from: usize,
}

/// The program with as few words and sources added that no output holds the transfer error; the program itself if none
/// does; `None` if that was not found.
pub(crate) fn compensate(declaration: &Declaration, words: &[Word]) -> Option<Vec<Word>> {
    let effects = Effects::of(declaration, words)?;
    if effects.left.iter().all(|&left| left == 0) {
        return Some(words.to_vec());
    }
    let supplies = supplies(declaration, words);
    let is_within = |words: &Vec<Word>| words.iter().all(|word| declaration.machine.bus.allows(word).is_ok());
    let by_group = |group: Group| Some(group.fill(words, &effects.chosen(words, &group)?)).filter(is_within);
    filled_at_once(&supplies).chain(filled_apart(&supplies)).take(MAX_GROUPS).find_map(by_group)
}

/// Cells that hold the error for a while.
struct Group {
    supplies: Vec<Supply>,
    /// Whether one word fills all of them.
    at_once: bool,
}

/// What each word does to the transfer error in the outputs.
struct Effects {
    /// What is left in each output.
    left: Multiples,
    /// What a source that holds the error once adds to the outputs, for each word.
    of_source: Vec<Multiples>,
}

impl Effects {
    /// Follows the program from its end to its beginning; `None` if a multiple does not fit exact arithmetic.
    fn of(declaration: &Declaration, words: &[Word]) -> Option<Self> {
        let count = declaration.outputs.len();
        let mut weights: BTreeMap<Store, Vec<Fraction>> = BTreeMap::new();
        for (i, output) in declaration.outputs.iter().enumerate() {
            let mut own = vec![Fraction::ZERO; count];
            own[i] = Fraction::ONE;
            weights.insert(Store::Reg(output.reg), own);
        }
        let mut left = vec![Fraction::ZERO; count];
        let mut of_source = Vec::new();
        for word in words.iter().rev() {
            let mut of_this = vec![Fraction::ZERO; count];
            let written: Vec<_> =
                word.transfers().map(|transfer| (weights.remove(&transfer.store), transfer)).collect();
            for (weight, transfer) in written {
                let Some(weight) = weight else { continue };
                for (left, &own) in left.iter_mut().zip(&weight) {
                    *left = left.checked_add(own)?;
                }
                let passed = weight.iter().map(|own| own.checked_mul(transfer.factor())).collect::<Option<Vec<_>>>()?;
                add(&mut of_this, &passed)?;
                for (source, _) in transfer.terms() {
                    add(weights.entry(*source).or_insert_with(|| vec![Fraction::ZERO; count]), &passed)?;
                }
            }
            of_source.push(of_this);
        }
        of_source.reverse();
        let denominators = of_source.iter().flatten().chain(&left).map(|multiple| multiple.denominator());
        let unit = denominators.into_iter().try_fold(1_i64, |common, denominator| {
            // What is missing is the denominator of common/denominator, in lowest terms.
            common.checked_mul(Fraction::new(common, denominator)?.denominator())
        })?;
        let in_units = |multiples: &Vec<Fraction>| -> Option<Multiples> {
            let scaled = |multiple: &Fraction| multiple.numerator().checked_mul(unit / multiple.denominator());
            multiples.iter().map(scaled).collect()
        };
        Some(Self { left: in_units(&left)?, of_source: of_source.iter().map(in_units).collect::<Option<_>>()? })
    }

    /// How many cells of a group each word takes as further sources, so that nothing is left; `None` if there is no way.
    fn chosen(&self, words: &[Word], group: &Group) -> Option<Vec<usize>> {
        let most: Vec<usize> = words.iter().enumerate().map(|(i, word)| group.room(i, word)).collect();
        // What the words from each one on can add at least and at most.
        let mut spans = vec![vec![(0, 0); self.left.len()]];
        for (effect, &most) in self.of_source.iter().zip(&most).rev() {
            let most = i64::try_from(most).ok()?;
            let add = |(&(low, high), &effect): (&(i64, i64), &i64)| {
                Some((low.checked_add((most * effect).min(0))?, high.checked_add((most * effect).max(0))?))
            };
            let span = spans.last()?.iter().zip(effect).map(add).collect::<Option<Vec<_>>>()?;
            spans.push(span);
        }
        spans.reverse();
        // For every sum that can still come to nothing: how many cells the word before it took, and from which sum on.
        let mut layers: Vec<BTreeMap<Multiples, (usize, Multiples)>> = Vec::new();
        let mut sums = vec![self.left.clone()];
        for (i, &most) in most.iter().enumerate() {
            let mut layer = BTreeMap::new();
            for sum in sums {
                let mut next = sum.clone();
                for n in 0..=most {
                    let is_open = next.iter().zip(&spans[i + 1]).all(|(sum, (low, high))| (-high..=-low).contains(sum));
                    if is_open {
                        layer.entry(next.clone()).or_insert_with(|| (n, sum.clone()));
                    }
                    next =
                        next.iter().zip(&self.of_source[i]).map(|(a, b)| a.checked_add(*b)).collect::<Option<_>>()?;
                }
            }
            sums = layer.keys().cloned().collect();
            if sums.len() > MAX_SUMS {
                sums.sort_by_key(|sum: &Multiples| sum.iter().map(|multiple| multiple.unsigned_abs()).sum::<u64>());
                sums.truncate(MAX_SUMS);
            }
            layers.push(layer);
        }
        let mut sum = vec![0; self.left.len()];
        let mut chosen = Vec::new();
        for layer in layers.iter().rev() {
            let (n, before) = layer.get(&sum)?;
            chosen.push(*n);
            sum.clone_from(before);
        }
        chosen.reverse();
        Some(chosen)
    }
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

    /// The program with the words that fill the cells, and with so many further sources for each word.
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

fn add(sum: &mut [Fraction], more: &[Fraction]) -> Option<()> {
    for (a, b) in sum.iter_mut().zip(more) {
        *a = a.checked_add(*b)?;
    }
    Some(())
}

fn with_sources(word: &Word, further: &[Cell]) -> Option<Word> {
    Word::new(word.destinations(), &[word.sources(), further].concat()).ok()
}

/// The cells that are free for some words which have room for one more source.
fn supplies(declaration: &Declaration, words: &[Word]) -> Vec<Supply> {
    let registers = declaration.writable().into_iter().map(|reg| (Cell::Reg(reg), Store::Reg(reg)));
    let mut supplies = Vec::new();
    for (cell, store) in registers.chain([(Cell::News, Store::News)]) {
        let is_live = live(declaration, words, store);
        let mut run = Supply { cell, users: Vec::new(), from: 0 };
        for (i, word) in words.iter().enumerate() {
            if is_live[i] {
                supplies.push(std::mem::replace(&mut run, Supply { cell, users: Vec::new(), from: i + 1 }));
                continue;
            }
            if with_sources(word, &[cell]).is_some() {
                run.users.push(i);
            }
            if word.transfers().any(|transfer| transfer.store == store) {
                supplies.push(std::mem::replace(&mut run, Supply { cell, users: Vec::new(), from: i + 1 }));
            }
        }
        supplies.push(run);
    }
    supplies.retain(|supply| !supply.users.is_empty());
    // Those with most users first. Registers that are free for the same words are all alike, but a word may use several.
    supplies.sort_by_key(|supply| std::cmp::Reverse(supply.users.len()));
    let mut kept: Vec<Supply> = Vec::new();
    for supply in supplies {
        let is_alike = |other: &&Supply| other.users == supply.users && other.from == supply.from;
        if kept.iter().filter(is_alike).count() < Word::MAX_DESTINATIONS {
            kept.push(supply);
        }
    }
    kept
}

/// Whether a cell holds something that is read later, before each word.
fn live(declaration: &Declaration, words: &[Word], store: Store) -> Vec<bool> {
    let mut is_live = declaration.outputs.iter().any(|output| Store::Reg(output.reg) == store);
    let mut before: Vec<bool> = words
        .iter()
        .rev()
        .map(|word| {
            is_live &= word.transfers().all(|transfer| transfer.store != store);
            is_live |= word.transfers().any(|transfer| transfer.terms().iter().any(|(source, _)| *source == store));
            is_live
        })
        .collect();
    before.reverse();
    before
}

/// Cells that one word can fill: one, two or three of them.
fn filled_at_once(supplies: &[Supply]) -> impl Iterator<Item = Group> + '_ {
    let n = supplies.len();
    let singles = (0..n).map(|i| vec![i]);
    let pairs = (0..n).flat_map(move |i| (i + 1..n).map(move |j| vec![i, j]));
    let triples = (0..n).flat_map(move |i| (i + 1..n).flat_map(move |j| (j + 1..n).map(move |k| vec![i, j, k])));
    singles.chain(pairs).chain(triples).filter_map(move |chosen| {
        let supplies: Vec<&Supply> = chosen.into_iter().map(|i| &supplies[i]).collect();
        // All are free from where the last of them is, and as long as none has been used for the last time.
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
        let compensated = compensate(&declaration(&[Reg::A]), &words).unwrap();
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
            if let Some(compensated) = compensate(&declaration(&outputs), &words) {
                let after = run(&compensated);
                for reg in outputs {
                    prop_assert_eq!(after.value(reg), before.value(reg));
                    prop_assert_eq!(after.report().offset_error(reg), Some(Fraction::ZERO));
                }
            }
        }
    }
}
