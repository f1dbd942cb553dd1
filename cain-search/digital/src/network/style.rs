//! The resources that networks save.

/// Choices between saving words and saving registers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    /// Moves are repeated wherever they are needed again.
    pub(crate) repeats: bool,
    /// Partial sums have the offset for which the added constant has the fewest ones.
    pub(crate) few_ones: bool,
    /// The sums whose columns are added up before others are moved to them, and are held in as few registers as
    /// possible.
    pub(crate) narrow: Narrow,
}

/// The sums that are held in few registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Narrow {
    /// No sums.
    #[default]
    No,
    /// The outputs.
    Outputs,
    /// All sums.
    All,
    /// All sums; and neighbours are read one after the other, each being added as soon as a column has more than `most`
    /// bits.
    Serial {
        /// The most bits of a column that are held.
        most: usize,
    },
    /// All sums; and bits are added one after the other to a number, whose carries are added as soon as there is no
    /// room for them to wait.
    Counting {
        /// The most bits that may wait to be added.
        waiting: usize,
    },
}
