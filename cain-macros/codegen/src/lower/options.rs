//! Options of the search and of approximation.

use cain_isa::{Fraction, Machine};
use cain_search::{Approximation, DeclarationError, InstructionSet, MaxGain, Objective, OffsetRule, Options, Patience};

use super::bits::{DIGITAL, SUPER_PIXELS};
use crate::errors::Errors;
use crate::tree::{Approximate, At, GainOption, Number, Overrides, PatienceOption, Place, SearchOptions};
use crate::{names, number};

/// The values that an option can have, by name.
struct Choices<T: 'static> {
    /// The name of the option in messages.
    what: &'static str,
    values: &'static [(&'static str, T)],
}

const OBJECTIVES: Choices<Objective> = Choices {
    what: "objective",
    values: &[("macros", Objective::Macros), ("icws", Objective::Icws), ("accuracy", Objective::Accuracy)],
};
const INSTRUCTION_SETS: Choices<InstructionSet> = Choices {
    what: "instruction set",
    values: &[("macro", InstructionSet::Macro), ("basic", InstructionSet::Basic), ("native", InstructionSet::Native)],
};
/// The instruction sets of filters on bits, which are declarations of other kinds.
const OF_BITS: &[&str] = if cfg!(feature = "digital") { &[DIGITAL, SUPER_PIXELS] } else { &[] };
const OFFSET_RULES: Choices<OffsetRule> =
    Choices { what: "offset", values: &[("cancelled", OffsetRule::Cancelled), ("any", OffsetRule::Any)] };
const MAX_GAINS: Choices<MaxGain> =
    Choices { what: "max_gain", values: &[("own", MaxGain::Own), ("any", MaxGain::Any)] };
const PATIENCES: Choices<Patience> = Choices { what: "patience", values: &[("any", Patience::Any)] };

impl<T: Copy + PartialEq> Choices<T> {
    fn find(&self, name: &str) -> Result<T, String> {
        self.find_beside(&[], name)
    }

    /// The value of that name; the message about an unknown name tells the `others` too, which are values elsewhere.
    fn find_beside(&self, others: &[&str], name: &str) -> Result<T, String> {
        if let Some((_, value)) = self.values.iter().find(|(known, _)| *known == name) {
            return Ok(*value);
        }
        let known: Vec<&str> = self.values.iter().map(|(known, _)| *known).chain(others.iter().copied()).collect();
        Err(names::unknown(self.what, name, &known))
    }

    fn name(&self, value: T) -> &'static str {
        self.values.iter().find(|(_, known)| *known == value).map_or("", |(name, _)| name)
    }
}

/// The objective of that name, or what is wrong with the name.
#[cfg(feature = "toml")]
pub fn objective(name: &str) -> Result<Objective, String> {
    find_objective(name)
}

/// Also knows the name of an earlier time.
fn find_objective(name: &str) -> Result<Objective, String> {
    OBJECTIVES.find(name).map_err(|message| match name {
        "noise" => "the objective `noise` is now `accuracy`, the error predicted for the chip".to_owned(),
        _ => message,
    })
}

/// The name by which users choose an objective.
#[must_use]
pub fn objective_name(objective: Objective) -> &'static str {
    OBJECTIVES.name(objective)
}

/// The instruction set of that name, or what is wrong with the name.
#[cfg(feature = "toml")]
pub fn instruction_set(name: &str) -> Result<InstructionSet, String> {
    INSTRUCTION_SETS.find(name)
}

/// The name by which users choose an instruction set.
#[must_use]
pub fn instruction_set_name(instructions: InstructionSet) -> &'static str {
    INSTRUCTION_SETS.name(instructions)
}

/// The rule for offset errors of that name, or what is wrong with the name.
#[cfg(feature = "toml")]
pub fn offset_rule(name: &str) -> Result<OffsetRule, String> {
    OFFSET_RULES.find(name)
}

/// The name by which users choose a rule for offset errors.
pub(crate) fn offset_rule_name(rule: OffsetRule) -> &'static str {
    OFFSET_RULES.name(rule)
}

/// The limit on gains of that name or number, or what is wrong with it.
#[cfg(feature = "toml")]
pub fn max_gain(text: &str) -> Result<MaxGain, String> {
    if text.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return named_gain(text);
    }
    let max_gain =
        text.parse().map(MaxGain::AtMost).map_err(|error: cain_isa::ParseFractionError| error.to_string())?;
    let options = Options { max_gain, ..Options::default() };
    options.check_max_gain().map(|()| max_gain).map_err(|error| error.to_string())
}

fn named_gain(name: &str) -> Result<MaxGain, String> {
    let number = ", or a number such as 3/2";
    MAX_GAINS.find(name).map_err(|message| if message.ends_with('?') { message } else { message + number })
}

/// The limit on gains as users write it.
pub(crate) fn max_gain_name(max_gain: MaxGain) -> String {
    match max_gain {
        MaxGain::AtMost(max_gain) => max_gain.to_string(),
        named => MAX_GAINS.name(named).to_owned(),
    }
}

/// The patience of that name or number, or what is wrong with it.
#[cfg(feature = "toml")]
pub fn patience(text: &str) -> Result<Patience, String> {
    match text.parse() {
        Ok(times) => times_of(times),
        Err(_) => named_patience(text),
    }
}

fn named_patience(name: &str) -> Result<Patience, String> {
    PATIENCES
        .find(name)
        .map_err(|message| if message.ends_with('?') { message } else { message + ", or a number such as 4" })
}

fn times_of(times: u64) -> Result<Patience, String> {
    if times == 0 {
        return Err("a search needs some patience; take at least 1".to_owned());
    }
    Ok(Patience::Times(times))
}

