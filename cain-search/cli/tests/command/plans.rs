//! Tests of commands that use plans written by `cain pin`.

use crate::{Folder, Run};

const EAST: &str = "[east]\ninputs = [\"A\"]\nscratch = []\noutputs.A.kernel = [[0, 0, 1]]\n\
                    search = { isa = \"macro\", offset = \"any\", max_gain = \"any\" }\n";

/// A program that is longer than necessary, so that no search would find it.
const DETOUR: &str = "\
# cain plan v2
declaration: east(A) -> (A) using () { A = [0 0 1] * A; }
isa: macro
objective: macros
cost: macros=3 icws=6 peak_gain=1
search: version=1 budget=9 nodes=9 first=0 best=0 stop=nodes
proved: instructions>=1

movx(A,A,west);
movx(A,A,east);
movx(A,A,east);
";

#[test]
fn generated_code_comes_from_plans() {
    let folder = Folder::new(EAST);
    let write = ["generate", "kernels.toml", "-o", "kernels.rs"];
    folder.write("plans/east.scamp", DETOUR);
    assert_eq!(folder.cain(&write).good(), "kernels.rs: written\n");
    let code = folder.read("kernels.rs");
    assert_eq!(code.matches("movx(A, A, EAST),\n").count(), 2, "{code}");
    assert!(!folder.cain(&["generate", "kernels.toml", "--plans", "others"]).good().contains("movx(A, A, WEST)"));
    folder.write("plans/east.scamp", &DETOUR.replace("[0 0 1]", "[0 1 0]"));
    let stale = folder.cain(&write);
    let start = "kernels.toml:1:2: filter `east`: plans/east.scamp:2:47: the plan is for another filter";
    assert!(matches!(stale.bad()[..], [line] if line.starts_with(start)), "{}", stale.stderr);
    assert_eq!(folder.read("kernels.rs"), code);
}

/// The variable means the same as in a build, except that stubs are refused.
#[test]
fn generated_code_obeys_the_variable() {
    let folder = Folder::new(EAST);
    let generate = |mode: &str| -> Run {
        let mut command = folder.command(&["generate", "kernels.toml", "-o", "kernels.rs"]);
        command.env("CAIN_PLANS", mode).output().unwrap().into()
    };
    assert_eq!(
        generate("locked").bad(),
        [
            "kernels.toml:1:2: filter `east`: plans/east.scamp: the filter has no plan, and with `CAIN_PLANS=locked` none is \
          searched for; run `cain pin`"
        ]
    );
    assert_eq!(
        generate("stub").bad(),
        ["with `CAIN_PLANS=stub` there are no programs to generate; expected `auto` or `locked`"]
    );
    assert!(generate("lock").bad()[0].starts_with("unknown value of the environment variable `CAIN_PLANS`: `lock`"));
    assert!(!folder.path("kernels.rs").exists());
    assert_eq!(generate("auto").good(), "kernels.rs: written\n");
    folder.write("plans/east.scamp", DETOUR);
    assert_eq!(generate("locked").good(), "kernels.rs: written\n");
}

#[test]
fn programs_are_shown_from_plans() {
    let folder = Folder::new(EAST);
    folder.write("plans/east.scamp", DETOUR);
    let show = ["show", "kernels.toml", "--format", "scamp5"];
    let shown = folder.cain(&show).good();
    assert!(shown.contains("\n// from the plan plans/east.scamp\n") && shown.matches("movx").count() == 3, "{shown}");
    for other in [["--nodes", "100"], ["--plans", "others"]] {
        let shown = folder.cain(&[&show[..], &other].concat()).good();
        assert!(shown.contains("\n// found now, in ") && shown.matches("movx").count() == 1, "{shown}");
    }
    for format in ["text", "svg", "html"] {
        let shown = folder.cain(&["show", "kernels.toml", "--format", format]).good();
        assert!(shown.contains("from the plan plans/east.scamp"), "{format}: {shown}");
    }
    folder.write("plans/east.scamp", &DETOUR.replace("[0 0 1]", "[0 1 0]"));
    let stale = folder.cain(&show);
    let start = "kernels.toml:1:2: filter `east`: its plan is not used: plans/east.scamp:2:47: ";
    assert!(stale.stderr.starts_with(start), "{}", stale.stderr);
    assert!(stale.succeeded && stale.stdout.matches("movx").count() == 1, "{}", stale.stdout);
}

/// No other check notices plans of the project that could be better or are no longer used.
#[test]
fn the_plans_of_the_project_are_up_to_date() {
    let workspace = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut check = Folder::new("").command(&["pin", "--check", "tests/tests/plans.rs"]);
    let run: Run = check.current_dir(workspace).output().unwrap().into();
    assert!(run.succeeded, "{}{}", run.stdout, run.stderr);
}
