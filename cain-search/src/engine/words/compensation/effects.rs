//! Computes what words do to the offset error in the outputs.

use cain_analysis::sorted::{Map, Set};
use cain_isa::{Store, Word};

use crate::Declaration;
use crate::engine::compensation::{Backwards, Effect, Unit, Weight};

/// The largest product of words and outputs for which the effects of all cells are kept.
const MAX_WEIGHTS: usize = 1 << 12;

/// What each word does to the transfer error in the outputs.
pub(super) struct Effects {
    /// The offset error that is left in the outputs.
    pub(super) left: Effect,
    /// For each word, what one more source adds to the outputs: to their multiples if it holds the error once, and to
    /// their biases if it holds 1 DN.
    pub(super) of_source: Vec<Effect>,
    /// The cells whose values are read later, before each word and at the end.
    pub(super) live: Vec<Set<Store>>,
    /// What 1 more in each of these cells adds to the outputs. Empty for long programs with many outputs, where this
    /// would take much memory.
    pub(super) of_cell: Vec<Map<Store, Effect>>,
}

impl Effects {
    /// Follows the program from its end to its beginning; `None` if exact arithmetic overflows.
    pub(super) fn of(declaration: &Declaration, words: &[Word]) -> Option<Self> {
        let mut at = Backwards::from_end(&declaration.outputs, &declaration.options.error_model);
        let live = |at: &Backwards<'_>| at.weights.keys().copied().collect::<Set<_>>();
        let is_short = words.len() * declaration.outputs.len() <= MAX_WEIGHTS;
        let mut lives = vec![live(&at)];
        let mut cells: Vec<_> = is_short.then(|| at.weights.clone()).into_iter().collect();
        let mut of_source: Vec<Weight> = Vec::new();
        for word in words.iter().rev() {
            of_source.push(at.undo(word)?);
            lives.push(live(&at));
            cells.extend(is_short.then(|| at.weights.clone()));
        }
        of_source.reverse();
        lives.reverse();
        cells.reverse();
        let unit = Unit::of(of_source.iter().chain(cells.iter().flat_map(Map::values)).chain([&at.left]))?;
        let of_cell = |weights: &Map<Store, Weight>| {
            weights.iter().map(|(&store, weight)| Some((store, unit.effect(weight)?))).collect::<Option<_>>()
        };
        Some(Self {
            left: unit.effect(&at.left)?,
            of_source: of_source.iter().map(|weight| unit.effect(weight)).collect::<Option<_>>()?,
            live: lives,
            of_cell: cells.iter().map(of_cell).collect::<Option<_>>()?,
        })
    }
}
