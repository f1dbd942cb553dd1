//! The tables of layers.

use std::collections::BTreeMap;

use cain_network::{Layer, MOST_LAYERS, Network, Problem, Source};

use super::operation::{self, OPERATIONS};
use super::sources::Sources;
use crate::errors::Errors;
use crate::kinds::beside::Beside;
use crate::kinds::layered::check_layer_name;
use crate::names;
use crate::tree::{At, Place};
use crate::value::{Entry, Fields, What};

/// What every layer has.
const KEYS: [&str; 3] = ["name", "op", "from"];
/// How layers name the picture.
const IMAGE: &str = "image";

/// The places of a layer and of its keys.
pub(crate) struct Marks<S> {
    pub(crate) at: S,
    keys: BTreeMap<String, S>,
}

impl<S: Place> Marks<S> {
    /// Where to report a problem: at the key that it is about, if there is one.
    pub(crate) fn place_of(&self, problem: &Problem) -> S {
        let key = match problem {
            Problem::NameTwice | Problem::Unread(_) => "name",
            Problem::Sources { .. }
            | Problem::NotEarlier
            | Problem::Kind { .. }
            | Problem::NoBits(_)
            | Problem::NotExact(_)
            | Problem::Different { .. } => "from",
            Problem::Count { what, .. }
            | Problem::Zero { what }
            | Problem::TooFar { what, .. }
            | Problem::Ragged { what }
            | Problem::NotFinite { what, .. } => key_of(what),
            Problem::TooLarge { .. } if self.keys.contains_key("kernels") => "kernels",
            Problem::TooLarge { .. } => "size",
            Problem::OnlyPadding => "padding",
            Problem::Beyond { .. } => "windows",
            Problem::EmptyRange { .. } => "low",
            Problem::Halvings(_) => "slope",
            Problem::Bits(_) => "bits",
            Problem::Capacity(_) => "capacity",
            Problem::Digital { .. } if self.keys.contains_key("expressions") => "expressions",
            Problem::Kernels | Problem::Digital { .. } => "kernels",
            _ => "op",
        };
        self.keys.get(key).copied().unwrap_or(self.at)
    }
}

/// The key that holds what a problem is about.
fn key_of(what: &str) -> &'static str {
    match what {
        "input channels of a kernel" | "kernel" => "kernels",
        "numbers of the bias" | "bias" => "bias",
        "weights for each output" | "weights" | "weight" => "weights",
        "thresholds" | "threshold" => "at",
        "factors" => "scale",
        "summands" | "summand" => "shift",
        "number of a bit" => "values",
        "size" => "size",
        "stride" => "stride",
        "dilation" => "dilation",
        "padding" => "padding",
        "size of a window" | "number of windows" => "windows",
        "number of expressions" => "expressions",
        _ => "op",
    }
}

/// The layers of a network while they are read.
pub(crate) struct Layers<S> {
    network: Network,
    /// Of the layers in `network`.
    marks: Vec<Marks<S>>,
    /// All layers by name; `None` for those that could not be read.
    known: Vec<(String, Option<Source>)>,
}

impl<S: Place> Layers<S> {
    pub(crate) fn new(network: Network) -> Self {
        Self { network, marks: Vec::new(), known: vec![(IMAGE.to_owned(), Some(Source::Image))] }
    }

    pub(crate) fn read(&mut self, entry: &Entry<'_, S>, beside: &mut Beside<'_>, errors: &mut Errors<S>) {
        let layers = entry.array("layers, each as a table `[[network.NAME.layer]]`", errors).unwrap_or_default();
        if layers.len() > MOST_LAYERS {
            entry.wrong(format_args!("{} layers; a network has at most {MOST_LAYERS}", layers.len()), errors);
            return;
        }
        let names: Vec<Option<&str>> = layers.iter().map(name_of).collect();
        for (i, entry) in layers.iter().enumerate() {
            let later = names.get(i..).unwrap_or_default();
            let layer = self.layer(entry, later, beside, errors);
            let source = layer.map(|(layer, marks)| {
                self.network.layers.push(layer);
                self.marks.push(marks);
                Source::Layer(self.network.layers.len() - 1)
            });
            self.known.push((names.get(i).copied().flatten().unwrap_or_default().to_owned(), source));
        }
    }

