//! Networks in the pixels: `[in_pixel.NAME]`.

mod layers;
#[cfg(test)]
mod tests;
mod weights;
mod write;

use std::path::Path;

use cain_isa::{Dreg, Machine, Reg};
use cain_search::in_pixel::{CompileError, Declaration, InPixelError};

use super::super::document::Document;
use super::super::entry::{Entry, Fields};
use super::super::load::{Cause, LoadError, read_text};
use super::super::notation::Mark;
use super::super::{Diagnostic, Position, machine, problems, table};
use super::beside::{self, Beside};
use super::values::whole_up_to;
use crate::diagnostic::Positions;
use crate::errors::Errors;
use crate::interruptible;
use crate::lower::machine::Described;
use crate::tree::At;
use layers::{Layers, Part};
use weights::{Texts, Weights};

pub use write::write_in_pixel;

const KEYS: [&str; 4] = ["input", "layer", "doc", "interruptible"];
const INPUT_KEYS: [&str; 6] = ["size", "scale", "bits", "binarise", "block", "array"];
/// PEs along each side of SCAMP-5.
const SIDE: usize = 256;
/// Pixels of at least half the grey are ink, unless a file says something else.
const HALF: u8 = 128;
const EXAMPLE: &str = "`input = { size = 28, block = 32 }`";

/// A network in the pixels of a kernel file, checked.
#[derive(Clone, Debug)]
pub struct DeclaredInPixel {
    /// The name of the network.
    pub name: String,
    /// The network.
    pub network: Declaration,
    /// The least grey, from 0 to 255, of a pixel that is ink, if pixels have one bit.
    pub binarise: u8,
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
        if self.network.pixel_bits == 1 { u8::from(grey >= self.binarise) } else { self.network.pixel(grey) }
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
    binarise: u8,
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
    let input = input(name, &fields, errors);
    let layers = Layers::read(name, &fields, errors);
    if let Some(problem) = too_small(&machine) {
        errors.add(name.at, format_args!("network `{}`: {problem}", name.value));
    }
    let (Input { size, scale, bits, binarise, block, array, marks }, layers) = input.zip(layers)?;
    let mut network = Declaration {
        side: array,
        block,
        picture: size,
        scale,
        pixel_bits: bits,
        taps: layers.taps,
        filters: Vec::new(),
        pool: layers.pool,
        dense: Vec::new(),
        machine,
        interruption,
    };
    // Without a shape that is possible there is no telling how many weights there should be.
    match network.check() {
        Ok(()) | Err(InPixelError::Filters { .. }) => {}
        Err(error) => {
            let mark = marks.of(&error).or_else(|| Some(layers.mark(Part::of(&error)?)));
            errors.add(mark.unwrap_or(name.at), error);
            return None;
        }
    }
    let most = network.pool * network.pool;
    if !(1..=most).contains(&layers.classes) {
        errors.add(layers.classes_at, InPixelError::Classes { found: layers.classes, most });
        return None;
    }
    let blocks = network.blocks() * network.blocks();
    let mut texts = Texts::default();
    let filters = Weights::read(&layers.filters, blocks, &mut texts, beside, errors);
    let maxima = blocks * network.cells() * network.cells();
    let dense = Weights::read(&layers.dense, maxima, &mut texts, beside, errors);
    let (filters, dense) = filters.zip(dense)?;
    texts.check_ends(errors);
    network.filters.clone_from(&filters.rows);
    network.dense.clone_from(&dense.rows);
    if let Err(error) = network.check() {
        match weight_of(&error, network.taps) {
            Some((Part::Convolution, row, place)) => filters.wrong(row, place, &error, errors),
            Some((_, row, place)) => dense.wrong(row, place, &error, errors),
            None => {
                let weights = if Part::of(&error) == Some(Part::Convolution) { &filters } else { &dense };
                weights.wrong_as_a_whole(&error, errors);
            }
        }
    } else if network.classes() != layers.classes {
        let (found, wanted) = (network.classes(), layers.classes);
        let message =
            format_args!("the dense layer has {found} weights for each maximum; expected {wanted}, its `classes`");
        dense.wrong(0, None, message, errors);
    }
    let interruptible = interruptible.and_then(|wanted| wanted.place());
    Some(Read { network, binarise, doc, layers: Part::ALL.map(|part| layers.mark(part)), interruptible })
}

