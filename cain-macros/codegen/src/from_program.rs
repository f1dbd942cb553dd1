//! `scamp_program! { .. }`: whole programs in a source file.

use std::path::Path;

use proc_macro2::{Ident, Span, TokenStream};
use syn::parse::{ParseStream, Parser as _};
use syn::{LitStr, Token, bracketed};

use crate::conditions::Conditions;
#[cfg(feature = "blocks")]
use crate::diagnostic::Diagnostic;
use crate::emit::Frame;
use crate::errors::{Errors, Mistakes};
use crate::kinds::vision::placed;
use crate::kinds::{Item, Problem};
use crate::plans::Plans;
use crate::vision::{self, Declared};
use crate::{from_file, names, nesting};

mod keyword {
    syn::custom_keyword!(file);
}

/// What is behind the path of the runtime crate.
enum Content {
    /// Programs.
    Programs(TokenStream),
    /// The path of a file with programs.
    File(LitStr),
}

/// Expands to types, plans and compile errors; `source` is the source file with the call.
pub(crate) fn expand(
    input: TokenStream,
    source: Option<&Path>,
    plans: &Plans,
    mistakes: &mut Vec<Mistakes>,
) -> TokenStream {
    if let Some((place, message)) = nesting::too_deep(input.clone()) {
        let mut errors = Errors::default();
        errors.add(place, message);
        mistakes.push(errors.into());
        return TokenStream::new();
    }
    let (runtime, content) = match read.parse2(nesting::without_invisible(input)) {
        Ok(read) => read,
        Err(error) => {
            mistakes.push(Errors::from(error).into());
            return TokenStream::new();
        }
    };
    let mut errors = Errors::default();
    let output = match content {
        Content::File(file) => from_file::expand(&file, source, &runtime, plans, &mut errors),
        Content::Programs(tokens) => match vision::parse(tokens, &[]) {
            Ok(declared) => declared.iter().map(|declared| item(declared, &runtime, plans, mistakes)).collect(),
            Err(problems) => {
                for problem in problems {
                    errors.add(problem.place, problem.message);
                }
                TokenStream::new()
            }
        },
    };
    mistakes.push(errors.into());
    output
}

fn read(input: ParseStream<'_>) -> syn::Result<(TokenStream, Content)> {
    let runtime;
    bracketed!(runtime in input);
    let runtime = runtime.parse()?;
    if !(input.peek(keyword::file) && input.peek2(Token![=])) {
        return Ok((runtime, Content::Programs(input.parse()?)));
    }
    input.parse::<keyword::file>()?;
    input.parse::<Token![=]>()?;
    let file = input.parse().map_err(|error| {
        syn::Error::new(error.span(), "expected the path of a file with programs, as in `file = \"motion.cain\"`")
    })?;
    input.parse::<Option<Token![,]>>()?;
    Ok((runtime, Content::File(file)))
}

/// The type of a program.
fn item(declared: &Declared, runtime: &TokenStream, plans: &Plans, mistakes: &mut Vec<Mistakes>) -> TokenStream {
    let Declared { name, at, attributes, visibility, .. } = declared;
    let name: &Ident = &names::function(name, *at);
    let frame = Frame { runtime, attributes, visibility, name };
    let mut errors = Errors::default();
    let report = |problem: Problem<Span>| errors.add(problem.place, problem.message);
    let output = Item::from(placed(declared)).expand(&frame, plans, report).tracked(std::iter::empty());
    mistakes.push(Mistakes { conditions: Conditions::of(attributes), errors });
    output
}

/// What a call declares, for tools.
#[cfg(feature = "blocks")]
pub(crate) enum Declarations {
    Items(Vec<Item>),
    /// The path of a file with programs.
    File(LitStr),
}

/// What the contents of a call declare, for tools, or its mistakes.
#[cfg(feature = "blocks")]
pub(crate) fn declared(input: TokenStream) -> Result<Declarations, Vec<Diagnostic>> {
    let problem = |place: Span, message: String| Diagnostic { place: vision::position(place), message };
    let read = read.parse2(nesting::without_invisible(input));
    match read.map_err(|error| vec![problem(error.span(), error.to_string())])? {
        (_, Content::File(file)) => Ok(Declarations::File(file)),
        (_, Content::Programs(tokens)) => {
            let declared = vision::parse(tokens, &[]);
            let declared = declared.map_err(|problems| {
                problems.into_iter().map(|found| problem(found.place, found.message)).collect::<Vec<_>>()
            })?;
            let items = declared.iter().map(|declared| placed(declared).placed(vision::position).into());
            Ok(Declarations::Items(items.collect()))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::plans::{Mode, Plans};

    const BRIGHT: &str = "\
        /// Bright.
        #[allow(unused)]
        pub(crate) program bright(image, mask: bits, at: 0..=9 = 3, on: bool = true) -> (found, pixels, area, places) {
            list places;
            let found = (image > at) & mask & on;
            let pixels = count(found);
            let area = bounds(found);
            places += pixels;
        }";

    fn expanded(text: &str, plans: &Plans) -> String {
        crate::expand_program_with(format!("[rt] {text}").parse().unwrap(), |_| None, plans).to_string()
    }

    /// Each pattern is in the text, wherever there are spaces.
    #[track_caller]
    fn expect(text: &str, patterns: &[&str]) {
        let without_spaces = |text: &str| text.split_whitespace().collect::<String>();
        for pattern in patterns {
            assert!(without_spaces(text).contains(&without_spaces(pattern)), "{pattern}\n{text}");
        }
    }

    #[test]
    fn programs_become_types() {
        let signatures = [
            "pub(crate) struct Bright",
            "pub(crate) fn begin<H: rt::io::ArrayIo +",
            "mask: &[::core::primitive::bool], parameters: &bright::Parameters,",
            "bright::Results<'_>",
            "at: ::core::primitive::i64",
            "Self { at: 3, on: true }",
            "found: rt::program::Bits<'f>",
            "area: ::core::option::Option<rt::program::Bounds>",
            "places: rt::program::List<'f, 1>",
        ];
        let whole = expanded(BRIGHT, &Plans::new(Mode::Auto, None));
        expect(&whole, &signatures);
        expect(&whole, &["Step::Capture", "range: (0, 9)", "Given::Bits(mask)"]);
        assert!(!whole.contains("compile_error"), "{whole}");
        let stub = expanded(BRIGHT, &Plans::new(Mode::Stub, None));
        expect(&stub, &signatures);
        assert!(stub.contains("the program `bright` has no program") && !stub.contains("Capture"), "{stub}");
    }

    #[test]
    fn mistakes_are_compile_errors() {
        for (text, message) in [
            ("file = 3", "expected the path of a file with programs, as in `file = \\\"motion.cain\\\"`"),
            ("file = \"none.cain\"", "none.cain`: "),
            ("program b(image) -> (m) { let m = imag > 3; }", "unknown name `imag`"),
            (
                "program Bright(image) -> (m) { let m = image > 3; }",
                "a program cannot be called `Bright`, since its type and its module would not have different names",
            ),
        ] {
            let found = expanded(text, &Plans::none());
            assert!(found.contains("compile_error") && found.contains(message), "{found}");
        }
        let locked = expanded(BRIGHT, &Plans::new(Mode::Locked, None));
        assert!(locked.contains("the program has no plan") && locked.contains("struct Bright"), "{locked}");
    }
}
