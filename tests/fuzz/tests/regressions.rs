//! Runs every input that once found a fault, each in a process of its own: some faults do not panic but end the
//! process.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use cain_fuzz::{folder, targets};

#[test]
fn no_fault_comes_back() {
    let all: Vec<(&str, PathBuf)> = targets::ALL
        .iter()
        .flat_map(|target| files(target.name).into_iter().map(move |file| (target.name, file)))
        .collect();
    let count = all.len();
    let mut faults = Vec::new();
    for some in all.chunks(thread::available_parallelism().map_or(1, NonZero::get)) {
        let started: Vec<Child> = some.iter().map(|(target, file)| replay(target, file)).collect();
        for ((_, file), child) in some.iter().zip(started) {
            let run = child.wait_with_output().unwrap();
            if !run.status.success() {
                faults.push(format!("{}: {}\n{}", file.display(), run.status, String::from_utf8_lossy(&run.stderr)));
            }
        }
    }
    assert!(count > 10, "{count} inputs");
    assert!(faults.is_empty(), "{} of {count} inputs find faults:\n{}", faults.len(), faults.join("\n"));
}

fn replay(target: &str, file: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cain-fuzz"));
    command.arg(target).arg("--replay").arg(file).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// The inputs of a target, by name.
fn files(target: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder("regressions").join(target)) else { return Vec::new() };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Files in a folder that belongs to no target would never be read.
#[test]
fn every_folder_is_that_of_a_target() {
    for kind in ["corpus", "regressions"] {
        for entry in fs::read_dir(folder(kind)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            assert!(path.is_file() || targets::find(name).is_some(), "{kind}/{name}");
        }
    }
}
