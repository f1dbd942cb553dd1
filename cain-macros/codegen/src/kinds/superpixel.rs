//! Filters over super-pixels: numbers whose bits are spread over blocks of PEs.

mod read;

pub(crate) use read::super_pixel;
