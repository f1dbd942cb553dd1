//! Reads nodes that combine numbers: sums, dense layers and decisions.

use std::rc::Rc;

use cain_network::{Padding, Reach};

use super::{Made, Reader};
use crate::axes;
use crate::graph::{Fact, Id};
use crate::kind::Kind;
use crate::op::{Dense, Op};
use crate::substitutes;
use crate::tensor::Tensor;

/// The matrix of weights that have further axes of size 1 in front, or none for the only output.
fn matrix(weights: Rc<Tensor>) -> Rc<Tensor> {
    let dims = match *weights.dims.as_slice() {
        [inputs] => vec![inputs, 1],
        [ref front @ .., inputs, outputs] if !front.is_empty() && front.iter().all(|size| *size == 1) => {
            vec![inputs, outputs]
        }
        _ => return weights,
    };
    Rc::new(Tensor { dims, ..(*weights).clone() })
}

/// The sizes that are left without some axes, or with size 1 along them.
pub(super) fn left(dims: &[usize], axes: &[usize], keeps: bool) -> Vec<usize> {
    let kept = |(axis, size): (usize, &usize)| match axes.contains(&axis) {
        true if keeps => Some(1),
        true => None,
        false => Some(*size),
    };
    dims.iter().enumerate().filter_map(kept).collect()
}

