//! Filters and networks of kernel files that programs elsewhere use.

use std::fmt::Write as _;
use std::fs;

use cain_codegen::kernel_file::{self, load_any};
use cain_codegen::kinds::{Item, Placed, Vision};
use cain_codegen::{Overrides, blocks};
use tempfile::TempDir;

const FILTERS: &str = r#"
[lean]
inputs = ["A"]
outputs.A = { scale = "1/16", kernel = [[1, 2, 3], [0, 5, 0], [3, 2, 0]] }

[less]
inputs = ["one", "other"]
bits = 1
outputs.both = "one & other@east"
search = { isa = "digital" }
"#;

/// A network whose weights are in a file beside it.
const NETWORK: &str = r#"
[network.look]
input = { size = 16, levels = "-60..60" }

[[network.look.layer]]
name = "bright"
op = "threshold"
at = 20

[[network.look.layer]]
name = "counts"
op = "windows"
size = [16, 8]

[[network.look.layer]]
name = "scores"
op = "dense"
weights = "scores.npy"
"#;

/// A file of `NumPy`: `[[1, -1], [-1, 2]]` in single precision.
fn weights() -> Vec<u8> {
    let mut header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }".to_owned();
    while !(10 + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    let values = [1.0_f32, -1.0, -1.0, 2.0].into_iter().flat_map(f32::to_le_bytes);
    b"\x93NUMPY\x01\x00".iter().copied().chain(length).chain(header.into_bytes()).chain(values).collect()
}

/// A folder with filters, and in another one a network.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("nets")).unwrap();
    fs::write(folder.path().join("filters.toml"), FILTERS).unwrap();
    fs::write(folder.path().join("nets/look.toml"), NETWORK).unwrap();
    fs::write(folder.path().join("nets/scores.npy"), weights()).unwrap();
    folder
}

fn programs(items: Vec<Item>) -> Vec<Placed<Vision>> {
    let program = |item| if let Item::Vision(program) = item { Some(*program) } else { None };
    items.into_iter().filter_map(program).collect()
}

/// The programs of a file with that text, or what is wrong, without the path of the folder.
fn read(folder: &TempDir, name: &str, text: &str) -> Result<Vec<Placed<Vision>>, Vec<String>> {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let items = load_any(&path, Overrides::default());
    let here = format!("{}/", folder.path().display());
    items.map(programs).map_err(|error| error.messages().iter().map(|message| message.replace(&here, "")).collect())
}

#[track_caller]
fn problems(folder: &TempDir, text: &str) -> String {
    read(folder, "motion.cain", text).map_or_else(|problems| problems.join("\n"), |_| String::new())
}

const PROGRAM: &str = "pub program p(image) -> (both, first) {
    let both = less(lean(image) > 3, image > 9);
    let first = look(image, at = (40, 50))[0];
}";

/// However they are declared, programs are the same: with everything in one kernel file, or apart from what they call.
#[test]
fn programs_are_the_same_everywhere() {
    let folder = folder();
    fs::write(folder.path().join("scores.npy"), weights()).unwrap();
    let all = format!("program = '''\n{PROGRAM}\n'''\n{FILTERS}{NETWORK}");
    let wanted = read(&folder, "all.toml", &all).unwrap();
    let files = ["filters.toml", "nets/look.toml", "nets/scores.npy"];
    let whole = "use \"filters.toml\";\nuse \"nets/look.toml\";";
    let named = "use less, lean from \"filters.toml\";\nuse look from \"./nets/../nets/look.toml\";";
    for uses in [whole, named] {
        for text in [format!("{uses} {PROGRAM}"), format!("const N = 3; {PROGRAM} {uses} fn unused(x) {{ x }}")] {
            let found = read(&folder, "motion.cain", &text).unwrap();
            assert_eq!(found[0].of.declaration, wanted[0].of.declaration);
            let source = format!("fn f() {{}} mod m {{ cain_runtime::scamp_program! {{ {text} }} }}");
            let blocks::Programs { items, problems, .. } = blocks::programs(&source, folder.path());
            assert_eq!(problems, []);
            let in_source = programs(items);
            assert_eq!(in_source[0].of.declaration, wanted[0].of.declaration);
            if uses == whole {
                assert_eq!(found[0].files, files);
                assert_eq!(in_source[0].files, files);
            }
        }
    }
    // Programs of a kernel file use other ones as well.
    let both = format!("program = '''\nuse \"nets/look.toml\"; {PROGRAM}\n'''\n{FILTERS}");
    let found = read(&folder, "both.toml", &both).unwrap();
    assert_eq!(found[0].of.declaration, wanted[0].of.declaration);
    assert_eq!(found[0].files, files[1..]);
}

