//! Plan files are read as they were written, and mistakes in them are found.

use std::fs;
use std::path::Path;

use cain_isa::{Instruction, Macro, Op, Operand, OperandKind, Reg, Stop};
use cain_search::{Solution, search};
use proptest::prelude::*;

use super::{Course, Fault, Finding, How, Identity, MAX_BYTES, PlanError, PlanFile, PlanFolder};
use crate::errors::Errors;
use crate::kinds::{self, Kernel, Kind as _, Tree};
use crate::surroundings::Surroundings;
use crate::syntax::{self, Content};

/// The filters of a block of the macro.
fn kernels(text: &str) -> Vec<Kernel> {
    let mut errors = Errors::default();
    let input = format!("[cain_runtime] {text}").parse().unwrap();
    let block = syntax::parse(input, &Surroundings::unknown());
    let Content::Filters { machine, items, .. } = block.content else { panic!("no kernels in {text}") };
    let kernels = items.into_iter().map(|item| {
        let syntax::FilterItem { header, body, .. } = item.unwrap();
        let read = kinds::of_tree(Tree { header, body, doc: None, machine }, &mut errors).unwrap();
        read.item.kernel().unwrap_or_else(|| panic!("{text} is no kernel")).of.clone()
    });
    kernels.collect()
}

fn kernel(text: &str) -> Kernel {
    kernels(text).remove(0)
}

fn found(kernel: &Kernel) -> Solution {
    search(&kernel.declaration).unwrap()
}

const MEAN: &str =
    "#[search(isa = macro, offset = any, max_gain = 2)] fn mean(&A) -> B using (C, D) = 1/2 * [[0, 1, 1]];";

/// A right plan of [`MEAN`].
const PLAN: &str = "\
# cain plan v2, written by `cain pin`: change the declaration, not this file
declaration: mean(&A) -> (B) using (C, D) { B = 1/2 [0 1 1] * A; }
isa: macro
objective: macros
max_gain: 2
cost: macros=3 icws=6 peak_gain=1
search: version=1 budget=2000 nodes=15 first=1 best=4 stop=exhausted
proved: instructions>=2

divq(C,A);
movx(B,C,east);
add(B,B,C);
";

/// Loads a file of these contents for a filter.
fn load(contents: impl AsRef<[u8]>, kernel: &Kernel) -> Result<PlanFile, PlanError> {
    let folder = tempfile::tempdir().unwrap();
    let plans = PlanFolder::new(folder.path(), "plans");
    fs::write(plans.file(kernel.name()), contents).unwrap();
    kernel.load(&plans)?;
    Ok(plans.read(kernel.name())?.unwrap())
}

/// The message about a file of these contents.
#[track_caller]
fn error(contents: impl AsRef<[u8]>) -> String {
    load(contents, &kernel(MEAN)).unwrap_err().to_string()
}

/// Whether the program of a wrong file is taken instead of a longer one.
fn is_saved(contents: &str) -> bool {
    let mean = kernel(MEAN);
    let error = load(contents, &mean).unwrap_err();
    let plan = PlanFile::parse(contents).ok().filter(|_| error.is_replaceable());
    let longer = PLAN.replace("divq(C,A);", "divq(C,A);\nmov(D,C);").replace("macros=3 icws=6", "macros=4 icws=8");
    let longer = mean.verify(&PlanFile::parse(&longer).unwrap()).unwrap();
    let right = mean.verify(&PlanFile::parse(PLAN).unwrap()).unwrap();
    let kept = plan.map_or(longer.clone(), |plan| mean.rescue(&plan, longer.clone()));
    assert!([&right, &longer].iter().any(|program| program.program == kept.program));
    kept.program == right.program
}

/// Expects the message about [`PLAN`] with something in it replaced.
#[track_caller]
fn expect(old: &str, new: &str, message: &str) {
    assert_eq!(PLAN.matches(old).count(), 1, "{old}");
    assert_eq!(error(PLAN.replace(old, new)), message);
}

