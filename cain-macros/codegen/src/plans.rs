//! The source of programs in a build: plan files, searches, or neither.

use std::env;
use std::path::Path;

use crate::cache::Cache;
use crate::names;
use crate::plan_file::PlanFolder;
use crate::search_log::SearchLog;

/// How a build uses plans and searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Filters without a plan are searched for, unless an earlier build has done so. A plan that is wrong is an error.
    #[default]
    Auto,
    /// The same, but what earlier builds have kept is not read, and nothing is kept.
    Fresh,
    /// A filter without a plan is an error.
    Locked,
    /// Neither plans nor searches: only signatures, for editors.
    Stub,
}

impl Mode {
    /// The environment variable that sets it.
    pub const VARIABLE: &str = "CAIN_PLANS";

    const NAMES: [(&str, Self); 4] =
        [("auto", Self::Auto), ("fresh", Self::Fresh), ("locked", Self::Locked), ("stub", Self::Stub)];

    /// The mode that the user has set, or what is wrong with it.
    pub fn from_env() -> Result<Self, String> {
        Self::named(&env::var_os(Self::VARIABLE).unwrap_or_default().to_string_lossy())
    }

    /// The mode of that name, or what is wrong with the name. The empty name means the default.
    fn named(name: &str) -> Result<Self, String> {
        if name.is_empty() {
            return Ok(Self::default());
        }
        let known = Self::NAMES.iter().find(|(known, _)| *known == name);
        known.map(|(_, mode)| *mode).ok_or_else(|| {
            let what = format!("value of the environment variable `{}`:", Self::VARIABLE);
            names::unknown(&what, name, &Self::NAMES.map(|(name, _)| name))
        })
    }
}

/// The plans of a package, and how a build uses them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plans {
    /// How they are used.
    pub mode: Mode,
    /// The folder of the plans; `None` if it is unknown, as if it had no plans.
    pub folder: Option<PlanFolder>,
    /// What builds keep of their searches, for those that use it.
    pub cache: Option<Cache>,
    /// The searches that were made all the same.
    pub searches: SearchLog,
}

impl Plans {
    /// The settings of cargo and the user for the package that is being compiled; an error if the mode has a wrong name.
    ///
    /// For macros and build scripts: cargo does not tell other programs the package.
    pub fn from_env() -> Result<Self, String> {
        let root = env::var_os("CARGO_MANIFEST_DIR");
        let folder = root.map(|root| PlanFolder::of_package(Path::new(&root)));
        let mode = Mode::from_env()?;
        let cache = if mode == Mode::Auto { Cache::of_build() } else { None };
        Ok(Self { cache, ..Self::new(mode, folder) })
    }

    /// Plans in a folder, without what builds keep of their searches.
    #[must_use]
    pub fn new(mode: Mode, folder: Option<PlanFolder>) -> Self {
        Self { mode, folder, cache: None, searches: SearchLog::default() }
    }

    /// Neither plans nor searches.
    #[must_use]
    pub fn none() -> Self {
        Self::new(Mode::Stub, None)
    }
}

#[cfg(test)]
mod tests {
    use super::Mode;

    #[test]
    fn modes_have_names() {
        let modes = [Mode::Auto, Mode::Auto, Mode::Fresh, Mode::Locked, Mode::Stub];
        for (name, mode) in ["", "auto", "fresh", "locked", "stub"].into_iter().zip(modes) {
            assert_eq!(Mode::named(name), Ok(mode), "{name}");
        }
        for (name, message) in [
            ("lokced", "`lokced`; did you mean `locked`?"),
            ("no", "`no`; expected `auto`, `fresh`, `locked` or `stub`"),
        ] {
            let start = "unknown value of the environment variable `CAIN_PLANS`: ";
            assert_eq!(Mode::named(name), Err(format!("{start}{message}")));
        }
    }
}
