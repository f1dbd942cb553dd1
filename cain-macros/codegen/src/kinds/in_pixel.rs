//! Networks in the pixels.

mod read;
mod write;

use cain_network::in_pixel::{CompileError, Declaration};

use super::layered::Places;
use crate::diagnostic::{Diagnostic, Position};
use crate::interruptible;
use read::Part;

pub(crate) use read::read;
pub use write::write_in_pixel;

/// PEs along each side of SCAMP-5.
const SIDE: usize = 256;

/// A network in the pixels, checked.
#[derive(Clone, Debug)]
pub struct DeclaredInPixel<S = Position> {
    /// The name of the network.
    pub name: String,
    /// The network.
    pub network: Declaration,
    /// The least greys, from 0 to 255, of the pixels from 1 on; none if a pixel is the one that is nearest to a grey.
    pub binarise: Vec<u8>,
    /// Its documentation.
    pub doc: Option<String>,
    /// The files with weights, as the declaration names them: relative to the folder of its file.
    pub weight_files: Vec<String>,
    /// Those of the layers are in the order of [`Part::ALL`].
    pub(crate) places: Places<S>,
}

impl<S: Copy> DeclaredInPixel<S> {
    /// The pixel that the network sees of a grey.
    #[must_use]
    pub fn pixel(&self, grey: u8) -> u8 {
        if self.binarise.is_empty() {
            return self.network.pixels.nearest(grey);
        }
        self.binarise.iter().map(|least| u8::from(grey >= *least)).sum()
    }

    /// A message about the network as a whole.
    #[must_use]
    pub fn diagnostic(&self, message: &str) -> Diagnostic<S> {
        self.about(None, message)
    }

    fn about(&self, part: Option<Part>, message: &str) -> Diagnostic<S> {
        let layer = part.and_then(|part| Part::ALL.iter().position(|known| *known == part));
        self.places.diagnostic(layer, format!("network `{}`: {message}", self.name))
    }

    /// Why there is no program, at the layer that it is about.
    #[must_use]
    pub fn failed(&self, error: &CompileError) -> Diagnostic<S> {
        if let (CompileError::Interruption(error), Some(place)) = (error, self.places.interruptible) {
            let message = interruptible::steps_failure(&self.name, error, None, &self.network.machine);
            return Diagnostic { place, message };
        }
        let part = match error {
            CompileError::Network(error) => Part::of(error),
            _ => None,
        };
        self.about(part, &error.to_string())
    }

    /// The network with places of another kind.
    pub(crate) fn placed<T>(self, place: impl FnMut(S) -> T) -> DeclaredInPixel<T> {
        let Self { name, network, binarise, doc, weight_files, places } = self;
        DeclaredInPixel { name, network, binarise, doc, weight_files, places: places.map(place) }
    }
}
