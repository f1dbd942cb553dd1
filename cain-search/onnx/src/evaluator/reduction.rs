//! Operators that combine the numbers of whole axes.

use super::call::Call;
use super::tensor::{Kind, Number, Tensor, common, count, ravel, unravel, whole};

/// Sums or means over axes.
pub(crate) fn reduced(call: &Call<'_>) -> Result<Tensor, String> {
    let data = call.input(0)?;
    let rank = data.rank();
    let (axes, keeps) = if call.op() == "GlobalAveragePool" {
        ((2..rank).collect(), true)
    } else {
        let since = if call.op() == "ReduceSum" { 13 } else { 18 };
        // Without axes, it works over all of them.
        let axes = call.axes(1, since, rank)?.filter(|axes| !axes.is_empty());
        if axes.is_none() && call.opset >= since && call.int("noop_with_empty_axes", 0) != 0 {
            return Ok(data.clone());
        }
        (axes.unwrap_or_else(|| (0..rank).collect()), call.int("keepdims", 1) != 0)
    };
    let result = match call.op() {
        "ReduceMax" | "ReduceMin" => extreme(data, &axes, call.op() == "ReduceMax")?,
        "ReduceSum" => summed(data, &axes)?,
        "ReduceL1" => {
            let absolute = data.map(data.kind, |number| match number {
                Number::Real(number) => Ok(Number::Real(number.abs())),
                Number::Whole(number) => Ok(Number::Whole(data.kind.wrapped(number.wrapping_abs()))),
            })?;
            summed(&absolute, &axes)?
        }
        "ReduceProd" => multiplied(data, &axes)?,
        _ => {
            let number = Number::Whole(whole(axes.iter().map(|axis| data.dims[*axis]).product()));
            summed(data, &axes)?.map(data.kind, |sum| match (sum, number) {
                (Number::Real(sum), number) => Ok(Number::Real(sum / number.real())),
                (Number::Whole(sum), Number::Whole(number)) if number != 0 => Ok(Number::Whole(sum / number)),
                _ => Err("the mean of nothing".to_owned()),
            })?
        }
    };
    let dims = result.dims.iter().enumerate().filter(|(axis, _)| keeps || !axes.contains(axis));
    let dims = dims.map(|(_, size)| *size).collect();
    result.with_dims(dims)
}

/// Sums over axes, whose size becomes 1.
fn summed(data: &Tensor, axes: &[usize]) -> Result<Tensor, String> {
    let zero = if data.kind.is_real() { Number::Real(0.0) } else { Number::Whole(0) };
    folded(data, axes, Some(zero), |sum, number| match (sum, number) {
        (Number::Whole(sum), Number::Whole(number)) => Number::Whole(data.kind.wrapped(sum.wrapping_add(number))),
        (sum, number) => Number::Real(sum.real() + number.real()),
    })
}

/// Products over axes, whose size becomes 1.
fn multiplied(data: &Tensor, axes: &[usize]) -> Result<Tensor, String> {
    let one = if data.kind.is_real() { Number::Real(1.0) } else { Number::Whole(1) };
    folded(data, axes, Some(one), |product, number| match (product, number) {
        (Number::Whole(product), Number::Whole(number)) => {
            Number::Whole(data.kind.wrapped(product.wrapping_mul(number)))
        }
        (product, number) => Number::Real(product.real() * number.real()),
    })
}

/// The largest or smallest numbers over axes, whose size becomes 1.
fn extreme(data: &Tensor, axes: &[usize], is_max: bool) -> Result<Tensor, String> {
    folded(data, axes, None, |best, number| {
        let is_better = if is_max { number > best } else { number < best };
        if is_better { number } else { best }
    })
}

/// What all numbers over axes make together, whose size becomes 1: of `first`, or else of the first of them, and the others.
fn folded(
    data: &Tensor,
    axes: &[usize],
    first: Option<Number>,
    with: impl Fn(Number, Number) -> Number,
) -> Result<Tensor, String> {
    let sized = |(axis, size): (usize, &usize)| if axes.contains(&axis) { 1 } else { *size };
    let dims: Vec<usize> = data.dims.iter().enumerate().map(sized).collect();
    let mut found = vec![first; count(&dims)?];
    for (place, number) in data.numbers.iter().enumerate() {
        let mut index = unravel(place, &data.dims);
        for axis in axes {
            index[*axis] = 0;
        }
        let one = &mut found[ravel(&index, &dims)];
        *one = Some(one.map_or(*number, |before| with(before, *number)));
    }
    Tensor::new(data.kind, dims, found.into_iter().collect::<Option<_>>().ok_or("the largest of nothing")?)
}

/// The index of the largest or smallest number along an axis.
pub(crate) fn argmax(call: &Call<'_>) -> Result<Tensor, String> {
    let data = call.input(0)?;
    let axis = data.axis(call.int("axis", 0))?;
    let takes_last = call.opset >= 12 && call.int("select_last_index", 0) != 0;
    let mut dims = data.dims.clone();
    dims[axis] = 1;
    let mut numbers = Vec::new();
    for place in 0..count(&dims)? {
        let mut index = unravel(place, &dims);
        let mut best: Option<(usize, Number)> = None;
        for along in 0..data.dims[axis] {
            index[axis] = along;
            let number = data.numbers[ravel(&index, &data.dims)];
            let is_better = |most: Number| if call.op() == "ArgMin" { number < most } else { number > most };
            if best.is_none_or(|(_, most)| is_better(most) || (takes_last && number == most)) {
                best = Some((along, number));
            }
        }
        let (best, most) = best.ok_or("the largest of nothing")?;
        for along in 0..data.dims[axis] {
            index[axis] = along;
            call.near.compare(data.numbers[ravel(&index, &data.dims)].real(), most.real());
        }
        numbers.push(Number::Whole(whole(best)));
    }
    if call.int("keepdims", 1) == 0 {
        dims.remove(axis);
    }
    Tensor::new(Kind::Int64, dims, numbers)
}