/// The options of the search of a filter, with defaults for options that are missing or wrong.
pub(super) fn search_of_filter<S: Place>(
    given: &SearchOptions<S>,
    machine: &Machine,
    errors: &mut Errors<S>,
) -> Options {
    search_beside(OF_BITS, given, machine, errors)
}

/// The options of the search of what is no filter, with defaults for options that are missing or wrong.
#[cfg(any(feature = "networks", feature = "programs"))]
pub(crate) fn search<S: Place>(given: &SearchOptions<S>, machine: &Machine, errors: &mut Errors<S>) -> Options {
    search_beside(&[], given, machine, errors)
}

/// The options of a search, for which there are these instruction sets besides those of programs on registers.
fn search_beside<S: Place>(
    others: &[&str],
    given: &SearchOptions<S>,
    machine: &Machine,
    errors: &mut Errors<S>,
) -> Options {
    let mut options = Options::default();
    if let Some(nodes) = &given.nodes {
        options.nodes = nodes.value;
        if nodes.value == 0 {
            errors.add(nodes.at, "a search needs at least one node");
        }
    }
    if let Some(given) = &given.patience {
        let patience = match given {
            PatienceOption::Name(name) => named_patience(&name.value),
            PatienceOption::Times(times) => times_of(times.value),
        };
        options.patience = patience.map_err(|message| errors.add(given.at(), message)).unwrap_or_default();
    }
    if let Some(memory) = &given.memory {
        options.memory = memory.value;
        if !(Options::LEAST_MEMORY..=Options::MOST_MEMORY).contains(&memory.value) {
            errors.add(memory.at, DeclarationError::Memory(memory.value));
        }
    }
    if let Some(objective) = &given.objective {
        let found = find_objective(&objective.value).map_err(|message| errors.add(objective.at, message));
        options.objective = found.unwrap_or_default();
    }
    if let Some(isa) = &given.isa {
        let found = INSTRUCTION_SETS.find_beside(others, &isa.value).map_err(|message| errors.add(isa.at, message));
        options.instructions = found.unwrap_or_default();
    }
    if let Some(offset) = &given.offset {
        options.offset = choice(offset, &OFFSET_RULES, errors).unwrap_or_default();
    }
    if let Some(input) = &given.input {
        options.input = Some(input.value);
        if let Err(error) = options.check_input(machine) {
            errors.add(input.at, error);
        }
    }
    if let Some(max_gain) = &given.max_gain {
        options.max_gain = gain(max_gain, errors).unwrap_or_default();
        if let Err(error) = options.check_max_gain() {
            errors.add(max_gain.at(), error);
        }
    }
    if let Some(accuracy) = &given.accuracy {
        options.accuracy = Some(accuracy.value);
        check_exact(accuracy, errors);
        if accuracy.value <= Fraction::ZERO {
            errors.add(accuracy.at, "the error allowed is a number of DN above 0, such as `3`");
        }
    }
    if let Some(max_words) = &given.max_words {
        options.max_words = Some(max_words.value);
        if max_words.value == 0 {
            errors.add(max_words.at, "a program needs control words; allow some, such as `1024`");
        }
    }
    override_with(given.overrides, &mut options);
    options
}

/// Reports an option of filters alone.
#[cfg(any(feature = "networks", feature = "programs"))]
pub(crate) fn refuse_book<S: Place>(given: &SearchOptions<S>, what: &str, errors: &mut Errors<S>) {
    if let Some(book) = &given.book {
        errors.add(
            book.at,
            format_args!("`book` means nothing for {what}; the opening book has only filters; remove it"),
        );
    }
}

fn gain<S: Place>(given: &GainOption<S>, errors: &mut Errors<S>) -> Option<MaxGain> {
    match given {
        GainOption::Name(name) => named_gain(&name.value).map_err(|message| errors.add(name.at, message)).ok(),
        GainOption::AtMost(number) => {
            check_exact(number, errors);
            Some(MaxGain::AtMost(number.value))
        }
    }
}

fn override_with(overrides: Overrides, options: &mut Options) {
    let Overrides { instructions, objective, offset, input, max_gain } = overrides;
    options.instructions = instructions.unwrap_or(options.instructions);
    options.objective = objective.unwrap_or(options.objective);
    options.offset = offset.unwrap_or(options.offset);
    options.input = input.or(options.input);
    options.max_gain = max_gain.unwrap_or(options.max_gain);
}

/// Reports a number that was rounded, although it must be exact.
pub(crate) fn check_exact<S: Place>(number: &Number<S>, errors: &mut Errors<S>) {
    if !number.is_exact {
        errors.add(number.at, number::inexact(&number.text, number.value));
    }
}

fn choice<S: Place, T: Copy + PartialEq>(
    given: &At<String, S>,
    choices: &Choices<T>,
    errors: &mut Errors<S>,
) -> Option<T> {
    choices.find(&given.value).map_err(|message| errors.add(given.at, message)).ok()
}

/// The approximation allowed; `None` if an option is wrong.
pub(crate) fn approximation<S: Place>(given: &Approximate<S>, errors: &mut Errors<S>) -> Option<Approximation> {
    let before = errors.len();
    let mut depth = Approximation::MAX_DEPTH;
    if let Some(given) = &given.depth {
        match u32::try_from(given.value).ok().filter(|given| *given <= depth) {
            Some(given) => depth = given,
            None => errors.add(given.at, format_args!("depth {} is more than {depth} halvings", given.value)),
        }
    }
    let error = given.error.value;
    check_exact(&given.error, errors);
    if error < Fraction::ZERO {
        errors.add(given.error.at, "the error allowed is a sum of absolute changes and not negative");
    }
    (errors.len() == before).then_some(Approximation { depth, error })
}
