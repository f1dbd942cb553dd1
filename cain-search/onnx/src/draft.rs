//! Layers before their weights are rounded.

use cain_network::{Operation, Padding, Source};

/// Channels, rows and columns.
pub(crate) type Size = (usize, usize, usize);

#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) name: String,
    pub(crate) from: Vec<Source>,
    pub(crate) work: Work,
    /// Of its maps; none if it makes numbers.
    pub(crate) size: Option<Size>,
}

/// What a layer computes.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    Convolution {
        /// Output channel, input channel, row, column.
        weights: Vec<Vec<Vec<Vec<f64>>>>,
        bias: Vec<f64>,
        stride: (usize, usize),
        dilation: (usize, usize),
        padding: Padding,
    },
    /// Of each channel, or one for all.
    Affine {
        scale: Vec<f64>,
        shift: Vec<f64>,
    },
    /// 1 above, -1 below and 0 at a number for each channel, or for all.
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
