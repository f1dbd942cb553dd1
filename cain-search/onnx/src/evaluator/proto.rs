//! The messages of ONNX files, for reading and writing; `onnx.proto` of the ONNX project defines all of them.

use super::super::wire::{Damage, Field, Message, Value, messages};

messages! {
    Model {
        1 ir_version: i64,
        7 graph: Option<Graph>,
        8 opset_import: Vec<OperatorSet>,
        25 functions: Vec<Function>,
    }

    Function {
        1 name: String,
        4 input: Vec<String>,
        5 output: Vec<String>,
        7 node: Vec<Node>,
        9 opset_import: Vec<OperatorSet>,
        10 domain: String,
        11 attribute_proto: Vec<Attribute>,
        13 overload: String,
    }

    OperatorSet {
        1 domain: String,
        2 version: i64,
    }

    Graph {
        1 node: Vec<Node>,
        2 name: String,
        5 initializer: Vec<Tensor>,
        11 input: Vec<ValueInfo>,
        12 output: Vec<ValueInfo>,
        15 sparse_initializer: Vec<SparseTensor>,
    }

    Node {
        1 input: Vec<String>,
        2 output: Vec<String>,
        3 name: String,
        4 op_type: String,
        5 attribute: Vec<Attribute>,
        7 domain: String,
        8 overload: String,
    }

    Attribute {
        1 name: String,
        2 f: f32,
        3 i: i64,
        4 s: Vec<u8>,
        5 t: Option<Tensor>,
        7 floats: Vec<f32>,
        8 ints: Vec<i64>,
        /// 1 for a float, 2 for a whole number, 3 for a text, 4 for a tensor, 6 and 7 for lists of floats and whole numbers.
        20 r#type: i32,
        /// Within a function, the attribute of the call that this one stands for.
        21 ref_attr_name: String,
        22 sparse_tensor: Option<SparseTensor>,
    }

    Tensor {
        1 dims: Vec<i64>,
        2 data_type: i32,
        4 float_data: Vec<f32>,
        5 int32_data: Vec<i32>,
        7 int64_data: Vec<i64>,
        8 name: String,
        9 raw_data: Vec<u8>,
        10 double_data: Vec<f64>,
    }

    /// Numbers with their places, and zeros elsewhere.
    SparseTensor {
        1 values: Option<Tensor>,
        2 indices: Option<Tensor>,
        3 dims: Vec<i64>,
    }

    ValueInfo {
        1 name: String,
        2 r#type: Option<Type>,
    }

    Type {
        1 tensor_type: Option<TensorType>,
    }

    TensorType {
        1 elem_type: i32,
        2 shape: Option<Shape>,
    }

    Shape {
        1 dim: Vec<Dimension>,
    }

    /// A dimension; it has a value, a name, or neither.
    Dimension {
        1 dim_value: Option<i64>,
        2 dim_param: Option<String>,
    }
}
