//! Replaces a folder that an earlier trace wrote, as a whole or not at all.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cain_codegen::draft::DraftFolder;
use cain_codegen::printable::Printable;
use cain_codegen::text_file;
use serde::Deserialize;

use crate::files::check_folder;

/// The file that lists all files of a trace.
pub(super) const LIST: &str = "trace.json";
/// The largest such list.
const MOST_BYTES: u64 = 1 << 24;
/// The most files that are looked at.
const MOST_FILES: usize = 1 << 20;

/// The part of the list that is read.
#[derive(Deserialize)]
struct Listed {
    files: BTreeSet<String>,
}

/// Fails if the folder cannot be written, or holds what no trace wrote.
pub(super) fn check(folder: &Path) -> Result<(), String> {
    let shown = Printable(folder.display());
    match fs::metadata(folder) {
        Err(_) => check_folder(folder),
        Ok(found) if !found.is_dir() => Err(format!("{shown}: is not a folder; name a new one, or that of a trace")),
        Ok(_) => {
            let mut found = Vec::new();
            files(folder, folder, &mut found).map_err(|error| format!("{shown}: cannot be read: {error}"))?;
            let list = text_file::read(&folder.join(LIST), MOST_BYTES).ok();
            let list: Option<Listed> = list.and_then(|text| serde_json::from_str(&text).ok());
            let own = list.map(|list| list.files).unwrap_or_default();
            match found.iter().find(|file| !own.contains(*file)) {
                None => check_folder(folder),
                Some(file) => Err(format!(
                    "{shown}: holds `{}`, which no trace wrote; name another folder, or one of an earlier trace",
                    Printable(file)
                )),
            }
        }
    }
}

/// The files in a folder and in those within it, as paths with slashes.
fn files(root: &Path, folder: &Path, found: &mut Vec<String>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.is_symlink() {
            files(root, &path, found)?;
        } else {
            let parts = path.strip_prefix(root).unwrap_or(&path).iter();
            found.push(parts.map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"));
        }
        if found.len() > MOST_FILES {
            break;
        }
    }
    Ok(())
}

/// Writes files, given as paths in the folder and contents. They appear only after the last of them is complete.
pub(super) fn replace(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), String> {
    check(folder)?;
    let failed = |error: std::io::Error| format!("{}: cannot be written: {error}", Printable(folder.display()));
    let folder = if folder.exists() { fs::canonicalize(folder).map_err(failed)? } else { folder.to_owned() };
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(failed)?;
    let aside = DraftFolder::new(parent).map_err(failed)?;
    let (new, old): (PathBuf, PathBuf) = (aside.path().join("new"), aside.path().join("old"));
    for (name, contents) in files {
        let path = new.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&new)).map_err(failed)?;
        fs::write(&path, contents).map_err(failed)?;
    }
    let existed = folder.exists();
    if existed {
        fs::rename(&folder, &old).map_err(failed)?;
    }
    fs::rename(&new, &folder).map_err(|error| {
        if existed {
            // A folder that cannot be moved back is not worth a second message; it stays beside.
            let _ = fs::rename(&old, &folder);
        }
        failed(error)
    })
}

#[cfg(test)]
mod tests {
    use super::{LIST, check, replace};
    use std::fs;

    fn contents(list: &str, more: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
        let all = [(LIST, list)].into_iter().chain(more.iter().copied());
        all.map(|(name, text)| (name.to_owned(), text.into())).collect()
    }

    #[test]
    fn only_traces_are_replaced() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("deep").join("trace");
        let list = r#"{"files": ["trace.json", "0/a.npy"], "more": 1}"#;
        replace(&folder, &contents(list, &[("0/a.npy", "1")])).unwrap();
        replace(&folder, &contents(r#"{"files": ["trace.json"]}"#, &[])).unwrap();
        assert!(!folder.join("0").exists());
        fs::write(folder.join("mine.txt"), "").unwrap();
        let problem = replace(&folder, &contents(list, &[("0/a.npy", "1")])).unwrap_err();
        assert!(problem.contains("trace: holds `mine.txt`, which no trace wrote; name another folder"), "{problem}");
        assert!(folder.join("mine.txt").exists() && !folder.join("0").exists());
        assert_eq!(fs::read_dir(outer.path().join("deep")).unwrap().count(), 1);
        fs::create_dir(outer.path().join("empty")).unwrap();
        check(&outer.path().join("empty")).unwrap();
        assert!(check(&folder.join("mine.txt")).unwrap_err().contains("mine.txt: is not a folder"));
    }
}
