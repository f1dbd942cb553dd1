//! What networks, in-pixel networks and automata have in common.

use cain_search::{Interruption, Options};

use super::options::{interruptible, search};
use super::{Part, Places};
use crate::errors::Errors;
use crate::interruptible::by_registers;
use crate::lower;
use crate::lower::machine::Described;
use crate::names;
use crate::tree::{At, Place};
use crate::value::Fields;

/// Where something with layers is declared, and where it says what may interrupt it.
pub(crate) fn places<S: Copy>(name: S, layers: impl IntoIterator<Item = S>, interruptible: Option<S>) -> Places<S> {
    let layers = layers.into_iter().enumerate().map(|(layer, place)| (Part::Layer(layer), Some(place)));
    Places::new(name, layers.chain([(Part::Interruption, interruptible)]))
}

/// What networks and automata say beside their layers.
pub(crate) struct Common<S> {
    pub(crate) doc: Option<String>,
    pub(crate) options: Options,
    pub(crate) interruption: Option<Interruption>,
    /// Where they say what may interrupt them.
    pub(crate) interruptible: Option<S>,
}

/// Reads `doc`, `search` and `interruptible`.
pub(crate) fn common<S: Place>(fields: &Fields<'_, S>, machine: &Described, errors: &mut Errors<S>) -> Common<S> {
    let search = fields.get("search").map(|entry| search(&entry, errors)).unwrap_or_default();
    let options = lower::options::search(&search, &machine.machine, errors);
    lower::options::refuse_book(&search, "layers", errors);
    let options = Options { error_model: machine.errors, ..options };
    let interruptible = fields.get("interruptible").and_then(|entry| interruptible(&entry, errors));
    let by_registers = |wanted| by_registers("a network", wanted, &machine.machine, errors);
    let interruption = interruptible.as_ref().and_then(by_registers);
    let doc = fields.get("doc").and_then(|doc| doc.text("a text", errors)).map(|doc| doc.value);
    Common { doc, options, interruption, interruptible: interruptible.and_then(|wanted| wanted.place()) }
}

/// Checks the name of a network or an automaton, which is `what`.
pub(crate) fn check_name<S: Place>(what: &str, name: &At<&str, S>, errors: &mut Errors<S>) {
    if let Err(message) = names::declared(what, name.value) {
        errors.add(name.at, message);
    }
}

/// Checks the name of a layer.
pub(crate) fn check_layer_name<S: Place>(name: &At<String, S>, errors: &mut Errors<S>) {
    let fits = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    if name.value.is_empty() || !name.value.chars().all(fits) {
        let message = format!("the layer name {:?} must consist of letters, digits, `_` and `-`", name.value);
        errors.add(name.at, message);
    }
}
