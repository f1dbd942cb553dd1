//! What is declared.

use cain_in_pixel::Declaration;

/// A network whose weights are in the pixels.
#[derive(Clone, Debug)]
pub struct InPixel {
    /// The name of the network.
    pub name: String,
    /// The network.
    pub network: Declaration,
    /// The least greys, from 0 to 255, of the pixels from 1 on; none if a pixel is the one that is nearest to a grey.
    pub binarise: Vec<u8>,
}

impl InPixel {
    /// The pixel that the network sees of a grey.
    #[must_use]
    pub fn pixel(&self, grey: u8) -> u8 {
        if self.binarise.is_empty() {
            return self.network.pixels.nearest(grey);
        }
        self.binarise.iter().map(|least| u8::from(grey >= *least)).sum()
    }
}
