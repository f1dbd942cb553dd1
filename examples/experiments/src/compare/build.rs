//! A build of the command `cain`, and what it finds.

use std::path::{Path, PathBuf};
use std::process::Command;

use cain_isa::Instruction;
use cain_search::{Objective, verify};
use serde::{Deserialize, Serialize};

use crate::corpus::Case;
use crate::cpu;

/// A build, with further options.
pub(super) struct Build {
    path: PathBuf,
    options: Vec<String>,
    /// Digits that stand for the contents of the file.
    digits: u64,
}

/// The outcomes of both builds for a case.
pub(crate) type Pair = [Outcome; 2];

/// What a build found for a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// Control words and what the case minimises, if there is a program.
    pub(crate) words: Option<u32>,
    pub(crate) figure: Option<f64>,
    /// Whether the search ended because its budget was used up.
    pub(crate) used_all: bool,
    /// CPU time in seconds.
    pub(crate) cpu: f64,
    /// Why the program is none.
    pub(crate) fault: Option<String>,
}

/// The part of what `cain compile --json` prints that matters here.
#[derive(Deserialize)]
struct Found {
    parts: Vec<Part>,
    macros: Option<u32>,
    words: u32,
    rms: f64,
    stop: String,
}

#[derive(Deserialize)]
struct Part {
    listing: Vec<String>,
}

/// Searches are compared, not what they once found.
const NO_BOOK: &str = "--no-book";

/// Whether a build has an opening book.
fn has_book(path: &Path) -> Result<bool, String> {
    let help = Command::new(path).args(["compile", "--help"]).output();
    let help = help.map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&help.stdout).contains(NO_BOOK))
}

impl Build {
    /// The build at a path; fails if there is no file.
    pub(super) fn new(path: &Path, options: &str) -> Result<Self, String> {
        let contents = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        // FNV-1a over words, since a build has many megabytes.
        let digits = contents.chunks(8).fold(0xcbf2_9ce4_8422_2325_u64, |hash, chunk| {
            let mut word = [0; 8];
            for (byte, of_file) in word.iter_mut().zip(chunk) {
                *byte = *of_file;
            }
            (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0100_0000_01b3)
        });
        let path = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
        let mut options: Vec<String> = options.split_whitespace().map(str::to_owned).collect();
        if has_book(&path)? {
            options.push(NO_BOOK.to_owned());
        }
        Ok(Self { path, options, digits })
    }

    /// What two builds with the same results have in common.
    pub(super) fn identity(&self) -> String {
        [vec![format!("{:016x}", self.digits)], self.options.clone()].concat().join(" ")
    }

    /// Searches a case, which is in this file, on one thread.
    pub(super) fn run(&self, case: &Case, file: &Path, nodes: u64) -> Result<Outcome, String> {
        let mut command = Command::new(&self.path);
        command.arg("compile").arg(file).args(["--json", "--threads", "1", "--nodes", &nodes.to_string()]);
        let before = cpu::of_children();
        let output = command.args(&self.options).output();
        let cpu = cpu::of_children() - before;
        let problem = |what: &str| format!("{}: case {}: {what}", self.path.display(), case.number);
        let output = output.map_err(|error| problem(&error.to_string()))?;
        let none = Outcome { words: None, figure: None, used_all: false, cpu, fault: None };
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            // It has found no program; anything else is a mistake in how it was called.
            return if errors.contains("program") { Ok(none) } else { Err(problem(errors.trim_end())) };
        }
        let found: Found = serde_json::from_slice(&output.stdout)
            .map_err(|error| problem(&format!("cannot read its output: {error}")))?;
        let figure = match case.declaration.options.objective_in_force() {
            Objective::Macros => found.macros.map(f64::from),
            Objective::Accuracy => Some(found.rms),
            _ => Some(f64::from(found.words)),
        };
        let (words, used_all) = (Some(found.words), found.stop == "nodes");
        let listing: Vec<String> = found.parts.into_iter().flat_map(|part| part.listing).collect();
        Ok(Outcome { words, figure, used_all, cpu, fault: fault(case, &listing) })
    }
}

/// Why a listing is no program for a case.
fn fault(case: &Case, listing: &[String]) -> Option<String> {
    let listing: Result<Vec<Instruction>, _> = listing.iter().map(|line| line.parse()).collect();
    match listing {
        Err(_) => Some("the listing cannot be read".to_owned()),
        Ok(listing) => verify(&case.declaration, &listing).err().map(|error| error.to_string()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use cain_search::search;

    use super::{Build, Outcome};
    use crate::corpus::{Case, case};

    /// What a build reports that prints this text, with this status.
    fn run(case: &Case, prints: &str, status: u8) -> Result<Outcome, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cain");
        fs::write(&path, format!("#!/bin/sh\ncat <<'END'\n{prints}\nEND\necho '{prints}' >&2\nexit {status}\n"))
            .unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Build::new(&path, "").unwrap().run(case, &folder.path().join("case.toml"), 100)
    }

    #[test]
    fn programs_are_proved_again() {
        let mut case = case(1, 1);
        case.declaration.options.nodes = 50;
        let listing = search(&case.declaration).unwrap().program.listing().to_vec();
        let lines: Vec<String> = listing.iter().map(ToString::to_string).collect();
        let prints = |lines: &[String]| {
            format!(
                r#"{{"parts":[{{"listing":{lines:?}}}],"macros":7,"words":30,"rms":2.5,"stop":"nodes","nodes":50}}"#
            )
        };
        let outcome = run(&case, &prints(&lines), 0).unwrap();
        assert_eq!((outcome.words, outcome.fault, outcome.used_all), (Some(30), None, true));
        let cut = run(&case, &prints(&lines[1..]), 0).unwrap();
        assert!(cut.fault.is_some(), "{cut:?}");
    }

    #[test]
    fn no_program_is_an_outcome_and_a_mistake_is_not() {
        let case = case(1, 1);
        let none = run(&case, "no program found within 5 search nodes", 1).unwrap();
        assert_eq!((none.words, none.figure, none.fault), (None, None, None));
        let error = run(&case, "unexpected argument", 2).unwrap_err();
        assert!(error.contains("case 1: unexpected argument"), "{error}");
        assert!(run(&case, "{}", 0).unwrap_err().contains("cannot read its output"));
    }
}
