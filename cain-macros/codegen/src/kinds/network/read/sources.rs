//! What a layer reads.

use cain_digital::Format;
use cain_network::{Network, Shape, Source};

/// What a layer reads, as far as it could be read.
pub(crate) struct Sources<'l> {
    /// The network as far as it was read.
    pub(super) network: &'l Network,
    pub(super) from: Option<&'l [Source]>,
}

impl Sources<'_> {
    /// What the first of them makes.
    pub(crate) fn shape(&self) -> Option<Shape> {
        match *self.from?.first()? {
            Source::Image => Some(self.network.image_shape()),
            Source::Layer(layer) => self.network.check().0.get(layer).copied().flatten(),
        }
    }

    /// Their names, and how the numbers of their channels are held; nothing if one is not in bits.
    pub(crate) fn in_bits(&self) -> Option<Vec<(&str, Vec<Format>)>> {
        let network = self.network;
        let exact = network.exact();
        let formats = |source: &Source| match *source {
            Source::Image => None,
            Source::Layer(layer) => Some((network.name_of(*source), exact.get(layer)?.clone()?)),
        };
        self.from?.iter().map(formats).collect()
    }
}
