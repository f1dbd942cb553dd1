//! Lowers calculations with two results: those without a constant, and those that are refused.

use cain_network::Operation;

use super::{ABSORBED, Lower, Value, View};
use crate::draft::Work;
use crate::graph::{Became, Node};
use crate::kind::Kind;
use crate::op::{Op, Pair};
use crate::tensor::Tensor;

impl Lower<'_> {
    pub(super) fn pair(&mut self, node: &Node, pair: Pair) -> Result<Value, String> {
        let sign = match pair {
            Pair::Add => 1.0,
            Pair::Sub => -1.0,
            Pair::Xor => return self.different(node),
            Pair::Mul | Pair::Div => return Err(self.why_not_linear(node, pair)),
            _ => return Err(self.why_not_compared(node)),
        };
        let (first, second) = (self.value(node, 0)?, self.value(node, 1)?);
        if let (Value::Maps(_), Value::Maps(_)) = (&*first, &*second) {
            return self.sum_of_maps(node, sign);
        }
        let (first, second) = (self.forms(node, 0)?, self.forms(node, 1)?);
        self.became(node, Became::Text(ABSORBED));
        first.add(&second, sign).map(Value::Forms)
    }

    /// Whether two bits of maps differ: 1 if their difference is 1 or -1.
    fn different(&mut self, node: &Node) -> Result<Value, String> {
        match self.sum_of_maps(node, -1.0)? {
            Value::Maps(View { source, size, .. }) => {
                Ok(self.layer(node, vec![source], Work::Ready(Operation::Abs), size))
            }
            difference => Ok(difference),
        }
    }

    /// One of two numbers for each number of maps that are 0 or 1.
    pub(super) fn selection(&mut self, node: &Node) -> Result<Value, String> {
        let single = |input: usize| self.graph.constant(*node.inputs.get(input)?)?.single();
        let sizes = node.inputs.first().and_then(|id| Some(&self.graph.node(*id)?.fact.dims));
        match single(1).zip(single(2)) {
            Some((yes, no)) if sizes == Some(&node.fact.dims) => {
                self.affine(node, &Tensor::scalar(yes - no), &Tensor::scalar(no))
            }
            _ => Err(
                "selects between results; expected two numbers for comparisons of maps with constants, or multiples of the maps that are \
                 compared: `where(x > 0.5, x, 0)`"
                    .to_owned(),
            ),
        }
    }

    /// Why a change to whole numbers may change them.
    pub(super) fn why_not_cast(&self, node: &Node) -> String {
        let kind = node.fact.kind;
        let read = node.inputs.first().copied().unwrap_or_default();
        let of_picture = matches!(self.graph.op(read), Some(Op::Image { .. }));
        match self.bounds.get(read).copied().flatten() {
            Some((low, high)) if kind == Kind::Bool => {
                format!("casts numbers from {low} to {high} to bool, which makes 1 of most; compare them with a number")
            }
            Some((low, high)) => {
                format!(
                    "casts numbers from {low} to {high} to {kind}, which does not have all of them; cast them to float"
                )
            }
            None if of_picture => format!(
                "casts the picture to {kind}, which rounds its numbers unless they are whole; give `--range 0..255` if they are \
                 those of bytes, or cast to float"
            ),
            None => "makes whole numbers or truth values of results; expected a comparison before, such as `x > 0`"
                .to_owned(),
        }
    }

    fn why_not_linear(&self, node: &Node, pair: Pair) -> String {
        let is_constant = |input: usize| node.inputs.get(input).is_some_and(|id| self.graph.constant(*id).is_some());
        match (is_constant(0), is_constant(1)) {
            _ if pair == Pair::Mul => {
                "multiplies two results; the array and the controller multiply by constants only: train without gates and attention; \
                 combine bits by `Min`; a mask of the same maps is possible as `x * (x > 0.5)`, and one of others, for numbers `x` \
                 from 0 to `top`, as `torch.minimum(x, top * mask)`"
            }
            (_, true) if !node.fact.kind.is_float() => {
                "divides whole numbers, which rounds them; cast them to float first"
            }
            (_, true) => "divides by zero",
            (true, _) => "divides a constant; expected a division by a constant",
            _ => "divides by a result; expected a division by a constant",
        }
        .to_owned()
    }

    fn why_not_compared(&self, node: &Node) -> String {
        let constant = node.inputs.iter().find_map(|id| self.graph.constant(*id));
        match constant {
            None => "compares two results; subtract one from the other, and compare that with 0".to_owned(),
            Some(_) if !matches!(*node.fact.dims, [1, _, _, _]) => {
                "compares numbers on the controller, which has no comparison; return the numbers".to_owned()
            }
            Some(constant) => {
                let sizes = &constant.dims;
                format!(
                    "compares with a constant of the sizes {sizes:?}; expected one number, or one for each channel of maps"
                )
            }
        }
    }
}
