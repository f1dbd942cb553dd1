//! The commands of a page and their output.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use snapbox::{Assert, IntoData};

use crate::root;

/// The command line that starts `cain` from a checkout.
const FROM_CHECKOUT: &str = "cargo run --release -q -p cain-cli -- ";

/// A command, and the output that the page shows for it.
#[derive(Debug, PartialEq)]
pub(crate) struct Line<'t> {
    command: &'t str,
    /// The output; `None` if the block shows commands only.
    output: Option<String>,
}

/// The lines of a `console` block: commands behind a prompt, with their output below.
pub(crate) fn with_output(text: &str) -> Result<Vec<Line<'_>>, String> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("$ "), lines.last_mut()) {
            (Some(command), _) => lines.push(Line { command, output: Some(String::new()) }),
            (None, Some(Line { output: Some(output), .. })) => {
                output.push_str(line);
                output.push('\n');
            }
            (None, _) => return Err(format!("no command precedes `{line}`; commands begin with `$ `")),
        }
    }
    Ok(lines)
}

/// The lines of a `sh` block.
pub(crate) fn without_output(text: &str) -> Vec<Line<'_>> {
    let commands = text.lines().filter(|line| !line.trim_start().starts_with('#') && !line.trim().is_empty());
    commands.map(|command| Line { command, output: None }).collect()
}

impl Line<'_> {
    /// The problem when it runs in a folder, if any.
    pub(crate) fn problem(&self, folder: &Path) -> Option<String> {
        if let (Some(file), Some(text)) = (self.command.strip_prefix("cat "), &self.output)
            && !folder.join(file).exists()
        {
            // The page shows a file that the reader should write.
            fs::write(folder.join(file), text).unwrap();
            return None;
        }
        let command = match self.command.strip_prefix(FROM_CHECKOUT) {
            Some(arguments) => format!("cain {arguments}"),
            None if self.command.starts_with("cargo ") => return self.is_left_to_ci(),
            None => self.command.to_owned(),
        };
        let program = Path::new(env!("CARGO_BIN_EXE_cain"));
        let path = env::join_paths(
            program.parent().map(Path::to_owned).into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap())),
        );
        let run = Command::new("sh")
            .args(["-c", &format!("{{ {command}\n}} 2>&1")])
            .current_dir(folder)
            .env("PATH", path.unwrap())
            .env_remove("CAIN_PLANS")
            .output()
            .unwrap();
        let printed = String::from_utf8(run.stdout).unwrap();
        match &self.output {
            Some(shown) => Assert::new()
                .try_eq(Some(&self.command), printed.into_data(), shown.clone().into_data())
                .err()
                .map(|difference| difference.to_string()),
            None => (!run.status.success()).then(|| format!("`{}` fails:\n{printed}", self.command)),
        }
    }

    /// Builds of the project itself are a part of what `.ci/run` or `.ci/release` does, with what they print.
    fn is_left_to_ci(&self) -> Option<String> {
        let read = |script| fs::read_to_string(root().join(".ci").join(script)).unwrap();
        let ci = (read("run") + &read("release")).replace(" --locked", "").replace("--package", "-p");
        let command = self.command.split(" -- ").next().unwrap_or(self.command);
        (!ci.contains(command)).then(|| format!("`{command}` is neither in .ci/run nor in .ci/release"))
    }
}

#[test]
fn sessions_are_taken_apart() {
    let session = with_output("$ a\nb\nc\n$ d\n").unwrap();
    let line = |command, output: &str| Line { command, output: Some(output.to_owned()) };
    assert_eq!(session, [line("a", "b\nc\n"), line("d", "")]);
    assert!(with_output("a\n").is_err());
}
