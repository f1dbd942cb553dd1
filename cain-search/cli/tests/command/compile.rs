//! Tests of `cain compile` on good files.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use cain_codegen::kernel_file;
use cain_isa::Instruction;
use cain_search::{noise, verify};
use serde_json::Value;

use crate::{Folder, Run};

const FILE: &str = r#"
[sobel_xy]
inputs = ["A"]
keep = ["A"]
outputs.C = { kernel = [[1, 0, -1], [2, 0, -2], [1, 0, -1]] }
outputs.B = { kernel = [[1, 2, 1], [0, 0, 0], [-1, -2, -1]] }
search = { isa = "macro", offset = "any", max_gain = "any" }

[gauss]
inputs = ["A"]
outputs.A = { scale = "1/16", kernel = [[1, 2, 1], [2, 4, 2], [1, 2, 1]] }
search = { objective = "icws", isa = "macro" }

[gradient]
inputs = ["A", "B"]
outputs.A = [{ input = "A", kernel = [[0.25, 0, -0.25]] }, { input = "B", kernel = [[1, 0]], origin = [0, 1] }]
search = { nodes = 300, isa = "basic", max_gain = 2 }
"#;

const KEYS: [&str; 23] = [
    "name",
    "isa",
    "instructions",
    "words",
    "us",
    "parts",
    "latency",
    "verified",
    "objective",
    "macros",
    "depth",
    "peak_gain",
    "offset_error",
    "noise",
    "rms",
    "bias",
    "accuracy",
    "nodes",
    "ms",
    "ms_to_best",
    "stop",
    "ms_to_first",
    "lower_bound",
];