    /// The network and the places of its layers.
    pub(crate) fn finish(self) -> (Network, Vec<Marks<S>>) {
        (self.network, self.marks)
    }

    /// Reads a layer; `None` if that is not possible. `later` are the names of this and later layers.
    fn layer(
        &self,
        entry: &Entry<'_, S>,
        later: &[Option<&str>],
        beside: &mut Beside<'_>,
        errors: &mut Errors<S>,
    ) -> Option<(Layer, Marks<S>)> {
        let before = errors.len();
        let any = entry.any_table("a table for a layer, `[[network.NAME.layer]]`", errors)?;
        let name = name(entry, &any, errors);
        let Some(op) = any.get("op") else {
            entry.wrong(format_args!("`op` is missing; expected {}", names::list(operation_names(), "or")), errors);
            return None;
        };
        let op = op.text("the name of an operation in quotes", errors)?;
        let Some(&(_, keys)) = OPERATIONS.iter().find(|(name, _)| *name == op.value) else {
            let known: Vec<&str> = operation_names().collect();
            errors.add(op.at, names::unknown("operation", &op.value, &known));
            return None;
        };
        let known: Vec<&str> = KEYS.iter().chain(keys).copied().collect();
        let fields = entry.table("a table", &known, errors)?;
        let from = match fields.get("from") {
            Some(from) => self.sources(&from, later, errors),
            None => self.known.last().map(|(_, source)| vec![*source]),
        };
        // What a layer reads may be unreadable, but then its own mistakes are still found.
        let from: Option<Vec<Source>> = from.and_then(|from| from.into_iter().collect());
        let read = operation::read(
            &op.value,
            entry,
            &fields,
            &Sources { network: &self.network, from: from.as_deref() },
            beside,
            errors,
        );
        if errors.len() > before {
            return None;
        }
        let marks = any.in_order().into_iter().map(|(key, entry)| (key.value.to_owned(), entry.at)).collect();
        let layer = Layer { name: name?, from: from?, operation: read? };
        Some((layer, Marks { at: entry.at, keys: marks }))
    }

    /// The layers that one reads: a name, or an array of names. Of those that could not be read there is `None`.
    fn sources(
        &self,
        entry: &Entry<'_, S>,
        later: &[Option<&str>],
        errors: &mut Errors<S>,
    ) -> Option<Vec<Option<Source>>> {
        const EXPECTED: &str = "the name of an earlier layer, or an array of names";
        let Some(texts) = entry.elements() else {
            return Some(vec![self.source(&entry.text(EXPECTED, errors)?, later, errors)]);
        };
        let texts: Vec<_> = texts.iter().map(|entry| entry.text(EXPECTED, errors)).collect();
        texts.into_iter().map(|text| Some(self.source(&text?, later, errors))).collect()
    }

    fn source(&self, name: &At<String, S>, later: &[Option<&str>], errors: &mut Errors<S>) -> Option<Source> {
        if let Some((_, source)) = self.known.iter().find(|(known, _)| *known == name.value) {
            return *source;
        }
        if later.contains(&Some(&name.value)) {
            let message = format!("layer `{}` does not come before this one; change the order", name.value);
            errors.add(name.at, message);
        } else {
            let known: Vec<&str> = self.known.iter().map(|(known, _)| known.as_str()).collect();
            errors.add(name.at, names::unknown("layer", &name.value, &known));
        }
        None
    }
}

fn operation_names() -> impl Iterator<Item = &'static str> {
    OPERATIONS.iter().map(|(name, _)| *name)
}

/// The name of a layer, without messages.
fn name_of<'d, S: Place>(entry: &Entry<'d, S>) -> Option<&'d str> {
    match entry.what {
        What::Map(map) => map.get("name")?.what.as_text(),
        _ => None,
    }
}

fn name<S: Place>(layer: &Entry<'_, S>, fields: &Fields<'_, S>, errors: &mut Errors<S>) -> Option<String> {
    let Some(name) = fields.get("name") else {
        layer.wrong("the layer has no name; add `name = \"NAME\"`", errors);
        return None;
    };
    let name = name.text("a name in quotes", errors)?;
    check_layer_name(&name, errors);
    if name.value == IMAGE {
        errors.add(name.at, "`image` is the name of the network's picture; choose another one");
    }
    Some(name.value)
}
