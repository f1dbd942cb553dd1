//! Tables that tell what the remaining places of a program can cancel, and with how many instructions: in each output
//! on its own ([`outlook`]), and in all of them together ([`joint`]).

mod classes;
mod costs;
mod joint;
mod lattice;
mod outlook;

use super::Effect;
use super::choice::Place;
pub(super) use classes::Class;
use joint::Joint;
use outlook::Outlooks;

/// What the places ahead can cancel.
pub(super) struct Ahead {
    pub(super) alone: Outlooks,
    pub(super) joint: Joint,
}

impl Ahead {
    /// The tables for `left` and these places; `None` if it cannot be cancelled with at most `most` instructions. Adds to
    /// `tried`.
    pub(super) fn of(left: &Effect, most: u32, places: &[Place<'_>], tried: &mut usize) -> Option<Self> {
        let alone = Outlooks::of(left, most, places, tried)?;
        Some(Self { alone, joint: Joint::of(places, left.multiples.len(), tried) })
    }
}
