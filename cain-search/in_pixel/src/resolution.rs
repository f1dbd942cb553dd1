//! What scores lose where the converter of the array resolves their sums.

use cain_isa::program::SUM_STEP;

use crate::{Compiled, Scores};

/// How well the converter tells scores apart, without any errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// The scores that fall into one step: how much all maxima of a class together have to grow for the next one.
    pub step: f64,
    /// By how much the best class is ahead of the second, on the average.
    pub lead: f64,
    /// The share of pictures for which another class is read.
    pub changed: f64,
}

impl Compiled {
    /// How well the converter tells the scores of these pictures apart, each given as pixels, row by row.
    ///
    /// `None` if scores are exact, or there is only one class or no picture.
    #[must_use]
    pub fn resolution(&self, pictures: &[Vec<u8>]) -> Option<Resolution> {
        let network = &self.network;
        // The product for a maximum of 1, and how many PEs have it.
        let (level, copies) = match &network.second {
            None => (f64::from(self.level) / 2.0, network.pool * network.pool),
            Some(second) if second.scores == Scores::Exact => return None,
            Some(_) => (f64::from(self.result_level?), network.filters.len()),
        };
        if pictures.is_empty() || network.classes() < 2 {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "numbers of PEs and of pictures, and sums of small integers")]
        let real = |number: i64| number as f64;
        let count = |number: usize| real(i64::try_from(number).unwrap_or(i64::MAX));
        let step = f64::from(SUM_STEP) / (level * count(copies));
        let read = |score: &i64| (real(*score) / step + 0.5).floor().clamp(-128.0, 127.0);
        let (mut lead, mut changed) = (0, 0_usize);
        for picture in pictures {
            let scores = network.scores(picture);
            let best = first_of_largest(scores.iter().copied());
            let others = scores.iter().enumerate().filter(|(class, _)| *class != best).map(|(_, score)| *score);
            let first = scores.get(best).copied().unwrap_or_default();
            lead += first - others.max().unwrap_or_default();
            changed += usize::from(first_of_largest(scores.iter().map(read)) != best);
        }
        let pictures = count(pictures.len());
        Some(Resolution { step, lead: real(lead) / pictures, changed: count(changed) / pictures })
    }
}

/// The index of the first of the largest numbers.
fn first_of_largest<T: PartialOrd + Copy>(numbers: impl Iterator<Item = T>) -> usize {
    let mut best: Option<(usize, T)> = None;
    for (index, number) in numbers.enumerate() {
        if best.is_none_or(|(_, largest)| number > largest) {
            best = Some((index, number));
        }
    }
    best.map_or(0, |(index, _)| index)
}
