//! What words do to the offset error in the outputs, and which further sources cancel it.

use std::collections::BTreeMap;

use cain_isa::{Fraction, Store, Word};

use crate::Declaration;
use crate::engine::work;
use crate::fractions::common_denominator;

/// The most sums that are followed at a time; the largest ones beyond that are dropped.
const MAX_SUMS: usize = 512;

/// A multiple of the transfer error for each output, in units of a common denominator.
type Multiples = Vec<i64>;

/// What each word does to the transfer error in the outputs.
pub(super) struct Effects {
    /// What is left in each output.
    left: Multiples,
    /// What a source that holds the error once adds to the outputs, for each word.
    of_source: Vec<Multiples>,
}

impl Effects {
    /// Follows the program from its end to its beginning; `None` if a multiple does not fit exact arithmetic.
    pub(super) fn of(declaration: &Declaration, words: &[Word]) -> Option<Self> {
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
        let unit = common_denominator(of_source.iter().flatten().chain(&left).copied())?;
        let in_units = |multiples: &Vec<Fraction>| -> Option<Multiples> {
            let scaled = |multiple: &Fraction| multiple.numerator().checked_mul(unit / multiple.denominator());
            multiples.iter().map(scaled).collect()
        };
        Some(Self { left: in_units(&left)?, of_source: of_source.iter().map(in_units).collect::<Option<_>>()? })
    }

    /// Whether nothing is left.
    pub(super) fn is_compensated(&self) -> bool {
        self.left.iter().all(|&left| left == 0)
    }

    /// How many times each word reads the error as a further source, at most these times, so that nothing is left;
    /// `None` if there is no way. Adds to `work`.
    pub(super) fn chosen(&self, most: &[usize], work: &mut u64) -> Option<Vec<usize>> {
        // The least and the most that the words from each one on can add.
        let mut spans = vec![vec![(0, 0); self.left.len()]];
        for (effect, &most) in self.of_source.iter().zip(most).rev() {
            let most = i64::try_from(most).ok()?;
            let add = |(&(low, high), &effect): (&(i64, i64), &i64)| {
                Some((low.checked_add((most * effect).min(0))?, high.checked_add((most * effect).max(0))?))
            };
            let span = spans.last()?.iter().zip(effect).map(add).collect::<Option<Vec<_>>>()?;
            spans.push(span);
        }
        spans.reverse();
        // For every sum that can still become zero: the cells that the word before it took, and the sum before that.
        let mut layers: Vec<BTreeMap<Multiples, (usize, Multiples)>> = Vec::new();
        let mut sums = vec![self.left.clone()];
        for (i, &most) in most.iter().enumerate() {
            *work += work::of_sums(sums.len() * (most + 1) * self.left.len());
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

fn add(sum: &mut [Fraction], more: &[Fraction]) -> Option<()> {
    for (a, b) in sum.iter_mut().zip(more) {
        *a = a.checked_add(*b)?;
    }
    Some(())
}
