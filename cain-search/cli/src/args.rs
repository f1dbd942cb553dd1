//! The command line as a whole; each command describes its own part of it.

use clap::{Parser, Subcommand};

use crate::bench::Bench;
use crate::compile::Compile;
use crate::completions::Completions;
use crate::eval::Eval;
use crate::generate::Generate;
use crate::import::Import;
use crate::pin::Pin;
use crate::run::Run;
use crate::show::Show;

/// Compiles convolution kernels to short programs for the SCAMP-5 focal-plane processor
#[derive(Parser)]
#[command(name = "cain", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Compile(Compile),
    Show(Show),
    Run(Run),
    Pin(Pin),
    Import(Import),
    Eval(Eval),
    Generate(Generate),
    Bench(Bench),
    Completions(Completions),
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use crate::options::DEFAULT_NODES;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_help_tells_the_default_budget() {
        let mut command = Cli::command();
        let help = command.find_subcommand_mut("compile").unwrap().render_long_help().to_string();
        assert!(help.contains(&format!("else {DEFAULT_NODES}]")), "{help}");
    }
}
