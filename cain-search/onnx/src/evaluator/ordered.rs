//! Operators that put numbers in order.

use std::cmp::Ordering;

use super::call::Call;
use super::tensor::{Kind, Number, Tensor, count, ravel, unravel, whole};

/// The largest or smallest numbers along an axis, in order, and their places; of equals the first ones.
pub(crate) fn first(call: &Call<'_>) -> Result<Vec<Tensor>, String> {
    let data = call.input(0)?;
    let wanted = if call.opset < 10 { call.int("k", 0) } else { wholes(call.input(1)?)? };
    let axis = data.axis(call.int("axis", -1))?;
    let taken =
        usize::try_from(wanted).ok().filter(|taken| *taken <= data.dims[axis]).ok_or("there are fewer numbers")?;
    let is_largest = call.opset < 11 || call.int("largest", 1) != 0;
    let mut ones = data.dims.clone();
    ones[axis] = 1;
    let mut dims = data.dims.clone();
    dims[axis] = taken;
    let zero = Tensor::new(data.kind, dims.clone(), vec![Number::Whole(0); count(&dims)?])?;
    let (mut numbers, mut places) = (zero.clone(), Tensor { kind: Kind::Int64, ..zero });
    for row in 0..count(&ones)? {
        let mut index = unravel(row, &ones);
        let mut at = |along: usize, dims: &[usize]| {
            index[axis] = along;
            ravel(&index, dims)
        };
        let mut order: Vec<(usize, Number)> =
            (0..data.dims[axis]).map(|along| (along, data.numbers[at(along, &data.dims)])).collect();
        // Equals keep their order.
        order.sort_by(|(_, one), (_, other)| {
            let order = one.partial_cmp(other).unwrap_or(Ordering::Equal);
            if is_largest { order.reverse() } else { order }
        });
        for pair in order.windows(2).take(taken) {
            call.near.compare(pair[0].1.real(), pair[1].1.real());
        }
        for (place, (along, number)) in order.into_iter().take(taken).enumerate() {
            let to = at(place, &dims);
            (numbers.numbers[to], places.numbers[to]) = (number, Number::Whole(whole(along)));
        }
    }
    Ok(vec![numbers, places])
}

/// The only integer of an array.
fn wholes(tensor: &Tensor) -> Result<i64, String> {
    match tensor.single()? {
        Number::Whole(number) => Ok(number),
        Number::Real(_) => Err("expected a whole number".to_owned()),
    }
}
