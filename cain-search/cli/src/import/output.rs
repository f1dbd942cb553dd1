//! Writes imported files: new ones, and those that `cain import` wrote and nobody has changed.

use std::fs;
use std::path::Path;

use cain_codegen::printable::Printable;
use cain_codegen::text_file::{self, folder_of};

use crate::files::{write, write_new};

/// The beginning of a last line of a kernel file, which records what that file, or one beside it, was when it was
/// written.
const SEAL: &str = "# as written by `cain import`: ";
/// The largest file that is compared with the recorded state.
const MAX_BYTES: u64 = 1 << 27;

/// A file beside the kernel file: its name and contents.
pub(super) type Beside = (String, Vec<u8>);

/// Writes a kernel file and others beside it, either all or none. Files that somebody else wrote or has changed are
/// replaced only if `force` is set.
pub(super) fn write_all(path: &Path, toml: &str, beside: &[Beside], force: bool) -> Result<(), String> {
    let toml = sealed(toml, beside);
    let folder = folder_of(path);
    let read = |path: &Path| text_file::bytes(path, MAX_BYTES).ok();
    let former = read(path);
    let own = former.as_deref().and_then(seals);
    let is_own =
        |name: &str, found: &[u8]| own.as_ref().is_some_and(|own| own.contains(&(name.to_owned(), checksum(found))));
    // The kernel file comes last, so that it never names a file that does not exist.
    let mut files = Vec::new();
    for (name, contents) in beside {
        let path = folder.join(name);
        let found = read(&path);
        let may_replace = found.as_ref().is_some_and(|found| found == contents || is_own(name, found));
        files.push((path, contents.as_slice(), may_replace, found.as_ref() == Some(contents)));
    }
    let is_same = former.as_deref() == Some(toml.as_bytes());
    files.push((path.to_owned(), toml.as_bytes(), is_same || own.is_some(), is_same));
    let exists = |path: &Path| fs::symlink_metadata(path).is_ok();
    if let Some((path, ..)) = files.iter().find(|(path, _, may_replace, _)| !may_replace && !force && exists(path)) {
        let path = Printable(path.display());
        return Err(format!(
            "{path}: exists already, and is not as `cain import` wrote it; remove it, choose another name, or add `--force`"
        ));
    }
    let mut new = Vec::new();
    for (path, contents, may_replace, is_same) in &files {
        let written = match (is_same, *may_replace || force) {
            (true, _) => Ok(()),
            (false, true) if exists(path) => write(path, contents),
            _ => write_new(path, contents).map(|()| new.push(path)),
        };
        if let Err(problem) = written {
            for path in new {
                // A file that cannot be removed is not worth a second message.
                let _ = fs::remove_file(path);
            }
            return Err(problem);
        }
    }
    Ok(())
}

/// The kernel file with lines that record its own state and that of the other files when they are written.
fn sealed(toml: &str, beside: &[Beside]) -> String {
    let lines = beside.iter().map(|(name, contents)| format!("{SEAL}{:016x} {name}\n", checksum(contents)));
    format!("{toml}\n{SEAL}{:016x}\n{}", checksum(toml.as_bytes()), lines.collect::<String>())
}

/// The other files that a kernel file was written with, and their checksums; `None` if it has been changed since.
fn seals(kernel_file: &[u8]) -> Option<Vec<(String, u64)>> {
    let text = std::str::from_utf8(kernel_file).ok()?;
    let (toml, seals) = text.split_once(&format!("\n{SEAL}"))?;
    let mut lines = seals.lines();
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    if number(lines.next()?)? != checksum(toml.as_bytes()) {
        return None;
    }
    let other = |line: &str| {
        let (sum, name) = line.strip_prefix(SEAL)?.split_once(' ')?;
        Some((name.to_owned(), number(sum)?))
    };
    lines.map(other).collect()
}

/// The FNV-1a checksum, by which changes made by hand are noticed.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::{Beside, write_all};
    use std::fs;

    #[test]
    fn only_what_was_written_here_and_is_unchanged_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n.toml");
        let weights = |text: &str| -> Vec<Beside> { vec![("n.w.npy".to_owned(), text.into())] };
        let written = |toml: &str, beside: &[Beside], force| write_all(&path, toml, beside, force);
        written("a = 1\n", &weights("1"), false).unwrap();
        // The same again, something else, and without the other file.
        written("a = 1\n", &weights("1"), false).unwrap();
        written("a = 2\n", &weights("2"), false).unwrap();
        assert!(fs::read_to_string(&path).unwrap().starts_with("a = 2\n\n# as written by `cain import`: "));
        assert_eq!(fs::read(folder.path().join("n.w.npy")).unwrap(), b"2");
        fs::write(folder.path().join("n.w.npy"), "mine").unwrap();
        let problem = written("a = 3\n", &weights("3"), false).unwrap_err();
        assert!(problem.contains("n.w.npy: exists already, and is not as `cain import` wrote it"), "{problem}");
        fs::remove_file(folder.path().join("n.w.npy")).unwrap();
        let changed = fs::read_to_string(&path).unwrap().replace("a = 2", "a = 4");
        fs::write(&path, &changed).unwrap();
        let problem = written("a = 3\n", &weights("3"), false).unwrap_err();
        assert!(problem.contains("n.toml: exists already"), "{problem}");
        assert!(!folder.path().join("n.w.npy").exists());
        assert_eq!(fs::read_to_string(&path).unwrap(), changed);
        written("a = 3\n", &weights("3"), true).unwrap();
        assert!(fs::read_to_string(&path).unwrap().starts_with("a = 3\n"));
        written("a = 5\n", &[], false).unwrap();
    }
}
