//! Thresholds, and read-outs of maps.

use cain_isa::Fraction;

use super::super::CompileError;
use super::lowering::Lowering;
use super::{Kind, PlaneReadout, Wanted, Wire};

impl Lowering<'_> {
    /// Adds a bit that is 1 where the numbers are above a threshold.
    pub(super) fn threshold(
        &mut self,
        channel: usize,
        wire: Wire,
        at: f64,
        inclusive: bool,
    ) -> Result<Wire, CompileError> {
        if matches!(self.planes.list[wire.plane].kind, Kind::Number(_)) && self.in_bits(wire).is_some() {
            #[expect(clippy::cast_possible_truncation, reason = "saturates")]
            let least = if inclusive { at.ceil() } else { at.floor() + 1.0 } as i64;
            return self.at_least(channel, wire, least);
        }
        let of = self.rising(channel, wire);
        let grid = self.grid(of);
        Ok(Wire::of(self.push(channel, Kind::Threshold { of, at, inclusive }, grid)))
    }

    /// The numbers of a wire as a bit, which is 1 where they are the second of two.
    pub(super) fn bit(&mut self, channel: usize, wire: Wire, (zero, one): (f64, f64)) -> Result<Wire, CompileError> {
        if self.planes.list[wire.plane].kind.is_bit() {
            return Ok(wire);
        }
        let middle = f64::midpoint(zero, one);
        let (wire, at) =
            if zero < one { (wire, middle) } else { (self.affine(wire, Fraction::from(-1), 0.0)?, -middle) };
        self.threshold(channel, wire, at, false)
    }

    pub(super) fn readout(&mut self, wires: &[Wire], wanted: &Wanted) -> Result<(), CompileError> {
        for (channel, &wire) in wires.iter().enumerate() {
            let mut push = |wire: Wire, adds: bool| {
                let readout = PlaneReadout { layer: self.layer, channel, wire, wanted: wanted.clone(), adds };
                self.planes.readouts.push(readout);
            };
            let Kind::Number(number) = self.planes.list[wire.plane].kind.clone() else {
                push(wire, false);
                continue;
            };
            // The number is read out bit by bit, with the value of each bit.
            for (bit, &plane) in number.bits.iter().enumerate() {
                let scale = wire.scale.checked_mul(Fraction::from(number.weight(bit)));
                let shift = if bit == 0 { wire.shift } else { 0.0 };
                let scale = scale.ok_or_else(|| CompileError::overflow(self.network, self.layer))?;
                push(Wire { plane, scale, shift }, bit > 0);
            }
        }
        Ok(())
    }
}
