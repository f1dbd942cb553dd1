//! What a plan is the answer to, as text.

use std::fmt;

use cain_search::{Declaration, Options};

use crate::lower::options::{instruction_set_name, objective_name, offset_rule_name};

/// A line about what was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) key: String,
    pub(super) value: String,
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.value)
    }
}

/// All that the answer depends on, but for the effort: two declarations with the same lines ask for the same.
///
/// The registers of the machine are in the declaration, which names all that may be used.
pub(super) fn asked(declaration: &Declaration) -> Vec<Asked> {
    let options = &declaration.options;
    let lines = [
        ("declaration", Some(declaration.to_string())),
        ("isa", Some(instruction_set_name(options.instructions).to_owned())),
        ("objective", Some(objective_name(options.objective_in_force()).to_owned())),
        ("max_gain", options.max_gain.map(|max_gain| max_gain.to_string())),
        ("offset", unusual_offset(options).map(str::to_owned)),
    ];
    lines.into_iter().filter_map(|(key, value)| Some(Asked { key: key.to_owned(), value: value? })).collect()
}

/// What becomes of the transfer error, if that is not what the instruction set makes of it by default.
fn unusual_offset(options: &Options) -> Option<&'static str> {
    let usual = Options { offset: None, ..options.clone() }.offset_rule();
    let rule = options.offset_rule();
    (rule != usual).then(|| offset_rule_name(rule))
}
