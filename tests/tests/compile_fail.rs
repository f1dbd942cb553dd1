//! The messages about mistakes that do not compile: those of `ui/NAME.rs` are in `ui/NAME.stderr`.
//!
//! The compiler is called with the libraries that the tests are built with, so that nothing is built for this test alone.
//! With `UPDATE_MESSAGES` set it writes the files. The compiler's own part of the messages is that of the stable release
//! that this project is developed with.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const UPDATE: &str = "UPDATE_MESSAGES";

#[test]
fn mistakes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = fs::read_dir(root.join("ui")).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> = entries.filter(|path| path.extension() == Some(OsStr::new("rs"))).collect();
    cases.sort();
    assert!(!cases.is_empty());
    let runtime = runtime();
    let output = tempfile::tempdir().unwrap();
    let next = AtomicUsize::new(0);
    let check_some = || {
        let mut wrong = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            wrong.extend(check(case, &messages(case, &runtime, root, output.path())));
        }
        wrong
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let wrong: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(check_some)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}\nset {UPDATE} to write the files", wrong.join("\n"));
}

/// The library of the runtime that the tests are built with, as cargo names it where all packages share their features.
fn runtime() -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .args(["build", "--workspace", "--test", "compile_fail", "--locked", "--message-format=json"])
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let messages = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let artifacts = messages.filter(|message| message["target"]["name"] == "cain_runtime");
    let files: Vec<PathBuf> = artifacts
        .flat_map(|artifact| artifact["filenames"].as_array().cloned().unwrap_or_default())
        .filter_map(|file| file.as_str().map(PathBuf::from))
        .filter(|file| file.extension() == Some(OsStr::new("rlib")))
        .collect();
    let [library] = files.as_slice() else { panic!("one library of `cain-runtime` expected: {files:?}") };
    library.clone()
}

/// What the compiler says about a source, without its summary.
fn messages(source: &Path, runtime: &Path, root: &Path, output: &Path) -> String {
    let compiled = Command::new("rustc")
        .current_dir(root)
        .env_remove("CAIN_PLANS")
        .args(["--edition=2024", "--emit=metadata", "--color=never", "--diagnostic-width=140"])
        .arg("--extern")
        .arg(format!("cain_runtime={}", runtime.display()))
        .arg("-L")
        .arg(format!("dependency={}", runtime.parent().unwrap().display()))
        .arg("--out-dir")
        .arg(output)
        .arg(source.strip_prefix(root).unwrap())
        .output()
        .unwrap();
    let text = String::from_utf8(compiled.stderr).unwrap();
    assert!(!compiled.status.success(), "{} compiles:\n{text}", source.display());
    let is_summary = |line: &str| {
        ["error: aborting due to ", "For more information about ", "Some errors have detailed explanations: "]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let lines: Vec<&str> = text.lines().filter(|line| !is_summary(line)).collect();
    format!("{}\n", lines.join("\n").trim_end())
}

/// Compares messages with the file beside the source, or writes it; the difference.
fn check(source: &Path, found: &str) -> Option<String> {
    let path = source.with_extension("stderr");
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, found).unwrap();
        return None;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if expected == found {
        return None;
    }
    let same = expected.lines().zip(found.lines()).take_while(|(expected, found)| expected == found).count();
    let mut difference = format!("{}:{}: other messages\n", path.display(), same + 1);
    for (sign, text) in [('-', expected.as_str()), ('+', found)] {
        for line in text.lines().skip(same) {
            writeln!(difference, "{sign} {line}").unwrap();
        }
    }
    Some(difference)
}
