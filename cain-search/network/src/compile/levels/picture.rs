//! The level of the picture.

use cain_isa::Fraction;

use super::super::CompileError;
use super::level::{LIMIT, Level};
use crate::Network;
use crate::arithmetic::{exact, near, within};
use crate::lattice::Lattice;

/// By how much the scale of the picture may differ from what it should be, as shares of it, where sums of its values and others, such
/// as bits, have no level otherwise: the fewer digits it has, the smaller are the terms of the common fraction of all weights.
const COARSER: [f64; 3] = [1.0 / 65_536.0, 1.0 / 4096.0, 1.0 / 1024.0];

/// The level of the picture.
pub(super) fn level(network: &Network) -> Result<Level, CompileError> {
    let image = &network.input;
    let beyond = || CompileError::levels(network);
    let (black, white) = image.levels;
    let differ = |(a, b): (f64, f64)| exact(b)?.checked_sub(exact(a)?);
    let (low, step) = exact(black).zip(differ(image.levels)).ok_or_else(beyond)?;
    // The mean and the deviation by which pictures are normalised have no few binary digits.
    let scale = differ(image.range).and_then(|range| step.checked_div(range));
    let number = || near((white - black) / (image.range.1 - image.range.0));
    let scale = scale.or_else(number).ok_or_else(beyond)?;
    if black.abs().max(white.abs()) > LIMIT {
        return Err(beyond());
    }
    let steps = if image.binarise.is_some() { 1 } else { i32::from(u8::MAX) };
    let lattice = step.abs().checked_div(Fraction::from(steps)).map(|step| Lattice { offset: low, step });
    let level = Level { scale, zero: 0.0, low: black.min(white), high: black.max(white), lattice, summand: 0.0 };
    Ok(with_scale(network, level, scale))
}

/// The levels with scales of fewer digits.
pub(super) fn coarser(network: &Network, finest: Level) -> impl Iterator<Item = Level> {
    let scale = move |share: f64| within(finest.scale.to_f64(), share).filter(|scale| *scale != finest.scale);
    COARSER.into_iter().filter_map(scale).map(move |scale| with_scale(network, finest, scale))
}

/// The level of the picture with another scale, at which black stays what it is.
fn with_scale(network: &Network, level: Level, scale: Fraction) -> Level {
    let (black, range) = (network.input.levels.0, network.input.range);
    Level { scale, zero: black - scale.to_f64() * range.0, ..level }
}
