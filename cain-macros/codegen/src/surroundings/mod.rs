//! Constants of Rust around the call of a macro, as far as they are literals.
//!
//! A macro is given the tokens of its call with their places, and nothing of what is around it. So the source file is read
//! once more. Of the tokens of a text that is read inside of the compiler no places are known; therefore names are put into the
//! text first, which tell them: in place of each `const`, and in front of each word that may name a constant.
//!
//! A scope is what is between two brackets, and the innermost constant of a name is taken. Modules, imports and conditions
//! can make that another one than the name has for the compiler, so generated code [lets the compiler
//! check](crate::emit::agreement) that both have the same value.

#[cfg(all(test, feature = "blocks"))]
mod tests;

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use cain_analysis::sorted::Map;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::Lit;

use crate::diagnostic::Position;
use crate::nesting::{self, Flat};

/// Stands for `const`, with its line and column behind it.
const DECLARATION: &str = "__cain_const_";
/// Stands in front of a word.
const USE: &str = "__cain_use_";

/// The largest source file that is searched for constants.
pub(crate) const MAX_BYTES: u64 = 1 << 24;

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourcePlace {
    /// The file.
    pub file: PathBuf,
    /// The place in it.
    pub position: Position,
}

/// Finds constants around calls.
pub(crate) struct Surroundings<'s> {
    /// The tokens of the calls.
    calls: TokenStream,
    place_of: &'s dyn Fn(Span) -> Option<SourcePlace>,
    text_of: &'s dyn Fn(&Path) -> Option<String>,
    /// The scope of each word in capitals of the calls; files are read when the first one is asked for.
    scopes: OnceCell<Map<SourcePlace, Rc<Scope>>>,
}

/// What is around a name.
pub(crate) enum Found {
    Constant(Constant),
    /// There is such a constant, but not its value; why.
    Unusable(String),
    Missing(Missing),
}

/// Why there is no constant.
pub(crate) enum Missing {
    /// The source file is not known or cannot be read.
    NoFile,
    /// The call is made by `macro_rules!` of this name.
    InRules(String),
    /// The file has only others.
    NotAmong(Vec<String>),
}

/// A constant whose value is a literal.
pub(crate) struct Constant {
    pub(crate) literal: Literal,
    /// The same as tokens.
    pub(crate) tokens: TokenStream,
    pub(crate) position: Position,
}

impl Constant {
    /// What is assumed where it is used.
    pub(crate) fn assumed_at(self, name: &Ident) -> Assumption {
        Assumption { name: name.clone(), value: self.tokens, position: self.position }
    }
}

/// A number, or a list of literals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    /// In decimal, without a type.
    Number(String),
    List(Vec<Literal>),
}

/// A use of a constant whose value was read from the source file.
#[derive(Clone, Debug)]
pub(crate) struct Assumption {
    pub(crate) name: Ident,
    pub(crate) value: TokenStream,
    pub(crate) position: Position,
}

/// What is between two brackets, or the whole file.
struct Scope {
    constants: Map<String, Declaration>,
    /// The name of the `macro_rules!` whose rules are in these brackets.
    rules_of: Option<String>,
    outer: Option<Rc<Self>>,
}

struct Declaration {
    value: Vec<TokenTree>,
    position: Position,
    /// The place of another one of the same name.
    again: Option<Position>,
}

impl<'s> Surroundings<'s> {
    /// Around calls with these tokens, whose places and files the functions know.
    pub(crate) fn new(
        calls: TokenStream,
        place_of: &'s dyn Fn(Span) -> Option<SourcePlace>,
        text_of: &'s dyn Fn(&Path) -> Option<String>,
    ) -> Self {
        Self { calls, place_of, text_of, scopes: OnceCell::new() }
    }

    /// The place of a token of a call, if it is known.
    pub(crate) fn place_of(&self, token: Span) -> Option<SourcePlace> {
        (self.place_of)(token)
    }

    /// The constant of a name, which is a token of a call.
    pub(crate) fn constant(&self, name: &Ident) -> Found {
        let scopes = self.scopes.get_or_init(|| self.read());
        let Some(scope) = (self.place_of)(name.span()).and_then(|place| scopes.get(&place)) else {
            return Found::Missing(Missing::NoFile);
        };
        let text = name.to_string();
        let mut others = Vec::new();
        let mut next = Some(scope);
        while let Some(scope) = next {
            if let Some(declaration) = scope.constants.get(&text) {
                return declaration.found(&text);
            }
            if let Some(rules) = &scope.rules_of {
                return Found::Missing(Missing::InRules(rules.clone()));
            }
            others.extend(scope.constants.keys().cloned());
            next = scope.outer.as_ref();
        }
        Found::Missing(Missing::NotAmong(others))
    }

    fn read(&self) -> Map<SourcePlace, Rc<Scope>> {
        let mut words: Map<PathBuf, Map<Position, String>> = Map::new();
        for token in Flat::of(self.calls.clone()) {
            if let TokenTree::Ident(word) = token
                && is_upper_case(&word.to_string())
                && let Some(SourcePlace { file, position }) = (self.place_of)(word.span())
            {
                words.get_or_default(file).insert(position, word.to_string());
            }
        }
        let mut scopes = Map::new();
        for (file, words) in words {
            let text = (self.text_of)(&file).unwrap_or_default();
            let tokens: TokenStream = with_places(&text, &words).parse().unwrap_or_default();
            if nesting::too_deep(tokens.clone()).is_none() {
                let mut found = Map::new();
                enter(tokens, None, None, &mut found);
                let place = |position| SourcePlace { file: file.clone(), position };
                scopes.extend(found.into_iter().map(|(position, scope)| (place(position), scope)));
            }
        }
        scopes
    }
}

