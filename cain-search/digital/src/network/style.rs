//! What networks save.

/// What to save: words or registers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    /// Moves are made again where they are needed again.
    pub(crate) repeats: bool,
    /// Partial sums have the offset for which the least constant is added.
    pub(crate) few_ones: bool,
    /// The sums of which columns are added up before others are moved to them, and held in as few registers as possible.
    pub(crate) narrow: Narrow,
}

/// Which sums are held in few registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Narrow {
    /// None.
    #[default]
    No,
    /// The outputs.
    Outputs,
    /// All.
    All,
    /// All, and neighbours are seen one after the other: each is added as soon as there are more bits than that.
    Serial {
        /// The most bits of a column that are held.
        most: usize,
    },
    /// All, and bits are added one after the other to a number that takes up carries as soon as there is no room for them.
    Counting {
        /// The most bits that wait to be added.
        waiting: usize,
    },
}
