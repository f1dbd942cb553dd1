//! Arrays of numbers with the types of ONNX.

use super::proto;

/// The most numbers in an array.
const MOST: usize = 1 << 24;

/// The type of the numbers of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Floating point with 32 bits; calculations use 64.
    Single,
    /// Floating point with 64 bits.
    Double,
    /// 0 and 1.
    Bool,
    /// Signed integers with 8 bits.
    Int8,
    /// Signed integers with 16 bits.
    Int16,
    /// Signed integers with 32 bits.
    Int32,
    /// Signed integers with 64 bits.
    Int64,
    /// Unsigned integers with 8 bits.
    Uint8,
    /// Unsigned integers with 16 bits.
    Uint16,
    /// Unsigned integers with 32 bits.
    Uint32,
}

impl Kind {
    /// The type with a code of `onnx.proto`.
    pub(crate) fn of(code: i32) -> Result<Self, String> {
        Ok(match code {
            // Half precision is calculated with as single precision is.
            1 | 10 | 16 => Self::Single,
            2 => Self::Uint8,
            3 => Self::Int8,
            4 => Self::Uint16,
            5 => Self::Int16,
            6 => Self::Int32,
            7 => Self::Int64,
            9 => Self::Bool,
            11 => Self::Double,
            12 => Self::Uint32,
            _ => return Err(format!("the type {code} is not known here")),
        })
    }

    pub(crate) fn is_real(self) -> bool {
        matches!(self, Self::Single | Self::Double)
    }

    /// Wraps an integer around to the width of the type.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "as processors do it")]
    pub(crate) fn wrapped(self, number: i64) -> i64 {
        match self {
            Self::Int8 => i64::from(number as i8),
            Self::Int16 => i64::from(number as i16),
            Self::Int32 => i64::from(number as i32),
            Self::Uint8 => i64::from(number as u8),
            Self::Uint16 => i64::from(number as u16),
            Self::Uint32 => i64::from(number as u32),
            Self::Bool => i64::from(number != 0),
            Self::Int64 | Self::Single | Self::Double => number,
        }
    }
}

/// A number of an array: real for floating-point types, otherwise an integer.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Number {
    /// A number in floating point.
    Real(f64),
    /// An integer or truth value.
    Whole(i64),
}

impl Number {
    /// The number in floating point.
    #[expect(clippy::cast_precision_loss, reason = "whole numbers that become results are small")]
    #[must_use]
    pub fn real(self) -> f64 {
        match self {
            Self::Real(number) => number,
            Self::Whole(number) => number as f64,
        }
    }

    pub(crate) fn of_bool(bit: bool) -> Self {
        Self::Whole(i64::from(bit))
    }
}

/// An array of numbers, the last index running fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// The type of the numbers.
    pub kind: Kind,
    /// The size along each axis.
    pub dims: Vec<usize>,
    /// The numbers.
    pub numbers: Vec<Number>,
}

impl Tensor {
    pub(crate) fn new(kind: Kind, dims: Vec<usize>, numbers: Vec<Number>) -> Result<Self, String> {
        let count = count(&dims)?;
        if numbers.len() == count {
            Ok(Self { kind, dims, numbers })
        } else {
            Err(format!("{} numbers for the sizes {dims:?}", numbers.len()))
        }
    }

    /// Numbers in floating point.
    pub fn reals(dims: &[usize], numbers: &[f64]) -> Result<Self, String> {
        Self::new(Kind::Single, dims.to_vec(), numbers.iter().copied().map(Number::Real).collect())
    }

    /// A list of integers.
    pub(crate) fn list(numbers: &[i64]) -> Self {
        let dims = vec![numbers.len()];
        Self { kind: Kind::Int64, dims, numbers: numbers.iter().copied().map(Number::Whole).collect() }
    }

