//! Lowers read-outs of maps by the controller and the dense layers behind them.

use std::collections::{BTreeMap, BTreeSet};

use cain_network::{Operation, Reach, Source, Window};

use super::forms::{Element, Form, Forms};
use super::{Lower, View};
use crate::draft::{Draft, Size, Work, read};
use crate::numbers::check_numbers;

impl Lower<'_> {
    /// The sums of a part of maps: over rows, columns, both, or neither.
    pub(super) fn sums(&mut self, view: &View, (over_rows, over_columns): (bool, bool)) -> Result<Forms, String> {
        let &View { source, channels: (first, channels), window, .. } = view;
        let (rows, height) = if over_rows { (1, window.height) } else { (window.height, 1) };
        let (columns, width) = if over_columns { (1, window.width) } else { (window.width, 1) };
        check_numbers(channels * rows * columns)?;
        let (maps_layer, pooled) = self.read(source, height * width == 1);
        let mut forms = Vec::new();
        for channel in 0..channels {
            let (factor, summand) = view.factor(channel);
            for row in 0..rows {
                for column in 0..columns {
                    let part = Window { top: window.top + row, left: window.left + column, height, width };
                    let (part, pixels) = pooled.map_or((part, 1.0), |pooled| pooled.window(part.top, part.left));
                    #[expect(clippy::cast_precision_loss, reason = "at most the pixels of the array")]
                    let summand = summand * (height * width) as f64;
                    let form = Form::of(Element::sum(maps_layer, first + channel, part));
                    forms.push(form.affine(factor / pixels, summand));
                }
            }
        }
        Ok(Forms { dims: vec![1, channels, rows, columns], forms })
    }

    /// The maps to read out for values of maps. For means that only the controller reads, these are the maps that the
    /// means are taken of.
    fn read(&mut self, source: Source, are_single: bool) -> (usize, Option<Pooled>) {
        let layer = self.on_array(source);
        let mean = match self.drafts.get(layer) {
            Some(Draft {
                from,
                work: Work::Ready(Operation::MeanPool { size, stride, dilation: (1, 1), padding, count_padding }),
                ..
            }) if are_single => from.first().map(|from| {
                let reach = Reach { size: *size, stride: *stride, dilation: (1, 1), padding: *padding };
                (*from, reach, *count_padding)
            }),
            _ => None,
        };
        let Some((from, reach, count_padding)) = mean else { return (layer, None) };
        let layer = self.on_array(from);
        let (_, height, width) = self.drafts.get(layer).and_then(|draft| draft.size).unwrap_or((0, 0, 0));
        (layer, Some(Pooled { reach, count_padding, maps: (height, width) }))
    }

    /// A layer with these maps. Only layers can be read out, so the picture is passed on by one.
    fn on_array(&mut self, source: Source) -> usize {
        match (source, self.passed_on) {
            (Source::Layer(layer), _) | (Source::Image, Some(layer)) => layer,
            (Source::Image, None) => {
                let same = Work::Affine { scale: vec![1.0], shift: vec![0.0] };
                let layer = self.push("picture", vec![Source::Image], same, Some(self.picture));
                self.passed_on = Some(layer);
                layer
            }
        }
    }

    /// The layer on the controller that makes the numbers of these forms.
    pub(super) fn numbers(&mut self, forms: &Forms, name: &str) -> Result<usize, String> {
        let Columns { source, count, places } = self.columns(forms, name)?;
        let is_identity = count == forms.forms.len()
            && forms.forms.iter().enumerate().all(|(i, form)| {
                form.constant == 0.0
                    && form.terms.len() == 1
                    && form.terms.iter().all(|(element, weight)| {
                        places.get(element).is_some_and(|found| found.column == i && found.pixels * weight == 1.0)
                    })
            });
        if is_identity {
            return Ok(source);
        }
        let identity = |i: usize| forms.forms.get(i).into_iter().map(|form| (form, 1.0)).collect::<Vec<_>>();
        let rows: Vec<_> = (0..forms.forms.len()).map(identity).collect();
        self.dense(name, source, count, &places, &rows, &vec![0.0; rows.len()])
    }

    /// Adds a dense layer: for each output a bias and weighted forms.
    pub(super) fn weighted(
        &mut self,
        forms: &Forms,
        weights: &[Vec<f64>],
        bias: &[f64],
        name: &str,
    ) -> Result<usize, String> {
        let Columns { source, count, places } = self.columns(forms, name)?;
        let rows: Vec<Vec<(&Form, f64)>> =
            weights.iter().map(|row| forms.forms.iter().zip(row.iter().copied()).collect()).collect();
        self.dense(name, source, count, &places, &rows, bias)
    }

    fn dense(
        &mut self,
        name: &str,
        source: usize,
        columns: usize,
        places: &BTreeMap<Element, Found>,
        rows: &[Vec<(&Form, f64)>],
        bias: &[f64],
    ) -> Result<usize, String> {
        self.hold_weights(columns.saturating_mul(rows.len()))?;
        let mut matrix = vec![vec![0.0; columns]; rows.len()];
        let mut shifts = bias.to_vec();
        for ((row, shift), sum) in matrix.iter_mut().zip(&mut shifts).zip(rows) {
            for (form, factor) in sum {
                *shift += form.constant * factor;
                for (element, weight) in &form.terms {
                    if let Some(found) = places.get(element)
                        && let Some(cell) = row.get_mut(found.column)
                    {
                        *cell += weight * factor * found.pixels;
                    }
                }
            }
        }
        // A dense layer absorbs the factors and summands of its outputs.
        if let Some(Draft { work: Work::Dense { weights, bias }, from, .. }) = self.drafts.get(source)
            && matrix.iter().all(|row| row.iter().filter(|weight| **weight != 0.0).count() <= 1)
        {
            let from = from.clone();
            let of = |row: &Vec<f64>| {
                row.iter()
                    .position(|weight| *weight != 0.0)
                    .map(|place| (place, row.get(place).copied().unwrap_or(0.0)))
            };
            let mut composed = (Vec::new(), Vec::new());
            for (row, shift) in matrix.iter().zip(&shifts) {
                let (place, factor) = of(row).unwrap_or((0, 0.0));
                let own = weights.get(place).map_or(&[][..], Vec::as_slice);
                composed.0.push(own.iter().map(|weight| weight * factor).collect());
                composed.1.push(bias.get(place).copied().unwrap_or(0.0) * factor + shift);
            }
            return Ok(self.push(name, from, Work::Dense { weights: composed.0, bias: composed.1 }, None));
        }
        Ok(self.push(name, vec![Source::Layer(source)], Work::Dense { weights: matrix, bias: shifts }, None))
    }

    /// A layer that makes all numbers that the forms refer to.
    fn columns(&mut self, forms: &Forms, name: &str) -> Result<Columns, String> {
        let elements: BTreeSet<Element> = forms.forms.iter().flat_map(|form| form.terms.keys().copied()).collect();
        let mut windows: BTreeMap<usize, BTreeSet<Place>> = BTreeMap::new();
        let mut layers: BTreeSet<usize> = BTreeSet::new();
        for element in &elements {
            match *element {
                Element::Sum { maps, rows: (top, height), columns: (left, width), .. } => {
                    windows.entry(maps).or_default().insert((top, left, height, width));
                }
                Element::Number { layer, .. } => {
                    layers.insert(layer);
                }
            }
        }
        // Each part is a layer and the number of its values.
        let mut parts: Vec<(usize, usize)> = Vec::new();
        let mut places = BTreeMap::new();
        let mut total = 0;
        for (maps, windows) in windows {
            let size = self.drafts.get(maps).and_then(|draft| draft.size).ok_or("reads out what are no maps")?;
            let listed: Vec<Window> =
                windows.iter().map(|&(top, left, height, width)| Window { top, left, height, width }).collect();
            let mean = self.have_means(maps, size, &listed);
            let layer = self.read_out(maps, size, &listed, mean, name);
            check_numbers(size.0.saturating_mul(listed.len()))?;
            for channel in 0..size.0 {
                for (place, window) in listed.iter().enumerate() {
                    let column = total + channel * listed.len() + place;
                    #[expect(clippy::cast_precision_loss, reason = "at most the pixels of the array")]
                    let pixels = if mean { window.area() as f64 } else { 1.0 };
                    places.insert(Element::sum(maps, channel, *window), Found { column, pixels });
                }
            }
            parts.push((layer, size.0 * listed.len()));
            total += size.0 * listed.len();
        }
        for layer in layers {
            let count = self.count_of(layer);
            for index in 0..count {
                places.insert(Element::Number { layer, index }, Found { column: total + index, pixels: 1.0 });
            }
            parts.push((layer, count));
            total += count;
        }
        match parts.as_slice() {
            [] => Err("the numbers do not depend on the picture".to_owned()),
            [(only, count)] => Ok(Columns { source: *only, count: *count, places }),
            several => {
                let from = several.iter().map(|(layer, _)| Source::Layer(*layer)).collect();
                let source = self.push(&format!("{name}_join"), from, Work::Ready(Operation::Join), None);
                Ok(Columns { source, count: total, places })
            }
        }
    }

    /// Whether the controller gets the means of these windows at once: 8×8 blocks of analogue maps that fill the array.
    fn have_means(&self, maps: usize, (_, height, width): Size, windows: &[Window]) -> bool {
        let draft = self.drafts.get(maps);
        let are_bits = draft.is_some_and(|draft| matches!(draft.work, Work::Ready(Operation::Threshold { .. })));
        !are_bits && (height, width) == (256, 256) && windows == Window::tiles((height, width), (32, 32))
    }

    /// The layer that reads out windows of maps: sums, or means.
    fn read_out(&mut self, maps: usize, size: Size, windows: &[Window], mean: bool, name: &str) -> usize {
        let known = self.read_outs.iter().find(|(of, listed, _)| *of == maps && listed == windows);
        if let Some((_, _, layer)) = known {
            return *layer;
        }
        let is_plane = windows.len() == size.1 * size.2 && windows.iter().all(|window| window.area() == 1);
        let op = if is_plane { Operation::Plane } else { Operation::Windows { windows: windows.to_vec(), mean } };
        let layer = self.push(&format!("{name}_read"), vec![Source::Layer(maps)], Work::Ready(op), None);
        self.read_outs.push((maps, windows.to_vec(), layer));
        layer
    }

    /// The number of values that a layer on the controller makes.
    fn count_of(&self, layer: usize) -> usize {
        let Some(draft) = self.drafts.get(layer) else { return 0 };
        let layers = read(draft);
        let (channels, height, width) =
            read(draft).next().and_then(|maps| self.drafts.get(maps)?.size).unwrap_or((0, 0, 0));
        match &draft.work {
            Work::Dense { weights, .. } => weights.len(),
            Work::Ready(Operation::Argmax) => 1,
            Work::Ready(Operation::Windows { windows, .. }) => channels * windows.len(),
            Work::Ready(Operation::Plane) => channels * height * width,
            // The layer makes as many values as it reads.
            _ => layers.map(|layer| self.count_of(layer)).sum(),
        }
    }
}

