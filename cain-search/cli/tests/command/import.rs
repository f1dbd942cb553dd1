//! Tests of `cain import`.

use std::fs;

use cain_codegen::kernel_file::{self, Filter};
use cain_search::{InstructionSet, Objective};

use crate::{Folder, Run};

/// Imports a configuration.
fn import(json: &str) -> (Folder, Run) {
    let folder = Folder::new("");
    fs::write(folder.0.path().join("c.json"), json).unwrap();
    let run = folder.cain(&["import", "c.json"]);
    (folder, run)
}

/// The filter made of a configuration, and the remarks.
#[track_caller]
fn filter(json: &str) -> (Filter, Vec<String>) {
    let (_, run) = import(json);
    assert!(run.succeeded, "{}", run.stderr);
    let mut filters = kernel_file::parse(&run.stdout).unwrap_or_else(|problems| panic!("{problems:?}: {}", run.stdout));
    assert_eq!(filters.len(), 1);
    (filters.remove(0), run.stderr.lines().map(str::to_owned).collect())
}

/// The least that a configuration needs, and a further member.
fn with(member: &str) -> String {
    format!(
        r#"{{"target": "scamp5", "mode": "analogue", "filter": {{"B": {{"array": [[1, 2, 1]]}}}},
            "registerAllocator": {{"availableRegisters": ["A", "C"], "initialRegisters": ["A"]}}, {member}}}"#
    )
}

/// The problems of a configuration that cannot be imported.
#[track_caller]
fn problems(json: &str) -> Vec<String> {
    let (_, run) = import(json);
    assert!(run.stdout.is_empty(), "{}", run.stdout);
    run.bad().into_iter().map(str::to_owned).collect()
}

#[test]
fn everything_with_a_counterpart_is_taken_over() {
    let (filter, _) = filter(
        r#"{ "name": "Two 3x3 edges", "target": "scamp5", "mode": "analogue", "goalSystem": "array",
             "maxApproximationDepth": 4, "maxApproximationError": 0.2,
             "filter": { "A": { "depth": -2, "array": [[0, 1, 0], [1, -4, 1], [0, 1, 0]] },
                         "B": { "scale": 0.5, "depth": 1.0, "array": [[0.3, 5e-1, -0.25]] } },
             "registerAllocator": { "name": "linearScan", "availableRegisters": ["F", "A", "C", "C"], "initialRegisters": ["A"] },
             "runConfig": { "costFunction": "InstructionCost" },
             "pairGen": { "strategy": { "name": "Threshold", "ops": "basic", "above": { "name": "AtomDistance", "ops": "basic" } } } }"#,
    );
    assert_eq!(
        filter.declaration.to_string(),
        "two_3x3_edges(A) -> (A, B) using (C, F) { A = 1/4 [0 1 0; 1 -4 1; 0 1 0] * A; B = 1/4 [1 2 -1] * A; }"
    );
    assert_eq!(filter.doc.as_deref(), Some("Two 3x3 edges"));
    let moved = filter.approximated.unwrap();
    assert_eq!((moved.depth, moved.error.to_string().as_str()), (2, "1/20"));
    let options = &filter.declaration.options;
    assert_eq!((options.objective, options.instructions), (Objective::Icws, InstructionSet::Basic));
}

#[test]
fn entries_of_several_channels_become_terms() {
    let json = r#"{ "id": "Layer", "target": "scamp5", "mode": "analogue", "3d": true,
        "filter": { "A": { "depth": -1, "array": [[[1, 0, 2], [0, 0, -1], [1, 0, 0]]] }, "C": { "array": [[[0, 0, 0]]] } },
        "registerAllocator": { "availableRegisters": ["R0"], "initialRegisters": ["A", "B", "D"] } }"#;
    for zeros in ["[[[0, 0, 0]]]", "[[[0, 0, 0], [0, 0, 0], [0, 0, 0]]]"] {
        let (filter, remarks) = filter(&json.replace("[[[0, 0, 0]]]", zeros));
        assert_eq!(
            filter.declaration.to_string(),
            "layer(A, B, D) -> (A, C) using (R0) on (registers = [A, B, C, D, E, F, R0]) { A = 1/2 [1 0 1] * A + 1/2 [2 -1 0] * D; C = 0; }"
        );
        assert_eq!(remarks, Vec::<String>::new());
    }
}

