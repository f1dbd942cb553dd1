//! The meaning of values on the array: scales, zeros and ranges of planes.

mod form;
mod level;
mod picture;
mod sums;

use std::collections::BTreeMap;

use cain_isa::Fraction;

use super::CompileError;
use super::error::Obstacle;
use super::headroom::Headroom;
use super::planes::{Around, Kind, Plane, PlaneId, Planes, Wire};
use crate::arithmetic::exact;
use crate::lattice::Lattice;
use crate::{Network, Operation};
use form::{Form, MOST_HALVINGS, Zero};
use level::LIMIT;
use sums::{Misfit, Room, sum};

pub(super) use level::Level;
pub(super) use sums::{kernel, sources};

/// The sums whose programs have no place for their summand, and what is given up in each; most sums are not listed.
pub(super) type Summands = BTreeMap<PlaneId, Given>;

/// The part of a summand that is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// Its exactness.
    Exactness,
    /// The whole summand.
    Up,
}

/// Gives up more of the summand of a sum; returns `false` if nothing is left.
pub(super) fn relax(summands: &mut Summands, plane: PlaneId) -> bool {
    let more = match summands.get(&plane) {
        None => Given::Exactness,
        Some(Given::Exactness) => Given::Up,
        Some(Given::Up) => return false,
    };
    summands.insert(plane, more);
    true
}

/// The levels of all planes.
pub(super) fn levels(
    network: &Network,
    planes: &Planes,
    headroom: &Headroom,
    summands: &Summands,
) -> Result<Vec<Level>, CompileError> {
    let at = |picture: Level| levels_with(network, planes, headroom, summands, picture);
    let finest = picture::level(network)?;
    let levels = at(finest);
    if !levels.as_ref().is_err_and(|error| matches!(*error.obstacle, Obstacle::Range | Obstacle::Overflow)) {
        return levels;
    }
    picture::coarser(network, finest).map(at).find(Result::is_ok).unwrap_or(levels)
}

/// The levels of all planes for this level of the picture.
fn levels_with(
    network: &Network,
    planes: &Planes,
    headroom: &Headroom,
    summands: &Summands,
    picture: Level,
) -> Result<Vec<Level>, CompileError> {
    let readers = planes.readers();
    let size = (network.input.height, network.input.width);
    // Reading beyond the border of the array yields 0 DN.
    let is_read_beyond = |plane: PlaneId| {
        let is_padded = planes.list[plane].around.is_some();
        is_padded && planes.beyond_the_array(&readers[plane], size).is_some()
    };
    let form = |plane: PlaneId| form(planes, &readers, plane, is_read_beyond(plane), summands);
    let forms: Vec<Form> = (0..planes.list.len()).map(form).collect();
    let mut extra = vec![0; planes.list.len()];
    loop {
        let mut levels: Vec<Level> = Vec::with_capacity(planes.list.len());
        let mut lower = None;
        for (id, plane) in planes.list.iter().enumerate() {
            let level = match &plane.kind {
                Kind::Image => picture,
                Kind::Linear { terms, bias } => {
                    let layer = plane.layer.unwrap_or_default();
                    let halvings = headroom[layer] + extra[id];
                    let room = Room { halvings, share: share(network, planes, id) };
                    sum(&levels, terms, *bias, room, forms[id]).map_err(|misfit| match misfit {
                        Misfit::Overflow => CompileError::overflow(network, layer),
                        Misfit::Range => CompileError::range(network, layer),
                    })?
                }
                kind => {
                    let layer = plane.layer.unwrap_or_default();
                    if let Kind::Extreme { of, .. } = kind
                        && let Some((root, halvings)) = too_large(planes, &levels, of)
                    {
                        lower = Some((root, halvings));
                    }
                    if let Kind::Spread(number) = kind
                        && number.step().is_none()
                    {
                        return Err(CompileError::new(network, plane.layer, Obstacle::TooWide(number.bits.len())));
                    }
                    if ends_beyond(&levels, kind) {
                        return Err(CompileError::range(network, layer));
                    }
                    if let Kind::LeakyRelu(wire, _) | Kind::Abs(wire) = kind
                        && levels[wire.plane].of(*wire).is_some_and(|level| leaves_when_centred(&level))
                    {
                        let root = root(planes, wire.plane).filter(|root| extra[*root] < MOST_HALVINGS);
                        lower = Some((Some(root.ok_or_else(|| CompileError::range(network, layer))?), 1));
                    }
                    let level = other(&levels, kind).ok_or_else(|| CompileError::overflow(network, layer))?;
                    Level { summand: 0.0, ..level }
                }
            };
            levels.push(match plane.around {
                Some(Around::Number(number)) => level.surrounded_by(number),
                Some(Around::Least) | None => level,
            });
        }
        match lower {
            Some((Some(root), halvings)) if extra[root] + halvings <= MOST_HALVINGS => extra[root] += halvings,
            Some((_, _)) => {
                let mut layer = planes.list.iter().filter(|plane| matches!(plane.kind, Kind::Extreme { .. }));
                let layer = layer.find_map(|plane| plane.layer).unwrap_or_default();
                return Err(CompileError::unsupported(network, layer, "maps whose scales cannot be made the same"));
            }
            None => return Ok(levels),
        }
    }
}

