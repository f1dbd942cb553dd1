//! Filters on analogue registers.

mod read;

pub(crate) use read::approximate;
