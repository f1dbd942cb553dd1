//! Pictures for the examples: read from files, cut to a square, and turned into what the array takes.

mod picture;

pub use picture::{PictureError, SIDE, from_dn, open, to_dn, village};
