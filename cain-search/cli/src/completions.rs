//! `cain completions`.

use std::io::{self, Write as _};

use clap::{Args, Command};
use clap_complete::Shell;

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

/// Writes the completions of the command; it only fails if the standard output cannot be written.
pub(crate) fn run(args: &Completions, mut command: Command) -> io::Result<bool> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "cain", &mut script);
    io::stdout().lock().write_all(&script).map(|()| true)
}
