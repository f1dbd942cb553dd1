//! The packages of a workspace, the choice of those that a command is about, and what their manifests say about that.
//!
//! This follows the rules of cargo, without using cargo or the network.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use cain_codegen::diagnostic::Positions;
use cain_codegen::printable::Printable;
use cain_codegen::text_file::{self, ReadError};
use toml::de::{DeTable, DeValue};

use super::package::MANIFEST;

/// The largest manifest that is read; manifests written by hand are at most a hundredth of this.
const MAX_BYTES: u64 = 1 << 20;
/// The tables of dependencies.
const DEPENDENCIES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// The contents of a manifest.
#[derive(Clone)]
pub(crate) struct Manifest {
    /// The folder that it is in.
    pub(crate) folder: PathBuf,
    /// The name of its package; `None` in a workspace without one.
    pub(crate) package: Option<String>,
    /// The root of its workspace, if the manifest names it.
    root: Option<PathBuf>,
    /// Its contents as the root of a workspace.
    workspace: Option<Workspace>,
    /// The dependencies that are given by folders.
    dependencies: Vec<Dependency>,
}

/// The root of a workspace.
#[derive(Clone, Default)]
struct Workspace {
    members: Vec<String>,
    exclude: Vec<String>,
    default_members: Option<Vec<String>>,
    /// The folders of dependencies that members share, by name.
    dependencies: BTreeMap<String, String>,
}

/// A dependency given by a folder.
#[derive(Clone)]
enum Dependency {
    At(String),
    /// A dependency that members share, with this name.
    Shared(String),
}

impl Manifest {
    /// The manifest in a folder or above it, if there is one.
    pub(crate) fn above(folder: &Path) -> Result<Option<Self>, String> {
        let folder = fs::canonicalize(folder)
            .map_err(|error| format!("{}: cannot be read: {error}", Printable(folder.display())))?;
        let found = folder.ancestors().find(|above| above.join(MANIFEST).is_file());
        found.map(Self::read).transpose()
    }

    /// The manifest in a folder.
    fn read(folder: &Path) -> Result<Self, String> {
        let path = folder.join(MANIFEST);
        let shown = Printable(path.display());
        let text = text_file::read(&path, MAX_BYTES).map_err(|error| match error {
            ReadError::Unreadable(error) => format!("{shown}: cannot be read: {error}"),
            ReadError::TooLarge => format!("{shown}: the manifest is larger than {MAX_BYTES} bytes"),
            ReadError::NotUtf8(place) => format!("{shown}:{place}: the manifest is not UTF-8 from here on"),
        })?;
        let table = DeTable::parse(&text).map_err(|error| {
            let place = Positions::new(&text).of(error.span().unwrap_or_default().start);
            format!("{shown}:{place}: {}", Printable(error.message()))
        })?;
        Ok(Self::of(folder, table.get_ref()))
    }

    /// The contents of the tables of a manifest.
    fn of(folder: &Path, root: &DeTable<'_>) -> Self {
        let package = table(root, "package");
        let text_of = |key: &str| package.and_then(|package| text(package, key));
        let mut dependencies = dependencies(root);
        for target in table(root, "target").into_iter().flat_map(|targets| targets.values()) {
            if let DeValue::Table(target) = target.get_ref() {
                dependencies.extend(self::dependencies(target));
            }
        }
        Self {
            folder: folder.to_owned(),
            package: text_of("name"),
            root: text_of("workspace").map(|root| folder.join(root)),
            workspace: table(root, "workspace").map(Workspace::of),
            dependencies,
        }
    }

    /// The packages that a command in this folder is about, unless others are named.
    pub(crate) fn by_default(&self) -> Result<Vec<Self>, String> {
        let Some(workspace) = &self.workspace else { return Ok(vec![self.clone()]) };
        match (&workspace.default_members, &self.package) {
            (Some(members), _) => members.iter().try_fold(Vec::new(), |mut all, member| {
                all.extend(self.at(member)?);
                Ok(all)
            }),
            (None, Some(_)) => Ok(vec![self.clone()]),
            (None, None) => self.members(),
        }
    }

    /// All packages of its workspace, in the order of their folders.
    pub(crate) fn all(&self) -> Result<Vec<Self>, String> {
        match self.root()? {
            Some(root) => root.members(),
            None => Ok(vec![self.clone()]),
        }
    }

    /// The root of its workspace, if it is part of one.
    fn root(&self) -> Result<Option<Self>, String> {
        if self.workspace.is_some() {
            return Ok(Some(self.clone()));
        }
        if let Some(root) = &self.root {
            return Self::read(root).map(Some);
        }
        for above in self.folder.ancestors().skip(1).filter(|above| above.join(MANIFEST).is_file()) {
            let root = Self::read(above)?;
            if let Some(workspace) = &root.workspace {
                return Ok((!workspace.excludes(above, &self.folder)).then_some(root));
            }
        }
        Ok(None)
    }

