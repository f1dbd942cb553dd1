//! Layers whose weights are not yet rounded.

use cain_network::{Operation, Padding, Source};

/// Channels, rows and columns.
pub(crate) type Size = (usize, usize, usize);

#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) name: String,
    pub(crate) from: Vec<Source>,
    pub(crate) work: Work,
    /// The size of its maps; `None` if it makes numbers.
    pub(crate) size: Option<Size>,
}

/// The operation of a layer.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    Convolution {
        /// The weights by output channel, input channel, row and column.
        weights: Vec<Vec<Vec<Vec<f64>>>>,
        bias: Vec<f64>,
        stride: (usize, usize),
        dilation: (usize, usize),
        padding: Padding,
    },
    /// A factor and a summand for each channel, or one for all.
    Affine {
        scale: Vec<f64>,
        shift: Vec<f64>,
    },
    /// 1 above, -1 below and 0 at a threshold, of which there is one for each channel or one for all.
    Sign {
        at: Vec<f64>,
    },
    Dense {
        weights: Vec<Vec<f64>>,
        bias: Vec<f64>,
    },
    Ready(Operation),
}

/// The drafts that a layer reads.
pub(crate) fn read(draft: &Draft) -> impl Iterator<Item = usize> {
    draft.from.iter().filter_map(|source| match source {
        Source::Layer(layer) => Some(*layer),
        Source::Image => None,
    })
}