/// The objects that a run prints with `--json`.
#[track_caller]
fn objects(args: &[&str]) -> Vec<Value> {
    let folder = Folder::new(FILE);
    let stdout = folder.cain(&[&["compile", "kernels.toml", "--json"], args].concat()).good();
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn names(objects: &[Value]) -> Vec<&str> {
    objects.iter().map(|object| object["name"].as_str().unwrap()).collect()
}

fn listing(object: &Value) -> Vec<Instruction> {
    object["parts"][0]["listing"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line.as_str().unwrap().parse().unwrap())
        .collect()
}

#[test]
fn each_filter_is_an_object_whose_listing_computes_it() {
    let objects = objects(&["--nodes", "500"]);
    let filters = kernel_file::parse(FILE).unwrap();
    assert_eq!(names(&objects), ["sobel_xy", "gauss", "gradient"]);
    for (object, filter) in objects.iter().zip(&filters) {
        let keys: Vec<&String> = object.as_object().unwrap().keys().collect();
        let mut sorted = KEYS;
        sorted.sort_unstable();
        assert_eq!(keys, sorted);

        let listing = listing(object);
        let proved = verify(&filter.declaration, &listing).unwrap();
        let report = proved.report();
        let outputs: Vec<_> = filter.declaration.outputs.iter().map(|output| output.reg).collect();
        assert_eq!(object["verified"], true);
        assert_eq!(object["macros"], report.macros);
        assert_eq!((&object["words"], &object["instructions"]), (&report.icws.into(), &listing.len().into()));
        assert_eq!(object["peak_gain"], report.peak_gain.to_string());
        for (reg, left) in object["offset_error"].as_object().unwrap() {
            assert_eq!(*left, report.offset_error(reg.parse().unwrap()).unwrap().to_string());
        }
        let (found, expected) = (object["noise"].as_f64().unwrap(), noise(&listing, &outputs).unwrap());
        assert!((found - expected).abs() <= 1e-6 * expected, "{found} {expected}");
        assert!(object["noise"].to_string().len() <= 9, "{found}");
        assert!(object["lower_bound"].as_u64() <= object["macros"].as_u64());
        assert!(object["depth"].as_u64() <= object["macros"].as_u64());
        assert!(object["nodes"].as_u64() <= Some(500));
        let moment = |key: &str| object[key].as_f64().unwrap();
        assert!(moment("ms_to_first") <= moment("ms_to_best") && moment("ms_to_best") <= moment("ms"));
        assert!(["proved", "nodes", "patience", "exhausted"].contains(&object["stop"].as_str().unwrap()));
    }
    let choice = |i: usize| (objects[i]["isa"].as_str().unwrap(), objects[i]["objective"].as_str().unwrap());
    assert_eq!([choice(0), choice(1), choice(2)], [("macro", "macros"), ("macro", "icws"), ("basic", "macros")]);
}

/// What is in the opening book takes no search, unless that is asked for.
#[test]
fn the_opening_book_is_left_out_on_demand() {
    let folder = Folder::new(
        "[gauss]\ninputs = [\"A\"]\noutputs.A = { scale = \"1/16\", kernel = [[1, 2, 1], [2, 4, 2], [1, 2, 1]] }\n",
    );
    let found = |args: &[&str]| {
        let object = folder.cain(&[&["compile", "kernels.toml", "--json", "--nodes", "300"], args].concat()).good();
        let object: Value = serde_json::from_str(&object).unwrap();
        (object["stop"].as_str().unwrap().to_owned(), object["nodes"].as_u64().unwrap())
    };
    assert_eq!(found(&[]), ("book".to_owned(), 0));
    assert_eq!(found(&["--no-book"]), ("nodes".to_owned(), 300));
    let shown = folder.cain(&["show", "kernels.toml", "--nodes", "300", "--no-book"]).good();
    assert!(shown.contains("best within 300 search nodes"), "{shown}");
}

/// The keys are in documented order, which the parser above does not preserve.
#[test]
fn keys_have_an_order() {
    let stdout = Folder::new(FILE).cain(&["compile", "kernels.toml", "gauss", "--json", "--nodes", "300"]).good();
    let places: Vec<usize> = KEYS.iter().map(|key| stdout.find(&format!("\"{key}\":")).expect(key)).collect();
    assert!(places.is_sorted(), "{stdout}");
}

#[test]
fn approximation_reports_its_error() {
    let text =
        "[f]\ninputs = [\"A\"]\noutputs.A.kernel = [[0.11, 0.52, 0.13]]\napproximate = { depth = 5, error = 0.05 }\n";
    let folder = Folder::new(text);
    let object = folder.cain(&["compile", "kernels.toml", "--json", "--nodes", "300"]).good();
    let object: Value = serde_json::from_str(&object).unwrap();
    assert_eq!(object["approximated"], serde_json::json!({ "depth": 3, "error": "1/25" }));
    let listing = folder.cain(&["compile", "kernels.toml", "--listing", "--nodes", "300"]).good();
    assert!(listing.contains("\n// f\n// weights in multiples of 1/2^3, moved by 1/25 in all\n"), "{listing}");
}

#[test]
fn names_choose_filters_and_their_order() {
    assert_eq!(names(&objects(&["gradient", "gauss", "gradient", "--nodes", "300"])), ["gradient", "gauss"]);
}

#[test]
fn options_override_the_file() {
    let objects = objects(&["gauss", "gradient", "--isa", "basic", "--objective", "macros", "--nodes", "20_0"]);
    for object in &objects {
        assert_eq!((&object["isa"], &object["objective"]), (&"basic".into(), &"macros".into()));
        assert!(object["nodes"].as_u64() <= Some(200));
    }
}

#[test]
fn the_budget_of_the_file_counts() {
    assert!(objects(&["gradient"])[0]["nodes"].as_u64() <= Some(300));
}

/// A filter with practically unlimited things to try.
const HARD: &str = r#"
[hard]
inputs = ["A"]
outputs.A = { scale = "1/64", kernel = [[0, 1, 2, 1, 0], [1, 4, 6, 4, 1], [2, 6, 10, 6, 2], [1, 4, 6, 4, 1], [0, 1, 2, 1, 0]] }
outputs.B = { scale = "1/8", kernel = [[4, 3, 4], [1, 6, 4], [1, 4, 4]] }
search = { isa = "macro", offset = "any", max_gain = "any" }
"#;

/// Expects one object, whose program is right although the search was cut short for this reason.
#[track_caller]
fn expect_cut(stdout: &str, stop: &str) {
    let object: Value = serde_json::from_str(stdout).unwrap();
    assert_eq!(object["stop"], stop);
    let milliseconds = object["ms"].as_f64().unwrap();
    assert!((500.0..10_000.0).contains(&milliseconds), "{milliseconds}");
    verify(&kernel_file::parse(HARD).unwrap()[0].declaration, &listing(&object)).unwrap();
}

#[test]
fn time_ends_a_long_search_with_the_best_program() {
    let args = ["compile", "kernels.toml", "--time", "0.5", "--nodes", "1_000_000_000", "--patience", "any", "--json"];
    expect_cut(&Folder::new(HARD).cain(&args).good(), "time");
}

#[test]
#[cfg(unix)]
fn so_does_ctrl_c() {
    let folder = Folder::new(HARD);
    let mut command =
        folder.command(&["compile", "kernels.toml", "--nodes", "1_000_000_000", "--patience", "any", "--json"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    sleep(Duration::from_secs(1));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let run = Run::from(output);
    assert_eq!(run.stderr, "kernels.toml:2:2: filter `hard`: this is the best program found before Ctrl-C\n");
    expect_cut(&run.stdout, "interrupted");
}

#[test]
fn threads_change_nothing() {
    let run = |threads| objects(&["--nodes", "300", "--threads", threads]);
    let strip = |object: &Value| (object["parts"].clone(), object["nodes"].clone(), object["stop"].clone());
    assert!(run("1").iter().map(strip).eq(run("8").iter().map(strip)));
}

#[test]
fn people_get_a_table() {
    let stdout = Folder::new(FILE).cain(&["compile", "kernels.toml", "--nodes", "300", "--listing"]).good();
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(lines[0].starts_with("filter    macros    ICWs"), "{stdout}");
    assert!(lines[2].starts_with("sobel_xy") && lines[4].starts_with("gradient"), "{stdout}");
    assert!(lines[..5].iter().all(|line| line.chars().count() == lines[0].chars().count()), "{stdout}");
    let listings: Vec<&&str> = lines[5..].iter().filter(|line| !line.is_empty() && !line.starts_with("//")).collect();
    assert!(listings.iter().all(|line| line.parse::<Instruction>().is_ok()), "{stdout}");
    assert!(stdout.contains("\n// gauss\n"));
}

#[test]
fn help_has_examples() {
    let folder = Folder::new("");
    for command in ["compile", "bench"] {
        let help = folder.cain(&[command, "--help"]).good();
        assert!(help.contains("Examples:") && help.contains(&format!("cain {command}")), "{help}");
    }
    assert!(folder.cain(&["--help"]).good().contains("bench"));
}
