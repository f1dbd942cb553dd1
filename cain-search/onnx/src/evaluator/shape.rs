//! Operators that move numbers, or that return or change sizes.

use super::call::Call;
use super::tensor::{Kind, Number, Tensor, axis, common, count, ravel, whole};

/// The sizes; from version 15 on, a range of them.
pub(crate) fn shape(call: &Call<'_>) -> Result<Tensor, String> {
    let dims = &call.input(0)?.dims;
    let rank = whole(dims.len());
    let place = |name: &str, default: i64| {
        let place = if call.opset < 15 { default } else { call.int(name, default) };
        (if place < 0 { place + rank } else { place }).clamp(0, rank)
    };
    let (start, end) = (place("start", 0), place("end", rank));
    let listed = (start..end).map(|place| usize::try_from(place).map(|place| whole(dims[place])));
    Ok(Tensor::list(&listed.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?))
}

/// The number of elements.
pub(crate) fn size(call: &Call<'_>) -> Result<Tensor, String> {
    Tensor::list(&[whole(call.input(0)?.numbers.len())]).with_dims(Vec::new())
}

/// The array, repeated to common sizes with those that are given.
pub(crate) fn expanded(call: &Call<'_>) -> Result<Tensor, String> {
    let data = call.input(0)?;
    let given = sizes(&call.input(1)?.wholes()?)?;
    let of_given = Tensor::new(Kind::Bool, given.clone(), vec![Number::Whole(0); count(&given)?])?;
    data.spread(&common(&[data, &of_given])?)
}

/// Whole numbers that follow each other.
pub(crate) fn counted(call: &Call<'_>) -> Result<Tensor, String> {
    let given = [0, 1, 2].map(|input| call.input(input).and_then(Tensor::wholes));
    let [Ok(start), Ok(end), Ok(step)] = given.each_ref() else { return Err("expected whole numbers".to_owned()) };
    let ([start], [end], [step]) = (start.as_slice(), end.as_slice(), step.as_slice()) else {
        return Err("expected three numbers".to_owned());
    };
    let mut numbers = Vec::new();
    let mut next = *start;
    while if *step > 0 { next < *end } else { *step < 0 && next > *end } {
        numbers.push(next);
        count(&[numbers.len()])?;
        next = next.checked_add(*step).ok_or("counts too far")?;
    }
    Ok(Tensor { kind: call.input(0)?.kind, ..Tensor::list(&numbers) })
}

/// An array with one number everywhere.
pub(crate) fn filled(call: &Call<'_>) -> Result<Tensor, String> {
    let dims = sizes(&call.input(0)?.wholes()?)?;
    let (kind, number) = match call.tensor("value")? {
        Some(value) => (value.kind, value.single()?),
        None => (Kind::Single, Number::Real(0.0)),
    };
    let numbers = vec![number; count(&dims)?];
    Tensor::new(kind, dims, numbers)
}

pub(crate) fn sizes(numbers: &[i64]) -> Result<Vec<usize>, String> {
    let size = |size: &i64| usize::try_from(*size).map_err(|_| format!("the size {size} is not possible"));
    numbers.iter().map(size).collect()
}

/// The numbers with other sizes.
pub(crate) fn reshaped(call: &Call<'_>) -> Result<Tensor, String> {
    let data = call.input(0)?;
    let rank = data.rank();
    let dims = match call.op() {
        "Flatten" => {
            let place = call.int("axis", 1);
            let place = if place == whole(rank) { rank } else { data.axis(place)? };
            vec![data.dims[..place].iter().product(), data.dims[place..].iter().product()]
        }
        "Reshape" => {
            let wanted = call.input(1)?.wholes()?;
            let keeps = call.opset < 14 || call.int("allowzero", 0) == 0;
            let mut dims = Vec::new();
            let mut open = None;
            for (place, size) in wanted.iter().enumerate() {
                dims.push(match *size {
                    -1 if open.is_none() => {
                        open = Some(place);
                        1
                    }
                    0 if keeps => *data.dims.get(place).ok_or("a size that is not there is kept")?,
                    size => usize::try_from(size).map_err(|_| format!("the size {size} is not possible"))?,
                });
            }
            if let Some(place) = open {
                let known = count(&dims)?;
                if known == 0 || data.numbers.len() % known != 0 {
                    return Err(format!("{} numbers do not become {wanted:?}", data.numbers.len()));
                }
                dims[place] = data.numbers.len() / known;
            }
            dims
        }
        "Squeeze" => {
            let axes = call.axes(1, 13, rank)?;
            let axes = axes.unwrap_or_else(|| (0..rank).filter(|axis| data.dims[*axis] == 1).collect());
            if axes.iter().any(|axis| data.dims[*axis] != 1) {
                return Err("an axis is squeezed that is not of size 1".to_owned());
            }
            (0..rank).filter(|axis| !axes.contains(axis)).map(|axis| data.dims[axis]).collect()
        }
        _ => {
            let new = match call.ints("axes") {
                Some(axes) if call.opset < 13 => axes.len(),
                _ => call.input(1)?.numbers.len(),
            };
            let axes = call.axes(1, 13, rank + new)?.ok_or("there are no axes")?;
            let mut rest = data.dims.iter();
            let size = |axis| if axes.contains(&axis) { Some(1) } else { rest.next().copied() };
            (0..rank + new).map(size).collect::<Option<Vec<_>>>().ok_or("an axis is there twice")?
        }
    };
    data.with_dims(dims)
}

