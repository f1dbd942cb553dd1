//! From tokens to a syntax tree. Mistakes are told, and reading goes on behind them.

mod expression;
mod head;
mod list;
mod operator;
mod statement;
mod tokens;
mod used;

use proc_macro2::{Span, TokenStream};
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::spanned::Spanned as _;
use syn::{Attribute, Token, parenthesized, token};

use super::Place;
use super::tree::{Constant, File, Function, Pattern, Program};
use crate::errors::Errors;
use crate::expression::DIRECTIONS;
use crate::kinds::options::{SEARCH_KEYS, interruptible, search_fields, search_options};
use crate::lower::machine::Described;
use crate::names::near_miss;
use crate::nesting;
use crate::syntax::recover::skip;
use crate::syntax::{at_call, attributes, visibility};
use crate::tree::{Interruptible, SearchOptions};
use crate::value::Entry;
use tokens::{comma, expected, is_word_of, name, semicolon, word};

/// How deep brackets and expressions may be nested: deeper than people write, and shallow enough for the recursion here and in
/// what follows.
const MOST: usize = 64;

/// Reads a file. Its programs are for this machine, unless it describes one.
pub(crate) fn file(tokens: TokenStream, (place, machine): (Place, Described), errors: &mut Errors<Span>) -> File {
    let mut file = File::empty(machine);
    if let Some((place, message)) = nesting::deeper_than(MOST, tokens.clone()) {
        errors.add(place, message);
        return file;
    }
    let tokens = nesting::without_invisible(tokens);
    let end = tokens.clone().into_iter().last().map_or_else(Span::call_site, |token| token.span());
    let read = |input: ParseStream<'_>| {
        match input.call(Attribute::parse_inner) {
            Ok(given) if given.is_empty() => {}
            Ok(given) => file.machine = attributes::machine(&given, errors),
            Err(error) => errors.add_syntax(error),
        }
        while !input.is_empty() {
            let start = input.fork();
            if let Err(error) = item(input, place, &mut file, errors) {
                // At the end the parser has no token to report.
                errors.add_syntax(if input.is_empty() && is_whole(&error) {
                    syn::Error::new(end, error)
                } else {
                    error
                });
                to_next_item(&start);
                input.advance_to(&start);
            }
        }
        Ok(())
    };
    // Reading does not fail, but tells tokens in brackets that were not read: after mistakes, which have been told.
    if let Err(error) = read.parse2(tokens)
        && errors.is_empty()
    {
        errors.add_syntax(error);
    }
    file
}

/// Whether an error stands at the whole text.
fn is_whole(error: &syn::Error) -> bool {
    let (found, whole) = (error.span().start(), Span::call_site().start());
    (found.line, found.column) == (whole.line, whole.column)
}

