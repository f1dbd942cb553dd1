//! Finding calls of the macro among tokens.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

use crate::conditions;

/// The name of the macro.
pub const NAME: &str = "scamp_kernels";
/// The name of the macro for networks.
pub const NETWORK_NAME: &str = "scamp_network";
/// The name of the macro for whole programs.
pub const PROGRAM_NAME: &str = "scamp_program";

/// The calls and definitions in the order of the tokens.
#[derive(Default)]
pub(super) struct Found {
    /// The tokens between the brackets of each call.
    pub(super) calls: Vec<TokenStream>,
    /// The names of the user's macros that expand to calls.
    pub(super) macros: Vec<Ident>,
}

/// Finds calls and definitions of the macro of that name.
pub(super) fn scan(tokens: TokenStream, name: &str) -> Found {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut names = BTreeSet::from([name.to_owned()]);
    add_renames(&tokens, name, &mut names);
    let mut found = Found::default();
    add_calls(&tokens, &names, &mut found);
    found
}

/// Adds the names that `use ..::NAME as ..` gives the macro.
fn add_renames(tokens: &[TokenTree], name: &str, names: &mut BTreeSet<String>) {
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => add_renames(&inside(group), name, names),
            TokenTree::Ident(old) if old == name => {
                if let Some([TokenTree::Ident(word), TokenTree::Ident(new)]) = tokens.get(index + 1..index + 3)
                    && word == "as"
                {
                    names.insert(new.to_string());
                }
            }
            _ => {}
        }
    }
}

fn add_calls(tokens: &[TokenTree], names: &BTreeSet<String>, found: &mut Found) {
    let mut rest = tokens;
    while let [first, others @ ..] = rest {
        rest = others;
        match (first, others) {
            // What the compiler never sees declares nothing.
            (TokenTree::Punct(mark), [TokenTree::Group(attribute), others @ ..])
                if mark.as_char() == '#' && conditions::is_never_met(attribute.stream()) =>
            {
                rest = past_item(others);
            }
            (TokenTree::Punct(mark), [TokenTree::Punct(inner), TokenTree::Group(attribute), ..])
                if (mark.as_char(), inner.as_char()) == ('#', '!') && conditions::is_never_met(attribute.stream()) =>
            {
                return;
            }
            (TokenTree::Ident(name), [TokenTree::Punct(mark), TokenTree::Group(group), others @ ..])
                if mark.as_char() == '!' && names.contains(&name.to_string()) =>
            {
                found.calls.push(group.stream());
                rest = others;
            }
            // The filters of a definition are unknown before it is used.
            (
                TokenTree::Ident(word),
                [TokenTree::Punct(_), TokenTree::Ident(name), TokenTree::Group(rules), others @ ..],
            ) if word == "macro_rules" => {
                if has_calls(rules, names) && !names.contains(&name.to_string()) {
                    found.macros.push(name.clone());
                }
                rest = others;
            }
            (TokenTree::Group(group), _) => add_calls(&inside(group), names, found),
            _ => {}
        }
    }
}

/// The tokens behind an item or a statement: behind its semicolon or its braces.
fn past_item(tokens: &[TokenTree]) -> &[TokenTree] {
    let is_end = |token: &TokenTree| match token {
        TokenTree::Punct(mark) => mark.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    let end = tokens.iter().position(is_end).map_or(tokens.len(), |end| end + 1);
    tokens.get(end..).unwrap_or_default()
}

/// Whether there are calls somewhere in a group.
fn has_calls(group: &Group, names: &BTreeSet<String>) -> bool {
    let mut found = Found::default();
    add_calls(&inside(group), names, &mut found);
    !(found.calls.is_empty() && found.macros.is_empty())
}

fn inside(group: &Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}
