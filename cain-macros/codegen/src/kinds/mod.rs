//! What can be declared, each kind in a module of its own: how its declaration is read from a tree of values, and what is
//! reported about it.

#[cfg(feature = "toml")]
pub(crate) mod automaton;
#[cfg(feature = "toml")]
pub(crate) mod beside;
pub(crate) mod digital;
#[cfg(feature = "toml")]
pub(crate) mod in_pixel;
pub(crate) mod machine;
#[cfg(feature = "toml")]
pub(crate) mod network;
pub(crate) mod options;
pub(crate) mod superpixel;
#[cfg(feature = "toml")]
mod values;

use crate::diagnostic::Diagnostic;
use crate::errors::Errors;

/// Where something with layers is declared.
#[derive(Clone, Debug)]
pub(crate) struct Places<S> {
    pub(crate) name: S,
    pub(crate) layers: Vec<S>,
    /// What is said about interruptions.
    pub(crate) interruptible: Option<S>,
}

impl<S: Copy> Places<S> {
    /// A message about a layer, or about all of it.
    fn diagnostic(&self, layer: Option<usize>, message: String) -> Diagnostic<S> {
        let layer = layer.and_then(|layer| self.layers.get(layer));
        Diagnostic { place: *layer.unwrap_or(&self.name), message }
    }

    /// The same places, as something else tells them.
    fn map<T>(&self, mut place: impl FnMut(S) -> T) -> Places<T> {
        Places {
            name: place(self.name),
            layers: self.layers.iter().map(|layer| place(*layer)).collect(),
            interruptible: self.interruptible.map(place),
        }
    }
}

/// What is read, if there is no mistake in it.
pub(crate) fn if_right<S, D>(errors: &mut Errors<S>, read: impl FnOnce(&mut Errors<S>) -> Option<D>) -> Option<D> {
    let mut mistakes = Errors::default();
    let declared = read(&mut mistakes);
    let is_right = mistakes.is_empty();
    errors.append(mistakes);
    declared.filter(|_| is_right)
}