impl Reader<'_> {
    pub(super) fn reduction(&self) -> Result<Made, String> {
        let kind = self.number_kind()?;
        let op = self.node.op.as_str();
        let dims = self.dims(0)?;
        let is_global = op == "GlobalAveragePool";
        if is_global && dims.len() != 4 {
            return Err(format!("reads the sizes {dims:?}; expected maps, [1, channels, rows, columns]"));
        }
        let is_mean = op != "ReduceSum";
        if is_mean && !kind.is_float() && self.graph.constant(self.id(0)?).is_none() {
            return Err(format!("takes the mean of numbers of the type {kind}, which is rounded; add a cast"));
        }
        let keeps = is_global || self.node.int("keepdims", 1) != 0;
        let given = if is_global { Some(vec![2, 3]) } else { self.integers(1)? };
        let Some(axes) = self.reduced_axes(given)? else { return self.same() };
        let sizes = left(dims, &axes, keeps);
        self.alike(Op::Reduce { axes, is_mean, keeps }, sizes)
    }

    /// The axes that a node reduces; `None` if it leaves all numbers as they are.
    pub(super) fn reduced_axes(&self, given: Option<Vec<i64>>) -> Result<Option<Vec<usize>>, String> {
        let rank = self.dims(0)?.len();
        let given = given.or_else(|| self.node.ints("axes").map(<[i64]>::to_vec)).unwrap_or_default();
        match given.as_slice() {
            [] if self.node.int("noop_with_empty_axes", 0) != 0 => Ok(None),
            // All axes are reduced, including that of the pictures, of size 1.
            [] => Ok(Some((0..rank).collect())),
            axes => axes::axes(axes, rank).map(Some),
        }
    }

    /// Products of constants, as sizes are.
    pub(super) fn product(&self) -> Result<Made, String> {
        if self.graph.constant(self.id(0)?).is_none() {
            return Err(substitutes::none("ReduceProd"));
        }
        let Some(axes) = self.reduced_axes(self.integers(1)?)? else { return self.same() };
        let sizes = left(self.dims(0)?, &axes, self.node.int("keepdims", 1) != 0);
        self.alike(Op::Product { axes }, sizes)
    }

    /// Sums or means over axes. That over channels, which come first or last, makes a map, whose axis is left out after it.
    pub(super) fn reduced(&mut self) -> Result<Id, String> {
        match self.reduction()? {
            Made::New(Op::Reduce { axes, is_mean, keeps: false }, inputs, fact)
                if fact.dims.len() == 3 && matches!(*axes, [1 | 3]) =>
            {
                let mut dims = fact.dims.clone();
                for axis in &axes {
                    dims.insert(*axis, 1);
                }
                let kept = Op::Reduce { axes, is_mean, keeps: true };
                let id = self.add(Made::New(kept, inputs, Fact { kind: fact.kind, dims }))?;
                self.step(id, Op::Reshape, fact.dims)
            }
            made => self.add(made),
        }
    }

    /// The largest number of each map.
    pub(super) fn largest(&self) -> Result<Made, String> {
        self.number_kind()?;
        let (channels, height, width) = self.maps()?;
        let reach = Reach { size: (height, width), stride: (1, 1), dilation: (1, 1), padding: Padding::NONE };
        self.alike(Op::MaxPool(reach), vec![1, channels, 1, 1])
    }

    /// A product with a matrix of weights, of which a product from the left is one between two exchanges of axes.
    pub(super) fn product_of_matrices(&mut self) -> Result<Id, String> {
        let dims = self.dims(1)?.to_vec();
        let has_rank = |weights: &Rc<Tensor>| (2..=dims.len()).contains(&weights.dims.len());
        let weights = self.constant(0).ok().flatten().filter(has_rank).map(matrix);
        let ([.., inputs, columns], Some(weights), None) = (dims.as_slice(), weights, self.graph.constant(self.id(1)?))
        else {
            return self.dense().and_then(|made| self.add(made));
        };
        self.check_float()?;
        let &[outputs, own] = weights.dims.as_slice() else {
            return Err(format!("the weights have the sizes {:?}; expected a matrix", weights.dims));
        };
        if own != *inputs {
            return Err(format!("weights for {own} numbers, but reads {dims:?} numbers"));
        }
        let mut order: Vec<usize> = (0..dims.len()).collect();
        order.swap(dims.len() - 2, dims.len() - 1);
        let front = dims.get(..dims.len() - 2).unwrap_or_default();
        let sizes = |last: [usize; 2]| [front, &last].concat();
        let turned = self.step(self.id(1)?, Op::Transpose { order: order.clone() }, sizes([*columns, own]))?;
        let bias = vec![0.0; outputs];
        let dense = Dense { weights, is_transposed: true, reads_transposed: false, factor: 1.0, bias };
        let product = self.step(turned, Op::Dense(dense), sizes([*columns, outputs]))?;
        self.step(product, Op::Transpose { order }, sizes([outputs, *columns]))
    }

    pub(super) fn dense(&self) -> Result<Made, String> {
        let node = self.node;
        if self.graph.constant(self.id(0)?).is_some() {
            return Err("expected numbers of the picture, found a constant".to_owned());
        }
        if self.graph.constant(self.id(1)?).is_none() {
            return Err(
                "multiplies two results; the second one has to be a constant matrix of weights: train without \
                        attention"
                    .to_owned(),
            );
        }
        let weights = self.required(1)?;
        self.check_float()?;
        let is_gemm = node.op == "Gemm";
        let mut dims = self.dims(0)?.to_vec();
        let reads_transposed = is_gemm && node.int("transA", 0) != 0;
        if is_gemm && dims.len() != 2 {
            return Err(format!("reads the sizes {dims:?}; expected a matrix"));
        }
        if reads_transposed {
            dims.reverse();
        }
        // Without a matrix on a side, the result has no axis of that side; axes of several matrices stand in front.
        let of_weights = weights.dims.len();
        let weights = if is_gemm { weights } else { matrix(weights) };
        if weights.dims.len() != 2 {
            return Err(format!("the weights have the sizes {:?}; expected a matrix", weights.dims));
        }
        let is_transposed = is_gemm && node.int("transB", 0) != 0;
        let factor = if is_gemm { node.float("alpha", 1.0) } else { 1.0 };
        let mut dense = Dense { weights, is_transposed, reads_transposed, factor, bias: Vec::new() };
        let (inputs, outputs) = dense.sizes();
        if dims.last() != Some(&inputs) {
            return Err(format!("weights for {inputs} numbers, but reads {dims:?} numbers"));
        }
        dense.bias = match if is_gemm { self.constant(2)? } else { None } {
            Some(bias) => {
                let beta = node.float("beta", 1.0);
                let all = Tensor { kind: bias.kind, dims: vec![1, outputs], values: vec![0.0; outputs] };
                let spread = all.combine(&bias, |_, bias| bias * beta)?;
                if spread.dims != [1, outputs] {
                    return Err(format!("a bias of the sizes {:?} for {outputs} outputs", bias.dims));
                }
                spread.values
            }
            None => vec![0.0; outputs],
        };
        let in_front = dims.len().max(of_weights).saturating_sub(2);
        let rows = dims.len().checked_sub(1).and_then(|last| dims.get(..last)).unwrap_or_default();
        let column = if of_weights > 1 { vec![outputs] } else { Vec::new() };
        let in_front = vec![1; (in_front + usize::from(dims.len() > 1)).saturating_sub(rows.len())];
        self.alike(Op::Dense(dense), [in_front, rows.to_vec(), column].concat())
    }

    pub(super) fn softmax(&self) -> Result<Made, String> {
        self.check_float()?;
        let dims = self.dims(0)?;
        // Before opset 13, it works over this axis and all axes after it.
        let is_to_end = self.node.opset < 13;
        let axis = axes::axis(self.node.int("axis", if is_to_end { 1 } else { -1 }), dims.len())?;
        let is_logarithm = self.node.op == "LogSoftmax";
        self.alike(Op::Softmax { axis, is_to_end, is_logarithm }, dims.to_vec())
    }

    pub(super) fn argmax(&self) -> Result<Made, String> {
        self.number_kind()?;
        if self.node.int("select_last_index", 0) != 0 {
            return Err("of equal numbers the first is taken; `select_last_index` is not possible".to_owned());
        }
        let mut dims = self.dims(0)?.to_vec();
        let axis = axes::axis(self.node.int("axis", 0), dims.len())?;
        if self.node.int("keepdims", 1) == 0 {
            dims.remove(axis);
        } else if let Some(size) = dims.get_mut(axis) {
            *size = 1;
        }
        Ok(Made::New(Op::ArgMax { axis }, vec![self.id(0)?], Fact { kind: Kind::INDEX, dims }))
    }
}
