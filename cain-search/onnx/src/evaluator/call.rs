//! A node with its inputs.

use std::cell::Cell;

use super::proto::{Attribute, Node};
use super::tensor::{Tensor, axis};

/// Watches comparisons: numbers that differ very little might compare otherwise after another rounding.
pub(crate) struct Near {
    /// The largest difference that is very little.
    pub(crate) most: f64,
    pub(crate) is_found: Cell<bool>,
}

impl Near {
    pub(crate) fn compare(&self, a: f64, b: f64) {
        let difference = (a - b).abs();
        if difference > 0.0 && difference <= self.most {
            self.is_found.set(true);
        }
    }
}

/// A node, the version of its operator, and the arrays that it reads; omitted ones are `None`.
pub(crate) struct Call<'a> {
    pub(crate) node: &'a Node,
    pub(crate) opset: i64,
    pub(crate) inputs: Vec<Option<&'a Tensor>>,
    pub(crate) near: &'a Near,
}

impl<'a> Call<'a> {
    pub(crate) fn op(&self) -> &str {
        &self.node.op_type
    }

    /// An input, unless it is omitted.
    pub(crate) fn optional(&self, input: usize) -> Option<&'a Tensor> {
        self.inputs.get(input).copied().flatten()
    }

    pub(crate) fn input(&self, input: usize) -> Result<&'a Tensor, String> {
        self.optional(input).ok_or_else(|| format!("input {input} is missing"))
    }

    /// All inputs.
    pub(crate) fn all(&self) -> Result<Vec<&'a Tensor>, String> {
        (0..self.inputs.len()).map(|input| self.input(input)).collect()
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.node.attribute.iter().find(|attribute| attribute.name == name)
    }

    pub(crate) fn int(&self, name: &str, default: i64) -> i64 {
        self.attribute(name).map_or(default, |attribute| attribute.i)
    }

    pub(crate) fn float(&self, name: &str, default: f32) -> f64 {
        f64::from(self.attribute(name).map_or(default, |attribute| attribute.f))
    }

    pub(crate) fn ints(&self, name: &str) -> Option<&[i64]> {
        self.attribute(name).map(|attribute| attribute.ints.as_slice())
    }

    pub(crate) fn text(&self, name: &str) -> Option<&[u8]> {
        self.attribute(name).map(|attribute| attribute.s.as_slice())
    }

    pub(crate) fn tensor(&self, name: &str) -> Result<Option<Tensor>, String> {
        self.attribute(name).and_then(|attribute| attribute.t.as_ref()).map(Tensor::read).transpose()
    }

    /// The axes, from an attribute before a version of the operators and from an input since then; `None` if there are
    /// none.
    pub(crate) fn axes(&self, input: usize, since: i64, rank: usize) -> Result<Option<Vec<usize>>, String> {
        let axes = if self.opset < since {
            self.ints("axes").map(<[i64]>::to_vec)
        } else {
            self.optional(input).map(Tensor::wholes).transpose()?
        };
        axes.map(|axes| axes.into_iter().map(|number| axis(number, rank)).collect()).transpose()
    }
}
