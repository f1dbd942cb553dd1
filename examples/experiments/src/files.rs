//! Files that appear only when they are complete.

use std::path::Path;
use std::{fs, io};

use cain_codegen::draft::Draft;

/// Creates the folder if necessary; fails if no file can be written there.
pub(crate) fn prepare(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    Draft::new(folder, b"").map(drop)
}

/// Writes files with these names into a folder. They appear only after the last of them is complete.
pub(crate) fn write(folder: &Path, files: &[(String, impl AsRef<[u8]>)]) -> io::Result<()> {
    let drafts = files.iter().map(|(_, contents)| Draft::new(folder, contents.as_ref()));
    let drafts = drafts.collect::<io::Result<Vec<_>>>()?;
    drafts.into_iter().zip(files).try_for_each(|(draft, (name, _))| draft.replace(&folder.join(name)))
}
