//! Tests of native programs: single control words.

use crate::Folder;
use serde_json::Value;

const CASES: [(&str, &str); 3] = [
    ("table1.toml", include_str!("../../cases/table1.toml")),
    ("analognavnet.toml", include_str!("../../cases/analognavnet.toml")),
    ("classic.toml", include_str!("../../cases/classic.toml")),
];

/// The objects of a run over one case file.
#[track_caller]
fn objects(text: &str, args: &[&str]) -> Vec<Value> {
    let stdout = Folder::new(text).cain(&[&["compile", "kernels.toml", "--json"], args].concat()).good();
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_public_case_has_a_native_program_that_is_no_longer() {
    for (file, text) in CASES {
        let macros = objects(
            text,
            &["--isa", "macro", "--offset", "any", "--max-gain", "any", "--objective", "icws", "--nodes", "60"],
        );
        for rule in ["any", "cancelled"] {
            let words = objects(text, &["--offset", rule, "--max-gain", "any", "--nodes", "1000"]);
            assert_eq!(words.len(), macros.len(), "{file}");
            for (native, other) in words.iter().zip(&macros) {
                let name = &native["name"];
                assert_eq!((&native["isa"], &native["objective"]), (&"native".into(), &"icws".into()), "{name}");
                assert_eq!((&native["macros"], &native["verified"]), (&Value::Null, &true.into()), "{name}");
                let listing = native["parts"][0]["listing"].as_array().unwrap();
                assert!(listing.iter().all(|line| line.as_str().unwrap().starts_with("bus")), "{name}: {listing:?}");
                assert_eq!(native["words"], listing.len(), "{name}");
                assert!(native["words"].as_u64() <= other["words"].as_u64(), "{name}: {} words", native["words"]);
                let offset_errors = native["offset_error"].as_object().unwrap();
                assert!(!offset_errors.is_empty());
                assert!(rule == "any" || offset_errors.values().all(|left| left == "0"), "{name}: {offset_errors:?}");
            }
        }
    }
}

#[test]
fn a_kernel_file_can_ask_for_it() {
    let file = "[mean]\ninputs = [\"A\"]\noutputs.B = { scale = \"1/3\", kernel = [[1, 1, 1]] }\n";
    let run = Folder::new(format!("{file}search.isa = \"macro\"\n")).cain(&["compile", "kernels.toml"]);
    let problem = run.bad();
    assert!(
        problem[0].contains("denominator 3 is not a power of two, and macro instructions only halve"),
        "{problem:?}"
    );
    let native = format!("{file}search = {{ isa = \"native\", offset = \"any\", max_gain = \"any\", nodes = 500 }}\n");
    let mean = &objects(&native, &[])[0];
    assert!(mean["words"].as_u64().unwrap() <= 6, "{mean}");
    assert_ne!(mean["offset_error"]["B"], "0");
    let cancelled = &objects(&native, &["--offset", "cancelled"])[0];
    assert_eq!(cancelled["offset_error"]["B"], "0");
}

#[test]
fn the_comparison_has_all_three_sets() {
    let folder = Folder::new("[box]\ninputs = [\"A\"]\noutputs.A = { scale = 0.25, kernel = [[1, 1, 1]] }\n");
    let stdout = folder.cain(&["bench", "kernels.toml", "--isa", "native", "--nodes", "200"]).good();
    let cells: Vec<&str> = stdout.lines().nth(2).unwrap().split_whitespace().collect();
    // The columns are: filter, Cain, macro, basic, native.
    assert_eq!(cells[..2], ["box", "-"]);
    let words: Vec<u32> = cells[2..5].iter().map(|cell| cell.parse().unwrap()).collect();
    assert!(words[2] <= words[0] && words[0] <= words[1], "{stdout}");
    assert!(stdout.lines().next().unwrap().contains("noise m/b/n"));
}

/// The command line determines which weights are right, whatever the file says.
#[test]
fn thirds_are_right_where_the_command_line_asks_for_native_words() {
    let text = "[third]\ninputs = [\"A\"]\noutputs.B = { scale = \"1/3\", kernel = [[1, 1, 1]] }\n";
    let in_file = format!("{text}search.isa = \"native\"\n");
    let listing = |text: &str, args: &[&str]| objects(text, args)[0]["parts"].clone();
    assert_eq!(listing(text, &["--isa", "native"]), listing(&in_file, &[]));
    for args in [&["--isa", "macro"][..], &["--isa", "basic"]] {
        let run = Folder::new(&in_file).cain(&[&["compile", "kernels.toml"], args].concat());
        assert!(
            matches!(run.bad()[..], [line] if line.contains("denominator 3 is not a power of two")),
            "{}",
            run.stderr
        );
    }
}
