//! Build scripts.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use cain_build::{Config, Error};
use tempfile::TempDir;

const EAST: &str = "[east]\ninputs = [\"A\"]\noutputs.A.kernel = [[0, 0, 1]]\n";

/// A folder with these kernel files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Compiles files of a folder into it.
fn compile(folder: &TempDir, files: &[&str]) -> Result<(), Error> {
    let files: Vec<PathBuf> = files.iter().map(|file| folder.path().join(file)).collect();
    Config::new().out_dir(folder.path()).compile(&files)
}

/// The lines of an error, without the path of the folder.
fn lines(error: &Error, folder: &TempDir) -> Vec<String> {
    assert_eq!(error.to_string(), format!("{error:?}"));
    let folder = format!("{}/", folder.path().display());
    error.to_string().replace(&folder, "").lines().map(str::to_owned).collect()
}

#[test]
fn files_are_written_only_if_they_change() {
    let folder = folder(&[("a.toml", EAST), ("b.c.toml", EAST)]);
    let changed = |name: &str| fs::metadata(folder.path().join(name)).unwrap().modified().unwrap();
    compile(&folder, &["a.toml", "b.c.toml"]).unwrap();
    // The clock of a file system may be coarser than two builds are apart.
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for name in ["a.rs", "b.c.rs"] {
        File::options().write(true).open(folder.path().join(name)).unwrap().set_modified(long_ago).unwrap();
    }
    let west = EAST.replace("[0, 0, 1]", "[1, 0, 0]");
    fs::write(folder.path().join("a.toml"), format!("# The same.\n{EAST}")).unwrap();
    fs::write(folder.path().join("b.c.toml"), west).unwrap();
    compile(&folder, &["a.toml", "b.c.toml"]).unwrap();
    assert_eq!(changed("a.rs"), long_ago);
    assert_ne!(changed("b.c.rs"), long_ago);
    assert!(fs::read_to_string(folder.path().join("b.c.rs")).unwrap().contains("[1 0 0] * A"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
}

/// One line per problem in any file, and no output at all.
#[test]
fn mistakes() {
    let other = EAST.replace("inputs", "imputs").replace("[0, 0, 1]", "[nan]");
    // The mark that some editors begin files with takes no column.
    let bad = format!("\u{feff}{other}");
    let folder = folder(&[("good.toml", EAST), ("bad.toml", &bad), ("empty.toml", "")]);
    let error = compile(&folder, &["good.toml", "bad.toml", "empty.toml", "missing.toml"]).unwrap_err();
    let lines = lines(&error, &folder);
    assert_eq!(
        lines[..4],
        [
            "bad.toml:1:2: filter `east` has no inputs; add `inputs = [\"A\"]`",
            "bad.toml:2:1: `east`: unknown key `imputs`; did you mean `inputs`?",
            "bad.toml:3:22: `east.outputs.A.kernel`: expected a number such as `3`, `\"-1/16\"` or `0.125`, found `nan`",
            "empty.toml:1:1: the file has no filter; add a table such as `[gauss]` with `inputs` and `outputs`",
        ]
    );
    assert!(lines[4].starts_with("missing.toml: cannot be read: ") && lines.len() == 5, "{error}");
    assert!(!folder.path().join("good.rs").exists());
}

/// What follows the line break would be an instruction to cargo.
#[test]
#[cfg(unix)]
fn paths_with_line_breaks() {
    let name = "a\ncargo::rustc-env=EVIL=1\n.toml";
    let folder = folder(&[(name, EAST)]);
    let error = compile(&folder, &[name]).unwrap_err();
    assert_eq!(
        lines(&error, &folder),
        [
            "`a\\ncargo::rustc-env=EVIL=1\\n.toml` has a line break, and cargo cannot be told to watch such a path; rename it"
        ]
    );
}

#[test]
fn wrong_use() {
    let folder = folder(&[("a.toml", EAST)]);
    let error = Config::new().compile(&[folder.path().join("a.toml")]).unwrap_err();
    assert_eq!(error.to_string(), "`OUT_DIR` is not set; call this from a build script, or set `out_dir`");
    let error = compile(&folder, &["a.toml", "b/a.toml"]).unwrap_err();
    assert_eq!(lines(&error, &folder), ["`a.toml` and `b/a.toml` would be included under the same name; rename one"]);
    let error = Config::new().compile(&[Path::new("..")]).unwrap_err();
    assert_eq!(error.to_string(), "`..` does not name a kernel file; expected a path such as `kernels.toml`");
    let error = Config::new().runtime("a b").compile(&[Path::new("a.toml")]).unwrap_err();
    assert_eq!(error.to_string(), "`a b` is not the path of a crate; expected one such as `::cain_runtime`");
    fs::create_dir(folder.path().join("a.rs")).unwrap();
    let error = compile(&folder, &["a.toml"]).unwrap_err();
    assert!(lines(&error, &folder)[0].starts_with("cannot write `a.rs`: "), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    let missing = folder.path().join("missing");
    let error = Config::new().out_dir(&missing).compile(&[folder.path().join("a.toml")]).unwrap_err();
    assert!(lines(&error, &folder)[0].starts_with("cannot write `missing/a.rs`: "), "{error}");
}
