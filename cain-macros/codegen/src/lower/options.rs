//! Options of the search and of approximation.

use cain_isa::Fraction;
use cain_search::{Approximation, InstructionSet, Objective, Options};

use crate::errors::Errors;
use crate::filter::{Approximate, At, Search};
use crate::names;

const OBJECTIVES: [(&str, Objective); 2] = [("macros", Objective::Macros), ("icws", Objective::Icws)];
const INSTRUCTION_SETS: [(&str, InstructionSet); 2] =
    [("macro", InstructionSet::Macro), ("basic", InstructionSet::Basic)];

/// The options, with defaults for what was not given or was wrong.
pub(crate) fn search<S: Copy>(written: &Search<S>, errors: &mut Errors<S>) -> Options {
    let mut options = Options::default();
    if let Some(nodes) = &written.nodes {
        options.nodes = nodes.value;
        if nodes.value == 0 {
            errors.add(nodes.at, "a search needs at least one node");
        }
    }
    if let Some(objective) = &written.objective {
        options.objective = choice("objective", objective, &OBJECTIVES, errors).unwrap_or_default();
    }
    if let Some(isa) = &written.isa {
        options.instructions = choice("instruction set", isa, &INSTRUCTION_SETS, errors).unwrap_or_default();
    }
    if let Some(headroom) = &written.headroom {
        options.headroom = Some(headroom.value);
        if headroom.value <= Fraction::ZERO {
            errors.add(headroom.at, "the largest gain of an intermediate is more than 0, such as `headroom = 2`");
        }
    }
    options
}

fn choice<S: Copy, T: Copy>(
    what: &str,
    written: &At<String, S>,
    choices: &[(&str, T)],
    errors: &mut Errors<S>,
) -> Option<T> {
    let found = choices.iter().find(|(name, _)| *name == written.value);
    if found.is_none() {
        let known: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        errors.add(written.at, names::unknown(what, &written.value, &known));
    }
    found.map(|&(_, value)| value)
}

/// How far kernels may be moved; `None` if an option is wrong.
pub(crate) fn approximation<S: Copy>(written: &Approximate<S>, errors: &mut Errors<S>) -> Option<Approximation> {
    let before = errors.len();
    let max = Approximation::MAX_DEPTH;
    let depth = u32::try_from(written.depth.value).ok().filter(|depth| *depth <= max);
    if depth.is_none() {
        errors.add(written.depth.at, format_args!("depth {} is more than {max} halvings", written.depth.value));
    }
    let error = written.error.value;
    if error < Fraction::ZERO {
        errors.add(written.error.at, "the error allowed is a sum of absolute changes and not negative");
    }
    depth.filter(|_| errors.len() == before).map(|depth| Approximation { depth, error })
}
