//! Goals by their numbers.

/// A goal's number in [`Goals`](super::goals::Goals).
pub(crate) type GoalId = u32;
