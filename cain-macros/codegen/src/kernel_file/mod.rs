//! Kernel files: filters in TOML, one table per filter.
//!
//! ```toml
//! [gauss]
//! doc = "Binomial blur, in place."
//! inputs = ["A"]
//! outputs.A = { scale = "1/16", kernel = [[1, 2, 1], [2, 4, 2], [1, 2, 1]] }
//!
//! [detail]
//! inputs = ["A", "B"]
//! keep = ["B"]
//! outputs.C = [
//!     { input = "A", kernel = [[0.11, 0.52, 0.13]] },
//!     { input = "B", scale = "-1/4", kernel = [[0, 1, 0], [1, 0, 1], [0, 1, 0]] },
//! ]
//! scratch = ["D", "E"]
//! approximate = { depth = 5, error = 0.05 }
//! search = { nodes = 200_000, objective = "icws", isa = "macro", max_gain = "3" }
//!
//! [machine]
//! registers = 18
//! bus = { destinations = 2, sources = 2 }
//! ```
//!
//! | key | value | default |
//! |---|---|---|
//! | `inputs` | registers, in channel order | required |
//! | `outputs.REGISTER` | a term, or an array of terms that are summed; of digital filters also an expression of bits, as a text | required |
//! | `keep` | inputs that must survive | none |
//! | `scratch` | registers that may be overwritten beside inputs and outputs | all others of the machine |
//! | `doc` | a text | none |
//! | `approximate` | `depth` and `error`: how far weights may be moved | not at all |
//! | `superpixel` | of filters over super-pixels: `order`, the place of each bit in a block; `carry`, `prop` or `steps`; `banks`; `bias` and `relu` of outputs | required there |
//! | `bits` | of digital filters: the bits of the inputs, negative if they are signed | required there |
//! | `interruptible` | `by`: the filters that may interrupt this one, in ascending order of priority; `registers`: what others overwrite that are declared elsewhere; `latency`: the longest that they may have to wait, such as `"20 us"` | by none |
//! | `search` | `nodes`, `memory` (in MiB), `objective`, `isa`, `offset`, `input`, `max_gain`, `accuracy`, `max_words` | those of the search |
//!
//! A term is `{ input, scale, kernel, origin }`: `input` may be left out if there is only one, `scale` is 1 by default,
//! `kernel` is an array of rows from north to south, and `origin` is the row and column, from 0, that lies over the PE
//! itself, by default the centre. Numbers are read exactly as they are written; `"1/16"` is a fraction. With
//! `approximate`, those with more digits than a fraction of 64-bit integers holds are rounded to a multiple of 1/2^40,
//! which counts towards `error`; they must be below 4194304.
//! With names in lower case instead of registers, all of them, they are planes, and the filter runs in any registers.
//! In Rust a filter becomes a public function of its name, which therefore must be one that a function can have.
//!
//! The table `const` is not a filter; it gives numbers, matrices, terms and arrays of terms a name in capitals, which in
//! quotes can stand for a weight, a `scale` (both also with a minus in front) or a `kernel`:
//!
//! ```toml
//! [const]
//! SIDE = "1/4"
//! NARROW = [["SIDE", "1/2", "SIDE"]]
//!
//! [edges]
//! inputs = ["A"]
//! outputs.B.kernel = "NARROW"
//! outputs.C = [{ kernel = [[1]] }, { scale = -1, kernel = "NARROW" }]
//! ```
//!
//! The table `network` holds networks, which [`parse_networks`] and [`load_networks`] read, and the table `automaton`
//! automata, for [`parse_automata`] and [`load_automata`]. The table `in_pixel` holds networks whose weights are in the pixels,
//! which [`parse_any`] and [`load_any`] read.
//!
//! The table `machine` is not a filter; it describes where the machine differs from SCAMP-5.
//!
//! | key of `machine` | value | default |
//! |---|---|---|
//! | `registers` | how many (`A` to `Z`, then `R0` and so on), or which: `["A", "B", "R7"]` | 6 |
//! | `bits` | the number of digital registers | 13 |
//! | `instructions` | `"all"`, `"basic"` (those of AUKE), or which, named as in [`cain_isa::asm`] | `"all"` |
//! | `bus` | `destinations` and `sources` of a word at most; `reads`: `"own"` NEWS, one `"port"`, or the `"mean"` of several | 3, 4, `"mean"` |
//! | `nanoseconds` | how long words take: `analogue`, `digital`, `neighbours`, `propagation`, `high_speed` | 190, the last 100 |
//! | `range` | `min` and `max` of what cells hold, in DN | -128, 127 |

