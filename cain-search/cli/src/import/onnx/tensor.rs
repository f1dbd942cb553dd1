//! Constants: weights, thresholds, sizes.

use super::proto;

/// The most numbers of a tensor that is computed from others.
pub(super) const MOST: usize = 1 << 22;

/// An array of numbers with the last index fastest. Whole numbers are held exactly up to 2^53.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tensor {
    pub(super) dims: Vec<usize>,
    pub(super) values: Vec<f64>,
}

impl Tensor {
    pub(super) fn scalar(value: f64) -> Self {
        Self { dims: Vec::new(), values: vec![value] }
    }

    pub(super) fn list(values: Vec<f64>) -> Self {
        Self { dims: vec![values.len()], values }
    }

    /// A whole number, if it is held exactly. The largest ones stand for "to the end" in slices.
    #[expect(
        clippy::cast_precision_loss,
        clippy::unnecessary_wraps,
        reason = "whole numbers beyond 2^53 only mean far away"
    )]
    pub(super) fn integer(value: i64) -> Result<f64, String> {
        Ok(value as f64)
    }

    /// The numbers of a message, if there are as many as its sizes say.
    pub(super) fn read(tensor: &proto::Tensor) -> Result<Self, String> {
        if tensor.data_location != 0 {
            return Err("its numbers are in another file; export the model as one file".to_owned());
        }
        let dims: Option<Vec<usize>> = tensor.dims.iter().map(|size| usize::try_from(*size).ok()).collect();
        let count =
            dims.as_deref().and_then(|dims| dims.iter().try_fold(1_usize, |count, size| count.checked_mul(*size)));
        let (Some(dims), Some(count)) = (dims, count) else {
            return Err(format!("the sizes {:?} are not possible", tensor.dims));
        };
        let raw = tensor.raw_data.as_slice();
        let integers = || tensor.int32_data.iter().copied().map(f64::from).collect::<Vec<f64>>();
        let values = match tensor.data_type {
            1 if raw.is_empty() => tensor.float_data.iter().copied().map(f64::from).collect(),
            1 => numbers(raw, |bytes| f64::from(f32::from_le_bytes(bytes))),
            11 if raw.is_empty() => tensor.double_data.clone(),
            11 => numbers(raw, f64::from_le_bytes),
            7 if raw.is_empty() => {
                tensor.int64_data.iter().map(|value| Self::integer(*value)).collect::<Result<_, _>>()?
            }
            7 => {
                let (whole, rest) = raw.as_chunks::<8>();
                let whole = whole.iter().filter(|_| rest.is_empty());
                whole.map(|bytes| Self::integer(i64::from_le_bytes(*bytes))).collect::<Result<_, _>>()?
            }
            2 | 3 | 5 | 6 | 9 if raw.is_empty() => integers(),
            2 | 9 => numbers(raw, |bytes| f64::from(u8::from_le_bytes(bytes))),
            3 => numbers(raw, |bytes| f64::from(i8::from_le_bytes(bytes))),
            5 => numbers(raw, |bytes| f64::from(i16::from_le_bytes(bytes))),
            6 => numbers(raw, |bytes| f64::from(i32::from_le_bytes(bytes))),
            other => return Err(format!("numbers of the type {other}; expected float, double, bool or integers")),
        };
        if values.len() != count {
            return Err(format!("{} numbers for the sizes {dims:?}", values.len()));
        }
        match values.iter().find(|value| !value.is_finite()) {
            Some(value) => Err(format!("the number {value} is not finite")),
            None => Ok(Self { dims, values }),
        }
    }

    /// The only number.
    pub(super) fn single(&self) -> Option<f64> {
        if let [value] = self.values.as_slice() { Some(*value) } else { None }
    }

    /// Whole numbers, saturated.
    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    pub(super) fn integers(&self) -> Vec<i64> {
        self.values.iter().map(|value| *value as i64).collect()
    }

    pub(super) fn map(&self, of: impl Fn(f64) -> f64) -> Self {
        Self { dims: self.dims.clone(), values: self.values.iter().map(|value| of(*value)).collect() }
    }

    /// Combines two arrays number by number; sizes of 1 are repeated.
    pub(super) fn combine(&self, other: &Self, of: impl Fn(f64, f64) -> f64) -> Result<Self, String> {
        let misfit = || format!("the sizes {:?} and {:?} do not fit", self.dims, other.dims);
        let rank = self.dims.len().max(other.dims.len());
        let size = |dims: &[usize], axis: usize| {
            (axis + dims.len()).checked_sub(rank).and_then(|axis| dims.get(axis).copied()).unwrap_or(1)
        };
        let mut dims = Vec::new();
        for axis in 0..rank {
            dims.push(match (size(&self.dims, axis), size(&other.dims, axis)) {
                (a, b) if a == b => a,
                (1, size) | (size, 1) => size,
                _ => return Err(misfit()),
            });
        }
        let count =
            dims.iter().try_fold(1_usize, |count, size| count.checked_mul(*size)).filter(|count| *count <= MOST);
        let count = count.ok_or_else(misfit)?;
        let at = |tensor: &Self, place: usize| {
            let (mut place, mut index, mut stride) = (place, 0, 1);
            for axis in (0..rank).rev() {
                let (wanted, own) = (dims.get(axis).copied().unwrap_or(1), size(&tensor.dims, axis));
                if own > 1 {
                    index += place % wanted * stride;
                }
                place /= wanted;
                stride *= own;
            }
            tensor.values.get(index).copied().unwrap_or_default()
        };
        let values = (0..count).map(|place| of(at(self, place), at(other, place))).collect();
        Ok(Self { dims, values })
    }
}

fn numbers<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> f64) -> Vec<f64> {
    let (chunks, rest) = bytes.as_chunks::<N>();
    // A number that is cut off makes the count wrong.
    chunks.iter().map(|bytes| number(*bytes)).chain(rest.first().map(|_| 0.0)).collect()
}