#[test]
fn a_right_plan_is_used() {
    let mean = kernel(MEAN);
    let file = load(PLAN, &mean).unwrap();
    assert_eq!(file.to_string(), PLAN);
    assert_eq!(load(PLAN.replace('\n', "\r\n"), &mean).unwrap(), file);
    assert_eq!(load(format!("\u{feff}{PLAN}"), &mean).unwrap(), file);
    // The budget is not part of the question, nor is the program required to be short.
    let richer = kernel(&MEAN.replace("max_gain = 2", "max_gain = 2, nodes = 7, memory = 8"));
    assert_eq!(load(PLAN, &richer).unwrap(), file);
}

#[test]
fn what_a_search_finds_reads_back() {
    for kernels in [
        MEAN,
        "fn gauss(A) -> A = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1]];",
        "#[search(isa = macro)] fn gauss(A) -> A = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1]];",
        "#[search(input = 0..127)] fn slope(&A) -> B using (C, D) = [[1, 0, -1]];",
        "#[search(objective = accuracy, accuracy = 99/2, isa = basic)] fn many(&A, B) -> (B, C) { B = [[1, 0, -1]] * A; C = [[1]] * B; }",
        "fn nothing(A) -> A = [[1]];",
        "#[search(isa = native, offset = any)] fn slope(&A) -> B using (C, D) = [[1, 0, -1]];",
    ] {
        let kernel = kernel(kernels);
        let solution = found(&kernel);
        let file = Kernel::plan_file(&solution);
        let read = load(file.to_string(), &kernel).unwrap();
        assert_eq!(read.to_string(), file.to_string());
        assert_eq!(kernel.verify(&read).unwrap(), solution);
    }
}

/// A plan file says all about its filter.
#[test]
#[cfg(feature = "blocks")]
fn plans_on_their_own() {
    for kernels in [
        MEAN,
        "fn gauss(A) -> A = 1/16 * [[1, 2, 1], [2, 4, 2], [1, 2, 1]];",
        "#[search(input = -3..127)] fn slope(&A) -> B using (C, D) = [[1, 0, -1]];",
        "#[search(objective = accuracy, accuracy = 99/2, isa = basic)] fn many(&A, B) -> (B, C) \
         { B = 1/4 * [[1, 0, -1]] * A - [[1]] * B; C = [[1], [0], [2]] * B; }",
        "#[search(offset = any)] fn zero(&A) -> (B, C) using () { B = [[0]]; C = [[1]]; }",
        "#[search(isa = macro, offset = cancelled)] #[approximate(error = 1/8, search)] fn near(A) -> A = [[1/3, 1/2, 1/3]];",
        "#![machine(registers = [A, B, C, R7], instructions = basic, errors(gain = 0.995, offset = [20, 21.5, 22]))]
         #[search(isa = macro)] fn far(A) -> R7 using (B) = [[1, 0, 0]];",
    ] {
        let kernel = kernel(kernels);
        let text = Kernel::plan_file(&found(&kernel)).to_string();
        let filter =
            super::read(&text, Path::new("far")).unwrap().unwrap_or_else(|problem| panic!("{text}\n{problem}"));
        assert_eq!(filter.identity(), kernel.identity());
        let (read, _) = filter.of.pinned.unwrap();
        assert_eq!(Kernel::plan_file(&read).to_string(), text);
    }
    assert!(super::read("[gauss]", Path::new("far")).is_none());
    let problem =
        |old: &str, new: &str| super::read(&PLAN.replace(old, new), Path::new("far")).unwrap().unwrap_err().to_string();
    let foreign = "2:1: the plan is not one that `cain pin` has written; run `cain pin` to write it anew";
    assert_eq!(problem("B = 1/2", "B = 1/2 "), foreign);
    assert_eq!(problem("(B)", "(Z)"), foreign);
    assert_eq!(problem("declaration: ", "declared: "), foreign);
    assert!(problem("divq(C,A);", "divq(C,B);").starts_with("10:1: "));
    assert!(problem("plan v2", "plan v3").contains("the plan has format 3"));
}

