//! Tests that generated code compiles in a crate that allows no lint.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Folder;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Filters with names that have a meaning in Rust or in generated code, wherever users can choose them.
fn names() -> String {
    let filters = [
        "H",
        "Host",
        "SelfPlane",
        "Self_",
        "match",
        "gen",
        "core",
        "std",
        "cain_runtime",
        "main",
        "west",
        "u8",
        "i32",
        "Result",
        "Ok",
        "scamp",
        "asm",
        "isa",
        "Plan",
        "__",
        "_x",
        "union",
        "auto",
        "raw",
        "macro_rules",
    ];
    let mut text = "[machine]\nregisters = 8\n".to_owned();
    for name in filters {
        let _ = write!(
            text,
            "[{name}]\ninputs = [\"self_\"]\nkeep = [\"self_\"]\nscratch = [\"h\", \"selfplane\", \"r\"]\n\
             outputs.host.kernel = [[0, 0, 1]]\n"
        );
    }
    text += "[bits]\ninputs = [\"all\", \"Bits\", \"self_\"]\nbits = 1\noutputs.scratch = \"all & Bits & self_\"\n\
             search.isa = \"digital\"\n\
             [blocks]\ninputs = [\"all\", \"bits\"]\noutputs.scratch = [{ input = \"all\", kernel = [[1]] }, { input = \
             \"bits\", kernel = [[1]] }]\nsuperpixel.order = [[1, 2], [4, 3]]\nsearch = { isa = \"superpixel\", nodes = 100 }\n\
             [automaton.u32]\nsize = [1, 2]\nclasses = 1\ndenominator = 8\nlayers = [[[[[1]], [[0]]]]]\nsearch.isa = \"macro\"\n\
             [network.f32]\ninput = { size = 4, levels = \"-60..60\" }\n";
    let layers = ["read", "type", "self", "12", "_12", "a-b", "a_b", "A_B", "layer_3", "plan", "scamp", "f32"];
    for name in layers {
        let layer = "op = \"windows\"\nfrom = \"image\"\nsize = 2";
        let _ = writeln!(text, "[[network.f32.layer]]\nname = \"{name}\"\n{layer}");
    }
    text
}

/// Filters whose names, and those of their planes, are not as Rust or Clippy like them.
const SPELLING: &str = "\
[PascalCase]
inputs = [\"left\", \"lift\"]
keep = [\"left\", \"lift\"]
outputs.loft = [{ input = \"left\", scale = \"1/2\", kernel = [[1]] }, { input = \"lift\", scale = \"1/2\", kernel = [[1]] }]
search.nodes = 300
[_G]
inputs = [\"A\"]
outputs.B.kernel = [[1]]
[a__b]
inputs = [\"Mask\", \"mash\"]
bits = 1
outputs.wash = \"Mask & mash\"
search.isa = \"digital\"
";

/// Programs with results and parameters of all kinds; all parameters of some are 0 unless they are set.
const PROGRAMS: &str = "\
program planes(image, t: -3..=9, on: bool) -> (mask, low, q, pair, next kept) {
    state kept: bits = false;
    let (mask, low, q) = (image > t, 1/2 * image, digits(image, 2));
    let pair = (mask, low);
    next kept = mask & on;
}
program numbers(m: bits, a: levels(0..=100), part: region, n: 0..=3 = 2) -> (k, box, place, two, all, far, next at) {
    state at: -20..=20 = (0, 0);
    let (k, box, place) = (count(m & inside(part)), bounds(a > n), first(m));
    let (two, far) = ((k, n), events(m, 5));
    list all;
    repeat n { all += (place, box.top); }
    next at = if k > 3 { at + (1, n) } else { (0, 0) };
}
program counter() -> (next n) { state n: 0..=100 = 0; next n = n + 1; }
";

/// Files that are checked in are read by people and tools like any other file.
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
    folder.write("spelling.toml", SPELLING);
    folder.cain(&["generate", "spelling.toml", "-o", "src/spelling.rs"]).good();
    lib += "/// Unusual spelling.\npub mod spelling;\n";
    folder.write("programs.cain", PROGRAMS);
    folder.cain(&["generate", "programs.cain", "-o", "src/programs.rs"]).good();
    lib += "/// Whole programs.\npub mod programs;\n";
    folder.write("names.toml", &names());
    folder.cain(&["generate", "names.toml", "-o", "src/names.rs"]).good();
    lib += "/// Names that mean something.\n#[allow(nonstandard_style, clippy::pedantic)]\npub mod names;\n";
    folder.write("src/lib.rs", &lib);
    let mut clippy = Command::new(env!("CARGO"));
    clippy.args(["clippy", "--quiet", "--offline"]).current_dir(&folder.0);
    clippy.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("linted"));
    let output = clippy.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
