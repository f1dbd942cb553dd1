//! The layers of a network in the pixels: a convolution, maxima, perhaps a second convolution, and a dense layer.

use cain_in_pixel::{InPixelError, Scores};

use crate::errors::Errors;
use crate::kinds::layered::check_layer_name;
use crate::kinds::values::whole_up_to;
use crate::names;
use crate::notation::Notation;
use crate::tree::{At, Place};
use crate::value::{Entry, Fields};

/// A layer, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Convolution,
    MaxPool,
    Second,
    Dense,
}

impl Part {
    pub(crate) const ALL: [Self; 4] = [Self::Convolution, Self::MaxPool, Self::Second, Self::Dense];
    /// Without a second convolution.
    const TWO_LAYERS: [Self; 3] = [Self::Convolution, Self::MaxPool, Self::Dense];

    /// Its operation.
    const fn operation(self) -> &'static str {
        match self {
            Self::Convolution | Self::Second => "convolution",
            Self::MaxPool => "max_pool",
            Self::Dense => "dense",
        }
    }

    /// Its keys, in a network with a second convolution or without one.
    const fn keys(self, has_second: bool) -> &'static [&'static str] {
        match self {
            Self::Convolution if has_second => &["name", "op", "size", "filters", "thresholds", "weights"],
            Self::Convolution => &["name", "op", "size", "weights"],
            Self::Second => &["name", "op", "size", "thresholds", "weights"],
            Self::MaxPool => &["name", "op", "size"],
            Self::Dense if has_second => &["name", "op", "classes", "sum", "weights"],
            Self::Dense => &["name", "op", "classes", "weights"],
        }
    }

    /// The one for this layer of those for each.
    pub(super) const fn of_each<T: Copy>(self, [convolution, max_pool, second, dense]: [T; Self::ALL.len()]) -> T {
        match self {
            Self::Convolution => convolution,
            Self::MaxPool => max_pool,
            Self::Second => second,
            Self::Dense => dense,
        }
    }

    /// A convolution, of which 0 is the first.
    const fn of_convolution(number: usize) -> Self {
        if number == 0 { Self::Convolution } else { Self::Second }
    }

    /// The layer that an error is about.
    pub(crate) const fn of(error: &InPixelError) -> Option<Self> {
        match error {
            InPixelError::FilterSize(_)
            | InPixelError::Filters { .. }
            | InPixelError::FilterWeights { .. }
            | InPixelError::NotBinary { .. }
            | InPixelError::Registers { .. }
            | InPixelError::Range { .. }
            | InPixelError::Group(_) => Some(Self::Convolution),
            InPixelError::SecondFilters { .. } => Some(Self::Second),
            InPixelError::Taps { convolution, .. }
            | InPixelError::Weights { convolution, .. }
            | InPixelError::NotOne { convolution, .. }
            | InPixelError::Thresholds { convolution, .. }
            | InPixelError::Threshold { convolution, .. } => Some(Self::of_convolution(*convolution)),
            InPixelError::Pool(_) => Some(Self::MaxPool),
            InPixelError::Classes { .. }
            | InPixelError::Features { .. }
            | InPixelError::Uneven { .. }
            | InPixelError::NotTernary { .. }
            | InPixelError::Count { .. } => Some(Self::Dense),
            _ => None,
        }
    }
}

/// What the layers say but for their weights.
pub(super) struct Layers<'d, S> {
    /// Weights along each side of a filter.
    pub(super) taps: usize,
    pub(super) filters: Entry<'d, S>,
    pub(super) pool: usize,
    pub(super) second: Option<SecondLayer<'d, S>>,
    pub(super) classes: usize,
    pub(super) classes_at: S,
    pub(super) dense: Entry<'d, S>,
    /// The size of a filter, that of a window, that of a filter of the second convolution, and the dense layer.
    marks: [S; Part::ALL.len()],
}

/// What the layers of a network with a second convolution say of it.
pub(super) struct SecondLayer<'d, S> {
    /// Filters of the first one.
    pub(super) before: usize,
    before_at: S,
    pub(super) taps: usize,
    pub(super) filters: Entry<'d, S>,
    /// Of both.
    pub(super) thresholds: [Vec<u8>; 2],
    /// Of the dense layer.
    pub(super) scores: Scores,
    thresholds_at: [S; 2],
}

