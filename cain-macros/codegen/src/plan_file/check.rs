//! Verifying a plan file against a declaration.

#[cfg(feature = "networks")]
use cain_isa::Instruction;
use cain_isa::prove::{ProveError, Report};
use cain_isa::{Cost, Stop};
use cain_search::{Declaration, Objective, Proved, Solution, VerifyError, verify_within};

use super::{Condition, Fault, PlanFile, Refused, identity};
use crate::diagnostic::{Diagnostic, Position};

/// The most instructions that a program may have per weight of its filter. A program never needs more, even if it moves,
/// doubles, halves and adds the pixel of each weight separately; a longer one could take minutes to replay.
const MOST_PER_WEIGHT: usize = 128;
/// The most weights that a program may read: this many for each pair of weights of the filter, and as many as
/// [`ALWAYS_READ`] in any case.
///
/// Intermediate values have no limit of their own, because terms may cancel in the end; only the effort of the replay is
/// limited. The most wasteful sensible program adds up the pixels one by one, and for each weight reads the sum so far,
/// which is no larger than the filter, a few times. This limit allows sums many times that size for every instruction, and
/// values of hundreds of pixels even for a filter of a single weight.
const MOST_READ_PER_PAIR: u64 = 64;
const ALWAYS_READ: u64 = 1 << 16;
/// The most characters of a line that a message shows.
const SHOWN: usize = 60;
/// How many of them are before the first difference.
const SHOWN_BEFORE: usize = 12;

impl PlanFile {
    /// The verified program, if the file is the plan of that declaration.
    pub(super) fn solution(&self, declaration: &Declaration) -> Result<Solution, Refused> {
        let program = self.program(declaration);
        if let Some(difference) = difference(&self.identity, &identity(declaration)) {
            return Err(Refused { fault: Fault::Stale(difference), program: program.ok().map(Box::new) });
        }
        let program = program.map_err(|problem| Refused { fault: Fault::Corrupt(problem), program: None })?;
        match self.check_cost(program.report()).and_then(|()| self.check_proved(&program)) {
            Ok(()) => Ok(Solution { program, statistics: self.statistics }),
            Err(problem) => Err(Refused { fault: Fault::Corrupt(problem), program: Some(Box::new(program)) }),
        }
    }

    /// The program, if it computes that declaration, even if other parts of the file are wrong.
    fn program(&self, declaration: &Declaration) -> Result<Proved, Diagnostic> {
        self.check_length(declaration)?;
        verify_within(declaration, &self.listing, most_read(declaration)).map_err(|error| {
            let message = match error {
                VerifyError::Unprovable { error: limit @ ProveError::Limit(_), .. } => {
                    format!("{limit}, more than the filter can need")
                }
                _ => error.to_string(),
            };
            problem(self.line_of_instruction(error.index().unwrap_or_default()), message)
        })
    }

    /// Checks that the program is short enough to be replayed in no time.
    fn check_length(&self, declaration: &Declaration) -> Result<(), Diagnostic> {
        let most = MOST_PER_WEIGHT * weights(declaration);
        if self.listing.len() <= most {
            return Ok(());
        }
        let message = format!("the program has more than {most} instructions, more than the filter can need");
        Err(problem(self.line_of_instruction(most), message))
    }

    fn check_cost(&self, report: &Report) -> Result<(), Diagnostic> {
        let Report { macros, icws, peak_gain, .. } = *report;
        if self.cost == (Cost { macros, icws, peak_gain }) {
            return Ok(());
        }
        let costs = format!("macros={macros} icws={icws} peak_gain={peak_gain}");
        Err(problem(self.line_of_cost(), format!("these are not the costs of the program, which has {costs}")))
    }

    /// Checks the lower bound, which is not proved again, for contradictions with the program.
    fn check_proved(&self, program: &Proved) -> Result<(), Diagnostic> {
        let (bound, length) = (u64::from(self.statistics.lower_bound), program.listing().len() as u64);
        let objective = program.declaration().options.objective;
        let is_shortest = self.statistics.stop == Stop::Proved && objective == Objective::Macros;
        if length < bound {
            let message = format!("the program has {length} instructions, fewer than any could have");
            return Err(problem(self.line_of_proved(), message));
        }
        if is_shortest && length > bound {
            let message = format!("the program has {length} instructions and is not proved shortest by that");
            return Err(problem(self.line_of_proved(), message));
        }
        Ok(())
    }
}

/// The first difference of an identity from the one that is wanted.
pub(super) fn difference(identity: &[Condition], wanted: &[Condition]) -> Option<Diagnostic> {
    let count = identity.len().max(wanted.len());
    let index = (0..count).find(|&index| identity.get(index) != wanted.get(index))?;
    let text = |lines: &[Condition]| match lines.get(index) {
        Some(Condition { key, value }) => format!("{key}: {value}"),
        None => String::new(),
    };
    let (found, wanted) = (text(identity), text(wanted));
    let same = found.chars().zip(wanted.chars()).take_while(|(a, b)| a == b).count();
    let (found, wanted) = (excerpt(&found, same), excerpt(&wanted, same));
    let message = format!("the plan is for another filter or other options: {found} instead of {wanted}");
    Some(Diagnostic { place: Position { line: PlanFile::line_of_condition(index), column: same + 1 }, message })
}

/// A program that was read from a file, verified with limits for the effort.
#[cfg(feature = "networks")]
pub(super) fn verify(declaration: &Declaration, listing: &[Instruction]) -> Option<Proved> {
    let is_short = listing.len() <= MOST_PER_WEIGHT * weights(declaration);
    is_short.then(|| verify_within(declaration, listing, most_read(declaration)).ok()).flatten()
}

/// The number of weights of all outputs, plus one for each so that outputs of zero count.
fn weights(declaration: &Declaration) -> usize {
    declaration.weights() + declaration.outputs.len()
}

/// The most weights that a program for this declaration may read.
fn most_read(declaration: &Declaration) -> u64 {
    let weights = weights(declaration) as u64;
    ALWAYS_READ.saturating_add(MOST_READ_PER_PAIR.saturating_mul(weights.saturating_mul(weights)))
}

pub(super) fn problem(line: usize, message: String) -> Diagnostic {
    Diagnostic { place: Position { line, column: 1 }, message }
}

/// The part of a line around the first difference; `same` is the number of characters before it.
fn excerpt(line: &str, same: usize) -> String {
    if line.is_empty() {
        return "nothing".to_owned();
    }
    let skipped = if line.chars().count() > SHOWN { same.saturating_sub(SHOWN_BEFORE) } else { 0 };
    let mut rest = line.chars().skip(skipped);
    let shown: String = rest.by_ref().take(SHOWN).collect();
    let mark = |missing: bool| if missing { "…" } else { "" };
    format!("`{}{shown}{}`", mark(skipped > 0), mark(rest.next().is_some()))
}
