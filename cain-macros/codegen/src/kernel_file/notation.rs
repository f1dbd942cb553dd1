//! Places in kernel files, and the notation of these files in messages.

use cain_isa::Fraction;

use crate::tree::Place;

/// In which notation a table was written, and messages about it are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    /// That of kernel files.
    File,
    /// That of `scamp_network!`, from which the table was made.
    Macro,
}

impl Notation {
    /// How messages name a key, if they do. In the macro keys are not below those of other tables, and each message is at its
    /// token.
    pub(crate) fn key(self, full: &str) -> Option<&str> {
        match self {
            Self::File => Some(full),
            Self::Macro => full.rsplit('.').next().filter(|key| *key != LAYER),
        }
    }

    /// Whether users write a key: in the macro name and operation of a layer stand without.
    pub(crate) fn has_key(self, key: &str) -> bool {
        self == Self::File || !["name", "op"].contains(&key)
    }

    /// Keys with values, such as those of an example.
    pub(crate) fn table(self, example: &str) -> String {
        match self {
            Self::File => format!("a table such as `{example}`"),
            Self::Macro => format!("keys in braces such as `{example}`"),
        }
    }

    /// The name of an operation or a layer, which stands in quotes in files.
    pub(crate) fn name(self, what: &str) -> String {
        match self {
            Self::File => format!("{what} in quotes"),
            Self::Macro => what.to_owned(),
        }
    }

    /// A message whose examples are those of kernel files: in the macro names, fractions and ranges have no quotes.
    pub(crate) fn message(self, of_files: String) -> String {
        if self == Self::File {
            return of_files;
        }
        let mut parts = of_files.split('"');
        let mut message = parts.next().unwrap_or_default().to_owned();
        while let (Some(inner), Some(behind)) = (parts.next(), parts.next()) {
            let quote = if needs_quotes(inner) { "\"" } else { "" };
            message.extend([quote, inner, quote, behind]);
        }
        message
    }
}

/// The key of the layers of a network.
const LAYER: &str = "layer";

/// Whether the macro has quotes around a text: neither a name nor a number.
fn needs_quotes(text: &str) -> bool {
    let is_name = syn::parse_str::<syn::Ident>(text).is_ok();
    let is_range = text.split_once("..").is_some_and(|(low, high)| low.parse::<f64>().and(high.parse::<f64>()).is_ok());
    !(is_name || is_range || text.parse::<Fraction>().is_ok())
}

/// A place in a kernel file, in bytes from its beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark(pub(crate) usize);

impl Place for Mark {
    const INPUT_OF_TERM: &'static str = "`input = \"REGISTER\"`";
    const GIVE_A_CENTRE: &'static str = "pad it with zeros to an odd number of rows and columns, or say with \
                                         `origin = [row, column]`, from 0, which weight belongs to the PE itself";

    const MORE_NODES: &'static str = "more `nodes`";
    const ANY_GAIN: &'static str = "search.max_gain = \"any\"";
    const DIGITAL: &'static str = "`search = { isa = \"digital\" }`";
    const BITS: &'static str = "`bits = 1`";
    const ON_SUPER_PIXELS: &'static str = "`search = { isa = \"superpixel\" }`";
    const ORDER: &'static str = "`superpixel = { order = [[1, 2], [4, 3]] }`";

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
