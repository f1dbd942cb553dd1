//! Assigns weights to digital registers and PEs.

use cain_isa::Dreg;

use super::geometry::{Geometry, slots};
use crate::registers::{DENSE, WeightPlane};
use crate::{Declaration, Second};

/// The registers for the weights of the two convolutions. `R12` is written only where `R0` is 1, so it is unsuitable as
/// scratch.
pub(super) const FILTERS: [Dreg; 2] = [Dreg::ALL[11], Dreg::ALL[12]];

/// The weight of the first convolution that a PE holds, if any: its filter and its index in that.
pub(super) const fn of_first(geometry: &Geometry, taps: usize, row: usize, column: usize) -> Option<(usize, usize)> {
    let slots = slots(taps);
    let (y, x) = (row / geometry.group % slots, column / geometry.group % slots);
    if y < taps && x < taps { Some((geometry.in_group(row, column), y * taps + x)) } else { None }
}

/// The weight of the second convolution that a PE holds, if any: its filter and its index in that.
pub(super) const fn of_second(geometry: &Geometry, taps: usize, row: usize, column: usize) -> Option<(usize, usize)> {
    let slots = slots(taps);
    let (y, x) = (row / geometry.place % slots, column / geometry.place % slots);
    let filter = geometry.map(row, column) * geometry.group * geometry.group + geometry.in_group(row, column);
    if y < taps && x < taps { Some((filter, y * taps + x)) } else { None }
}

/// The weight of the dense layer that a PE holds: its feature and its class.
pub(super) const fn of_dense(geometry: &Geometry, row: usize, column: usize) -> (usize, usize) {
    let places = geometry.places() * geometry.places();
    let feature = geometry.map(row, column) * places + geometry.place_of(row, column);
    (feature, geometry.in_group(row, column))
}

/// The weight planes of a network. Bits are stored inverted, so that a single `NOR` takes a bit from its PE.
pub(super) fn planes(network: &Declaration, second: &Second, geometry: &Geometry) -> Vec<WeightPlane> {
    let side = geometry.side;
    let plane = |register: Dreg, bit: &dyn Fn(usize, usize) -> bool| {
        let bits = (0..side * side).map(|pe| bit(pe / side, pe % side)).collect();
        WeightPlane { register, bits }
    };
    let is = |filters: &[Vec<i8>], place: Option<(usize, usize)>| {
        place.is_some_and(|(filter, weight)| filters[filter][weight] == -1)
    };
    let dense = |row: usize, column: usize, wanted: i8| {
        let (feature, class) = of_dense(geometry, row, column);
        network.dense[feature].get(class) == Some(&wanted)
    };
    let [first, next] = FILTERS;
    let [plus, minus] = DENSE;
    vec![
        plane(first, &|row, column| is(&network.filters, of_first(geometry, network.taps, row, column))),
        plane(next, &|row, column| is(&second.filters, of_second(geometry, second.taps, row, column))),
        plane(plus, &|row, column| !dense(row, column, 1)),
        plane(minus, &|row, column| !dense(row, column, -1)),
    ]
}
