//! A guess, never a bound, of how far a bag is from the inputs, by which the beam decides which bags to expand.
//!
//! Only bags of equal cost are compared, so the unit of the estimate is arbitrary: thousandths of about two thirds of a
//! digit. It is an integer, the same on every machine.
//!
//! - [`linear`]: a weighted sum of features; [`weights`]: its weights.
//! - [`network`]: a small neural network in integers, for control words; [`features`]: its inputs.
//!
//! What a goal adds to the estimate is worked out once and stored with it; see [`Parts`].

pub(crate) mod features;
pub(crate) mod integers;
pub(crate) mod linear;
pub(crate) mod network;
mod parts;
pub(crate) mod weights;

use features::GoalFeatures;
use network::Network;
use weights::Weights;

pub(crate) use parts::Parts;

/// The number of units in the middle layer of a network that looks at goals.
pub(crate) const HIDDEN_OF_GOALS: usize = 24;

/// A network that maps the features of a goal to its part of the estimate, and to what is added if its class is already
/// in the bag and if it is in NEWS.
pub(crate) type GoalNetwork = Network<{ features::COUNT }, HIDDEN_OF_GOALS, 3>;

/// Selects one of the two estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guess {
    Linear,
    /// The learned estimate. It ranks bags better if they resemble those it was trained on, and worse if they do not.
    Learned,
}

/// Both estimates of a bag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimates {
    pub(crate) linear: i64,
    pub(crate) learned: i64,
}

impl Estimates {
    /// Both estimates where nothing was learned: the linear one stands in for the learned one.
    pub(crate) fn linear(linear: i64) -> Self {
        Self { linear, learned: linear }
    }

    pub(crate) fn by(self, guess: Guess) -> i64 {
        match guess {
            Guess::Linear => self.linear,
            Guess::Learned => self.learned,
        }
    }
}

/// How goals are weighed by the two estimates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighing {
    pub(crate) linear: &'static Weights,
    pub(crate) learned: Option<&'static GoalNetwork>,
}

impl Weighing {
    /// What a goal adds to the linear estimate and to the learned one.
    pub(crate) fn parts(self, goal: &GoalFeatures<'_>) -> (Parts, Parts) {
        let learned = self.learned.map(|network| {
            let [first, if_repeated, in_news] = network.of(&goal.inputs());
            Parts { first, repeated: first + if_repeated, in_news }
        });
        (self.linear.parts(goal), learned.unwrap_or_default())
    }
}
