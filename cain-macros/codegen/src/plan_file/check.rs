//! Whether a plan is right for a declaration.

use cain_isa::prove::{ProveError, Prover, Report};
use cain_isa::{Cost, HostController as _, Instruction, Stop};
use cain_search::{Declaration, Objective, SearchError, Solution, verify_within};

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

impl PlanFile {
    /// The program, if it computes that declaration, whatever else the file says.
    #[must_use]
    pub fn program_for(&self, declaration: &Declaration) -> Option<&[Instruction]> {
        let is_right = self.check_length(declaration).is_ok()
            && verify_within(declaration, &self.listing, most_read(declaration)).is_ok();
        is_right.then_some(&self.listing)
    }

    /// The program with what is known about it, if it was made for that declaration and is right.
    pub(super) fn solution(&self, declaration: &Declaration) -> Result<Solution, Fault> {
        if let Some(difference) = self.difference(&asked(declaration)) {
            return Err(Fault::Stale(difference));
        }
        self.check_length(declaration).map_err(Fault::Corrupt)?;
        let report = verify_within(declaration, &self.listing, most_read(declaration));
        let report = report.map_err(|error| Fault::Corrupt(self.blame(declaration, &error)))?;
        self.check_cost(&report).map_err(Fault::Corrupt)?;
        self.check_proved(declaration).map_err(Fault::Corrupt)?;
        Ok(Solution { listing: self.listing.clone(), report, statistics: self.statistics })
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

    /// Puts what is wrong with the program on the line that it is about, if it is about one.
    fn blame(&self, declaration: &Declaration, error: &SearchError) -> Problem {
        let mut lines = self.listing.iter();
        let inputs: Vec<_> = declaration.inputs.iter().map(|input| input.reg).collect();
        let mut prover = Prover::new(&inputs).limited_to(most_read(declaration));
        let (index, message) = match error {
            SearchError::Foreign(foreign) => {
                (lines.position(|line| line == foreign), format!("`{foreign}` is not in the kernel's instruction set"))
            }
            SearchError::Unprovable(error @ ProveError::Limit(_)) => {
                let message = format!("{error}, more than the kernel can need");
                (lines.position(|line| prover.execute(*line).is_err()), message)
            }
            SearchError::Unprovable(error) => {
                (lines.position(|line| prover.execute(*line).is_err()), error.to_string())
            }
            SearchError::Overwritten(reg) => {
                let mut writes = |line| prover.execute(line).is_ok() && prover.report().writes.contains(reg);
                let message = format!("the program overwrites `{reg}`, which the kernel does not allow");
                (lines.position(|line| writes(*line)), message)
            }
            SearchError::Wrong(mismatch) => (None, format!("the program does not compute the kernel: {mismatch}")),
            SearchError::Offset { reg, .. } => {
                (None, format!("the program leaves the transfer error in `{reg}`, where it has to cancel"))
            }
            SearchError::Headroom { gain, headroom } => {
                (None, format!("the program has a gain of {gain}, which is above the `headroom` of {headroom}"))
            }
            error => (None, error.to_string()),
        };
        problem(self.line_of_instruction(index.unwrap_or_default()), message)
    }

    fn check_cost(&self, report: &Report) -> Result<(), Problem> {
        let Report { macros, icws, headroom, .. } = *report;
        if self.cost == (Cost { macros, icws, headroom }) {
            return Ok(());
        }
        let costs = format!("macros={macros} icws={icws} headroom={headroom}");
        Err(problem(self.line_of_cost(), format!("these are not the costs of the program, which has {costs}")))
    }

    /// What is said to be proved is not proved again, but may not contradict the program.
    fn check_proved(&self, declaration: &Declaration) -> Result<(), Problem> {
        let (bound, length) = (u64::from(self.statistics.lower_bound), self.listing.len() as u64);
        let is_shortest = self.statistics.stop == Stop::Proved && declaration.options.objective == Objective::Macros;
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
