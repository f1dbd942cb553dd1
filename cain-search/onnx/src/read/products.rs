//! Reads products of numbers with matrices of weights: dense layers.

use std::rc::Rc;

use super::{Made, Reader};
use crate::graph::Id;
use crate::op::{Dense, Op};
use crate::tensor::{Tensor, broadcast};

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

impl Reader<'_> {
    /// A product with a matrix of weights on either side.
    pub(super) fn product_of_matrices(&mut self) -> Result<Id, String> {
        match self.graph.constant(self.id(0)?).cloned() {
            Some(weights) if self.graph.constant(self.id(1)?).is_none() => self.product_from_left(weights),
            _ => self.dense().and_then(|made| self.add(made)),
        }
    }

    /// A product with weights from the left, which is one from the right between two exchanges of axes.
    fn product_from_left(&mut self, weights: Rc<Tensor>) -> Result<Id, String> {
        self.check_float()?;
        let (node, given) = (self.node, self.dims(1)?.to_vec());
        let is_gemm = node.op == "Gemm";
        let is_set = |name: &str| is_gemm && node.int(name, 0) != 0;
        let rank = weights.dims.len();
        let weights = match *weights.dims.as_slice() {
            [inputs] => Rc::new(Tensor { dims: vec![1, inputs], ..(*weights).clone() }),
            _ => matrix(weights),
        };
        // Weights for the numbers on the right are in rows, unless these are exchanged already.
        let is_transposed = !is_set("transA");
        let factor = if is_gemm { node.float("alpha", 1.0) } else { 1.0 };
        let dense = Dense { weights, is_transposed, reads_transposed: false, factor, bias: Vec::new() };
        let (inputs, outputs) = dense.sizes();
        if (inputs, outputs) == (0, 0) {
            return Err(format!("the weights have the sizes {:?}; expected a matrix", dense.weights.dims));
        }
        let (front, rows) = match given.as_slice() {
            [own] => (&[][..], [1, *own]),
            [front @ .., columns, own] if is_set("transB") => (front, [*columns, *own]),
            [front @ .., own, columns] => (front, [*columns, *own]),
            [] => return Err("reads a single number; expected a matrix".to_owned()),
        };
        let [columns, own] = rows;
        if own != inputs {
            return Err(format!("weights for {inputs} numbers, but reads {given:?} numbers"));
        }
        let sizes = |last: [usize; 2]| [front, &last].concat();
        let mut order: Vec<usize> = (0..front.len() + 2).collect();
        order.swap(front.len(), front.len() + 1);
        let read = match given.len() {
            1 => self.step(self.id(1)?, Op::Reshape, sizes(rows))?,
            _ if is_set("transB") => self.id(1)?,
            _ => self.step(self.id(1)?, Op::Transpose { order: order.clone() }, sizes(rows))?,
        };
        let dense = Dense { bias: vec![0.0; outputs], ..dense };
        let product = self.step(read, Op::Dense(dense), sizes([columns, outputs]))?;
        let mut product = self.step(product, Op::Transpose { order }, sizes([outputs, columns]))?;
        if let Some(bias) = if is_gemm { self.constant(2)? } else { None } {
            let beta = node.float("beta", 1.0);
            if broadcast(&[&bias.dims, &[outputs, columns]])? != [outputs, columns] {
                return Err(format!("a bias of the sizes {:?} for {outputs}×{columns} outputs", bias.dims));
            }
            let shift = bias.map(|bias| bias * beta);
            product = self.step(product, Op::Affine { scale: Tensor::scalar(1.0), shift }, vec![outputs, columns])?;
        }
        // A list on a side leaves no axis of that side; further axes of the weights stand in front.
        let mut made = vec![1; rank.saturating_sub(given.len().max(2))];
        made.extend(front);
        made.extend((rank > 1).then_some(outputs));
        made.extend((given.len() > 1).then_some(columns));
        self.shaped(product, made)
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
}
