//! Automata: `[automaton.NAME]`.

use std::path::Path;

use cain_network::automaton::{self, Automaton, AutomatonError, Bits, CompileAutomatonError, Layer};
use toml::de::DeValue;

use super::super::document::Document;
use super::super::entry::{Entry, Fields};
use super::super::load::{Cause, LoadError, read_text};
use super::super::notation::Mark;
use super::super::{Diagnostic, Filter, Position, machine, problems, table};
use super::beside::{self, Beside};
use super::npy::Array;
use super::values::{pair, real, whole_up_to};
use crate::diagnostic::Positions;
use crate::errors::Errors;
use crate::interruptible;
use crate::lower;
use crate::lower::machine::Described;
use crate::tree::At;

const KEYS: [&str; 9] = ["size", "alive", "classes", "denominator", "bits", "layers", "doc", "search", "interruptible"];
const BITS: [&str; 4] = ["state", "activation", "update", "register"];

/// An automaton of a kernel file, checked.
#[derive(Clone, Debug)]
pub struct DeclaredAutomaton {
    /// The automaton.
    pub automaton: Automaton,
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

impl DeclaredAutomaton {
    /// The name of the automaton.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.automaton.name
    }

    /// The same at other places.
    #[cfg(feature = "blocks")]
    pub(crate) fn placed(mut self, place: impl Fn(Position) -> Position) -> Self {
        self.place = place(self.place);
        self.interruptible = self.interruptible.map(&place);
        self.layers.iter_mut().for_each(|layer| *layer = place(*layer));
        self
    }

    /// Why there is no program, at the layer that it is about.
    #[must_use]
    pub fn failed(&self, error: &CompileAutomatonError) -> Diagnostic {
        if let (CompileAutomatonError::Interruption { error, enough }, Some(place)) = (error, self.interruptible) {
            let message = interruptible::steps_failure(self.name(), error, *enough, &self.automaton.machine);
            return Diagnostic { place, message };
        }
        let layer = match error {
            CompileAutomatonError::Declaration(error) => error.layer(),
            CompileAutomatonError::Search { layer, .. }
            | CompileAutomatonError::Program { layer }
            | CompileAutomatonError::Intermediate { layer, .. }
            | CompileAutomatonError::Thirds { layer } => Some(*layer),
            _ => None,
        };
        self.diagnostic(layer, &error.to_string())
    }

    /// Whether there can be a function of it.
    pub(crate) fn check_function(&self) -> Result<(), Diagnostic> {
        let Some(place) = self.interruptible else { return Ok(()) };
        let message = format!(
            "automaton `{}`: arrays of integers run no tasks, so that its function cannot be left; remove `interruptible`",
            self.name()
        );
        Err(Diagnostic { place, message })
    }

    /// Its layers as filters, each of which has a plan file of its own.
    #[must_use]
    pub fn filters(&self) -> Vec<Filter> {
        // It was checked when it was read.
        let declarations = automaton::declarations(&self.automaton).unwrap_or_default();
        let filter = |(layer, declaration)| {
            let place = self.layers.get(layer).copied().unwrap_or(self.place);
            Filter::of_layer(declaration, place)
        };
        declarations.into_iter().enumerate().map(filter).collect()
    }

    /// A message about a layer, or about the automaton as a whole.
    #[must_use]
    pub fn diagnostic(&self, layer: Option<usize>, message: &str) -> Diagnostic {
        let place = layer.and_then(|layer| self.layers.get(layer)).copied().unwrap_or(self.place);
        Diagnostic { place, message: format!("automaton `{}`: {message}", self.name()) }
    }
}

/// Reads the automata of the kernel file at a path, which may have none, and the files with weights beside it.
pub fn load_automata(path: &Path) -> Result<Vec<DeclaredAutomaton>, LoadError> {
    let text = read_text(path).map_err(|cause| LoadError::new(path, cause))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let automata = parse_automata(&text, &mut |file| beside::read(&folder.join(file)));
    automata.map_err(|problems| LoadError::new(path, Cause::Problems(problems)))
}

