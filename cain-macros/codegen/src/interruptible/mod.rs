//! `interruptible`: which filters may interrupt one, and what they overwrite.

mod resolve;
#[cfg(all(test, feature = "toml"))]
mod tests;

use cain_isa::{Bit, Cells, Dreg, Machine, Reg, Registers};
#[cfg(feature = "networks")]
use cain_network::{self, Network, Obstacle};
use cain_search::switches::SwitchError;
use cain_search::{Declaration, DeclarationError, Interruption, SearchError};

pub(crate) use resolve::resolve;

use crate::duration::microseconds;
use crate::errors::Errors;
use crate::kinds::{Mistake, Part};
use crate::lower::Planes;
use crate::names;
use crate::tree::{Header, Interruptible};

/// How a filter says in which registers it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// It lists them.
    Listed,
    /// It lists inputs and outputs, and may overwrite all others.
    All,
    /// It runs in any registers.
    Any,
}

impl Choice {
    pub(crate) fn of<S>(header: &Header<S>, planes: Option<&Planes>) -> Self {
        match (planes, &header.scratch) {
            (Some(_), _) => Self::Any,
            (None, Some(_)) => Self::Listed,
            (None, None) => Self::All,
        }
    }
}

/// What may interrupt something that is no filter, `a network` or so: programs on registers, since filters have other blocks;
/// nothing after a mistake.
#[cfg(feature = "networks")]
pub(crate) fn by_registers<S: Copy>(
    what: &str,
    interruptible: &Interruptible<S>,
    machine: &Machine,
    errors: &mut Errors<S>,
) -> Option<Interruption> {
    for name in &interruptible.by {
        errors.add(
            name.at,
            format_args!("{what} lists the registers that others overwrite; use `registers` in place of `by`"),
        );
    }
    let others = registers_of_others(interruptible, machine, errors)?;
    interruptible.by.is_empty().then(|| Interruption::new(vec![others], words(interruptible, machine)))
}

/// The longest that others may have to wait, in control words.
fn words<S>(interruptible: &Interruptible<S>, machine: &Machine) -> Option<u32> {
    let word = u64::from(machine.times.analogue.max(1));
    let latency = interruptible.latency.as_ref()?;
    Some(u32::try_from(latency.value / word).unwrap_or(u32::MAX))
}

/// What others overwrite that are named by their registers only; `None` after a mistake.
fn registers_of_others<S: Copy>(
    interruptible: &Interruptible<S>,
    machine: &Machine,
    errors: &mut Errors<S>,
) -> Option<Cells> {
    let before = errors.len();
    let mut cells = Cells::NONE;
    for name in &interruptible.registers {
        match cell(&name.value, machine) {
            Ok(cell) => cells = cells.union(cell),
            Err(message) => errors.add(name.at, message),
        }
    }
    (errors.len() == before).then_some(cells)
}

/// An analogue or a digital register of a machine.
fn cell(name: &str, machine: &Machine) -> Result<Cells, String> {
    let analogue = name.parse::<Reg>().ok().filter(|&reg| machine.registers.contains(reg)).map(Cells::register);
    let digital = name.parse::<Dreg>().ok().filter(|register| register.number() < machine.bits);
    analogue.or(digital.map(|register| Cells::bit(Bit::Reg(register)))).ok_or_else(|| {
        let analogue = machine.registers.iter().map(|reg| reg.to_string());
        let digital = Dreg::ALL.iter().filter(|register| register.number() < machine.bits).map(ToString::to_string);
        let known: Vec<String> = analogue.chain(digital).collect();
        names::unknown("register", name, &known.iter().map(String::as_str).collect::<Vec<_>>())
    })
}

/// Who may have to wait for a filter, as messages say it; nothing if nobody interrupts it.
pub(crate) fn waiting<S>(interruptible: &Interruptible<S>) -> Option<String> {
    let by = interruptible.by.first().map(|by| format!("`{}`", by.value));
    by.or_else(|| interruptible.registers.first().map(|_| "another program".to_owned()))
}