/// Paths are relative to the file that has them, even if another one names it.
#[test]
fn paths_are_relative_to_their_file() {
    let folder = folder();
    let text = format!("use \"look.toml\"; use \"../filters.toml\"; {PROGRAM}");
    fs::write(folder.path().join("nets/motion.cain"), text).unwrap();
    let other = "program = 'nets/motion.cain'\n[other]\ninputs = ['A']\noutputs.A.kernel = [[1]]\n";
    let found = read(&folder, "other.toml", other).unwrap();
    let files = ["nets/../filters.toml", "nets/look.toml", "nets/scores.npy", "nets/motion.cain"];
    assert_eq!(found[0].files, files);
}

/// Build scripts run again when one of these changes.
#[test]
#[cfg(feature = "source")]
fn generated_code_tells_its_files() {
    use cain_codegen::generate::{Maker, RuntimePath, source};
    use cain_codegen::{Mode, Plans};

    let folder = folder();
    fs::write(folder.path().join("nets/motion.cain"), format!("use \"look.toml\"; {PROGRAM}")).unwrap();
    fs::write(folder.path().join("motion.cain"), format!("use \"filters.toml\"; use \"nets/look.toml\"; {PROGRAM}"))
        .unwrap();
    fs::write(folder.path().join("all.toml"), format!("program = 'nets/motion.cain'\n{FILTERS}")).unwrap();
    let maker = Maker { name: "test", runtime_option: "" };
    for (file, wanted) in [
        ("filters.toml", &[][..]),
        ("nets/look.toml", &["nets/scores.npy"]),
        ("motion.cain", &["filters.toml", "nets/look.toml", "nets/scores.npy"]),
        ("all.toml", &["nets/look.toml", "nets/motion.cain", "nets/scores.npy"]),
    ] {
        let path = folder.path().join(file);
        let made = source(&path, &RuntimePath::default(), &Plans::new(Mode::Stub, None), maker, |_| {}).unwrap();
        let files: Vec<_> =
            made.files.iter().map(|file| file.strip_prefix(folder.path()).unwrap().to_str().unwrap()).collect();
        assert_eq!(files, wanted, "{file}");
    }
}

/// Programs of what is used are not read: files may use each other, and themselves.
#[test]
fn files_use_each_other() {
    let folder = folder();
    let with = |program: &str| format!("program = '''{program}'''\n{FILTERS}");
    let text = "use \"filters.toml\"; program p(image) -> (r) { let r = lean(image); }";
    let alone = read(&folder, "motion.cain", text).unwrap();
    let named = with("motion.cain");
    for (name, text) in [("filters.toml", &*named), ("motion.cain", text), ("filters.toml", &with(text))] {
        let found = read(&folder, name, text).unwrap();
        assert_eq!(found[0].of.declaration, alone[0].of.declaration, "{name}");
    }
    let wrong = with("use \"filters.toml\"; program q(image) -> (r) { let r = nothing(image); }");
    fs::write(folder.path().join("filters.toml"), wrong).unwrap();
    assert_eq!(read(&folder, "motion.cain", text).unwrap()[0].of.declaration, alone[0].of.declaration);
}

