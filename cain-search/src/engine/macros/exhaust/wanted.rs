//! The wanted values of a query, and what becomes them by divisions.

use super::residue::Residue;
use super::size::Size;
use crate::engine::image::Image;
use crate::engine::macros::machine::Machine;
use crate::engine::terms::{Term, valuation};

/// A set of wanted values, as bits.
pub(super) type WantedSet = u64;

/// A wanted value with what the search needs to know of it.
pub(super) struct Wanted {
    pub(super) terms: Vec<Term>,
    pub(super) image: Image,
    /// Its image, moved back by each shift.
    pub(super) back: Vec<Image>,
    pub(super) size: Size,
    pub(super) residue: Residue,
    /// How many times it can be halved and still be an integer.
    pub(super) valuation: u32,
    /// The negative of it, if that is wanted too; otherwise empty.
    pub(super) negative: WantedSet,
    /// The wanted values that are ±2^k times this one, including itself.
    pub(super) ray: WantedSet,
}

/// A value that becomes the wanted one by divisions alone.
pub(super) struct Ending {
    /// The number of divisions that it takes.
    pub(super) divisions: u32,
    pub(super) goal: Wanted,
}

/// For a value from which one combination makes an [`Ending`], the number of divisions of that ending.
pub(super) type Way = u32;

impl Wanted {
    /// The wanted values in this order; they must be different.
    pub(super) fn all(values: &[Vec<Term>], machine: &Machine) -> Vec<Self> {
        let set = |member: &dyn Fn(&Vec<Term>) -> bool| -> WantedSet {
            values.iter().enumerate().filter(|(_, value)| member(value)).map(|(i, _)| 1 << i).sum()
        };
        let wanted = |value: &Vec<Term>| Self {
            terms: value.clone(),
            image: Image::of(value),
            back: machine.shifts.iter().map(|s| machine.shifts[s.opposite].image * Image::of(value)).collect(),
            size: Size::new(value),
            residue: Residue::of(value),
            valuation: valuation(value),
            negative: set(&|other| is_negative(other, value)),
            ray: set(&|other| is_same_ray(other, value)),
        };
        values.iter().map(wanted).collect()
    }

    /// The wanted values that are equal to a value.
    pub(super) fn among(wanted: &[Self], image: Image, value: &[Term]) -> WantedSet {
        let is = |wanted: &Self| wanted.image == image && wanted.terms == value;
        wanted.iter().enumerate().filter(|(_, wanted)| is(wanted)).map(|(i, _)| 1 << i).sum()
    }

    /// The wanted values that are ±2^k times a value.
    pub(super) fn of_ray(wanted: &[Self], value: &[Term]) -> WantedSet {
        wanted.iter().filter(|wanted| is_same_ray(&wanted.terms, value)).fold(0, |rays, wanted| rays | wanted.ray)
    }
}

/// The numbers of the wanted values in a set.
pub(super) fn members(mut set: WantedSet) -> impl Iterator<Item = usize> {
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
