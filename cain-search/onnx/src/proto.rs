//! The messages of ONNX files, as far as they are needed; `onnx.proto` of the ONNX project defines all of them.

use super::wire::{Damage, Field, Message, Value, messages};

messages! {
    Model {
        7 graph: Option<Graph>,
        8 opset_import: Vec<OperatorSet>,
        25 functions: Vec<Vec<u8>>,
    }

    /// A function that nodes of the model call by its name.
    Function {
        1 name: String,
        4 input: Vec<String>,
        5 output: Vec<String>,
        7 node: Vec<Node>,
        9 opset_import: Vec<OperatorSet>,
        10 domain: String,
        /// The attributes that have default values.
        11 attribute_proto: Vec<Attribute>,
        /// Tells functions of the same name apart.
        13 overload: String,
    }

    OperatorSet {
        1 domain: String,
        2 version: i64,
    }

    /// Nodes and tensors are decoded one by one: two bytes can announce an empty one, whose structure is a hundred times as
    /// large.
    Graph {
        1 node: Vec<Vec<u8>>,
        5 initializer: Vec<Vec<u8>>,
        11 input: Vec<Vec<u8>>,
        12 output: Vec<Vec<u8>>,
        15 sparse_initializer: Vec<Vec<u8>>,
    }

    Node {
        1 input: Vec<String>,
        2 output: Vec<String>,
        3 name: String,
        4 op_type: String,
        5 attribute: Vec<Attribute>,
        7 domain: String,
        /// The function that is called, of those with the same name.
        8 overload: String,
    }

    Attribute {
        1 name: String,
        2 f: f32,
        3 i: i64,
        4 s: Vec<u8>,
        5 t: Option<Box<Tensor>>,
        7 floats: Vec<f32>,
        8 ints: Vec<i64>,
        22 sparse_tensor: Option<Box<SparseTensor>>,
        /// Within a function, the attribute of the call that this one stands for.
        21 ref_attr_name: String,
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
        /// Where the numbers are in another file: its name, and the first byte and number of bytes.
        13 external_data: Vec<Entry>,
        /// 1 if the numbers are in another file.
        14 data_location: i32,
    }

    /// A tensor of which only some numbers are listed, whose places count all numbers, or have an index for each axis; the others
    /// are 0.
    SparseTensor {
        1 values: Option<Box<Tensor>>,
        2 indices: Option<Box<Tensor>>,
        3 dims: Vec<i64>,
    }

    Entry {
        1 key: String,
        2 value: String,
    }

    ValueInfo {
        1 name: String,
        2 r#type: Option<Type>,
    }

    Type {
        1 tensor_type: Option<TensorType>,
    }

    TensorType {
        /// 0 if it is omitted.
        1 elem_type: i32,
        2 shape: Option<TensorShape>,
    }

    TensorShape {
        1 dim: Vec<Dimension>,
    }

    /// A dimension; without a value it may have any size.
    Dimension {
        1 dim_value: Option<i64>,
    }
}
