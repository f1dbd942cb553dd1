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
    alone: Outlooks,
    joint: Joint,
}

impl Ahead {
    /// The tables for `left` and these places; `None` if it cannot be cancelled with at most `most` instructions. Adds to
    /// `tried`.
    pub(super) fn of(left: &Effect, most: u32, places: &[Place<'_>], tried: &mut usize) -> Option<Self> {
        let alone = Outlooks::of(left, most, places, tried)?;
        Some(Self { alone, joint: Joint::of(places, left.multiples.len(), tried) })
    }

    /// The class of a sum or a choice at a place; `None` if it cannot be cancelled any more.
    pub(super) fn class(&self, place: usize, multiples: impl Iterator<Item = i64>) -> Option<Class> {
        self.joint.class(place, multiples)
    }

    /// Whether the classes at a place are those at the place before it.
    pub(super) fn continues(&self, place: usize) -> bool {
        self.joint.continues(place)
    }

    /// The class of a sum and a choice together.
    pub(super) fn sum(&self, place: usize, sum: Class, choice: Class) -> Class {
        self.joint.sum(place, sum, choice)
    }

    /// The least number of instructions that a sum of a class still needs behind a place, depending on whether a cell holds
    /// the error there; `None` if it cannot be cancelled.
    pub(super) fn of_class(&self, place: usize, class: Class, holds: bool) -> Option<u32> {
        self.joint.cost(place, class, holds).map(u32::from)
    }

    /// The least number of instructions that a sum still needs behind a place to cancel each output on its own; `None` if
    /// that is impossible.
    pub(super) fn of_outputs(&self, place: usize, multiples: &[i64]) -> Option<u32> {
        self.alone.least(place + 1, multiples).map(u32::from)
    }
}
