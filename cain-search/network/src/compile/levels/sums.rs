//! The scales of sums.

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::Fraction;

use super::super::planes::{PlaneId, Term};
use super::form::{Form, MOST_HALVINGS, Zero};
use super::level::{LIMIT, Level};
use crate::arithmetic::{exact, primitive};
use crate::lattice::Lattice;

/// The reason why a sum has no level.
pub(super) enum Misfit {
    /// Weights exceed exact arithmetic.
    Overflow,
    /// The sum leaves the range at every scale.
    Range,
}

/// The part of the range that a sum may take.
#[derive(Clone, Copy)]
pub(super) struct Room {
    /// The halvings by which it stays below the range.
    pub(super) halvings: u32,
    /// How far it goes, as a share of what it could be.
    pub(super) share: f64,
}

/// The level of a sum, at the largest scale at which it fits.
pub(super) fn sum(levels: &[Level], terms: &[Term], bias: f64, room: Room, form: Form) -> Result<Level, Misfit> {
    let ratio = |term: &Term| term.weight.checked_div(levels[term.wire.plane].of(term.wire)?.scale);
    let ratios = terms.iter().map(ratio).collect::<Option<Vec<_>>>().ok_or(Misfit::Overflow)?;
    let mut whole = primitive(&ratios).ok_or(Misfit::Overflow)?;
    if form.is_compared {
        // An odd factor of all would make it differ from the scale of others.
        let powers = whole.denominator() & whole.denominator().wrapping_neg();
        whole = Fraction::new(whole.numerator(), powers).ok_or(Misfit::Overflow)?;
    }
    let largest = LIMIT / f64::from(1_u32 << room.halvings.min(MOST_HALVINGS));
    let limit = largest / room.share;
    for halved in 0..=MOST_HALVINGS {
        let scale = whole.checked_div(Fraction::from(1 << halved)).ok_or(Misfit::Overflow)?;
        let level = kernel(levels, (&sources(terms), terms), scale)
            .and_then(|kernel| at_scale(levels, terms, &kernel, scale, bias));
        let mut level = level.ok_or(Misfit::Overflow)?;
        if form.falls {
            level = falling(level).ok_or(Misfit::Overflow)?;
        }
        if form.zero == Zero::Made {
            level = centred(level, form.exact);
        }
        let reaches = |level: &Level| level.high.abs().max(level.low.abs());
        let shifted = Level { low: 0.0, high: level.high - level.zero, ..level };
        let zero_fits = match form.zero {
            Zero::Anywhere | Zero::Made => true,
            Zero::Level => level.zero.abs() <= LIMIT,
            Zero::Centre => level.zero.abs() <= LIMIT && reaches(&shifted) <= limit,
        };
        // Only rising values can be clamped.
        let bounds_fit = level.scale < Fraction::ZERO
            || (level.value(form.bounds.0) <= LIMIT && level.value(form.bounds.1) >= -LIMIT);
        if reaches(&level) <= limit && zero_fits && bounds_fit {
            return Ok(Level { low: level.low.max(-largest), high: level.high.min(largest), ..level });
        }
    }
    Err(Misfit::Range)
}

fn at_scale(levels: &[Level], terms: &[Term], kernel: &Polynomial, scale: Fraction, bias: f64) -> Option<Level> {
    let planes = sources(terms);
    let (mut low, mut high) = (0.0, 0.0);
    let mut lattice = Some(Lattice::NOTHING);
    for (atom, weight) in kernel.terms() {
        let source = &levels[planes[usize::from(atom.channel)]];
        let ends = [source.low, source.high].map(|end| end * weight.to_f64());
        low += ends[0].min(ends[1]);
        high += ends[0].max(ends[1]);
        lattice = lattice.zip(source.lattice).and_then(|(sum, source)| sum.plus(source.times(weight)?));
    }
    // The value for which all numbers read are 0.
    let mut zero = 0.0;
    for term in terms {
        let source = levels[term.wire.plane].of(term.wire)?;
        zero += weight(levels, term, scale)?.to_f64() * source.zero;
    }
    Some(Level { scale, zero: zero - scale.to_f64() * bias, low, high, lattice, summand: 0.0 })
}

/// The level with the sign of its values reversed.
fn falling(level: Level) -> Option<Level> {
    let lattice = match level.lattice {
        Some(lattice) => Some(lattice.times(Fraction::from(-1))?),
        None => None,
    };
    let Level { scale, zero, low, high, .. } = level;
    Some(Level { scale: scale.negated(), zero: -zero, low: -high, high: -low, lattice, ..level })
}

/// The level with a summand that makes the number 0 become 0 DN.
fn centred(level: Level, exactly: bool) -> Level {
    /// Summands that are multiples of this fraction of a DN can be met exactly.
    const PARTS: f64 = 16.0;
    let summand = -level.zero;
    let is_exact = summand == 0.0 || (exactly && (summand * PARTS).fract() == 0.0);
    let lattice = level.lattice.filter(|_| is_exact).and_then(|lattice| lattice.moved(exact(summand)?));
    Level { zero: 0.0, low: level.low + summand, high: level.high + summand, lattice, summand, ..level }
}

/// The weight of a term in terms of values.
fn weight(levels: &[Level], term: &Term, scale: Fraction) -> Option<Fraction> {
    term.weight.checked_mul(scale)?.checked_div(levels[term.wire.plane].of(term.wire)?.scale)
}

/// The planes that terms read, in the order of the channels of their kernel.
pub(in super::super) fn sources(terms: &[Term]) -> Vec<PlaneId> {
    let mut planes: Vec<PlaneId> = terms.iter().map(|term| term.wire.plane).collect();
    planes.sort_unstable();
    planes.dedup();
    planes
}

/// The kernel of a sum at a scale, in terms of values; its channels are these planes, which are in order.
pub(in super::super) fn kernel(
    levels: &[Level],
    (planes, terms): (&[PlaneId], &[Term]),
    scale: Fraction,
) -> Option<Polynomial> {
    let mut kernel = Polynomial::new();
    for term in terms {
        let channel = planes.binary_search(&term.wire.plane).ok().and_then(|channel| u16::try_from(channel).ok())?;
        let atom = Atom { channel, displacement: term.displacement };
        kernel.add_term(atom, weight(levels, term, scale)?)?;
    }
    Some(kernel)
}
