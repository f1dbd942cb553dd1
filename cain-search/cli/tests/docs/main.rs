//! Every code block of the documentation is tested: README.md, `docs/` and the page of each crate.
//!
//! | block | what is tested |
//! |---|---|
//! | `rust` | nothing here: it has to be a documentation test, and this is checked |
//! | `rust,ignore` | it is part of an example, or of what `cain generate` makes of a kernel file of the page, or names one |
//! | `toml` | kernel files and manifests are read as `cain` and cargo read them |
//! | `json` | configurations of Cain are imported; others are JSON |
//! | `c` | it is the program of a kernel of the page |
//! | `console` | its commands print what it shows |
//! | `sh` | its commands succeed |
//! | `text` | it is a drawing |
//!
//! Files and commands of a page share a folder, which is a package; pages are independent of each other. A picture that a
//! command writes there must equal the one of that name beside the page, if there is one. Commands are for the shell of a
//! Unix system.

#![cfg(unix)]

mod block;
mod command;
mod links;
mod page;
mod reference;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use page::Page;

/// The root of the project.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The pages, relative to the root.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = [
        "",
        "cain-runtime",
        "cain-runtime/isa",
        "cain-search",
        "cain-search/digital",
        "cain-search/network",
        "cain-search/cli",
    ]
    .iter()
    .chain(&["cain-macros", "cain-macros/build", "cain-macros/codegen"])
    .map(|folder| Path::new(folder).join("README.md"))
    .collect();
    let chapters = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().file_name());
    let chapters = chapters.map(|name| Path::new("docs").join(name));
    pages.extend(chapters.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    pages.sort();
    pages
}

#[test]
fn every_code_block_is_true() {
    // Most of the time goes into commands, which wait for nothing but their own page.
    let wrong: Vec<String> = thread::scope(|scope| {
        let check = |path: PathBuf| scope.spawn(move || Page::new(&path).check());
        let checks: Vec<_> = pages().into_iter().map(check).collect();
        checks.into_iter().flat_map(|page| page.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
