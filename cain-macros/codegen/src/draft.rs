//! Files and folders that are made beside where they belong, so that they are there completely or not at all, whoever else
//! does the same.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often a name is tried that was left behind by a process with the same number.
const TRIALS: usize = 1000;

/// A file that is removed unless it is given its name.
#[derive(Debug)]
pub struct Draft {
    /// Empty after it has been given its name.
    path: PathBuf,
}

impl Draft {
    /// A file with these contents in this folder.
    pub fn new(folder: &Path, contents: &[u8]) -> io::Result<Self> {
        let (path, mut file) = unused(folder, |path| File::create_new(path))?;
        let draft = Self { path };
        file.write_all(contents)?;
        Ok(draft)
    }

    /// An empty file with this name, which must not exist.
    pub fn named(path: PathBuf) -> io::Result<Self> {
        File::create_new(&path)?;
        Ok(Self { path })
    }

    /// Waits until the contents are on the disk, so that the name never stands for less.
    pub fn sync(self) -> io::Result<Self> {
        File::options().append(true).open(&self.path)?.sync_all()?;
        Ok(self)
    }

    /// Gives the file its name, in place of any other of that name.
    pub fn replace(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.path.clear();
        Ok(())
    }

    /// Gives the file its name, unless there is one of that name.
    pub fn persist_new(self, path: &Path) -> io::Result<()> {
        match fs::hard_link(&self.path, path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                // Some file systems have no second names.
                let contents = fs::read(&self.path)?;
                File::create_new(path)?.write_all(&contents)
            }
            linked => linked,
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A folder that is removed with all that is in it.
#[derive(Debug)]
pub struct DraftFolder {
    path: PathBuf,
}

impl DraftFolder {
    /// An empty folder within this one.
    pub fn new(folder: &Path) -> io::Result<Self> {
        unused(folder, |path| fs::create_dir(path)).map(|(path, ())| Self { path })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for DraftFolder {
    fn drop(&mut self) {
        // Who cannot remove it has other worries.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Creates something under a name that nothing else has.
fn unused<T>(folder: &Path, create: impl Fn(&Path) -> io::Result<T>) -> io::Result<(PathBuf, T)> {
    static DRAFTS: AtomicU64 = AtomicU64::new(0);
    let mut last = None;
    for _ in 0..TRIALS {
        let path = folder.join(format!(".cain-draft-{}-{}", process::id(), DRAFTS.fetch_add(1, Ordering::Relaxed)));
        match create(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = Some(error),
            created => return created.map(|created| (path, created)),
        }
    }
    Err(last.unwrap_or_else(|| io::ErrorKind::AlreadyExists.into()))
}

#[cfg(test)]
mod tests {
    use super::{Draft, DraftFolder};
    use std::collections::BTreeSet;
    use std::fs;

    fn names(folder: &std::path::Path) -> BTreeSet<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn drafts_become_files_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        drop(Draft::new(folder.path(), b"0").unwrap());
        assert_eq!(names(folder.path()), BTreeSet::new());
        Draft::new(folder.path(), b"1").unwrap().sync().unwrap().persist_new(&path).unwrap();
        let again = Draft::new(folder.path(), b"2").unwrap().persist_new(&path).unwrap_err();
        assert_eq!(again.kind(), std::io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"1");
        Draft::new(folder.path(), b"3").unwrap().replace(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"3");
        let lock = Draft::named(folder.path().join("lock")).unwrap();
        assert!(Draft::named(folder.path().join("lock")).is_err());
        drop(lock);
        assert_eq!(names(folder.path()), BTreeSet::from(["a".to_owned()]));
        assert!(Draft::new(&path, b"").is_err());
    }

    #[test]
    fn folders_go_with_their_contents() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (DraftFolder::new(folder.path()).unwrap(), DraftFolder::new(folder.path()).unwrap());
        assert_ne!(one.path(), other.path());
        fs::write(one.path().join("a"), "1").unwrap();
        fs::rename(one.path().join("a"), folder.path().join("kept")).unwrap();
        fs::create_dir(other.path().join("deep")).unwrap();
        drop((one, other));
        assert_eq!(names(folder.path()), BTreeSet::from(["kept".to_owned()]));
    }

    /// A process of the same number was killed.
    #[test]
    fn names_that_were_left_behind_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let first = Draft::new(folder.path(), b"").unwrap();
        let number: u64 = first.path.to_str().unwrap().rsplit('-').next().unwrap().parse().unwrap();
        for later in 1..20 {
            let name = format!(".cain-draft-{}-{}", std::process::id(), number + later);
            fs::write(folder.path().join(name), "left").unwrap();
        }
        let path = folder.path().join("b");
        Draft::new(folder.path(), b"new").unwrap().replace(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}
