//! Operators of two operands, by how tight they bind.

use syn::Token;
use syn::parse::ParseStream;

use super::expression::{node, prefix};
use crate::syntax::recover::skip;
use crate::vision::tree::{Binary, Comparison, Expr, What};

/// How tight comparisons bind: what they compare binds tighter.
const COMPARISONS: u8 = 5;

/// Operands with operators between them that bind at least that tight.
pub(super) fn binary(input: ParseStream<'_>, least: u8) -> syn::Result<Expr> {
    let mut left = prefix(input)?;
    let mut compared = false;
    while let Some((operator, binding, tokens)) = operator(input)? {
        if binding < least {
            break;
        }
        let at = input.span();
        let compares = binding == COMPARISONS;
        if compares && compared {
            return Err(syn::Error::new(at, "comparisons do not chain; write `a < b & b < c`"));
        }
        compared = compares;
        for _ in 0..tokens {
            skip(input);
        }
        let right = binary(input, binding + 1)?;
        let depth = left.depth.max(right.depth) + 1;
        left = node(What::Binary(operator, Box::new([left, right])), at, depth)?;
    }
    Ok(left)
}

/// The next operator of two operands, how tight it binds, and of how many tokens it is.
fn operator(input: ParseStream<'_>) -> syn::Result<Option<(Binary, u8, usize)>> {
    let compare = |comparison, tokens| (Binary::Compare(comparison), COMPARISONS, tokens);
    let found = if input.peek(Token![..=]) {
        (Binary::Range, 1, 3)
    } else if input.peek(Token![..]) {
        return Err(syn::Error::new(input.span(), "both ends belong to a range; write it with `..=`, as in `0..=15`"));
    } else if input.peek(Token![+=]) || input.peek(Token![=>]) {
        return Ok(None);
    } else if input.peek(Token![||]) {
        (Binary::Or, 2, 2)
    } else if input.peek(Token![&&]) {
        (Binary::And, 4, 2)
    } else if input.peek(Token![|]) {
        (Binary::Or, 2, 1)
    } else if input.peek(Token![^]) {
        (Binary::Xor, 3, 1)
    } else if input.peek(Token![&]) {
        (Binary::And, 4, 1)
    } else if input.peek(Token![>=]) {
        compare(Comparison::AtLeast, 2)
    } else if input.peek(Token![<=]) {
        compare(Comparison::AtMost, 2)
    } else if input.peek(Token![==]) {
        compare(Comparison::Equal, 2)
    } else if input.peek(Token![!=]) {
        compare(Comparison::Unequal, 2)
    } else if input.peek(Token![>]) {
        compare(Comparison::Greater, 1)
    } else if input.peek(Token![<]) {
        compare(Comparison::Less, 1)
    } else if input.peek(Token![+]) {
        (Binary::Add, 6, 1)
    } else if input.peek(Token![-]) {
        (Binary::Subtract, 6, 1)
    } else if input.peek(Token![*]) {
        (Binary::Multiply, 7, 1)
    } else if input.peek(Token![/]) {
        (Binary::Divide, 7, 1)
    } else if input.peek(Token![%]) {
        (Binary::Rest, 7, 1)
    } else {
        return Ok(None);
    };
    Ok(Some(found))
}