mod constants;
mod document;
mod load;
mod mark;
#[cfg(feature = "networks")]
mod networks;
#[cfg(not(feature = "networks"))]
#[path = "without_networks.rs"]
mod networks;
mod table;
mod term;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::Path;

use cain_isa::{ErrorModel, Machine};

pub use crate::diagnostic::{Diagnostic, Position};
#[cfg(feature = "networks")]
pub use crate::kinds::beside::MAX_WEIGHT_BYTES;
#[cfg(feature = "networks")]
pub use crate::kinds::in_pixel::write_in_pixel;
#[cfg(feature = "networks")]
pub use crate::kinds::network::{WrittenNetwork, write_network};
pub use crate::lower::options::{instruction_set, max_gain, objective, offset_rule};
pub use crate::number::input_range;
pub(crate) use load::{Cause, read_text};
pub use load::{LoadError, MAX_BYTES, load, load_any, load_filters, load_machine};
#[cfg(feature = "networks")]
pub use networks::{load_automata, load_in_pixel, load_networks, parse_automata, parse_in_pixel, parse_networks};

use crate::diagnostic::Positions;
use crate::errors::Errors;
use crate::interruptible;
use crate::kinds::{self, Item, Kernel, Placed};
#[cfg(feature = "networks")]
use crate::kinds::{Automaton, InPixel, Network};
#[cfg(feature = "digital")]
use crate::kinds::{Digital, SuperPixel};
use crate::lower;
use crate::lower::machine::Described;
use crate::names;
use crate::tree::Overrides;
use crate::value::Entry;
use constants::Constants;
use document::Document;
use mark::Mark;

/// A filter on analogue registers.
pub type Filter = Placed<Kernel>;
/// A filter on numbers in the registers of one PE.
#[cfg(feature = "digital")]
pub type DigitalFilter = Placed<Digital>;
/// A filter on numbers that are spread over blocks of PEs.
#[cfg(feature = "digital")]
pub type SuperPixelFilter = Placed<SuperPixel>;
/// A network.
#[cfg(feature = "networks")]
pub type DeclaredNetwork = Placed<Network>;
/// A network whose weights are in the pixels.
#[cfg(feature = "networks")]
pub type DeclaredInPixel = Placed<InPixel>;
/// An automaton.
#[cfg(feature = "networks")]
pub type DeclaredAutomaton = Placed<Automaton>;

/// Reads a kernel file: its filters, or all mistakes, in the order of the file.
pub fn parse(text: &str) -> Result<Vec<Filter>, Vec<Diagnostic>> {
    parse_for(text, Overrides::default())
}

/// Like [`parse`], but with options that override those in the file. They determine which weights and gains are allowed.
pub fn parse_for(text: &str, overrides: Overrides) -> Result<Vec<Filter>, Vec<Diagnostic>> {
    let (items, mut problems) = parse_recoverable(text, None, overrides);
    let mut filters = Vec::new();
    for item in items {
        match item.kernel() {
            Some(filter) => filters.push(filter.clone()),
            None => problems.push(item.diagnostic(
                "expected a filter on analogue registers; others are taken by `cain compile`, `cain show`, `cain pin`, \
                 `cain generate` and builds only",
            )),
        }
    }
    problems.sort_by_key(|problem| problem.place);
    if problems.is_empty() { Ok(filters) } else { Err(problems) }
}

/// Reads as much of a kernel file as possible, and all mistakes; with a folder not only its filters, with files in there.
pub(crate) fn parse_recoverable(
    text: &str,
    folder: Option<&Path>,
    overrides: Overrides,
) -> (Vec<Item>, Vec<Diagnostic>) {
    let mut errors = Errors::default();
    let items = read(text, overrides, folder, &mut errors);
    let mut problems = problems(text, errors);
    problems.extend(same_names(&items));
    problems.sort_by_key(|problem| problem.place);
    (items, problems)
}

/// Complaints about what has the name of something before it; two tables of filters cannot have one.
fn same_names(items: &[Item]) -> Vec<Diagnostic> {
    let mut names = BTreeSet::new();
    let again = items.iter().filter(|item| !names.insert(item.name()));
    let message = "a filter, network or automaton of the file has this name; rename one";
    again.map(|item| item.diagnostic(message)).collect()
}