/// In earlier versions, registers stood beside the filter, and there was neither target nor mode.
#[test]
fn earlier_versions_of_the_format() {
    let json = r#"{"goalSystem": "Atom", "filter": {"A": {"array": [[1, 0, -1]]}},
        "availableRegisters": ["A", "B"], "initialRegisters": ["A"], "pairGen": {"configGetter": "Threshold", "ops": "all"}}"#;
    let (filter, remarks) = filter(json);
    assert_eq!(filter.declaration.to_string(), "filter(A) -> (A) using (B) { A = [1 0 -1] * A; }");
    assert_eq!(
        remarks,
        [
            "c.json:1:1: `target` is missing; it is taken to be `scamp5`",
            "c.json:1:1: `mode` is missing; it is taken to be `analogue`",
            "c.json:1:1: the filter is called `filter`, as `name` is missing",
            "c.json:1:16: goalSystem: no counterpart; it does not change the kernels",
            "c.json:2:98: pairGen.configGetter: no counterpart; the search has a strategy of its own",
        ]
    );
}

/// A kernel without depth and scale may be a plain array; one without a middle is centred where Cain centres it.
#[test]
fn plain_arrays_and_even_sizes() {
    let json = with(r#""name": "x""#).replace(r#"{"array": [[1, 2, 1]]}"#, "[[1, 2], [3, 4]]");
    let (filter, remarks) = filter(&json);
    assert_eq!(filter.declaration.to_string(), "x(A) -> (B) using (C) { B = [1 2 0; 3 4 0; 0 0 0] * A; }");
    assert_eq!(
        remarks,
        [
            "c.json:1:58: filter.B: no weight is in the middle; as in Cain, that of row 1, column 1, both from 0, lies over \
          the PE"
        ]
    );
}

#[test]
fn names_that_had_to_be_changed_are_told() {
    let (filter, remarks) = filter(&with(r#""name": "Box""#));
    assert_eq!((filter.name(), filter.doc.as_deref()), ("filter_box", Some("Box")));
    assert!(
        matches!(&remarks[..], [told] if told.ends_with(": name: the filter is called `filter_box`, as `box` is a keyword of Rust")),
        "{remarks:?}"
    );
}

/// Cain accepts any limit; only the halvings that weights need are made.
#[test]
fn more_halvings_than_can_be() {
    let (filter, remarks) = filter(&with(r#""name": "x", "maxApproximationDepth": 100, "maxApproximationError": 0.1"#));
    assert!(filter.approximated.is_some_and(|done| done.depth == 0));
    assert!(remarks[0].ends_with("maxApproximationDepth: 20 halvings are allowed instead of 100"), "{remarks:?}");
}

#[test]
fn what_has_no_counterpart_is_reported_with_its_path() {
    let member = r#""verifier": "none", "trial": [1],
        "runConfig": {"workers": 4, "searchTime": 1, "costFunction": "CircuitDepthThenLength", "luck": 7},
        "pairGen": {"strategy": {"heuristic": {"name": "Pattern"}}, "outputFormat": {"name": "jssFormat", "simulatorName": "s"}}"#;
    let (_, remarks) = filter(&with(member));
    let found: Vec<&str> = remarks.iter().filter_map(|remark| remark.splitn(4, ':').nth(3)).map(str::trim).collect();
    assert_eq!(
        found,
        [
            "the filter is called `filter`, as `name` is missing",
            "verifier: no counterpart; every program is proved",
            "trial: unknown key, left out",
            "runConfig.workers: no counterpart; see `--threads`",
            "runConfig.searchTime: no counterpart; searches end by nodes, or with `--time`",
            "runConfig.costFunction: no counterpart for circuit depth; the objective is `macros`",
            "runConfig.luck: unknown key, left out",
            "pairGen.strategy.heuristic.name: no counterpart; the search has a strategy of its own",
            "pairGen.outputFormat: not a part of kernel files; for this spelling run `cain show` with `--format jss --simulator s`",
        ]
    );
}

#[test]
fn what_was_imported_compiles() {
    let (folder, run) = import(&with(r#""name": "x", "maxApproximationDepth": 3, "maxApproximationError": 0"#));
    fs::write(folder.file(), run.good()).unwrap();
    let compiled = folder.cain(&["compile", "kernels.toml", "--nodes", "300", "--max-gain", "any"]).good();
    assert!(compiled.contains("\nx "), "{compiled}");
}

#[test]
fn a_file_that_exists_is_not_overwritten() {
    let (folder, _) = import("{}");
    fs::write(folder.0.path().join("c.json"), with(r#""name": "x""#)).unwrap();
    fs::write(folder.file(), "mine").unwrap();
    let again = folder.cain(&["import", "c.json", "-o", "kernels.toml"]);
    let problem =
        "exists already, and is not as `cain import` wrote it; remove it, choose another name, or add `--force`";
    assert_eq!(again.bad(), [format!("kernels.toml: {problem}")]);
    assert_eq!(fs::read_to_string(folder.file()).unwrap(), "mine");
    assert_eq!(folder.cain(&["import", "c.json", "-o", "new.toml"]).good(), "");
    assert!(kernel_file::load(&folder.0.path().join("new.toml")).is_ok());
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 3);
    // The command replaces its own output, unless somebody has changed it.
    fs::write(folder.0.path().join("c.json"), with(r#""name": "y""#)).unwrap();
    assert_eq!(folder.cain(&["import", "c.json", "-o", "new.toml"]).good(), "");
    let text = fs::read_to_string(folder.0.path().join("new.toml")).unwrap();
    assert!(text.contains("\n[y]\n"), "{text}");
    fs::write(folder.0.path().join("new.toml"), text.replace("[y]", "[z]")).unwrap();
    assert_eq!(folder.cain(&["import", "c.json", "-o", "new.toml"]).bad(), [format!("new.toml: {problem}")]);
    assert_eq!(folder.cain(&["import", "c.json", "-o", "new.toml", "--force"]).good(), "");
    assert_eq!(fs::read_to_string(folder.0.path().join("new.toml")).unwrap(), text);
}

#[test]
fn other_files_are_told() {
    let (folder, _) = import("{}");
    let imported = "`cain import` reads configurations of the original Cain (JSON) and networks in ONNX, whose files end with `.onnx`";
    let kernel = "[edge]\ninputs = [\"A\"]\noutputs.A = { kernel = [[1, 0, -1]] }\n";
    let kernel_file = "the file is a kernel file, which `cain compile` reads as it is";
    let picture = "the file is a picture (PNG), which `cain run --image` takes";
    for (name, contents, what) in [
        ("k.toml", kernel.as_bytes(), kernel_file),
        ("k.txt", kernel.as_bytes(), kernel_file),
        ("p.png", b"\x89PNG\r\n\x1a\n\0\0", picture),
        ("p.onnx", b"\x89PNG\r\n\x1a\n\0\0", picture),
    ] {
        fs::write(folder.0.path().join(name), contents).unwrap();
        assert_eq!(folder.cain(&["import", name]).bad(), [format!("{name}: {what}; {imported}")]);
    }
    // The picture is larger than any configuration.
    let large = [b"P5 2000 2000 255\n".to_vec(), vec![0; 4_000_000]].concat();
    fs::write(folder.0.path().join("large.pgm"), large).unwrap();
    let run = folder.cain(&["import", "large.pgm"]);
    assert!(run.bad()[0].starts_with("large.pgm: the file is a picture (PGM)"), "{}", run.stderr);
    let run = folder.cain(&["import", "none.onnx"]);
    assert!(run.bad()[0].starts_with("none.onnx: cannot be read: "), "{}", run.stderr);
}

#[test]
fn mistakes_have_a_place_and_a_path() {
    assert_eq!(problems("{\"a\": 1,\n  \"b\": [1,]}"), ["c.json:2:11: trailing comma"]);
    assert_eq!(problems(""), ["c.json:1:1: EOF while parsing a value"]);
    assert_eq!(problems("[1]"), ["c.json:1:1: expected an object, found an array"]);
    assert_eq!(
        problems(r#"{"target": "scamp5", "mode": "quantum"}"#),
        ["c.json:1:30: mode: unknown mode; expected `analogue`, `digital` or `superpixel`"]
    );
    let begin = r#"{"target": "scamp5", "mode": "analogue", "registerAllocator": {"initialRegisters": ["A"]}, "#;
    for (rest, problem) in [
        (r#""filter": {}}"#, "filter: the filter has no kernel"),
        (r#""filter": {"A": 1}}"#, "filter.A: expected rows of weights such as `[[1, 2, 1]]`"),
        (r#""filter": {"A": {}}}"#, "filter.A: the kernel has no `array`"),
        (r#""filter": {"A": {"array": [1]}}}"#, "filter.A.array: expected rows of weights such as `[[1, 2, 1]]`"),
        (r#""filter": {"A": {"array": [[1, "2"]]}}}"#, "filter.A.array[0][1]: expected a number, found a string"),
        (r#""filter": {"A": {"array": [[1, [2]]]}}}"#, "filter.A.array[0][1]: expected a number, found an array"),
        (
            r#""filter": {"A": {"array": [[[1], [2, 3]]]}}}"#,
            "filter.A.array[0][1]: expected 1 channels as in the first entry, found 2",
        ),
        (
            r#""filter": {"A": {"array": [[[1, 2]]]}}}"#,
            "registerAllocator.initialRegisters: 1 registers for 2 input channels",
        ),
        (
            r#""3d": true, "filter": {"A": {"array": [[1]]}}}"#,
            "filter.A.array: the entries are numbers, but `3d` is true",
        ),
        (r#""filter": {"A": {"depth": 0.5, "array": [[1]]}}}"#, "filter.A.depth: expected a whole number, found 1/2"),
        (
            r#""filter": {"A": {"depth": -99, "array": [[1]]}}}"#,
            "filter.A.depth: 2^-99 does not fit a fraction of 64-bit integers",
        ),
        (
            r#""filter": {"A": {"array": [[1e99]]}}}"#,
            "filter.A.array[0][0]: the number 1e99 does not fit a fraction of 64-bit integers",
        ),
        (r#""filter": {"A": {"array": [[1]]}}, "filter": 1}"#, "filter: the key is given twice"),
    ] {
        let found = problems(&format!("{begin}{rest}"));
        assert!(found.iter().any(|found| found.splitn(4, ':').nth(3).map(str::trim) == Some(problem)), "{found:?}");
    }
}

/// Some errors are found only by the rules of the kernel file.
#[test]
fn a_kernel_file_that_would_not_load_is_not_written() {
    let json = with(r#""name": "x""#).replace("[[1, 2, 1]]", "[[1, 2, 1], [3, 1]]");
    let problems = problems(&json);
    assert!(problems.iter().any(|problem| problem.contains("row 2 has 2 weights")), "{problems:?}");
}

/// Large and deeply nested files quickly lead to a message.
#[test]
fn files_beyond_reason() {
    let deep = with(&format!("\"pairGen\": {}1{}", "{\"a\": ".repeat(100_000), "}".repeat(100_000)));
    assert!(problems(&deep)[0].contains("recursion limit"), "{:?}", problems(&deep));
    let many = with("\"name\": \"x\"").replace("[\"A\"]", &format!("[{}\"A\"]", "\"A\", ".repeat(100_000)));
    assert!(
        problems(&many)[0].ends_with("100001 registers, but no machine has more than 256"),
        "{:?}",
        problems(&many)
    );
    let tall = with("\"name\": \"x\"").replace("[[1, 2, 1]]", &format!("[{}[1]]", "[1], ".repeat(100_000)));
    assert!(problems(&tall)[0].contains("at most 15×15"), "{:?}", problems(&tall));
    let large = format!("{}{}", with("\"name\": \"x\""), " ".repeat(1 << 20));
    assert_eq!(problems(&large), ["c.json: the file is larger than 1048576 bytes"]);
    let keys: Vec<String> = (0..50_000).map(|i| format!("\"k{i}\": 1")).collect();
    let (_, remarks) = filter(&with(&format!("{}, \"name\": \"x\"", keys.join(","))));
    assert_eq!(remarks.len(), 50_000);
}

/// A name from the file becomes a single word of the command that users may copy.
#[test]
fn commands_are_safe_to_copy() {
    let output =
        |name: &str| format!(r#""pairGen": {{"outputFormat": {{"name": "jssFormat", "simulatorName": "{name}"}}}}"#);
    for (name, word) in
        [("s; rm -rf ~", "'s; rm -rf ~'"), ("it's\\u001b", r"'it'\''s\u{1b}'"), ("$(x)`y`", "'$(x)`y`'")]
    {
        let (_, remarks) = filter(&with(&output(name)));
        let expected = format!("run `cain show` with `--format jss --simulator {word}`");
        assert!(remarks.iter().any(|remark| remark.ends_with(&expected)), "{remarks:?}");
    }
}

/// Keys with line breaks do not make further lines.
#[test]
fn remarks_are_lines() {
    let (_, remarks) = filter(&with(r#""x\nc.json:1:1: wrong\u001b[2J": 1"#));
    let expected = r": x\nc.json:1:1: wrong\u{1b}[2J: unknown key, left out";
    assert!(remarks.len() == 2 && remarks[1].ends_with(expected), "{remarks:?}");
}

/// Programs write many digits, which are rounded only where weights may be changed.
#[test]
fn numbers_with_many_digits() {
    let json = |more: &str| with(more).replace("[[1, 2, 1]]", "[[1e-05, 0.3333333333333333333333, 5E-1]]");
    let (long, _) = filter(&json(r#""maxApproximationDepth": 4, "maxApproximationError": 0.2"#));
    let short = json(r#""maxApproximationDepth": 4, "maxApproximationError": 0.2"#);
    let (short, _) = filter(&short.replace("0.3333333333333333333333", "0.3333").replace("1e-05", "0"));
    assert_eq!(long.declaration, short.declaration);
    let expected =
        "filter.B.array[0][1]: the number 0.3333333333333333333333 does not fit a fraction of 64-bit integers";
    assert!(problems(&json(r#""verbose": 1"#)).iter().any(|problem| problem.ends_with(expected)));
}

/// A configuration on bits.
fn on_bits(mode: &str, register: &str, kernel: &str, pairs: &str) -> String {
    format!(
        r#"{{"target": "scamp5"{mode}, "filter": {{"{register}": {kernel}}},
            "registerAllocator": {{"initialRegisters": ["{register}"]}}, "pairGen": {{{pairs}}}}}"#
    )
}

#[test]
fn digital_configurations_become_digital_filters() {
    let json =
        on_bits("", "A", r#"{"array": [[1, 1]]}"#, r#""name": "Scamp5Digital", "bits": 2, "scratchRegs": ["S1"]"#);
    let (folder, run) = import(&json);
    assert!(run.succeeded, "{}", run.stderr);
    assert!(run.stderr.contains("`mode` is missing; it is taken to be `digital`"), "{}", run.stderr);
    assert!(run.stdout.contains("bits = 2\n"), "{}", run.stdout);
    fs::write(folder.file(), &run.stdout).unwrap();
    let compiled = folder.cain(&["compile", "kernels.toml", "--nodes", "500", "--json"]);
    let record: serde_json::Value = serde_json::from_str(&compiled.good()).unwrap();
    assert_eq!(record["isa"], "digital");
    assert_eq!(record["output_bits"]["A"].as_array().unwrap().len(), 3);
    assert_eq!(record["verified"], true);
}

#[test]
fn super_pixel_configurations_become_filters_over_super_pixels() {
    let mode = r#", "mode": "superpixel""#;
    let pairs = r#""width": 4, "height": 2, "bitOrder": [[[1, 2, 0, 0], [4, 3, 0, 0]], [[0, 0, 1, 2], [0, 0, 4, 3]]],
        "adc": {"analogueScratchReg": "B", "channels": [
            {"enabled": true, "bitDepth": 3, "unitBit": 1, "analogueReg": "A", "digitalReg": "1:A"}]},
        "dac": {"channels": [{"enabled": false, "bitDepth": 3, "unitBit": 1, "analogueReg": "A", "digitalReg": "1:A"}]}"#;
    let (folder, run) = import(&on_bits(mode, "1:A", r#"{"depth": -1, "array": [[1, 1, 0]]}"#, pairs));
    assert!(run.succeeded, "{}", run.stderr);
    for remark in ["pairGen.adc.analogueScratchReg: no counterpart", "`1:A` is halved as a whole and rounded down"] {
        assert!(run.stderr.contains(remark), "{remark}: {}", run.stderr);
    }
    fs::write(folder.file(), &run.stdout).unwrap();
    let compiled = folder.cain(&["compile", "kernels.toml", "--json"]);
    let record: serde_json::Value = serde_json::from_str(&compiled.good()).unwrap();
    assert_eq!(record["isa"], "superpixel");
    assert_eq!(record["bits"], 4);
    assert_eq!(record["outputs"]["1:A"]["bank"], 1);
    assert_eq!(record["inputs"]["1:A"]["analogue"], "A");
    let parts: Vec<_> = record["parts"].as_array().unwrap().iter().map(|part| part["name"].as_str().unwrap()).collect();
    assert_eq!(parts, ["conversion of inputs", "sums"]);
    assert!(record["parts"][0]["listing"].as_array().unwrap().len() > 10);
    assert_eq!(record["verified"], true);

    let kernel = r#"{"array": [[1]]}"#;
    let found = problems(&on_bits(mode, "0:A", kernel, r#""width": 2, "height": 2, "bitOrder": [[[1, 2], [3, 4]]]"#));
    let jump = "bits 2 and 3 of bank 0 are not in neighbouring PEs";
    assert!(found.iter().any(|line| line.contains(jump)), "{found:?}");
    let found = problems(&on_bits(mode, "0:A", kernel, r#""width": 4, "bitOrder": [[[1, 2], [4, 3]]]"#));
    assert!(found.iter().any(|line| line.ends_with("pairGen.width: `bitOrder` has another width: 2")), "{found:?}");
    let found = problems(&on_bits(mode, "0:A", kernel, r#""width": 4"#));
    let missing = "pairGen: `bitOrder` is missing: the place of each bit in a block";
    assert!(found.iter().any(|line| line.ends_with(missing)), "{found:?}");
    let adc =
        r#""bitOrder": [[[1, 2], [4, 3]]], "adc": {"channels": [{"bitDepth": 3, "unitBit": 1, "digitalReg": "0:A"}]}"#;
    let found = problems(&on_bits(mode, "0:A", kernel, adc));
    let missing = "pairGen.adc.channels[0]: `analogueReg` or `digitalReg` is missing";
    assert!(found.iter().any(|line| line.ends_with(missing)), "{found:?}");
}

/// The place of each bit of a bank, in rows from the north.
type Bank = Vec<Vec<usize>>;

/// Bits along a path that turns at the end of each row.
fn snake(width: usize, height: usize) -> Bank {
    let row = |row: usize| {
        let bits = (1..=width).map(move |bit| row * width + bit);
        if row.is_multiple_of(2) { bits.collect::<Vec<_>>() } else { bits.rev().collect() }
    };
    (0..height).map(row).collect()
}

/// Bits along a Hilbert curve.
fn hilbert(side: usize) -> Bank {
    let mut order = vec![vec![0; side]; side];
    for bit in 0..side * side {
        let (mut x, mut y, mut rest, mut size) = (0, 0, bit, 1);
        while size < side {
            let (right, down) = ((rest / 2) & 1, (rest ^ (rest / 2)) & 1);
            if down == 0 {
                if right == 1 {
                    (x, y) = (size - 1 - x, size - 1 - y);
                }
                (x, y) = (y, x);
            }
            (x, y) = (x + size * right, y + size * down);
            (rest, size) = (rest / 4, size * 2);
        }
        order[y][x] = bit + 1;
    }
    order
}

/// A bank in a larger block.
fn placed((width, height): (usize, usize), (left, top): (usize, usize), bank: &[Vec<usize>]) -> Bank {
    let mut order = vec![vec![0; width]; height];
    for (y, row) in bank.iter().enumerate() {
        for (x, bit) in row.iter().enumerate() {
            order[top + y][left + x] = *bit;
        }
    }
    order
}

/// The published examples on bits have these layouts, kernels and widths; Cain compiles them to programs that are
/// mirrored or wrong.
#[test]
fn examples_on_bits_are_imported_and_proved() {
    let corner = r#"{"depth": -1, "array": [[0, 1, 0], [1, 1, 0], [0, 0, 0]]}"#;
    let boxed = r#"{"array": [[1, 1, 1], [1, 1, 1], [1, 1, 1]]}"#;
    let sobel = r#"{"array": [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]}"#;
    let column = snake(1, 4);
    let quarters = [(0, 0), (2, 0), (0, 2), (2, 2)];
    let layouts: [(Vec<Bank>, &str, u64); 9] = [
        (vec![snake(2, 2)], corner, 115),
        (vec![snake(4, 4)], corner, 362),
        (vec![placed((4, 4), (0, 0), &snake(4, 2)), placed((4, 4), (0, 2), &snake(4, 2))], corner, 201),
        ((0..4).map(|left| placed((4, 4), (left, 0), &column)).collect(), corner, 120),
        (quarters.iter().map(|at| placed((4, 4), *at, &snake(2, 2))).collect(), corner, 119),
        (vec![hilbert(4)], corner, 361),
        (vec![hilbert(8)], corner, 1358),
        (vec![placed((4, 4), (0, 0), &snake(2, 2)), placed((4, 4), (2, 0), &snake(2, 2))], boxed, 291),
        (vec![snake(4, 4)], sobel, 551),
    ];
    let compile = |json: &str, of_cain: u64| {
        let record = compiled(json, &["--nodes", "2000"]);
        let words = record["words"].as_u64().unwrap();
        assert!(2 * words < of_cain, "{words} words, {of_cain} of Cain: {json}");
    };
    for (order, kernel, of_cain) in layouts {
        let order = serde_json::to_string(&order).unwrap();
        let pairs = format!(r#""name": "Scamp5SuperPixel", "bitOrder": {order}"#);
        compile(&on_bits(r#", "mode": "superpixel""#, "0:A", kernel, &pairs), of_cain);
    }
    // This one has converters.
    let channel = r#"{"enabled": true, "bitDepth": 8, "unitBit": 1, "analogueReg": "A", "digitalReg": "0:A"}"#;
    let order = serde_json::to_string(&snake(4, 4)).unwrap();
    let converters = format!(r#""adc": {{"channels": [{channel}]}}, "dac": {{"channels": [{channel}]}}"#);
    let pairs = format!(r#""name": "Scamp5SuperPixel", "bitOrder": [{order}], {converters}"#);
    compile(&on_bits(r#", "mode": "superpixel""#, "0:A", sobel, &pairs), 833);
    let digital = on_bits(r#", "mode": "digital""#, "A", boxed, r#""name": "Scamp5Digital", "bits": 2"#);
    // Its numbers are two bits wide and wrap around.
    compile(&digital, 212);
}

/// The program for an imported configuration.
fn compiled(json: &str, options: &[&str]) -> serde_json::Value {
    let (folder, run) = import(json);
    assert!(run.succeeded, "{}", run.stderr);
    fs::write(folder.file(), &run.stdout).unwrap();
    let compiled = folder.cain(&[&["compile", "kernels.toml", "--json"], options].concat());
    let record: serde_json::Value = serde_json::from_str(&compiled.good()).unwrap();
    assert_eq!(record["verified"], true, "{json}");
    record
}

/// The published analogue examples have these kernels and registers.
#[test]
fn analogue_examples_are_imported_and_proved() {
    let kernel = |depth: i32, rows: &[&[i32]]| format!(r#"{{"depth": {depth}, "array": {rows:?}}}"#);
    let sobel_x: &[&[i32]] = &[&[1, 0, -1], &[2, 0, -2], &[1, 0, -1]];
    let sobel_y: &[&[i32]] = &[&[1, 2, 1], &[0, 0, 0], &[-1, -2, -1]];
    let gauss: &[&[i32]] = &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]];
    let padded: &[&[i32]] = &[&[0; 5], &[0, 1, 2, 1, 0], &[0, 2, 4, 2, 0], &[0, 1, 2, 1, 0], &[0; 5]];
    let wide: &[&[i32]] = &[&[0, 1, 2, 1, 0], &[1, 4, 6, 4, 1], &[2, 6, 10, 6, 2], &[1, 4, 6, 4, 1], &[0, 1, 2, 1, 0]];
    let network: [&[&[i32]]; 3] = [
        &[&[0, 0, 0], &[-3, 1, 0], &[-3, 0, 2]],
        &[&[-4, -1, 1], &[-1, 2, 0], &[1, 1, 0]],
        &[&[-1, 2, 0], &[-1, 1, -3], &[0, -3, 0]],
    ];
    let all = r#"["A", "B", "C", "D", "E", "F"]"#;
    let examples = [
        (all, "A", vec![("A", kernel(0, sobel_x))]),
        (all, "A", vec![("A", kernel(0, sobel_x)), ("B", kernel(0, sobel_y))]),
        (r#"["A", "C", "F"]"#, "C", vec![("A", kernel(-4, padded))]),
        (all, "A", vec![("A", kernel(-6, wide))]),
        (all, "A", vec![("A", kernel(-6, wide)), ("B", kernel(-4, gauss))]),
        (all, "A", vec![("A", kernel(-6, &[&[1; 7][..]; 7]))]),
        (all, "A", ["A", "B", "C"].into_iter().zip(network).map(|(name, rows)| (name, kernel(-2, rows))).collect()),
    ];
    for (registers, input, kernels) in examples {
        let filter: Vec<String> = kernels.iter().map(|(name, kernel)| format!(r#""{name}": {kernel}"#)).collect();
        let json = format!(
            r#"{{"target": "scamp5", "mode": "analogue", "maxApproximationDepth": 6, "maxApproximationError": 0,
                "filter": {{{}}},
                "registerAllocator": {{"availableRegisters": {registers}, "initialRegisters": ["{input}"]}}}}"#,
            filter.join(", ")
        );
        let record = compiled(&json, &["--nodes", "1000", "--max-gain", "any"]);
        assert_eq!(record["offset_error"].as_object().map(serde_json::Map::len), Some(kernels.len()), "{record}");
    }
}
