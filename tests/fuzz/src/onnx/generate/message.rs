//! Writes arrays as messages of ONNX files.

use super::super::evaluator::proto;
use super::super::evaluator::tensor::{Kind, Number, Tensor, whole};

/// The code of a type in `onnx.proto`.
pub(super) fn code(kind: Kind) -> i32 {
    match kind {
        Kind::Single => 1,
        Kind::Uint8 => 2,
        Kind::Int8 => 3,
        Kind::Uint16 => 4,
        Kind::Int16 => 5,
        Kind::Int32 => 6,
        Kind::Int64 => 7,
        Kind::Bool => 9,
        Kind::Double => 11,
        Kind::Uint32 => 12,
    }
}

/// The message, with the numbers as bytes or as numbers of their type.
#[expect(clippy::cast_possible_truncation, reason = "the numbers are of the type")]
pub(super) fn message(tensor: &Tensor, name: &str, raw: bool) -> proto::Tensor {
    let mut message = proto::Tensor {
        dims: tensor.dims.iter().map(|size| whole(*size)).collect(),
        data_type: code(tensor.kind),
        name: name.to_owned(),
        ..proto::Tensor::default()
    };
    for number in &tensor.numbers {
        match (tensor.kind, *number) {
            (Kind::Single, Number::Real(real)) if raw => message.raw_data.extend((real as f32).to_le_bytes()),
            (_, Number::Real(real)) if raw => message.raw_data.extend(real.to_le_bytes()),
            (_, Number::Whole(whole)) if raw => {
                let bytes = match tensor.kind {
                    Kind::Int16 | Kind::Uint16 => 2,
                    Kind::Int32 | Kind::Uint32 => 4,
                    Kind::Int64 => 8,
                    _ => 1,
                };
                message.raw_data.extend(whole.to_le_bytes().iter().take(bytes));
            }
            (Kind::Single, Number::Real(real)) => message.float_data.push(real as f32),
            (_, Number::Real(real)) => message.double_data.push(real),
            (Kind::Int64, Number::Whole(whole)) => message.int64_data.push(whole),
            (_, Number::Whole(whole)) => message.int32_data.push(whole as i32),
        }
    }
    message
}
