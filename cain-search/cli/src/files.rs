//! Writes files completely, or not at all.

use std::fmt::Display;
use std::path::Path;
use std::{fs, io};

use cain_codegen::draft::Draft;
use cain_codegen::printable::Printable;
use cain_codegen::text_file::folder_of;

/// Writes a text or a picture to a file, replacing its contents.
///
/// The error names the file.
pub(crate) fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), String> {
    replace(path, contents.as_ref())
        .map_err(|error| format!("{}: cannot be written: {error}", Printable(path.display())))
}

/// Writes files into a folder, which is created if necessary.
pub(crate) fn write_encoded<E: ToString>(
    folder: &Path,
    files: Vec<(String, Result<Vec<u8>, E>)>,
) -> Result<(), String> {
    let encoded: Result<Vec<_>, String> = files
        .into_iter()
        .map(|(name, bytes)| bytes.map(|bytes| (name, bytes)).map_err(|error| error.to_string()))
        .collect();
    let encoded = encoded?;
    fs::create_dir_all(folder)
        .map_err(|error| format!("{}: cannot be created: {error}", Printable(folder.display())))?;
    encoded.into_iter().try_for_each(|(name, bytes)| write(&folder.join(name), bytes))
}

fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        // Pipes and devices are written to; replacing them would turn them into files.
        Ok(found) if !found.is_file() => fs::write(path, contents),
        // The target of a link is replaced, not the link.
        Ok(_) => fs::canonicalize(path).and_then(|path| complete(&path, contents)?.replace(&path)),
        Err(_) => complete(path, contents)?.replace(path),
    }
}

/// Fails if [`write`] could not write to this file, so that nobody waits for a result that is then lost.
pub(crate) fn check(path: &Path) -> Result<(), String> {
    let problem = |error: &dyn Display| Err(format!("{}: cannot be written: {error}", Printable(path.display())));
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => problem(&"it is a folder; name a file in it"),
        Ok(found) if !found.is_file() => Ok(()),
        _ => Draft::new(folder_of(path), b"").map(drop).or_else(|error| problem(&error)),
    }
}

/// Fails if no files can be written into a folder, or if it does not exist and cannot be created.
pub(crate) fn check_folder(folder: &Path) -> Result<(), String> {
    let existing = existing_above(folder);
    let kind = if existing == folder { "written to" } else { "created" };
    Draft::new(existing, b"")
        .map(drop)
        .map_err(|error| format!("{}: cannot be {kind}: {error}", Printable(folder.display())))
}

/// The folder itself or, if it does not exist, the innermost existing folder around it.
pub(crate) fn existing_above(folder: &Path) -> &Path {
    let existing = folder.ancestors().find(|above| above.exists()).filter(|above| !above.as_os_str().is_empty());
    existing.unwrap_or(Path::new("."))
}

/// Writes a text or numbers to a file that does not exist yet.
///
/// The error names the file.
pub(crate) fn write_new(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), String> {
    let written = complete(path, contents.as_ref()).and_then(|file| file.persist_new(path));
    written.map_err(|error| {
        let path = Printable(path.display());
        match error.kind() {
            io::ErrorKind::AlreadyExists => format!("{path}: exists already; remove it or choose another name"),
            _ => format!("{path}: cannot be written: {error}"),
        }
    })
}

/// A complete file next to the one to be written.
fn complete(path: &Path, contents: &[u8]) -> io::Result<Draft> {
    Draft::new(folder_of(path), contents)?.sync()
}

/// Creates the folder if necessary; fails if no file can be written there.
pub(crate) fn prepare(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    Draft::new(folder, b"").map(drop)
}

/// Writes a text to a file in place of whatever has its name. The name stands for the old contents until the new ones are
/// complete.
pub(crate) fn overwrite(path: &Path, text: &str) -> io::Result<()> {
    complete(path, text.as_bytes())?.replace(path)
}

#[cfg(test)]
mod tests {
    use super::{check, overwrite, prepare, write, write_new};
    use std::fs;

    #[test]
    fn files_are_replaced_and_new_ones_are_new() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write_new(&path, "1").unwrap();
        assert!(write_new(&path, "2").unwrap_err().contains("exists already"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "1");
        write(&path, "3").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "3");
        assert!(write(folder.path(), "4").is_err());
        assert!(check(folder.path()).unwrap_err().ends_with("it is a folder; name a file in it"));
        assert!(check(&folder.path().join("missing/a")).is_err());
        check(&path).unwrap();
        check(&folder.path().join("b")).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn links_and_devices_stay() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link, device] = ["file", "link", "device"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        std::os::unix::fs::symlink("/dev/null", &device).unwrap();
        write(&link, "new").unwrap();
        write(&device, "gone").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!([link, device].iter().all(|path| path.is_symlink()));
        assert_eq!(fs::read("/dev/null").unwrap(), b"");
    }

    #[test]
    fn files_replace_older_ones_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new").join("deep");
        prepare(&folder).unwrap();
        let path = folder.join("a.csv");
        overwrite(&path, "old").unwrap();
        overwrite(&path, "1").unwrap();
        assert_eq!(fs::read_to_string(path).unwrap(), "1");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    fn a_file_is_no_folder() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(prepare(&file).is_err());
        assert!(overwrite(&file.join("a.csv"), "1").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