/// Like [`parse_for`], for whatever a file declares. Files with weights are looked for in the current folder.
pub fn parse_any(text: &str, overrides: Overrides) -> Result<Vec<Item>, Vec<Diagnostic>> {
    parse_in(text, Some(Path::new("")), overrides)
}

/// Like [`parse_any`], but without networks and automata, which are not even read.
pub fn parse_filters(text: &str, overrides: Overrides) -> Result<Vec<Item>, Vec<Diagnostic>> {
    parse_in(text, None, overrides)
}

/// Reads filters of all kinds, and with a folder also what else is declared, with files in there.
fn parse_in(text: &str, folder: Option<&Path>, overrides: Overrides) -> Result<Vec<Item>, Vec<Diagnostic>> {
    let (items, problems) = parse_recoverable(text, folder, overrides);
    if problems.is_empty() { Ok(items) } else { Err(problems) }
}

/// The machine that a kernel file describes and the errors of its arithmetic, those of SCAMP-5 by default. The filters are
/// not checked.
pub fn parse_machine(text: &str) -> Result<(Machine, ErrorModel), Vec<Diagnostic>> {
    let mut errors = Errors::default();
    let document = Document::parse(text, &mut errors);
    let described = document.map_or(Described::SCAMP5, |document| machine(&document, &mut errors));
    if errors.is_empty() { Ok((described.machine, described.errors)) } else { Err(problems(text, errors)) }
}

/// Mistakes in the order of the file.
fn problems(text: &str, errors: Errors<Mark>) -> Vec<Diagnostic> {
    let mut mistakes = errors.into_list();
    mistakes.sort_by_key(|(mark, _)| *mark);
    let mut positions = Positions::new(text);
    let problem = |(Mark(place), message)| Diagnostic { place: positions.of(place), message };
    mistakes.into_iter().map(problem).collect()
}

/// The filter, or what else these are, of that name, or a message that there is none.
pub fn find<'f, F>(what: &str, all: &'f [F], name: &str, name_of: impl Fn(&F) -> &str) -> Result<&'f F, String> {
    all.iter().find(|known| name_of(known) == name).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(name_of).collect();
        names::unknown(what, name, &known)
    })
}

/// What can become functions: filters whose header is right, and with a folder what else is declared, with files in there.
fn read(text: &str, overrides: Overrides, folder: Option<&Path>, errors: &mut Errors<Mark>) -> Vec<Item> {
    let Some(document) = Document::parse(text, errors) else { return Vec::new() };
    let machine = machine(&document, errors);
    let constants = Constants::read(&document, errors);
    let mut positions = Positions::new(text);
    let filters = document.filters();
    let has_networks = document.table("network").is_some() || document.table("in_pixel").is_some();
    let has_automata = document.table("automaton").is_some();
    if filters.is_empty() && (folder.is_none() || !(has_networks || has_automata)) {
        let only = match (has_networks, has_automata) {
            (true, _) => "only networks and ",
            (false, true) => "only automata and ",
            (false, false) => "",
        };
        let message =
            format!("the file has {only}no filter; add a table such as `[gauss]` with `inputs` and `outputs`");
        errors.add(Mark::default(), message);
    }
    let read = |(name, entry): (_, Entry<'_, Mark>)| {
        let mut mistakes = Errors::default();
        let tree = table::read(&name, &entry, &constants, machine, &mut mistakes);
        let read = tree.and_then(|mut tree| {
            tree.body.search.overrides = overrides;
            kinds::of_tree(tree, &mut mistakes)
        });
        errors.append(mistakes);
        read
    };
    let mut filters: Vec<_> = filters.into_iter().filter_map(read).collect();
    for mistakes in interruptible::resolve(&mut filters) {
        errors.append(mistakes);
    }
    let mut items: Vec<_> = filters.into_iter().map(|read| read.item.placed(|at| positions.of(at.0))).collect();
    if let Some(folder) = folder {
        items.extend(networks::all(text, &document, machine, folder, errors));
    }
    items
}

/// The machine of the file.
fn machine(document: &Document, errors: &mut Errors<Mark>) -> Described {
    let Some(entry) = document.machine() else { return Described::SCAMP5 };
    let before = errors.len();
    let machine = lower::machine::machine(&kinds::machine::machine(&entry, errors), errors);
    if errors.len() == before { machine } else { Described::ANY }
}