/// Exponentials divided by their sum: along an axis, or before version 13 over that axis and all after it.
pub(crate) fn softmax(call: &Call<'_>) -> Result<Tensor, String> {
    let data = call.input(0)?;
    let axis = data.axis(call.int("axis", if call.opset < 13 { 1 } else { -1 }))?;
    let end = if call.opset < 13 { data.rank() } else { axis + 1 };
    let length: usize = data.dims[axis..end].iter().product();
    let inner: usize = data.dims[end..].iter().product();
    let mut result = data.clone();
    for start in (0..data.numbers.len()).filter(|place| (place / inner).is_multiple_of(length.max(1))) {
        let places = || (0..length).map(|along| start + along * inner);
        let most = places().map(|place| data.numbers[place].real()).fold(f64::NEG_INFINITY, f64::max);
        let power = |place: usize| (data.numbers[place].real() - most).exp();
        let sum: f64 = places().map(power).sum();
        for place in places() {
            result.numbers[place] = Number::Real(if call.op() == "LogSoftmax" {
                data.numbers[place].real() - most - sum.ln()
            } else {
                power(place) / sum
            });
        }
    }
    Ok(result)
}

/// The product of two matrices times a factor, and an array times another.
pub(crate) fn gemm(call: &Call<'_>) -> Result<Tensor, String> {
    let (alpha, beta) = (call.float("alpha", 1.0), call.float("beta", 1.0));
    let matrix = |input: usize, turned: &str| {
        let matrix = call.input(input)?;
        let [rows, columns] = *matrix.dims.as_slice() else {
            return Err(format!("the sizes are {:?}; expected a matrix", matrix.dims));
        };
        if call.int(turned, 0) == 0 {
            return Ok(matrix.clone());
        }
        let column = |column: usize| (0..rows).map(move |row| matrix.numbers[row * columns + column]);
        Tensor::new(matrix.kind, vec![columns, rows], (0..columns).flat_map(column).collect())
    };
    let mut result = product(&matrix(0, "transA")?, &matrix(1, "transB")?)?;
    let summand = call.optional(2).map(|summand| summand.spread(&result.dims)).transpose()?;
    for (place, number) in result.numbers.iter_mut().enumerate() {
        let summand = summand.as_ref().map_or(0.0, |summand| summand.numbers[place].real());
        match number {
            Number::Real(number) => *number = alpha * *number + beta * summand,
            Number::Whole(_) => return Err("`Gemm` of whole numbers is not known here".to_owned()),
        }
    }
    Ok(result)
}

/// The product of two matrices, or of the matrices in the last two axes of arrays; a list is a row on the left and a
/// column on the right.
pub(crate) fn product(left: &Tensor, right: &Tensor) -> Result<Tensor, String> {
    if left.kind != right.kind || left.rank() == 0 || right.rank() == 0 {
        return Err("a product of different types, or of single numbers".to_owned());
    }
    let (is_row, is_column) = (left.rank() == 1, right.rank() == 1);
    let left = if is_row { left.with_dims(vec![1, left.dims[0]])? } else { left.clone() };
    let right = if is_column { right.with_dims(vec![right.dims[0], 1])? } else { right.clone() };
    let (outer_left, own_left) = left.dims.split_at(left.rank() - 2);
    let (outer_right, own_right) = right.dims.split_at(right.rank() - 2);
    let (&[rows, inner], &[other, columns]) = (own_left, own_right) else { return Err("no matrices".to_owned()) };
    if inner != other {
        return Err(format!("rows of {inner} and columns of {other}"));
    }
    let of_dims = |dims: &[usize]| Tensor::new(Kind::Bool, dims.to_vec(), vec![Number::Whole(0); count(dims)?]);
    let outer = common(&[&of_dims(outer_left)?, &of_dims(outer_right)?])?;
    let left = left.spread(&[&outer[..], own_left].concat())?;
    let right = right.spread(&[&outer[..], own_right].concat())?;
    let mut numbers = Vec::new();
    for matrix in 0..count(&outer)? {
        for row in 0..rows {
            for column in 0..columns {
                let pairs = (0..inner).map(|along| {
                    let left = left.numbers[(matrix * rows + row) * inner + along];
                    (left, right.numbers[(matrix * inner + along) * columns + column])
                });
                let mut sum = if left.kind.is_real() { Number::Real(0.0) } else { Number::Whole(0) };
                for pair in pairs {
                    sum = match (sum, pair) {
                        (Number::Whole(sum), (Number::Whole(a), Number::Whole(b))) => {
                            Number::Whole(left.kind.wrapped(sum.wrapping_add(a.wrapping_mul(b))))
                        }
                        (sum, (a, b)) => Number::Real(sum.real() + a.real() * b.real()),
                    };
                }
                numbers.push(sum);
            }
        }
    }
    let mut dims = outer;
    dims.extend((!is_row).then_some(rows));
    dims.extend((!is_column).then_some(columns));
    Tensor::new(left.kind, dims, numbers)
}
