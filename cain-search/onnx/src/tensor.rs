//! Constants: weights, thresholds, sizes.

use super::index::ravel;
use super::kind::{Kind, type_name};
use super::proto;

/// The most numbers of a computed tensor.
pub(crate) const MOST: usize = 1 << 22;

/// An array of numbers, the last index running fastest. Integers are exact up to 2^53.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tensor {
    pub(crate) kind: Kind,
    pub(crate) dims: Vec<usize>,
    pub(crate) values: Vec<f64>,
}

impl Tensor {
    /// A single factor or summand for all numbers.
    pub(crate) fn scalar(value: f64) -> Self {
        Self::single_of(Kind::Float, value)
    }

    pub(crate) fn single_of(kind: Kind, value: f64) -> Self {
        Self { kind, dims: Vec::new(), values: vec![value] }
    }

    pub(crate) fn list(kind: Kind, values: Vec<f64>) -> Self {
        Self { kind, dims: vec![values.len()], values }
    }

    /// An integer, if it is represented exactly. The largest ones stand for "to the end" in slices.
    #[expect(clippy::cast_precision_loss, reason = "whole numbers beyond 2^53 only mean far away")]
    pub(crate) fn integer(value: i64) -> f64 {
        value as f64
    }

    /// Reads the numbers of a message; fails if its sizes demand another number of them.
    pub(crate) fn read(tensor: &proto::Tensor) -> Result<Self, String> {
        if tensor.data_location != 0 {
            return Err("its numbers are in another file; export the model as one file".to_owned());
        }
        let dims: Option<Vec<usize>> = tensor.dims.iter().map(|size| usize::try_from(*size).ok()).collect();
        let count = dims.as_deref().and_then(count);
        let (Some(dims), Some(count)) = (dims, count) else {
            return Err(format!("the sizes {:?} are not possible", tensor.dims));
        };
        let raw = tensor.raw_data.as_slice();
        let integers = || tensor.int32_data.iter().copied().map(f64::from).collect::<Vec<f64>>();
        // Numbers of two bytes are in the lower halves of integers.
        let two_bytes = || tensor.int32_data.iter().flat_map(|number| number.to_le_bytes().into_iter().take(2));
        let two_bytes = || if raw.is_empty() { two_bytes().collect() } else { raw.to_vec() };
        let values = match tensor.data_type {
            1 if raw.is_empty() => tensor.float_data.iter().copied().map(f64::from).collect(),
            1 => numbers(raw, |bytes| f64::from(f32::from_le_bytes(bytes)))?,
            11 if raw.is_empty() => tensor.double_data.clone(),
            11 => numbers(raw, f64::from_le_bytes)?,
            7 if raw.is_empty() => tensor.int64_data.iter().copied().map(Self::integer).collect(),
            7 => numbers(raw, |bytes| Self::integer(i64::from_le_bytes(bytes)))?,
            2 | 3 | 5 | 6 if raw.is_empty() => integers(),
            9 if raw.is_empty() => tensor.int32_data.iter().map(|value| f64::from(u8::from(*value != 0))).collect(),
            2 => numbers(raw, |bytes| f64::from(u8::from_le_bytes(bytes)))?,
            9 => numbers(raw, |[byte]| f64::from(u8::from(byte != 0)))?,
            3 => numbers(raw, |bytes| f64::from(i8::from_le_bytes(bytes)))?,
            5 => numbers(raw, |bytes| f64::from(i16::from_le_bytes(bytes)))?,
            6 => numbers(raw, |bytes| f64::from(i32::from_le_bytes(bytes)))?,
            4 => numbers(&two_bytes(), |bytes| f64::from(u16::from_le_bytes(bytes)))?,
            10 => numbers(&two_bytes(), |bytes| half(u16::from_le_bytes(bytes)))?,
            16 => numbers(&two_bytes(), |bytes| f64::from(f32::from_bits(u32::from(u16::from_le_bytes(bytes)) << 16)))?,
            other => {
                return Err(format!(
                    "numbers of the type {}; expected FLOAT, DOUBLE, FLOAT16, BFLOAT16, BOOL, INT8, INT16, INT32, INT64, UINT8 or \
                     UINT16: cast it to one of these before the export",
                    type_name(other.into())
                ));
            }
        };
        if values.len() != count {
            return Err(format!("{} numbers for the sizes {dims:?}", values.len()));
        }
        let kind = Kind::of(i64::from(tensor.data_type)).unwrap_or(Kind::Float);
        Ok(Self { kind, dims, values })
    }

    /// Reads a tensor of which only some numbers are listed, if it has no more than `room` in all.
    pub(crate) fn of_sparse(sparse: &proto::SparseTensor, room: usize) -> Result<Self, String> {
        let (Some(values), Some(indices)) = (&sparse.values, &sparse.indices) else {
            return Err("its numbers or their places are missing".to_owned());
        };
        let (values, indices) = (Self::read(values)?, Self::read(indices)?);
        let sizes: Option<Vec<usize>> = sparse.dims.iter().map(|size| usize::try_from(*size).ok()).collect();
        let fitting = sizes.and_then(|dims| Some((count(&dims).filter(|count| *count <= MOST)?, dims)));
        let (count, dims) = fitting.ok_or_else(|| format!("the sizes {:?} are not possible", sparse.dims))?;
        if count > room {
            return Err(format!(
                "all sparse tensors up to this one have more than {MOST} numbers; export them densely"
            ));
        }
        let listed = values.values.len();
        let axes = match *indices.dims.as_slice() {
            [places] if places == listed => 1,
            [places, axes] if places == listed && axes == dims.len() => axes,
            _ => return Err(format!("places of the sizes {:?} for {listed} numbers", indices.dims)),
        };
        let mut all = vec![0.0; count];
        for (value, index) in values.values.iter().zip(indices.integers().chunks(axes.max(1))) {
            let sizes = if index.len() == dims.len() { dims.clone() } else { vec![count] };
            let known: Option<Vec<usize>> = index.iter().map(|place| usize::try_from(*place).ok()).collect();
            let known = known.filter(|index| index.iter().zip(&sizes).all(|(place, size)| place < size));
            let place = known.and_then(|index| all.get_mut(ravel(&index, &sizes)));
            *place.ok_or_else(|| format!("the place {index:?} is not within the sizes {dims:?}"))? = *value;
        }
        Ok(Self { kind: values.kind, dims, values: all })
    }

