//! The layers of a network in the pixels: a convolution, maxima, and a dense layer.

use cain_search::in_pixel::InPixelError;

use super::super::super::entry::{Entry, Fields};
use super::super::super::notation::{Mark, Notation};
use super::super::super::table::check_name;
use super::super::values::whole_up_to;
use crate::errors::Errors;
use crate::names;
use crate::tree::At;

/// A layer, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Convolution,
    MaxPool,
    Dense,
}

impl Part {
    pub(super) const ALL: [Self; 3] = [Self::Convolution, Self::MaxPool, Self::Dense];

    /// Its operation, and the keys of that.
    const fn operation(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Convolution => ("convolution", &["name", "op", "size", "weights"]),
            Self::MaxPool => ("max_pool", &["name", "op", "size"]),
            Self::Dense => ("dense", &["name", "op", "classes", "weights"]),
        }
    }

    /// The one for this layer of those for each.
    pub(super) const fn of_each<T: Copy>(self, [convolution, max_pool, dense]: [T; Self::ALL.len()]) -> T {
        match self {
            Self::Convolution => convolution,
            Self::MaxPool => max_pool,
            Self::Dense => dense,
        }
    }

    /// The layer that an error is about.
    pub(super) const fn of(error: &InPixelError) -> Option<Self> {
        match error {
            InPixelError::FilterSize(_)
            | InPixelError::Filters { .. }
            | InPixelError::FilterWeights { .. }
            | InPixelError::NotBinary { .. }
            | InPixelError::Registers { .. }
            | InPixelError::Range { .. } => Some(Self::Convolution),
            InPixelError::Pool(_) => Some(Self::MaxPool),
            InPixelError::Classes { .. }
            | InPixelError::Features { .. }
            | InPixelError::Uneven { .. }
            | InPixelError::NotTernary { .. } => Some(Self::Dense),
            _ => None,
        }
    }
}

/// What the layers say but for their weights.
pub(super) struct Layers<'d> {
    /// Weights along each side of a filter.
    pub(super) taps: usize,
    pub(super) filters: Entry<'d>,
    pub(super) pool: usize,
    pub(super) classes: usize,
    pub(super) classes_at: Mark,
    pub(super) dense: Entry<'d>,
    /// The size of a filter, that of a window, and the dense layer.
    marks: [Mark; Part::ALL.len()],
}

impl<'d> Layers<'d> {
    /// The place of what is wrong with a layer but its weights.
    pub(super) const fn mark(&self, part: Part) -> Mark {
        part.of_each(self.marks)
    }

    pub(super) fn read(name: &At<&str, Mark>, fields: &Fields<'d>, errors: &mut Errors<Mark>) -> Option<Self> {
        let Some(entry) = fields.get("layer") else {
            let what = format_args!("network `{}` has no layers; add `[[in_pixel.{0}.layer]]`", name.value);
            errors.add(name.at, what);
            return None;
        };
        let layers = entry.array("layers, each as a table `[[in_pixel.NAME.layer]]`", errors)?;
        let mut found = layers.iter();
        let read = Part::ALL.map(|part| {
            let (op, _) = part.operation();
            let layer = found.next();
            if layer.is_none() {
                let missing = match entry.notation {
                    Notation::File => format!("`op = \"{op}\"`"),
                    Notation::Macro => format!("the operation `{op}`"),
                };
                entry.wrong(format_args!("there is no layer with {missing}; add it at the end"), errors);
            }
            keys(part, layer?, errors)
        });
        if let Some(more) = found.next() {
            more.wrong("more layers than a convolution, maxima and a dense layer; expected no other", errors);
        }
        let [Some(convolution), Some(max_pool), Some(dense)] = read else { return None };
        let (size, filters) = (convolution.required("size", "4", errors), convolution.weights(errors));
        let window = max_pool.required("size", "4", errors);
        let (count, weights) = (dense.required("classes", "10", errors), dense.weights(errors));
        let [taps, pool, classes] = [&size, &window, &count]
            .map(|entry| entry.as_ref().and_then(|entry| whole_up_to(entry, usize::MAX, errors)));
        let (size, window, count) = (size?, window?, count?);
        Some(Self {
            taps: taps?,
            filters: filters?,
            pool: pool?,
            classes: classes?,
            classes_at: count.at,
            dense: weights?,
            marks: [size.at, window.at, dense.at],
        })
    }
}

/// A layer of the right operation.
struct Keys<'d> {
    op: &'static str,
    at: Mark,
    fields: Fields<'d>,
}

impl<'d> Keys<'d> {
    fn required(&self, key: &str, example: &str, errors: &mut Errors<Mark>) -> Option<Entry<'d>> {
        let found = self.fields.get(key);
        if found.is_none() {
            errors.add(self.at, format_args!("`{}` has no `{key}`; add `{key} = {example}`", self.op));
        }
        found
    }

    fn weights(&self, errors: &mut Errors<Mark>) -> Option<Entry<'d>> {
        self.required("weights", "\"weights.txt\"", errors)
    }
}

fn keys<'d>(part: Part, layer: &Entry<'d>, errors: &mut Errors<Mark>) -> Option<Keys<'d>> {
    let any = layer.any_table("a table for a layer, `[[in_pixel.NAME.layer]]`", errors)?;
    let (op, known) = part.operation();
    match any.get("name") {
        Some(name) => {
            let name = name.text("a name in quotes", errors);
            if let Some(At { value, at }) = name {
                check_name("layer", &At { value: value.as_str(), at }, errors);
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
        let operations = Part::ALL.map(|part| part.operation().0);
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
    let fields = layer.table("a table", known, errors)?;
    Some(Keys { op, at: layer.at, fields })
}
