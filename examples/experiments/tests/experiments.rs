//! Runs the experiments as users do.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// The folder in which the experiments run.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cain-experiments"));
        command.args(args).current_dir(&self.0);
        command
    }

    fn run(&self, args: &[&str]) -> Run {
        self.command(args).output().unwrap().into()
    }
}

/// The outcome of a run.
struct Run {
    succeeded: bool,
    stdout: String,
    stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { succeeded: output.status.success(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Run {
    /// The lines of the standard error of a run that failed.
    #[track_caller]
    fn bad(&self) -> Vec<&str> {
        assert!(!self.succeeded, "{}", self.stdout);
        self.stderr.lines().collect()
    }
}

/// Small runs of all experiments.
const SMALL: [(&str, [&str; 4]); 3] = [
    ("nodes", ["--size", "3", "--nodes", "200"]),
    ("kernels", ["--size", "2", "--nodes", "200"]),
    ("joint", ["--size", "1", "--nodes", "100"]),
];

/// Runs an experiment that writes into the folder `plots`.
fn experiment(folder: &Folder, name: &str, args: &[&str]) -> Run {
    folder.run(&[&[name, "--out", "plots"], args].concat())
}

fn read(folder: &Folder, file: &str) -> String {
    fs::read_to_string(folder.0.path().join("plots").join(file)).unwrap()
}

/// The names of the files in `plots`, in order.
fn files(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.0.path().join("plots")).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The cells of a CSV file, with the titles.
fn cells(csv: &str) -> Vec<Vec<&str>> {
    csv.lines().map(|line| line.split(',').collect()).collect()
}

/// Expects that every element is closed, that there is one root, and that texts have no stray markup.
#[track_caller]
fn expect_well_formed(svg: &str) {
    let mut open = Vec::new();
    for piece in svg.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect(piece);
        let text =
            ["&lt;", "&gt;", "&amp;", "&quot;"].iter().fold(text.to_owned(), |text, code| text.replace(code, ""));
        assert!(!text.contains(['>', '&']), "{text}");
        let name = tag.split_whitespace().next().unwrap();
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            assert!(name == "svg" || !open.is_empty(), "{tag}");
            open.push(name);
        }
    }
    assert!(open.is_empty() && svg.starts_with("<svg "));
}

#[test]
fn every_experiment_writes_its_plot_and_table_and_always_the_same() {
    let folder = Folder::new();
    for (name, args) in SMALL {
        let run = experiment(&folder, name, &args);
        assert!(run.succeeded, "{}", run.stderr);
        let files = ["svg", "csv"].map(|kind| format!("{name}.{kind}"));
        let [svg, csv] = files.each_ref().map(|file| read(&folder, file));
        expect_well_formed(&svg);
        assert!(files.iter().all(|file| run.stdout.contains(file)), "{}", run.stdout);

        let again = experiment(&folder, name, &[&args[..], &["--threads", "1"]].concat());
        assert_eq!(again.stdout, run.stdout);
        assert_eq!(files.each_ref().map(|file| read(&folder, file)), [svg, csv]);
    }
    assert_eq!(files(&folder), ["joint.csv", "joint.svg", "kernels.csv", "kernels.svg", "nodes.csv", "nodes.svg"]);
}

#[test]
fn longer_searches_are_never_worse() {
    let folder = Folder::new();
    let run = experiment(&folder, "nodes", &["--size", "5", "--nodes", "500"]);
    let csv = read(&folder, "nodes.csv");
    let rows = cells(&csv);
    assert_eq!(rows[0][..6], ["unit", "isa", "seed", "nodes", "found", "missing"]);
    assert_eq!(rows.iter().skip(1).map(|row| row[3]).collect::<Vec<_>>(), ["10", "30", "100", "300", "500"]);
    assert!(rows[1..].iter().all(|row| row[4..6] == ["5", "0"]), "{csv}");
    assert_eq!(run.stderr, "");
    let medians: Vec<f64> = rows[1..].iter().map(|row| row[9].parse().unwrap()).collect();
    assert!(medians.is_sorted_by(|shorter, longer| shorter >= longer), "{medians:?}");
    let svg = read(&folder, "nodes.svg");
    let labels = ["program length (macro instructions)", "budget of the search (nodes", "between the quartiles"];
    assert!(labels.iter().all(|label| svg.contains(label)), "{svg}");
}

#[test]
fn an_error_is_no_length() {
    let run = Folder::new().run(&["nodes", "--objective", "accuracy"]);
    assert!(run.bad()[0].contains("experiments are about lengths; expected `macros` or `icws`"), "{}", run.stderr);
}

#[test]
fn several_kernels_stand_beside_those_of_cain() {
    let folder = Folder::new();
    for (args, unit, means) in [
        (&["--objective", "macros"][..], "macros", ["12.90", "24.40", "40.20", "63.60"]),
        (&["--objective", "icws"], "icws", ["34.90", "58.00", "89.00", "136.00"]),
    ] {
        assert!(experiment(&folder, "kernels", &[&["--size", "1", "--nodes", "200"], args].concat()).succeeded);
        let csv = read(&folder, "kernels.csv");
        let rows = cells(&csv);
        assert!(rows[1..].iter().all(|row| row[0] == unit), "{csv}");
        assert_eq!(rows[1..].iter().map(|row| *row.last().unwrap()).collect::<Vec<_>>(), means);
        let svg = read(&folder, "kernels.svg");
        assert!(svg.contains("mean of Cain") && svg.contains("two workers"), "{svg}");
        assert!(svg.contains(if unit == "macros" { "\n63.6\n" } else { "\n136.0\n" }), "{svg}");
    }
    // Cain was run with all instructions only.
    let stdout = folder.run(&["kernels", "--size", "1", "--nodes", "200", "--isa", "basic"]).stdout;
    assert!(stdout.starts_with("kernels") && !stdout.contains("ain"), "{stdout}");
}

/// Even with the smallest budget, there is a program for every filter.
#[test]
fn one_node() {
    let folder = Folder::new();
    for (name, _) in SMALL {
        let run = experiment(&folder, name, &["--size", "1", "--nodes", "1"]);
        assert!(run.succeeded && run.stderr.is_empty(), "{}", run.stderr);
        expect_well_formed(&read(&folder, &format!("{name}.svg")));
    }
}

#[test]
fn one_kernel_is_the_same_separate_and_joint() {
    let folder = Folder::new();
    experiment(&folder, "joint", &SMALL[2].1);
    let csv = read(&folder, "joint.csv");
    let rows = cells(&csv);
    assert_eq!(rows[0][4..], ["kernels", "found", "missing", "separate_mean", "joint_mean", "saved_percent"]);
    assert_eq!(rows.len(), 1 + 10);
    assert_eq!((rows[1][7], rows[1][9]), (rows[1][8], "0.00"));
    let svg = read(&folder, "joint.svg");
    assert!(svg.contains("joint: one program") && svg.contains("registers A to R,"), "{svg}");
}

#[test]
fn seeds_give_other_kernels() {
    let folder = Folder::new();
    let table = |args: &[&str]| folder.run(&[&["nodes", "--nodes", "300"], args].concat()).stdout;
    assert_ne!(table(&["--size", "3", "--seed", "1"]), table(&["--size", "3", "--seed", "2"]));
    assert_eq!(table(&["--size", "3"]), table(&["--size", "3", "--seed", "1"]));
}

#[test]
fn without_a_folder_there_is_only_the_table() {
    let folder = Folder::new();
    let run = folder.run(&["nodes", "--size", "1", "--nodes", "100"]);
    assert!(run.succeeded && run.stdout.starts_with("nodes "), "{}", run.stdout);
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 0);
}

