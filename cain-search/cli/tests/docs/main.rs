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
//! | `python` | nothing here: the tests of the Python package run those of its pages |
//! | `text` | it is a drawing |
//!
//! Files and commands of a page share a folder, which is a package; pages are independent of each other. If there is a
//! picture beside the page with the name of one that a command writes, both must be equal. Commands are for the shell
//! of a Unix system.

#![cfg(unix)]

mod block;
mod command;
mod links;
mod page;
mod reference;

use std::fs;
use std::path::Path;

use page::Page;

/// The root of the project.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A test for each page, and their paths, relative to the root.
macro_rules! pages {
    ($($test:ident: $path:literal,)+) => {
        const PAGES: &[&str] = &[$($path),+];

        mod code_blocks_are_true {
            $(
                #[test]
                fn $test() {
                    let wrong = super::Page::new($path.as_ref()).check();
                    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
                }
            )+
        }
    };
}

pages! {
    readme: "README.md",
    cain_macros: "cain-macros/README.md",
    cain_build: "cain-macros/build/README.md",
    cain_codegen: "cain-macros/codegen/README.md",
    cain_runtime: "cain-runtime/README.md",
    cain_analysis: "cain-runtime/analysis/README.md",
    cain_isa: "cain-runtime/isa/README.md",
    cain_search: "cain-search/README.md",
    cain_cli: "cain-search/cli/README.md",
    cain_digital: "cain-search/digital/README.md",
    cain_in_pixel: "cain-search/in_pixel/README.md",
    cain_network: "cain-search/network/README.md",
    cain_onnx: "cain-search/onnx/README.md",
    cain_vision: "cain-search/vision/README.md",
    build_times: "docs/build-times.md",
    command: "docs/command.md",
    declaration: "docs/declaration.md",
    firmware: "docs/firmware.md",
    front_ends: "docs/front-ends.md",
    in_pixel: "docs/in_pixel.md",
    kernels: "docs/kernels.md",
    library: "docs/library.md",
    limits: "docs/limits.md",
    machine: "docs/machine.md",
    migration: "docs/migration.md",
    native: "docs/native.md",
    networks: "docs/networks.md",
    plans: "docs/plans.md",
    programs: "docs/programs.md",
    project: "docs/project.md",
    python: "docs/python.md",
    robot: "docs/robot.md",
    search: "docs/search.md",
    tasks: "docs/tasks.md",
}

/// README.md, those of the packages that are meant for crates.io, and all of `docs/`.
#[test]
fn every_page_is_tested() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members = manifest.split(['[', ']']).find(|list| list.contains("\"cain-search\",")).unwrap();
    let folders = members.split('"').filter(|member| member.starts_with("cain-"));
    let mut pages: Vec<String> = folders.map(|member| format!("{member}/README.md")).collect();
    pages.push("README.md".to_owned());
    let chapters = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().file_name());
    let chapters = chapters.map(|name| format!("docs/{}", name.to_str().unwrap()));
    pages.extend(chapters.filter(|path| Path::new(path).extension().is_some_and(|extension| extension == "md")));
    pages.sort();
    let mut tested = PAGES.to_vec();
    tested.sort_unstable();
    assert_eq!(tested, pages);
}