/// The array with its axes in another order, by default reversed.
pub(crate) fn transposed(call: &Call<'_>) -> Result<Tensor, String> {
    let data = call.input(0)?;
    let rank = data.rank();
    let order: Vec<usize> = match call.ints("perm") {
        Some(order) => order.iter().map(|axis| data.axis(*axis)).collect::<Result<_, _>>()?,
        None => (0..rank).rev().collect(),
    };
    if order.len() != rank || (0..rank).any(|axis| !order.contains(&axis)) {
        return Err(format!("{order:?} is no order of {rank} axes"));
    }
    let dims = order.iter().map(|axis| data.dims[*axis]).collect();
    data.moved(dims, Number::Whole(0), |index| {
        let mut from = vec![0; rank];
        for (index, axis) in index.iter().zip(&order) {
            from[*axis] = *index;
        }
        Some(from)
    })
}

/// Parts of axes.
pub(crate) fn sliced(call: &Call<'_>) -> Result<Tensor, String> {
    let data = call.input(0)?;
    // Before version 10, these are attributes, and there are no steps.
    let list = |input: usize, name: &str| match call.ints(name).filter(|_| call.opset < 10) {
        Some(ints) => Ok(Some(ints.to_vec())),
        None => call.optional(input).map(Tensor::wholes).transpose(),
    };
    let starts = list(1, "starts")?.ok_or("the starts are missing")?;
    let ends = list(2, "ends")?.ok_or("the ends are missing")?;
    let axes = list(3, "axes")?.unwrap_or_else(|| (0..starts.len()).map(whole).collect());
    let steps = list(4, "steps")?.unwrap_or_else(|| vec![1; starts.len()]);
    if [ends.len(), axes.len(), steps.len()] != [starts.len(); 3] {
        return Err("starts, ends, axes and steps differ in number".to_owned());
    }
    // These are the first place and the step for each axis.
    let mut taken: Vec<(i64, i64)> = vec![(0, 1); data.rank()];
    let mut dims = data.dims.clone();
    let mut seen = vec![false; data.rank()];
    for (((start, end), axis), step) in starts.into_iter().zip(ends).zip(axes).zip(steps) {
        let axis = data.axis(axis)?;
        if std::mem::replace(&mut seen[axis], true) || step == 0 {
            return Err("an axis is sliced twice, or with the step 0".to_owned());
        }
        let size = whole(data.dims[axis]);
        let counted = |place: i64| if place < 0 { place.saturating_add(size) } else { place };
        let (start, end) = if step > 0 {
            (counted(start).clamp(0, size), counted(end).clamp(0, size))
        } else {
            (counted(start).clamp(0, (size - 1).max(0)), counted(end).clamp(-1, size - 1))
        };
        let mut count = 0;
        let mut place = start;
        while (step > 0 && place < end) || (step < 0 && place > end && size > 0) {
            count += 1;
            place = place.saturating_add(step);
        }
        dims[axis] = count;
        taken[axis] = (start, step);
    }
    data.moved(dims, Number::Whole(0), |index| {
        let place = |(index, (start, step)): (&usize, &(i64, i64))| usize::try_from(start + whole(*index) * step).ok();
        index.iter().zip(&taken).map(place).collect()
    })
}

/// The parts of an array along an axis: of given sizes, or else of equal ones, but for the last.
pub(crate) fn split(call: &Call<'_>) -> Result<Vec<Tensor>, String> {
    let data = call.input(0)?;
    let axis = data.axis(call.int("axis", 0))?;
    let count = call.node.output.len();
    let given = if call.opset < 13 {
        call.ints("split").map(<[i64]>::to_vec)
    } else {
        call.optional(1).map(Tensor::wholes).transpose()?
    };
    let most = data.dims[axis].div_ceil(count);
    let lengths = match given {
        Some(given) => sizes(&given)?,
        None => (0..count).map(|part| most.min(data.dims[axis].saturating_sub(part * most))).collect(),
    };
    if lengths.len() != count || lengths.iter().sum::<usize>() != data.dims[axis] {
        return Err(format!("{lengths:?} are not the sizes of {count} parts of {}", data.dims[axis]));
    }
    let mut first = 0;
    let mut parts = Vec::new();
    for length in lengths {
        let mut dims = data.dims.clone();
        dims[axis] = length;
        let start = first;
        parts.push(data.moved(dims, Number::Whole(0), |index| {
            let mut index = index.to_vec();
            index[axis] += start;
            Some(index)
        })?);
        first += length;
    }
    Ok(parts)
}

