//! Compares builds as users do; the builds are scripts that find nothing, or say what they are asked.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A folder with two builds.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        // Each call leaves a line, so that the tests see what was searched.
        let script = "[ \"$2\" = --help ] && exit\necho \"$@\" >> \"$(dirname \"$0\")/calls\"\necho 'no program found' >&2\nexit 1";
        folder.build("a", script);
        folder.build("b", &format!("{script}\n# another one"));
        folder
    }

    fn build(&self, name: &str, script: &str) {
        fs::write(self.path(name), format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Whether it succeeds, what it prints, and its messages.
    fn compare(&self, args: &[&str]) -> (bool, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cain-experiments"));
        let output = command.args(["compare", "a", "b"]).args(args).current_dir(&self.0).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.success(), text(output.stdout), text(output.stderr))
    }

    /// The calls of both builds since the last time.
    fn calls(&self) -> Vec<String> {
        let calls = fs::read_to_string(self.path("calls")).unwrap_or_default();
        let _ = fs::remove_file(self.path("calls"));
        calls.lines().map(str::to_owned).collect()
    }
}

/// The cells of the row of a stratum.
fn row<'t>(table: &'t str, stratum: &str) -> Vec<&'t str> {
    let line = table.lines().find(|line| line.starts_with(&format!("{stratum} "))).expect(table);
    line[stratum.len()..].split_whitespace().collect()
}

#[test]
fn every_case_is_given_to_both_builds() {
    let folder = Folder::new();
    let (succeeded, table, messages) =
        folder.compare(&["--size", "12", "--seed", "7", "--nodes", "99", "--with-b", "--patience any"]);
    assert!(succeeded, "{messages}");
    assert!(messages.starts_with("seed 7, 12 cases\n"), "{messages}");
    let all = row(&table, "all");
    assert_eq!(all[..11], ["12", "12", "12", "-", "-", "-", "-", "-", "0", "0", "1.000"], "{table}");
    assert_eq!(all.last(), Some(&"equal"));
    let calls = folder.calls();
    assert_eq!(calls.len(), 24);
    assert!(calls.iter().all(|call| call.contains("--json --threads 1 --nodes 99")), "{calls:?}");
    assert_eq!(calls.iter().filter(|call| call.ends_with("--patience any")).count(), 12);
}

#[test]
fn without_a_seed_the_corpus_is_a_new_one() {
    let folder = Folder::new();
    let seeds = [(); 3].map(|()| {
        let (_, _, messages) = folder.compare(&["--size", "1"]);
        messages.lines().next().unwrap().to_owned()
    });
    assert!(seeds.iter().any(|seed| *seed != seeds[0]), "{seeds:?}");
}

#[test]
fn a_checkpoint_is_continued() {
    let folder = Folder::new();
    let args = |size| ["--size", size, "--checkpoint", "pairs"];
    let (succeeded, _, messages) = folder.compare(&args("4"));
    assert!(succeeded, "{messages}");
    let seed = messages.split([' ', ',']).nth(1).unwrap().to_owned();
    assert_eq!(folder.calls().len(), 8);
    // A line that was not completed is done again.
    let path = folder.path("pairs");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text[..text.len() - 9]).unwrap();
    let (succeeded, table, messages) = folder.compare(&args("6"));
    assert!(succeeded && messages.starts_with(&format!("seed {seed}, 6 cases\n")), "{messages}");
    assert_eq!(row(&table, "all")[0], "6");
    assert_eq!(folder.calls().len(), 6);
    // The whole is the same as in one go.
    let (_, again, _) = folder.compare(&args("6"));
    assert_eq!((again, folder.calls().len()), (table, 0));
    let lines = fs::read_to_string(&path).unwrap();
    assert_eq!(lines.lines().count(), 1 + 6);

    for other in [&["--nodes", "77"][..], &["--seed", "1000001"], &["--equal-cpu"]] {
        let (succeeded, _, messages) = folder.compare(&[&args("6")[..], other].concat());
        assert!(
            !succeeded && messages.starts_with("pairs: this is the checkpoint of another comparison"),
            "{messages}"
        );
    }
    folder.build("b", "exit 1");
    assert!(folder.compare(&args("6")).2.contains("another comparison"));
}

#[test]
fn what_is_wrong_is_told() {
    let folder = Folder::new();
    fs::write(folder.path("text"), "no checkpoint\n").unwrap();
    let (_, _, messages) = folder.compare(&["--checkpoint", "text"]);
    assert_eq!(messages, "text: this is no checkpoint\n");

    folder.build("b", "echo \"unexpected argument '--patience'\" >&2; exit 2");
    let (succeeded, table, messages) = folder.compare(&["--size", "3", "--seed", "1"]);
    assert!(!succeeded && table.is_empty());
    assert!(messages.ends_with("b: case 1: unexpected argument '--patience'\n"), "{messages}");

    fs::remove_file(folder.path("b")).unwrap();
    let (_, _, messages) = folder.compare(&[]);
    assert!(messages.starts_with("b: No such file"), "{messages}");
}

#[test]
fn the_table_is_also_for_programs() {
    let folder = Folder::new();
    let (succeeded, stdout, _) = folder.compare(&["--size", "2", "--seed", "3", "--out", "tables"]);
    assert!(succeeded && stdout.ends_with("tables/compare.csv\n"), "{stdout}");
    let csv = fs::read_to_string(Path::new(&folder.path("tables")).join("compare.csv")).unwrap();
    assert!(csv.starts_with("seed,nodes,stratum,cases,none_a,none_b,words_a,"), "{csv}");
}
