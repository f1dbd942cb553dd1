//! Finding calls of the macro among tokens.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

/// The name of the macro.
pub(super) const NAME: &str = "scamp_kernels";

/// What stands between the brackets of each call, in the order of the tokens.
pub(super) fn calls(tokens: TokenStream) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut names = BTreeSet::from([NAME.to_owned()]);
    add_renames(&tokens, &mut names);
    let mut calls = Vec::new();
    add_calls(&tokens, &names, &mut calls);
    calls
}

/// Adds what `use ..::scamp_kernels as ..` calls the macro.
fn add_renames(tokens: &[TokenTree], names: &mut BTreeSet<String>) {
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => add_renames(&inside(group), names),
            TokenTree::Ident(old) if old == NAME => {
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

fn add_calls(tokens: &[TokenTree], names: &BTreeSet<String>, calls: &mut Vec<TokenStream>) {
    let mut rest = tokens;
    while let [first, others @ ..] = rest {
        rest = others;
        match (first, others) {
            (TokenTree::Ident(name), [TokenTree::Punct(mark), TokenTree::Group(group), others @ ..])
                if mark.as_char() == '!' && names.contains(&name.to_string()) =>
            {
                calls.push(group.stream());
                rest = others;
            }
            // The kernels in a definition are not known before it is used.
            (TokenTree::Ident(name), [TokenTree::Punct(_), TokenTree::Ident(_), TokenTree::Group(_), others @ ..])
                if name == "macro_rules" =>
            {
                rest = others;
            }
            (TokenTree::Group(group), _) => add_calls(&inside(group), names, calls),
            _ => {}
        }
    }
}

fn inside(group: &proc_macro2::Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}
