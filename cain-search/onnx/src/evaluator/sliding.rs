//! Operators whose windows slide over maps.

use super::call::Call;
use super::tensor::{Number, Tensor, count, whole};

/// The positions of windows on maps, in rows and in columns.
struct Windows {
    size: [i64; 2],
    stride: [i64; 2],
    dilation: [i64; 2],
    /// The padding before and behind the maps.
    before: [i64; 2],
    after: [i64; 2],
    maps: [i64; 2],
    /// The number of windows.
    count: [usize; 2],
}

impl Windows {
    fn new(call: &Call<'_>, size: [i64; 2], maps: [i64; 2]) -> Result<Self, String> {
        let pair = |name: &str| match call.ints(name) {
            None => Ok([1, 1]),
            Some(&[rows, columns]) if rows > 0 && columns > 0 => Ok([rows, columns]),
            Some(other) => Err(format!("`{name}` is {other:?}")),
        };
        let (stride, dilation) = (pair("strides")?, pair("dilations")?);
        let mode = call.text("auto_pad").filter(|mode| !mode.is_empty()).unwrap_or(b"NOTSET");
        let pads = match call.ints("pads") {
            None => [0; 4],
            Some(pads) => <[i64; 4]>::try_from(pads).map_err(|_| format!("`pads` is {pads:?}"))?,
        };
        // Computes the padding before and behind, and the number of windows.
        let along = |axis: usize| {
            let (maps, stride) = (maps[axis], stride[axis]);
            let covered = (size[axis] - 1) * dilation[axis] + 1;
            let (before, after) = match mode {
                b"NOTSET" => (pads[axis], pads[axis + 2]),
                b"VALID" => (0, 0),
                b"SAME_UPPER" | b"SAME_LOWER" => {
                    let count = (maps + stride - 1) / stride;
                    let missing = ((count - 1) * stride + covered - maps).max(0);
                    let (less, more) = (missing / 2, missing - missing / 2);
                    if mode == b"SAME_UPPER" { (less, more) } else { (more, less) }
                }
                _ => return Err("`auto_pad` is not known here".to_owned()),
            };
            let room = maps + before + after - covered;
            if room < 0 || before < 0 || after < 0 {
                return Err("windows are larger than the maps, or padding is negative".to_owned());
            }
            let count = room / stride + 1;
            // There is one more window at the end, unless it begins behind the maps.
            let is_rounded_up = call.int("ceil_mode", 0) != 0 && room % stride != 0 && count * stride < maps + before;
            let count = usize::try_from(count + i64::from(is_rounded_up)).map_err(|_| "no window")?;
            Ok((before, after, count))
        };
        let (rows, columns) = (along(0)?, along(1)?);
        Ok(Self {
            size,
            stride,
            dilation,
            before: [rows.0, columns.0],
            after: [rows.1, columns.1],
            maps,
            count: [rows.2, columns.2],
        })
    }

    /// The places that a window covers, in the order of its taps.
    fn places(&self, row: usize, column: usize) -> Vec<Place> {
        let along = |axis: usize, window: usize| {
            (0..self.size[axis])
                .map(move |step| whole(window) * self.stride[axis] + step * self.dilation[axis] - self.before[axis])
        };
        let place = |y: i64, x: i64| {
            let inside = |axis: usize, place: i64| (0..self.maps[axis]).contains(&place);
            if inside(0, y) && inside(1, x) {
                return Place::Pixel(usize::try_from(y * self.maps[1] + x).unwrap_or(usize::MAX));
            }
            let padding = |axis: usize, place: i64| place < self.maps[axis] + self.after[axis];
            if padding(0, y) && padding(1, x) { Place::Padding } else { Place::Beyond }
        };
        along(0, row).flat_map(|y| along(1, column).map(move |x| place(y, x))).collect()
    }
}

/// A place that a window covers.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// A pixel of a map.
    Pixel(usize),
    /// The padding.
    Padding,
    /// Beyond the padding, because the number of windows was rounded up.
    Beyond,
}

/// The numbers of pictures, channels, rows and columns of maps.
fn maps(tensor: &Tensor) -> Result<[usize; 4], String> {
    let dims = <[usize; 4]>::try_from(tensor.dims.as_slice());
    dims.map_err(|_| format!("the sizes are {:?}; only maps of rows and columns are known here", tensor.dims))
}

/// Sums of weighted pixels and a bias.
pub(crate) fn convolution(call: &Call<'_>) -> Result<Tensor, String> {
    let (data, weights) = (call.input(0)?, call.input(1)?);
    let [pictures, channels, height, width] = maps(data)?;
    let [outputs, inputs, rows, columns] = maps(weights)?;
    if call.ints("kernel_shape").is_some_and(|size| size != [whole(rows), whole(columns)]) {
        return Err("`kernel_shape` is not that of the weights".to_owned());
    }
    let groups = usize::try_from(call.int("group", 1)).unwrap_or(0);
    if groups == 0 || inputs * groups != channels || !outputs.is_multiple_of(groups) || rows * columns == 0 {
        return Err(format!("{groups} groups of weights {:?} for {channels} channels", weights.dims));
    }
    let bias = call.optional(2);
    if bias.is_some_and(|bias| bias.dims != [outputs]) {
        return Err("the bias is not a number for each output".to_owned());
    }
    let windows = Windows::new(call, [whole(rows), whole(columns)], [whole(height), whole(width)])?;
    let dims = vec![pictures, outputs, windows.count[0], windows.count[1]];
    let size = windows.count[0] * windows.count[1];
    let mut numbers = vec![Number::Real(0.0); count(&dims)?];
    for window in 0..size {
        let places = windows.places(window / windows.count[1], window % windows.count[1]);
        for picture in 0..pictures {
            for output in 0..outputs {
                let first = output / (outputs / groups) * inputs;
                let mut sum = bias.map_or(0.0, |bias| bias.numbers[output].real());
                for input in 0..inputs {
                    let own = (picture * channels + first + input) * height * width;
                    let taps = (output * inputs + input) * rows * columns;
                    for (tap, place) in places.iter().enumerate() {
                        if let Place::Pixel(pixel) = place {
                            sum += data.numbers[own + pixel].real() * weights.numbers[taps + tap].real();
                        }
                    }
                }
                numbers[(picture * outputs + output) * size + window] = Number::Real(sum);
            }
        }
    }
    Tensor::new(data.kind, dims, numbers)
}

