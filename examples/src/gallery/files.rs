//! Writing pictures: all of them or none.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Failure;

/// Pictures that are complete but not written yet.
#[derive(Default)]
pub(crate) struct Files(Vec<(String, Vec<u8>)>);

impl Files {
    /// Adds a file of that name.
    pub(crate) fn add(&mut self, name: String, bytes: Vec<u8>) {
        self.0.push((name, bytes));
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Writes everything into a directory, which is made if need be.
    ///
    /// The files appear under their names only after the last of them is complete. On an error nothing new is left.
    pub(crate) fn write(&self, directory: &Path) -> Result<(), Failure> {
        let is_new = !directory.exists();
        fs::create_dir_all(directory).map_err(|error| cannot_write(directory, &error))?;
        let mut drafts = Drafts(Vec::new());
        let written = self.write_drafts(directory, &mut drafts);
        if written.is_err() {
            drop(drafts);
            if is_new {
                // Best effort: what matters is the first error.
                let _ = fs::remove_dir(directory);
            }
            return written;
        }
        drafts.publish()
    }

    fn write_drafts(&self, directory: &Path, drafts: &mut Drafts) -> Result<(), Failure> {
        for (name, bytes) in &self.0 {
            let draft = directory.join(format!(".{name}.{}", std::process::id()));
            drafts.0.push((draft.clone(), directory.join(name)));
            fs::write(&draft, bytes).map_err(|error| cannot_write(&draft, &error))?;
        }
        Ok(())
    }
}

/// Files under temporary names, with the names that they are to have. What is left when this is dropped is deleted.
struct Drafts(Vec<(PathBuf, PathBuf)>);

impl Drafts {
    fn publish(mut self) -> Result<(), Failure> {
        while let Some((draft, name)) = self.0.last() {
            fs::rename(draft, name).map_err(|error| cannot_write(name, &error))?;
            self.0.pop();
        }
        Ok(())
    }
}

impl Drop for Drafts {
    fn drop(&mut self) {
        for (draft, _) in &self.0 {
            let _ = fs::remove_file(draft);
        }
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
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
    fn directories_are_made_and_files_replaced() {
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