/// Why there cannot be such a network on that machine.
fn too_small(machine: &Machine) -> Option<String> {
    let used = [Reg::A, Reg::B, Reg::C, Reg::D, Reg::E];
    if let Some(missing) = used.into_iter().find(|reg| !machine.registers.contains(*reg)) {
        return Some(format!("the machine has no register {missing}; a network in the pixels needs `A` to `E`"));
    }
    let (found, wanted) = (usize::from(machine.bits), Dreg::COUNT);
    (found < wanted).then(|| {
        format!("the machine has {found} digital registers; a network in the pixels needs {wanted}, `R0` to `R12`")
    })
}

/// The layer, the row of its weights and the place within that an error is about.
fn weight_of(error: &InPixelError, taps: usize) -> Option<(Part, usize, Option<usize>)> {
    match *error {
        InPixelError::NotBinary { filter, row, column, .. } => {
            Some((Part::Convolution, filter, Some(row * taps + column)))
        }
        InPixelError::FilterWeights { filter, .. } => Some((Part::Convolution, filter, None)),
        InPixelError::NotTernary { feature, class, .. } => Some((Part::Dense, feature, Some(class))),
        InPixelError::Uneven { feature, .. } => Some((Part::Dense, feature, None)),
        _ => None,
    }
}

/// The picture and how the array is cut.
struct Input {
    size: usize,
    scale: usize,
    bits: usize,
    binarise: u8,
    block: usize,
    array: usize,
    marks: InputMarks,
}

/// The places of what can be wrong with it.
struct InputMarks {
    size: Mark,
    bits: Mark,
    block: Mark,
    array: Mark,
}

impl InputMarks {
    fn of(&self, error: &InPixelError) -> Option<Mark> {
        match error {
            InPixelError::Side(_) => Some(self.array),
            InPixelError::Block { .. } => Some(self.block),
            InPixelError::Picture { .. } => Some(self.size),
            InPixelError::PixelBits(_) => Some(self.bits),
            _ => None,
        }
    }
}

fn input(name: &At<&str, Mark>, fields: &Fields<'_>, errors: &mut Errors<Mark>) -> Option<Input> {
    let Some(input) = fields.get("input") else {
        errors.add(name.at, format_args!("network `{}` has no input; add {EXAMPLE}", name.value));
        return None;
    };
    let fields = input.table(&input.notation.table("{ size = 28, block = 32 }"), &INPUT_KEYS, errors)?;
    let mut required = |key: &str, example: &str| {
        let found = fields.get(key);
        if found.is_none() {
            input.wrong(format_args!("`{key}` is missing; add `{key} = {example}`"), errors);
        }
        found
    };
    let (size, block) = (required("size", "28"), required("block", "32"));
    let mut side = |entry: Option<&Entry<'_>>, otherwise: usize| match entry {
        Some(entry) => whole_up_to(entry, usize::MAX, errors),
        None => Some(otherwise),
    };
    let (scale, array, bits) = (side(fields.get("scale").as_ref(), 1), fields.get("array"), fields.get("bits"));
    let [array_at, bits_at] = [&array, &bits].map(|entry| entry.as_ref().map_or(input.at, |entry| entry.at));
    let bits = side(bits.as_ref(), 1);
    let (array, [length, side]) = (side(array.as_ref(), SIDE), [&size, &block].map(|entry| side(entry.as_ref(), 0)));
    let binarise = match fields.get("binarise") {
        Some(least) => {
            if bits.is_some_and(|bits| bits > 1) {
                least.wrong("only pixels of one bit are ink or not; leave it out", errors);
            }
            whole_up_to(&least, u8::MAX, errors)
        }
        None => Some(HALF),
    };
    let marks = InputMarks { size: size?.at, bits: bits_at, block: block?.at, array: array_at };
    let (bits, binarise) = bits.zip(binarise)?;
    Some(Input { size: length?, scale: scale?, bits, binarise, block: side?, array: array?, marks })
}
