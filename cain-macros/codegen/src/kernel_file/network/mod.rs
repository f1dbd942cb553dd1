//! Networks: `[network.NAME]` and its layers.

pub(super) mod automaton;
mod beside;
pub(super) mod in_pixel;
mod layer;
mod logic;
mod npy;
mod operation;
#[cfg(test)]
mod tests;
mod values;
mod write;

use std::path::Path;

use cain_network::{CompileError, Image, Network, NetworkError, Problem};

use super::document::Document;
use super::entry::{Entry, Fields};
use super::load::{Cause, LoadError, read_text};
use super::notation::{Mark, Notation};
use super::{Contents, Diagnostic, Position, machine, problems, table};
use crate::diagnostic::Positions;
use crate::errors::Errors;
use crate::interruptible;
use crate::lower;
use crate::lower::machine::Described;
use crate::tree::At;
pub(super) use beside::Beside;
use layer::Layers;
use values::{levels, pair, whole_up_to};

pub use automaton::{DeclaredAutomaton, load_automata, parse_automata};
pub use beside::MAX_WEIGHT_BYTES;
pub use in_pixel::{DeclaredInPixel, load_in_pixel, parse_in_pixel, write_in_pixel};
pub use write::{WrittenNetwork, write_network};

const KEYS: [&str; 5] = ["input", "layer", "doc", "search", "interruptible"];
const INPUT_KEYS: [&str; 4] = ["size", "levels", "range", "binarise"];

/// A network of a kernel file, checked.
#[derive(Clone, Debug)]
pub struct DeclaredNetwork {
    /// The network.
    pub network: Network,
    /// The documentation in the file.
    pub doc: Option<String>,
    /// The files with weights, as the kernel file names them: relative to its folder.
    pub weight_files: Vec<String>,
    /// The place of the name.
    place: Position,
    /// The places of the layers.
    layers: Vec<Position>,
    /// The place of what is said about interruptions.
    interruptible: Option<Position>,
}

impl DeclaredNetwork {
    /// The name of the network.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.network.name
    }

    /// The same at other places.
    #[cfg(feature = "blocks")]
    pub(crate) fn placed(mut self, place: impl Fn(Position) -> Position) -> Self {
        self.place = place(self.place);
        self.interruptible = self.interruptible.map(&place);
        self.layers.iter_mut().for_each(|layer| *layer = place(*layer));
        self
    }

    /// Why the network cannot be compiled.
    #[must_use]
    pub fn uncompiled(&self, error: &CompileError) -> Diagnostic {
        match (interruptible::network_failure(error, &self.network), self.interruptible) {
            (Some(message), Some(place)) => Diagnostic { place, message },
            _ => self.diagnostic(error.layer, &error.obstacle.to_string()),
        }
    }

    /// A message about a layer, or about the network as a whole.
    #[must_use]
    pub fn diagnostic(&self, layer: Option<usize>, message: &str) -> Diagnostic {
        let layer = layer.and_then(|layer| Some((self.layers.get(layer)?, self.network.layers.get(layer)?)));
        match layer {
            Some((&place, layer)) => {
                Diagnostic { place, message: format!("layer `{}` of network `{}`: {message}", layer.name, self.name()) }
            }
            None => Diagnostic { place: self.place, message: format!("network `{}`: {message}", self.name()) },
        }
    }
}

