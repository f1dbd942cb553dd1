//! Where programs come from: plan files, a search, or neither.

use std::env;
use std::path::Path;

use crate::names;
use crate::plan_file::PlanFolder;

/// What is done about plans in a build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// A plan is used; a kernel without one is searched for. A plan that is wrong is an error.
    #[default]
    Auto,
    /// A plan is used; a kernel without one is an error.
    Locked,
    /// Nothing is read and nothing searched for: signatures for editors.
    Stub,
}

impl Mode {
    /// The environment variable that sets it.
    pub const VARIABLE: &str = "CAIN_PLANS";

    const NAMES: [(&str, Self); 3] = [("auto", Self::Auto), ("locked", Self::Locked), ("stub", Self::Stub)];

    /// The mode that the user has set, or what is wrong with it.
    pub fn from_env() -> Result<Self, String> {
        Self::named(&env::var_os(Self::VARIABLE).unwrap_or_default().to_string_lossy())
    }

    /// The mode of that name, or what is wrong with the name. No name at all stands for the default.
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

/// The plans of a package, and what is done about them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plans {
    /// What is done.
    pub mode: Mode,
    /// Where plans are; `None` if nobody knows, so that there are none.
    pub folder: Option<PlanFolder>,
}

impl Plans {
    /// What cargo and the user have set for the package that is compiled now; the mode may have a wrong name.
    ///
    /// For macros and build scripts; the environment of other programs says nothing about a package, only about the
    /// mode.
    pub fn from_env() -> Result<Self, String> {
        let root = env::var_os("CARGO_MANIFEST_DIR");
        let folder = root.map(|root| PlanFolder::of_package(Path::new(&root)));
        Ok(Self { mode: Mode::from_env()?, folder })
    }

    /// Neither plans nor searches.
    #[must_use]
    pub fn none() -> Self {
        Self { mode: Mode::Stub, folder: None }
    }
}

#[cfg(test)]
mod tests {
    use super::Mode;

    #[test]
    fn modes_have_names() {
        for (name, mode) in [("", Mode::Auto), ("auto", Mode::Auto), ("locked", Mode::Locked), ("stub", Mode::Stub)] {
            assert_eq!(Mode::named(name), Ok(mode), "{name}");
        }
        for (name, message) in
            [("lokced", "`lokced`; did you mean `locked`?"), ("no", "`no`; expected `auto`, `locked` or `stub`")]
        {
            let start = "unknown value of the environment variable `CAIN_PLANS`: ";
            assert_eq!(Mode::named(name), Err(format!("{start}{message}")));
        }
    }
}