    /// The numbers of a message.
    pub(crate) fn read(tensor: &proto::Tensor) -> Result<Self, String> {
        let kind = Kind::of(tensor.data_type)?;
        let raw = &tensor.raw_data;
        let typed = raw.is_empty();
        // Numbers of two bytes are in the lower halves of whole numbers.
        let halves = || tensor.int32_data.iter().map(|number| number.to_le_bytes()).map(|[low, high, ..]| [low, high]);
        let numbers = match kind {
            Kind::Single if tensor.data_type == 10 && typed => halves().map(half).collect(),
            Kind::Single if tensor.data_type == 10 => each(raw, half)?,
            Kind::Single if tensor.data_type == 16 && typed => halves().map(upper_half).collect(),
            Kind::Single if tensor.data_type == 16 => each(raw, upper_half)?,
            Kind::Single if typed => tensor.float_data.iter().map(|number| Number::Real((*number).into())).collect(),
            Kind::Double if typed => tensor.double_data.iter().map(|number| Number::Real(*number)).collect(),
            Kind::Int64 if typed => tensor.int64_data.iter().map(|number| Number::Whole(*number)).collect(),
            _ if typed => tensor.int32_data.iter().map(|number| Number::Whole((*number).into())).collect(),
            Kind::Single => each(raw, |bytes| Number::Real(f32::from_le_bytes(bytes).into()))?,
            Kind::Double => each(raw, |bytes| Number::Real(f64::from_le_bytes(bytes)))?,
            Kind::Int64 => each(raw, |bytes| Number::Whole(i64::from_le_bytes(bytes)))?,
            Kind::Int32 => each(raw, |bytes| Number::Whole(i32::from_le_bytes(bytes).into()))?,
            Kind::Int16 => each(raw, |bytes| Number::Whole(i16::from_le_bytes(bytes).into()))?,
            Kind::Int8 => each(raw, |bytes| Number::Whole(i8::from_le_bytes(bytes).into()))?,
            Kind::Uint8 => each(raw, |bytes| Number::Whole(u8::from_le_bytes(bytes).into()))?,
            Kind::Uint16 => each(raw, |bytes| Number::Whole(u16::from_le_bytes(bytes).into()))?,
            Kind::Uint32 => each(raw, |bytes| Number::Whole(u32::from_le_bytes(bytes).into()))?,
            Kind::Bool => each(raw, |bytes| Number::of_bool(u8::from_le_bytes(bytes) != 0))?,
        };
        let dims: Result<Vec<usize>, _> = tensor.dims.iter().map(|size| usize::try_from(*size)).collect();
        Self::new(kind, dims.map_err(|_| format!("the sizes {:?} are not possible", tensor.dims))?, numbers)
    }

    /// The numbers, if they are integers.
    pub(crate) fn wholes(&self) -> Result<Vec<i64>, String> {
        let whole = |number: &Number| match number {
            Number::Whole(whole) => Ok(*whole),
            Number::Real(_) => Err("expected whole numbers".to_owned()),
        };
        self.numbers.iter().map(whole).collect()
    }

    /// The only number of an array.
    pub(crate) fn single(&self) -> Result<Number, String> {
        let [number] = self.numbers.as_slice() else {
            return Err(format!("the sizes are {:?}; expected a single number", self.dims));
        };
        Ok(*number)
    }

    /// The number of axes.
    pub(crate) fn rank(&self) -> usize {
        self.dims.len()
    }

    /// An axis, which is counted from the end if it is negative.
    pub(crate) fn axis(&self, axis: i64) -> Result<usize, String> {
        self::axis(axis, self.rank())
    }

    /// The array with other sizes.
    pub(crate) fn with_dims(&self, dims: Vec<usize>) -> Result<Self, String> {
        Self::new(self.kind, dims, self.numbers.clone())
    }

    /// Applies a function to each number.
    pub(crate) fn map(&self, kind: Kind, of: impl Fn(Number) -> Result<Number, String>) -> Result<Self, String> {
        let numbers = self.numbers.iter().map(|number| of(*number)).collect::<Result<_, _>>()?;
        Ok(Self { kind, dims: self.dims.clone(), numbers })
    }

    /// Moves numbers: for each index of the result, `from` gives the index in this array, or `None` for `fill`.
    pub(crate) fn moved(
        &self,
        dims: Vec<usize>,
        fill: Number,
        from: impl Fn(&[usize]) -> Option<Vec<usize>>,
    ) -> Result<Self, String> {
        let mut index = vec![0; dims.len()];
        let mut numbers = Vec::with_capacity(count(&dims)?);
        for _ in 0..count(&dims)? {
            numbers.push(from(&index).map_or(fill, |index| self.numbers[ravel(&index, &self.dims)]));
            for (along, size) in index.iter_mut().zip(&dims).rev() {
                *along += 1;
                if *along < *size {
                    break;
                }
                *along = 0;
            }
        }
        Self::new(self.kind, dims, numbers)
    }

