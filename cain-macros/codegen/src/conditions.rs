//! Conditional compilation: `cfg` attributes, of which only the compiler knows all values.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Attribute;

/// The conditions of an item: as tokens, its `cfg` attributes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions {
    attributes: Vec<TokenStream>,
    are_never_met: bool,
}

impl Conditions {
    /// Those among attributes.
    pub(crate) fn of(attributes: &[Attribute]) -> Self {
        let mut conditions = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")) {
            let list = attribute.meta.require_list();
            conditions.are_never_met |= list.is_ok_and(|list| value(&list.tokens) == Some(false));
            conditions.attributes.push(attribute.to_token_stream());
        }
        conditions
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.attributes.is_empty()
    }

    /// Whether the compiler leaves out the item in every build.
    pub(crate) fn are_never_met(&self) -> bool {
        self.are_never_met
    }
}

impl ToTokens for Conditions {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.attributes.iter().cloned());
    }
}

/// Whether the contents of the brackets of an attribute are a condition that is met in no build.
#[cfg(feature = "blocks")]
pub(crate) fn is_never_met(attribute: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = attribute.into_iter().collect();
    matches!(&*tokens, [TokenTree::Ident(word), TokenTree::Group(group)]
        if word == "cfg" && value(&group.stream()) == Some(false))
}

/// The value of a condition, if it is the same in every build.
fn value(condition: &TokenStream) -> Option<bool> {
    let mut tokens = condition.clone().into_iter();
    let Some(TokenTree::Ident(word)) = tokens.next() else { return None };
    let word = word.to_string();
    let parts = match tokens.next() {
        None => return word.parse().ok(),
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => values(group.stream()),
        Some(_) => return None,
    };
    let decided_by = match word.as_str() {
        "any" => true,
        "all" => false,
        "not" => return parts.first().copied().flatten().map(|part| !part),
        _ => return None,
    };
    if parts.contains(&Some(decided_by)) {
        return Some(decided_by);
    }
    parts.iter().all(Option::is_some).then_some(!decided_by)
}

/// The values of conditions between commas.
fn values(conditions: TokenStream) -> Vec<Option<bool>> {
    let tokens: Vec<TokenTree> = conditions.into_iter().collect();
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
    let parts = tokens.split(is_comma).filter(|part| !part.is_empty());
    parts.map(|part| value(&part.iter().cloned().collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn what_is_the_same_in_every_build_is_known() {
        for (condition, expected) in [
            ("any()", Some(false)),
            ("all()", Some(true)),
            ("not(any())", Some(true)),
            ("not(all(),)", Some(false)),
            ("true", Some(true)),
            ("false", Some(false)),
            ("unix", None),
            ("feature = \"x\"", None),
            ("target_has_atomic(\"8\")", None),
            ("any(unix, feature = \"x\", all())", Some(true)),
            ("all(unix, not(all()))", Some(false)),
            ("any(unix, any())", None),
            ("all(unix, all())", None),
            ("all(any(), all(unix))", Some(false)),
            ("not(unix)", None),
            ("not()", None),
            ("any[]", None),
            ("", None),
        ] {
            assert_eq!(value(&condition.parse().unwrap()), expected, "{condition}");
        }
    }
}
