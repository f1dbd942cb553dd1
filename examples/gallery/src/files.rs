//! Writes pictures: all of them or none.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::failure::Failure;

/// Pictures that are complete but not yet written.
#[derive(Default)]
pub(crate) struct Files(Vec<(String, Vec<u8>)>);

impl Files {
    /// Adds a file with a name.
    pub(crate) fn add(&mut self, name: String, bytes: Vec<u8>) {
        self.0.push((name, bytes));
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Writes everything into a directory, which is created if necessary.
    ///
    /// The files get their names only after the last of them is complete. After an error, no new file is left.
    pub(crate) fn write(&self, directory: &Path) -> Result<(), Failure> {
        let is_new = !directory.exists();
        fs::create_dir_all(directory).map_err(|error| cannot_write(directory, &error))?;
        let written = self.write_into(directory);
        if written.is_err() && is_new {
            // This is best effort: the first error is the one to report.
            let _ = fs::remove_dir(directory);
        }
        written
    }

    fn write_into(&self, directory: &Path) -> Result<(), Failure> {
        let mut complete = Vec::new();
        for (name, bytes) in &self.0 {
            let path = directory.join(name);
            let file =
                temporary(path.parent().unwrap_or(directory), bytes).map_err(|error| cannot_write(&path, &error))?;
            complete.push((file, path));
        }
        for (file, path) in complete {
            file.persist(&path).map_err(|error| cannot_write(&path, &error.error))?;
        }
        Ok(())
    }
}

/// A complete file in the directory, which is deleted unless it gets a name.
fn temporary(directory: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    // The file is readable not only by its owner, like any other new file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(directory)?;
    file.write_all(bytes)?;
    Ok(file)
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    format!("cannot write `{}`: {error}; choose another directory with `--out`", path.display()).into()
}

#[cfg(test)]
mod tests {
    use super::Files;
    use std::fs;

    fn two_pictures() -> Files {
        let mut files = Files::default();
        for name in ["one.png", "two.png"] {
            files.add(name.to_owned(), name.as_bytes().to_vec());
        }
        files
    }

    fn names(directory: &std::path::Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn directories_are_created_and_files_replaced() {
        let parent = tempfile::tempdir().unwrap();
        let directory = parent.path().join("new/pictures");
        two_pictures().write(&directory).unwrap();
        two_pictures().write(&directory).unwrap();
        assert_eq!(names(&directory), ["one.png", "two.png"]);
        assert_eq!(fs::read(directory.join("two.png")).unwrap(), b"two.png");
    }

    #[test]
    fn a_file_in_place_of_the_directory_is_one_clear_line() {
        let parent = tempfile::tempdir().unwrap();
        let file = parent.path().join("taken");
        fs::write(&file, "").unwrap();
        let error = two_pictures().write(&file).unwrap_err().to_string();
        assert!(
            error.starts_with("cannot write `") && error.ends_with("choose another directory with `--out`"),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1);
    }

    #[test]
    fn nothing_is_left_when_a_file_cannot_be_written() {
        let parent = tempfile::tempdir().unwrap();
        let directory = parent.path().join("new");
        let mut files = two_pictures();
        files.add("no/such/directory.png".to_owned(), Vec::new());
        files.write(&directory).unwrap_err();
        assert!(!directory.exists());
    }
}
