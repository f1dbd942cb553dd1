//! What is predicted of the candidates among which is chosen.

use cain_isa::Fraction;
use cain_network::{CompiledNetwork, NumberError, Prediction, ScoreError, predict_against};
use cain_onnx::{Choices, Imported};

use crate::share::percent;
use crate::table::{Table, or_dash};

/// Predictions that differ by less than this are equal: the share of changed classes, since pictures are few, or errors
/// beside what numbers differ.
const EQUAL: f64 = 0.01;

/// Of large predictions, a share of the least: where every candidate is bad, its scores tell more.
const EQUAL_SHARE: f64 = 0.1;

/// How many of the best candidates are predicted for further pictures.
const FINALISTS: usize = 4;

/// Where more classes are expected to change, that is told as a warning.
const BAD: f64 = 0.05;

/// What is at most left of an error where a longer search is worth another one.
const GAIN: f64 = 0.95;

/// In such steps candidates are sorted by them.
const STEP: f64 = 1e-3;

/// Errors, beside what numbers differ, that are the same if these round to the same multiple of it.
const SAME: f64 = 0.05;

/// A network with its choices.
pub(super) type Candidate = (Choices, Imported);

/// What is known of a candidate.
pub(super) struct Judged {
    /// Its place among those that are tried, and the budget of its sums.
    pub(super) place: usize,
    pub(super) nodes: u64,
    levels: (f64, f64),
    depth: Option<u32>,
    largest_sums: Fraction,
    pub(super) words: usize,
    /// The share of pictures for which another class is expected.
    changed: Option<f64>,
    /// The share for which the likeliest rival is ahead, by which candidates are compared.
    overtaken: Option<f64>,
    /// The numbers that decide.
    numbers: Option<NumberError>,
    /// The pictures for which it was judged, and those that its errors are of.
    pictures: usize,
    counted: usize,
    /// The network that is judged.
    compiled: Option<Box<CompiledNetwork>>,
}

impl Judged {
    /// What is predicted for these pictures of a candidate that was compiled with this budget.
    pub(super) fn of(
        (place, nodes): (usize, u64),
        (choices, imported): &Candidate,
        compiled: CompiledNetwork,
        pictures: &[Vec<u8>],
    ) -> Self {
        let model = &imported.network.options.error_model;
        let prediction = predict_against(&compiled, model, pictures, &imported.unrounded);
        let numbers = prediction.as_ref().and_then(Prediction::decisive);
        let scores = prediction.and_then(|prediction| prediction.scores);
        let (changed, overtaken) = scores.map(|scores| (scores.changed, scores.overtaken)).unzip();
        let Choices { levels, depth, .. } = *choices;
        let (largest_sums, words) = (imported.network.largest_sums, compiled.words());
        let (pictures, counted, compiled) = (pictures.len(), pictures.len(), Some(Box::new(compiled)));
        Self {
            place,
            nodes,
            levels,
            depth,
            largest_sums,
            words,
            changed,
            overtaken,
            numbers,
            pictures,
            counted,
            compiled,
        }
    }

