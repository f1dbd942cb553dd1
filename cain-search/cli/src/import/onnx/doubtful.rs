//! Tells when what a model makes of labelled pictures shows that it sees other numbers than those that it was trained on.

use cain_onnx::{Check, Compared};

use crate::share::{real, share};
use crate::threads;

/// The fewest pictures from which anything is concluded.
const FEWEST: usize = 20;

/// The most pictures that are shown with other numbers.
const SHOWN: usize = 200;

/// The share of pictures of one class that is nearly all.
const NEARLY_ALL: f64 = 0.95;

/// How much more of the pictures the model must recognise with other numbers.
const MORE: f64 = 0.1;

/// The numbers for black and white that models are often trained on: bytes, their shares of 255, these from -1 to 1, and
/// those of MNIST made to have mean 0 and deviation 1; all of them either way round.
const OFTEN: [(f64, f64); 4] = [(0.0, 1.0), (-1.0, 1.0), (0.0, 255.0), (-0.4242, 2.8215)];

/// A warning if the model finds nearly the same class in all pictures, or recognises no more than chance would, and one if
/// it recognises more with other numbers for black and white.
pub(super) fn warnings(
    check: &Check<'_>,
    range: (f64, f64),
    (pictures, labels): (&[&[u8]], &[usize]),
    compared: &[Compared],
) -> Vec<String> {
    let count = labels.len().min(compared.len());
    if count < FEWEST || labels.iter().all(|label| Some(label) == labels.first()) {
        return vec![];
    }
    let found: Vec<usize> = compared.iter().map(|one| one.class).collect();
    let shown = format!("`--range {}..{}`", range.0, range.1);
    let mut warnings = vec![];
    let (class, most) = most_frequent(&found);
    if share(most, count) >= NEARLY_ALL {
        warnings.push(format!(
            "warning: the model finds class {class} in {most} of {count} pictures; check {shown}, the numbers that it was \
             trained on for black and white"
        ));
    } else if recognised(&found, labels) <= by_chance(labels) {
        warnings.push(format!(
            "warning: the model recognises no more pictures than chance would; check {shown}, the numbers that it was trained \
             on for black and white, and the order of the classes of `--data`"
        ));
    }
    warnings.extend(better(check, range, (pictures, labels), &found).map(|(other, right, now, of)| {
        format!(
            "warning: with `--range {}..{}` the model would recognise {right} of {of} pictures instead of {now}; check {shown}",
            other.0, other.1
        )
    }));
    warnings
}

/// Other numbers for black and white with which the model recognises more of the first pictures: how many, how many it
/// recognises now, and of how many.
fn better(
    check: &Check<'_>,
    range: (f64, f64),
    (pictures, labels): (&[&[u8]], &[usize]),
    found: &[usize],
) -> Option<((f64, f64), usize, usize, usize)> {
    let pictures = pictures.get(..SHOWN).unwrap_or(pictures);
    let now = recognised(found.get(..pictures.len())?, labels);
    let is_other = |other: &(f64, f64)| (other.0 - range.0).abs() + (other.1 - range.1).abs() > 1e-9;
    let others = OFTEN.into_iter().flat_map(|(low, high)| [(low, high), (high, low)]).filter(is_other);
    let judged = others.filter_map(|other| {
        let classes: Result<Vec<usize>, String> =
            threads::try_map(pictures, |_, picture| check.class_with(picture, other));
        Some((other, recognised(&classes.ok()?, labels), now, pictures.len()))
    });
    // Of equals, the first.
    let best = judged.reduce(|best, other| if other.1 > best.1 { other } else { best })?;
    (share(best.1.saturating_sub(now), pictures.len()) >= MORE).then_some(best)
}

/// How many of the classes that were found are those of the labels.
pub(super) fn recognised(found: &[usize], labels: &[usize]) -> usize {
    found.iter().zip(labels).filter(|(found, label)| found == label).count()
}

/// The most pictures that a model recognises which does not look at them, but for a chance of one in forty: as many as have
/// the most frequent label, and twice the deviation.
fn by_chance(labels: &[usize]) -> usize {
    let (_, most) = most_frequent(labels);
    let expected = share(most, labels.len());
    let deviation = (expected * (1.0 - expected) / real(labels.len())).sqrt();
    (0..=labels.len()).take_while(|count| share(*count, labels.len()) <= expected + 2.0 * deviation).count() - 1
}

/// The most frequent of some classes, the first of equals, and how often it is there.
fn most_frequent(classes: &[usize]) -> (usize, usize) {
    let mut sorted = classes.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| a == b);
    let first = |best: (usize, usize), run: &[usize]| {
        if run.len() > best.1 { (run.first().copied().unwrap_or_default(), run.len()) } else { best }
    };
    runs.fold((0, 0), first)
}

#[cfg(test)]
mod tests {
    use super::{by_chance, most_frequent, recognised};

    #[test]
    fn chance_is_the_most_frequent_label() {
        let labels: Vec<usize> = (0..100).map(|number| number % 10).collect();
        // 10 of 100, with a deviation of 3.
        assert_eq!(by_chance(&labels), 16);
        assert_eq!(by_chance(&[0, 0, 0, 1]), 4);
        assert_eq!(most_frequent(&[3, 1, 3, 1, 2]), (1, 2));
        assert_eq!(recognised(&[0, 1, 2], &[0, 2, 2]), 2);
    }
}
