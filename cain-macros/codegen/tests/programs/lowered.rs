//! All of them are read.

use std::path::{Path, PathBuf};

use cain_codegen::diagnostic::Diagnostic;
use cain_codegen::vision::{self, Declared};

/// The programs of a text that has nothing to call beside it.
pub(crate) fn read(text: &str) -> Result<Vec<Declared>, Vec<Diagnostic>> {
    vision::read(text, &[], &mut |_| Ok(Vec::new()))
}

/// The programs of a file.
pub(crate) fn programs(name: &str) -> Vec<Declared> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/programs");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    read(&text).unwrap_or_else(|problems| {
        panic!("{name}: {}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    })
}

/// The names of all files.
fn files() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/programs");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|extension| extension == "cain")).collect();
    files.sort();
    files.iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

/// The texts of all files.
pub(crate) fn texts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/programs");
    files().iter().map(|name| std::fs::read_to_string(folder.join(name)).unwrap()).collect()
}

#[test]
fn all_programs_are_read() {
    for name in files() {
        for program in programs(&name) {
            assert_eq!(program.declaration.values.len(), program.spans.len(), "{name}");
        }
    }
}

/// The words of each of them.
#[test]
#[ignore = "takes minutes"]
fn words_of_all_programs() {
    for name in files() {
        for program in programs(&name) {
            let mut declaration = program.declaration;
            declaration.options.nodes = 500;
            match cain_vision::compile(&declaration) {
                Ok(compiled) => println!("{name} {}: {} words", program.name, compiled.program().words()),
                Err(error) => println!("{name} {}: {error:?}", program.name),
            }
        }
    }
}

/// A single pass is no loop.
#[test]
fn one_pass_is_the_body() {
    let of = |text: &str| read(text).unwrap().remove(0).declaration;
    let once = of("program p(image) -> (x) { var x = image > 3; repeat i in 1 { x = x & x@north | image > i + 5; } }");
    let unrolled =
        of("program p(image) -> (x) { var x = image > 3; for i in [0] { x = x & x@north | image > i + 5; } }");
    assert_eq!(once, unrolled);
}
