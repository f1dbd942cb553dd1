//! Places in kernel files, and how advice is spelt there.

use crate::diagnostic::{Diagnostic, Positions};
use crate::errors::Errors;
use crate::notation::Notation;
use crate::place::Place;

/// A place in a kernel file, in bytes from its beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark(pub(crate) usize);

impl Place for Mark {
    const NOTATION: Notation = Notation::File;
    const SOURCE: &'static str = "file";

    const INPUT_OF_TERM: &'static str = "`input = \"REGISTER\"`";
    const GIVE_A_CENTRE: &'static str = "pad it with zeros to an odd number of rows and columns, or say with \
                                         `origin = [row, column]`, from 0, which weight belongs to the PE itself";

    const MORE_NODES: &'static str = "more `nodes`";
    const ANY_GAIN: &'static str = "search.max_gain = \"any\"";
    const DIGITAL: &'static str = "`search = { isa = \"digital\" }`";
    const BITS: &'static str = "`bits = 1`";
    const ON_SUPER_PIXELS: &'static str = "`search = { isa = \"superpixel\" }`";
    const ORDER: &'static str = "`superpixel = { order = [[1, 2], [4, 3]] }`";

    fn moved(self, bytes: usize) -> Self {
        Self(self.0 + bytes)
    }

    fn scratch_registers(number: usize) -> String {
        format!("`scratch` register{}", if number == 1 { "" } else { "s" })
    }

    fn too_few_registers(needed: usize, outputs: usize) -> String {
        let split = if outputs > 1 { "split the filter, or " } else { "" };
        format!("{split}use a machine of {needed} registers, which are certainly enough")
    }

    fn approximate(depth: u32, error: &str) -> String {
        format!("approximate = {{ depth = {depth}, error = {error} }}")
    }

    fn kept_output(name: &str) -> String {
        format!(
            "input `{name}` is kept and cannot be an output as well; take it out of `keep`, or choose another output"
        )
    }
}

/// Mistakes in the order of the file.
pub(super) fn diagnostics(text: &str, errors: Errors<Mark>) -> Vec<Diagnostic> {
    let mut mistakes = errors.into_list();
    mistakes.sort_by_key(|(mark, _)| *mark);
    let mut positions = Positions::new(text);
    let problem = |(Mark(place), message)| Diagnostic { place: positions.of(place), message };
    mistakes.into_iter().map(problem).collect()
}