#[test]
fn bad_values() {
    for (args, message) in [
        (&["nodes", "--size", "0"][..], "an experiment needs at least one sample"),
        (&["nodes", "--nodes", "0"], "a search needs at least one node"),
        (&["joint", "--size", "many"], "expected a whole number such as 30"),
        (&["kernels", "--seed", "x"], "invalid value 'x' for '--seed <N>'"),
        (&["kernels", "--threads", "0"], "0 is not in 1..=1024"),
        (&["kernels", "--isa", "basics"], "unknown instruction set `basics`; did you mean `basic`?"),
        (&["nods"], "unrecognized subcommand 'nods'"),
        (&["curve", "--only", "one output"], "expected one of `all`, `1 output`, `2 outputs`"),
    ] {
        let folder = Folder::new();
        let to = if args[0] == "curve" { &[][..] } else { &["--out", "plots"] };
        let run = folder.run(&[args, to].concat());
        assert!(run.bad().iter().any(|line| line.contains(message)), "{}", run.stderr);
        assert_eq!(run.stdout, "");
        assert!(!folder.0.path().join("plots").exists());
    }
}

/// The error comes at once, not after minutes of searching.
#[test]
fn a_folder_that_cannot_be_written() {
    let folder = Folder::new();
    fs::write(folder.0.path().join("file"), "").unwrap();
    let run = folder.run(&["joint", "--out", "file/plots"]);
    assert!(matches!(run.bad().as_slice(), [line] if line.starts_with("file/plots: cannot be written: ")));
    assert_eq!(run.stdout, "");
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 1);
}

/// A folder has the name of the plot; no temporary file may remain.
#[test]
fn a_file_that_cannot_be_replaced() {
    let folder = Folder::new();
    let blocked = folder.0.path().join("plots").join("nodes.svg");
    fs::create_dir_all(blocked.join("full")).unwrap();
    let run = experiment(&folder, "nodes", &["--size", "1", "--nodes", "100"]);
    assert!(!run.succeeded);
    assert!(run.stderr.contains("plots: cannot be written: "), "{}", run.stderr);
    assert_eq!(files(&folder), ["nodes.svg"]);
}

#[cfg(unix)]
mod ctrl_c {
    use super::{Command, Folder, Path, Run, cells, files, read};
    use std::process::{Child, Stdio};
    use std::thread::sleep;
    use std::time::Duration;

