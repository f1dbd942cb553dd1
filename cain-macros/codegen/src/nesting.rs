//! Limits on nested brackets.

use proc_macro2::{Span, TokenStream, TokenTree, token_stream};

/// The deepest nesting of brackets that is parsed: far deeper than people write, and shallow enough for recursion on the
/// stack.
pub const MOST: usize = 128;

/// All tokens of a stream in order, those within a group after the group, without recursion.
#[derive(Debug)]
pub struct Flat {
    /// The remaining tokens of each open group, the innermost last.
    open: Vec<token_stream::IntoIter>,
}

impl Flat {
    /// The tokens of a stream.
    #[must_use]
    pub fn of(tokens: TokenStream) -> Self {
        Self { open: vec![tokens.into_iter()] }
    }
}

impl Iterator for Flat {
    type Item = TokenTree;

    fn next(&mut self) -> Option<TokenTree> {
        while let Some(group) = self.open.last_mut() {
            let Some(token) = group.next() else {
                self.open.pop();
                continue;
            };
            if let TokenTree::Group(group) = &token {
                self.open.push(group.stream().into_iter());
            }
            return Some(token);
        }
        None
    }
}

/// The first bracket that is nested too deep, and the message about it.
pub(crate) fn too_deep(tokens: TokenStream) -> Option<(Span, String)> {
    let mut tokens = Flat::of(tokens);
    while let Some(token) = tokens.next() {
        if tokens.open.len() > MOST + 1 {
            let message = format!("brackets are nested more than {MOST} deep here; move a part of it to another place");
            return Some((token.span(), message));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Flat, MOST, too_deep};
    use proc_macro2::TokenStream;

    fn nested(depth: usize) -> TokenStream {
        format!("{}{}", "(".repeat(depth), ")".repeat(depth)).parse().unwrap()
    }

    #[test]
    fn tokens_come_in_their_order() {
        let tokens: Vec<_> = Flat::of("a (b [c] ()) d".parse().unwrap()).map(|token| token.to_string()).collect();
        assert_eq!(tokens, ["a", "(b [c] ())", "b", "[c]", "c", "()", "d"]);
    }

    #[test]
    fn depth_is_limited_without_recursion() {
        assert!(too_deep(nested(MOST)).is_none());
        assert!(too_deep(nested(MOST + 1)).is_some());
        assert_eq!(Flat::of(nested(100_000)).count(), 100_000);
    }
}
