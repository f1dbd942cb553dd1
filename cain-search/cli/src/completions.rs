//! `cain completions`.

use std::io::{self, Write as _};

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::args::Cli;

/// Write completions of this command line for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain completions bash > ~/.local/share/bash-completion/completions/cain
  cain completions zsh > ~/.zfunc/_cain
  cain completions fish > ~/.config/fish/completions/cain.fish")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Writes the completions; it only fails if the standard output cannot be written.
pub(crate) fn run(args: &Completions) -> io::Result<bool> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cain", &mut script);
    io::stdout().lock().write_all(&script).map(|()| true)
}