impl<'d, S: Place> Layers<'d, S> {
    /// The place of what is wrong with a layer but its weights.
    pub(super) const fn mark(&self, part: Part) -> S {
        part.of_each(self.marks)
    }

    /// The place of an error about a layer but its weights.
    pub(super) fn mark_of(&self, error: &InPixelError) -> Option<S> {
        match (error, &self.second) {
            (InPixelError::Group(_), Some(second)) => Some(second.before_at),
            (InPixelError::Thresholds { convolution, .. }, Some(second)) => {
                second.thresholds_at.get(*convolution).copied()
            }
            _ => Some(self.mark(Part::of(error)?)),
        }
    }

    pub(super) fn read(name: &At<&str, S>, fields: &Fields<'d, S>, errors: &mut Errors<S>) -> Option<Self> {
        let Some(entry) = fields.get("layer") else {
            let example = "filters = convolution { size = 4, weights = \"weights.txt\" };";
            let add = S::NOTATION.layers("in_pixel", name.value, example);
            errors.add(name.at, format_args!("network `{}` has no layers; add `{add}`", name.value));
            return None;
        };
        let layers = entry.array("layers, each as a table `[[in_pixel.NAME.layer]]`", errors)?;
        let has_second = has_second(fields);
        let parts: &[Part] = if has_second { &Part::ALL } else { &Part::TWO_LAYERS };
        let mut found = layers.iter();
        let mut are_in_order = true;
        let mut read = parts.iter().map(|&part| {
            let Some(layer) = found.next() else {
                let op = part.operation();
                let missing = match S::NOTATION {
                    Notation::File => format!("`op = \"{op}\"`"),
                    Notation::Macro => format!("the operation `{op}`"),
                };
                // Of layers in another order, none may be missing.
                if are_in_order {
                    entry.wrong(format_args!("there is no layer with {missing}; add it at the end"), errors);
                }
                return None;
            };
            let keys = keys(part, has_second, layer, errors);
            are_in_order &= keys.is_some();
            keys
        });
        let (convolution, max_pool) = (read.next().flatten(), read.next().flatten());
        let second = if has_second { Some(read.next().flatten()) } else { None };
        let dense = read.next().flatten();
        drop(read);
        if let Some(more) = found.next() {
            more.wrong("more layers than a convolution, maxima and a dense layer; expected no other", errors);
        }
        let (convolution, max_pool, dense) = (convolution?, max_pool?, dense?);
        let (size, filters) = (convolution.required("size", "4", errors), convolution.weights(errors));
        let window = max_pool.required("size", "4", errors);
        let (count, weights) = (dense.required("classes", "10", errors), dense.weights(errors));
        let [taps, pool, classes] = [&size, &window, &count]
            .map(|entry| entry.as_ref().and_then(|entry| whole_up_to(entry, usize::MAX, errors)));
        let (size, window, count) = (size?, window?, count?);
        let (second, second_at) = match second {
            Some(second) => {
                let (second, at) = SecondLayer::read(&convolution, &second?, &dense, errors)?;
                (Some(second), at)
            }
            None => (None, size.at),
        };
        Some(Self {
            taps: taps?,
            filters: filters?,
            pool: pool?,
            second,
            classes: classes?,
            classes_at: count.at,
            dense: weights?,
            marks: [size.at, window.at, second_at, dense.at],
        })
    }
}

impl<'d, S: Place> SecondLayer<'d, S> {
    /// What both convolutions and the dense layer say of it, and where its size is.
    fn read(
        first: &Keys<'d, S>,
        second: &Keys<'d, S>,
        dense: &Keys<'d, S>,
        errors: &mut Errors<S>,
    ) -> Option<(Self, S)> {
        let scores = dense.fields.get("sum").map_or(Some(Scores::default()), |entry| scores(&entry, errors));
        let before = first.required("filters", "16", errors);
        let size = second.required("size", "4", errors);
        let thresholds = [first, second].map(|layer| layer.required("thresholds", "[4, 10, 16]", errors));
        let filters = second.weights(errors);
        let [count, taps] =
            [&before, &size].map(|entry| entry.as_ref().and_then(|entry| whole_up_to(entry, usize::MAX, errors)));
        let [at, next_at] = thresholds.each_ref().map(|entry| entry.as_ref().map(|entry| entry.at));
        let [own, next] = thresholds.map(|entry| entry.and_then(|entry| numbers(&entry, errors)));
        let at_size = size?.at;
        let second = Self {
            before: count?,
            before_at: before?.at,
            taps: taps?,
            filters: filters?,
            thresholds: [own?, next?],
            thresholds_at: [at?, next_at?],
            scores: scores?,
        };
        Some((second, at_size))
    }
}

