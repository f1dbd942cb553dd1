//! Files that appear only when they are complete.

use std::io::{self, Write as _};
use std::{fs, path::Path};

use tempfile::{Builder, NamedTempFile};

/// Creates the folder if necessary; fails if no file can be written there.
pub(crate) fn prepare(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    tempfile::tempfile_in(folder).map(drop)
}

/// Writes files with these names into a folder. They appear only after the last of them is complete.
pub(crate) fn write(folder: &Path, files: &[(String, impl AsRef<[u8]>)]) -> io::Result<()> {
    let temporary = |contents: &[u8]| {
        let mut builder = Builder::new();
        // The file is readable not only by its owner, like any other new file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(contents)?;
        Ok(file)
    };
    let complete =
        files.iter().map(|(_, contents)| temporary(contents.as_ref())).collect::<io::Result<Vec<NamedTempFile>>>()?;
    for (file, (name, _)) in complete.into_iter().zip(files) {
        file.persist(folder.join(name))?;
    }
    Ok(())
}
