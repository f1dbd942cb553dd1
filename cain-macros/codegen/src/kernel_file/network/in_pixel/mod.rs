//! Networks in the pixels: `[in_pixel.NAME]`.

mod input;
mod layers;
#[cfg(test)]
mod tests;
mod weights;
mod write;

use std::path::Path;

use cain_isa::{Dreg, Machine, Reg};
use cain_network::in_pixel::{CompileError, Declaration, InPixelError, Second};
use cain_search::Interruption;

use super::super::document::Document;
use super::super::entry::Entry;
use super::super::load::{Cause, LoadError, read_text};
use super::super::notation::Mark;
use super::super::{Diagnostic, Position, machine, problems, table};
use super::beside::{self, Beside};
use crate::diagnostic::Positions;
use crate::errors::Errors;
use crate::interruptible;
use crate::lower::machine::Described;
use crate::tree::At;
use input::{Input, input};
use layers::{Layers, Part};
use weights::{Texts, Weights};

pub use write::write_in_pixel;

const KEYS: [&str; 4] = ["input", "layer", "doc", "interruptible"];
const INPUT_KEYS: [&str; 6] = ["size", "scale", "bits", "binarise", "block", "array"];
/// More than any network has in its first convolution if there is a second one.
const MOST_FILTERS: usize = 64;
/// PEs along each side of SCAMP-5.
const SIDE: usize = 256;
const EXAMPLE: &str = "`input = { size = 28, block = 32 }`";

/// A network in the pixels of a kernel file, checked.
#[derive(Clone, Debug)]
pub struct DeclaredInPixel {
    /// The name of the network.
    pub name: String,
    /// The network.
    pub network: Declaration,
    /// The least greys, from 0 to 255, of the pixels from 1 on; none if a pixel is the one that is nearest to a grey.
    pub binarise: Vec<u8>,
    /// The documentation in the file.
    pub doc: Option<String>,
    /// The files with weights, as the kernel file names them: relative to its folder.
    pub weight_files: Vec<String>,
    /// The place of the name.
    place: Position,
    /// The places of the layers, in the order of [`Part::ALL`].
    layers: [Position; Part::ALL.len()],
    /// The place of what is said about interruptions.
    interruptible: Option<Position>,
}

impl DeclaredInPixel {
    /// The pixel that the network sees of a grey.
    #[must_use]
    pub fn pixel(&self, grey: u8) -> u8 {
        if self.binarise.is_empty() {
            return self.network.pixels.nearest(grey);
        }
        self.binarise.iter().map(|least| u8::from(grey >= *least)).sum()
    }

    /// A message about the network as a whole.
    #[must_use]
    pub fn diagnostic(&self, message: &str) -> Diagnostic {
        Diagnostic { place: self.place, message: format!("network `{}`: {message}", self.name) }
    }

    /// Why there is no program, at the layer that it is about.
    #[must_use]
    pub fn failed(&self, error: &CompileError) -> Diagnostic {
        if let (CompileError::Interruption(error), Some(place)) = (error, self.interruptible) {
            let message = interruptible::steps_failure(&self.name, error, None, &self.network.machine);
            return Diagnostic { place, message };
        }
        let part = match error {
            CompileError::Network(error) => Part::of(error),
            _ => None,
        };
        let place = part.map_or(self.place, |part| part.of_each(self.layers));
        Diagnostic { place, ..self.diagnostic(&error.to_string()) }
    }

    /// The same at other places.
    #[cfg(feature = "blocks")]
    pub(crate) fn placed(mut self, place: impl Fn(Position) -> Position) -> Self {
        self.place = place(self.place);
        self.layers = self.layers.map(&place);
        self.interruptible = self.interruptible.map(place);
        self
    }
}

/// Reads the networks in the pixels of the kernel file at a path, which may have none, and the files with weights beside it.
pub fn load_in_pixel(path: &Path) -> Result<Vec<DeclaredInPixel>, LoadError> {
    let text = read_text(path).map_err(|cause| LoadError::new(path, cause))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let networks = parse_in_pixel(&text, &mut |file| beside::read(&folder.join(file)));
    networks.map_err(|problems| LoadError::new(path, Cause::Problems(problems)))
}

