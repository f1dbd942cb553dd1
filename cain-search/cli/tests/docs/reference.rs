//! Tests that the chapter on the command names everything that the command prints: every field of JSON, every column,
//! and nothing else.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use tempfile::TempDir;

use crate::root;

const PROGRAM: &str = "program = 'program bright(image) -> (mask) { let mask = image > 0; }'\n";

const FILTERS: &str = concat!(
    "\
[analogue]
inputs = [\"A\"]
outputs.A.kernel = [[0, \"1/3\", 0]]
approximate = { depth = 2, error = 1 }
[digital]
inputs = [\"A\"]
bits = { A = 1 }
outputs.B.kernel = [[1]]
search.isa = \"digital\"
[spread]
inputs = [\"A\"]
outputs.B.kernel = [[1, 0, 0]]
superpixel.order = [[1, 2], [4, 3]]
search.isa = \"superpixel\"
",
    "[network.sums]\ninput = { size = [4, 4], levels = \"-60..60\" }\nsearch.nodes = 50\n",
    "[[network.sums.layer]]\nname = \"sum\"\nop = \"windows\"\nsize = 4\n",
    include_str!("../../../../tests/corpus/in_pixel.toml")
);
/// A filter without approximation that is not digital, as all commands accept it.
const ANALOGUE: &str = "[east]\ninputs = [\"A\"]\noutputs.A.kernel = [[0, 0, 1]]\n";

/// The words in the first column of the tables of a section.
fn documented(section: &str) -> BTreeSet<String> {
    let page = fs::read_to_string(root().join("docs/command.md")).unwrap();
    let (_, section) = page.split_once(&format!("\n## {section}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    cells.flat_map(|cell| cell.trim_end_matches('`').split("`, `").map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// The output of a command in a folder with these filters.
fn printed(filters: &str, args: &[&str]) -> String {
    printed_in(&tempfile::tempdir().unwrap(), filters, args)
}

/// The output in a folder that has other files too.
fn printed_in(folder: &TempDir, filters: &str, args: &[&str]) -> String {
    fs::write(folder.path().join("kernels.toml"), filters).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_cain")).args(args).current_dir(folder).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap()
}

#[test]
fn fields() {
    let objects = printed(FILTERS, &["compile", "kernels.toml", "--json"]);
    let fields: BTreeSet<String> = objects
        .lines()
        .flat_map(|line| serde_json::from_str::<serde_json::Map<_, _>>(line).unwrap())
        .map(|(field, _): (String, serde_json::Value)| field)
        .collect();
    assert_eq!(fields, documented("Fields of JSON"));
}

/// The fields of an object and of its first plane.
#[test]
fn fields_of_a_run() {
    let args =
        ["run", "kernels.toml", "--size", "8", "--model", "measured", "--compare", "--json", "--image", "pictures"];
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("pictures")).unwrap();
    fs::write(folder.path().join("pictures/one.pgm"), "P2 1 1 255 7").unwrap();
    let object: serde_json::Value = serde_json::from_str(&printed_in(&folder, ANALOGUE, &args)).unwrap();
    let planes = object["planes"].as_object().unwrap().values().next().unwrap();
    let fields = [&object, planes].into_iter().flat_map(|object| object.as_object().unwrap().keys().cloned());
    assert_eq!(fields.collect::<BTreeSet<_>>(), documented("Fields of `cain run --json`"));
}

#[test]
fn columns() {
    let mut titles = BTreeSet::new();
    for (filters, args) in [
        (FILTERS, &["compile", "kernels.toml"][..]),
        (PROGRAM, &["compile", "kernels.toml"]),
        (ANALOGUE, &["pin", "kernels.toml"]),
        (ANALOGUE, &["bench", "kernels.toml"]),
        (ANALOGUE, &["bench", "kernels.toml", "--isa", "native"]),
        (ANALOGUE, &["run", "kernels.toml", "--size", "8", "--model", "measured", "--compare"]),
    ] {
        let text = printed(filters, args);
        let lines: Vec<&str> = text.lines().collect();
        let is_head = |line: &str| {
            let first = [
                "filter ",
                "name ",
                "digital filter ",
                "super-pixel filter ",
                "network ",
                "in-pixel network ",
                "plane ",
                "program ",
                "function ",
            ];
            first.iter().any(|first| line.starts_with(first))
        };
        // The table of costs has no line below its titles.
        let is_table = |pair: &&[&str]| is_head(pair[0]) && (pair[1].starts_with("---") || pair[0].contains("calls"));
        let heads = lines.windows(2).filter(is_table).map(|pair| pair[0]);
        titles.extend(heads.flat_map(|head| columns_of(head, &documented("Columns of tables"))));
    }
    assert_eq!(titles, documented("Columns of tables"));
}

/// The titles of a table. Some contain spaces, so the longest known one is taken at each place.
fn columns_of(head: &str, known: &BTreeSet<String>) -> Vec<String> {
    let mut titles = Vec::new();
    let mut rest = head.trim();
    while !rest.is_empty() {
        let starts =
            |title: &&String| rest.strip_prefix(title.as_str()).is_some_and(|rest| !rest.starts_with(|c| c != ' '));
        let title = known.iter().filter(starts).max_by_key(|title| title.len());
        let title = title.unwrap_or_else(|| panic!("a column of `{head}` is not in docs/command.md: `{rest}`"));
        titles.push(title.clone());
        rest = rest[title.len()..].trim_start();
    }
    titles
}