#[cfg(test)]
impl Surroundings<'static> {
    /// Around calls in a file that is not known.
    pub(crate) fn unknown() -> Self {
        Self::new(TokenStream::new(), &|_| None, &|_| None)
    }
}

impl Declaration {
    fn found(&self, name: &str) -> Found {
        let Self { value, position, again } = self;
        if let Some(again) = again {
            return Found::Unusable(format!(
                "constant `{name}` is declared in line {} and again in line {}, so its value is not clear; declare it inside \
                 of the block",
                position.line, again.line
            ));
        }
        let tokens: TokenStream = value.iter().cloned().collect();
        match literal(value) {
            Some(literal) => Found::Constant(Constant { literal, tokens, position: *position }),
            None => Found::Unusable(format!(
                "the value of constant `{name}`, `{tokens}` in line {}, is not a number or an array of numbers written out, so the \
                 macro cannot read it; write it out there, or declare the constant inside of the block",
                position.line
            )),
        }
    }
}

/// Whether a word is spelt like a constant.
pub(crate) fn is_upper_case(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// The text with names that tell the places of all `const` and of these words.
fn with_places(text: &str, words: &Map<Position, String>) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut output = String::with_capacity(text.len());
    let mut place = Position { line: 1, column: 1 };
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if is_part(first) { rest.find(|c| !is_part(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (part, others) = rest.split_at(length);
        let Position { line, column } = place;
        if part == "const" {
            output += &telling(DECLARATION, place);
        } else {
            if words.get(&place).is_some_and(|word| word == part) {
                output += &telling(USE, place);
                output.push(' ');
            }
            output += part;
        }
        place = match first {
            '\n' => Position { line: line + 1, column: 1 },
            _ => Position { line, column: column + part.chars().count() },
        };
        rest = others;
    }
    output
}

/// A name that tells a place.
fn telling(prefix: &str, Position { line, column }: Position) -> String {
    format!("{prefix}{line}_{column}")
}

/// The place that a name tells.
fn told(name: &Ident, prefix: &str) -> Option<Position> {
    let name = name.to_string();
    let (line, column) = name.strip_prefix(prefix)?.split_once('_')?;
    Some(Position { line: line.parse().ok()?, column: column.parse().ok()? })
}

/// Finds the scope of each word, in the tokens between two brackets and in all groups there.
fn enter(
    tokens: TokenStream,
    rules_of: Option<String>,
    outer: Option<Rc<Scope>>,
    found: &mut Map<Position, Rc<Scope>>,
) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let scope = Rc::new(Scope { constants: declarations(&tokens), rules_of, outer });
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(name) => {
                if let Some(position) = told(name, USE) {
                    found.insert(position, Rc::clone(&scope));
                }
            }
            TokenTree::Group(group) => {
                let rules_of = match tokens.get(..index) {
                    Some([.., TokenTree::Ident(word), TokenTree::Punct(_), TokenTree::Ident(name)])
                        if word == "macro_rules" =>
                    {
                        Some(name.to_string())
                    }
                    _ => None,
                };
                enter(group.stream(), rules_of, Some(Rc::clone(&scope)), found);
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// `const NAME: TYPE = VALUE;` among these tokens. Without a type it is a constant of a block, which is not Rust.
fn declarations(tokens: &[TokenTree]) -> Map<String, Declaration> {
    let is_mark =
        |token: &TokenTree, marks: &[char]| matches!(token, TokenTree::Punct(mark) if marks.contains(&mark.as_char()));
    let mut declarations = Map::new();
    let mut rest = tokens;
    let mut is_parameter = false;
    while let [first, others @ ..] = rest {
        if let (TokenTree::Ident(keyword), [TokenTree::Ident(name), colon, others @ ..]) = (first, others)
            && let (Some(position), false) = (told(keyword, DECLARATION), is_parameter)
            && is_mark(colon, &[':'])
            && let Some(end) = others.iter().position(|token| is_mark(token, &['=', ';']))
            && let Some([equals, value @ ..]) = others.get(end..)
            && is_mark(equals, &['='])
        {
            let value: Vec<TokenTree> = value.iter().take_while(|token| !is_mark(token, &[';'])).cloned().collect();
            let name = name.to_string();
            match declarations.get_mut(&name) {
                None => {
                    declarations.insert(name, Declaration { value, position, again: None });
                }
                Some(declaration) => declaration.again = Some(position),
            }
        }
        is_parameter = is_mark(first, &['<', ',']);
        rest = others;
    }
    declarations
}

/// The value of tokens that write it out.
fn literal(tokens: &[TokenTree]) -> Option<Literal> {
    match tokens {
        [TokenTree::Punct(mark), referenced @ ..] if mark.as_char() == '&' => literal(referenced),
        [TokenTree::Punct(mark), TokenTree::Literal(digits)] if mark.as_char() == '-' => {
            number(digits).map(|number| Literal::Number(format!("-{number}")))
        }
        [TokenTree::Literal(digits)] => number(digits).map(Literal::Number),
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Bracket => list(group),
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => literal(&inside(group)),
        _ => None,
    }
}

fn list(group: &Group) -> Option<Literal> {
    let tokens = inside(group);
    let mut entries: Vec<&[TokenTree]> =
        tokens.split(|token| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',')).collect();
    // After the last comma, and between brackets without anything.
    if entries.last().is_some_and(|entry| entry.is_empty()) {
        entries.pop();
    }
    entries.into_iter().map(literal).collect::<Option<_>>().map(Literal::List)
}

fn number(digits: &proc_macro2::Literal) -> Option<String> {
    match Lit::new(digits.clone()) {
        Lit::Int(number) => Some(number.base10_digits().to_owned()),
        Lit::Float(number) => Some(number.base10_digits().to_owned()),
        _ => None,
    }
}

fn inside(group: &Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}
