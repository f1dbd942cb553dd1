//! The pictures of a trace: values in floating point, on the ideal array, on the array with errors, and the error.

use cain_runtime::pictures::{Palette, Picture};

/// The least number of pixels along a side of a map in a picture, if enlarging leads there.
const SIDE: usize = 56;
/// The largest factor of enlargement.
const MOST: usize = 8;

/// A channel of a layer: its values in floating point, on the ideal array, on the array with errors, and the error.
pub(super) struct Row {
    pub(super) name: String,
    /// The scale of the first three pictures, and of the last one.
    pub(super) scale: Option<String>,
    pub(super) pictures: Vec<Picture>,
}

impl Row {
    /// The picture that the network sees.
    pub(super) fn of_image(pixels: &[u8], width: usize) -> Self {
        let grey = |column: usize, row: usize| [pixels.get(row * width + column).copied().unwrap_or_default(); 3];
        let picture = Picture::from_fn(width, pixels.len() / width.max(1), grey);
        Self { name: "image".to_owned(), scale: None, pictures: vec![enlarged(&picture)] }
    }

    /// A map or a list, of which one row has `width` values. They are shown in DN if `per_dn` is the number that one
    /// DN stands for, and `zero` that for 0 DN; otherwise in percent of the largest.
    pub(super) fn of_values(name: String, all: [&[f64]; 3], width: usize, unit: Option<(f64, f64)>) -> Self {
        let largest = all.iter().copied().flatten().fold(1e-12_f64, |most, value| most.max(value.abs()));
        let (scale, zero) = unit.unwrap_or((largest / 100.0, 0.0));
        #[expect(clippy::cast_possible_truncation, reason = "for a picture")]
        let shown =
            |values: &[f64]| -> Vec<f32> { values.iter().map(|value| ((value - zero) / scale) as f32).collect() };
        let [float, ideal, measured] = all.map(shown);
        let errors: Vec<f32> = measured.iter().zip(&float).map(|(found, wanted)| found - wanted).collect();
        let together: Vec<f32> = float.iter().chain(&ideal).chain(&measured).copied().collect();
        let (palette, of_errors) = (Palette::signed(&together), Palette::signed(&errors));
        let what = if unit.is_some() { "" } else { ", in % of the largest" };
        let scale = format!("{palette}, error {of_errors}{what}");
        let scale = if unit.is_some() { scale } else { scale.replace(" DN", "") };
        let picture = |values: &[f32], palette| enlarged(&Picture::of_values(values, width, palette));
        let pictures = vec![
            picture(&float, palette),
            picture(&ideal, palette),
            picture(&measured, palette),
            picture(&errors, of_errors),
        ];
        Self { name, scale: Some(scale), pictures }
    }
}

fn enlarged(picture: &Picture) -> Picture {
    picture.enlarged((SIDE / picture.width().max(1)).clamp(1, MOST))
}

/// A contact sheet: a row for each channel, with four pictures for each picture that was traced.
pub(super) fn sheet(sections: &[&[Row]]) -> Picture {
    let rows = sections.iter().map(|rows| rows.len()).max().unwrap_or(0);
    let mut pictures = Vec::new();
    for row in 0..rows {
        for section in sections {
            let own = section.get(row).map(|row| row.pictures.as_slice()).unwrap_or_default();
            pictures
                .extend((0..4).map(|place| own.get(place).cloned().unwrap_or_else(|| Picture::filled(1, 1, [0; 3]))));
        }
    }
    Picture::sheet(&pictures, 4 * sections.len())
}
