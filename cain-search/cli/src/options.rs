//! The options that commands share: what to search for, and how long.

use std::path::Path;
use std::time::Duration;

use cain_codegen::{Overrides, kernel_file};
use cain_isa::{ErrorModel, Fraction, Machine, Range};
use cain_search::{InstructionSet, MaxGain, Objective, OffsetRule, Options, Patience};
use clap::Args;

use crate::threads::Threads;

/// The budget of a filter if neither the kernel file nor the command line sets one. It is larger than that of the
/// macro, which delays every build; each public case takes seconds at most.
pub(crate) const DEFAULT_NODES: u64 = 50_000;

/// Options that override those of the kernel file.
#[derive(Args, Clone, Default)]
pub(crate) struct Search {
    /// Instructions that programs may use: native (single control words), macro (those of the vendor's library) or
    /// basic (those of AUKE) [default: that of the file, or else native]
    #[arg(long, value_parser = kernel_file::instruction_set, value_name = "native|macro|basic")]
    pub(crate) isa: Option<InstructionSet>,

    /// What to minimise: macros (instructions), icws (control words, the time on the chip) or accuracy (the error
    /// predicted for the chip)
    #[arg(long, value_parser = kernel_file::objective)]
    pub(crate) objective: Option<Objective>,

    /// Whether the constant error that each control word adds must be cancelled in every output, or any multiple of it
    /// may remain [default: that of the file, or else cancelled]
    #[arg(long, value_parser = kernel_file::offset_rule, value_name = "cancelled|any")]
    pub(crate) offset: Option<OffsetRule>,

    /// The largest magnitude of an intermediate value, relative to the largest magnitude of an input: a number such as
    /// 2 or 3/2, own (what the registers or the results themselves need) or any [default: that of the file, or else
    /// own]
    #[arg(long, value_parser = kernel_file::max_gain, value_name = "own|any|NUMBER")]
    pub(crate) max_gain: Option<MaxGain>,

    /// The values that inputs can have, in DN, such as 0..127 [default: that of the file, or else all that the
    /// registers hold, -128..127 on SCAMP-5]
    #[arg(long, value_parser = input, value_name = "LO..HI", allow_hyphen_values = true)]
    pub(crate) input: Option<Range>,

    /// The largest root mean square, in DN, that the predicted error of an output may have [default: that of the file,
    /// or else any]
    #[arg(long, value_name = "DN", value_parser = accuracy)]
    pub(crate) accuracy: Option<Fraction>,

    /// The most control words that a program may have [default: that of the file, or else any number]
    #[arg(long, value_name = "WORDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_words: Option<u64>,

    /// A kernel file whose table `[machine]` has the error constants of the chip [default: those in the file, or else
    /// the published ones]
    #[arg(long, value_name = "FILE", value_parser = error_model)]
    pub(crate) chip: Option<ErrorModel>,

    /// Budget per filter in search nodes [default: that of the file, or else 50000]
    #[arg(long, value_parser = nodes)]
    pub(crate) nodes: Option<u64>,

    /// How long a search goes on that finds nothing better: so many times the nodes that it took to find the best program,
    /// or any, which spends the whole budget [default: that of the file, or else 2]
    #[arg(long, value_parser = kernel_file::patience, value_name = "any|TIMES")]
    pub(crate) patience: Option<Patience>,

    /// Search even for kernels that are in the opening book of programs that long searches have found
    #[arg(long)]
    pub(crate) no_book: bool,

    /// Memory per search in MiB [default: that of the file, or else 512]
    #[arg(long, value_name = "MIB", value_parser = memory())]
    pub(crate) memory: Option<u64>,

    /// Time limit per filter in seconds, in addition to the budget in nodes; what is found within it depends on the
    /// speed of this computer
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<Duration>,

    #[command(flatten)]
    pub(crate) threads: Threads,
}

impl Search {
    /// Whether any option is set that affects the result; then plan files are not used.
    pub(crate) fn is_asked_for(&self) -> bool {
        let Self { accuracy, max_words, chip, nodes, patience, no_book, memory, time, .. } = self;
        self.overrides() != Overrides::default()
            || accuracy.is_some()
            || max_words.is_some()
            || chip.is_some()
            || nodes.is_some()
            || patience.is_some()
            || *no_book
            || memory.is_some()
            || time.is_some()
    }

    /// Sets what is common to all searches for sums, as far as it is asked for.
    pub(crate) fn set(&self, options: &mut Options) {
        options.patience = self.patience.unwrap_or(options.patience);
        options.book &= !self.no_book;
    }

    /// The options that determine which filters are valid.
    pub(crate) fn overrides(&self) -> Overrides {
        let Self { isa, objective, offset, input, max_gain, .. } = *self;
        Overrides { instructions: isa, objective, offset, input, max_gain }
    }
}

pub(crate) fn nodes(text: &str) -> Result<u64, String> {
    match text.replace('_', "").parse() {
        Ok(0) => Err("a search needs at least one node".to_owned()),
        Ok(nodes) => Ok(nodes),
        Err(_) => Err("expected a whole number such as 200_000".to_owned()),
    }
}

/// Parses a range of values, for whatever machine.
fn input(text: &str) -> Result<Range, String> {
    let input = kernel_file::input_range(text)?;
    let any = Machine { range: Range { min: i16::MIN, max: i16::MAX }, ..Machine::SCAMP5 };
    let options = Options { input: Some(input), ..Options::default() };
    options.check_input(&any).map(|()| input).map_err(|error| error.to_string())
}

fn accuracy(text: &str) -> Result<Fraction, String> {
    let accuracy = text.parse().ok().filter(|accuracy| *accuracy > Fraction::ZERO);
    accuracy.ok_or_else(|| "expected a number of DN above 0, such as 3 or 0.5".to_owned())
}

fn error_model(path: &str) -> Result<ErrorModel, String> {
    kernel_file::load_machine(Path::new(path)).map(|(_, errors)| errors).map_err(|error| error.to_string())
}

fn memory() -> impl clap::builder::TypedValueParser<Value = u64> {
    clap::value_parser!(u64).range(Options::LEAST_MEMORY..=Options::MOST_MEMORY)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "expected a number of seconds above 0, such as 0.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{nodes, seconds};
    use std::time::Duration;

    #[test]
    fn numbers() {
        assert_eq!(nodes("200_000"), Ok(200_000));
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["0", "", "-1", "x", "1e3", "99999999999999999999"] {
            assert!(nodes(text).is_err(), "{text}");
        }
        for text in ["0", "", "-1", "x", "nan", "inf", "1e300"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
