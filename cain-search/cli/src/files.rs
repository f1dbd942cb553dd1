//! Files that are written completely, or not at all.

use std::fs;
use std::io;
use std::path::Path;

use crate::written;

/// Makes the folder if need be, and fails if no file can be written there.
pub(crate) fn prepare(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    tempfile::tempfile_in(folder).map(drop)
}

/// Writes files of these names into a folder. They appear only after the last of them is complete.
pub(crate) fn write(folder: &Path, files: &[(String, String)]) -> io::Result<()> {
    let draft = |(_, text): &(String, String)| written::draft(folder, text.as_bytes());
    let drafts = files.iter().map(draft).collect::<io::Result<Vec<_>>>()?;
    for (draft, (name, _)) in drafts.into_iter().zip(files) {
        draft.persist(folder.join(name))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{prepare, write};
    use std::fs;

    fn pair(name: &str, text: &str) -> (String, String) {
        (name.to_owned(), text.to_owned())
    }

    #[test]
    fn files_replace_older_ones_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new").join("deep");
        prepare(&folder).unwrap();
        write(&folder, &[pair("a.csv", "old")]).unwrap();
        write(&folder, &[pair("a.csv", "1"), pair("a.svg", "2")]).unwrap();
        assert_eq!(fs::read_to_string(folder.join("a.csv")).unwrap(), "1");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    }

    #[test]
    fn a_file_is_no_folder() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(prepare(&file).is_err());
        assert!(write(&file, &[pair("a.csv", "1")]).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