/// Where filters share a name, each has a file of its own, and that of the name alone may be for another one.
#[test]
fn namesakes() {
    let folder = tempfile::tempdir().unwrap();
    let plans = PlanFolder::new(folder.path(), "plans");
    let mean = kernel(MEAN);
    // The name is in users' repositories and must never change.
    let own = mean.own_name();
    assert_eq!(own, "mean.a2c5d5ea");
    assert_eq!(own, kernel(&MEAN.replace("max_gain = 2", "max_gain = 2, nodes = 7")).own_name());
    assert_ne!(own, kernel(&MEAN.replace("[[0, 1, 1]]", "[[1, 1, 0]]")).own_name());
    fs::write(plans.file("mean"), PLAN.replace("[0 1 1]", "[1 1 0]")).unwrap();
    assert!(mean.load(&plans).is_err());
    // A plan of a network is none of a filter, whatever it says.
    fs::write(plans.file("mean"), PLAN.replacen("declaration: ", "network: ", 1)).unwrap();
    assert!(mean.load(&plans).unwrap().is_none());
    fs::write(plans.file(&own), PLAN).unwrap();
    let (_, file) = mean.load(&plans).unwrap().unwrap();
    assert_eq!(file, plans.plan(&own));
    fs::write(plans.file("mean"), PLAN).unwrap();
    fs::remove_file(plans.file(&own)).unwrap();
    let (_, file) = mean.load(&plans).unwrap().unwrap();
    assert_eq!(file.shown, Path::new("plans/mean.scamp"));
}

#[test]
fn no_file_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let plans = PlanFolder::new(folder.path().join("plans"), "plans");
    assert!(kernel(MEAN).load(&plans).unwrap().is_none());
}

#[test]
fn plans_for_something_else() {
    expect(
        "[0 1 1]",
        "[0 1 2]",
        "plans/mean.scamp:2:58: the plan is for another filter or other options: `… = 1/2 [0 1 2] * A; }` instead of \
         `… = 1/2 [0 1 1] * A; }`; run `cain pin` to search for the new one",
    );
    expect(
        "isa: macro",
        "isa: basic",
        "plans/mean.scamp:3:6: the plan is for another filter or other options: `isa: basic` instead of `isa: macro`; run \
         `cain pin` to search for the new one",
    );
    expect(
        "max_gain: 2\n",
        "",
        "plans/mean.scamp:5:1: the plan is for another filter or other options: nothing instead of `max_gain: 2`; run \
         `cain pin` to search for the new one",
    );
    // What was wanted stands before what was found.
    let late = PLAN.replace("max_gain: 2\n", "").replace("peak_gain=1\n", "peak_gain=1\nmax_gain: 2\n");
    let order =
        "plans/mean.scamp:6:1: expected an empty line before the program; run `cain pin` to write the plan anew";
    assert_eq!(error(late), order);
}

/// Options that most filters do not set have no line.
#[test]
fn what_has_a_line() {
    let lines = |options: &str| {
        let mean = kernel(&format!("#[search({options})] fn mean(&A) -> B = 1/2 * [[0, 1, 1]];"));
        mean.identity().to_string().lines().skip(1).collect::<Vec<_>>().join(", ")
    };
    for (options, expected) in [
        ("", "isa: native, objective: icws, max_gain: own"),
        ("max_gain = any", "isa: native, objective: icws"),
        ("max_gain = any, offset = any", "isa: native, objective: icws, offset: any"),
        ("isa = macro, max_gain = any, offset = any", "isa: macro, objective: macros"),
        ("isa = macro, max_gain = 3/2", "isa: macro, objective: macros, max_gain: 3/2, offset: cancelled"),
        ("input = -128..=127, max_gain = any", "isa: native, objective: icws"),
        ("input = 0..127, max_gain = any", "isa: native, objective: icws, input: 0..127"),
    ] {
        assert_eq!(lines(options), expected, "{options}");
    }
}

/// What a chip errs by decides which program is best.
#[test]
fn errors_other_than_the_published_ones_have_a_line() {
    let identity = |machine: &str| {
        let mean = kernel(&format!("{machine} #[search(isa = macro)] fn mean(&A) -> B = 1/2 * [[0, 1, 1]];"));
        mean.identity().to_string()
    };
    assert!(!identity("#![machine(registers = 6)]").contains("errors: "));
    let errors = "\nerrors: gain=0.995 offset=20,21.5,22 mismatch=";
    assert!(identity("#![machine(errors(gain = 0.995, offset = [20, 21.5, 22]))]").contains(errors));
}

