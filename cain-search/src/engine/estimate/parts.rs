//! What goals add to an estimate.

/// What a goal adds to an estimate of a bag.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts {
    /// The part if no other goal of the bag is of its class.
    pub(crate) first: i64,
    /// The part if another goal of the bag is of its class.
    pub(crate) repeated: i64,
    /// What is added if NEWS holds the goal.
    pub(crate) in_news: i64,
}
