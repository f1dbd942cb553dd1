//! What the values of a sum are to be like.

/// The most halvings of a sum that is too large.
pub(super) const MOST_HALVINGS: u32 = 16;

/// Requirements on the values of a sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    pub(super) zero: Zero,
    /// Whether the summand for the zero has to be met exactly if possible.
    pub(super) exact: bool,
    /// Whether values fall as numbers rise, which makes a rectifier shorter.
    pub(super) falls: bool,
    /// The numbers to which they are clamped later: the largest lower and the smallest upper bound.
    pub(super) bounds: (f64, f64),
    /// Whether they are compared with others, so that scales may differ only by powers of two.
    pub(super) is_compared: bool,
}

/// What later planes require of the zero of a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zero {
    /// Nothing is required.
    Anywhere,
    /// It must be a level.
    Level,
    /// It is moved to 0 DN.
    Centre,
    /// It must be 0 DN.
    Made,
}