/// A native program has no macro instructions that could be few.
#[test]
fn native_programs_have_one_identity_for_both_counts() {
    let kernel = |objective: &str| {
        kernel(&format!("#[search(isa = native, objective = {objective})] fn mean(&A) -> B = 1/2 * [[0, 1, 1]];"))
    };
    assert_eq!(kernel("macros").identity(), kernel("icws").identity());
    assert_ne!(kernel("macros").identity(), kernel("accuracy").identity());
}

/// Neither set contains the other one, although every macro instruction consists of control words.
#[test]
fn native_programs_have_no_macro_instructions() {
    let slope = kernel("#[search(max_gain = any)] fn mean(&A) -> B using (C, D) = 1/2 * [[0, 1, 1]];");
    let plan = PLAN.replace("isa: macro\nobjective: macros\nmax_gain: 2\n", "isa: native\nobjective: icws\n");
    assert_eq!(
        load(plan, &slope).unwrap_err().to_string(),
        "plans/mean.scamp:9:1: `divq(C,A);` is not in the filter's instruction set; run `cain pin` to write the plan anew"
    );
}

#[test]
fn programs_that_do_something_else() {
    expect(
        "east",
        "west",
        "plans/mean.scamp:10:1: the program does not compute the filter: register `B` weighs input 0 at (-1, 0) with 1/2 \
         instead of 0; run `cain pin` to write the plan anew",
    );
    expect(
        "movx(B,C,east)",
        "movx(A,C,east)",
        "plans/mean.scamp:12:1: register `B` is read before anything is written to it; run `cain pin` to write the plan \
         anew",
    );
    expect(
        "divq(C,A);",
        "divq(C,A);\nmov(F,C);",
        "plans/mean.scamp:11:1: the program overwrites `F`, which the filter does not allow; run `cain pin` to write the \
         plan anew",
    );
    expect(
        "divq(C,A);",
        "mov(D,A);\nadd(D,A,D);\nadd(D,A,D);\ndivq(C,A);",
        "plans/mean.scamp:10:1: a value of the program has a gain of 3, but at most 2 is allowed; run `cain pin` to write \
         the plan anew",
    );
    expect(
        "divq(C,A);",
        "bus2(C,NEWS,A);",
        "plans/mean.scamp:10:1: `bus2(C,NEWS,A);` is not in the filter's instruction set; run `cain pin` to write the \
         plan anew",
    );
}

/// Few instructions, but values that grow with each: replaying them to the end would take minutes.
#[test]
fn values_that_grow_without_need() {
    let steps = "movx(D,C,east);\nadd(C,C,D);\nmovx(D,C,north);\nadd(C,C,D);\n".repeat(90);
    let growing = PLAN.replace("divq(C,A);", &format!("mov(C,A);\n{}", steps.trim_end()));
    let message = error(&growing);
    let (place, message) = message.split_once(": ").unwrap();
    assert_eq!(
        message,
        "the program goes on after it has read 66112 weights of its values, more than the filter can need; run `cain pin` \
         to write the plan anew"
    );
    assert!(place.starts_with("plans/mean.scamp:"), "{place}");
}

/// Each instruction is right, but replaying all of them would take minutes.
#[test]
fn programs_that_never_end() {
    let endless = PLAN.replace("divq(C,A);", "movx(C,C,east);\nadd(B,B,C);\n".repeat(30_000).trim_end());
    assert_eq!(
        error(&endless),
        "plans/mean.scamp:394:1: the program has more than 384 instructions, more than the filter can need; run `cain \
         pin` to write the plan anew"
    );
    assert!(!is_saved(&endless));
}

/// A file for other options, or with a wrong claim, may have a right program all the same.
#[test]
fn right_programs_in_wrong_files() {
    let objective = ("objective: macros", "objective: icws");
    for (old, new) in [objective, ("icws=6", "icws=7"), ("instructions>=2", "instructions>=4")] {
        assert!(is_saved(&PLAN.replace(old, new)), "{new}");
    }
    for (old, new) in [("east", "west"), ("v2", "v3")] {
        let wrong = PLAN.replace(old, new);
        assert!(!is_saved(&wrong.replace(objective.0, objective.1)), "{new}");
        assert!(!is_saved(&wrong), "{new}");
    }
}

