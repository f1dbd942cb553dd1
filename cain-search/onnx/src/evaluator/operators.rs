//! The table of operators.

use super::call::Call;
use super::tensor::{Kind, Number, Tensor};
use super::{elementwise, letters, ordered, quantised, reduction, repeated, shape, sliding};

impl Call<'_> {
    /// The values of its outputs, at least of the first ones.
    pub(crate) fn outputs(&self) -> Result<Vec<Tensor>, String> {
        if !self.node.domain.is_empty() && self.node.domain != "ai.onnx" {
            return Err(format!("operators of `{}` are not known here", self.node.domain));
        }
        let output = match self.node.op_type.as_str() {
            "Constant" => self.constant()?,
            "Dropout" => return self.dropout(),
            "Split" => return shape::split(self),
            "TopK" => return ordered::first(self),
            "Identity" => self.input(0)?.clone(),
            "Cast" | "CastLike" | "Relu" | "LeakyRelu" | "Abs" | "Neg" | "Sign" | "Sqrt" | "Floor" | "Ceil"
            | "Round" | "Not" | "Clip" | "Sigmoid" | "Tanh" | "HardSigmoid" | "ThresholdedRelu" | "Shrink" => {
                elementwise::of_one(self)?
            }
            "PRelu" => elementwise::parametric(self)?,
            "And" | "Or" | "Xor" | "Equal" => elementwise::both(self)?,
            "QuantizeLinear" => quantised::quantised(self)?,
            "DequantizeLinear" => quantised::dequantised(self)?,
            "Add" | "Sum" | "Mean" | "Sub" | "Mul" | "Div" | "Max" | "Min" | "Greater" | "GreaterOrEqual" | "Less"
            | "LessOrEqual" => elementwise::of_several(self)?,
            "Where" => elementwise::selected(self)?,
            "BatchNormalization" => elementwise::normalised(self)?,
            "Conv" => sliding::convolution(self)?,
            "ConvTranspose" => sliding::transposed(self)?,
            "Einsum" => letters::summed(self)?,
            "MaxPool" | "AveragePool" | "GlobalMaxPool" => sliding::pooling(self)?,
            "GlobalAveragePool" | "ReduceSum" | "ReduceMean" | "ReduceProd" | "ReduceMax" | "ReduceMin"
            | "ReduceL1" => reduction::reduced(self)?,
            "ArgMax" | "ArgMin" => reduction::argmax(self)?,
            "Softmax" | "LogSoftmax" => reduction::softmax(self)?,
            "Gemm" => reduction::gemm(self)?,
            "MatMul" => reduction::product(self.input(0)?, self.input(1)?)?,
            "Shape" => shape::shape(self)?,
            "Size" => shape::size(self)?,
            "Expand" => shape::expanded(self)?,
            "ConstantOfShape" => shape::filled(self)?,
            "Range" => shape::counted(self)?,
            "Flatten" | "Reshape" | "Squeeze" | "Unsqueeze" => shape::reshaped(self)?,
            "Transpose" => shape::transposed(self)?,
            "Slice" => shape::sliced(self)?,
            "Concat" => shape::concatenated(self)?,
            "Gather" => shape::gathered(self)?,
            "Pad" => shape::padded(self)?,
            "Tile" => repeated::tiled(self)?,
            "SpaceToDepth" => repeated::blocks(self)?,
            other => return Err(format!("`{other}` is not known here")),
        };
        Ok(vec![output])
    }

    fn constant(&self) -> Result<Tensor, String> {
        if let Some(tensor) = self.tensor("value")? {
            return Ok(tensor);
        }
        if let Some(sparse) = self.attribute("sparse_value").and_then(|attribute| attribute.sparse_tensor.as_ref()) {
            return Tensor::of_sparse(sparse);
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
        let kept = data.map(Kind::Bool, |_| Ok(Number::of_bool(true)))?;
        Ok(vec![data.clone(), kept])
    }
}
