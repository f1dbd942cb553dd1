//! Digital filters: kernels on numbers in bits.

mod read;

pub(crate) use read::bits;