/// Reads the networks of a kernel file, or all mistakes, in the order of the file. Its filters are not checked.
///
/// `read` returns the bytes of a file with weights, or why it cannot be read.
pub fn parse_networks(
    text: &str,
    read: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Vec<DeclaredNetwork>, Vec<Diagnostic>> {
    let mut errors = Errors::default();
    let document = Document::parse(text, &mut errors);
    let networks = document.map(|document| {
        let machine = document.machine().map_or(Described::SCAMP5, |entry| machine(&entry, &mut errors));
        if document.networks().is_none() {
            errors.add(Mark::default(), format_args!("the file has no network; add {EXAMPLE}"));
        }
        networks(text, &document, machine, &mut Beside::new(read), &mut errors)
    });
    if errors.is_empty() { Ok(networks.unwrap_or_default()) } else { Err(problems(text, errors)) }
}

/// Reads the networks of the kernel file at a path, and the files with weights beside it.
pub fn load_networks(path: &Path) -> Result<Vec<DeclaredNetwork>, LoadError> {
    let text = read_text(path).map_err(|cause| LoadError::new(path, cause))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let networks = parse_networks(&text, &mut beside_in(folder));
    networks.map_err(|problems| LoadError::new(path, Cause::Problems(problems)))
}

/// Reads the networks and automata of a table that was made of other text, for a machine that is described there, and files
/// with weights in that folder.
pub(crate) fn contents_of_table(text: &str, machine: Described, folder: &Path) -> Result<Contents, Vec<Diagnostic>> {
    let mut errors = Errors::default();
    let mut contents = Contents::default();
    if let Some(document) = Document::written_in(Notation::Macro, text, &mut errors) {
        let mut read = beside_in(folder);
        contents.add_networks(text, &document, machine, &mut Beside::new(&mut read), &mut errors);
    }
    if errors.is_empty() { Ok(contents) } else { Err(problems(text, errors)) }
}

/// Reads files with weights in a folder.
pub(super) fn beside_in(folder: &Path) -> impl FnMut(&str) -> Result<Vec<u8>, String> {
    move |file| beside::read(&folder.join(file))
}

const EXAMPLE: &str = "`[network.NAME]` with `input = { size = [28, 28], levels = \"-60..60\" }`";

/// The networks of a document that are right.
pub(super) fn networks(
    text: &str,
    document: &Document<'_>,
    machine: Described,
    beside: &mut Beside<'_>,
    errors: &mut Errors<Mark>,
) -> Vec<DeclaredNetwork> {
    let Some(entry) = document.networks() else { return Vec::new() };
    let tables = entry.any_table(&format!("tables of networks, {EXAMPLE}"), errors);
    let mut positions = Positions::new(text);
    let tables = tables.map(|tables| tables.in_order()).unwrap_or_default();
    let networks = tables.iter().filter_map(|(name, entry)| {
        let mut mistakes = Errors::default();
        let read = network(name, entry, machine, beside, &mut mistakes);
        let is_right = mistakes.is_empty();
        errors.append(mistakes);
        let Read { network, doc, layers, interruptible } = read.filter(|_| is_right)?;
        Some(DeclaredNetwork {
            network,
            doc,
            weight_files: beside.take_names(),
            place: positions.of(name.at.0),
            layers: layers.iter().map(|mark| positions.of(mark.0)).collect(),
            interruptible: interruptible.map(|mark| positions.of(mark.0)),
        })
    });
    networks.collect()
}

/// A network that was read.
struct Read {
    network: Network,
    doc: Option<String>,
    /// The places of its layers.
    layers: Vec<Mark>,
    /// The place of what is said about interruptions.
    interruptible: Option<Mark>,
}

fn network(
    name: &At<&str, Mark>,
    entry: &Entry<'_>,
    machine: Described,
    beside: &mut Beside<'_>,
    errors: &mut Errors<Mark>,
) -> Option<Read> {
    table::check_name("network", name, errors);
    let fields = entry.table(&format!("a table for a network, `[network.{}]`", name.value), &KEYS, errors)?;
    let input = image(name, &fields, errors);
    let search = fields.get("search").map(|entry| table::search(&entry, errors)).unwrap_or_default();
    let options = lower::options::search(&search, &machine.machine, errors);
    let interruptible = fields.get("interruptible").and_then(|entry| table::interruptible(&entry, errors));
    let interruption =
        interruptible.as_ref().and_then(|wanted| interruptible::of_network(wanted, &machine.machine, errors));
    let doc = fields.get("doc").and_then(|doc| doc.text("a text", errors)).map(|doc| doc.value);
    let Some(layers) = fields.get("layer") else {
        let what = format!("network `{}` has no layers; add `[[network.{0}.layer]]`", name.value);
        errors.add(name.at, what);
        return None;
    };
    let mut read = Layers::new(Network {
        name: name.value.to_owned(),
        // Any picture, so that the layers can be read.
        input: input.unwrap_or(UNREADABLE),
        layers: Vec::new(),
        machine: machine.machine,
        options,
        interruption,
    });
    read.read(&layers, beside, errors);
    let (network, marks) = read.finish();
    // Whether the layers fit depends on the image.
    input?;
    let is_readable = errors.is_empty();
    for error in network.check().1 {
        // A layer that could not be read may be what is missing.
        if matches!(error.problem, Problem::NoLayer | Problem::Unread(_)) && !is_readable {
            continue;
        }
        errors.add(place_of(&error, name, &fields, &marks), error);
    }
    let layers = marks.into_iter().map(|layer| layer.at).collect();
    let interruptible = interruptible.and_then(|wanted| wanted.place());
    Some(Read { network, doc, layers, interruptible })
}

const UNREADABLE: Image = Image { height: 1, width: 1, levels: (0.0, 1.0), range: (0.0, 1.0), binarise: None };

/// Where to report that a network is wrong.
fn place_of(error: &NetworkError, name: &At<&str, Mark>, fields: &Fields<'_>, layers: &[layer::Marks]) -> Mark {
    match error.layer {
        Some(layer) => layers.get(layer).map_or(name.at, |marks| marks.place_of(&error.problem)),
        None if error.problem == Problem::NoLayer => name.at,
        None => fields.get("input").map_or(name.at, |input| input.at),
    }
}

/// Reads `input`.
fn image(name: &At<&str, Mark>, fields: &Fields<'_>, errors: &mut Errors<Mark>) -> Option<Image> {
    const EXAMPLE: &str = "{ size = [28, 28], levels = \"-60..60\" }";
    let Some(input) = fields.get("input") else {
        let example = "`input = { size = [28, 28], levels = \"-60..60\" }`";
        errors.add(name.at, format_args!("network `{}` has no input; add {example}", name.value));
        return None;
    };
    let before = errors.len();
    let fields = input.table(&input.notation.table(EXAMPLE), &INPUT_KEYS, errors)?;
    let mut required = |key: &str, example: &str| {
        let found = fields.get(key);
        if found.is_none() {
            input.wrong(format_args!("`{key}` is missing; add `{key} = {example}`"), errors);
        }
        found
    };
    let (size, shown) = (required("size", "[28, 28]"), required("levels", "\"-60..60\""));
    let size = size.and_then(|size| pair(&size, errors));
    let shown = shown.and_then(|shown| levels(&shown, errors));
    let range = fields.get("range").and_then(|range| levels(&range, errors));
    let binarise = fields.get("binarise").and_then(|least| whole_up_to(&least, u8::MAX, errors));
    let ((height, width), levels) = size.zip(shown)?;
    let image = Image { height, width, levels, range: range.unwrap_or(levels), binarise };
    (errors.len() == before).then_some(image)
}