/// Skips an item: up to the beginning of another one.
fn to_next_item(input: ParseStream<'_>) {
    // Its attributes and its visibility belong to it.
    while input.peek(Token![#]) || input.peek(token::Bracket) || input.peek(Token![pub]) || input.peek(token::Paren) {
        skip(input);
    }
    loop {
        let was_end = input.peek(token::Brace) || input.peek(Token![;]);
        skip(input);
        let begins = input.peek(Token![fn])
            || input.peek(Token![const])
            || input.peek(Token![use])
            || is_word_of(input, "program");
        let is_marked = was_end && (input.peek(Token![#]) || input.peek(Token![pub]));
        if input.is_empty() || begins || is_marked {
            return;
        }
    }
}

fn item(input: ParseStream<'_>, place: Place, file: &mut File, errors: &mut Errors<Span>) -> syn::Result<()> {
    let given = crate::syntax::attributes(input, errors)?;
    let at = input.span();
    let visibility = visibility(input)?;
    let is_visible = !matches!(visibility, syn::Visibility::Inherited);
    if is_word_of(input, "program") {
        word(input, "program")?;
        let name = name(input, "the name of the program")?;
        crate::names::declared("program", &name.value).map_err(|message| syn::Error::new(name.at, message))?;
        let Sorted { passed: attributes, search, interruptible } = sort(given, place, errors);
        let (entries, results, body) = head_and_body(input)?;
        let visibility = at_call(visibility);
        let program = Program { attributes, search, interruptible, visibility, name, entries, results, body };
        file.programs.push(program);
        return Ok(());
    }
    if input.peek(Token![fn]) {
        input.parse::<Token![fn]>()?;
        let name = name(input, "the name of the function")?;
        let parameters = head::parameters(input)?;
        if input.peek(Token![->]) {
            return Err(expected(input, "`{`; what a function makes is the last expression in it"));
        }
        let (body, _) = statement::block(input)?;
        file.functions.push(Function { name, parameters, body });
    } else if input.peek(Token![const]) {
        input.parse::<Token![const]>()?;
        let name = name(input, "the name of the constant")?;
        if !input.peek(Token![=]) {
            return Err(expected(input, "`=` and a value; constants have no types"));
        }
        input.parse::<Token![=]>()?;
        let value = expression::expr(input)?;
        semicolon(input, "the constant")?;
        file.constants.push(Constant { name, value });
    } else if input.peek(Token![use]) {
        let used = used::used(input);
        file.has_broken_use |= used.is_err();
        file.uses.push(used?);
    } else {
        return Err(expected(
            input,
            "a program such as `program bright(image) -> (mask) { let mask = image > 40; }`, a \
                                    function or a constant",
        ));
    }
    for attribute in given.iter().filter(|attribute| !attribute.path().is_ident("doc")) {
        let message =
            "functions, constants and `use` have no attributes in programs; those of a program stand before `program`";
        errors.add(attribute.path().span(), message);
    }
    if is_visible {
        errors.add(at, "functions, constants and `use` have no visibility in programs");
    }
    Ok(())
}

/// The entries, results and body of a program.
type Rest = (Vec<super::tree::Entry>, Vec<super::tree::Outcome>, super::tree::Block);

/// What follows the name of a program. Mistakes in its head hide none in its body.
fn head_and_body(input: ParseStream<'_>) -> syn::Result<Rest> {
    let entries = head::entries(input);
    if !input.peek(Token![->])
        && let Err(error) = entries
    {
        return Err(error);
    }
    let head = join(entries, head::results(input));
    if !input.peek(token::Brace)
        && let Err(error) = head
    {
        return Err(error);
    }
    let ((entries, results), (body, _)) = join(head, statement::block(input))?;
    Ok((entries, results, body))
}

/// Both, or the mistakes of both.
fn join<A, B>(one: syn::Result<A>, other: syn::Result<B>) -> syn::Result<(A, B)> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (Err(mut one), Err(other)) => {
            one.combine(other);
            Err(one)
        }
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
    }
}

/// The attributes of a program.
#[derive(Default)]
struct Sorted {
    /// Those that are passed on.
    passed: Vec<Attribute>,
    search: SearchOptions<Span>,
    interruptible: Option<Interruptible<Span>>,
}

/// The attributes that are read here, each with an example of an option.
const ATTRIBUTES: [(&str, &str); 2] = [("search", "nodes = 200_000"), ("interruptible", "registers = [E, F]")];

/// Attributes of Rust that items in source files have.
const OF_RUST: [&str; 8] = ["doc", "allow", "expect", "warn", "deny", "forbid", "deprecated", "must_use"];

/// Attributes with conditions.
const CONDITIONS: [&str; 2] = ["cfg", "cfg_attr"];

/// What is wrong with an attribute that is not read here, if anything is. The compiler knows those with a path.
fn unknown(name: &str, place: Place) -> Option<String> {
    const KNOWN: &str = "programs have `#[search(..)]`, `#[interruptible(..)]` and their documentation";
    let has_conditions = CONDITIONS.contains(&name);
    if has_conditions && place == Place::Macro {
        return Some(format!(
            "`{name}` is for all programs of a call; write it in front of `scamp_program!`, with the programs that it is for"
        ));
    }
    let is_of_rust = OF_RUST.contains(&name) || has_conditions;
    if name == "doc" || place == Place::Macro && (is_of_rust || name.is_empty()) {
        return None;
    }
    Some(match near_miss(name, &ATTRIBUTES.map(|(known, _)| known)) {
        _ if is_of_rust => {
            format!("`{name}` is for Rust and does nothing in a file of programs; {KNOWN}")
        }
        Some(near) => format!("unknown attribute `{name}`; did you mean `{near}`?"),
        None if name.is_empty() => format!("unknown attribute; {KNOWN}"),
        None => format!("unknown attribute `{name}`; {KNOWN}"),
    })
}

/// Reads the options of the search and what may interrupt a program.
fn sort(given: Vec<Attribute>, place: Place, errors: &mut Errors<Span>) -> Sorted {
    let mut sorted = Sorted::default();
    let mut seen = Vec::new();
    for attribute in given {
        let name = attribute.path().get_ident().map(ToString::to_string).unwrap_or_default();
        let Some((name, example)) = ATTRIBUTES.into_iter().find(|(known, _)| *known == name) else {
            match unknown(&name, place) {
                Some(message) => errors.add(attribute.path().span(), message),
                None => sorted.passed.push(attribute),
            }
            continue;
        };
        if seen.contains(&name) {
            let at = attribute.pound_token.span;
            errors.add(at, format_args!("`{name}` is given twice; put all its options into one"));
            continue;
        }
        seen.push(name);
        let before = errors.len();
        let Some(options) = attributes::options(&attribute, example, errors) else { continue };
        let entry = Entry::of(name, &options);
        if name == "search" {
            if let Some(fields) = search_fields(&entry, &SEARCH_KEYS, errors) {
                sorted.search = search_options(&fields, errors);
            }
        } else if errors.len() == before {
            // Otherwise, what is missing may be among what could not be read.
            sorted.interruptible = interruptible(&entry, errors);
        }
    }
    sorted
}

/// `NAME | "(" pattern,* ")"`
fn pattern(input: ParseStream<'_>) -> syn::Result<Pattern> {
    if !input.peek(token::Paren) {
        return Ok(Pattern::Name(name(input, "a name")?));
    }
    let at = input.span();
    let inside;
    parenthesized!(inside in input);
    let mut parts = Vec::new();
    while !inside.is_empty() {
        parts.push(pattern(&inside)?);
        comma(&inside, ")")?;
    }
    Ok(Pattern::Tuple(parts, at))
}

/// Whether a name is that of a direction.
fn is_direction(name: &str) -> bool {
    DIRECTIONS.iter().any(|(known, _)| *known == name)
}
