//! Names that a block has given.

use cain_analysis::sorted::Map;
use proc_macro2::{Ident, Span};
use syn::ext::IdentExt as _;

use crate::conditions::Conditions;

/// The names in a block so far, where they stand, and whether what has them is conditional.
#[derive(Default)]
pub(crate) struct Names(Map<String, (Span, bool)>);

impl Names {
    /// Adds a name; the place of something before that has it.
    pub(crate) fn earlier(&mut self, name: &Ident, conditions: &Conditions) -> Option<Span> {
        // Of two with different conditions the compiler may see only one.
        let is_conditional = !conditions.is_empty();
        let earlier = self.0.insert(name.unraw().to_string(), (name.span(), is_conditional));
        earlier.filter(|(_, earlier)| !earlier || !is_conditional).map(|(place, _)| place)
    }
}
