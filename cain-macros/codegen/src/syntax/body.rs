//! `"=" sum ";"` or `"{" (REG "=" sum ";")+ "}"`, where digital filters take an expression for a sum as well.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::parse::ParseStream;
use syn::{Token, braced, token};

use super::constants::Constants;
use super::span::place;
use super::{header, recover, sum};
use crate::errors::Errors;
use crate::expression::{self, Expression};
use crate::tree::{At, Header, Sum, Term};

/// Reads the sums of a filter.
pub(crate) struct Reader<'r> {
    pub(crate) header: &'r Header<Span>,
    pub(crate) constants: &'r Constants,
    /// Whether expressions may stand for sums.
    pub(crate) is_digital: bool,
}

/// What stands behind a `=`; nothing if it could not be read.
#[derive(Default)]
struct Formula {
    terms: Option<Vec<Term<Span>>>,
    logic: Option<Expression<Span>>,
}

impl Formula {
    fn of(self, register: At<String, Span>) -> Sum<Span> {
        let Self { terms, logic } = self;
        Sum { register, terms, logic }
    }
}

impl Reader<'_> {
    /// Reads to the end of the filter even after a mistake.
    pub(crate) fn read(&self, input: ParseStream<'_>, errors: &mut Errors<Span>) -> Vec<Sum<Span>> {
        let read = if input.peek(token::Brace) { self.braces(input, errors) } else { self.single(input, errors) };
        read.unwrap_or_else(|error| {
            errors.add_syntax(error);
            recover::to_next_filter(input);
            self.header.outputs.iter().map(|output| Formula::default().of(output.clone())).collect()
        })
    }

    fn braces(&self, input: ParseStream<'_>, errors: &mut Errors<Span>) -> syn::Result<Vec<Sum<Span>>> {
        let content;
        braced!(content in input);
        let mut sums = Vec::new();
        while !content.is_empty() {
            let read = header::register(&content).map(|register| {
                let read = self.formula(&content, register.at, errors).unwrap_or_else(|error| {
                    errors.add_syntax(error);
                    recover::past(&content, Token![;]);
                    Formula::default()
                });
                read.of(register)
            });
            match read {
                Ok(sum) => sums.push(sum),
                Err(error) => {
                    errors.add_syntax(error);
                    recover::past(&content, Token![;]);
                }
            }
        }
        Ok(sums)
    }

    fn single(&self, input: ParseStream<'_>, errors: &mut Errors<Span>) -> syn::Result<Vec<Sum<Span>>> {
        let start = place(input, self.header.name.at);
        if !input.peek(Token![=]) {
            return Err(syn::Error::new(start, "expected `= kernel;` or `{ REGISTER = kernel; .. }`"));
        }
        if self.header.outputs.len() > 1 {
            return Err(syn::Error::new(start, "several outputs take braces: `{ REGISTER = kernel; .. }`"));
        }
        let read = self.formula(input, start, errors)?;
        Ok(self.header.outputs.first().map(|output| read.of(output.clone())).into_iter().collect())
    }

    /// A sum, or an expression where one is allowed and there is no kernel.
    fn formula(&self, input: ParseStream<'_>, last: Span, errors: &mut Errors<Span>) -> syn::Result<Formula> {
        if !self.is_digital || !input.peek(Token![=]) || self.has_kernel(input) {
            return Ok(Formula { terms: self.terms(input, last, errors)?, logic: None });
        }
        let mut last = input.parse::<Token![=]>()?.span;
        let mut tokens = TokenStream::new();
        while !input.peek(Token![;]) {
            if input.is_empty() {
                return Err(syn::Error::new(last, "expected `;` after the expression"));
            }
            let token: TokenTree = input.parse()?;
            last = token.span();
            tokens.extend([token]);
        }
        let end = input.parse::<Token![;]>()?.span;
        let logic = expression::parse(&expression::from_tokens(tokens), end);
        let logic = logic.map_err(|At { value, at }| errors.add(at, value)).ok();
        Ok(Formula { terms: None, logic })
    }

    /// Whether there is a matrix, `[[..]]`, or a constant before the next `;`.
    fn has_kernel(&self, input: ParseStream<'_>) -> bool {
        let ahead = input.fork();
        while let (false, Ok(token)) = (ahead.peek(Token![;]), ahead.parse::<TokenTree>()) {
            match token {
                TokenTree::Group(group) if is_list(&group) => {
                    if let Some(TokenTree::Group(row)) = group.stream().into_iter().next()
                        && is_list(&row)
                    {
                        return true;
                    }
                }
                TokenTree::Ident(name) if self.constants.contains(&name) => return true,
                _ => {}
            }
        }
        false
    }

    /// `"=" sum ";"`; `None` if there were mistakes within the matrices, or in the constants that are used.
    fn terms(
        &self,
        input: ParseStream<'_>,
        last: Span,
        errors: &mut Errors<Span>,
    ) -> syn::Result<Option<Vec<Term<Span>>>> {
        let before = errors.len();
        self.constants.take_mistake();
        input.parse::<Token![=]>()?;
        let terms = sum::parse(input, last, self.constants, errors)?;
        let last = terms.last().map_or(last, |term| term.at);
        if !input.peek(Token![;]) {
            return Err(syn::Error::new(place(input, last), "expected `;` after the kernel"));
        }
        input.parse::<Token![;]>()?;
        Ok((errors.len() == before && !self.constants.take_mistake()).then_some(terms))
    }
}

fn is_list(group: &Group) -> bool {
    group.delimiter() == Delimiter::Bracket
}
