//! Searching for programs that must not be longer than a limit, if there is one.

use std::ops::ControlFlow;

use cain_isa::Progress;

use super::unlimited;
use crate::large::{self, Large};
use crate::{Declaration, InstructionSet, SearchError, Solution, VerifyError, book, verify};

/// The nodes after which a search for a large map ends whose best program is far too long.
const SOON: u64 = 1_000;
/// So many times too long is far too long: what the search for large maps makes of its first program is hardly ever half
/// as long. That of the search over bags may become much shorter.
const FAR: u64 = 2;

/// The search, whose error has no remedy. With a limit it is the search without it; that for a large map goes on only as
/// long as it may come below it.
pub(super) fn search(
    declaration: &Declaration,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Solution, SearchError> {
    declaration.validate()?;
    let Some(limit) = declaration.options.max_words else { return unlimited::search(declaration, watch) };
    let mut lifted = declaration.clone();
    lifted.options.max_words = None;
    let is_large = large::is_alone(declaration) && Large::of(&declaration.uninterrupted()).is_ok();
    let mut is_hopeless = false;
    let found = unlimited::search(&lifted, &mut |progress| {
        let least = progress.best.map_or(0, |best| least_words(declaration) * u64::from(best));
        is_hopeless |= is_large && progress.nodes >= SOON && least > FAR.saturating_mul(limit);
        if is_hopeless { ControlFlow::Break(()) } else { watch(progress) }
    })?;
    match verify(declaration, found.program.listing()) {
        Ok(program) => Ok(Solution { program, ..found }),
        Err(VerifyError::TooLong { words, .. }) => {
            let known = lifted.options.book.then(|| book::look_up(&lifted)).flatten();
            let known = known.map(|known| known.solution.program.report().icws);
            let known = known.filter(|words| u64::from(*words) > limit);
            Err(SearchError::TooLong {
                limit,
                words: known.map_or(words, |known| known.min(words)).into(),
                outputs: declaration.outputs.len(),
                stop: found.statistics.stop,
            })
        }
        // It was proved before, under all other conditions.
        Err(error) => unreachable!("{error}"),
    }
}

/// The fewest control words of an instruction.
fn least_words(declaration: &Declaration) -> u64 {
    match declaration.options.instructions {
        InstructionSet::Native => 1,
        InstructionSet::Macro | InstructionSet::Basic => 2,
    }
}
