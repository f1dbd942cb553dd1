//! Keeps the pictures of a batch apart.

use super::Reader;
use crate::graph::{Fact, Id};
use crate::op::Op;

impl Reader<'_> {
    /// Refuses nodes that combine the pictures of a batch, of which the graph has only one.
    pub(super) fn check_batch(&self, op: &Op, inputs: &[Id], fact: &Fact) -> Result<(), String> {
        let along = match op {
            Op::Reduce { axes, .. } => axes.contains(&0),
            Op::Slice(slices) => slices.iter().any(|slice| slice.axis == 0),
            Op::Take { axis, .. } | Op::Concat { axis } | Op::Softmax { axis, .. } | Op::ArgMax { axis } => *axis == 0,
            Op::Transpose { order } => order.first() != Some(&0),
            Op::Dense(dense) => dense.reads_transposed,
            Op::Reshape => self.changes_first_axis()?,
            _ => false,
        };
        let has_one = |id: &Id| self.graph.node(*id).is_some_and(|node| node.fact.dims.first() == Some(&1));
        let spreads = fact.dims.first() != Some(&1) && inputs.iter().any(has_one);
        if self.is_batch && (along || spreads) {
            return Err("calculates with several pictures of a batch; export the model for one".to_owned());
        }
        Ok(())
    }

    /// Whether a change of sizes replaces the axis of the pictures of a batch.
    fn changes_first_axis(&self) -> Result<bool, String> {
        let rank = i64::try_from(self.dims(0)?.len()).unwrap_or(i64::MAX);
        let axes = self.integers(1)?.or_else(|| self.node.ints("axes").map(<[i64]>::to_vec));
        let has = |first: i64| axes.as_ref().is_none_or(|axes| axes.iter().any(|axis| *axis == 0 || *axis == -first));
        Ok(match self.node.op.as_str() {
            "Flatten" => [0, -rank].contains(&self.node.int("axis", 1)),
            "Squeeze" => has(rank),
            "Unsqueeze" => has(rank + axes.as_ref().map_or(0, |axes| i64::try_from(axes.len()).unwrap_or(0))),
            // These are the new sizes.
            "Reshape" => axes.is_none_or(|sizes| sizes.first() == Some(&1)),
            "Gather" => [0, -rank].contains(&self.node.int("axis", 0)),
            _ => false,
        })
    }
}
