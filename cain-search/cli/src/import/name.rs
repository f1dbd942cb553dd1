//! The name of a filter, which is also that of a function and of a plan file.

use cain_codegen::generate::is_keyword;

/// The name of a filter whose title contains none.
const UNTITLED: &str = "filter";

/// A name, and the reason for it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    /// Why it is not simply the title in lower case.
    pub(crate) reason: Option<String>,
}

impl Name {
    /// The name that free text becomes.
    pub(crate) fn of(title: &str) -> Self {
        let word = word(title);
        let reason = match word.chars().next() {
            None => Some("no letter or digit of the title can be used in a name".to_owned()),
            Some(first) if first.is_ascii_digit() => Some("names begin with a letter".to_owned()),
            Some(_) if word == "machine" => Some("the table `machine` describes the machine".to_owned()),
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
    pub(crate) fn missing() -> Self {
        Self { text: UNTITLED.to_owned(), reason: Some("`name` is missing".to_owned()) }
    }
}

/// The letters and digits of a text, in lower case; with one `_` for everything between them.
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
        ] {
            let name = Name::of(title);
            assert_eq!((name.text.as_str(), name.reason.is_none()), (expected, is_plain), "{title}");
        }
    }
}