/// How far a sum goes, as a share of what it could be.
pub(super) fn share(network: &Network, planes: &Planes, plane: PlaneId) -> f64 {
    let Plane { kind, layer, .. } = &planes.list[plane];
    let is_convolution =
        layer.is_some_and(|layer| matches!(network.layers[layer].operation, Operation::Convolution { .. }));
    let reads_picture = kind.sources().iter().any(|&source| matches!(planes.list[source].kind, Kind::Image));
    if is_convolution && !reads_picture { network.largest_sums.to_f64() } else { 1.0 }
}

/// Whether values are clamped to a bound that registers cannot hold.
fn ends_beyond(levels: &[Level], kind: &Kind) -> bool {
    let level = |wire: &Wire| levels[wire.plane].of(*wire);
    match kind {
        Kind::Clamp(wire, low, high) => {
            level(wire).is_some_and(|level| level.value(*low) > LIMIT || level.value(*high) < -LIMIT)
        }
        Kind::Relu(wire) => level(wire).is_some_and(
            |Level { scale, zero, .. }| {
                if scale < Fraction::ZERO { zero < -LIMIT } else { zero > LIMIT }
            },
        ),
        _ => false,
    }
}

/// Whether values leave the range of the registers where they are moved so that 0 is 0 DN, or change their signs there.
fn leaves_when_centred(level: &Level) -> bool {
    /// What rounding the constant may add, which registers hold beside the limit.
    const ROUNDING: f64 = 0.5;
    let Level { low, high, .. } = level.centred();
    high.max(-low) > LIMIT + ROUNDING
}

/// The level of a plane that is neither the picture nor a sum.
fn other(levels: &[Level], kind: &Kind) -> Option<Level> {
    let centred = |wire: Wire| Some(levels[wire.plane].of(wire)?.centred());
    Some(match kind {
        Kind::Relu(wire) => {
            let level = levels[wire.plane].of(*wire)?;
            let bound = level.constant(level.zero).value();
            let lattice = level.lattice.zip(Lattice::of(bound)).and_then(|(lattice, point)| lattice.with(point));
            let bounded = |end: f64| if level.scale < Fraction::ZERO { end.min(bound) } else { end.max(bound) };
            Level { low: bounded(level.low), high: bounded(level.high), lattice, ..level }
        }
        Kind::LeakyRelu(wire, halvings) => {
            let level = centred(*wire)?;
            let slope = Fraction::new(1, 1 << halvings)?;
            let lattice = level.lattice.and_then(Lattice::with_zero).and_then(|lattice| lattice.times(slope));
            let negative = level.low.min(0.0) * slope.to_f64();
            Level { low: negative, high: level.high.max(0.0), lattice, ..level }
        }
        Kind::Abs(wire) => {
            let level = centred(*wire)?;
            let lattice = level.lattice.and_then(Lattice::with_zero);
            Level { low: 0.0, high: level.high.max(-level.low), lattice, ..level }
        }
        Kind::Clamp(wire, low, high) => {
            let level = levels[wire.plane].of(*wire)?;
            let [low, high] = [*low, *high].map(|end| level.value(end).clamp(-LIMIT, LIMIT));
            Level { low: level.low.clamp(low, high), high: level.high.clamp(low, high), lattice: None, ..level }
        }
        Kind::Extreme { of, .. } => {
            let (first, _) = of.first()?;
            let first = levels[first.plane].of(*first)?;
            of.iter().skip(1).try_fold(first, |all, (wire, _)| {
                let level = levels[wire.plane].of(*wire)?;
                let moved = (all.zero - level.zero).round();
                let lattice = all.lattice.zip(level.lattice).and_then(|(a, b)| a.with(b.moved(exact(moved)?)?));
                Some(Level {
                    low: all.low.min(level.low + moved),
                    high: all.high.max(level.high + moved),
                    lattice,
                    ..all
                })
            })?
        }
        Kind::Spread(number) => {
            let step = Fraction::from(i32::from(number.step()?));
            let of_bits = |sign: i32| {
                let weights = (0..number.bits.len()).map(|bit| number.weight(bit));
                f64::from(weights.filter(|weight| weight.signum() == sign).sum::<i32>()) * step.to_f64()
            };
            let lattice = Some(Lattice { offset: Fraction::ZERO, step });
            Level { scale: step, low: of_bits(-1), high: of_bits(1), lattice, ..Level::BIT }
        }
        Kind::Threshold { .. }
        | Kind::Bits { .. }
        | Kind::Exact { .. }
        | Kind::Number(_)
        | Kind::Image
        | Kind::Linear { .. } => Level::BIT,
    })
}

