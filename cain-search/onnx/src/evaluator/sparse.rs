//! Tensors of which only some numbers are listed.

use super::proto;
use super::tensor::{Number, Tensor, count, ravel};

impl Tensor {
    /// The numbers of a message that lists only some of them.
    pub(crate) fn of_sparse(sparse: &proto::SparseTensor) -> Result<Self, String> {
        let read = |tensor: &Option<proto::Tensor>| tensor.as_ref().map(Self::read).transpose();
        let (Some(values), Some(indices)) = (read(&sparse.values)?, read(&sparse.indices)?) else {
            return Err("a sparse tensor without numbers or places".to_owned());
        };
        let dims: Vec<usize> = sparse.dims.iter().map(|size| usize::try_from(*size).unwrap_or(0)).collect();
        let zero = if values.kind.is_real() { Number::Real(0.0) } else { Number::Whole(0) };
        let mut numbers = vec![zero; count(&dims)?];
        let places = indices.wholes()?;
        let axes = if indices.rank() == 2 { dims.len() } else { 1 };
        for (number, index) in values.numbers.iter().zip(places.chunks(axes.max(1))) {
            let all = [numbers.len()];
            let sizes = if axes == dims.len() { &dims[..] } else { &all };
            let index: Vec<usize> = index.iter().map(|place| usize::try_from(*place).unwrap_or(usize::MAX)).collect();
            if index.len() != sizes.len() || index.iter().zip(sizes).any(|(place, size)| place >= size) {
                return Err("a place beyond a sparse tensor".to_owned());
            }
            numbers[ravel(&index, sizes)] = *number;
        }
        Self::new(values.kind, dims, numbers)
    }
}