/// Reads the networks in the pixels of a kernel file, or all mistakes, in the order of the file. Nothing else in the file is
/// checked.
///
/// `read` returns the bytes of a file with weights, or why it cannot be read.
pub fn parse_in_pixel(
    text: &str,
    read: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Vec<DeclaredInPixel>, Vec<Diagnostic>> {
    let mut errors = Errors::default();
    let document = Document::parse(text, &mut errors);
    let networks = document.map(|document| {
        let machine = document.machine().map_or(Described::SCAMP5, |entry| machine(&entry, &mut errors));
        networks(text, &document, machine, &mut Beside::new(read), &mut errors)
    });
    if errors.is_empty() { Ok(networks.unwrap_or_default()) } else { Err(problems(text, errors)) }
}

/// The networks of a document that are right.
pub(crate) fn networks(
    text: &str,
    document: &Document<'_>,
    machine: Described,
    beside: &mut Beside<'_>,
    errors: &mut Errors<Mark>,
) -> Vec<DeclaredInPixel> {
    let Some(entry) = document.in_pixel() else { return Vec::new() };
    let tables = entry.any_table(&format!("tables of networks, `[in_pixel.NAME]` with {EXAMPLE}"), errors);
    let tables = tables.map(|tables| tables.in_order()).unwrap_or_default();
    let mut positions = Positions::new(text);
    let networks = tables.iter().filter_map(|(name, entry)| {
        let mut mistakes = Errors::default();
        let read = network(name, entry, machine.machine, beside, &mut mistakes);
        let is_right = mistakes.is_empty();
        errors.append(mistakes);
        let Read { network, binarise, doc, layers, interruptible } = read.filter(|_| is_right)?;
        Some(DeclaredInPixel {
            name: name.value.to_owned(),
            network,
            binarise,
            doc,
            weight_files: beside.take_names(),
            place: positions.of(name.at.0),
            layers: layers.map(|mark| positions.of(mark.0)),
            interruptible: interruptible.map(|mark| positions.of(mark.0)),
        })
    });
    networks.collect()
}

/// What a table says.
struct Read {
    network: Declaration,
    binarise: Vec<u8>,
    doc: Option<String>,
    layers: [Mark; Part::ALL.len()],
    interruptible: Option<Mark>,
}

fn network(
    name: &At<&str, Mark>,
    entry: &Entry<'_>,
    machine: Machine,
    beside: &mut Beside<'_>,
    errors: &mut Errors<Mark>,
) -> Option<Read> {
    table::check_name("network", name, errors);
    let fields = entry.table(&format!("a table for a network, `[in_pixel.{}]`", name.value), &KEYS, errors)?;
    let doc = fields.get("doc").and_then(|doc| doc.text("a text", errors)).map(|doc| doc.value);
    let interruptible = fields.get("interruptible").and_then(|entry| table::interruptible(&entry, errors));
    let interruption = interruptible.as_ref().and_then(|wanted| interruptible::of_network(wanted, &machine, errors));
    let layers = Layers::read(name, &fields, errors);
    let has_second = layers::has_second(&fields);
    if let Some(problem) = too_small(&machine, has_second) {
        errors.add(name.at, format_args!("network `{}`: {problem}", name.value));
    }
    let (input, layers) = input(name, &fields, has_second, errors).zip(layers)?;
    let (network, marks) = shape(name, &input, &layers, (machine, interruption), errors)?;
    let network = with_weights(network, &layers, marks, beside, errors)?;
    let interruptible = interruptible.and_then(|wanted| wanted.place());
    let layers = Part::ALL.map(|part| layers.mark(part));
    Some(Read { network, binarise: input.binarise, doc, layers, interruptible })
}

/// A network without weights, and how many rows of them there have to be: for the filters, those of a second convolution, and
/// the dense layer.
fn shape(
    name: &At<&str, Mark>,
    input: &Input,
    layers: &Layers<'_>,
    (machine, interruption): (Machine, Option<Interruption>),
    errors: &mut Errors<Mark>,
) -> Option<(Declaration, [usize; 3])> {
    let second = layers.second.as_ref().map(|second| Second {
        taps: second.taps,
        filters: Vec::new(),
        thresholds: second.thresholds.clone(),
        scores: second.scores,
    });
    let before = layers.second.as_ref().map_or(0, |second| second.before);
    if before > MOST_FILTERS {
        let error = InPixelError::Group(before);
        errors.add(layers.mark_of(&error).unwrap_or(name.at), error);
        return None;
    }
    let network = Declaration {
        side: input.array,
        block: input.block.unwrap_or(input.array),
        picture: input.size,
        scale: input.scale,
        pixels: input.pixels,
        taps: layers.taps,
        filters: vec![Vec::new(); before],
        pool: layers.pool,
        second,
        dense: Vec::new(),
        machine,
        interruption,
    };
    // Without a shape that is possible there is no telling how many weights there should be.
    let rows = match network.check() {
        Err(InPixelError::SecondFilters { before, after, .. }) => {
            let places = network.side / (network.scale * network.pool);
            [before, before * after, after * places * places]
        }
        Ok(()) | Err(InPixelError::Filters { .. }) => {
            let blocks = network.blocks() * network.blocks();
            [blocks, 0, blocks * network.cells() * network.cells()]
        }
        Err(error) => {
            let mark = input.marks.of(&error).or_else(|| layers.mark_of(&error));
            errors.add(mark.unwrap_or(name.at), error);
            return None;
        }
    };
    let most = if network.second.is_some() { before } else { network.pool * network.pool };
    if !(1..=most).contains(&layers.classes) {
        errors.add(layers.classes_at, InPixelError::Classes { found: layers.classes, most });
        return None;
    }
    Some((network, rows))
}

/// The network with its weights, which are checked.
fn with_weights(
    mut network: Declaration,
    layers: &Layers<'_>,
    [filters, next, dense]: [usize; 3],
    beside: &mut Beside<'_>,
    errors: &mut Errors<Mark>,
) -> Option<Declaration> {
    let mut texts = Texts::default();
    let filters = Weights::read(&layers.filters, filters, &mut texts, beside, errors);
    let second = match &layers.second {
        Some(second) => Some(Weights::read(&second.filters, next, &mut texts, beside, errors)?),
        None => None,
    };
    let dense = Weights::read(&layers.dense, dense, &mut texts, beside, errors);
    let (filters, dense) = filters.zip(dense)?;
    texts.check_ends(errors);
    network.filters.clone_from(&filters.rows);
    if let (Some(second), Some(weights)) = (&mut network.second, &second) {
        second.filters.clone_from(&weights.rows);
    }
    network.dense.clone_from(&dense.rows);
    if let Err(error) = network.check() {
        let part = Part::of(&error);
        let weights = match part {
            Some(Part::Convolution) => &filters,
            Some(Part::Second) => second.as_ref().unwrap_or(&filters),
            _ => &dense,
        };
        match weight_of(&error, &network) {
            Some((row, place)) => weights.wrong(row, place, &error, errors),
            None => weights.wrong_as_a_whole(&error, errors),
        }
    } else if network.classes() != layers.classes {
        let (found, wanted) = (network.classes(), layers.classes);
        let what = if network.second.is_some() { "result" } else { "maximum" };
        let message = format!("the dense layer has {found} weights for each {what}; expected {wanted}, its `classes`");
        dense.wrong(0, None, message, errors);
    }
    Some(network)
}

/// Why there cannot be such a network on that machine.
fn too_small(machine: &Machine, has_second: bool) -> Option<String> {
    let used = [Reg::A, Reg::B, Reg::C, Reg::D, Reg::E, Reg::F];
    let used = if has_second { &used[..] } else { &used[..5] };
    if let Some(missing) = used.iter().find(|reg| !machine.registers.contains(**reg)) {
        let (last, with) = if has_second { ("F", " with a second convolution") } else { ("E", "") };
        let needs = format!("a network in the pixels{with} needs `A` to `{last}`");
        return Some(format!("the machine has no register {missing}; {needs}"));
    }
    let (found, wanted) = (usize::from(machine.bits), Dreg::COUNT);
    (found < wanted).then(|| {
        format!("the machine has {found} digital registers; a network in the pixels needs {wanted}, `R0` to `R12`")
    })
}

/// The row of weights and the place within it that an error is about.
const fn weight_of(error: &InPixelError, network: &Declaration) -> Option<(usize, Option<usize>)> {
    match *error {
        InPixelError::NotBinary { filter, row, column, .. } => Some((filter, Some(row * network.taps + column))),
        InPixelError::NotOne { convolution, filter, row, column, .. } => {
            let taps = match (convolution, &network.second) {
                (1, Some(second)) => second.taps,
                _ => network.taps,
            };
            Some((filter, Some(row * taps + column)))
        }
        InPixelError::FilterWeights { filter, .. } | InPixelError::Weights { filter, .. } => Some((filter, None)),
        InPixelError::NotTernary { feature, class, .. } => Some((feature, Some(class))),
        InPixelError::Uneven { feature, .. } => Some((feature, None)),
        _ => None,
    }
}
