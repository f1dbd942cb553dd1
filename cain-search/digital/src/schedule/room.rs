//! Words that make room for other bits.

use crate::network::Value;

/// A way to make room, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Room {
    /// A value is copied into another register.
    Copy {
        /// The register to copy from.
        from: usize,
        /// The register to copy to.
        to: usize,
    },
    /// Replaces two values by their OR, if only that is needed.
    Join {
        /// The index of the pair among the joints.
        joint: usize,
        /// The register for the OR.
        to: usize,
    },
}

/// The most joints held at a time.
const MOST_JOINTS: usize = 4;

/// The joints that registers hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Joints([Option<Value>; MOST_JOINTS]);

impl Joints {
    pub(super) const fn is_full(self) -> bool {
        self.0[0].is_some()
    }

    pub(super) fn insert(&mut self, value: Value) {
        self.0[0] = Some(value);
        self.0.sort_unstable();
    }

    pub(super) fn remove(&mut self, value: Value) {
        if let Some(place) = self.0.iter().position(|joint| *joint == Some(value)) {
            self.0[place] = None;
            self.0.sort_unstable();
        }
    }
}
