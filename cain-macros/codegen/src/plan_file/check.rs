//! Whether a plan is right for a declaration.

use cain_isa::prove::{ProveError, Report};
use cain_isa::{Cost, Stop};
use cain_search::{Declaration, Objective, Proved, Solution, VerifyError, verify_within};

use super::PlanFile;
use super::asked::{Asked, asked};
use super::error::Fault;
use crate::problem::{Position, Problem};

/// No kernel needs more instructions for a weight, even if it moves, doubles, halves and adds its pixel apart from all
/// others. A program that has more would be of no use, and could take minutes to replay.
const MOST_PER_WEIGHT: usize = 128;
/// How many weights a program may read for each pair of weights of the kernel, and how many any program may read.
///
/// What a program computes may be right whatever its values hold on the way, because terms cancel, so that no value is
/// too large as such; only the effort is bounded. The most wasteful way there is adds up the pixels one by one: for each
/// weight it reads the sum so far a few times, which is no longer than the kernel. These numbers allow it, for every word,
/// sums that are many times as long, and values of hundreds of pixels even where the kernel has but one weight.
const MOST_READ_PER_PAIR: u64 = 64;
const ALWAYS_READ: u64 = 1 << 16;
/// How many characters of a line a message shows.
const SHOWN: usize = 60;
/// How many of them stand before the first difference.
const SHOWN_BEFORE: usize = 12;

/// Why a plan file is not used.
pub(super) struct Refused {
    pub(super) fault: Fault,
    /// The program, if that is right all the same.
    pub(super) program: Option<Box<Proved>>,
}

impl PlanFile {
    /// The program with what is known about it, if it was made for that declaration and is right.
    pub(super) fn solution(&self, declaration: &Declaration) -> Result<Solution, Refused> {
        let program = self.program(declaration);
        if let Some(difference) = self.difference(&asked(declaration)) {
            return Err(Refused { fault: Fault::Stale(difference), program: program.ok().map(Box::new) });
        }
        let program = program.map_err(|problem| Refused { fault: Fault::Corrupt(problem), program: None })?;
        match self.check_cost(program.report()).and_then(|()| self.check_proved(&program)) {
            Ok(()) => Ok(Solution { program, statistics: self.statistics }),
            Err(problem) => Err(Refused { fault: Fault::Corrupt(problem), program: Some(Box::new(program)) }),
        }
    }

    /// The program, if it computes that declaration, whatever else the file says.
    fn program(&self, declaration: &Declaration) -> Result<Proved, Problem> {
        self.check_length(declaration)?;
        verify_within(declaration, &self.listing, most_read(declaration)).map_err(|error| {
            let message = match error {
                VerifyError::Unprovable { error: limit @ ProveError::Limit(_), .. } => {
                    format!("{limit}, more than the kernel can need")
                }
                _ => error.to_string(),
            };
            problem(self.line_of_instruction(error.index().unwrap_or_default()), message)
        })
    }

    /// Where the plan answers another question.
    fn difference(&self, wanted: &[Asked]) -> Option<Problem> {
        let count = self.asked.len().max(wanted.len());
        let index = (0..count).find(|&index| self.asked.get(index) != wanted.get(index))?;
        let text = |lines: &[Asked]| lines.get(index).map(ToString::to_string).unwrap_or_default();
        let (found, wanted) = (text(&self.asked), text(wanted));
        let same = found.chars().zip(wanted.chars()).take_while(|(a, b)| a == b).count();
        let (found, wanted) = (excerpt(&found, same), excerpt(&wanted, same));
        let message = format!("the plan is for another kernel or other options: {found} instead of {wanted}");
        Some(Problem { place: Position { line: Self::line_of_asked(index), column: same + 1 }, message })
    }

    /// Whether the program is so short that it can be replayed at once.
    fn check_length(&self, declaration: &Declaration) -> Result<(), Problem> {
        let most = MOST_PER_WEIGHT * weights(declaration);
        if self.listing.len() <= most {
            return Ok(());
        }
        let message = format!("the program goes on after {most} instructions, more than the kernel can need");
        Err(problem(self.line_of_instruction(most), message))
    }

    fn check_cost(&self, report: &Report) -> Result<(), Problem> {
        let Report { macros, icws, peak_gain, .. } = *report;
        if self.cost == (Cost { macros, icws, peak_gain }) {
            return Ok(());
        }
        let costs = format!("macros={macros} icws={icws} peak_gain={peak_gain}");
        Err(problem(self.line_of_cost(), format!("these are not the costs of the program, which has {costs}")))
    }

    /// What is said to be proved is not proved again, but may not contradict the program.
    fn check_proved(&self, program: &Proved) -> Result<(), Problem> {
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

/// The weights of all kernels, and one for each so that those of nothing count.
fn weights(declaration: &Declaration) -> usize {
    declaration.outputs.iter().map(|output| output.kernel.terms().len() + 1).sum()
}

/// How many weights a program may read.
fn most_read(declaration: &Declaration) -> u64 {
    let weights = weights(declaration) as u64;
    ALWAYS_READ.saturating_add(MOST_READ_PER_PAIR.saturating_mul(weights.saturating_mul(weights)))
}

fn problem(line: usize, message: String) -> Problem {
    Problem { place: Position { line, column: 1 }, message }
}

/// A part of a line around a difference that stands after so many characters.
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
