//! The place that the compiler shows for generated items.

use proc_macro2::{Ident, TokenStream, TokenTree};

/// The items with their first and last tokens at the place of their name: where another item has the same name, the compiler
/// shows that name instead of the whole call of the macro. Attributes and visibilities keep their places.
pub(crate) fn at_name(items: TokenStream, name: &Ident) -> TokenStream {
    let mut keeps_group = false;
    let placed = items.into_iter().map(|mut token| {
        let keeps = match &token {
            TokenTree::Punct(mark) => mark.as_char() == '#',
            TokenTree::Ident(word) => word == "pub",
            TokenTree::Group(_) => keeps_group,
            TokenTree::Literal(_) => false,
        };
        if !keeps {
            token.set_span(name.span().resolved_at(token.span()));
        }
        keeps_group = keeps && !matches!(token, TokenTree::Group(_));
        token
    });
    placed.collect()
}

#[cfg(test)]
mod tests {
    use proc_macro2::{TokenStream, TokenTree};

    use super::at_name;

    #[test]
    fn generated_tokens_are_at_the_name() {
        let name: TokenStream = "\n blur".parse().unwrap();
        let Some(TokenTree::Ident(name)) = name.into_iter().next() else { panic!() };
        let items = "#[a] pub(crate) fn blur(x: u8) {}".parse().unwrap();
        let lines: Vec<usize> = at_name(items, &name).into_iter().map(|token| token.span().start().line).collect();
        assert_eq!(lines, [1, 1, 1, 1, 2, 2, 2, 2]);
    }
}