    fn start(folder: &Folder, args: &[&str]) -> Child {
        let args = [&["nodes", "--out", "plots"], args].concat();
        folder.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn end(child: Child) -> Run {
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        child.wait_with_output().unwrap().into()
    }

    fn wait_for(path: &Path) {
        while !path.exists() {
            sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn ends_with_the_samples_that_are_complete() {
        let folder = Folder::new();
        let child = start(&folder, &["--size", "1_000_000", "--nodes", "300"]);
        sleep(Duration::from_secs(2));
        let run = end(child);
        let told = run.bad().last().unwrap().to_string();
        let done = told.strip_prefix("ended by Ctrl-C after ").and_then(|rest| rest.split(' ').next()).expect(&told);
        assert!(told.ends_with(&format!("these are the figures of `--size {done}`")), "{told}");
        let csv = read(&folder, "nodes.csv");
        assert_eq!(cells(&csv)[4][4], done);

        let again = super::experiment(&folder, "nodes", &["--size", done, "--nodes", "300"]);
        assert_eq!(again.stdout, run.stdout);
        assert_eq!(read(&folder, "nodes.csv"), csv);
    }

    #[test]
    fn leaves_nothing_if_no_sample_is_complete() {
        let folder = Folder::new();
        let child = start(&folder, &["--nodes", "1_000_000_000"]);
        wait_for(&folder.0.path().join("plots"));
        sleep(Duration::from_secs(1));
        let run = end(child);
        assert_eq!(run.bad(), ["no figures: Ctrl-C came before the first sample was complete"]);
        assert_eq!(run.stdout, "");
        assert_eq!(files(&folder), Vec::<String>::new());
    }
}

#[test]
fn help_has_examples() {
    let folder = Folder::new();
    let help = folder.run(&["--help"]);
    assert!(help.succeeded && help.stdout.contains("Examples:"), "{}", help.stderr);
    for (name, _) in SMALL {
        assert!(folder.run(&[name, "--help"]).stdout.contains("--out <DIR>"));
    }
}

/// The whole budget gains nothing over itself, and all shares are there.
#[test]
fn a_curve_falls() {
    let args = ["curve", "--size", "12", "--seed", "3", "--nodes", "300", "--only", "1 output"];
    let run = Folder::new().run(&args);
    assert!(run.succeeded, "{}", run.stderr);
    let cells = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let lines: Vec<_> = run.stdout.lines().collect();
    let titles = cells(lines[0]);
    assert_eq!(titles[..3], ["stratum", "cases", "at_1%"]);
    assert_eq!(titles.len(), 2 + 8 + 2 * 5);
    let all = cells(lines[1]);
    assert_eq!(all[0], "all");
    let shares: Vec<f64> = all[2..10].iter().map(|share| share.parse().unwrap()).collect();
    assert!(shares.is_sorted_by(|earlier, later| earlier >= later) && shares[7] >= 0.0, "{}", run.stdout);
    // So small a budget is spent whatever the patience.
    assert!(all[10..].iter().all(|cell| ["0", "0.00"].contains(&cell.as_str())), "{}", run.stdout);
    assert_eq!(Folder::new().run(&[&args[..], &["--threads", "1"]].concat()).stdout, run.stdout);
}

/// Rows of numbers in a file that `bags` writes.
fn rows(folder: &Folder, name: &str, columns: usize) -> Vec<Vec<i32>> {
    let bytes = fs::read(folder.0.path().join("sample").join(name)).unwrap();
    let numbers: Vec<i32> =
        bytes.chunks_exact(4).map(|number| i32::from_le_bytes(number.try_into().unwrap())).collect();
    assert_eq!(numbers.len() % columns, 0, "{name}");
    numbers.chunks_exact(columns).map(<[i32]>::to_vec).collect()
}

#[test]
fn bags_have_something_to_rank_in_each_layer() {
    let folder = Folder::new();
    let args = ["bags", "--size", "3", "--nodes", "300", "--out", "sample"];
    let run = folder.run(&args);
    assert!(run.succeeded, "{}", run.stderr);
    let (bags, goals) = (rows(&folder, "bags", 20), rows(&folder, "goals", 27));
    assert!(run.stdout.starts_with(&format!("{} bags in ", bags.len())), "{}", run.stdout);
    let layers = bags.chunk_by(|a, b| a[1] == b[1]);
    assert!(layers.clone().count() > 10);
    for layer in layers {
        let best = layer.iter().filter(|bag| bag[2] == 1).count();
        assert!(0 < best && best < layer.len(), "layer {}", layer[0][1]);
    }
    // Goals are in the order of their bags.
    assert!(goals.is_sorted_by_key(|goal| goal[0]));
    assert!(goals.iter().all(|goal| usize::try_from(goal[0]).is_ok_and(|bag| bag < bags.len())));
    // A second run gives the same files.
    folder.run(&args);
    assert_eq!((rows(&folder, "bags", 20), rows(&folder, "goals", 27)), (bags, goals));
}
