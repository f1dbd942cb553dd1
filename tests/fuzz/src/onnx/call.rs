//! A node with its inputs, and the table of operators.

use super::proto::{Attribute, Node};
use super::tensor::{Kind, Tensor, axis};
use super::{elementwise, reduction, shape, sliding};

/// A node, the version of its operator, and the arrays that it reads; omitted ones are `None`.
pub(super) struct Call<'a> {
    pub(super) node: &'a Node,
    pub(super) opset: i64,
    pub(super) inputs: Vec<Option<&'a Tensor>>,
}

impl<'a> Call<'a> {
    /// The values of its outputs, at least of the first ones.
    pub(super) fn outputs(&self) -> Result<Vec<Tensor>, String> {
        if !self.node.domain.is_empty() && self.node.domain != "ai.onnx" {
            return Err(format!("operators of `{}` are not known here", self.node.domain));
        }
        let output = match self.node.op_type.as_str() {
            "Constant" => self.constant()?,
            "Dropout" => return self.dropout(),
            "Identity" => self.input(0)?.clone(),
            "Cast" | "Relu" | "LeakyRelu" | "Abs" | "Neg" | "Sign" | "Sqrt" | "Floor" | "Ceil" | "Round" | "Not"
            | "Clip" => elementwise::of_one(self)?,
            "Add" | "Sub" | "Mul" | "Div" | "Max" | "Min" | "Greater" | "GreaterOrEqual" | "Less" | "LessOrEqual" => {
                elementwise::of_several(self)?
            }
            "Where" => elementwise::selected(self)?,
            "BatchNormalization" => elementwise::normalised(self)?,
            "Conv" => sliding::convolution(self)?,
            "MaxPool" | "AveragePool" => sliding::pooling(self)?,
            "GlobalAveragePool" | "ReduceSum" | "ReduceMean" => reduction::reduced(self)?,
            "ArgMax" => reduction::argmax(self)?,
            "Softmax" => reduction::softmax(self)?,
            "Gemm" => reduction::gemm(self)?,
            "MatMul" => reduction::product(self.input(0)?, self.input(1)?)?,
            "Shape" => shape::shape(self)?,
            "ConstantOfShape" => shape::filled(self)?,
            "Flatten" | "Reshape" | "Squeeze" | "Unsqueeze" => shape::reshaped(self)?,
            "Transpose" => shape::transposed(self)?,
            "Slice" => shape::sliced(self)?,
            "Concat" => shape::concatenated(self)?,
            "Gather" => shape::gathered(self)?,
            "Pad" => shape::padded(self)?,
            other => return Err(format!("`{other}` is not known here")),
        };
        Ok(vec![output])
    }

    pub(super) fn op(&self) -> &str {
        &self.node.op_type
    }

    /// An input, unless it is omitted.
    pub(super) fn optional(&self, input: usize) -> Option<&'a Tensor> {
        self.inputs.get(input).copied().flatten()
    }

    pub(super) fn input(&self, input: usize) -> Result<&'a Tensor, String> {
        self.optional(input).ok_or_else(|| format!("input {input} is missing"))
    }

    /// All inputs.
    pub(super) fn all(&self) -> Result<Vec<&'a Tensor>, String> {
        (0..self.inputs.len()).map(|input| self.input(input)).collect()
    }

    fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.node.attribute.iter().find(|attribute| attribute.name == name)
    }

    pub(super) fn int(&self, name: &str, default: i64) -> i64 {
        self.attribute(name).map_or(default, |attribute| attribute.i)
    }

    pub(super) fn float(&self, name: &str, default: f32) -> f64 {
        f64::from(self.attribute(name).map_or(default, |attribute| attribute.f))
    }

    pub(super) fn ints(&self, name: &str) -> Option<&[i64]> {
        self.attribute(name).map(|attribute| attribute.ints.as_slice())
    }

    pub(super) fn text(&self, name: &str) -> Option<&[u8]> {
        self.attribute(name).map(|attribute| attribute.s.as_slice())
    }

    pub(super) fn tensor(&self, name: &str) -> Result<Option<Tensor>, String> {
        self.attribute(name).and_then(|attribute| attribute.t.as_ref()).map(Tensor::read).transpose()
    }

    /// The axes, from an attribute before a version of the operators and from an input since then; `None` if there are
    /// none.
    pub(super) fn axes(&self, input: usize, since: i64, rank: usize) -> Result<Option<Vec<usize>>, String> {
        let axes = if self.opset < since {
            self.ints("axes").map(<[i64]>::to_vec)
        } else {
            self.optional(input).map(Tensor::wholes).transpose()?
        };
        axes.map(|axes| axes.into_iter().map(|number| axis(number, rank)).collect()).transpose()
    }

    fn constant(&self) -> Result<Tensor, String> {
        if let Some(tensor) = self.tensor("value")? {
            return Ok(tensor);
        }
        let [attribute] = self.node.attribute.as_slice() else {
            return Err("expected one attribute, the value".to_owned());
        };
        let reals = |dims: &[usize], numbers: &[f32]| {
            Tensor::reals(dims, &numbers.iter().copied().map(f64::from).collect::<Vec<_>>())
        };
        match attribute.name.as_str() {
            "value_float" => reals(&[], &[attribute.f]),
            "value_floats" => reals(&[attribute.floats.len()], &attribute.floats),
            "value_int" => Tensor::list(&[attribute.i]).with_dims(Vec::new()),
            "value_ints" => Ok(Tensor::list(&attribute.ints)),
            other => Err(format!("constants of `{other}` are not known here")),
        }
    }

    /// Outside of training, nothing is dropped; the second output marks the numbers that are kept.
    fn dropout(&self) -> Result<Vec<Tensor>, String> {
        let data = self.input(0)?;
        let trains = self.optional(2).map(Tensor::single).transpose()?;
        if trains.is_some_and(|trains| trains.real() != 0.0) {
            return Err("training is not known here".to_owned());
        }
        let kept = data.map(Kind::Bool, |_| Ok(super::tensor::Number::of_bool(true)))?;
        Ok(vec![data.clone(), kept])
    }
}