/// Whether the third layer says that it is a convolution. What is wrong with it is not told here.
pub(super) fn has_second<S: Place>(fields: &Fields<'_, S>) -> bool {
    let mut unheard = Errors::default();
    let Some(layers) = fields.get("layer").and_then(|layers| layers.array("layers", &mut unheard)) else {
        return false;
    };
    let Some(table) = layers.get(2).and_then(|layer| layer.any_table("a table", &mut unheard)) else {
        return false;
    };
    let op = table.get("op").and_then(|op| op.text("a name", &mut unheard));
    op.is_some_and(|op| op.value == Part::Second.operation())
}

/// How scores are added up.
fn scores<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Scores> {
    const NAMES: [&str; 2] = ["analogue", "exact"];
    let found = entry.text("`\"analogue\"` or `\"exact\"`", errors)?;
    match found.value.as_str() {
        "analogue" => Some(Scores::Analogue),
        "exact" => Some(Scores::Exact),
        other => {
            errors.add(found.at, names::unknown("sum", other, &NAMES));
            None
        }
    }
}

/// A list of small whole numbers.
fn numbers<S: Place>(entry: &Entry<'_, S>, errors: &mut Errors<S>) -> Option<Vec<u8>> {
    let list = entry.array("whole numbers that increase, such as `[4, 10, 16]`", errors)?;
    list.iter().map(|number| whole_up_to(number, u8::MAX, errors)).collect()
}

/// A layer of the right operation.
struct Keys<'d, S> {
    op: &'static str,
    at: S,
    fields: Fields<'d, S>,
}

impl<'d, S: Place> Keys<'d, S> {
    fn required(&self, key: &str, example: &str, errors: &mut Errors<S>) -> Option<Entry<'d, S>> {
        let found = self.fields.get(key);
        if found.is_none() {
            errors.add(self.at, format_args!("`{}` has no `{key}`; add `{key} = {example}`", self.op));
        }
        found
    }

    fn weights(&self, errors: &mut Errors<S>) -> Option<Entry<'d, S>> {
        self.required("weights", "\"weights.txt\"", errors)
    }
}

fn keys<'d, S: Place>(
    part: Part,
    has_second: bool,
    layer: &Entry<'d, S>,
    errors: &mut Errors<S>,
) -> Option<Keys<'d, S>> {
    let any = layer.any_table("a table for a layer, `[[in_pixel.NAME.layer]]`", errors)?;
    let op = part.operation();
    match any.get("name") {
        Some(name) => {
            let name = name.text("a name in quotes", errors);
            if let Some(name) = name {
                check_layer_name(&name, errors);
            }
        }
        None => layer.wrong("the layer has no name; add `name = \"NAME\"`", errors),
    }
    let Some(found) = any.get("op") else {
        layer.wrong(format_args!("`op` is missing; add `op = \"{op}\"`"), errors);
        return None;
    };
    let found = found.text("the name of an operation in quotes", errors)?;
    if found.value != op {
        let operations = Part::TWO_LAYERS.map(Part::operation);
        let message = if operations.contains(&found.value.as_str()) {
            let order = names::list(operations, "and");
            format!(
                "found `{}` where `{op}` is expected; in the pixels a network has {order}, in this order",
                found.value
            )
        } else {
            names::unknown("operation", &found.value, &operations)
        };
        errors.add(found.at, message);
        return None;
    }
    let fields = layer.table("a table", part.keys(has_second), errors)?;
    Some(Keys { op, at: layer.at, fields })
}