#[test]
fn claims_that_the_program_does_not_bear_out() {
    expect(
        "icws=6",
        "icws=7",
        "plans/mean.scamp:6:1: these are not the costs of the program, which has macros=3 icws=6 peak_gain=1; run `cain \
         pin` to write the plan anew",
    );
    expect(
        "instructions>=2",
        "instructions>=4",
        "plans/mean.scamp:8:1: the program has 3 instructions, fewer than any could have; run `cain pin` to write the \
         plan anew",
    );
    expect(
        "stop=exhausted",
        "stop=proved",
        "plans/mean.scamp:8:1: the program has 3 instructions and is not proved shortest by that; run `cain pin` to write \
         the plan anew",
    );
}

#[test]
fn lines_that_cannot_be_read() {
    const ANEW: &str = "; run `cain pin` to write the plan anew";
    for (old, new, message) in [
        ("# cain", "<<<<<<< HEAD\n# cain", "1:1: this is no plan: expected `# cain plan v2`"),
        ("v2", "v0", "1:14: this is no plan: expected `# cain plan v2`"),
        ("v2", "v1", "1:14: the plan has format 1, but this version of Cain reads only 2"),
        ("v2", "v99999999999", "1:14: this is no plan: expected `# cain plan v2`"),
        ("isa: macro", "", "3:1: expected `declaration: ..`, options of the search, or `cost: ..`"),
        ("macros=3", "macros=-3", "6:1: these are not the costs of the program, which has macros=3 icws=6 peak_gain=1"),
        ("cost: macros=3 icws=6 peak_gain=1\n", "", "6:1: expected `cost: macros=3 icws=6 peak_gain=1`"),
        ("budget=2000 ", "", "7:19: expected `search: version=.. budget=.. nodes=.. first=.. best=.. stop=..`"),
        ("nodes=15", "nodes=-15", "7:37: expected a number, found \"-15\""),
        (" first=1", "", "7:1: expected `search: version=.. budget=.. nodes=.. first=.. best=.. stop=..`"),
        ("proved: instructions>=2\n", "", "8:1: expected `proved: instructions>=..`"),
        ("proved: i", "search: i", "8:1: expected an empty line before the program"),
        ("proved", "searches: 3\nproved", "9:1: expected an empty line before the next search"),
        ("proved", "searches: many\nproved", "8:11: expected a number, found \"many\""),
        ("proved", "program: none\nproved", "9:1: expected the end of the file"),
        ("proved", "program: some\nproved", "8:1: expected `program: none`"),
        ("\n\n", "\ninputs: R1\n\n// setup\n", "9:1: expected an empty line before the program"),
        ("\n\n", "\n\n// setup\n", "10:1: expected an instruction such as `movx(B,A,east);`"),
        ("\n\n", "\ninputs: A\n\n", "9:1: expected `inputs: ..` with registers such as `R5,R6 R7`"),
        ("divq(C,A);", "scamp5_load_in(3);", "10:1: `scamp5_load_in(3);` is no control word"),
        ("exhausted", "tired", "7:60: expected `proved`, `nodes`, "),
        (">=2", ">=two", "8:23: expected a number, found \"two\""),
        ("\n\n", "\n", "9:1: expected an empty line before the program"),
        ("east", "up", "11:10: expected a direction (`north`, `east`, `south` or `west`)"),
        ("add(B,B,C);\n", "add(B,B,C);\n// after\n", "13:1: expected an instruction such as `movx(B,A,east);`"),
        ("add(B,B,C);\n", "add(B,B,C);\n\n", "13:1: expected an instruction such as `movx(B,A,east);`"),
    ] {
        let found = error(PLAN.replacen(old, new, 1));
        let start = format!("plans/mean.scamp:{message}");
        assert!(found.starts_with(&start) && found.ends_with(ANEW), "{found}\nexpected {start}");
    }
    assert_eq!(
        error("# cain plan v3, written by a later version"),
        "plans/mean.scamp:1:14: the plan has format 3, but this version of Cain knows none above 2; update Cain, or \
         delete the file and run `cain pin`"
    );
}

