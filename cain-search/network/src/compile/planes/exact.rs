//! Numbers in digital registers.

use std::collections::BTreeMap;
use std::rc::Rc;

use cain_analysis::prove::{Atom, Polynomial};
use cain_digital::{Format, Formula, Logic};
use cain_isa::program::Grid;
use cain_isa::{Displacement, Dreg, Fraction};

use super::super::CompileError;
use super::displacement::displacement;
use super::lowering::Lowering;
use super::number::{Exact, Number};
use super::{Kind, PlaneId, Wire};
use crate::Reach;
use crate::exact::sum;

impl Lowering<'_> {
    /// Adds a channel that is a sum of numbers.
    pub(super) fn exact_sum(
        &mut self,
        reach: &Reach,
        wires: &[Wire],
        channel: usize,
        kernel: &[Vec<Vec<Fraction>>],
    ) -> Result<Wire, CompileError> {
        let first = self.grid(wires[0]);
        let grid = self.outputs(reach, first)?;
        let mut terms = Polynomial::new();
        let mut read = vec![];
        let mut macs = 0;
        for (&wire, matrix) in wires.iter().zip(kernel) {
            let source = self.grid(wire);
            self.same_steps(first, source)?;
            let Formula::Sum(of_wire) = sum(std::slice::from_ref(matrix), &self.taps(reach, source, grid)?) else {
                continue;
            };
            macs += of_wire.terms().count();
            if of_wire.terms().count() == 0 {
                continue;
            }
            if !reach.padding.is_none() {
                self.surround_number(wire)?;
            }
            let input = self.input(wire, &mut read)?;
            for (atom, weight) in of_wire.terms() {
                let atom = Atom { channel: input, ..atom };
                terms.add_term(atom, weight).ok_or_else(|| self.overflow())?;
            }
        }
        if read.is_empty() {
            self.input(wires[0], &mut read)?;
        }
        self.number(channel, Exact { read, formula: terms.into(), format: self.format(channel), macs }, grid)
    }

    /// Adds a channel that is a Boolean function.
    pub(super) fn function(&mut self, wires: &[Wire], channel: usize, function: &Logic) -> Result<Wire, CompileError> {
        let grid = self.grid(wires[0]);
        let mut read = vec![];
        let mut inputs = BTreeMap::new();
        for (input, bit, at) in function.pixels() {
            self.same_steps(grid, self.grid(wires[input]))?;
            // The other bits of a number are not kept for the function.
            let alone = |number: Number| number.bits.get(bit as usize).map(|&plane| Wire::of(plane));
            let wire = self.in_bits(wires[input]).and_then(alone).ok_or_else(|| self.overflow())?;
            if at != Displacement::ZERO {
                self.surround(wire)?;
            }
            inputs.insert((input, bit), self.input(wire, &mut read)?);
        }
        if read.is_empty() {
            self.input(wires[0], &mut read)?;
        }
        let placed = function.with_pixels(&|input, bit, at| {
            let source = displacement(grid, self.grid(wires[input]))?;
            let along = |pixels: i16, step: usize, first: i16| {
                pixels.checked_mul(i16::try_from(step).ok()?)?.checked_add(first)
            };
            let at = Displacement::new(along(at.x, grid.column_step, source.x)?, along(at.y, grid.row_step, source.y)?);
            Some(Logic::Pixel { input: usize::from(*inputs.get(&(input, bit))?), bit: 0, at })
        });
        let formula = placed.ok_or_else(|| self.overflow())?.into();
        self.number(channel, Exact { read, formula, format: Format::BIT, macs: 0 }, grid)
    }

    /// Adds a bit that is 1 where a number is at least `least`.
    pub(super) fn at_least(&mut self, channel: usize, wire: Wire, least: i64) -> Result<Wire, CompileError> {
        let grid = self.grid(wire);
        let mut read = vec![];
        self.input(wire, &mut read)?;
        let formula = at_least(&read[0], least).into();
        self.number(channel, Exact { read, formula, format: Format::BIT, macs: 0 }, grid)
    }

    /// The number in bits that a wire passes on unchanged.
    pub(super) fn in_bits(&self, wire: Wire) -> Option<Number> {
        let is_plain = wire.scale == Fraction::ONE && wire.shift == 0.0;
        match &self.planes.list[wire.plane].kind {
            Kind::Number(number) if is_plain => Some(number.clone()),
            kind if is_plain && kind.is_bit() => Some(Number { bits: vec![wire.plane], is_signed: false }),
            _ => None,
        }
    }

    /// The index of a number among the inputs, to which it is added if necessary.
    fn input(&self, wire: Wire, read: &mut Vec<Number>) -> Result<u16, CompileError> {
        let number =
            self.in_bits(wire).ok_or_else(|| self.unsupported("exact sums of numbers that are not in bits"))?;
        let place = read.iter().position(|other| *other == number).unwrap_or_else(|| {
            read.push(number);
            read.len() - 1
        });
        u16::try_from(place).map_err(|_| self.overflow())
    }

    /// The format of a channel of this layer.
    fn format(&self, channel: usize) -> Format {
        let formats = self.exact[self.layer].as_ref();
        formats.and_then(|formats| formats.get(channel)).copied().unwrap_or(Format::BIT)
    }

    /// Adds the planes of a number: one for each bit, and another one for all of them together if there are several.
    fn number(&mut self, channel: usize, exact: Exact, grid: Grid) -> Result<Wire, CompileError> {
        if usize::from(self.network.machine.bits) < Dreg::COUNT {
            return Err(self.unsupported("numbers in bits on arrays with fewer than 13 digital registers"));
        }
        let program = Rc::new(exact);
        let format = program.format;
        let bits = (0..format.bits() as usize).map(|bit| {
            let kind = Kind::Exact { program: Rc::clone(&program), bit };
            self.push(channel, kind, grid)
        });
        let bits: Vec<PlaneId> = bits.collect();
        if let ([bit], false) = (bits.as_slice(), format.is_signed()) {
            return Ok(Wire::of(*bit));
        }
        let number = Number { bits, is_signed: format.is_signed() };
        Ok(Wire::of(self.push(channel, Kind::Number(number), grid)))
    }

    /// Ensures that there are zeros around a number.
    fn surround_number(&mut self, wire: Wire) -> Result<(), CompileError> {
        let bits = self.in_bits(wire).map(|number| number.bits).unwrap_or_default();
        bits.into_iter().try_for_each(|bit| self.surround(Wire::of(bit)))
    }
}

/// The function that is 1 where the first input is at least `least`, built from the highest bit to the lowest.
fn at_least(number: &Number, least: i64) -> Logic {
    let bits = number.bits.len();
    // In two's complement, inverting the highest bit adds an offset that makes the number unsigned.
    let least = if number.is_signed { least.saturating_add(1 << (bits - 1)) } else { least };
    if least <= 0 || least >= 1 << bits {
        return Logic::Constant(least <= 0);
    }
    (0..).zip(0..bits).fold(Logic::Constant(true), |lower, (bit, place)| {
        let pixel = Logic::Pixel { input: 0, bit, at: Displacement::ZERO };
        let is_turned = number.is_signed && place + 1 == bits;
        let pixel = if is_turned { Logic::Not(Box::new(pixel)) } else { pixel };
        let both = vec![pixel, lower];
        if least >> place & 1 == 1 { Logic::All(both) } else { Logic::Any(both) }
    })
}