    /// The array repeated along axes of size 1 and along new leading axes.
    pub(crate) fn spread(&self, dims: &[usize]) -> Result<Self, String> {
        let new = dims.len().checked_sub(self.rank()).ok_or("an array has too many axes")?;
        if self.dims.iter().zip(&dims[new..]).any(|(own, wanted)| own != wanted && *own != 1) {
            return Err(format!("the sizes {:?} do not become {dims:?}", self.dims));
        }
        if dims == self.dims {
            return Ok(self.clone());
        }
        let own = |index: &[usize]| {
            index[new..].iter().zip(&self.dims).map(|(index, size)| if *size == 1 { 0 } else { *index }).collect()
        };
        self.moved(dims.to_vec(), Number::Whole(0), |index| Some(own(index)))
    }
}

/// The common sizes to which all of these are repeated.
pub(crate) fn common(all: &[&Tensor]) -> Result<Vec<usize>, String> {
    let rank = all.iter().map(|tensor| tensor.rank()).max().unwrap_or(0);
    let mut common = vec![1; rank];
    for tensor in all {
        for (size, own) in common.iter_mut().rev().zip(tensor.dims.iter().rev()) {
            match (*size, *own) {
                (a, b) if a == b => {}
                (1, other) => *size = other,
                (_, 1) => {}
                (a, b) => return Err(format!("the sizes {a} and {b} do not fit")),
            }
        }
    }
    Ok(common)
}

/// An axis, which is counted from the end if it is negative.
pub(crate) fn axis(axis: i64, rank: usize) -> Result<usize, String> {
    let counted = if axis < 0 { axis + whole(rank) } else { axis };
    usize::try_from(counted)
        .ok()
        .filter(|counted| *counted < rank)
        .ok_or_else(|| format!("there is no axis {axis} of {rank}"))
}

/// The numbers of an array of these sizes.
pub(crate) fn count(dims: &[usize]) -> Result<usize, String> {
    let count = dims.iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
    count.filter(|count| *count <= MOST).ok_or_else(|| format!("the sizes {dims:?} are too large"))
}

/// The index along each axis.
pub(crate) fn unravel(mut place: usize, dims: &[usize]) -> Vec<usize> {
    let mut index = vec![0; dims.len()];
    for (index, size) in index.iter_mut().zip(dims).rev() {
        *index = place % size;
        place /= size;
    }
    index
}

/// The place of an index.
pub(crate) fn ravel(index: &[usize], dims: &[usize]) -> usize {
    index.iter().zip(dims).fold(0, |place, (index, size)| place * size + index)
}

/// A size as a number of ONNX.
#[expect(clippy::cast_possible_wrap, reason = "sizes are small")]
pub(crate) fn whole(size: usize) -> i64 {
    size as i64
}

fn each<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> Number) -> Result<Vec<Number>, String> {
    match bytes.as_chunks::<N>() {
        (chunks, []) => Ok(chunks.iter().map(|bytes| number(*bytes)).collect()),
        _ => Err(format!("{} bytes are no numbers of {N} bytes each", bytes.len())),
    }
}

/// A number of IEEE 754 with 16 bits: a sign, five bits of the exponent and ten behind the point.
fn half(bytes: [u8; 2]) -> Number {
    let bits = u16::from_le_bytes(bytes);
    let (exponent, behind) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023) / 1024.0);
    let size = match exponent {
        0 => behind * 2_f64.powi(-14),
        31 if behind == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + behind) * 2_f64.powi(exponent - 15),
    };
    Number::Real(if bits >> 15 == 1 { -size } else { size })
}

/// A number of which the lower half of single precision is left out.
fn upper_half([low, high]: [u8; 2]) -> Number {
    Number::Real(f32::from_le_bytes([0, 0, low, high]).into())
}