/// Plans of several searches and with everything that a controller does are written as they are read.
#[test]
fn all_that_a_plan_can_say_is_kept() {
    const SEVERAL: &str = "\
# cain plan v2, written by `cain pin`: change the declaration, not this file
network: edges
cost: words=3
search: version=1 budget=5000
searches: 3

declaration: first(A) -> (A) using () { A = [1] * A; }
isa: native

bus(NEWS,A);
bus(A,NEWS);

declaration: second(a: 1) -> (n) { n = [1] * a; }
isa: digital
inputs: R5 R6,R7
outputs: R1,R0

MOV(R1,R5);

declaration: third(A) -> (A) using () { A = [1] * A; }
isa: native
program: none
";
    const STEPS: &str = "\
# cain plan v2, written by `cain pin`: change the declaration, not this file
declaration: sharp(&image) -> (out) over [1 2; 0 3] by prop { out = [1] * image; }
isa: superpixel
cost: words=3
search: version=1 budget=500 nodes=42 best=21 stop=exhausted
inputs: R5
outputs: R6
reserved: none

// setup
scamp5_select_pattern(2,1,253,254);
MOV(R5,SELECT);
// before
// program
scamp5_load_in(-64);
MOV(R6,R5);
// after
";
    for text in [SEVERAL, STEPS] {
        assert_eq!(PlanFile::parse(text).unwrap().to_string(), text);
    }
    let steps = PlanFile::parse(STEPS).unwrap().whole;
    let lines =
        [steps.line_of_registers(2), steps.line_of_step(0, 1), steps.line_of_step(2, 0), steps.line_of_step(3, 0)];
    assert_eq!(lines, [8, 12, 15, 18]);
    let error = |text: &str, old: &str, new: &str| match PlanFile::parse(&text.replacen(old, new, 1)) {
        Err(Fault::Corrupt(problem)) => problem.to_string(),
        other => panic!("{other:?}"),
    };
    for (text, old, new, message) in [
        (SEVERAL, "searches: 3", "searches: 4", "23:1: the file ends here; expected an empty line and another search"),
        (SEVERAL, "searches: 3", "searches: 2", "19:1: expected the end of the file"),
        (
            SEVERAL,
            "isa: digital\n",
            "isa: digital\nsearches: 1\n",
            "13:1: a search that is a part of a plan cannot consist of others",
        ),
        (STEPS, "(2,1,253,254)", "(2,1,253)", "11:1: expected a pattern such as `scamp5_select_pattern(0,1,252,254);`"),
        (STEPS, "(-64)", "(-640)", "15:1: expected a level such as `scamp5_load_in(-64);`"),
    ] {
        assert_eq!(error(text, old, new), message);
    }
}

#[test]
fn files_that_are_no_text() {
    assert_eq!(
        error(b""),
        "plans/mean.scamp:1:1: the file ends here; expected the first line; run `cain pin` to write the plan anew"
    );
    assert_eq!(
        error(b"# cain plan v2\n\xc3\xa9\xff\x00"),
        "plans/mean.scamp:2:2: the plan is not UTF-8 from here on; run `cain pin` to write the plan anew"
    );
    assert!(error([0; 4096]).starts_with("plans/mean.scamp:1:1: this is no plan"));
}

/// Of 100 MB only the limit is read.
#[test]
fn files_that_are_huge() {
    let folder = tempfile::tempdir().unwrap();
    let plans = PlanFolder::new(folder.path(), "plans");
    fs::File::create(plans.file("mean")).unwrap().set_len(100_000_000).unwrap();
    let error = kernel(MEAN).load(&plans).unwrap_err();
    assert!(error.is_replaceable());
    assert_eq!(
        error.to_string(),
        format!("plans/mean.scamp: the plan is larger than {MAX_BYTES} bytes; run `cain pin` to write it anew")
    );
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let plans = PlanFolder::new(folder.path(), "plans");
    fs::create_dir(plans.file("mean")).unwrap();
    let error = kernel(MEAN).load(&plans).unwrap_err();
    assert!(!error.is_replaceable());
    assert!(error.to_string().starts_with("plans/mean.scamp: the plan cannot be read: "), "{error}");
}

