//! What words do to the offset error in the outputs.

use std::collections::BTreeMap;

use cain_isa::{Store, Word};

use crate::Declaration;
use crate::engine::compensation::{Backwards, Effect, Unit, Weight};

/// What each word does to the transfer error in the outputs.
pub(super) struct Effects {
    /// What is left in the outputs.
    pub(super) left: Effect,
    /// What a source that holds the error once adds to the outputs, and one that holds 1 DN to their biases, for each word.
    pub(super) of_source: Vec<Effect>,
    /// The same for what a cell holds that is read later, before each word and at the end.
    pub(super) of_cell: Vec<BTreeMap<Store, Effect>>,
}

impl Effects {
    /// Follows the program from its end to its beginning; `None` if a multiple does not fit exact arithmetic.
    pub(super) fn of(declaration: &Declaration, words: &[Word]) -> Option<Self> {
        let mut at = Backwards::from_end(&declaration.outputs, &declaration.options.error_model);
        let mut cells = vec![at.weights.clone()];
        let mut of_source: Vec<Weight> = Vec::new();
        for word in words.iter().rev() {
            of_source.push(at.undo(word)?);
            cells.push(at.weights.clone());
        }
        of_source.reverse();
        cells.reverse();
        let all = of_source.iter().chain(cells.iter().flat_map(BTreeMap::values)).chain([&at.left]);
        let unit = Unit::of(all)?;
        let of_cell = |weights: &BTreeMap<Store, Weight>| {
            weights.iter().map(|(&store, weight)| Some((store, unit.effect(weight)?))).collect::<Option<_>>()
        };
        Some(Self {
            left: unit.effect(&at.left)?,
            of_source: of_source.iter().map(|weight| unit.effect(weight)).collect::<Option<_>>()?,
            of_cell: cells.iter().map(of_cell).collect::<Option<_>>()?,
        })
    }
}
