//! Reads nodes that combine numbers: sums and decisions.

use cain_network::{Padding, Reach};

use super::{Made, Reader};
use crate::axes;
use crate::graph::{Fact, Id};
use crate::kind::Kind;
use crate::op::Op;
use crate::substitutes;

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
