//! The picture that a model takes.

use cain_network::MOST_PIXELS;

use super::kind::Kind;
use super::model::Input;

/// The sizes of the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) height: usize,
    pub(crate) width: usize,
    /// The sizes of the input for one picture.
    pub(crate) dims: Vec<usize>,
}

impl Picture {
    /// The picture of an input: rows and columns of one channel, which may stand before or after them or be left out.
    pub(crate) fn of(input: &Input) -> Result<Self, String> {
        let side = |size: Option<i64>| size.and_then(|size| usize::try_from(size).ok());
        let sizes = input.sizes.as_slice();
        // The pictures of a batch are independent of each other.
        let ((height, width), before, after) = match *sizes {
            [_, Some(1), height, width] => ((height, width), 2, 0),
            [_, height, width, Some(1)] => ((height, width), 1, 1),
            [_, height, width] => ((height, width), 1, 0),
            _ => return Err(format!("the input has the sizes {}; {}", shown(sizes), expected(sizes))),
        };
        let (Some(height), Some(width)) = (side(height), side(width)) else {
            return Err(format!(
                "the input has the sizes {}, with rows and columns left open; export the model for pictures of a fixed size: \
                 only the first size, of the batch, may be open",
                shown(sizes)
            ));
        };
        if height > MOST_PIXELS || width > MOST_PIXELS {
            return Err(format!(
                "the input has the sizes {}: pictures of {height}×{width} pixels; the array has {MOST_PIXELS}×{MOST_PIXELS}: \
                 train with smaller pictures, as the loader of the data resizes or crops them",
                shown(sizes)
            ));
        }
        let dims = [&vec![1; before][..], &[height, width], &vec![1; after]].concat();
        Ok(Self { height, width, dims })
    }
}

fn shown(sizes: &[Option<i64>]) -> String {
    let sizes: Vec<String> = sizes.iter().map(|size| size.map_or("?".to_owned(), |size| size.to_string())).collect();
    format!("[{}]", sizes.join(", "))
}

/// What is expected instead of these sizes.
fn expected(sizes: &[Option<i64>]) -> String {
    let expected = "expected pictures of one channel, [?, 1, rows, columns]";
    match *sizes {
        [_, Some(3 | 4), ..] | [_, _, _, Some(3 | 4)] => format!(
            "{expected}: the array sees grey values; train with `transforms.Grayscale()`, or with one channel that stands for \
             the sum of the weights of all"
        ),
        [_, Some(_), _, _] => format!("{expected}: the array sees one picture, not several"),
        [_, Some(count)] => {
            format!(
                "{expected}: a list of {count} numbers has no rows and columns; let the model begin with the picture"
            )
        }
        _ => expected.to_owned(),
    }
}

/// The numbers of the model for black and white that follow from how it treats the picture: from its type, or from a
/// first factor and summand that map the numbers of bytes, or those from 0 to 1, to 0 and 1 or to -1 and 1.
pub(crate) fn own_range(kind: Kind, (scale, shift): (f64, f64)) -> Option<(f64, f64)> {
    let bytes = (0.0, 255.0);
    if kind == (Kind::Whole { bits: 8, signed: false }) {
        return Some(bytes);
    }
    let maps = |(black, white): (f64, f64), to: (f64, f64)| {
        let near = |number: f64, to: f64| (number * scale + shift - to).abs() < 1e-5;
        near(black, to.0) && near(white, to.1)
    };
    if maps(bytes, (0.0, 1.0)) || maps(bytes, (-1.0, 1.0)) {
        return Some(bytes);
    }
    maps((0.0, 1.0), (-1.0, 1.0)).then_some((0.0, 1.0))
}

/// Whether all greys between these numbers for black and white are whole, or both of them if there are no others.
fn are_whole((black, white): (f64, f64), is_binary: bool) -> bool {
    black.fract() == 0.0 && white.fract() == 0.0 && (is_binary || ((white - black) / 255.0).fract() == 0.0)
}

/// The least and the largest number of the picture, if all are whole: those of its type, or by what is given.
pub(crate) fn whole(kind: Kind, range: Option<(f64, f64)>, is_binary: bool) -> Option<(f64, f64)> {
    match range {
        Some((black, white)) => are_whole((black, white), is_binary).then(|| (black.min(white), black.max(white))),
        None => kind.bounds(),
    }
}

/// Refuses numbers for black and white between which there are greys that the type of the input does not have.
pub(crate) fn check_range(kind: Kind, (black, white): (f64, f64), is_binary: bool) -> Result<(), String> {
    let Some((least, most)) = kind.bounds() else { return Ok(()) };
    let has = |number: &f64| (least..=most).contains(number);
    if has(&black) && has(&white) && are_whole((black, white), is_binary) {
        return Ok(());
    }
    let whole = if kind == Kind::Bool {
        "add `--binarise GREY` with `--range 0..1`".to_owned()
    } else {
        let bytes = if most < 255.0 { format!("{least}..{}", least + 255.0) } else { "0..255".to_owned() };
        format!("give `--range {bytes}`, or whole numbers and `--binarise GREY`, or export the model for floats")
    };
    Err(format!("the input has the type {kind}, which does not have all greys between {black} and {white}; {whole}"))
}

/// The message for a model that does not tell its range.
pub(crate) fn no_range((scale, shift): (f64, f64)) -> String {
    let own = if (scale, shift) == (1.0, 0.0) {
        String::new()
    } else {
        format!("; it begins with {scale} times them plus {shift}, which may have been trained on 0 and 1")
    };
    format!(
        "the model does not tell its numbers for black and white{own}; add `--range LO..HI` with the numbers that it was \
         trained on: `0..1` after `ToTensor()`, `0..255` for bytes, or the levels themselves"
    )
}