/// Reads the automata of a kernel file, or all mistakes, in the order of the file. Nothing else in the file is checked.
///
/// `read` returns the bytes of a file with weights, or why it cannot be read.
pub fn parse_automata(
    text: &str,
    read: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Vec<DeclaredAutomaton>, Vec<Diagnostic>> {
    let mut errors = Errors::default();
    let automata = Document::parse(text, &mut errors).map(|document| {
        let machine = document.machine().map_or(Described::SCAMP5, |entry| machine(&entry, &mut errors));
        automata(text, &document, machine, &mut Beside::new(read), &mut errors)
    });
    let automata = automata.unwrap_or_default();
    if errors.is_empty() { Ok(automata) } else { Err(problems(text, errors)) }
}

/// The automata of a document that are right.
pub(in super::super) fn automata(
    text: &str,
    document: &Document<'_>,
    machine: Described,
    beside: &mut Beside<'_>,
    errors: &mut Errors<Mark>,
) -> Vec<DeclaredAutomaton> {
    let Some(entry) = document.automata() else { return Vec::new() };
    let tables = entry.any_table("tables of automata, `[automaton.NAME]`", errors);
    let tables = tables.map(|tables| tables.in_order()).unwrap_or_default();
    let mut positions = Positions::new(text);
    let automata = tables.iter().filter_map(|(name, entry)| {
        let mut mistakes = Errors::default();
        let read = automaton(name, entry, machine, beside, &mut mistakes);
        let is_right = mistakes.is_empty();
        errors.append(mistakes);
        let Read { automaton, doc, layers, interruptible } = read.filter(|_| is_right)?;
        Some(DeclaredAutomaton {
            automaton,
            doc,
            weight_files: beside.take_names(),
            place: positions.of(name.at.0),
            layers: layers.iter().map(|at| positions.of(at.0)).collect(),
            interruptible: interruptible.map(|at| positions.of(at.0)),
        })
    });
    automata.collect()
}

/// What a table says.
struct Read {
    automaton: Automaton,
    doc: Option<String>,
    /// The places of its layers.
    layers: Vec<Mark>,
    /// The place of what is said about interruptions.
    interruptible: Option<Mark>,
}

fn automaton(
    name: &At<&str, Mark>,
    entry: &Entry<'_>,
    machine: Described,
    beside: &mut Beside<'_>,
    errors: &mut Errors<Mark>,
) -> Option<Read> {
    table::check_name("automaton", name, errors);
    let fields = entry.table(&format!("a table for an automaton, `[automaton.{}]`", name.value), &KEYS, errors)?;
    let mut required = |key: &str, example: &str| {
        let found = fields.get(key);
        if found.is_none() {
            let message = format!("automaton `{}` has no `{key}`; add `{key} = {example}`", name.value);
            errors.add(name.at, message);
        }
        found
    };
    let size = required("size", "[28, 28]");
    let classes = required("classes", "10");
    let denominator = required("denominator", "64");
    let layers = required("layers", "[\"first.npy\", \"second.npy\"]");
    let size = size.and_then(|size| pair(&size, errors));
    let classes = classes.and_then(|classes| whole_up_to(&classes, u16::MAX, errors));
    let scale = denominator.and_then(|denominator| scale(&denominator, errors));
    let alive = fields.get("alive").map_or(Some(0), |alive| whole_up_to(&alive, u8::MAX, errors));
    let bits = fields.get("bits").map_or(Some(Bits::SMALL_NCA), |entry| bits(&entry, errors));
    let search = fields.get("search").map(|entry| table::search(&entry, errors)).unwrap_or_default();
    let options = lower::options::search(&search, &machine.machine, errors);
    let interruptible = fields.get("interruptible").and_then(|entry| table::interruptible(&entry, errors));
    let interruption =
        interruptible.as_ref().and_then(|wanted| interruptible::of_network(wanted, &machine.machine, errors));
    let doc = fields.get("doc").and_then(|doc| doc.text("a text", errors)).map(|doc| doc.value);
    let layers = layers?.array("an array with the weights of each layer", errors)?;
    let marks: Vec<Mark> = layers.iter().map(|layer| layer.at).collect();
    let layers: Vec<_> = layers.iter().map(|layer| read_layer(layer, beside, errors)).collect();
    let automaton = Automaton {
        name: name.value.to_owned(),
        size: size?,
        alive: alive?,
        classes: classes?.into(),
        scale: scale?,
        bits: bits?,
        layers: layers.into_iter().collect::<Option<_>>()?,
        machine: machine.machine,
        options,
        interruption,
    };
    if let Err(error) = automaton.check() {
        errors.add(place_of(&error, name, &fields, &marks), error);
    }
    Some(Read { automaton, doc, layers: marks, interruptible: interruptible.and_then(|wanted| wanted.place()) })
}

/// Where to report that an automaton is wrong.
fn place_of(error: &AutomatonError, name: &At<&str, Mark>, fields: &Fields<'_>, layers: &[Mark]) -> Mark {
    let key = match error {
        AutomatonError::Size { .. } => "size",
        AutomatonError::Classes { .. } => "classes",
        AutomatonError::Bits { .. } => "bits",
        AutomatonError::Scale { .. } => "denominator",
        AutomatonError::NoLayer | AutomatonError::Weights { .. } => "layers",
        _ => "",
    };
    let layer = error.layer().and_then(|layer| layers.get(layer).copied());
    layer.or_else(|| fields.get(key).map(|entry| entry.at)).unwrap_or(name.at)
}

/// The exponent of a power of two.
fn scale(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<u8> {
    let denominator: u64 = whole_up_to(entry, 1 << Automaton::MOST_SCALE, errors)?;
    if !denominator.is_power_of_two() {
        entry.expected(&format!("a power of two of at most {}", 1_u64 << Automaton::MOST_SCALE), errors);
        return None;
    }
    u8::try_from(denominator.trailing_zeros()).ok()
}

fn bits(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<Bits> {
    let fields = entry.table("a table such as `{ state = 10, activation = 9, update = 9 }`", &BITS, errors)?;
    let mut of = |key: &str, otherwise: u8| match fields.get(key) {
        Some(entry) => whole_up_to(&entry, Bits::MOST.1, errors),
        None => Some(otherwise),
    };
    let usual = Bits::SMALL_NCA;
    let [state, activation, update, register] = [
        of("state", usual.state),
        of("activation", usual.activation),
        of("update", usual.update),
        of("register", usual.register),
    ];
    Some(Bits { state: state?, activation: activation?, update: update?, register: register? })
}

/// The weights of a layer: output, input, row, column, or the name of a file with them.
fn read_layer(entry: &Entry<'_>, beside: &mut Beside<'_>, errors: &mut Errors<Mark>) -> Option<Layer> {
    const EXPECTED: &str = "the name of a file, or an array of kernels for each output, one kernel for each input";
    if let DeValue::String(_) = entry.value {
        let Array { shape, values } = beside.array(entry, errors)?;
        let [outputs, inputs, rows, columns] = *shape.as_slice() else {
            entry.wrong(
                format_args!("the array has the shape {shape:?}; expected outputs, inputs, rows and columns"),
                errors,
            );
            return None;
        };
        let weights: Option<Vec<i32>> = values.iter().map(|value| whole_weight(*value, entry, errors)).collect();
        let mut weights = weights?.into_iter();
        let mut row = || weights.by_ref().take(columns).collect::<Vec<_>>();
        let mut matrix = || (0..rows).map(|_| row()).collect::<Vec<_>>();
        let mut kernel = || (0..inputs).map(|_| matrix()).collect::<Vec<_>>();
        return Some(Layer { kernels: (0..outputs).map(|_| kernel()).collect() });
    }
    let weight = |entry: &Entry<'_>, errors: &mut Errors<Mark>| match entry.value {
        DeValue::Integer(_) | DeValue::Float(_) => {
            real(entry, errors).and_then(|value| whole_weight(value, entry, errors))
        }
        _ => {
            entry.expected(EXPECTED, errors);
            None
        }
    };
    let mut kernels = vec![];
    for output in entry.array(EXPECTED, errors)? {
        let mut kernel = vec![];
        for input in output.array(EXPECTED, errors)? {
            let mut matrix = vec![];
            for row in input.array(EXPECTED, errors)? {
                let row: Option<Vec<i32>> =
                    row.array(EXPECTED, errors)?.iter().map(|entry| weight(entry, errors)).collect();
                matrix.push(row?);
            }
            kernel.push(matrix);
        }
        kernels.push(kernel);
    }
    Some(Layer { kernels })
}

/// A weight in units of the denominator.
#[expect(clippy::cast_possible_truncation, reason = "whole and small")]
fn whole_weight(value: f64, entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<i32> {
    if value.fract() == 0.0 && value.abs() <= f64::from(i16::MAX) {
        return Some(value as i32);
    }
    let message = format!(
        "the weight {value} does not fit; expected whole numbers of at most {}, which are divided by `denominator`",
        i16::MAX
    );
    entry.wrong(message, errors);
    None
}
