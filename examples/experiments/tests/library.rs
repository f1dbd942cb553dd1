//! The page of public programs against the list that it is made of, and how pages are made.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cain_runtime::pictures::Image;
use toml::Value;

/// The checkout.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The groups of the list, each with its kind and its rows.
fn groups() -> Vec<(String, Vec<Value>)> {
    let list: Value = toml::from_str(&read("examples/programs/library.toml")).unwrap();
    let group =
        |group: &Value| (group["kind"].as_str().unwrap().to_owned(), group["program"].as_array().unwrap().clone());
    list["group"].as_array().unwrap().iter().map(group).collect()
}

/// The cells of all lines of tables with so many columns, without titles.
fn cells(page: &str, columns: usize) -> Vec<Vec<&str>> {
    let lines = page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows = lines.map(|line| line.split(" | ").map(str::trim).collect::<Vec<_>>());
    let rows = rows.filter(|row| row.len() == columns);
    rows.filter(|row| !["public program", "what"].contains(&row[0])).collect()
}

/// The number that a text begins with.
fn number(text: &str) -> u64 {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("no number in `{text}`"))
}

fn percent(part: u64, of: u64) -> String {
    format!("{} %", (200 * part + of) / (2 * of))
}

/// What stands in brackets behind each `](`.
fn targets(page: &str) -> Vec<&str> {
    page.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()).collect()
}

#[test]
fn links_and_pictures() {
    let page = read("docs/library.md");
    let targets: BTreeSet<&str> = targets(&page).into_iter().collect();
    for target in &targets {
        assert!(root().join("docs").join(target).is_file(), "{target}");
    }
    let names = |folder: &str, prefix: &str, ending: &str| -> BTreeSet<String> {
        let files = fs::read_dir(root().join(folder)).unwrap().map(|file| file.unwrap().file_name());
        let files = files.map(|name| name.into_string().unwrap()).filter(|name| name.ends_with(ending));
        files.map(|name| format!("{prefix}{name}")).collect()
    };
    for file in names("examples/programs", "../examples/programs/", ".cain") {
        assert!(targets.contains(&*file), "{file} is not on the page");
    }
    let pictures = names("docs/library", "library/", "");
    let shown: BTreeSet<String> =
        targets.iter().filter(|target| target.starts_with("library/")).map(ToString::to_string).collect();
    assert_eq!(pictures, shown);
}

#[test]
fn rows_are_those_of_the_list() {
    let page = read("docs/library.md");
    let lines = cells(&page, 8);
    let rows: Vec<Value> = groups().into_iter().flat_map(|(_, rows)| rows).collect();
    assert_eq!(lines.len(), rows.len());
    for (line, row) in lines.iter().zip(&rows) {
        let text = |key: &str| row.get(key).and_then(Value::as_str);
        assert_eq!(line[0], text("of").unwrap_or_default(), "{line:?}");
        assert!(line[3].starts_with(text("what").unwrap()), "{line:?}");
        assert!(line[3].contains(text("note").unwrap_or_default()), "{line:?}");
        let Some(program) = text("program") else {
            assert!(text("note").is_some(), "{line:?}");
            assert_eq!([line[1], line[2], line[4], line[7]], [""; 4], "{line:?}");
            continue;
        };
        let (file, name) = program.split_once(':').unwrap_or((program, program));
        assert_eq!(line[1], format!("[`{name}`](../examples/programs/{file}.cain)"));
        assert!(line[2].ends_with(&format!("(library/{}.png)", program.replace(':', "-"))), "{line:?}");
        let source = read(&format!("examples/programs/{file}.cain"));
        assert!(source.contains(&format!("program {name}(")), "{line:?}");
        assert!(number(line[7]) > 0 && line[7].contains(" in "), "{line:?}");
        let hand = row.get("hand").map(|hand| {
            let part = |key: &str| hand.get(key).and_then(Value::as_integer).unwrap_or(0);
            let calls = [(part("levels"), "L"), (part("regions"), "R")];
            let calls = calls.iter().filter(|(number, _)| *number > 0);
            calls.fold(part("words").to_string(), |text, (number, kind)| format!("{text} + {number}{kind}"))
        });
        assert_eq!(line[5], hand.unwrap_or_default(), "{line:?}");
        let ratio = match line[5] {
            "" => String::new(),
            hand if number(hand) == 0 => String::new(),
            hand => percent(number(line[4]), number(hand)),
        };
        assert_eq!(line[6], ratio, "{line:?}");
    }
}