    /// A number that is infinite or none.
    pub(crate) fn not_finite(&self) -> Option<f64> {
        self.values.iter().copied().find(|value| !value.is_finite())
    }

    /// The number of a tensor that has only one.
    pub(crate) fn single(&self) -> Option<f64> {
        if let [value] = self.values.as_slice() { Some(*value) } else { None }
    }

    /// The numbers as integers, saturated.
    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    pub(crate) fn integers(&self) -> Vec<i64> {
        self.values.iter().map(|value| *value as i64).collect()
    }

    pub(crate) fn map(&self, of: impl Fn(f64) -> f64) -> Self {
        Self { kind: self.kind, dims: self.dims.clone(), values: self.values.iter().map(|value| of(*value)).collect() }
    }

    /// The array with size 1 along each axis along which its numbers are all the same.
    pub(crate) fn shortened(&self) -> Self {
        let mut short = self.clone();
        for axis in 0..self.dims.len() {
            let size = short.dims.get(axis).copied().unwrap_or(1);
            let inner: usize = short.dims.iter().skip(axis + 1).product();
            let rows = || short.values.chunks(inner.max(1));
            let is_first = |place: usize| place.is_multiple_of(size.max(1));
            let firsts = || rows().enumerate().filter(|(place, _)| is_first(*place)).map(|(_, row)| row);
            let is_same = firsts().flat_map(|first| std::iter::repeat_n(first, size)).eq(rows());
            if size > 1 && is_same {
                short.values = firsts().flatten().copied().collect();
                short.dims.iter_mut().skip(axis).take(1).for_each(|size| *size = 1);
            }
        }
        short
    }

    /// Combines two arrays number by number; sizes of 1 are repeated.
    pub(crate) fn combine(&self, other: &Self, of: impl Fn(f64, f64) -> f64) -> Result<Self, String> {
        let dims = broadcast(&[&self.dims, &other.dims])?;
        if count(&dims).is_none_or(|count| count > MOST) {
            return Err(format!("the sizes {dims:?} are too large"));
        }
        let at = |tensor: &Self, place: usize| tensor.values.get(place).copied().unwrap_or_default();
        let pairs = repeated(&self.dims, &dims).zip(repeated(&other.dims, &dims));
        let values = pairs.map(|(first, second)| of(at(self, first), at(other, second))).collect();
        Ok(Self { kind: self.kind, dims, values })
    }
}

/// The number of elements of an array.
pub(crate) fn count(dims: &[usize]) -> Option<usize> {
    dims.iter().try_fold(1_usize, |count, size| count.checked_mul(*size))
}

/// The common sizes of arrays that are combined number by number: axes that have size 1, or are missing in front, are
/// repeated.
pub(crate) fn broadcast(all: &[&[usize]]) -> Result<Vec<usize>, String> {
    let rank = all.iter().map(|dims| dims.len()).max().unwrap_or(0);
    let mut sizes = vec![1; rank];
    for dims in all {
        for (size, own) in sizes.iter_mut().rev().zip(dims.iter().rev()) {
            match (*size, *own) {
                (size, own) if size == own || own == 1 => {}
                (1, own) => *size = own,
                _ => {
                    let all: Vec<String> = all.iter().map(|dims| format!("{dims:?}")).collect();
                    return Err(format!("the sizes {} do not fit", all.join(" and ")));
                }
            }
        }
    }
    Ok(sizes)
}

/// The places in an array of sizes `own` when it is repeated to fill the larger sizes `dims`.
pub(crate) fn repeated<'d>(own: &'d [usize], dims: &'d [usize]) -> impl Iterator<Item = usize> + 'd {
    (0..count(dims).unwrap_or(0)).map(move |mut place| {
        let (mut index, mut stride) = (0, 1);
        let sizes = own.iter().rev().chain(std::iter::repeat(&1));
        for (size, own) in dims.iter().rev().zip(sizes) {
            if *own > 1 {
                index += place % size * stride;
            }
            place /= size;
            stride *= own;
        }
        index
    })
}

fn numbers<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> f64) -> Result<Vec<f64>, String> {
    match bytes.as_chunks::<N>() {
        (chunks, []) => Ok(chunks.iter().map(|bytes| number(*bytes)).collect()),
        _ => Err(format!("{} bytes; expected {N} for each number", bytes.len())),
    }
}

/// A number in half precision: the exponent is in five bits, and the digits in ten.
fn half(bits: u16) -> f64 {
    let (exponent, digits) = (bits >> 10 & 0x1F, bits & 0x3FF);
    let size = match (exponent, digits) {
        (0, _) => f64::from(digits) * 2_f64.powi(-24),
        (0x1F, 0) => f64::INFINITY,
        (0x1F, _) => f64::NAN,
        _ => f64::from(digits | 0x400) * 2_f64.powi(i32::from(exponent) - 25),
    };
    if bits & 0x8000 == 0 { size } else { -size }
}
