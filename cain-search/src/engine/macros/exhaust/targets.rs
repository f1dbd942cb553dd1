//! The values to be made.

use super::machine::Machine;
use super::size::Size;
use crate::engine::field::Image;
use crate::engine::terms::{Term, valuation};

/// A set of targets, by their bits.
pub(super) type Targets = u64;

/// A value to be made.
pub(super) struct Target {
    pub(super) terms: Vec<Term>,
    pub(super) image: Image,
    /// The image moved back by each shift.
    pub(super) back: Vec<Image>,
    pub(super) size: Size,
    /// How many times it can be halved before it leaves the integers.
    pub(super) valuation: u32,
    /// The negative of the target, if that is a target too.
    pub(super) negative: Targets,
    /// The targets that are ±2^k times this one, itself included.
    pub(super) ray: Targets,
}

impl Target {
    /// The targets for these values, which differ from each other.
    pub(super) fn all(values: &[Vec<Term>], machine: &Machine) -> Vec<Self> {
        let set = |member: &dyn Fn(&Vec<Term>) -> bool| -> Targets {
            values.iter().enumerate().filter(|(_, value)| member(value)).map(|(i, _)| 1 << i).sum()
        };
        let target = |value: &Vec<Term>| Self {
            terms: value.clone(),
            image: Image::of(value),
            back: machine.shifts.iter().map(|s| machine.shifts[s.opposite].image * Image::of(value)).collect(),
            size: Size::new(value),
            valuation: valuation(value),
            negative: set(&|other| is_negative(other, value)),
            ray: set(&|other| is_same_ray(other, value)),
        };
        values.iter().map(target).collect()
    }

    /// Which targets a value is.
    pub(super) fn among(targets: &[Self], image: Image, value: &[Term]) -> Targets {
        let is = |target: &Self| target.image == image && target.terms == value;
        targets.iter().enumerate().filter(|(_, target)| is(target)).map(|(i, _)| 1 << i).sum()
    }

    /// The targets that are ±2^k times the value.
    pub(super) fn of_ray(targets: &[Self], value: &[Term]) -> Targets {
        targets.iter().filter(|target| is_same_ray(&target.terms, value)).fold(0, |rays, target| rays | target.ray)
    }
}

/// The numbers of the targets in a set.
pub(super) fn members(mut set: Targets) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let member = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        member
    })
}

fn is_negative(a: &[Term], b: &[Term]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && a.1 == -b.1)
}

/// Whether one value is ±2^k times the other.
fn is_same_ray(a: &[Term], b: &[Term]) -> bool {
    let (Some(first), Some(second)) = (a.first(), b.first()) else { return false };
    if a.len() != b.len() || a.iter().zip(b).any(|(a, b)| a.0 != b.0) {
        return false;
    }
    let (p, q) = (valuation(a), valuation(b));
    let sign = first.1.signum() * second.1.signum();
    a.iter().zip(b).all(|(a, b)| a.1 >> p == sign * (b.1 >> q))
}
