//! The pictures for which errors are predicted.

use std::borrow::Cow;

use cain_network::synthetic_pictures;

use crate::data::Labelled;

/// The most pictures of the data that are followed for every candidate, and how many at least, if the program is long.
const PICTURES: (usize, usize) = (96, 4);

/// The most values that are followed with more pictures than that: a pixel of a picture has one for each control word.
const MOST_VALUES: usize = 1 << 25;

/// The most pictures of the data that are followed for the best candidates, and how many times as many as for every candidate.
const FURTHER: (usize, usize) = (480, 6);

/// The most pictures of the data that the network keeps, for which builds predict its errors.
const KEPT: usize = 24;

/// Pictures for which errors are predicted, what they are called, and those of them that the network keeps.
pub(super) struct Pictures {
    all: Vec<Vec<u8>>,
    pub(super) what: &'static str,
    pub(super) kept: Vec<Vec<u8>>,
}

impl Pictures {
    /// Pictures from all parts of the data, or synthetic ones. Some are kept if `keeps`.
    pub(super) fn of(size: (usize, usize), data: Option<&Labelled>, keeps: bool) -> Self {
        let Some(data) = data else {
            return Self { all: synthetic_pictures(size), what: "synthetic pictures", kept: vec![] };
        };
        let pictures: Vec<&[u8]> = data.iter().map(|(picture, _)| picture).collect();
        let all: Vec<Vec<u8>> = spread(&pictures, FURTHER.0).map(|picture| picture.to_vec()).collect();
        let kept = if keeps { spread(&all, KEPT).cloned().collect() } else { vec![] };
        Self { all, what: "pictures of the data", kept }
    }

    /// Those for a program with so many words.
    pub(super) fn for_words(&self, words: usize) -> Cow<'_, [Vec<u8>]> {
        let pixels = self.all.first().map_or(0, Vec::len);
        let most =
            MOST_VALUES.checked_div(words.saturating_mul(pixels)).unwrap_or(MOST_VALUES).clamp(PICTURES.1, PICTURES.0);
        if self.all.len() <= most { Cow::Borrowed(&self.all) } else { spread(&self.all, most).cloned().collect() }
    }

    /// Others of them for such a program.
    pub(super) fn others(&self, words: usize) -> Vec<Vec<u8>> {
        let taken = self.for_words(words);
        let others = self.all.iter().filter(|picture| !taken.contains(picture)).collect::<Vec<_>>();
        spread(&others, FURTHER.1 * taken.len()).map(|picture| (*picture).clone()).collect()
    }
}

/// At most so many, from all parts.
fn spread<T>(all: &[T], most: usize) -> impl Iterator<Item = &T> {
    let count = all.len().min(most);
    (0..count).filter_map(move |number| all.get(number * all.len() / count))
}
