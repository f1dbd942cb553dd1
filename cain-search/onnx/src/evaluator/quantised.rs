//! Integers that stand for numbers.

use super::call::Call;
use super::tensor::{Kind, Number, Tensor, unravel};

/// Where the factor and the zero of each number stand in their lists.
struct Places<'a> {
    dims: &'a [usize],
    /// The axis along which they change, unless there is one for all.
    axis: Option<usize>,
}

impl<'a> Places<'a> {
    fn of(call: &Call<'_>, data: &'a Tensor) -> Result<Self, String> {
        if call.opset >= 21 && call.int("block_size", 0) != 0 {
            return Err("blocks of numbers are not known here".to_owned());
        }
        let scale = call.input(1)?;
        if call.optional(2).is_some_and(|zero| zero.numbers.len() != scale.numbers.len()) {
            return Err("factors and zeros differ in number".to_owned());
        }
        if scale.numbers.len() == 1 {
            return Ok(Self { dims: &data.dims, axis: None });
        }
        let axis = if call.opset < 13 { return Err("several factors".to_owned()) } else { call.int("axis", 1) };
        let axis = data.axis(axis)?;
        if scale.dims == [data.dims[axis]] {
            Ok(Self { dims: &data.dims, axis: Some(axis) })
        } else {
            Err(format!("factors of the sizes {:?} for {:?} along axis {axis}", scale.dims, data.dims))
        }
    }

    fn of_number(&self, place: usize) -> usize {
        self.axis.map_or(0, |axis| unravel(place, self.dims)[axis])
    }
}

/// The numbers that integers stand for.
pub(crate) fn dequantised(call: &Call<'_>) -> Result<Tensor, String> {
    let (data, scale, zero) = (call.input(0)?, call.input(1)?, call.optional(2));
    if data.kind.is_real() || !scale.kind.is_real() || zero.is_some_and(|zero| zero.kind != data.kind) {
        return Err("the types do not fit".to_owned());
    }
    let places = Places::of(call, data)?;
    let number = |(place, integer): (usize, &Number)| {
        let own = places.of_number(place);
        let zero = zero.map_or(0.0, |zero| zero.numbers[own].real());
        Number::Real((integer.real() - zero) * scale.numbers[own].real())
    };
    Tensor::new(scale.kind, data.dims.clone(), data.numbers.iter().enumerate().map(number).collect())
}

/// The integers that stand for numbers: those nearest to their quotients, even ones of two, within the type.
#[expect(clippy::cast_possible_truncation, reason = "within a type of at most 16 bits")]
pub(crate) fn quantised(call: &Call<'_>) -> Result<Tensor, String> {
    let (data, scale, zero) = (call.input(0)?, call.input(1)?, call.optional(2));
    let named = if call.opset < 21 { 0 } else { call.int("output_dtype", 0) };
    let kind = match (zero, i32::try_from(named)) {
        (Some(zero), _) => zero.kind,
        (None, Ok(0)) => Kind::Uint8,
        (None, Ok(code)) => Kind::of(code)?,
        (None, Err(_)) => return Err(format!("there is no type {named}")),
    };
    let (least, most) = match kind {
        Kind::Uint8 => (0.0, 255.0),
        Kind::Int8 => (-128.0, 127.0),
        Kind::Int16 => (-32_768.0, 32_767.0),
        _ => return Err("the integers are not of a type with 8 or 16 bits".to_owned()),
    };
    if !data.kind.is_real() || !scale.kind.is_real() {
        return Err("the types do not fit".to_owned());
    }
    let places = Places::of(call, data)?;
    let integer = |(place, number): (usize, &Number)| {
        let own = places.of_number(place);
        let exact = number.real() / scale.numbers[own].real();
        let quotient = if data.kind == Kind::Single { f64::from(exact as f32) } else { exact };
        call.near.compare((quotient - quotient.floor()) - 0.5, 0.0);
        let zero = zero.map_or(0.0, |zero| zero.numbers[own].real());
        Number::Whole((quotient.round_ties_even() + zero).clamp(least, most) as i64)
    };
    Tensor::new(kind, data.dims.clone(), data.numbers.iter().enumerate().map(integer).collect())
}