    /// What is predicted for further pictures, so many at once, as long as `goes_on`; `None` if no classes are.
    pub(super) fn predicted(
        &self,
        imported: &Imported,
        pictures: &[Vec<u8>],
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Vec<(usize, ScoreError)>> {
        let compiled = self.compiled.as_deref().filter(|_| self.pictures > 0 && self.changed.is_some())?;
        let model = &imported.network.options.error_model;
        let chunks = pictures.chunks(self.pictures).take_while(|_| goes_on());
        chunks
            .map(|pictures| {
                let scores = predict_against(compiled, model, pictures, &imported.unrounded)?.scores?;
                Some((pictures.len(), scores))
            })
            .collect()
    }

    /// Counts what is predicted for further pictures: those by which a candidate became one of the best are in its favour.
    pub(super) fn count(&mut self, further: &[(usize, ScoreError)]) {
        let Self { changed: Some(changed), overtaken: Some(overtaken), numbers: Some(numbers), .. } = self else {
            return;
        };
        for (pictures, scores) in further {
            let [before, more] =
                [self.counted, *pictures].map(|count| f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
            let mean = |a: f64, b: f64| (a * before + b * more) / (before + more);
            let root = |a: f64, b: f64| mean(a * a, b * b).sqrt();
            let of = scores.numbers;
            *changed = mean(*changed, scores.changed);
            *overtaken = mean(*overtaken, scores.overtaken);
            *numbers = NumberError {
                mean: mean(numbers.mean, of.mean),
                rms: root(numbers.rms, of.rms),
                spread: root(numbers.spread, of.spread),
                deviation: root(numbers.deviation, of.deviation),
                ..*numbers
            };
            self.counted += pictures;
        }
    }

    /// How far the share of overtaken classes may be from that of other pictures: its standard deviation if each class is overtaken
    /// or not.
    fn uncertainty(&self) -> f64 {
        let pictures = f64::from(u32::try_from(self.counted.max(1)).unwrap_or(u32::MAX));
        let share = self.overtaken.unwrap_or_default().max(1.0 / pictures);
        (share / pictures).sqrt()
    }

    /// What is to be least: first what is beyond the words that are allowed, then errors, then words.
    fn rank(&self, budget: Option<usize>) -> (usize, bool, u64, usize) {
        let error = self.error();
        (self.beyond(budget), error.is_none(), error.map_or(0, |error| steps(error, STEP)), self.words)
    }

    /// The words beyond those that are allowed.
    fn beyond(&self, budget: Option<usize>) -> usize {
        budget.map_or(0, |budget| self.words.saturating_sub(budget))
    }

    /// The share of overtaken classes, or else the error beside what numbers differ.
    pub(super) fn error(&self) -> Option<f64> {
        self.overtaken.or_else(|| self.share())
    }

    /// Whether few classes are expected to change, or numbers err by little beside what they differ; also if that is not known.
    pub(super) fn is_good(&self) -> bool {
        match self.overtaken {
            Some(overtaken) => overtaken <= EQUAL,
            None => self.share().is_none_or(|share| share <= SAME),
        }
    }

    /// Whether a longer search has changed what is expected of this candidate: fewer classes are overtaken, or its numbers err by
    /// less, than with each budget that was tried before. The share of classes alone is of too few pictures to tell that.
    pub(super) fn gains_on(&self, before: &[Self]) -> bool {
        let has_less = |error: fn(&Self) -> Option<f64>| {
            let known = before.iter().filter(|one| one.place == self.place).filter_map(error);
            let least = known.min_by(f64::total_cmp);
            error(self).zip(least).is_some_and(|(now, least)| now < GAIN * least)
        };
        has_less(|one| one.overtaken) || has_less(Self::share)
    }

    fn share(&self) -> Option<f64> {
        self.numbers.and_then(|numbers| numbers.share())
    }

    fn cells(&self) -> [String; 9] {
        [
            levels(self.levels),
            or_dash(self.depth),
            self.largest_sums.to_string(),
            self.nodes.to_string(),
            self.words.to_string(),
            or_dash(self.overtaken.map(percent)),
            or_dash(self.changed.map(percent)),
            or_dash(self.numbers.map(|numbers| format!("{:.2}", numbers.rms))),
            self.counted.to_string(),
        ]
    }

    /// A warning if that many classes are expected to change that the network is of little use on a chip.
    pub(super) fn warning(&self) -> Option<String> {
        self.changed.filter(|changed| *changed > BAD).map(|changed| {
            format!(
                "warning: if the largest number decides, a chip is expected to decide otherwise for {} of the pictures; `cain compile` tells which layers err most, \
                 and training with the errors of the chip helps most",
                percent(changed)
            )
        })
    }

    /// What is expected on a chip, in a line.
    pub(super) fn line(&self, what: &str) -> String {
        let Self { words, nodes, counted, .. } = self;
        let found = format!("{words} words that a search with `nodes = {nodes}` finds");
        let of = format!("for {counted} {what}, in {found}");
        let numbers = self
            .numbers
            .map(|NumberError { rms, deviation, .. }| format!("numbers that differ by {deviation:.2} err by {rms:.2}"));
        match (self.changed, numbers) {
            (Some(changed), Some(numbers)) => {
                format!(
                    "expected on a chip: another class than that of the model in {}, and {numbers}; {of}",
                    percent(changed)
                )
            }
            (_, Some(numbers)) => format!("expected on a chip: {numbers}; {of}"),
            _ => format!("the errors on a chip cannot be predicted; {found}"),
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "errors are not negative, and saturate")]
fn steps(error: f64, step: f64) -> u64 {
    (error / step).round() as u64
}

/// Sorts from the least errors to the largest, but for the first, which is the best: of those with the least share of changed
/// classes, the one whose numbers err by least; of these, the one with the fewest words.
pub(super) fn sort(judged: &mut [Judged], words: Option<usize>) {
    // Sorting is stable: of equals, the first candidate is taken.
    judged.sort_by_key(|judged| judged.rank(words));
    let Some(first) = judged.first() else { return };
    let (beyond, least) = (first.beyond(words), first.error().unwrap_or_default());
    let most = least + EQUAL.max(EQUAL_SHARE * least);
    let is_equal = |one: &&Judged| one.beyond(words) == beyond && one.error().is_some_and(|error| error <= most);
    let equals = judged.iter().take_while(is_equal).enumerate();
    let best = equals.min_by_key(|(_, one)| (one.share().map_or(0, |share| steps(share, SAME)), one.words));
    let best = best.map_or(0, |(place, _)| place);
    if let Some(until_best) = judged.get_mut(..=best) {
        until_best.rotate_right(1);
    }
}

/// How many of the best, sorted candidates may be better than the first for other pictures, at most `FINALISTS`.
pub(super) fn finalists(judged: &[Judged], words: Option<usize>) -> usize {
    let Some(first) = judged.first() else { return 0 };
    let may_be_better = |one: &&Judged| {
        let uncertainty = first.uncertainty() + one.uncertainty();
        let later = one.overtaken.zip(first.overtaken).map(|(one, first)| one - first);
        one.beyond(words) == first.beyond(words) && later.is_some_and(|later| later <= uncertainty)
    };
    1 + judged.iter().skip(1).take(FINALISTS - 1).take_while(may_be_better).count()
}

pub(super) fn levels((black, white): (f64, f64)) -> String {
    format!("{black}..{white}")
}

/// The lines of a table, the best candidate first.
pub(super) fn table(ranked: &[Judged]) -> Vec<String> {
    let rows: Vec<[String; 9]> = ranked.iter().map(Judged::cells).collect();
    let titles = ["levels", "depth", "sums", "nodes", "words", "rival", "changed", "error", "pictures"];
    let table = Table::new(&titles, rows.iter().map(|row| row[0].as_str()), 8);
    let mut text = Vec::new();
    // Nothing fails that is written to memory.
    let _ = table.head(&mut text);
    for row in &rows {
        let _ = table.row(&mut text, row);
    }
    String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use cain_isa::Fraction;
    use cain_network::{NumberError, ScoreError};

    use super::{Judged, finalists, sort};

    fn judged(place: usize, words: usize, changed: f64, rms: f64) -> Judged {
        let numbers = Some(NumberError { layer: 0, mean: 0.0, rms, spread: rms, deviation: 1.0 });
        Judged {
            place,
            nodes: 1,
            levels: (0.0, 60.0),
            depth: Some(3),
            largest_sums: Fraction::ONE,
            words,
            changed: Some(changed),
            overtaken: Some(changed),
            numbers,
            pictures: 96,
            counted: 96,
            compiled: None,
        }
    }

    #[test]
    fn further_pictures_decide_among_those_that_few_cannot_tell_apart() {
        let mut all = vec![judged(0, 1211, 0.003, 0.25), judged(1, 864, 0.02, 0.1), judged(2, 900, 0.2, 0.1)];
        // With a budget of words, only those within it.
        assert_eq!([finalists(&all, None), finalists(&all, Some(1000)), finalists(&[], None)], [2, 1, 0]);
        let numbers = NumberError { layer: 0, mean: 0.0, rms: 0.25, spread: 0.25, deviation: 1.0 };
        all[0].count(&[(96, ScoreError { numbers, lead: 1.0, changed: 0.05, overtaken: 0.04 }); 4]);
        sort(&mut all, None);
        assert_eq!(all.iter().map(|one| one.place).collect::<Vec<_>>(), [1, 0, 2]);
        assert_eq!((all[1].counted, all[1].overtaken.map(|share| (share * 1e4).round())), (480, Some(326.0)));
    }

    #[test]
    fn a_longer_search_gains_where_classes_or_numbers_do() {
        let before = [judged(0, 425, 0.020, 0.13), judged(1, 517, 0.012, 0.01), judged(0, 300, 0.020, 0.12)];
        let gains = |changed, rms| judged(0, 246, changed, rms).gains_on(&before);
        // Those of another candidate do not count.
        assert!(gains(0.018, 0.2) && gains(0.021, 0.106));
        assert!(!gains(0.0195, 0.115) && !gains(0.020, 0.12));
        assert!(!judged(2, 246, 0.001, 0.001).gains_on(&before));
    }

    #[test]
    fn numbers_decide_among_equal_shares_and_then_words() {
        let order = |words| {
            let mut all = vec![
                judged(0, 300, 0.30, 0.1),
                judged(1, 150, 0.014, 0.28),
                judged(2, 166, 0.017, 0.11),
                judged(3, 151, 0.019, 0.12),
                judged(4, 100, 0.026, 0.01),
            ];
            sort(&mut all, words);
            all.into_iter().map(|one| one.place).collect::<Vec<_>>()
        };
        // The fourth is as near as the third, and shorter; the fifth is more than a hundredth away.
        assert_eq!(order(None), [3, 1, 2, 4, 0]);
        assert_eq!(order(Some(150)), [1, 4, 3, 2, 0]);
        assert_eq!(order(Some(100)), [4, 1, 3, 2, 0]);
    }
}
