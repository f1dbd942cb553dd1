//! A guess, never a bound, of how far a bag is from the inputs, by which the beam decides which bags to expand.
//!
//! Only bags of equal cost are compared, so that its unit is arbitrary: thousandths of about two thirds of a digit. It is an
//! integer, the same on every machine.
//!
//! - [`linear`]: a weighted sum of features; [`weights`]: its weights.
//! - [`network`]: a small neural network in integers, for control words; [`features`]: what it looks at in goals.
//!
//! What a goal adds is worked out once and stored with it, see [`Parts`].

pub(crate) mod features;
pub(crate) mod linear;
pub(crate) mod network;
pub(crate) mod weights;

use features::GoalFeatures;
use network::Network;
use weights::Weights;

/// Units of a network in the middle that look at goals.
pub(crate) const HIDDEN_OF_GOALS: usize = 24;

/// What a network makes of a goal: its part, and what is added to that if its class is there already, or if it is in NEWS.
pub(crate) type GoalNetwork = Network<{ features::COUNT }, HIDDEN_OF_GOALS, 3>;

/// What a goal adds to an estimate of a bag.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts {
    /// If no other goal of the bag is of its class.
    pub(crate) first: i64,
    /// If another one is.
    pub(crate) repeated: i64,
    /// In addition if NEWS holds it.
    pub(crate) in_news: i64,
}

/// Which estimate is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guess {
    Linear,
    /// Ranks bags better that are like those it was trained on, and is worse far away from them.
    Learned,
}

/// The estimates of a bag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimates {
    pub(crate) linear: i64,
    pub(crate) learned: i64,
}

impl Estimates {
    /// Where nothing was learned, the linear estimate stands for both.
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

/// How goals are weighed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighing {
    pub(crate) linear: &'static Weights,
    pub(crate) learned: Option<&'static GoalNetwork>,
}

impl Weighing {
    /// What a goal adds to the linear estimate, and to the learned one.
    pub(crate) fn parts(self, goal: &GoalFeatures<'_>) -> (Parts, Parts) {
        let learned = self.learned.map(|network| {
            let [first, if_repeated, in_news] = network.of(&goal.inputs());
            Parts { first, repeated: first + if_repeated, in_news }
        });
        (self.linear.parts(goal), learned.unwrap_or_default())
    }
}
