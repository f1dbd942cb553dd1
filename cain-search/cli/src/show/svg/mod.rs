//! The picture of a program: a column for each register, a row for each instruction.

pub(crate) mod arrow;
pub(crate) mod card;
pub(crate) mod markup;
mod picture;

pub(crate) use picture::{Cards, LEGEND, picture};

use super::trace::Trace;
use cain_codegen::Plan;
use card::Look;

/// A stand-alone picture.
pub(crate) fn svg(plan: &Plan, trace: &Trace, look: &Look) -> String {
    picture(plan, trace, look, Cards::Drawn)
}
