//! Sums of products of numbers whose axes have letters.

use super::call::Call;
use super::tensor::{Number, Tensor, count, unravel};

pub(crate) fn summed(call: &Call<'_>) -> Result<Tensor, String> {
    let equation: Vec<u8> =
        call.text("equation").unwrap_or_default().iter().copied().filter(|byte| *byte != b' ').collect();
    let equation = String::from_utf8(equation).map_err(|error| error.to_string())?;
    if equation.contains('.') {
        return Err("axes without letters are not known here".to_owned());
    }
    let (read, made) = equation.split_once("->").map_or((&*equation, None), |(read, made)| (read, Some(made)));
    let inputs: Vec<(&Tensor, Vec<u8>)> =
        call.all()?.into_iter().zip(read.split(',').map(|of| of.as_bytes().to_vec())).collect();
    let mut letters: Vec<u8> = inputs.iter().flat_map(|(_, letters)| letters).copied().collect();
    letters.sort_unstable();
    // Without a result, it has those that stand once, in their order.
    let once = letters.chunk_by(|one, other| one == other).filter(|same| same.len() == 1).flatten();
    let made = made.map_or_else(|| once.copied().collect(), |made| made.as_bytes().to_vec());
    letters.dedup();
    let mut sizes = vec![1; letters.len()];
    let axis =
        |letter: u8| letters.iter().position(|other| *other == letter).ok_or("a letter of the result is in no input");
    let mut read = Vec::new();
    for (tensor, own) in &inputs {
        if own.len() != tensor.rank() {
            return Err(format!("{} letters for the sizes {:?}", own.len(), tensor.dims));
        }
        for (letter, size) in own.iter().zip(&tensor.dims) {
            let known = &mut sizes[axis(*letter)?];
            if *known != 1 && *size != 1 && *known != *size {
                return Err(format!("a letter stands for {known} and for {size} places"));
            }
            *known = (*known).max(*size);
        }
        read.push((*tensor, distances(own, &tensor.dims, &letters)));
    }
    let dims = made.iter().map(|letter| Ok(sizes[axis(*letter)?])).collect::<Result<Vec<usize>, String>>()?;
    let to = distances(&made, &dims, &letters);
    let kind = inputs.first().ok_or("there is no input")?.0.kind;
    if !kind.is_real() {
        return Err("whole numbers are not known here".to_owned());
    }
    let mut sums = vec![0.0; count(&dims)?];
    for at in 0..count(&sizes)? {
        let index = unravel(at, &sizes);
        let place =
            |distances: &[usize]| index.iter().zip(distances).map(|(index, distance)| index * distance).sum::<usize>();
        sums[place(&to)] +=
            read.iter().map(|(tensor, distances)| tensor.numbers[place(distances)].real()).product::<f64>();
    }
    Tensor::new(kind, dims, sums.into_iter().map(Number::Real).collect())
}

/// How far apart numbers are that follow each other along the axis of each letter: 0 where there is no axis, or one of size 1,
/// which is repeated.
fn distances(own: &[u8], dims: &[usize], letters: &[u8]) -> Vec<usize> {
    let along = |letter: &u8| {
        let axes = own.iter().enumerate().filter(|(axis, other)| *other == letter && dims[*axis] > 1);
        axes.map(|(axis, _)| dims[axis + 1..].iter().product::<usize>()).sum()
    };
    letters.iter().map(along).collect()
}
