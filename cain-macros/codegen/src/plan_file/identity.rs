//! What a plan depends on: the lines by which a plan file says whose plan it is.

use std::fmt;

use crate::diagnostic::{Diagnostic, Position};

/// The most characters of a line that a message shows.
const SHOWN: usize = 60;
/// How many of them are before the first difference.
const SHOWN_BEFORE: usize = 12;

/// What programs depend on, except for the effort of the search: declarations with the same identity have the same plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity(Vec<Condition>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition {
    key: String,
    value: String,
}

impl Identity {
    /// An identity with these lines.
    pub(crate) fn of(lines: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        Self(lines.into_iter().map(|(key, value)| Condition { key: key.to_owned(), value }).collect())
    }

    /// Adds a line.
    pub(super) fn push(&mut self, key: &str, value: &str) {
        self.0.push(Condition { key: key.to_owned(), value: value.to_owned() });
    }

    /// The number of lines.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether these lines begin like those of something of another kind.
    pub(crate) fn is_of_another_kind(&self, other: &Self) -> bool {
        let kinds = self.0.first().zip(other.0.first());
        kinds.is_some_and(|(one, other)| one.key != other.key)
    }

    /// The value of the line with that key.
    #[cfg(feature = "blocks")]
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        let condition = self.0.iter().find(|condition| condition.key == key)?;
        Some(&condition.value)
    }

    /// The name, without extension, of the plan file of a declaration that shares its name with another one in the
    /// package: with digits that stand for these lines. A macro knows them, but not the module that it is called in.
    pub(crate) fn own_name(&self, name: &str) -> String {
        let lines = self.0.iter().flat_map(|Condition { key, value }| [key, value]);
        // FNV-1a: the same in every release and on every machine.
        let digits = lines
            .flat_map(|text| text.bytes())
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        format!("{name}.{digits:08x}")
    }

    /// How these lines of a file, the first of which has that number, differ from those of a declaration; `what` says what
    /// messages call it.
    pub(super) fn difference(&self, first: usize, wanted: &Self, what: &str) -> Option<Diagnostic> {
        let count = self.len().max(wanted.len());
        let index = (0..count).find(|&index| self.0.get(index) != wanted.0.get(index))?;
        let (found, wanted) = (self.line(index), wanted.line(index));
        let same = found.chars().zip(wanted.chars()).take_while(|(a, b)| a == b).count();
        let (found, wanted) = (excerpt(&found, same), excerpt(&wanted, same));
        let message = format!("the plan is for another {what} or other options: {found} instead of {wanted}");
        Some(Diagnostic { place: Position { line: first + index, column: same + 1 }, message })
    }

    fn line(&self, index: usize) -> String {
        self.0.get(index).map_or_else(String::new, ToString::to_string)
    }
}

impl Extend<Self> for Identity {
    fn extend<I: IntoIterator<Item = Self>>(&mut self, others: I) {
        self.0.extend(others.into_iter().flat_map(|other| other.0));
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|condition| writeln!(f, "{condition}"))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.value)
    }
}

/// The part of a line around the first difference; `same` is the number of characters before it.
fn excerpt(line: &str, same: usize) -> String {
    if line.is_empty() {
        return "nothing".to_owned();
    }
    let skipped = if line.chars().count() > SHOWN { same.saturating_sub(SHOWN_BEFORE) } else { 0 };
    let mut rest = line.chars().skip(skipped);
    let shown: String = rest.by_ref().take(SHOWN).collect();
    let mark = |missing: bool| if missing { "…" } else { "" };
    format!("`{}{shown}{}`", mark(skipped > 0), mark(rest.next().is_some()))
}
