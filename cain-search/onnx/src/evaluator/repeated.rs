//! Operators that repeat numbers, or that put the pixels of blocks into channels.

use super::call::Call;
use super::shape::sizes;
use super::tensor::{Number, Tensor};

/// The array, repeated along each axis so many times.
pub(crate) fn tiled(call: &Call<'_>) -> Result<Tensor, String> {
    let (data, times) = (call.input(0)?, sizes(&call.input(1)?.wholes()?)?);
    if times.len() != data.rank() {
        return Err(format!("{times:?} times along {} axes", data.rank()));
    }
    let dims = data.dims.iter().zip(&times).map(|(size, times)| size * times).collect();
    data.moved(dims, Number::Whole(0), |index| {
        Some(index.iter().zip(&data.dims).map(|(index, size)| index % size).collect())
    })
}

/// The pixels of blocks as channels: those of a channel are as many channels apart as there are.
pub(crate) fn blocks(call: &Call<'_>) -> Result<Tensor, String> {
    let data = call.input(0)?;
    let [pictures, channels, height, width] = *data.dims.as_slice() else { return Err("no maps".to_owned()) };
    let block = usize::try_from(call.int("blocksize", 0)).unwrap_or(0);
    if block == 0 || height % block != 0 || width % block != 0 {
        return Err(format!("blocks of {block} pixels in maps of {height}×{width}"));
    }
    let dims = vec![pictures, channels * block * block, height / block, width / block];
    data.moved(dims, Number::Whole(0), |index| {
        let [picture, made, row, column] = *index else { return None };
        let (place, channel) = (made / channels, made % channels);
        Some(vec![picture, channel, row * block + place / block, column * block + place % block])
    })
}
