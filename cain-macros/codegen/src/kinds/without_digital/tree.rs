//! What the syntax tree of a filter on bits says beside its sums.

/// The bits of the numbers of a digital filter.
#[derive(Debug)]
pub(crate) struct Bits<S> {
    pub(crate) at: S,
}

/// Where the bits of numbers over super-pixels are.
#[derive(Debug)]
pub(crate) struct SuperPixel<S> {
    pub(crate) at: S,
}
