//! Runs the command as users do.

mod bad_input;
mod bench;
#[cfg(unix)]
mod campaign;
mod compile;
mod completions;
mod constraints;
mod cpp;
mod data;
mod digital;
mod eval;
mod front_ends;
mod generate;
mod import;
mod in_pixel;
mod lints;
mod machines;
mod native;
mod objectives;
mod onnx;
mod pin;
mod plans;
mod predicted;
mod programs;
mod run;
mod run_sequences;
mod show;
mod sources;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder with a kernel file, in which the command runs.
struct Folder(TempDir);

impl Folder {
    /// A folder with this `kernels.toml`.
    fn new(contents: impl AsRef<[u8]>) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::write(folder.file(), contents).unwrap();
        folder
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("kernels.toml")
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    fn write(&self, file: &str, contents: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap()
    }

    /// `cain` with these arguments.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cain"));
        command.args(args).current_dir(&self.0);
        command
    }

    /// Runs `cain` with these arguments.
    fn cain(&self, args: &[&str]) -> Run {
        self.command(args).output().unwrap().into()
    }
}

/// The outcome of a run of the command.
struct Run {
    succeeded: bool,
    stdout: String,
    stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { succeeded: output.status.success(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Run {
    /// The standard output of a run without any complaint.
    #[track_caller]
    fn good(self) -> String {
        // What takes long tells how far it is.
        let is_progress = |line: &str| line.contains(" nodes, ") && line.ends_with(" plans");
        assert!(self.succeeded && self.stderr.lines().all(is_progress), "{}", self.stderr);
        self.stdout
    }

    /// The lines of the standard error of a run that failed.
    #[track_caller]
    fn bad(&self) -> Vec<&str> {
        assert!(!self.succeeded, "{}", self.stdout);
        self.stderr.lines().collect()
    }
}