/// Files with mistakes of all kinds.
fn folder_with_mistakes() -> TempDir {
    let folder = folder();
    let network = NETWORK.replace("look", "lean").replace("scores.npy", "nets/scores.npy");
    for (name, text) in [
        ("other.toml", FILTERS.replace("[less]", "[leaner]")),
        ("same.toml", FILTERS.replace("[lean]", "[look]")),
        ("wrong.toml", FILTERS.replace("[3, 2, 0]", "[3, 2]")),
        ("limited.toml", FILTERS.replace("\n[less]", "search.max_words = 9\n[less]")),
        ("none.toml", "[machine]\nregisters = 8\n".to_owned()),
        ("only.toml", "program = 'program q(image) -> (r) { let r = image; }'\n".to_owned()),
        ("twice.toml", format!("{FILTERS}{network}")),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

const WRONG: &[(&str, &str)] = &[
    ("use \"filters.toml\"; use \"filters.toml\"; use lean, lean from \"filters.toml\";", ""),
    ("use \"filters.toml\"; use leaner from \"other.toml\";", ""),
    (
        "/// What is called.\nuse \"limited.toml\";",
        "3:35: filter `lean` has a limit `max_words`, which cannot be kept where it becomes part of a program; declare a filter \
         without it for programs",
    ),
    ("use \"\";", "1:5: expected the path of a kernel file, as in PATH, found `\"\"`"),
    (
        "use \"filter.toml\";",
        "1:5: cannot read `filter.toml`: No such file or directory (os error 2); the path is relative to the file with the \
         programs",
    ),
    (
        "use \"nets\";",
        "1:5: cannot read `nets`: it is not a file but a folder, a pipe or a device; the path is relative to the file with the \
         programs",
    ),
    (
        "use \"motion.cain\";",
        "1:5: `motion.cain` is a file of programs; `use` takes a kernel file, such as `filters.toml`, with filters and networks",
    ),
    ("use \"nets/scores.npy\";", "1:5: nets/scores.npy:1:1: the file is not UTF-8 from here on; save it as UTF-8"),
    ("use \"wrong.toml\";", "1:5: wrong.toml:4:63: row 3 has 2 weights but row 1 has 3; make all rows equally long"),
    (
        "use \"none.toml\";",
        "1:5: none.toml:1:1: the file has no filter; add a table such as `[gauss]` with `inputs` and `outputs`",
    ),
    ("use \"only.toml\";", "1:5: only.toml: the file has no filter and no network"),
    (
        "use \"twice.toml\";",
        "1:5: twice.toml:12:10: network `lean`: a filter, network or automaton of the file has this name; rename one",
    ),
    (
        "use\n  laen, nothing from \"filters.toml\";",
        "2:3: `filters.toml` has no filter or network `laen`; did you mean `lean`?\nmotion.cain:2:9: `filters.toml` has no filter \
         or network `nothing`; it has `lean` and `less`",
    ),
    (
        "use \"filters.toml\"; use \"other.toml\";",
        "1:25: there is a filter `lean` in `filters.toml` as well; name what is to be called, as in `use NAME from \
         \"other.toml\";`, or rename one of them",
    ),
    (
        "use lean from \"filters.toml\"; use look, lean from \"nets/look.toml\";",
        "1:41: `nets/look.toml` has no filter or network `lean`; it has `look`",
    ),
    (
        "use lean from \"filters.toml\"; use \"nets/look.toml\"; use leaner, look from \"same.toml\";",
        "1:57: `same.toml` has no filter or network `leaner`; it has `look` and `less`\nmotion.cain:1:65: there is a network \
         `look` in `nets/look.toml` as well; rename one of them",
    ),
    ("use \"filters.toml\"; fn less(x) { x }", "1:24: there is a filter `less` in `filters.toml`; rename one of them"),
    ("use less from \"filters.toml\";", "2:35: unknown function `lean`"),
    ("pub use \"filters.toml\";", "1:1: functions, constants and `use` have no visibility in programs"),
    (
        "use lean, from \"filters.toml\";",
        "1:16: expected `,`, or `from` and the path of a kernel file, as in PATH, found `\"filters.toml\"`",
    ),
    ("use std::fmt;", "1:8: expected `,`, or `from` and the path of a kernel file, as in PATH, found `:`"),
    ("use crate::lean;", "1:5: expected the path of a kernel file, as in PATH, found `crate`"),
    (
        "use lean, 3 from \"filters.toml\";",
        "1:11: expected the name of a filter or network of the kernel file, found `3`",
    ),
    ("use lean from filters;", "1:15: expected the path of a kernel file, as in PATH, found `filters`"),
    ("use b\"filters.toml\";", "1:5: expected the path of a kernel file, as in PATH, found `b\"filters.toml\"`"),
    ("use \"filters.toml\"", "2:1: expected `;` after the path, found `program`"),
];

#[test]
fn mistakes_in_uses() {
    let folder = folder_with_mistakes();
    let path = "`use \"filters.toml\";` or `use gauss, sobel from \"filters.toml\";`";
    for (uses, wanted) in WRONG {
        let found = problems(&folder, &format!("{uses}\nprogram p(image) -> (r) {{ let r = lean(image); }}"));
        let wanted = wanted.replace("PATH", path);
        let wanted = if wanted.is_empty() { wanted } else { format!("motion.cain:{wanted}") };
        assert_eq!(found, wanted, "{uses}");
    }
    // What could be wrong because of a file that cannot be read is not told; everything else is.
    let text = "use \"none.toml\";\nprogram p(image) -> (r) { let r = lean(imag); }";
    let found = problems(&folder, text);
    assert!(found.contains("2:40: unknown name `imag`") && !found.contains("unknown function"), "{found}");
}

/// The place of a mistake in a program of a kernel file, and in a file that it names.
#[test]
fn mistakes_are_told_in_the_file_that_uses() {
    let folder = folder();
    fs::write(folder.path().join("other.toml"), FILTERS).unwrap();
    let text = "use \"other.toml\";\n  use \"none.toml\";\nprogram p(image) -> (r) { let r = lean(image); }";
    let inline = read(&folder, "all.toml", &format!("program = '''\n{text}'''\n{FILTERS}")).unwrap_err();
    let beside =
        "all.toml:2:5: there is a filter `lean` beside the programs as well, and so it is with 1 more; name what";
    assert!(inline[0].starts_with(beside), "{inline:?}");
    assert!(inline[1].starts_with("all.toml:3:7: cannot read `none.toml`: "), "{inline:?}");
    fs::write(folder.path().join("nets/motion.cain"), text).unwrap();
    let named = read(&folder, "another.toml", "program = 'nets/motion.cain'").unwrap_err();
    let missing = "another.toml:1:11: nets/motion.cain:1:5: cannot read `nets/other.toml`: ";
    assert!(named[0].starts_with(missing), "{named:?}");
}

/// Nothing that is used takes long to read.
#[test]
fn limits() {
    let folder = folder();
    let body = "program p(image) -> (r) { let r = lean(image); }";
    let file = fs::File::create(folder.path().join("giant.toml")).unwrap();
    file.set_len(kernel_file::MAX_BYTES << 20).unwrap();
    let found = problems(&folder, &format!("use \"giant.toml\"; {body}"));
    assert_eq!(found, "motion.cain:1:5: giant.toml: the file is larger than 1048576 bytes; split it");
    #[cfg(unix)]
    {
        let found = problems(&folder, &format!("use \"/dev/zero\"; {body}"));
        assert!(found.contains(": it is not a file but a folder, a pipe or a device"), "{found}");
    }
    let many = "use \"filters.toml\"; ".repeat(64);
    assert_eq!(problems(&folder, &format!("{many}{body}")), "");
    let limit = "programs use at most 64 kernel files, and 256 names of them; put what they call into one";
    assert_eq!(
        problems(&folder, &format!("{many}\nuse \"filters.toml\"; {body}")),
        format!("motion.cain:2:5: {limit}")
    );
    let names = "lean, ".repeat(255);
    assert_eq!(problems(&folder, &format!("use {names} lean from \"filters.toml\"; {body}")), "");
    let found = problems(&folder, &format!("use {names} lean, lean from\n \"filters.toml\"; {body}"));
    assert_eq!(found, format!("motion.cain:2:2: {limit}"));
    let mut filters = String::new();
    for number in 0..20 {
        write!(filters, "[f{number}]\ninputs = ['A']\noutputs.A.kernel = [[1]]\n").unwrap();
    }
    fs::write(folder.path().join("many.toml"), &filters).unwrap();
    let found = problems(&folder, &format!("use nothing from \"many.toml\"; {body}"));
    let known = "; it has `f0`, `f1`, `f2`, `f3`, `f4`, `f5`, `f6`, `f7`, `f8`, `f9`, `f10`, `f11` and 8 more";
    assert!(found.ends_with(known), "{found}");
}
