//! Lowers calculations with two results: those without a constant, and those that are refused.

use super::{ABSORBED, Lower, PADDED, Value};
use crate::graph::{Became, Node};
use crate::op::Pair;

impl Lower<'_> {
    pub(super) fn pair(&mut self, node: &Node, pair: Pair) -> Result<Value, String> {
        let sign = match pair {
            Pair::Add => 1.0,
            Pair::Sub => -1.0,
            Pair::Mul | Pair::Div => return Err(self.why_not_linear(node, pair)),
            _ => return Err(self.why_not_compared(node)),
        };
        let (first, second) = (self.value(node, 0)?, self.value(node, 1)?);
        match (&*first, &*second) {
            (Value::Maps(_), Value::Maps(_)) => self.sum_of_maps(node, sign),
            (Value::Padded, _) | (_, Value::Padded) => Err(PADDED.to_owned()),
            _ => {
                let (first, second) = (self.forms(node, 0)?, self.forms(node, 1)?);
                self.became(node, Became::Text(ABSORBED));
                first.add(&second, sign).map(Value::Forms)
            }
        }
    }

    fn why_not_linear(&self, node: &Node, pair: Pair) -> String {
        let is_constant = |input: usize| node.inputs.get(input).is_some_and(|id| self.graph.constant(*id).is_some());
        match (is_constant(0), is_constant(1)) {
            _ if pair == Pair::Mul => "neither input is a constant",
            (_, true) if !node.fact.kind.is_float() => {
                "divides whole numbers, which rounds them; cast them to float first"
            }
            (_, true) => "divides by zero",
            (true, _) => "divides a constant; expected a division by a constant",
            _ => "neither input is a constant",
        }
        .to_owned()
    }

    fn why_not_compared(&self, node: &Node) -> String {
        let constant = node.inputs.iter().find_map(|id| self.graph.constant(*id));
        match constant {
            None => "compares two results; expected one constant".to_owned(),
            Some(constant) => {
                let sizes = &constant.dims;
                format!(
                    "compares with a constant of the sizes {sizes:?}; expected one number, or one for each channel of maps"
                )
            }
        }
    }
}
