//! Assigns filters, maps and classes to PEs.

use crate::{Declaration, InPixelError, Pixels, Second};

/// Numbers of PEs along an axis, all of them powers of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Geometry {
    pub(super) side: usize,
    /// The side of a pixel of the picture.
    pub(super) pixel: usize,
    /// The side of a place: a pooling window.
    pub(super) place: usize,
    /// The side of a group, whose PEs have different filters of the first convolution.
    pub(super) group: usize,
}

impl Geometry {
    pub(super) const fn of(network: &Declaration, _: &Second) -> Self {
        let Declaration { side, scale, pool, .. } = *network;
        Self { side, pixel: scale, place: scale * pool, group: network.filters.len().isqrt() }
    }

    /// The number of groups along each side of a place.
    pub(super) const fn groups(&self) -> usize {
        self.place / self.group
    }

    /// The number of places along each side of the array.
    pub(super) const fn places(&self) -> usize {
        self.side / self.place
    }

    /// The index of the PE in its group: its filter of the first convolution, and its class.
    pub(super) const fn in_group(&self, row: usize, column: usize) -> usize {
        row % self.group * self.group + column % self.group
    }

    /// The index of the PE's group in its place: its map of the second convolution.
    pub(super) const fn map(&self, row: usize, column: usize) -> usize {
        row % self.place / self.group * self.groups() + column % self.place / self.group
    }

    /// The index of the PE's place.
    pub(super) const fn place_of(&self, row: usize, column: usize) -> usize {
        row / self.place * self.places() + column / self.place
    }
}

/// The number of PEs along an axis for the weights of filters with this many, side by side.
pub(super) const fn slots(taps: usize) -> usize {
    taps.next_power_of_two()
}

/// Checks a network of two convolutions on an undivided array; returns the first error.
pub(crate) fn check(network: &Declaration, second: &Second) -> Result<(), InPixelError> {
    let Declaration { side, block, scale, pool, taps, .. } = *network;
    if block != side {
        return Err(InPixelError::Block { block, side });
    }
    if network.pixels == Pixels::Halves {
        return Err(InPixelError::Halves);
    }
    if ![2, 4].contains(&pool) {
        return Err(InPixelError::Pool(pool));
    }
    let filters = network.filters.len();
    let group = filters.isqrt();
    if group * group != filters || ![2, 4].contains(&group) {
        return Err(InPixelError::Group(filters));
    }
    let place = scale.saturating_mul(pool);
    if !scale.is_power_of_two() || scale < group || place.saturating_mul(2) > side {
        return Err(InPixelError::Scale { scale, least: group, most: side / pool / 2 });
    }
    let most = (place / group).min(Second::MOST_TAPS);
    if !(2..=most).contains(&taps) {
        return Err(InPixelError::Taps { convolution: 0, found: taps, most });
    }
    let most = (side / place).min(Second::MOST_TAPS);
    if !(2..=most).contains(&second.taps) {
        return Err(InPixelError::Taps { convolution: 1, found: second.taps, most });
    }
    let margin = network.margin();
    let picture = network.picture.saturating_mul(scale);
    if picture == 0 || margin >= block || picture > block - margin {
        return Err(InPixelError::Picture { picture, margin, block });
    }
    for (convolution, thresholds) in second.thresholds.iter().enumerate() {
        let increase = thresholds.windows(2).all(|pair| pair[0] < pair[1]);
        if !(1..=Second::MOST_THRESHOLDS).contains(&thresholds.len()) || !increase || thresholds[0] == 0 {
            return Err(InPixelError::Thresholds { convolution, found: thresholds.clone() });
        }
    }
    let geometry = Geometry::of(network, second);
    let maps = geometry.groups() * geometry.groups();
    if second.filters.len() != filters * maps {
        return Err(InPixelError::SecondFilters { found: second.filters.len(), before: filters, after: maps });
    }
    check_filters(0, &network.filters, taps)?;
    check_filters(1, &second.filters, second.taps)?;
    network.check_features(maps * geometry.places() * geometry.places(), filters)
}

fn check_filters(convolution: usize, filters: &[Vec<i8>], taps: usize) -> Result<(), InPixelError> {
    for (filter, weights) in filters.iter().enumerate() {
        if weights.len() != taps * taps {
            let (found, wanted) = (weights.len(), taps * taps);
            return Err(InPixelError::Weights { convolution, filter, found, wanted });
        }
        if let Some(place) = weights.iter().position(|weight| !matches!(weight, -1 | 1)) {
            let (row, column) = (place / taps, place % taps);
            return Err(InPixelError::NotOne { convolution, filter, row, column, found: weights[place] });
        }
    }
    Ok(())
}
