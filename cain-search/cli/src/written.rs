//! Files that a user asks for: written completely, or not at all.

use std::io::{self, Write as _};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

/// Writes a text to a file in place of what it held.
///
/// The error says which file it was.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    let written = draft(path, text).and_then(|draft| draft.persist(path).map_err(Into::into));
    written.map(drop).map_err(|error| format!("{}: cannot be written: {error}", path.display()))
}

/// A complete file beside the one to be written.
fn draft(path: &Path, text: &str) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    // Like any other new file, not for the owner alone.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}
