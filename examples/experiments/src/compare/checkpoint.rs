//! Keeps what was found, so that a long comparison can be continued: a file of JSON lines, the first of which says what is
//! compared.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::build::Pair;

/// What is compared: outcomes of one kind of comparison do not mix with those of another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Kind {
    pub(super) seed: u64,
    pub(super) nodes: u64,
    pub(super) equal_cpu: bool,
    pub(super) builds: [String; 2],
}

/// A case that is done.
#[derive(Serialize, Deserialize)]
struct Done {
    case: u32,
    pair: Pair,
}

/// Where outcomes are kept, if anywhere.
pub(super) struct Checkpoint {
    kind: Kind,
    file: Option<File>,
}

impl Checkpoint {
    pub(super) fn none(kind: Kind) -> Self {
        Self { kind, file: None }
    }

    /// Opens a file, or begins a new one, and reads what it has. `kind` is of a seed, by default that of the file.
    pub(super) fn open(
        path: &Path,
        seed: Option<u64>,
        kind: impl Fn(Option<u64>) -> Kind,
    ) -> Result<(Self, BTreeMap<u32, Pair>), String> {
        let problem = |what: &str| format!("{}: {what}", path.display());
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(problem(&error.to_string())),
        };
        // The last line may have been cut off.
        let complete = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text.get(..complete).unwrap_or_default().lines();
        let mut pairs = BTreeMap::new();
        let head = lines.next();
        let kind = match head {
            None => kind(seed),
            Some(head) => {
                let found: Kind = serde_json::from_str(head).map_err(|_| problem("this is no checkpoint"))?;
                let wanted = kind(Some(seed.unwrap_or(found.seed)));
                if found != wanted {
                    return Err(problem(
                        "this is the checkpoint of another comparison: of other builds, options or seed",
                    ));
                }
                for (number, line) in (2..).zip(lines) {
                    let done: Done = serde_json::from_str(line)
                        .map_err(|error| problem(&format!("line {number} cannot be read: {error}")))?;
                    pairs.insert(done.case, done.pair);
                }
                found
            }
        };
        let file = OpenOptions::new().create(true).write(true).truncate(false).open(path);
        let mut file = file.map_err(|error| problem(&error.to_string()))?;
        let written =
            file.set_len(complete as u64).and_then(|()| std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)));
        written.map_err(|error| problem(&error.to_string()))?;
        let mut checkpoint = Self { kind: kind.clone(), file: Some(file) };
        if head.is_none() {
            checkpoint.write(&kind)?;
        }
        Ok((checkpoint, pairs))
    }

    pub(super) fn seed(&self) -> u64 {
        self.kind.seed
    }

    /// Keeps the outcomes for a case.
    pub(super) fn add(&mut self, case: u32, pair: &Pair) -> Result<(), String> {
        self.write(&Done { case, pair: pair.clone() })
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), String> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let text = serde_json::to_string(line).map_err(|error| error.to_string())? + "\n";
        file.write_all(text.as_bytes()).map_err(|error| format!("the checkpoint cannot be written: {error}"))
    }
}