/// The requirements on a sum.
fn form(planes: &Planes, readers: &[Vec<PlaneId>], plane: PlaneId, is_read_beyond: bool, summands: &Summands) -> Form {
    let all =
        |of: PlaneId, wanted: fn(&Kind) -> bool| readers[of].iter().all(|&reader| wanted(&planes.list[reader].kind));
    let any = |wanted: fn(&Kind) -> bool| readers[plane].iter().any(|&reader| wanted(&planes.list[reader].kind));
    let is_rectified = any(|kind| matches!(kind, Kind::Relu(_)));
    let is_compared = is_compared(planes, readers, plane);
    // Zeros that differ by fractions of a DN could not be compared exactly.
    let is_centred = is_compared || any(|kind| matches!(kind, Kind::LeakyRelu(..) | Kind::Abs(_)));
    let is_sum = matches!(&planes.list[plane].kind, Kind::Linear { terms, .. } if !terms.is_empty());
    let given = summands.get(&plane);
    let zero = match (is_sum && given != Some(&Given::Up), is_centred, is_rectified) {
        (true, true, _) | (true, _, true) => Zero::Made,
        (true, false, false) if is_read_beyond => Zero::Made,
        (false, true, _) => Zero::Centre,
        (false, false, true) => Zero::Level,
        (_, false, false) => Zero::Anywhere,
    };
    let falls = is_sum
        && is_rectified
        && all(plane, |kind| matches!(kind, Kind::Relu(_)))
        && readers[plane]
            .iter()
            .all(|&relu| all(relu, |kind| matches!(kind, Kind::Linear { .. } | Kind::Threshold { .. })));
    let bounds = readers[plane].iter().fold((f64::NEG_INFINITY, f64::INFINITY), |(low, high), &reader| {
        match &planes.list[reader].kind {
            Kind::Clamp(wire, least, largest) => {
                let [least, largest] = [least, largest].map(|end| (end - wire.shift) / wire.scale.to_f64());
                (low.max(least), high.min(largest))
            }
            _ => (low, high),
        }
    });
    Form { zero, exact: given.is_none(), falls, bounds, is_compared }
}

/// Whether the values of a plane, or others made of them at the same scale, are compared with those of other planes.
fn is_compared(planes: &Planes, readers: &[Vec<PlaneId>], plane: PlaneId) -> bool {
    readers[plane].iter().any(|&reader| match &planes.list[reader].kind {
        Kind::Extreme { of, .. } if of.iter().any(|(wire, _)| wire.plane != plane) => true,
        Kind::Extreme { .. } | Kind::Relu(_) | Kind::LeakyRelu(..) | Kind::Abs(_) | Kind::Clamp(..) => {
            is_compared(planes, readers, reader)
        }
        _ => false,
    })
}

/// Among planes that are compared with each other, the sum behind one with a larger scale than another, and the number
/// of halvings by which they differ.
fn too_large(
    planes: &Planes,
    levels: &[Level],
    of: &[(Wire, cain_isa::Displacement)],
) -> Option<(Option<PlaneId>, u32)> {
    let scale = |wire: Wire| levels[wire.plane].of(wire).map(|level| level.scale);
    let scales = of.iter().map(|(wire, _)| Some((wire.plane, scale(*wire)?))).collect::<Option<Vec<_>>>()?;
    let least = scales.iter().map(|(_, scale)| *scale).min()?;
    let (plane, scale) = scales.into_iter().find(|(_, scale)| *scale != least)?;
    let ratio = scale.checked_div(least)?;
    let halvings = ratio.numerator().trailing_zeros();
    if ratio.denominator() != 1 || ratio.numerator() != 1 << halvings {
        return Some((None, 0));
    }
    Some((root(planes, plane), halvings))
}

/// The sum that determines the scale of a plane.
fn root(planes: &Planes, plane: PlaneId) -> Option<PlaneId> {
    match &planes.list[plane].kind {
        Kind::Linear { .. } => Some(plane),
        Kind::Relu(wire) | Kind::LeakyRelu(wire, _) | Kind::Abs(wire) | Kind::Clamp(wire, ..) => {
            root(planes, wire.plane)
        }
        Kind::Extreme { of, .. } => root(planes, of.first()?.0.plane),
        Kind::Image
        | Kind::Threshold { .. }
        | Kind::Bits { .. }
        | Kind::Exact { .. }
        | Kind::Number(_)
        | Kind::Spread(_) => None,
    }
}
