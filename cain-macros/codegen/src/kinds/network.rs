//! Networks.

mod read;
mod write;

use cain_network::{CompileError, Network};

use super::layered::Places;
use crate::diagnostic::{Diagnostic, Position};
use crate::interruptible;

pub(crate) use read::read;
pub use write::{WrittenNetwork, write_network};

/// A network, checked.
#[derive(Clone, Debug)]
pub struct DeclaredNetwork<S = Position> {
    /// The network.
    pub network: Network,
    /// Its documentation.
    pub doc: Option<String>,
    /// The files with weights, as the declaration names them: relative to the folder of its file.
    pub weight_files: Vec<String>,
    pub(crate) places: Places<S>,
}

impl<S: Copy> DeclaredNetwork<S> {
    /// The name of the network.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.network.name
    }

    /// The network with places of another kind.
    pub(crate) fn placed<T>(self, place: impl FnMut(S) -> T) -> DeclaredNetwork<T> {
        let Self { network, doc, weight_files, places } = self;
        DeclaredNetwork { network, doc, weight_files, places: places.map(place) }
    }

    /// Why the network cannot be compiled.
    #[must_use]
    pub fn uncompiled(&self, error: &CompileError) -> Diagnostic<S> {
        match (interruptible::network_failure(error, &self.network), self.places.interruptible) {
            (Some(message), Some(place)) => Diagnostic { place, message },
            _ => self.diagnostic(error.layer, &error.obstacle.to_string()),
        }
    }

    /// A message about a layer, or about the network as a whole.
    #[must_use]
    pub fn diagnostic(&self, layer: Option<usize>, message: &str) -> Diagnostic<S> {
        let name = self.name();
        let message = match layer.and_then(|layer| self.network.layers.get(layer)) {
            Some(layer) => format!("layer `{}` of network `{name}`: {message}", layer.name),
            None => format!("network `{name}`: {message}"),
        };
        self.places.diagnostic(layer, message)
    }
}
