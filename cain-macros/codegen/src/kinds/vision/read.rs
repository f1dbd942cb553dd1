//! Programs of a text, as the language declares them.

use proc_macro2::Span;

use super::Vision;
use crate::diagnostic::Position;
use crate::emit::documentation;
use crate::kinds::{Part, Placed, Places};
use crate::vision::Declared;

/// A program with its places.
pub(crate) fn placed(declared: &Declared) -> Placed<Vision, Span> {
    let Declared { at, attributes, interruptible, declaration, spans, names, wide, .. } = declared;
    let values = spans.iter().enumerate().map(|(value, span)| (Part::Value(value), Some(*span)));
    let places = Places::new(*at, values.chain([(Part::Interruption, *interruptible)]));
    let lines = spans.iter().map(|span| Position::of(*span)).collect();
    let of = Vision { declaration: declaration.clone(), lines, names: names.clone(), wide: wide.clone() };
    Placed::new(of, documentation(attributes), places)
}
