//! What a compiler plans: the steps of the controller, what they are for, and what registers hold.
//!
//! Only the steps become a program. The rest are claims, which the [proof](crate::proof) checks.

use std::collections::BTreeMap;

use cain_analysis::Owned;
use cain_analysis::owned::{Step, merged};
use cain_isa::Displacement;
use cain_isa::program::{Body, Held};

use crate::declaration::{Decision, Loop, Value};

/// A piece of a plan.
#[derive(Clone, Debug)]
pub(crate) enum Piece<'d> {
    /// A step without others within.
    Do(Step),
    /// A register holds a value now.
    Holds(Held, Value),
    /// What is done in the first frame only: that is where a number is not 0.
    First { number: usize, body: Vec<Piece<'d>> },
    /// A loop, and where the planes that are carried are; none for numbers.
    Loop { of: &'d Loop, places: Vec<Option<Held>>, check: Vec<Piece<'d>>, goes_on: usize, body: Vec<Piece<'d>> },
    /// A decision.
    Decide { of: &'d Decision, then: Vec<Piece<'d>>, otherwise: Vec<Piece<'d>> },
    /// Numbers are added to a list.
    List { list: usize, numbers: &'d [Value], step: Step },
}

impl<'d> Piece<'d> {
    /// The pieces within it, in their order.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &Vec<Self>> {
        let (one, other) = match self {
            Self::Loop { check, body, .. } => (Some(check), Some(body)),
            Self::Decide { then, otherwise, .. } => (Some(then), Some(otherwise)),
            Self::First { body, .. } => (Some(body), None),
            Self::Do(_) | Self::Holds(..) | Self::List { .. } => (None, None),
        };
        one.into_iter().chain(other)
    }

    /// The same, to be changed.
    pub(crate) fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Vec<Piece<'d>>> {
        let (one, other) = match self {
            Self::Loop { check, body, .. } => (Some(check), Some(body)),
            Self::Decide { then, otherwise, .. } => (Some(then), Some(otherwise)),
            Self::First { body, .. } => (Some(body), None),
            Self::Do(_) | Self::Holds(..) | Self::List { .. } => (None, None),
        };
        one.into_iter().chain(other)
    }
}

/// The steps of a plan.
pub(crate) fn steps(pieces: &[Piece<'_>]) -> Vec<Step> {
    let steps: Vec<Step> = pieces.iter().filter_map(step).collect();
    merged(&steps)
}

fn step(piece: &Piece<'_>) -> Option<Step> {
    let body = |pieces: &[Piece<'_>]| Body::<Owned>(steps(pieces));
    Some(match piece {
        Piece::Do(step) | Piece::List { step, .. } => step.clone(),
        Piece::Holds(..) => return None,
        Piece::First { number, body: then } => {
            Step::Decide { number: *number, then: body(then), otherwise: Body(Vec::new()) }
        }
        Piece::Loop { of, check, goes_on, body: pass, .. } => {
            Step::Loop { most: of.most, counter: of.counter.0, check: body(check), goes_on: *goes_on, body: body(pass) }
        }
        Piece::Decide { of, then, otherwise } => {
            Step::Decide { number: of.condition.0, then: body(then), otherwise: body(otherwise) }
        }
    })
}

/// Where a list of results is among the numbers: how many entries it has, and then their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPlace {
    /// The place of the number of entries.
    pub first: usize,
    /// The most entries.
    pub capacity: usize,
    /// The numbers of an entry.
    pub width: usize,
}

impl ListPlace {
    /// Whether a number of it is at a place.
    pub(crate) const fn has(&self, place: usize) -> bool {
        place >= self.first && place - self.first <= self.capacity * self.width
    }

    /// The entries that are listed.
    pub fn entries<'n>(&self, numbers: &'n [f64]) -> impl Iterator<Item = &'n [f64]> + use<'n> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let listed = numbers.get(self.first).map_or(0, |count| *count as usize).min(self.capacity);
        let (first, width) = (self.first + 1, self.width);
        (0..listed).filter_map(move |entry| numbers.get(first + entry * width..first + (entry + 1) * width))
    }
}

/// A plan for a program.
#[derive(Clone, Debug)]
pub(crate) struct Plan<'d> {
    /// What is done before the first frame.
    pub(crate) preparation: Vec<Piece<'d>>,
    /// What is done in each frame.
    pub(crate) frame: Vec<Piece<'d>>,
    pub(crate) inputs: Vec<Held>,
    /// Where states are between frames.
    pub(crate) states: Vec<StatePlace>,
    pub(crate) results: BTreeMap<Value, Held>,
    pub(crate) lists: BTreeMap<usize, ListPlace>,
    /// Values that are not defined nearer to the border than that: the corners of a rectangle of PEs around a PE.
    pub(crate) reaches: BTreeMap<Value, [Displacement; 2]>,
    /// Bits that are 1 where a sum is positive, which has few values, and what is in the middle between those around 0: in DN, as
    /// the sum is compared.
    pub(crate) between: BTreeMap<Value, f64>,
    /// The place of the number that is 1 in the first frame.
    pub(crate) is_first: usize,
    /// How many numbers there are.
    pub(crate) numbers: usize,
}

/// Where a state is between frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatePlace {
    /// A plane in a register.
    Plane(Held),
    /// A number of the controller.
    Number(usize),
}

impl StatePlace {
    /// The register of a plane.
    pub(crate) const fn plane(self) -> Option<Held> {
        match self {
            Self::Plane(held) => Some(held),
            Self::Number(_) => None,
        }
    }
}