/// A file that was cut off anywhere is found out, unless nothing but the end of its last line is missing.
#[test]
fn truncated_files() {
    let mean = kernel(MEAN);
    for end in 0..PLAN.len() {
        match load(&PLAN[..end], &mean) {
            Ok(plan) => assert!(end >= PLAN.len() - 2 && plan.to_string() == PLAN, "{end}"),
            Err(error) => assert!(error.is_replaceable(), "{end}"),
        }
    }
}

/// Plans that earlier versions wrote are still read: these files are never changed, only added to.
#[test]
fn files_of_this_format() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/plans").join(format!("v{}", super::VERSION));
    let kernels = kernels(&fs::read_to_string(fixtures.join("kernels.txt")).unwrap());
    let plans = PlanFolder::new(&fixtures, &fixtures);
    for kernel in &kernels {
        let solution = kernel.load(&plans).unwrap_or_else(|error| panic!("{error}"));
        assert!(solution.is_some(), "{} in {fixtures:?}", kernel.name());
    }
    let files = fs::read_dir(&fixtures).unwrap().count();
    assert_eq!(files, kernels.len() + 1, "every plan in {fixtures:?} has its kernel");
}

fn instruction() -> impl Strategy<Value = Instruction> {
    let op = proptest::sample::select(Op::ARITHMETIC);
    let operands = proptest::collection::vec((0..6_u8, 0..4_usize), Macro::MAX_OPERANDS);
    (op, operands).prop_filter_map("the operands do not fit", |(op, numbers)| {
        let operands = op.operands().iter().zip(numbers).map(|(kind, (reg, direction))| match kind {
            OperandKind::Direction => Operand::Direction(cain_isa::Direction::ALL[direction]),
            _ => Operand::Reg(Reg::from_index(reg)),
        });
        Macro::new(op, &operands.collect::<Vec<_>>()).ok().map(Instruction::from)
    })
}

proptest! {
    /// Right or wrong, a plan is read as it was written.
    #[test]
    fn written_plans_read_back(
        values in proptest::collection::vec("[^\\p{Cc}]{0,40}", 1..4),
        cost in proptest::option::of("[^\\p{Cc}]{0,40}"),
        (version, budget, bound) in any::<(u32, u64, Option<u32>)>(),
        course in proptest::option::of(any::<(u64, Option<u64>, u64)>()),
        stop in proptest::sample::select(vec![Stop::Proved, Stop::Nodes, Stop::Patience, Stop::Book, Stop::Interrupted, Stop::Exhausted]),
        listings in proptest::collection::vec(proptest::option::of(proptest::collection::vec(instruction(), 0..20)), 0..4),
    ) {
        let course = course.map(|(nodes, first, best)| Course { nodes, first, best, stop });
        let how = Some(How { version, budget, course });
        let identity = || Identity::of(values.iter().map(|value| ("declaration", value.clone())));
        let found = |listing: &Option<Vec<Instruction>>| {
            let finding = listing.as_ref().map(|listing| Finding::of(identity(), listing)).unwrap_or_default();
            Finding { wanted: identity(), cost: cost.clone(), how, bound, ..finding }
        };
        let mut file = PlanFile { whole: found(&None), searches: Some(listings.iter().map(found).collect()) };
        if let [listing @ Some(_), ..] = listings.as_slice() {
            file = PlanFile { whole: found(listing), searches: None };
        }
        prop_assert_eq!(PlanFile::parse(&file.to_string()).unwrap().to_string(), file.to_string());
    }

    /// Any file is a plan or an error.
    #[test]
    fn any_text_is_read_without_panic(text in "(# cain plan v2)?[ -~\\n]{0,200}", at in 0..PLAN.len(), byte in " |[ -~\\n]") {
        let edited = format!("{}{byte}{}", &PLAN[..at], PLAN.get(at + 1..).unwrap_or_default());
        for text in [text, edited] {
            if let Err(fault) = PlanFile::parse(&text) {
                prop_assert!(matches!(fault, Fault::Corrupt(_) | Fault::Newer(_)), "{:?}", fault);
            }
        }
    }
}
