//! The words and signs of expressions.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

use crate::place::At;

/// A word, a number or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Word(String),
    Number(String),
    Sign(String),
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Self::Word(text) | Self::Number(text) | Self::Sign(text)) = self;
        f.write_str(text)
    }
}

/// The tokens of a part of a Rust source. Brackets are no deeper than is allowed there.
pub(crate) fn from_tokens(stream: TokenStream) -> Vec<At<Token, Span>> {
    let mut tokens: Vec<At<Token, Span>> = Vec::new();
    let mut joins = false;
    for tree in stream {
        let at = tree.span();
        let mut is_joint = false;
        let value = match tree {
            TokenTree::Ident(word) => Token::Word(word.to_string()),
            TokenTree::Literal(number) => Token::Number(number.to_string()),
            TokenTree::Punct(sign) => {
                if joins
                    && let Some(At { value: Token::Sign(last), .. }) = tokens.last_mut()
                    && is_comparison(last, sign.as_char())
                {
                    last.push(sign.as_char());
                    joins = false;
                    continue;
                }
                is_joint = sign.spacing() == proc_macro2::Spacing::Joint;
                Token::Sign(sign.as_char().to_string())
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                let sign = |sign: &str, at| At { value: Token::Sign(sign.to_owned()), at };
                tokens.extend((!open.is_empty()).then(|| sign(open, group.span_open())));
                tokens.extend(from_tokens(group.stream()));
                tokens.extend((!close.is_empty()).then(|| sign(close, group.span_close())));
                joins = false;
                continue;
            }
        };
        joins = is_joint;
        tokens.push(At { value, at });
    }
    tokens
}

/// Whether two signs make one.
fn is_comparison(first: &str, second: char) -> bool {
    matches!(first, "=" | "!" | "<" | ">") && second == '='
}

/// The tokens of a text, each with its offset in bytes.
#[cfg(feature = "toml")]
pub(crate) fn from_text(text: &str) -> Vec<At<Token, usize>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let at = text.len() - rest.len();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if rest.chars().nth(1).is_some_and(|second| is_comparison(first.encode_utf8(&mut [0; 4]), second)) {
            2
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        let kind = match first {
            '0'..='9' => Token::Number,
            _ if is_word(first) => Token::Word,
            _ => Token::Sign,
        };
        tokens.push(At { value: kind(token.to_owned()), at });
        rest = after.trim_start();
    }
    tokens
}