/// The first row and column of a window, and its numbers of rows and columns.
type Place = (usize, usize, usize, usize);

/// A layer, and where each number is in it.
struct Columns {
    source: usize,
    count: usize,
    places: BTreeMap<Element, Found>,
}

/// The place of a number. If a mean stands there for a sum, `pixels` counts the pixels of the mean; otherwise it is 1.
#[derive(Clone, Copy)]
struct Found {
    column: usize,
    pixels: f64,
}

/// The pooling that made maps of means out of other maps.
#[derive(Clone, Copy)]
struct Pooled {
    reach: Reach,
    count_padding: bool,
    /// The rows and columns of the original maps.
    maps: (usize, usize),
}

impl Pooled {
    /// The window of the original maps that a value is the mean of, and the divisor of its sum.
    #[expect(clippy::cast_precision_loss, reason = "at most the pixels of the array")]
    fn window(&self, row: usize, column: usize) -> (Window, f64) {
        let Self { reach: Reach { size, stride, padding, .. }, count_padding, maps } = *self;
        let along = |place: usize, stride: usize, size: usize, before: usize, length: usize| {
            let (first, end) = (place * stride, place * stride + size);
            let first_inside = first.saturating_sub(before);
            (first_inside, end.saturating_sub(before).min(length).saturating_sub(first_inside))
        };
        let (top, height) = along(row, stride.0, size.0, padding.top, maps.0);
        let (left, width) = along(column, stride.1, size.1, padding.left, maps.1);
        let window = Window { top, left, height, width };
        (window, if count_padding { size.0 * size.1 } else { window.area() } as f64)
    }
}