/// The largest number of each window, or the mean.
pub(crate) fn pooling(call: &Call<'_>) -> Result<Tensor, String> {
    let data = call.input(0)?;
    let [pictures, channels, height, width] = maps(data)?;
    let (rows, columns) = match call.ints("kernel_shape") {
        None if call.op() == "GlobalMaxPool" => (whole(height), whole(width)),
        Some(&[rows, columns]) if rows > 0 && columns > 0 => (rows, columns),
        other => return Err(format!("`kernel_shape` is {other:?}")),
    };
    let windows = Windows::new(call, [rows, columns], [whole(height), whole(width)])?;
    let counts_padding = call.int("count_include_pad", 0) != 0;
    let mut numbers = Vec::new();
    for map in 0..pictures * channels {
        for row in 0..windows.count[0] {
            for column in 0..windows.count[1] {
                let places = windows.places(row, column);
                let pixels = places.iter().filter_map(|place| match place {
                    Place::Pixel(pixel) => Some(data.numbers[map * height * width + pixel]),
                    Place::Padding | Place::Beyond => None,
                });
                let pixels: Vec<Number> = pixels.collect();
                numbers.push(if matches!(call.op(), "MaxPool" | "GlobalMaxPool") {
                    let most = pixels.iter().copied().reduce(|most, number| if number > most { number } else { most });
                    most.ok_or("a window without pixels")?
                } else {
                    let padding = places.iter().filter(|place| **place == Place::Padding).count();
                    let count = pixels.len() + if counts_padding { padding } else { 0 };
                    let sum: f64 = pixels.iter().map(|number| number.real()).sum();
                    Number::Real(sum / Number::Whole(whole(count)).real())
                });
            }
        }
    }
    Tensor::new(data.kind, vec![pictures, channels, windows.count[0], windows.count[1]], numbers)
}

/// What each pixel puts into the windows of the result, which a convolution would read for it, and a bias.
pub(crate) fn transposed(call: &Call<'_>) -> Result<Tensor, String> {
    let (data, weights) = (call.input(0)?, call.input(1)?);
    let [pictures, channels, height, width] = maps(data)?;
    let [inputs, of_group, rows, columns] = maps(weights)?;
    let groups = usize::try_from(call.int("group", 1)).unwrap_or(0);
    if groups == 0 || inputs != channels || !inputs.is_multiple_of(groups) || of_group * rows * columns == 0 {
        return Err(format!("{groups} groups of weights {:?} for {channels} channels", weights.dims));
    }
    if call.attribute("output_shape").is_some()
        || call.text("auto_pad").is_some_and(|mode| !matches!(mode, b"" | b"NOTSET" | b"VALID"))
    {
        return Err("padding that follows from the sizes of the result is not known here".to_owned());
    }
    let pair = |name: &str, all: i64| {
        <[i64; 2]>::try_from(call.ints(name).unwrap_or(&[all, all])).map_err(|_| name.to_owned())
    };
    let (stride, dilation, more) = (pair("strides", 1)?, pair("dilations", 1)?, pair("output_padding", 0)?);
    let pads = <[i64; 4]>::try_from(call.ints("pads").unwrap_or(&[0; 4])).map_err(|_| "pads")?;
    let along = |axis: usize, maps: usize, size: usize| {
        let all = stride[axis] * (whole(maps) - 1) + more[axis] + (whole(size) - 1) * dilation[axis] + 1;
        usize::try_from(all - pads[axis] - pads[axis + 2]).map_err(|_| "nothing is left".to_owned())
    };
    let (high, wide) = (along(0, height, rows)?, along(1, width, columns)?);
    let outputs = of_group * groups;
    let bias = call.optional(2);
    if bias.is_some_and(|bias| bias.dims != [outputs]) {
        return Err("the bias is not a number for each output".to_owned());
    }
    let dims = vec![pictures, outputs, high, wide];
    let first = |place: usize| bias.map_or(0.0, |bias| bias.numbers[place / (high * wide) % outputs].real());
    let mut sums: Vec<f64> = (0..count(&dims)?).map(first).collect();
    for (place, number) in data.numbers.iter().enumerate() {
        let (column, row, map) = (place % width, place / width % height, place / (width * height));
        let (picture, input) = (map / channels, map % channels);
        for tap in 0..of_group * rows * columns {
            let (x, y, output) = (tap % columns, tap / columns % rows, tap / (columns * rows));
            let to = |axis: usize, from: usize, tap: usize| {
                whole(from) * stride[axis] + whole(tap) * dilation[axis] - pads[axis]
            };
            let to = (usize::try_from(to(0, row, y)), usize::try_from(to(1, column, x)));
            if let (Ok(y), Ok(x)) = to
                && y < high
                && x < wide
            {
                let output = input / (inputs / groups) * of_group + output;
                let weight = weights.numbers[input * of_group * rows * columns + tap].real();
                sums[((picture * outputs + output) * high + y) * wide + x] += number.real() * weight;
            }
        }
    }
    Tensor::new(data.kind, dims, sums.into_iter().map(Number::Real).collect())
}
