//! The elements of arrays, row by row, and their indices.

/// The index of an element along each axis.
pub(crate) fn unravel(mut place: usize, dims: &[usize]) -> Vec<usize> {
    let mut index: Vec<usize> = dims
        .iter()
        .rev()
        .map(|size| {
            let digit = place % size.max(&1);
            place /= size.max(&1);
            digit
        })
        .collect();
    index.reverse();
    index
}

/// The place of the element that has this index along each axis.
pub(crate) fn ravel(index: &[usize], dims: &[usize]) -> usize {
    index.iter().zip(dims).fold(0, |place, (index, size)| place * size + index)
}
