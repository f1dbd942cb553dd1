//! Refuses what would need numbers of the controller on the array, such as means of whole maps.

use std::collections::BTreeSet;

use super::{Lower, Value};
use crate::graph::{Id, Node};
use crate::op::Op;

impl Lower<'_> {
    /// Why a value on the controller is no map: the sum or mean of whole maps that it depends on is at fault, if there is one.
    pub(super) fn why_no_maps(&mut self, id: Id, otherwise: String) -> String {
        let Some((fault, is_mean)) = self.whole_sum_before(id) else { return otherwise };
        self.at_fault = Some(fault);
        let what = if is_mean { "mean" } else { "sum" };
        let reader = self.graph.node(self.node).map_or("", |node| &*node.name);
        format!(
            "makes the {what} of all pixels of a map, a number on the controller, which the array does not get back, but `{reader}` \
             has to be computed there with it; take a constant in its place, or let the loader of the data subtract it or divide by it"
        )
    }

    /// Fails unless the first input, which is compared with thresholds, is maps.
    pub(super) fn compared(&mut self, node: &Node) -> Result<(), String> {
        let otherwise = "compares what are no maps on the array".to_owned();
        match &*self.value(node, 0)? {
            Value::Maps(_) => Ok(()),
            // A mean itself, compared with a number, is not needed on the array.
            Value::Forms(_) if self.reads_maps(node) => {
                Err(self.why_no_maps(node.inputs.first().copied().unwrap_or_default(), otherwise))
            }
            Value::Constant(_) | Value::Forms(_) | Value::Refused => Err(otherwise),
        }
    }

    /// The sum or mean of all pixels of maps from which numbers are calculated, and whether it is a mean.
    fn whole_sum_before(&self, id: Id) -> Option<(Id, bool)> {
        let mut waiting = vec![id];
        let mut known = BTreeSet::new();
        while let Some(id) = waiting.pop() {
            let Some(node) = self.graph.node(id).filter(|_| known.insert(id)) else { continue };
            match &*node.op {
                Op::Reduce { axes, is_mean, .. }
                    if self.reads_maps(node) && [2, 3].iter().all(|axis| axes.contains(axis)) =>
                {
                    return Some((id, *is_mean));
                }
                Op::Convolution(_) | Op::MaxPool(_) | Op::MeanPool { .. } | Op::Dense(_) | Op::Image { .. } => {}
                _ => waiting.extend(&node.inputs),
            }
        }
        None
    }

    /// Whether a node reads maps of several pixels.
    fn reads_maps(&self, node: &Node) -> bool {
        let read = node.inputs.first().and_then(|id| self.graph.node(*id));
        read.is_some_and(|read| matches!(*read.fact.dims, [1, _, height, width] if height * width > 1))
    }
}
