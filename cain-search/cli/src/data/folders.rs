//! Reads folders of pictures, one for each class.

use std::fs;
use std::path::{Path, PathBuf};

use cain_codegen::printable::Printable;
use cain_runtime::pictures::Image;

use super::labelled::{Labelled, check_total};

/// The extensions of pictures.
const EXTENSIONS: [&str; 5] = ["png", "jpg", "jpeg", "pgm", "ppm"];
/// The most classes that a folder may have.
const MOST_CLASSES: usize = 1000;

/// Reads up to `limit` pictures, taking the classes in turn, so that a limit leaves some of each.
pub(super) fn load(folder: &Path, (height, width): (usize, usize), limit: usize) -> Result<Labelled, String> {
    let shown = Printable(folder.display());
    let folders = entries(folder)?.into_iter().filter(|path| path.is_dir()).collect::<Vec<_>>();
    if folders.is_empty() {
        return Err(format!(
            "{shown}: no labelled data; expected t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte, or a folder of \
             pictures for each class"
        ));
    }
    let (classes, folders) = classes(folders);
    if classes.len() > MOST_CLASSES {
        return Err(format!("{shown}: {} classes; at most {MOST_CLASSES} are possible", classes.len()));
    }
    let mut pictures: Vec<(usize, usize, PathBuf)> = Vec::new();
    for (label, folder) in &folders {
        let files: Vec<PathBuf> = entries(folder)?.into_iter().filter(|path| is_picture(path)).collect();
        if files.is_empty() {
            let endings = EXTENSIONS.join(", ");
            return Err(format!("{}: no pictures; expected files of the type {endings}", Printable(folder.display())));
        }
        pictures.extend(files.into_iter().enumerate().map(|(place, file)| (place, *label, file)));
    }
    pictures.sort();
    pictures.truncate(limit);
    check_total(folder, pictures.len(), height * width)?;
    let mut data = Labelled { height, width, pixels: Vec::new(), labels: Vec::new(), classes };
    for (_, label, file) in &pictures {
        let image = Image::open(file, width, height).map_err(|error| error.to_string())?;
        data.pixels.extend_from_slice(image.bytes());
        data.labels.push(*label);
    }
    Ok(data)
}

/// The names of the classes, and the folders with their labels. Folders whose names are numbers have these as labels.
fn classes(folders: Vec<PathBuf>) -> (Vec<String>, Vec<(usize, PathBuf)>) {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let numbers: Option<Vec<usize>> = folders.iter().map(|folder| name(folder).parse().ok()).collect();
    match numbers {
        Some(numbers) if numbers.iter().all(|number| *number < MOST_CLASSES) => {
            let count = numbers.iter().max().map_or(0, |most| most + 1);
            ((0..count).map(|class| class.to_string()).collect(), numbers.into_iter().zip(folders).collect())
        }
        _ => (folders.iter().map(name).collect(), folders.into_iter().enumerate().collect()),
    }
}

fn is_picture(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    extension.is_some_and(|extension| EXTENSIONS.contains(&&*extension)) && path.is_file()
}

/// The entries of a folder, by name, without hidden ones.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error| format!("{}: cannot be read: {error}", Printable(folder.display()));
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if !entry.file_name().to_string_lossy().starts_with('.') {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}
