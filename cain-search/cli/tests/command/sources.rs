//! Every command takes Rust sources, kernel files, plan files, folders and the standard input.

use std::io::Write as _;
use std::process::Stdio;

use crate::{Folder, Run};

const LIBRARY: &str = "\
cain_runtime::scamp_kernels! {
    /// Twice as bright to the east.
    #[search(max_gain = any)]
    pub fn bright(A) -> B using (C) = [[0, 0, 2]];
    pub fn mean(A, B) -> B = 1/2 * [[1]] * A + 1/2 * [[1]] * B;
}
mod from_a_file {
    cain_runtime::scamp_kernels!(file = \"../kernels.toml\");
}
";

const EAST: &str = "[east]\ninputs = [\"A\"]\noutputs.A = { kernel = [[0, 0, 1]] }\n";

/// A package whose library declares two filters and names a kernel file with a third.
fn package() -> Folder {
    let folder = Folder::new(EAST);
    folder.write("Cargo.toml", "[package]\nname = \"user\"\n");
    folder.write("src/lib.rs", LIBRARY);
    folder
}

impl Folder {
    /// Runs `cain` with that standard input.
    pub(crate) fn cain_reads(&self, args: &[&str], input: &str) -> Run {
        let mut command = self.command(args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap().into()
    }
}

/// The first column of a table, without its head.
fn first_column(table: &str) -> Vec<&str> {
    table.lines().skip(2).filter_map(|line| line.split_whitespace().next()).collect()
}

#[test]
fn rust_sources() {
    let folder = package();
    for path in ["src/lib.rs", "src", "."] {
        assert_eq!(first_column(&folder.cain(&["compile", path]).good()), ["bright", "mean", "east"], "{path}");
    }
    assert_eq!(first_column(&folder.cain(&["compile", "src", "mean"]).good()), ["mean"]);
    assert!(
        folder.cain(&["show", "src/lib.rs", "bright"]).good().starts_with("bright\n  Twice as bright to the east.\n")
    );
    assert!(first_column(&folder.cain(&["bench", "src"]).good()).starts_with(&["bright", "mean", "east"]));
    let code = folder.cain(&["generate", "src/lib.rs"]).good();
    for part in ["/// Twice as bright to the east.\n", "pub fn bright<", "pub fn mean<", "pub fn east<"] {
        assert!(code.contains(part), "{code}");
    }
    let unknown = folder.cain(&["compile", "src/lib.rs", "brigt"]);
    assert_eq!(unknown.bad(), ["src/lib.rs: unknown filter `brigt`; did you mean `bright`?"]);
}

/// `show` and `run` use the program of a build, not the one for the larger budget of `compile`.
#[test]
fn programs_of_builds() {
    let folder = package();
    folder.write("src/lib.rs", &LIBRARY.replace("max_gain = any", "max_gain = any, nodes = 3"));
    let shown = || folder.cain(&["show", "src/lib.rs", "bright"]).good();
    assert!(shown().contains("found now, in 3 search nodes"), "{}", shown());
    folder.cain(&["pin", "--nodes", "200"]).good();
    assert!(shown().contains("from the plan plans/bright.scamp"), "{}", shown());
    let searched = folder.cain(&["show", "src/lib.rs", "bright", "--nodes", "5"]).good();
    assert!(searched.contains("found now, in "), "{searched}");
}

#[test]
fn plan_files() {
    let folder = package();
    folder.cain(&["pin", "src", "--nodes", "200"]).good();
    let plan = folder.read("plans/bright.scamp");
    let listing = plan.split_once("\n\n").unwrap().1;
    assert_eq!(first_column(&folder.cain(&["compile", "plans/bright.scamp"]).good()), ["bright"]);
    let code = folder.cain(&["generate", "plans/bright.scamp"]).good();
    assert!(listing.lines().all(|line| code.contains(&format!("\n/// {line}\n"))), "{code}");
    // The plan itself is accepted, wherever it is.
    folder.write("elsewhere.scamp", &plan);
    let shown = folder.cain(&["show", "elsewhere.scamp", "--format", "scamp5"]).good();
    assert!(listing.lines().all(|line| shown.contains(line)), "{shown}");

    folder.write("elsewhere.scamp", &plan.replace("B = [0 0 2]", "B = [0 0 4]"));
    let wrong = folder.cain(&["show", "elsewhere.scamp"]);
    assert!(wrong.bad()[0].starts_with("elsewhere.scamp:"), "{}", wrong.stderr);
    folder.write("elsewhere.scamp", "mov(A,B);\n");
    let foreign = folder.cain(&["show", "elsewhere.scamp"]);
    assert_eq!(foreign.bad(), ["elsewhere.scamp:1:1: this is no plan that `cain pin` has written"]);
}

#[test]
fn the_standard_input() {
    let folder = package();
    folder.cain(&["pin", "src", "--nodes", "200"]).good();
    let block = LIBRARY.split_once("mod ").unwrap().0;
    for (text, names) in
        [(EAST, vec!["east"]), (block, vec!["bright", "mean"]), (&folder.read("plans/mean.scamp"), vec!["mean"])]
    {
        assert_eq!(first_column(&folder.cain_reads(&["compile", "-"], text).good()), names);
        let shown = folder.cain_reads(&["show", "-", names[0]], text).good();
        // The plans are those of the package to which the current folder belongs.
        assert!(shown.starts_with(names[0]) && !shown.contains("found now"), "{shown}");
        assert!(folder.cain_reads(&["generate", "-"], text).good().contains(&format!("pub fn {}<", names[0])));
    }
    let wrong = folder.cain_reads(&["compile", "-"], &EAST.replace("inputs", "input"));
    assert!(wrong.bad().contains(&"-:2:1: `east`: unknown key `input`; did you mean `inputs`?"), "{}", wrong.stderr);
    let wrong = folder.cain_reads(&["compile", "-"], "{ \"filter\": {} }");
    assert!(wrong.bad()[0].contains("`cain import`"), "{}", wrong.stderr);
}

#[test]
fn runs_of_filters() {
    let folder = package();
    folder.cain(&["pin", "src", "--nodes", "200"]).good();
    let run = |args: &[&str]| folder.cain(&[&["run", "--size", "8", "-o", "planes"], args].concat());
    let planes = |args| {
        let table = run(args).good();
        first_column(table.split_once("\n\n").unwrap().0).join(" ")
    };
    assert!(planes(&["src/lib.rs", "bright"]).starts_with("A B"));
    assert_eq!(planes(&["src/lib.rs", "mean"]), planes(&["plans/mean.scamp"]));
    assert_eq!(planes(&["kernels.toml"]), "A");
    let program = folder.cain(&["show", "src", "mean", "--format", "scamp5"]).good();
    let args = ["run", "-", "--size", "8", "--input", "A"];
    // The other input of a program without a declaration has no image.
    assert!(folder.cain_reads(&args, &program).bad()[0].starts_with("-:"));
    folder.cain_reads(&["run", "-", "--size", "8"], EAST).good();

    for (args, problem) in [
        (vec!["src/lib.rs"], "src/lib.rs: a run is of one filter; name one of `bright`, `mean`, `east`"),
        (vec!["src/lib.rs", "men"], "src/lib.rs: unknown filter `men`; did you mean `mean`?"),
        (
            vec!["kernels.toml", "--registers", "18"],
            "kernels.toml: the filter says for which machine it is; leave out `--registers`",
        ),
    ] {
        assert_eq!(run(&args).bad(), [problem]);
    }
    folder.write("program.txt", "mov(B,A);");
    assert_eq!(
        run(&["program.txt", "mean"]).bad(),
        ["program.txt: this is a program without filters; leave out `mean`"]
    );
}

/// A file contains filters of all kinds, and a network whose weights are missing.
#[test]
fn only_the_filter_that_is_asked_for_matters() {
    let blur = "[blur]\ninputs = [\"A\"]\nscratch = []\noutputs.A = { kernel = [[0, 0, 1]] }\n";
    let others = "[both]\ninputs = [\"a\", \"b\"]\noutputs.c = \"a & b\"\nbits = 1\nsearch.isa = \"digital\"\n\
                  [network.net]\ninput = { size = 4, levels = \"-60..60\" }\n\
                  [[network.net.layer]]\nname = \"w\"\nop = \"dense\"\nweights = \"missing.npy\"\n";
    let folder = Folder::new(format!("{others}{blur}"));
    let run = |args: &[&str]| folder.cain(&[&["run"], args, &["--size", "8"]].concat());
    for args in [&["kernels.toml", "blur"][..], &["kernels.toml"]] {
        assert!(run(args).good().contains("control words"), "{args:?}");
    }
    let refused = "kernels.toml:1:2: filter `both`: expected a filter on analogue registers, which digital filters are \
                   not; `cain compile` and `cain show` take all of them";
    assert_eq!(run(&["kernels.toml", "both"]).bad(), [refused]);
    assert_eq!(folder.cain(&["bench", "kernels.toml"]).bad(), [refused]);
    folder.write("kernels.toml", others);
    assert_eq!(run(&["kernels.toml"]).bad(), [refused]);
    folder.write(
        "src/lib.rs",
        "scamp_kernels! { #[search(isa = digital, bits = 1)] fn both(a, b) -> c = a & b; fn blur(A) -> A using () = [[0, 0, 1]]; }",
    );
    assert!(run(&["src/lib.rs"]).good().contains("control words"));
}

#[test]
fn one_function_for_each_name() {
    let folder = package();
    folder.write(
        "src/twice.rs",
        "mod a { scamp_kernels! { fn f(A) -> B = [[1]]; } }\nmod b { scamp_kernels! { fn f(A) -> B = [[2]]; } }",
    );
    let twice = folder.cain(&["generate", "src/twice.rs"]);
    assert_eq!(twice.bad().last(), Some(&"src/twice.rs:2:29: filter `f`: another filter has this name; rename one"));
    folder.write("src/none.rs", "fn main() {}");
    assert_eq!(
        folder.cain(&["compile", "src/none.rs"]).bad(),
        ["src/none.rs: no filters found; name a source, a kernel file, or a folder with them"]
    );
    // Kernel files of a folder are those that its sources name.
    folder.write("only/kernels.toml", "[f]\ninputs = ['A']\noutputs.B.kernel = [[1]]\n");
    assert_eq!(
        folder.cain(&["compile", "only"]).bad(),
        [
            "only: no filters found in the Rust sources of this folder and the kernel files that they name; name another kernel \
          file, or a plan file, itself"
        ]
    );
}