#[test]
fn sums_are_those_of_the_rows() {
    let page = read("docs/library.md");
    let groups = groups();
    let public = |kinds: &[&str]| -> Vec<&Value> {
        let rows = groups.iter().filter(|(kind, _)| kinds.contains(&&**kind)).flat_map(|(_, rows)| rows);
        rows.filter(|row| row.get("of").is_some()).collect()
    };
    let with_code = public(&["code"]).len();
    assert_eq!((with_code, public(&["paper"]).len()), (63, 2));
    let mut computing = public(&["code", "paper"]);
    computing.retain(|row| row.get("computes") != Some(&Value::Boolean(false)));
    let declared = computing.iter().filter(|row| row.get("program").is_some()).count();
    assert!(declared >= 56, "{declared} are declared");
    let compared: Vec<(u64, u64)> = cells(&page, 8)
        .iter()
        .filter(|line| !line[4].is_empty() && !line[5].is_empty())
        .map(|line| (number(line[4]), number(line[5])))
        .collect();
    let (words, hand) = compared.iter().fold((0, 0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    let above = compared.iter().filter(|(words, hand)| words > hand).count();
    let wanted = format!(
        "Of {with_code} public programs with code and two from papers, {} compute something; **{declared}** of these are \
         declared. {} rows have a count by hand for what is in the picture: {words} words against {hand}, {}, and {above} of \
         them take more than by hand.",
        computing.len(),
        compared.len(),
        percent(words, hand)
    );
    assert!(page.contains(&wanted), "{wanted}");
}

/// The figures that the library was measured by: at most 70 % of the words by hand in sum, and none above.
#[test]
fn figures_by_hand() {
    let page = read("docs/library.md");
    let lines = cells(&page, 4);
    let (sum, lines) = lines.split_last().unwrap();
    assert_eq!((sum[0], lines.len()), ("sum", 10));
    let add = |column: usize| lines.iter().map(|line| number(line[column])).sum::<u64>();
    assert_eq!((number(sum[1]), number(sum[2])), (add(1), add(2)));
    for line in lines.iter().chain([sum]) {
        assert_eq!(line[3], percent(number(line[1]), number(line[2])), "{line:?}");
        assert!(number(line[1]) <= number(line[2]), "{line:?}");
    }
    assert!(10 * add(1) <= 7 * add(2));
    let list: Value = toml::from_str(&read("examples/programs/library.toml")).unwrap();
    let rows = cells(&page, 8);
    for (line, anchor) in lines.iter().zip(list["anchor"].as_array().unwrap()) {
        assert_eq!(line[0], anchor["what"].as_str().unwrap());
        if let Some(program) = anchor.get("row").and_then(Value::as_str) {
            let picture = format!("(library/{}.png)", program.replace(':', "-"));
            let row = rows.iter().find(|row| row[2].ends_with(&picture)).unwrap();
            assert_eq!([line[1], line[2]], [row[4], row[5]]);
        } else {
            assert_eq!(line[2], anchor["hand"]["words"].as_integer().unwrap().to_string());
        }
    }
}

/// A checkout with a list of one program, on what it sees.
fn made(picture: &str) -> (tempfile::TempDir, Output) {
    let folder = tempfile::tempdir().unwrap();
    for part in ["examples/programs", "examples/images"] {
        fs::create_dir_all(folder.path().join(part)).unwrap();
    }
    fs::copy(root().join("examples/images/village.png"), folder.path().join("examples/images/village.png")).unwrap();
    let text = "program found(image, threshold: 0..=100 = 20) -> (bright, box, number) {\n let bright = image > threshold;\n \
                let box = bounds(bright);\n let number = count(bright);\n}\n";
    fs::write(folder.path().join("examples/programs/found.cain"), text).unwrap();
    let list = format!(
        "[[group]]\ntitle = 'Some'\nkind = 'code'\ntext = 'These.'\n[[group.program]]\nof = 'EX'\nwhat = 'what is bright'\n\
         program = 'found'\nhand = {{ words = 12, levels = 2 }}\npicture = {{ {picture} }}\n[[anchor]]\nwhat = 'it'\nrow = 'found'\n"
    );
    fs::write(folder.path().join("examples/programs/library.toml"), list).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cain-experiments"));
    let output = command.args(["library", "--root", ".", "--out", "out"]).current_dir(&folder).output().unwrap();
    (folder, output)
}

#[test]
fn a_page_with_a_picture() {
    let picture = "sees = 'moving square', frames = [{}, { threshold = 50 }], shown = ['entry+box', 'bright']";
    let (folder, output) = made(picture);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(folder.path().join("out/library.md")).unwrap();
    assert!(
        page.contains("what is bright; `box` is 100 64 139 103, `number` is 1600 | 3 + 1L | 12 + 2L | 25 % |"),
        "{page}"
    );
    let picture = Image::open(&folder.path().join("out/library/found.png"), 260, 128).unwrap();
    let at = |row: usize, column: usize| picture.bytes()[row * 260 + column];
    // In the second frame the square is in rows 100 to 139 and in columns 64 to 103: half of that in tiles.
    assert_eq!([at(60, 132 + 40), at(60, 132 + 31), at(60, 132 + 52), at(49, 132 + 40)], [255, 0, 0, 0]);
    // The rectangle is neither black nor white.
    assert!(at(50, 40) < 200 && at(55, 40) > 220 && at(60, 60) < 120, "{:?}", [at(50, 40), at(55, 40), at(60, 60)]);
}

#[test]
fn mistakes_in_the_list() {
    for (picture, problem) in [
        ("sees = 'nothing', shown = ['entry']", "found: unknown scene `nothing`"),
        ("sees = 'village', shown = ['dark']", "found: no result `dark`"),
        ("sees = 'village', shown = ['number']", "found: `number` is no plane"),
        ("sees = 'village', shown = ['entry+bright']", "found: `bright` is no list or rectangle"),
        ("sees = 'village', set = { low = 3 }, shown = ['entry']", "found: found: no parameter `low`"),
        ("sees = 'village', set = { threshold = 101 }, shown = ['entry']", "`threshold` is 101"),
        ("sees = 'village'", "found: nothing is shown of it"),
        ("sees = 'village', show = ['entry']", "unknown field `show`"),
    ] {
        let (folder, output) = made(picture);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(problem), "{picture}: {errors}");
        assert!(!folder.path().join("out/library.md").exists());
    }
}
