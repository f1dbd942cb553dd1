//! `scamp_program! { .. }`: whole programs in a source file.

use std::path::Path;

use proc_macro2::{Ident, Span, TokenStream};
use syn::parse::{ParseStream, Parser as _};
use syn::{LitStr, Token, bracketed};

use crate::conditions::Conditions;
use crate::diagnostic::Diagnostic;
#[cfg(feature = "blocks")]
use crate::diagnostic::Position;
use crate::emit::Frame;
use crate::errors::{Errors, Mistakes};
use crate::kinds::vision::placed;
use crate::kinds::{Expanded, Item, Problem};
use crate::plans::Plans;
use crate::program_file::{Around, with_kernels};
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
        Content::Programs(tokens) => {
            let folder = from_file::folder(source);
            let (read, files) = parse(tokens, &folder);
            // The compiler expands the call again when one of them changes.
            let files = files.iter().map(|file| folder.join(file));
            let mut output = Expanded::default().tracked(files);
            match read {
                Ok(declared) => {
                    output.extend(declared.iter().map(|declared| item(declared, &runtime, plans, mistakes)));
                }
                Err(problems) => {
                    for problem in problems {
                        errors.add(problem.place, problem.message);
                    }
                }
            }
            output
        }
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

/// Programs, or all mistakes in them.
type Parsed = Result<Vec<Declared>, Vec<Diagnostic<Span>>>;

/// The programs of a call in a source file in that folder, and the files that they use.
fn parse(tokens: TokenStream, folder: &Path) -> (Parsed, Vec<String>) {
    let around = Around { folder, kernel_file: None };
    with_kernels(around, |beside, load| vision::parse(tokens, beside, load))
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

/// What the contents of a call in a source file in that folder declare, for tools, or its mistakes.
#[cfg(feature = "blocks")]
pub(crate) fn declared(input: TokenStream, folder: &Path) -> Result<Declarations, Vec<Diagnostic>> {
    let problem = |place: Span, message: String| Diagnostic { place: Position::of(place), message };
    let read = read.parse2(nesting::without_invisible(input));
    match read.map_err(|error| vec![problem(error.span(), error.to_string())])? {
        (_, Content::File(file)) => Ok(Declarations::File(file)),
        (_, Content::Programs(tokens)) => {
            let (declared, files) = parse(tokens, folder);
            let declared = declared.map_err(|problems| {
                problems.into_iter().map(|found| problem(found.place, found.message)).collect::<Vec<_>>()
            })?;
            let item = |declared: &Declared| Item::from(placed(declared).placed(Position::of)).read_from(&files);
            Ok(Declarations::Items(declared.iter().map(item).collect()))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::plans::{Mode, Plans};
    use crate::{Position, SourcePlace};

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
    fn results_tell_their_ranges() {
        let text = "program p(t: 0..=9) -> (next k, low, digit) { \
                    state k = 1; next k = k * 3; let low = max(k, 2); let digit = k % 10; }";
        let whole = expanded(text, &Plans::new(Mode::Auto, None));
        expect(&whole, &["`k`: a number.", "`low`: a number of at least 2.", "`digit`: a number from 0 to 9."]);
    }

    /// The compiler expands a call again when what it uses changes: kernel files beside the source file, and weights beside those.
    #[test]
    fn files_that_are_used_are_watched() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("nets")).unwrap();
        let filter = "[lean]\ninputs = ['A']\noutputs.A.kernel = [[0, 0, 1]]\n";
        fs::write(path("nets/filters.toml"), filter).unwrap();
        let network = "[network.net]\ninput = { size = 8, levels = '-60..60' }\n[[network.net.layer]]\nname = 'w'\n\
                       op = 'windows'\nsize = 8\n[[network.net.layer]]\nname = 's'\nop = 'dense'\nweights = 'w.npy'\n";
        fs::write(path("nets/net.toml"), network).unwrap();
        fs::write(path("nets/w.npy"), crate::kinds::beside::npy::write(&[vec![2.0]])).unwrap();
        let place = SourcePlace { file: path("main.rs"), position: Position { line: 1, column: 1 } };
        let expanded = |text: &str, mode| {
            let input = format!("[rt] {text}").parse().unwrap();
            crate::expand_program_with(input, |_| Some(place.clone()), &Plans::new(mode, None)).to_string()
        };
        let text = "use \"nets/net.toml\"; use lean from \"nets/filters.toml\"; program p(image) -> (r, s) { let r = lean(image); let \
                    s = net(image); } program q(image) -> (r) { let r = image; }";
        for mode in [Mode::Auto, Mode::Stub] {
            let found = expanded(text, mode);
            assert!(!found.contains("compile_error") && found.contains("struct P"), "{found}");
            for name in ["nets/net.toml", "nets/w.npy", "nets/filters.toml"] {
                let watched = format!("include_bytes ! ({:?})", path(name).to_str().unwrap());
                assert_eq!(found.matches(&watched).count(), 1, "{watched}: {found}");
            }
            // In a file that the call names, for each of the programs.
            fs::write(path("motion.cain"), text).unwrap();
            let found = expanded("file = \"motion.cain\"", mode);
            assert_eq!(found.matches("filters.toml").count(), 2, "{found}");
        }
        fs::write(path("nets/filters.toml"), filter.replace("inputs", "imputs")).unwrap();
        let found = expanded(text, Mode::Stub);
        let message = "nets/filters.toml:2:1: `lean`: unknown key `imputs`; did you mean `inputs`?";
        assert!(found.contains(message) && !found.contains("unknown function"), "{found}");
    }

    #[test]
    fn mistakes_are_compile_errors() {
        for (text, message) in [
            ("file = 3", "expected the path of a file with programs, as in `file = \\\"motion.cain\\\"`"),
            ("file = \"none.cain\"", "none.cain`: "),
            ("program b(image) -> (m) { let m = imag > 3; }", "unknown name `imag`"),
            ("#[inlin] program b(image) -> (m) { let m = image > 3; }", "unknown attribute `inlin`; programs have"),
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
