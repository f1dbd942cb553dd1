//! Reads the nodes that quantised models have: numbers that integers stand for.

use std::rc::Rc;

use super::{Made, Reader, constant};
use crate::axes;
use crate::evaluate::quantised;
use crate::graph::{Fact, Id};
use crate::kind::{Kind, type_name};
use crate::op::Op;
use crate::substitutes::ROUNDED;
use crate::tensor::Tensor;

/// A factor and the integer that stands for 0: one of each for all numbers, or one for each place along an axis.
struct Scales {
    scale: Tensor,
    zero: Tensor,
}

/// Whether it is a type of integers that numbers are quantised to.
fn is_short(kind: Kind) -> bool {
    matches!(kind, Kind::Whole { bits: 8, .. } | Kind::Whole { bits: 16, signed: true })
}

impl Reader<'_> {
    /// Integers become numbers: their distances from the integer for 0, times a factor.
    pub(super) fn dequantised(&mut self) -> Result<Id, String> {
        let Fact { kind, dims } = self.fact(0)?.clone();
        if !is_short(kind) && kind != (Kind::Whole { bits: 32, signed: true }) {
            return Err(format!("reads numbers of the type {kind}; expected int8, uint8, int16 or int32"));
        }
        let Scales { scale, zero } = self.scales(kind, &dims)?;
        let to = match self.node.int("output_dtype", 0) {
            0 => scale.kind,
            code => Kind::of(code).filter(|kind| kind.is_float()).ok_or("makes integers; expected floating point")?,
        };
        if let Some(integers) = self.graph.constant(self.id(0)?).cloned() {
            // These products need no rounding in double precision, and none is wanted.
            let distances = integers.combine(&zero, |integer, zero| integer - zero)?;
            let numbers = distances.combine(&scale, |distance, scale| distance * scale)?;
            return self.add(constant(Tensor { kind: to, ..numbers }));
        }
        let shift = zero.combine(&scale, |zero, scale| -zero * scale)?;
        let fact = Fact { kind: to, dims };
        let real = self.add(Made::New(Op::Cast, vec![self.id(0)?], fact.clone()))?;
        self.add(Made::New(Op::Affine { scale, shift }, vec![real], fact))
    }

    /// The integers that stand for numbers.
    pub(super) fn quantised(&self) -> Result<Made, String> {
        self.check_float()?;
        let Fact { kind: from, dims } = self.fact(0)?.clone();
        let byte = Kind::Whole { bits: 8, signed: false };
        let to = match (self.has(2), self.node.int("output_dtype", 0)) {
            (true, _) => self.fact(2)?.kind,
            (false, 0) => byte,
            (false, code) => Kind::of(code).ok_or_else(|| format!("makes numbers of the type {}", type_name(code)))?,
        };
        if !is_short(to) {
            return Err(format!("makes numbers of the type {to}; expected int8, uint8 or int16"));
        }
        let Scales { scale, zero } = self.scales(to, &dims)?;
        if let Some(numbers) = self.graph.constant(self.id(0)?) {
            let quotients = numbers.combine(&scale, |number, scale| number / scale)?;
            let integer = |quotient: f64, zero: f64| quantised(quotient, (from, to), (1.0, zero));
            let pairs = quotients.combine(&zero, |quotient, zero| integer(quotient, zero).unwrap_or(f64::NAN))?;
            return Ok(constant(Tensor { kind: to, ..pairs }));
        }
        let (Some(scale), Some(zero)) = (scale.single(), zero.single()) else {
            return Err(ROUNDED.to_owned());
        };
        Ok(Made::New(Op::Quantise { scale, zero }, vec![self.id(0)?], Fact { kind: to, dims }))
    }

    /// The second and third input, with the sizes with which they are repeated to fill these ones.
    fn scales(&self, kind: Kind, dims: &[usize]) -> Result<Scales, String> {
        if self.node.int("block_size", 0) != 0 {
            return Err("has a factor for each block of numbers; expected one for all, or one along an axis".to_owned());
        }
        let scale = self.required(1)?;
        if !scale.kind.is_float() || scale.values.iter().any(|scale| *scale <= 0.0) {
            return Err("has factors that are not positive floating point".to_owned());
        }
        let zero = match self.constant(2)? {
            Some(zero) if zero.kind != kind => {
                return Err(format!("has {} for 0 beside numbers of the type {kind}", zero.kind));
            }
            Some(zero) if zero.values.len() != scale.values.len() => {
                return Err(format!(
                    "has factors of the sizes {:?} and zeros of the sizes {:?}",
                    scale.dims, zero.dims
                ));
            }
            Some(zero) => zero,
            None => Rc::new(Tensor { kind, ..scale.map(|_| 0.0) }),
        };
        if scale.single().is_some() {
            let single = |tensor: &Tensor| Tensor { dims: Vec::new(), ..tensor.clone() };
            return Ok(Scales { scale: single(&scale), zero: single(&zero) });
        }
        let axis = axes::axis(self.node.int("axis", 1), dims.len())?;
        let size = dims.get(axis).copied().unwrap_or_default();
        if scale.dims != [size] {
            return Err(format!("has factors of the sizes {:?} for {size} places along axis {axis}", scale.dims));
        }
        let mut sizes = vec![1; dims.len()];
        if let Some(along) = sizes.get_mut(axis) {
            *along = size;
        }
        let along = |tensor: &Tensor| Tensor { dims: sizes.clone(), ..tensor.clone() };
        Ok(Scales { scale: along(&scale), zero: along(&zero) })
    }
}
