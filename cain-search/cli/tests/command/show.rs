//! Tests of `cain show`.

use std::collections::BTreeSet;
use std::fs;

use cain_codegen::kernel_file;
use cain_isa::Instruction;
use cain_search::verify;
use serde_json::Value;

use crate::Folder;

const FILE: &str = r#"
[slope]
doc = "Both <slopes> & \"their\" sum"
inputs = ["A"]
keep = ["A"]
outputs.B = { kernel = [[1, 0, -1]] }
outputs.C = { kernel = [[1], [0], [-1]] }
search = { isa = "macro", max_gain = "own" }

[detail]
inputs = ["A", "B"]
outputs.C = [{ input = "A", kernel = [[0.25, 0.5, 0.25]] }, { input = "B", scale = "-1/4", kernel = [[0, 1, 1]] }]
search = { nodes = 300, isa = "macro", offset = "any", max_gain = "any" }
"#;

/// The instructions in a text, one per line.
fn instructions(text: &str) -> Vec<Instruction> {
    text.lines().filter_map(|line| line.trim().parse().ok()).collect()
}

#[test]
fn programs_for_other_tools_are_programs() {
    let folder = Folder::new(FILE);
    let filters = kernel_file::parse(FILE).unwrap();
    for format in ["scamp5", "jss"] {
        for filter in &filters {
            let shown = folder.cain(&["show", "kernels.toml", filter.name(), "--format", format]).good();
            verify(&filter.declaration, &instructions(&shown)).unwrap_or_else(|error| panic!("{error}: {shown}"));
        }
    }
    let all = folder.cain(&["show", "kernels.toml", "--format", "scamp5"]).good();
    assert_eq!(all.matches("scamp5_kernel_begin();").count(), 2);
    assert!(all.contains("// slope\n// Both <slopes> & \"their\" sum\n"), "{all}");
}

/// The last lines of the text show the outputs as declared.
#[test]
fn the_text_ends_with_the_kernels() {
    let shown = Folder::new(FILE).cain(&["show", "kernels.toml", "slope"]).good();
    let last: Vec<String> =
        shown.lines().rev().take(3).map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for held in ["A [1] gain 1", "B [1 0 -1] gain 2", "C [1; 0; -1] gain 2"] {
        assert!(last.iter().any(|line| line.trim_start_matches("> ") == held), "{held}: {shown}");
    }
}

#[test]
fn assumptions_about_the_machine_are_mentioned() {
    let machine = "[machine]\nregisters = 18\nnanoseconds = { analogue = 100 }\n";
    let later = Folder::new(format!("{machine}{FILE}"));
    for format in ["text", "scamp5", "svg", "html"] {
        let args = ["show", "kernels.toml", "slope", "--format", format];
        let mentions =
            |folder: &Folder| folder.cain(&args).good().contains("the machine has assumed registers and word times");
        assert!(mentions(&later) && !mentions(&Folder::new(FILE)), "{format}");
    }
    let fewer = Folder::new(format!("[machine]\nregisters = [\"A\", \"B\", \"C\", \"D\", \"E\"]\n{FILE}"));
    assert!(!fewer.cain(&["show", "kernels.toml", "slope"]).good().contains("assumed"));
}

#[test]
fn the_name_of_the_file_chooses_the_format() {
    let folder = Folder::new(FILE);
    for (name, begins) in [
        ("a.svg", "<svg "),
        ("a.html", "<!DOCTYPE html>"),
        ("a.dot", "digraph "),
        ("a.txt", "slope\n"),
        ("a", "slope\n"),
    ] {
        let path = folder.0.path().join(name);
        fs::write(&path, "old").unwrap();
        assert_eq!(folder.cain(&["show", "kernels.toml", "slope", "-o", name]).good(), "");
        let written = fs::read_to_string(&path).unwrap();
        assert!(written.starts_with(begins), "{name}: {written}");
    }
    let forced = folder.cain(&["show", "kernels.toml", "slope", "-o", "a.svg", "--format", "dot"]);
    assert_eq!(forced.good(), "");
    assert!(fs::read_to_string(folder.0.path().join("a.svg")).unwrap().starts_with("digraph "));
}

/// The number of threads does not matter either.
#[test]
fn the_same_again_is_the_same() {
    let folder = Folder::new(FILE);
    let page =
        |threads| folder.cain(&["show", "kernels.toml", "detail", "--format", "html", "--threads", threads]).good();
    assert_eq!(page("1"), page("2"));
}

