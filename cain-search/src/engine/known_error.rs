//! What is known of the error of an output in the middle of a search.

/// What is known about the error of one output.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known {
    /// The variance, in DN².
    pub(crate) variance: f64,
    /// The length of the mean path.
    pub(crate) path: f64,
    /// The bias, in DN.
    pub(crate) bias: f64,
}
