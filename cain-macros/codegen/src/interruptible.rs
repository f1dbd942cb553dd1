//! `interruptible`: where a filter may be left for others, and how long those may have to wait.

use std::collections::BTreeMap;

use cain_search::Proved;
use cain_search::switches::{SwitchError, SwitchTable};

use crate::compile::Plan;
use crate::errors::Errors;
use crate::names;
use crate::tree::{At, Interruptible};

/// More registers than this are not suggested.
const MOST_MORE: usize = 8;

/// What is to be known of a filter that may interrupt or be interrupted.
pub(crate) struct Candidate<'c, S> {
    pub(crate) name: &'c str,
    /// Whether its program runs in the registers that it names, and not in any.
    pub(crate) is_fixed: bool,
    pub(crate) interruptible: Option<&'c Interruptible<S>>,
    /// `None` if it has no program, for a reason that is reported elsewhere.
    pub(crate) plan: Option<&'c Plan>,
}

/// A filter as far as others need to know it.
#[derive(Clone, Copy)]
enum Known<'c> {
    Program(&'c Proved),
    /// It has no program, for a reason that is reported elsewhere.
    Nothing,
    /// It runs in any registers.
    Anywhere,
}

/// The tables of each filter, for those that may interrupt it.
pub(crate) fn tables_of_all<S: Copy>(all: &[Candidate<'_, S>], errors: &mut Errors<S>) -> Vec<Vec<SwitchTable>> {
    let mut programs = BTreeMap::new();
    for candidate in all {
        programs.insert(candidate.name.to_owned(), candidate.known());
    }
    all.iter().map(|candidate| tables(candidate, &programs, errors)).collect()
}

impl<'c, S> Candidate<'c, S> {
    fn known(&self) -> Known<'c> {
        match self.plan {
            _ if !self.is_fixed => Known::Anywhere,
            Some(plan) => Known::Program(&plan.solution.program),
            None => Known::Nothing,
        }
    }
}

/// The tables of a filter for those that may interrupt it, which are among `programs`.
///
/// While the first of them runs, the second may interrupt that one, and so on. So the table for one of them is made for
/// all from it on.
fn tables<S: Copy>(
    candidate: &Candidate<'_, S>,
    programs: &BTreeMap<String, Known<'_>>,
    errors: &mut Errors<S>,
) -> Vec<SwitchTable> {
    let Some(interruptible) = candidate.interruptible else { return Vec::new() };
    let own = candidate.name;
    let mut others: Vec<(&At<String, S>, &Proved)> = Vec::new();
    for other in &interruptible.by {
        match programs.get(&other.value) {
            _ if other.value == *own => errors.add(other.at, format_args!("`{own}` cannot interrupt itself")),
            _ if !candidate.is_fixed => errors.add(other.at, in_any_registers(own)),
            _ if others.iter().any(|(earlier, _)| earlier.value == other.value) => {
                errors.add(other.at, format_args!("`{}` is listed twice", other.value));
            }
            Some(Known::Program(program)) => others.push((other, program)),
            Some(Known::Nothing) => {}
            Some(Known::Anywhere) => errors.add(other.at, in_any_registers(&other.value)),
            None => {
                let known: Vec<&str> = programs.keys().map(String::as_str).filter(|name| *name != own).collect();
                errors.add(other.at, names::unknown("filter", &other.value, &known));
            }
        }
    }
    let Known::Program(program) = candidate.known() else { return Vec::new() };
    let from_each_on = (0..others.len()).filter_map(|first| others.get(first..));
    from_each_on.filter_map(|others| table(interruptible, program, others, errors)).collect()
}

fn in_any_registers(name: &str) -> String {
    format!(
        "`{name}` runs in any registers, so that nobody knows which are free; declare it in registers of the machine"
    )
}

/// The table for a filter, which others may interrupt in turn.
fn table<S: Copy>(
    interruptible: &Interruptible<S>,
    program: &Proved,
    others: &[(&At<String, S>, &Proved)],
    errors: &mut Errors<S>,
) -> Option<SwitchTable> {
    let (first, _) = others.first()?;
    let overwritten = SwitchTable::overwritten(others.iter().map(|(_, program)| *program));
    let table = match SwitchTable::of(program, overwritten) {
        Ok(table) => table,
        Err(error @ SwitchError::Foreign { .. }) => {
            errors.add(first.at, error);
            return None;
        }
        Err(error) => {
            errors.add(first.at, format_args!("`{}` cannot be left for `{}`: {error}", name(program), first.value));
            return None;
        }
    };
    let Some(wanted) = &interruptible.latency else { return Some(table) };
    let word = u64::from(program.declaration().machine.times.analogue);
    let takes = |words: u32| u64::from(words) * word;
    if takes(table.latency()) <= wanted.value {
        return Some(table);
    }
    let with = |more: usize| SwitchTable::latency_with(program, overwritten, more).map(|words| (more, words));
    let enough = (1..=MOST_MORE).filter_map(with).find(|&(_, words)| takes(words) <= wanted.value);
    let shown = |words: u32| {
        let plural = if words == 1 { "" } else { "s" };
        format!("{words} control word{plural} ({})", microseconds(takes(words)))
    };
    let remedy = match enough {
        Some((1, words)) => {
            format!("with one more register in `using` that it does not use, {} would do", shown(words))
        }
        Some((more, words)) => {
            format!("with {more} more registers in `using` that it does not use, {} would do", shown(words))
        }
        None => "more registers do not help".to_owned(),
    };
    let (own, other, longest) = (name(program), &first.value, shown(table.latency()));
    errors.add(wanted.at, format_args!("`{other}` may have to wait for `{own}` for up to {longest}; {remedy}"));
    None
}

fn name(program: &Proved) -> &str {
    &program.declaration().name
}

/// A time in microseconds with two digits.
pub(crate) fn microseconds(nanoseconds: u64) -> String {
    format!("{}.{:02} µs", nanoseconds / 1000, nanoseconds % 1000 / 10)
}
