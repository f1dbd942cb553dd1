//! `cain bench`.

use crate::Folder;

#[test]
fn the_public_cases_are_compared_with_published_figures() {
    let run = Folder::new("").cain(&["bench", "--nodes", "500"]);
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
