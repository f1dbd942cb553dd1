//! Kernel files.

use std::fs;

use cain_codegen::generate::{RuntimePath, source};
use cain_codegen::{Plans, kernel_file};
use tempfile::TempDir;

use super::maker::MAKER;
use crate::model::Filter;
use crate::oracle::{placed, printable, readable};
use crate::{Corpus, Dice, Target, Verdict, mutate};

pub(super) const TARGET: Target = Target {
    name: "kernels",
    about: "kernel files, and the Rust that comes from them",
    ending: "toml",
    quick: 3_000,
    memory: 256,
    generate,
    check,
};

/// Words of kernel files.
pub(super) const WORDS: [&str; 36] = [
    "inputs",
    "keep",
    "outputs",
    "scratch",
    "search",
    "approximate",
    "doc",
    "machine",
    "registers",
    "kernel",
    "scale",
    "input",
    "origin",
    "nodes",
    "memory",
    "objective",
    "isa",
    "offset",
    "max_gain",
    "\"any\"",
    "\"0..127\"",
    "depth",
    "error",
    "\"A\"",
    "\"R229\"",
    "\"native\"",
    "\"1/3\"",
    "=",
    "[",
    "]",
    "{",
    "}",
    ",",
    ".",
    "\"\"\"",
    "\\n",
];

fn generate(dice: &mut Dice, corpus: &Corpus) -> Vec<u8> {
    mutate::of_text(dice, corpus, &WORDS, |dice| Filter::random(dice).to_toml())
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let text = String::from_utf8_lossy(input);
    let filters = match kernel_file::parse(&text) {
        Ok(filters) => filters,
        Err(problems) => return placed(&text, &problems).map(|()| Verdict::Refused),
    };
    for filter in &filters {
        filter.declaration.validate().map_err(|error| format!("filter `{}` is taken: {error}", filter.name()))?;
        printable(&filter.declaration.to_string())?;
    }
    let folder = TempDir::new().map_err(|error| error.to_string())?;
    let path = folder.path().join("kernels.toml");
    fs::write(&path, text.as_bytes()).map_err(|error| error.to_string())?;
    match source(&path, &RuntimePath::default(), &Plans::none(), MAKER, |_| ()) {
        Ok(source) => {
            readable(&source.text)?;
            syn::parse_file(&source.text).map_err(|error| format!("the code is no Rust: {error}"))?;
        }
        // Not every name of a filter can be the name of a function.
        Err(error) => error.to_string().lines().try_for_each(printable)?,
    }
    Ok(Verdict::Accepted)
}