/// What is wrong if an error is about being interrupted by those that are `waiting`; nothing for other errors.
pub(crate) fn failure(error: &SearchError, declaration: &Declaration, waiting: &str) -> Option<Mistake> {
    let own = &declaration.name;
    match error {
        SearchError::Declaration(DeclarationError::OverwrittenByOthers(_)) => {
            Some(Mistake::new(Part::Interruption, error))
        }
        SearchError::Interruption { error: SwitchError::Latency { latency: longest, .. }, enough } => {
            let time = |words| shown(words, &declaration.machine);
            let remedy = match *enough {
                Some((more, words)) if more <= unnamed(declaration) => {
                    format!("with {} that it does not use, {} would do", more_registers(more), time(words))
                }
                Some((more, words)) => format!(
                    "if it used {more} fewer of its registers, {} would do; the machine has no more than are named",
                    time(words)
                ),
                None => {
                    let least = u64::from(*longest) * u64::from(declaration.machine.times.analogue);
                    format!("more registers do not help, but a `latency` of {least} ns would allow it")
                }
            };
            let longest = time(*longest);
            let message = format!("{waiting} may have to wait for `{own}` for up to {longest}; {remedy}");
            Some(Mistake::new(Part::Latency, message))
        }
        SearchError::Interruption { error: error @ SwitchError::NoRoom { missing, .. }, .. } => {
            let remedy = if *missing <= unnamed(declaration) {
                format!("{} that those do not use would do", more_registers(*missing))
            } else {
                format!(
                    "the machine has no register left for that, so let those leave {missing} of these alone, or take a \
                     machine with {missing} more"
                )
            };
            Some(Mistake::new(Part::Interruption, format!("`{own}` cannot be left for {waiting}: {error}; {remedy}")))
        }
        SearchError::Interruption { error, .. } => {
            Some(Mistake::new(Part::Interruption, format!("`{own}` cannot be left for {waiting}: {error}")))
        }
        _ => None,
    }
}

/// All registers that a declaration names.
fn registers(declaration: &Declaration) -> Registers {
    let inputs = declaration.inputs.iter().map(|input| input.reg);
    inputs.chain(declaration.writable()).collect()
}

/// The number of registers of the machine that a declaration does not name and those that may interrupt it do not use.
fn unnamed(declaration: &Declaration) -> usize {
    let named = registers(declaration);
    let others = declaration.options.interruption.as_ref().map_or(Cells::NONE, Interruption::all);
    declaration.machine.registers.without(named).without(others.analogue()).len()
}

/// So many registers that a filter does not name so far.
fn more_registers(more: usize) -> String {
    let registers = if more == 1 { "one more register".to_owned() } else { format!("{more} more registers") };
    format!("{registers} in `using` (in kernel files `scratch`)")
}

/// The message that a network cannot be interrupted; nothing for other errors.
#[cfg(feature = "networks")]
pub(crate) fn network_failure(error: &cain_network::CompileError, network: &Network) -> Option<String> {
    let Obstacle::Interruption { error, enough } = &*error.obstacle else { return None };
    Some(steps_failure(&network.name, error, *enough, &network.machine))
}

/// The message that a program of a controller's steps cannot be interrupted, for which so many registers would be enough.
#[cfg(feature = "networks")]
pub(crate) fn steps_failure(name: &str, error: &SwitchError, enough: Option<usize>, machine: &Machine) -> String {
    let what = match error {
        SwitchError::Latency { latency, .. } => {
            format!("others may have to wait for `{name}` for up to {}", shown(*latency, machine))
        }
        SwitchError::NoRoom { results, .. } => {
            let results: Vec<String> = results.iter().map(|reg| format!("`{reg}`")).collect();
            let results = results.join(", ");
            format!(
                "`{name}` cannot be left: at its end it holds results in {results}, and others overwrite all free registers"
            )
        }
        error => format!("`{name}` cannot be left: {error}"),
    };
    match enough {
        Some(enough) => {
            format!("{what}; with {enough} analogue registers that they do not use it is never in their way")
        }
        None => format!("{what}; let them use fewer registers, or wait longer"),
    }
}

/// So many control words and their time.
fn shown(words: u32, machine: &Machine) -> String {
    let plural = if words == 1 { "" } else { "s" };
    format!("{words} control word{plural} ({})", microseconds(u64::from(words) * u64::from(machine.times.analogue)))
}
