//! Figures of merit of a program besides its length.

mod accuracy;
mod depth;
mod noise;

pub use accuracy::{Accuracy, ImageStatistics, accuracy, tenths, thousandths};
pub(crate) use accuracy::{expected, expected_at_least, replay};
pub use depth::depth;
pub(crate) use noise::Errors;
pub use noise::noise;