    /// The members of the workspace of which this is the root, in the order of their folders.
    fn members(&self) -> Result<Vec<Self>, String> {
        let Some(workspace) = &self.workspace else { return Ok(vec![self.clone()]) };
        let mut found = BTreeMap::new();
        let mut next = vec![self.clone()];
        for member in &workspace.members {
            next.extend(self.at(member)?);
        }
        // Dependencies below the root are members too.
        while let Some(manifest) = next.pop() {
            if found.contains_key(&manifest.folder) {
                continue;
            }
            for dependency in &manifest.dependencies {
                let folder = match dependency {
                    Dependency::At(path) => manifest.folder.join(path),
                    Dependency::Shared(name) => match workspace.dependencies.get(name) {
                        Some(path) => self.folder.join(path),
                        None => continue,
                    },
                };
                let Ok(folder) = fs::canonicalize(folder) else { continue };
                let is_below = folder.starts_with(&self.folder) && !workspace.excludes(&self.folder, &folder);
                if is_below && folder.join(MANIFEST).is_file() {
                    next.push(Self::read(&folder)?);
                }
            }
            found.insert(manifest.folder.clone(), manifest);
        }
        Ok(found.into_values().filter(|manifest| manifest.package.is_some()).collect())
    }

    /// The manifests in the folders that an entry in the list of members stands for.
    fn at(&self, member: &str) -> Result<Vec<Self>, String> {
        // The names that the user has given to the folders above are not patterns.
        let pattern = self.folder.to_str().map(|folder| format!("{}/{member}", glob::Pattern::escape(folder)));
        let in_manifest = |problem: &str| {
            let manifest = self.folder.join(MANIFEST);
            format!("{}: the member `{}` of the workspace {problem}", Printable(manifest.display()), Printable(member))
        };
        let paths = pattern.and_then(|pattern| glob::glob(&pattern).ok());
        let paths = paths.ok_or_else(|| in_manifest("is no path"))?;
        let mut folders: Vec<PathBuf> = paths.flatten().filter(|path| path.join(MANIFEST).is_file()).collect();
        if folders.is_empty() && !member.contains(['*', '?', '[']) {
            return Err(in_manifest("has no Cargo.toml"));
        }
        for folder in &mut folders {
            if let Ok(path) = fs::canonicalize(&*folder) {
                *folder = path;
            }
        }
        folders.iter().map(|folder| Self::read(folder)).collect()
    }
}

impl Workspace {
    fn of(table: &DeTable<'_>) -> Self {
        let list = |key: &str| match table.get(key)?.get_ref() {
            DeValue::Array(list) => {
                let text = |value: &toml::Spanned<DeValue<'_>>| value.get_ref().as_str().map(str::to_owned);
                Some(list.iter().filter_map(text).collect())
            }
            _ => None,
        };
        let path = |(name, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
            let name: &std::borrow::Cow<'_, str> = name.get_ref();
            let DeValue::Table(dependency) = value.get_ref() else { return None };
            Some((name.to_string(), text(dependency, "path")?))
        };
        Self {
            members: list("members").unwrap_or_default(),
            exclude: list("exclude").unwrap_or_default(),
            default_members: list("default-members"),
            dependencies: self::table(table, "dependencies").into_iter().flatten().filter_map(path).collect(),
        }
    }

    /// Whether a folder below the root is excluded and not listed as a member anyway.
    fn excludes(&self, root: &Path, folder: &Path) -> bool {
        let is_in = |list: &[String]| list.iter().any(|path| folder.starts_with(plain(&root.join(path))));
        is_in(&self.exclude) && !is_in(&self.members)
    }
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
        plain
    })
}

/// The dependencies given by folders in the manifest, or for a target in it.
fn dependencies(root: &DeTable<'_>) -> Vec<Dependency> {
    let tables = DEPENDENCIES.iter().filter_map(|key| table(root, key)).flatten();
    let dependency = |(name, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
        let name: &std::borrow::Cow<'_, str> = name.get_ref();
        let DeValue::Table(dependency) = value.get_ref() else { return None };
        let is_shared = matches!(dependency.get("workspace").map(toml::Spanned::get_ref), Some(DeValue::Boolean(true)));
        if is_shared {
            Some(Dependency::Shared(name.to_string()))
        } else {
            text(dependency, "path").map(Dependency::At)
        }
    };
    tables.filter_map(dependency).collect()
}

fn table<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<&'t DeTable<'i>> {
    match table.get(key)?.get_ref() {
        DeValue::Table(table) => Some(table),
        _ => None,
    }
}

fn text(table: &DeTable<'_>, key: &str) -> Option<String> {
    table.get(key)?.get_ref().as_str().map(str::to_owned)
}
