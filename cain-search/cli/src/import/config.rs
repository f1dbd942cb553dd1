//! Imports a configuration as a whole.

use cain_codegen::generate::is_keyword;
use cain_search::Approximation;

use super::bits::{self, Mode, Numbers};
use super::json::{Fields, Node, Notes};
use super::kernel::{Number, Output, number, outputs, whole};
use super::registers::{Registers, registers};
use super::search;

/// The name of a filter whose title contains nothing that can be in a name.
const UNTITLED: &str = "filter";

/// The part of a configuration that a kernel file can express.
pub(crate) struct Config {
    pub(crate) name: String,
    /// The title, which is free text.
    pub(crate) title: Option<String>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) registers: Registers,
    /// The lines that give the places of the bits of numbers.
    pub(crate) lines: Vec<String>,
    /// The most halvings, and the largest cumulative error.
    pub(crate) approximate: Option<(i64, Number)>,
    pub(crate) objective: Option<&'static str>,
    pub(crate) isa: Option<&'static str>,
}

/// Reads a configuration; `None` if it contains a mistake.
pub(crate) fn read(root: &Node<'_>, notes: &mut Notes) -> Option<Config> {
    let mut fields = root.fields(notes)?;
    let mode = kind(root, &mut fields, notes);
    if notes.has_errors() {
        // In another mode, the remaining keys have other meanings.
        return None;
    }
    let mode = mode?;
    let (name, title) = title(root, &mut fields, notes);
    let is_3d = fields.take("3d").and_then(|node| {
        let is_3d = node.boolean();
        if is_3d.is_none() {
            notes.wrong(&node, format_args!("expected true or false, found {}", node.kind()));
        }
        is_3d
    });
    let Some(filter) = fields.take("filter") else {
        notes.wrong(root, "`filter` is missing: an object with a kernel for each output register");
        return None;
    };
    let outputs = outputs(&filter, is_3d, notes);
    let objective = fields.take("runConfig").and_then(|node| search::run(&node, notes));
    let config = if mode == Mode::Analogue {
        analogue(root, &mut fields, outputs, objective, notes)
    } else {
        on_bits(mode, root, &mut fields, outputs, notes)
    };
    for (key, node) in fields.rest() {
        notes.add(
            &node,
            match key.as_str() {
                "goalSystem" => "no counterpart; it does not change the kernels",
                "verifier" => "no counterpart; every program is proved",
                "verbose" => "no counterpart",
                _ => search::UNKNOWN,
            },
        );
    }
    let config = Config { name, title, ..config? };
    (!notes.has_errors()).then_some(config)
}

/// Reads the keys that only the analogue mode has.
fn analogue(
    root: &Node<'_>,
    fields: &mut Fields<'_>,
    outputs: Vec<Output>,
    objective: Option<&'static str>,
    notes: &mut Notes,
) -> Option<Config> {
    let registers = registers(root, fields, &outputs, notes);
    let approximate = approximate(fields, notes);
    if approximate.is_none() {
        notes.refuse_rounded();
    }
    let isa = fields.take("pairGen").and_then(|node| search::pairs(&node, notes));
    let lines = Vec::new();
    Some(Config {
        name: String::new(),
        title: None,
        outputs,
        registers: registers?,
        lines,
        approximate,
        objective,
        isa,
    })
}

/// Reads the keys that only the modes on bits have.
fn on_bits(
    mode: Mode,
    root: &Node<'_>,
    fields: &mut Fields<'_>,
    outputs: Vec<Output>,
    notes: &mut Notes,
) -> Option<Config> {
    notes.refuse_rounded();
    let Numbers { isa, inputs, lines } = bits::numbers(mode, root, fields, &outputs, notes)?;
    Some(Config {
        name: String::new(),
        title: None,
        outputs,
        registers: Registers { inputs, scratch: None, machine: None },
        lines,
        approximate: None,
        objective: None,
        isa: Some(isa),
    })
}

/// The target and the mode; earlier versions of Cain have neither, but the name of a generator.
fn kind(root: &Node<'_>, fields: &mut Fields<'_>, notes: &mut Notes) -> Option<Mode> {
    match fields.take("target") {
        None => notes.add(root, "`target` is missing; it is taken to be `scamp5`"),
        Some(node) if node.string().as_deref() == Some("scamp5") => {}
        Some(node) => notes.wrong(&node, "no counterpart; only `scamp5` can be imported"),
    }
    let Some(node) = fields.take("mode") else {
        let generator = fields.get("pairGen").and_then(|node| node.fields(notes)?.take("name")?.string());
        let mode = Mode::of_generator(&generator.unwrap_or_default());
        notes.add(root, format_args!("`mode` is missing; it is taken to be `{}`", mode.name()));
        return Some(mode);
    };
    let mode = node.string().and_then(|name| Mode::of(&name));
    if mode.is_none() {
        notes.wrong(&node, "unknown mode; expected `analogue`, `digital` or `superpixel`");
    }
    mode
}