#[test]
fn mistakes_are_told_and_leave_files_alone() {
    let folder = Folder::new(FILE);
    let bad = folder.cain(&["show", "kernels.toml", "--format", "svg"]);
    assert_eq!(bad.bad(), ["kernels.toml: a picture shows one filter; name one of `slope`, `detail`"]);
    let bad = folder.cain(&["show", "kernels.toml", "slop"]);
    assert_eq!(bad.bad(), ["kernels.toml: unknown filter `slop`; did you mean `slope`?"]);

    let tight = "[tight]\ninputs = [\"A\"]\nscratch = []\noutputs.A.kernel = [[1, 2, 1], [2, 5, 2], [1, 2, 3]]\nsearch.max_gain = \"own\"\n";
    fs::write(folder.0.path().join("tight.toml"), tight).unwrap();
    fs::write(folder.0.path().join("old.svg"), "old").unwrap();
    let bad = folder.cain(&["show", "tight.toml", "--nodes", "2000", "-o", "old.svg"]);
    assert!(bad.bad()[0].starts_with("tight.toml:1:2: filter `tight`: no program found"), "{:?}", bad.bad());
    assert_eq!(fs::read_to_string(folder.0.path().join("old.svg")).unwrap(), "old");

    let bad = folder.cain(&["show", "kernels.toml", "slope", "-o", "nowhere/a.svg"]);
    assert!(bad.bad()[0].starts_with("nowhere/a.svg: cannot be written: "), "{:?}", bad.bad());
    let jss = ["show", "kernels.toml", "slope", "--format", "jss"];
    let bad = folder.cain(&[&jss[..], &["--isa", "native"]].concat()).bad().concat();
    let end = "which the simulator does not have; it has A to F and NEWS; take `--isa macro`";
    assert!(bad.starts_with("kernels.toml:2:2: filter `slope`: instruction ") && bad.ends_with(end), "{bad}");
    folder.cain(&[&jss[..], &["--isa", "macro"]].concat()).good();
    let bad = folder.cain(&["show", "kernels.toml", "slope", "--format", "jss", "--simulator", "a b"]);
    assert!(bad.bad()[0].contains("expected the name of a C++ object"), "{:?}", bad.bad());
}

/// A network with two edge detectors that others may interrupt, and counts of the edges.
const NETWORK: &str = r#"
[network.edges]
doc = "Edges of both kinds."
input = { size = [8, 8], levels = "-60..60", binarise = 128 }
interruptible = { registers = ["E", "F"] }
search = { nodes = 400 }

[[network.edges.layer]]
name = "slopes"
op = "convolution"
kernels = [[[-1, 1], [0, 0]], [[-1, 0], [1, 0]]]

[[network.edges.layer]]
name = "bits"
op = "threshold"
at = 60

[[network.edges.layer]]
name = "counts"
op = "windows"
size = [7, 7]
"#;

/// All steps are shown in order, with planes from the stage that makes them to the last one that needs them, and every
/// place where others may interrupt.
#[test]
fn networks_are_shown_stage_after_stage() {
    let folder = Folder::new(NETWORK);
    let text = folder.cain(&["show", "kernels.toml"]).good();
    assert!(text.starts_with("edges\n  Edges of both kinds.\n"), "{text}");
    let record: Value = serde_json::from_str(&folder.cain(&["compile", "kernels.toml", "--json"]).good()).unwrap();
    let stages = record["parts"].as_array().unwrap();
    let listing: Vec<&str> = stages
        .iter()
        .flat_map(|stage| stage["listing"].as_array().unwrap())
        .map(|line| line.as_str().unwrap())
        .collect();
    let mut lines = text.lines();
    for (number, line) in (1..).zip(&listing) {
        assert!(lines.any(|shown| shown.trim_start().starts_with(&format!("{number}  {line}"))), "{line}: {text}");
    }
    let planes: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("      > ")).collect();
    for plane in ["slopes[0], -120 to 120 DN", "slopes[1], -120 to 120 DN", "bits[0], bits", "bits[1], bits"] {
        assert_eq!(planes.iter().filter(|line| line.contains(plane)).count(), 1, "{plane}: {text}");
    }
    // The last stage reads the last bits.
    let end = text.rsplit("// read ").next().unwrap();
    assert!(!end.contains("[0]") && !end.contains("[1]"), "{text}");
    let ways = text.lines().filter(|line| line.starts_with("      < for E and F: ")).count();
    assert!(ways > 0 && ways <= listing.len(), "{text}");
    let latency = record["latency"][0].as_u64().unwrap();
    assert!(text.contains(&format!("may be left for others on E and F within {latency} control word")), "{text}");

    let listed = folder.cain(&["show", "kernels.toml", "--format", "scamp5"]).good();
    assert!(listing.iter().all(|line| listed.lines().any(|listed| listed == *line)), "{listed}");
}

#[test]
fn pictures_of_networks_have_a_column_for_each_register() {
    let folder = Folder::new(NETWORK);
    assert_eq!(folder.cain(&["show", "kernels.toml", "-o", "edges.svg"]).good(), "");
    let svg = fs::read_to_string(folder.0.path().join("edges.svg")).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let texts = |class: &str| {
        let of_class = document.descendants().filter(|node| node.attribute("class") == Some(class));
        of_class.map(|node| node.text().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let planes: BTreeSet<String> = texts("label").into_iter().collect();
    assert_eq!(planes.into_iter().collect::<Vec<_>>(), ["bits[0]", "bits[1]", "slopes[0]", "slopes[1]"]);
    assert!(texts("head-name").contains(&"R5".to_owned()), "{svg}");
    let part = folder.cain(&["show", "kernels.toml", "--steps", "2..3"]).good();
    assert!(part.contains("\n   2  ") && part.contains("\n   3  ") && !part.contains("\n   4  "), "{part}");
    for arguments in [&["--format", "dot"][..], &["--steps", "1..99999"]] {
        let bad = folder.cain(&[&["show", "kernels.toml"], arguments].concat());
        assert!(bad.bad().concat().starts_with("kernels.toml:2:10: network `edges`: "), "{:?}", bad.bad());
    }
}
