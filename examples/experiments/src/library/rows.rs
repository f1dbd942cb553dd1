//! The list of public programs, `examples/programs/library.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The whole list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    pub(super) group: Vec<Group>,
    /// What is compared with figures by hand in sum.
    pub(super) anchor: Vec<Anchor>,
}

/// Programs of one table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Group {
    pub(super) title: String,
    pub(super) text: String,
    pub(super) kind: Kind,
    pub(super) program: Vec<Row>,
}

/// Where programs are from.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// There is public code.
    Code,
    /// There is a paper.
    Paper,
    /// They are of this project.
    Own,
}

/// A public program, and what declares it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    /// What it is called where it is public; none for another declaration of the program before.
    pub(super) of: Option<String>,
    pub(super) what: String,
    /// Whether it computes anything.
    #[serde(default = "yes")]
    pub(super) computes: bool,
    /// Why there is no declaration, or what is different in it.
    pub(super) note: Option<String>,
    /// The declaration, `FILE` or `FILE:NAME`, without the ending of the file.
    pub(super) program: Option<String>,
    pub(super) hand: Option<Hand>,
    /// The picture; that of an earlier row with the same declaration if nothing is shown.
    #[serde(default)]
    pub(super) picture: Scene,
}

fn yes() -> bool {
    true
}

/// What the frame of the picture takes by hand.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hand {
    /// Control words.
    pub(super) words: u64,
    /// Calls that set the level of all PEs.
    #[serde(default)]
    pub(super) levels: u64,
    /// Calls that set a rectangle or a pattern.
    #[serde(default)]
    pub(super) regions: u64,
}

/// What a program is run on, and what of it is drawn.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Scene {
    /// What the array sees.
    pub(super) sees: String,
    /// What is given to inputs that are not captured, by their names.
    pub(super) given: BTreeMap<String, String>,
    /// Parameters of all frames.
    pub(super) set: Settings,
    /// Parameters of each frame; one frame if there are none.
    pub(super) frames: Vec<Settings>,
    /// What is drawn of the last frame: results, or `entry`.
    pub(super) shown: Vec<String>,
    /// The part that is drawn: its first row and column, and its side, 64, 128 or 256.
    pub(super) part: Option<[usize; 3]>,
}

/// Parameters by name.
pub(super) type Settings = BTreeMap<String, Setting>;

/// A number, a switch, or top, left, height and width of a region.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
pub(super) enum Setting {
    Switch(bool),
    Number(i64),
    Region([i64; 4]),
}

/// A figure by hand that counts in the sum.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Anchor {
    pub(super) what: String,
    /// The declaration of the row, or a text that declares this alone.
    pub(super) row: Option<String>,
    pub(super) text: Option<String>,
    pub(super) hand: Option<Hand>,
}

impl Row {
    /// The file and the program of the declaration.
    pub(super) fn declared(&self) -> Option<(&str, &str)> {
        let program = self.program.as_deref()?;
        Some(program.split_once(':').unwrap_or((program, program)))
    }
}

impl Setting {
    /// The numbers of a parameter, or of the parts of a region, with the names that they have in the declaration.
    pub(super) fn numbers(self, name: &str) -> Vec<(String, i64)> {
        match self {
            Self::Switch(on) => vec![(name.to_owned(), on.into())],
            Self::Number(number) => vec![(name.to_owned(), number)],
            Self::Region(parts) => {
                let names = ["top", "left", "height", "width"].map(|part| format!("{name}.{part}"));
                names.into_iter().zip(parts).collect()
            }
        }
    }
}