/// The name of the filter, and its title.
fn title(root: &Node<'_>, fields: &mut Fields<'_>, notes: &mut Notes) -> (String, Option<String>) {
    let [name, id] = ["name", "id"].map(|key| fields.take(key));
    if let (Some(_), Some(id)) = (&name, &id) {
        notes.add(id, "left out; the filter has the name under `name`");
    }
    let node = name.or(id);
    let title = node.as_ref().and_then(Node::string);
    let Name { text, reason } = title.as_deref().map_or_else(Name::missing, Name::of);
    match (&node, &title, reason) {
        (Some(node), None, _) => notes.wrong(node, format_args!("expected a text, found {}", node.kind())),
        (_, _, Some(reason)) => {
            notes.add(node.as_ref().unwrap_or(root), format_args!("the filter is called `{text}`, as {reason}"));
        }
        (_, _, None) => {}
    }
    (text, title)
}

fn approximate(fields: &mut Fields<'_>, notes: &mut Notes) -> Option<(i64, Number)> {
    let depth = fields.take("maxApproximationDepth");
    let error = fields.take("maxApproximationError");
    match (depth, error) {
        (None, None) => None,
        (Some(depth), None) => {
            notes.add(&depth, "left out: `maxApproximationError` is missing, so that no weight may be moved");
            None
        }
        (None, Some(error)) => {
            notes.add(&error, "left out: `maxApproximationDepth` is missing, so that no weight may be moved");
            None
        }
        (Some(depth), Some(error)) => Some((halvings(&depth, notes)?, number(&error, notes)?)),
    }
}

/// The most halvings of an approximation, within the limit of kernel files.
fn halvings(depth: &Node<'_>, notes: &mut Notes) -> Option<i64> {
    let most = i64::from(Approximation::MAX_DEPTH);
    let written = whole(depth, notes)?;
    if written > most {
        notes.add(depth, format_args!("{most} halvings are allowed instead of {written}"));
    }
    Some(written.min(most))
}

/// The most characters of a title that become a name; kernel files allow a few more.
const LONGEST: usize = 80;

/// The name of a filter, and the reason for it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    /// The reason why it is not simply the title in lower case.
    reason: Option<String>,
}

impl Name {
    /// Turns free text into a name.
    pub(crate) fn of(title: &str) -> Self {
        let all = word(title);
        let word = all.get(..LONGEST).unwrap_or(&all).trim_end_matches('_').to_owned();
        let reason = match word.chars().next() {
            None => Some("no letter or digit of the title can be used in a name".to_owned()),
            Some(first) if first.is_ascii_digit() => Some("names begin with a letter".to_owned()),
            Some(_) if word == "machine" => Some("the table `machine` describes the machine".to_owned()),
            Some(_) if ["automaton", "in_pixel", "network"].contains(&word.as_str()) => {
                Some(format!("the table `{word}` is not that of a filter"))
            }
            Some(_) if word.len() < all.len() => Some(format!("titles become names of at most {LONGEST} characters")),
            Some(_) if is_keyword(&word) => Some(format!("`{word}` is a keyword of Rust")),
            Some(_) => None,
        };
        let Some(reason) = reason else {
            let has_others = title.chars().any(|character| character.is_alphanumeric() && !character.is_ascii());
            let reason = "names consist of the letters from a to z, digits and `_`".to_owned();
            return Self { text: word, reason: has_others.then_some(reason) };
        };
        let text = if word.is_empty() { UNTITLED.to_owned() } else { format!("{UNTITLED}_{word}") };
        Self { text, reason: Some(reason) }
    }

    /// The name of a filter without a title.
    fn missing() -> Self {
        Self { text: UNTITLED.to_owned(), reason: Some("`name` is missing".to_owned()) }
    }
}

/// The letters and digits of a text, in lower case, with one `_` for everything between them.
fn word(title: &str) -> String {
    let parts = title.split(|character: char| !character.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn titles_become_names() {
        for (title, expected, is_plain) in [
            ("Edge pair", "edge_pair", true),
            ("Guassian 5x5 & 3x3!", "guassian_5x5_3x3", true),
            ("3x3", "filter_3x3", false),
            ("  ", "filter", false),
            ("Machine", "filter_machine", false),
            ("Box", "filter_box", false),
            ("match!", "filter_match", false),
            ("gen", "filter_gen", false),
            ("self", "filter_self", false),
            ("\u{e9}t\u{e9}", "t", false),
            (&"a".repeat(101), &format!("filter_{}", "a".repeat(80)), false),
        ] {
            let name = Name::of(title);
            assert_eq!((name.text.as_str(), name.reason.is_none()), (expected, is_plain), "{title}");
        }
    }
}
