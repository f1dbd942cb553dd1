//! The level of a plane.

use cain_isa::Fraction;

use super::super::constant::Constant;
use super::super::planes::Wire;
use crate::arithmetic::exact;
use crate::lattice::Lattice;
use crate::limits::MOST_LEVEL;

/// The largest magnitude of a value, in DN.
pub(super) const LIMIT: f64 = MOST_LEVEL;

/// The number of distinguishable parts of a plane's range.
const PARTS: f64 = 4096.0;

/// The meaning of a plane's values: `scale`·number + `zero`, in DN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Level {
    pub(in super::super) scale: Fraction,
    pub(in super::super) zero: f64,
    /// The least value on the array.
    pub(in super::super) low: f64,
    /// The largest value on the array.
    pub(in super::super) high: f64,
    /// All values, if there are few.
    pub(in super::super) lattice: Option<Lattice>,
    /// The constant, in DN, that the program of a sum adds so that the number 0 becomes 0 DN.
    pub(in super::super) summand: f64,
}

impl Level {
    pub(in super::super) const BIT: Self =
        Self { scale: Fraction::ONE, zero: 0.0, low: 0.0, high: 1.0, lattice: None, summand: 0.0 };

    /// The level of the numbers of a wire.
    pub(in super::super) fn of(self, wire: Wire) -> Option<Self> {
        let scale = self.scale.checked_div(wire.scale)?;
        let zero = if wire.shift == 0.0 { self.zero } else { self.zero - scale.to_f64() * wire.shift };
        Some(Self { scale, zero, ..self })
    }

    /// The value that represents a number.
    pub(in super::super) fn value(&self, number: f64) -> f64 {
        self.scale.to_f64() * number + self.zero
    }

    /// A constant near a value, as exact as values of the plane matter.
    pub(in super::super) fn constant(&self, value: f64) -> Constant {
        Constant::near(value, (self.high - self.low) / PARTS)
    }

    /// The tolerance of the summand. A sum that has few values keeps them exactly.
    pub(in super::super) fn tolerance(&self) -> f64 {
        if self.lattice.is_some() { 0.0 } else { (self.high - self.low) / PARTS }
    }

    /// The level with a number around the map, which sums read like the map's own values.
    pub(super) fn surrounded_by(self, number: f64) -> Self {
        let around = self.constant(self.value(number)).value();
        let lattice = self.lattice.zip(Lattice::of(around)).and_then(|(lattice, point)| lattice.with(point));
        Self { low: self.low.min(around), high: self.high.max(around), lattice, ..self }
    }

    /// The constant to add so that the number 0 becomes 0 DN.
    pub(in super::super) fn to_centre(self) -> Constant {
        self.constant(-self.zero)
    }

    /// The level after adding that constant.
    pub(super) fn centred(self) -> Self {
        let summand = self.to_centre().value();
        let lattice = self.lattice.and_then(|lattice| lattice.moved(exact(summand)?));
        Self { zero: 0.0, low: self.low + summand, high: self.high + summand, lattice, ..self }
    }
}
