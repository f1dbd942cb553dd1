//! The tokens between the brackets of `scamp_kernels!`.

use cain_codegen::{Plans, blocks, expand_with};
use proc_macro2::TokenStream;
use syn::{File, Item, LitStr};

use crate::model::Filter;
use crate::oracle::{ensure, placed, printable};
use crate::{Corpus, Dice, Target, Verdict, mutate};

pub(super) const TARGET: Target = Target {
    name: "tokens",
    about: "the front end of the macro",
    ending: "rs",
    quick: 4_000,
    memory: 256,
    generate,
    check,
};

/// Words of declarations.
pub(super) const WORDS: [&str; 34] = [
    "fn",
    "pub",
    "crate",
    "using",
    "->",
    "=",
    "&",
    "A",
    "B",
    "G",
    "R229",
    "R18",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    "#",
    "search",
    "approximate",
    "nodes",
    "peak_gain",
    "depth",
    "error",
    "native",
    "1/3",
    "doc",
    "cfg",
    "unsafe",
    "file",
    "r#match",
];

fn generate(dice: &mut Dice, corpus: &Corpus) -> Vec<u8> {
    mutate::of_text(dice, corpus, &WORDS, |dice| (0..=dice.below(2)).map(|_| Filter::random(dice).to_macro()).collect())
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let text = String::from_utf8_lossy(input);
    // The compiler itself refuses texts that are not tokens.
    let Ok(tokens) = text.parse::<TokenStream>() else { return Ok(Verdict::Refused) };
    let runtime: TokenStream = "[::cain_runtime]".parse().map_err(|error| format!("{error}"))?;
    let code = expand_with(runtime.into_iter().chain(tokens).collect(), |_| None, &Plans::none());
    let code = syn::parse2(code).map_err(|error| format!("the expansion is no Rust: {error}"))?;
    let errors = messages(&code)?;
    errors.iter().try_for_each(|message| printable(message))?;

    let source = format!("scamp_kernels! {{ {text}\n}}");
    let blocks = blocks::read(&source);
    placed(&source, &blocks.problems)?;
    let says_twice = errors.iter().any(|message| message.contains("is declared twice"));
    if blocks.files.is_empty() && !says_twice {
        ensure(errors.is_empty() == blocks.problems.is_empty(), || {
            format!("the macro says {errors:?}, and tools that read the source say {:?}", blocks.problems)
        })?;
    }
    Ok(if errors.is_empty() { Verdict::Accepted } else { Verdict::Refused })
}

/// The messages of all `compile_error!` calls.
fn messages(code: &File) -> Result<Vec<String>, String> {
    let errors = code.items.iter().filter_map(|item| match item {
        Item::Macro(call) if call.mac.path.segments.last().is_some_and(|name| name.ident == "compile_error") => {
            Some(call.mac.parse_body::<LitStr>())
        }
        _ => None,
    });
    errors.map(|message| message.map(|text| text.value()).map_err(|error| error.to_string())).collect()
}
