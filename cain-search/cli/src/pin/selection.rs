//! The packages, files and folders that `cain pin` searches for filters.

use std::fs;
use std::path::{Path, PathBuf};

use cain_codegen::kernel_file::find;
use cain_codegen::printable::Printable;

use super::Pin;
use crate::sources::package::shown;
use crate::sources::workspace::Manifest;

/// The files and folders to search, or one line for each problem.
pub(crate) fn paths(args: &Pin) -> Result<Vec<PathBuf>, Vec<String>> {
    if !args.paths.is_empty() {
        let (mut found, mut problems) = (Vec::new(), Vec::new());
        for path in &args.paths {
            match named(path, args.plans.is_some()) {
                Ok(paths) => found.extend(paths),
                Err(problem) => problems.push(problem),
            }
        }
        return if problems.is_empty() { Ok(found) } else { Err(problems) };
    }
    let here = Manifest::above(Path::new(".")).map_err(|problem| vec![problem])?;
    let here = here.ok_or_else(|| {
        vec![
            "there is no Cargo.toml here or above; go into a package, or name packages, sources or kernel files, as in \
             `cain pin filters.toml`"
                .to_owned(),
        ]
    })?;
    if !args.packages.is_empty() {
        return packages(&here, &args.packages);
    }
    let chosen = if args.workspace { here.all() } else { here.by_default() };
    chosen.map(|packages| packages.iter().map(folder).collect()).map_err(|problem| vec![problem])
}

/// The folders that a path stands for: for a folder with a manifest, those of the packages that cargo would choose
/// there.
fn named(path: &Path, has_plans: bool) -> Result<Vec<PathBuf>, String> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    match Manifest::above(path)? {
        Some(manifest) if fs::canonicalize(path).is_ok_and(|path| path == manifest.folder) => {
            Ok(manifest.by_default()?.iter().map(folder).collect())
        }
        None if !has_plans => Err(format!(
            "{}: there is no Cargo.toml in it or above; name packages, sources or kernel files, or say with `--plans` where \
             to write the plans",
            Printable(path.display())
        )),
        _ => Ok(vec![path.to_owned()]),
    }
}

/// The folders of the packages with these names.
fn packages(here: &Manifest, names: &[String]) -> Result<Vec<PathBuf>, Vec<String>> {
    let all = here.all().map_err(|problem| vec![problem])?;
    let name_of = |manifest: &Manifest| manifest.package.clone().unwrap_or_default();
    let known: Vec<(String, PathBuf)> = all.iter().map(|manifest| (name_of(manifest), folder(manifest))).collect();
    let found: Vec<_> = names.iter().map(|name| find("package", &known, name, |(name, _)| name.as_str())).collect();
    let problem = |problem: &String| format!("--package: {}", Printable(problem));
    let problems: Vec<String> = found.iter().filter_map(|found| found.as_ref().err()).map(problem).collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(found.into_iter().flatten().map(|(_, folder)| folder.clone()).collect())
}

/// The folder of a package in its shortest form.
fn folder(manifest: &Manifest) -> PathBuf {
    let folder = shown(&manifest.folder);
    if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder }
}