/// Concatenates arrays along an axis.
pub(crate) fn concatenated(call: &Call<'_>) -> Result<Tensor, String> {
    let parts = call.all()?;
    let first = *parts.first().ok_or("there are no inputs")?;
    let axis = first.axis(call.int("axis", i64::MAX))?;
    let fits = |part: &&Tensor| {
        let sizes = part.dims.iter().zip(&first.dims).enumerate();
        part.kind == first.kind
            && part.rank() == first.rank()
            && sizes.into_iter().all(|(place, (own, other))| place == axis || own == other)
    };
    if !parts.iter().all(fits) {
        return Err("the parts do not fit each other".to_owned());
    }
    let mut dims = first.dims.clone();
    dims[axis] = parts.iter().map(|part| part.dims[axis]).sum();
    let outer: usize = dims[..axis].iter().product();
    let inner: usize = dims[axis + 1..].iter().product();
    let mut numbers = Vec::new();
    for row in 0..outer {
        for part in &parts {
            let length = part.dims[axis] * inner;
            numbers.extend_from_slice(&part.numbers[row * length..(row + 1) * length]);
        }
    }
    Tensor::new(first.kind, dims, numbers)
}

/// Takes places along an axis.
pub(crate) fn gathered(call: &Call<'_>) -> Result<Tensor, String> {
    let (data, places) = (call.input(0)?, call.input(1)?);
    let along = data.axis(call.int("axis", 0))?;
    let size = data.dims[along];
    let chosen: Vec<usize> = places.wholes()?.into_iter().map(|place| axis(place, size)).collect::<Result<_, _>>()?;
    let dims = [&data.dims[..along], &places.dims, &data.dims[along + 1..]].concat();
    let inner = places.rank();
    data.moved(dims, Number::Whole(0), |index| {
        let place = ravel(&index[along..along + inner], &places.dims);
        Some([&index[..along], &[chosen[place]], &index[along + inner..]].concat())
    })
}

/// Pads an array, or crops it where the padding is negative.
pub(crate) fn padded(call: &Call<'_>) -> Result<Tensor, String> {
    let data = call.input(0)?;
    let rank = data.rank();
    // Before version 11, these are attributes.
    let pads = match call.ints("pads").filter(|_| call.opset < 11) {
        Some(pads) => pads.to_vec(),
        None => call.input(1)?.wholes()?,
    };
    let fill = match call.optional(2) {
        Some(value) if value.kind != data.kind => return Err("pads with another type".to_owned()),
        Some(value) => value.single()?,
        None if data.kind.is_real() => Number::Real(call.float("value", 0.0)),
        None => Number::Whole(0),
    };
    let axes = if call.opset < 18 { None } else { call.axes(3, 18, rank)? };
    let axes = axes.unwrap_or_else(|| (0..rank).collect());
    if pads.len() != 2 * axes.len() {
        return Err(format!("{} numbers of the padding of {} axes", pads.len(), axes.len()));
    }
    let mut before = vec![0; rank];
    let mut dims = data.dims.clone();
    for (place, axis) in axes.iter().enumerate() {
        let (first, last) = (pads[place], pads[axes.len() + place]);
        before[*axis] = first;
        dims[*axis] = usize::try_from(whole(data.dims[*axis]) + first + last).map_err(|_| "nothing is left")?;
    }
    let mode = call.text("mode").filter(|mode| !mode.is_empty()).unwrap_or(b"constant");
    if !matches!(mode, b"constant" | b"edge" | b"reflect") {
        return Err("the mode of the padding is not known here".to_owned());
    }
    let place = |index: usize, before: i64, size: usize| {
        let (place, last) = (whole(index) - before, whole(size) - 1);
        let place = match mode {
            b"edge" => place.clamp(0, last.max(0)),
            b"reflect" if place < 0 => -place,
            b"reflect" if place > last => 2 * last - place,
            _ => place,
        };
        usize::try_from(place).ok().filter(|place| *place < size)
    };
    data.moved(dims, fill, |index| {
        let places = index.iter().zip(&before).zip(&data.dims);
        places.map(|((index, before), size)| place(*index, *before, *size)).collect()
    })
}
