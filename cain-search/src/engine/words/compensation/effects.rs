//! What words do to the offset error in the outputs, and which further sources cancel it.

use cain_isa::Word;

use crate::Declaration;
use crate::engine::compensation::{Backwards, Choice, Multiples, Unit, cheapest};
use crate::engine::work;

/// The most sums that are followed at a time.
const MAX_SUMS: usize = 512;

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
        let mut at = Backwards::from_end(&declaration.outputs);
        let mut of_source = words.iter().rev().map(|word| at.undo(word)).collect::<Option<Vec<_>>>()?;
        of_source.reverse();
        let unit = Unit::of(of_source.iter().flatten().chain(&at.left))?;
        let of_source = of_source.iter().map(|multiples| unit.multiples(multiples)).collect::<Option<_>>()?;
        Some(Self { left: unit.multiples(&at.left)?, of_source })
    }

    /// Whether nothing is left.
    pub(super) fn is_compensated(&self) -> bool {
        self.left.iter().all(|&left| left == 0)
    }

    /// How many times each word reads the error as a further source, at most these times, so that nothing is left;
    /// `None` if there is no way. Adds to `work`.
    pub(super) fn chosen(&self, most: &[usize], work: &mut u64) -> Option<Vec<usize>> {
        let times = |effect: &Multiples, n: i64| -> Option<Multiples> {
            effect.iter().map(|multiple| multiple.checked_mul(n)).collect()
        };
        let places = self.of_source.iter().zip(most).map(|(effect, &most)| {
            let choices = (1..=i64::try_from(most).ok()?).map(|n| Some(Choice { effect: times(effect, n)?, cost: 0 }));
            choices.collect::<Option<Vec<_>>>()
        });
        let mut sums = 0;
        let cheapest = cheapest(&self.left, &places.collect::<Option<Vec<_>>>()?, (0, MAX_SUMS), &mut sums);
        *work += work::of_sums(sums * self.left.len());
        Some(cheapest?.1.into_iter().map(|chosen| chosen.map_or(0, |choice| choice + 1)).collect())
    }
}
