//! The notation in which messages show keys and examples.

use cain_isa::Fraction;

/// What a source is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    /// TOML.
    File,
    /// Tokens.
    Macro,
}

impl Notation {
    /// The key in front of messages, if they have one: in the macro nobody writes that of layers, and sums have none.
    pub(crate) fn key(self, key: &str) -> Option<&str> {
        Some(key).filter(|key| self == Self::File || !["", LAYER].contains(key))
    }

    /// Whether users write a key: in the macro name and operation of a layer stand without.
    pub(crate) fn has_key(self, key: &str) -> bool {
        self == Self::File || !["name", "op"].contains(&key)
    }

    /// Options in an example, as they stand behind the name of an attribute.
    pub(crate) fn options(self, example: &str) -> String {
        match self {
            Self::File => format!("{{ {example} }}"),
            Self::Macro => self.message(format!("({example})")),
        }
    }

    /// Options and their name in an example.
    pub(crate) fn named_options(self, name: &str, example: &str) -> String {
        match self {
            Self::File => format!("{name} = {{ {example} }}"),
            Self::Macro => self.message(format!("{name}({example})")),
        }
    }

    /// An option that is said or not.
    pub(crate) fn flag(self, name: &str) -> String {
        let value = if self == Self::File { " = true" } else { "" };
        format!("{name}{value}")
    }

    /// What is expected where options are.
    pub(crate) fn expected_options(self, example: &str) -> String {
        let what = if self == Self::File { "a table" } else { "options in parentheses" };
        format!("{what} such as `{}`", self.options(example))
    }

    /// Keys with values, such as those of an example.
    #[cfg(feature = "networks")]
    pub(crate) fn table(self, example: &str) -> String {
        match self {
            Self::File => format!("a table such as `{example}`"),
            Self::Macro => format!("keys in braces such as `{example}`"),
        }
    }

    /// A key and its value to add.
    #[cfg(feature = "networks")]
    pub(crate) fn statement(self, statement: &str) -> String {
        let end = if self == Self::Macro { ";" } else { "" };
        self.message(format!("{statement}{end}"))
    }

    /// A layer to add to something of that kind; `example` is one of the macro.
    #[cfg(feature = "networks")]
    pub(crate) fn layers(self, kind: &str, name: &str, example: &str) -> String {
        match self {
            Self::File => format!("[[{kind}.{name}.layer]]"),
            Self::Macro => example.to_owned(),
        }
    }

    /// The name of an operation or a layer, which stands in quotes in files.
    pub(crate) fn name(self, what: &str) -> String {
        match self {
            Self::File => format!("{what} in quotes"),
            Self::Macro => what.to_owned(),
        }
    }

    /// A message whose examples are written as in files: in the macro names, fractions and ranges have no quotes.
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
