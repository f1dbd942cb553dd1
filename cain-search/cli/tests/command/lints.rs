//! Generated code in a crate that allows nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Folder;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Files that are checked in are looked at by people and their tools like any other.
#[test]
fn generated_files_have_no_lints() {
    let folder = Folder(tempfile::tempdir().unwrap());
    let workspace = Path::new(HERE).join("../..");
    let runtime = fs::canonicalize(workspace.join("cain-runtime")).unwrap();
    folder.write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"linted\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
             [dependencies]\ncain-runtime = {{ path = {runtime:?}, default-features = false }}\n"
        ),
    );
    folder.write("Cargo.lock", &fs::read_to_string(workspace.join("Cargo.lock")).unwrap());
    let mut lib = "//! Kernels.\n#![no_std]\n#![deny(missing_docs, warnings, unused, unreachable_pub, clippy::all)]\n\
                   #![deny(clippy::pedantic, clippy::many_single_char_names, clippy::too_many_arguments)]\n"
        .to_owned();
    for file in ["shapes", "machine"] {
        let kernels = workspace.join("tests/corpus").join(file).with_extension("toml");
        fs::create_dir_all(folder.path("src")).unwrap();
        folder.cain(&["generate", kernels.to_str().unwrap(), "-o", &format!("src/{file}.rs")]).good();
        lib.extend(["/// As it was generated.\npub mod ", file, ";\n"]);
    }
    folder.write("src/lib.rs", &lib);
    let mut clippy = Command::new(env!("CARGO"));
    clippy.args(["clippy", "--quiet", "--offline"]).current_dir(&folder.0);
    clippy.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("linted"));
    let output = clippy.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
