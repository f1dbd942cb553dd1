//! Nested brackets: how deep they may be, and those that nobody sees.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree, token_stream};

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
    deeper_than(MOST, tokens)
}

/// The first bracket that is nested deeper than that, and the message about it.
pub(crate) fn deeper_than(most: usize, tokens: TokenStream) -> Option<(Span, String)> {
    let mut tokens = Flat::of(tokens);
    while let Some(token) = tokens.next() {
        if tokens.open.len() > most + 1 {
            let message = format!("brackets are nested more than {most} deep here; move a part of it to another place");
            return Some((token.span(), message));
        }
    }
    None
}

/// The tokens without the invisible brackets that the compiler puts around fragments of other macros, such as
/// `$weight:literal`. Brackets must not be nested too deep.
pub(crate) fn without_invisible(tokens: TokenStream) -> TokenStream {
    let is_invisible =
        |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::None);
    if !Flat::of(tokens.clone()).any(|token| is_invisible(&token)) {
        // As they are: brackets that are made anew have one place for both of their ends.
        return tokens;
    }
    let visible = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let inside = without_invisible(group.stream());
            if group.delimiter() == Delimiter::None {
                return inside;
            }
            let mut visible = Group::new(group.delimiter(), inside);
            visible.set_span(group.span());
            TokenTree::from(visible).into()
        }
        token => token.into(),
    };
    tokens.into_iter().flat_map(visible).collect()
}

#[cfg(test)]
mod tests {
    use super::{Flat, MOST, too_deep, without_invisible};
    use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

    fn nested(depth: usize) -> TokenStream {
        format!("{}{}", "(".repeat(depth), ")".repeat(depth)).parse().unwrap()
    }

    #[test]
    fn tokens_come_in_their_order() {
        let tokens: Vec<_> = Flat::of("a (b [c] ()) d".parse().unwrap()).map(|token| token.to_string()).collect();
        assert_eq!(tokens, ["a", "(b [c] ())", "b", "[c]", "c", "()", "d"]);
    }

    #[test]
    fn invisible_brackets_are_left_out() {
        let invisible = |tokens: TokenStream| TokenTree::from(Group::new(Delimiter::None, tokens));
        let inner = invisible(std::iter::once(invisible("-1".parse().unwrap())).collect());
        let list = TokenTree::from(Group::new(Delimiter::Bracket, std::iter::once(inner).collect()));
        let tokens = [list, invisible(TokenStream::new()), invisible("a (b)".parse().unwrap())].into_iter().collect();
        assert_eq!(without_invisible(tokens).to_string(), "[- 1] a (b)");
    }

    #[test]
    fn depth_is_limited_without_recursion() {
        assert!(too_deep(nested(MOST)).is_none());
        assert!(too_deep(nested(MOST + 1)).is_some());
        assert_eq!(Flat::of(nested(100_000)).count(), 100_000);
    }
}
