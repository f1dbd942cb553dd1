//! Tests of `cain bench`.

use crate::Folder;

#[test]
fn the_public_cases_are_compared_with_published_figures() {
    let run = Folder::new("").cain(&["bench", "--nodes", "60"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let cells = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert!(lines[0].starts_with("filter"));
    let gauss = lines.iter().find(|line| line.starts_with("gauss3 ")).unwrap();
    let gauss = cells(gauss);
    assert_eq!(gauss[..4], ["gauss3", "10", "10", "8"]);
    assert_eq!(gauss[4].parse::<i32>().unwrap() - 8, gauss[5].parse::<i32>().unwrap());
    assert_eq!(lines.len(), 2 + 17 + 2, "{}{}", run.stdout, run.stderr);
    assert!(lines.last().unwrap().starts_with("sum of 17"));
    assert!(run.succeeded);
}

#[test]
fn own_files_have_no_target() {
    let folder = Folder::new("[gauss3]\ninputs = [\"A\"]\noutputs.A.kernel = [[1, 0, 1]]\n");
    let stdout = folder.cain(&["bench", "kernels.toml", "--nodes", "100"]).good();
    let row = stdout.lines().nth(2).unwrap();
    assert_eq!(row.split_whitespace().take(4).collect::<Vec<_>>(), ["gauss3", "-", "-", "-"]);
    let wrong = folder.cain(&["bench", "kernels.toml", "missing.toml"]);
    assert_eq!(wrong.bad().len(), 1);
    assert_eq!(wrong.stdout, "");
}

/// With words of 1 µs, microseconds equal words.
#[test]
fn time_is_that_of_the_machine() {
    let kernels = "[machine]\nnanoseconds = { analogue = 1000 }\n\
                   [negative]\ninputs = [\"A\"]\nkeep = [\"A\"]\noutputs.B.kernel = [[-1]]\n";
    let stdout = Folder::new(kernels).cain(&["bench", "kernels.toml", "--isa", "native"]).good();
    let row: Vec<&str> = stdout.lines().nth(2).unwrap().split_whitespace().collect();
    let words = [row[2], row[3], row[4]].map(|words| format!("{words}.0")).join("/");
    assert_eq!(row[8], words, "{stdout}");
}

#[test]
fn sums_of_nothing_are_zero() {
    let folder =
        Folder::new("[mean]\ninputs = [\"A\"]\nscratch = []\noutputs.A.kernel = [[1, 3, 1], [3, 5, 3], [1, 3, 1]]\n");
    for isa in ["macro", "native"] {
        let run = folder.cain(&["bench", "kernels.toml", "--nodes", "1", "--isa", isa]);
        assert!(!run.succeeded);
        let sums = run.stdout.lines().last().unwrap();
        assert!(sums.starts_with("sum of 0") && sums.contains("0.0") && !sums.contains("-0.0"), "{sums}");
    }
}
