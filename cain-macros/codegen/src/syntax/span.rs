//! Places in macros, and how advice is spelt there.

use proc_macro2::{Span, TokenTree};
use syn::parse::ParseStream;

use crate::notation::Notation;
use crate::place::Place;

impl Place for Span {
    const NOTATION: Notation = Notation::Macro;
    const SOURCE: &'static str = "block";

    /// The same token: its text need not be that of the source.
    fn moved(self, _: usize) -> Self {
        self
    }

    const INPUT_OF_TERM: &'static str = "`[[..]] * REGISTER`";
    const GIVE_A_CENTRE: &'static str = "pad it with zeros to an odd number of rows and columns, or say with `at [row, \
                                         column]` after it, from 0, which weight belongs to the PE itself";

    const MORE_NODES: &'static str = "more nodes with `#[search(nodes = ..)]`";
    const ANY_GAIN: &'static str = "#[search(max_gain = any)]";
    const DIGITAL: &'static str = "`isa = digital`";
    const BITS: &'static str = "`bits = 1` to `#[search(..)]`";
    const ON_SUPER_PIXELS: &'static str = "`#[search(isa = superpixel)]`";
    const ORDER: &'static str = "`#[superpixel(order = [[1, 2], [4, 3]])]`";

    fn scratch_registers(number: usize) -> String {
        format!("scratch register{} with `using (..)`", if number == 1 { "" } else { "s" })
    }

    fn too_few_registers(needed: usize, _: usize) -> String {
        format!("split the filter: {needed} registers would certainly be enough, but the machine has fewer")
    }

    fn approximate(depth: u32, error: &str) -> String {
        format!("#[approximate(depth = {depth}, error = {error})]")
    }

    fn kept_output(name: &str) -> String {
        format!(
            "input `{name}` is kept (`&{name}`) and cannot be an output as well; write `{name}` to let it be overwritten, \
             or choose another output"
        )
    }
}

/// The place of the next token; at the end, that of the last one read.
pub(crate) fn place(input: ParseStream<'_>, last: Span) -> Span {
    input.fork().parse::<TokenTree>().map_or(last, |token| token.span())
}
