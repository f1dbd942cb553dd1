//! What the sweeps of the beam prefer, and in which order they do so.

use super::run::Run;
use crate::engine::estimate::Guess;
use crate::engine::focus::Focus;

/// The number of bags in a layer up to which sweeps try every focus.
const LAST_TRIAL: usize = 32;

/// The foci for short programs, by the linear estimate.
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
    /// The foci of the first sweeps, followed by those of later ones.
    all: Vec<Focus>,
    /// The number of foci of the first sweeps.
    first: usize,
    /// The number of nodes from which on the later foci are used.
    from: u64,
}

impl Foci {
    /// The foci for accurate programs, or for short ones. The latter prefer bags that look near by the linear estimate,
    /// and later, where it is of use, by the learned one.
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

    /// The foci that are used after so many nodes.
    pub(super) fn after(&self, nodes: u64) -> &[Focus] {
        if nodes < self.from { &self.all[..self.first] } else { &self.all }
    }

    /// The foci of the next sweeps, in turn, after so many nodes and with so many bags in each layer. `helpful` is the
    /// focus that led to the best program.
    ///
    /// The first sweeps try every focus. Later ones use the helpful one and the later ones, or all of them as long as
    /// there is no program.
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
