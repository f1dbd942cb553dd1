//! What the sweeps of the beam prefer, and in which order.

use super::Run;
use crate::engine::estimate::Guess;
use crate::engine::focus::Focus;

/// The number of bags in a layer up to which sweeps try every focus.
const LAST_TRIAL: usize = 32;

/// By the linear estimate, and by the learned one.
pub(super) const SHORT: [Focus; 2] = [focus(true, 1.0), focus(false, 1.0)];
pub(super) const BY_LEARNED: [Focus; 2] = [by_learned(SHORT[0]), by_learned(SHORT[1])];
pub(super) const ACCURATE: [Focus; 5] =
    [focus(false, 3_000.0), focus(false, 1_000.0), focus(false, 300.0), focus(true, 100.0), focus(false, 30.0)];

const fn focus(avoids_pressure: bool, error_weight: f64) -> Focus {
    Focus { guess: Guess::Linear, avoids_pressure, error_weight }
}

const fn by_learned(focus: Focus) -> Focus {
    Focus { guess: Guess::Learned, ..focus }
}

/// The foci of a search.
pub(super) struct Foci {
    /// Those of the first sweeps, then those that come later.
    all: Vec<Focus>,
    /// How many are of the first sweeps.
    first: usize,
    /// The nodes from which on the others count.
    from: u64,
}

impl Foci {
    /// For accurate programs, or for short ones: there, bags are preferred that look near by the linear estimate, then those
    /// that do by the learned one, where it is of use.
    pub(super) fn of(run: &Run<'_>) -> Self {
        if run.looks_at_errors() {
            return Self { all: ACCURATE.to_vec(), first: ACCURATE.len(), from: 0 };
        }
        let Some(from) = run.incumbent.target.learned_from() else {
            return Self { all: SHORT.to_vec(), first: SHORT.len(), from: 0 };
        };
        let all = [SHORT, BY_LEARNED].concat();
        let first = if from == 0 { all.len() } else { SHORT.len() };
        Self { all, first, from }
    }

    /// Those that count after so many nodes.
    pub(super) fn after(&self, nodes: u64) -> &[Focus] {
        if nodes < self.from { &self.all[..self.first] } else { &self.all }
    }

    /// What sweeps prefer, in turn, after so many nodes and with so many bags in each layer. `helpful` is what led to the best
    /// program.
    ///
    /// The first sweeps try every focus. Later ones use the helpful one and those that came later, or all in turn as
    /// long as there is no program.
    pub(super) fn in_turn(&self, nodes: u64, width: usize, helpful: Option<Focus>) -> Vec<Focus> {
        let now = self.after(nodes);
        match helpful {
            Some(helpful) if width >= LAST_TRIAL => {
                let others = now[self.first..].iter().copied().filter(|focus| *focus != helpful);
                std::iter::once(helpful).chain(others).collect()
            }
            _ => now.to_vec(),
        }
    }
}
