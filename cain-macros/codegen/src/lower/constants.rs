//! Constants of a source: numbers and kernels with a name.

use std::cell::Cell;

use cain_analysis::sorted::{Map, Set};

use super::sums::check_shape;
use crate::errors::Errors;
use crate::names;
use crate::tree::{Place, Term};

/// The most weights that all uses of constants in a source stand for: a few short lines could name millions.
const MOST_WEIGHTS: usize = 1 << 18;

/// What uses of constants have in common.
#[derive(Default)]
pub(crate) struct Uses {
    /// Weights that uses of constants stand for so far.
    weights: Cell<usize>,
    /// Whether a constant was used whose declaration has a mistake.
    met_mistake: Cell<bool>,
}

impl Uses {
    /// Notes that a constant is used whose declaration has a mistake.
    pub(crate) fn meet_mistake(&self) {
        self.met_mistake.set(true);
    }

    /// Whether a constant was used since the last call whose declaration has a mistake.
    pub(crate) fn take_mistake(&self) -> bool {
        self.met_mistake.take()
    }

    /// Counts the weights that a use stands for; what is wrong if they are too many.
    pub(crate) fn count<S: Place>(&self, terms: &[Term<S>]) -> Result<(), String> {
        let weights: usize = terms.iter().flat_map(|term| &term.rows).map(|row| row.weights.len()).sum();
        let all = self.weights.get().saturating_add(weights);
        self.weights.set(all);
        if all <= MOST_WEIGHTS {
            return Ok(());
        }
        let source = S::SOURCE;
        Err(format!("the constants of this {source} stand for more than {MOST_WEIGHTS} weights; use them less often"))
    }
}

/// Reports what a constant kernel cannot have.
pub(crate) fn check<S: Place>(terms: &[Term<S>], errors: &mut Errors<S>) {
    for term in terms {
        if let Some(input) = &term.input {
            errors.add(input.at, "a constant kernel has no input; name the input where the kernel is used");
        }
        check_shape(term, errors);
    }
}

/// The known name that a misspelt one must mean.
pub(crate) fn near_miss<'n>(name: &str, known: impl Iterator<Item = &'n String>) -> Option<&'n str> {
    let lower_case: Vec<(String, &String)> = known.map(|known| (known.to_lowercase(), known)).collect();
    let known: Vec<&str> = lower_case.iter().map(|(lower_case, _)| lower_case.as_str()).collect();
    let near = names::near_miss(name, &known)?;
    lower_case.iter().find(|(lower_case, _)| lower_case == near).map(|(_, known)| known.as_str())
}

/// The names in an order in which each is after those that it is made of, without those that are made of themselves: these
/// are reported at their places.
///
/// `declared` has the place of each, and the names in it of those that it is made of.
pub(crate) fn in_order<'n, S: Copy>(
    declared: &Map<&'n str, (S, Vec<&'n str>)>,
    errors: &mut Errors<S>,
) -> Vec<&'n str> {
    let mut users: Map<&str, Vec<&'n str>> = Map::new();
    let mut missing: Map<&'n str, usize> = Map::new();
    for (&name, (_, parts)) in declared {
        missing.insert(name, parts.len());
        for part in parts {
            users.get_or_default(part).push(name);
        }
    }
    let mut order: Vec<&'n str> = missing.iter().filter(|(_, count)| **count == 0).map(|(name, _)| *name).collect();
    let mut done = 0;
    while let Some(name) = order.get(done).copied() {
        done += 1;
        missing.remove(name);
        for user in users.get(name).into_iter().flatten() {
            if let Some(count) = missing.get_mut(user) {
                *count -= 1;
                if *count == 0 {
                    order.push(user);
                }
            }
        }
    }
    report_circles(declared, &missing, errors);
    order
}

/// Reports constants that are made of themselves, among those that never became ready.
fn report_circles<S: Copy>(declared: &Map<&str, (S, Vec<&str>)>, waiting: &Map<&str, usize>, errors: &mut Errors<S>) {
    let mut seen = Set::new();
    for &start in waiting.keys() {
        let mut path = Vec::new();
        let mut name = start;
        while seen.insert(name) {
            path.push(name);
            let parts = declared.get(name).map(|(_, parts)| parts);
            let part = parts.and_then(|parts| parts.iter().find(|part| waiting.contains_key(**part)));
            name = part.copied().unwrap_or(name);
        }
        let circle: Vec<&str> = path.iter().skip_while(|on_path| **on_path != name).copied().collect();
        if let Some((at, _)) = circle.first().and_then(|name| declared.get(*name)) {
            let circle = names::list(circle.iter().skip(1).chain([&name]), "and");
            errors.add(*at, format_args!("constant `{name}` is made of itself, by way of {circle}"));
        }
    }
}
