//! Errors in build scripts.

use std::path::PathBuf;
use std::{fmt, io};

use cain_codegen::kernel_file::LoadError;
use cain_codegen::printable::Printable;

/// Why kernel files were not compiled.
///
/// Displayed as one line per problem; problems with kernel files begin with `path:line:column:`. `Debug` is the same, as
/// that is what cargo shows of an error that `main` returns.
pub struct Error(pub(crate) Cause);

pub(crate) enum Cause {
    /// Mistakes in kernel files, or filters without a program.
    Files(Vec<LoadError>),
    /// A path without a file name, from which the output could take its name.
    NoName(PathBuf),
    /// A path that cannot be passed to cargo.
    LineBreak(PathBuf),
    /// Two files whose outputs have the same name.
    SameName(PathBuf, PathBuf),
    /// A mistake in an option or in the environment variable for plans.
    Setting(String),
    NoOutDir,
    Write(PathBuf, io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Cause::Files(errors) => {
                let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
            Cause::NoName(path) => {
                let path = Printable(path.display());
                write!(f, "`{path}` does not name a kernel file; expected a path such as `kernels.toml`")
            }
            Cause::LineBreak(path) => {
                let path = Printable(path.display());
                write!(f, "`{path}` has a line break, and cargo cannot be told to watch such a path; rename it")
            }
            Cause::SameName(one, other) => write!(
                f,
                "`{}` and `{}` would be included under the same name; rename one",
                Printable(one.display()),
                Printable(other.display())
            ),
            Cause::Setting(error) => f.write_str(error),
            Cause::NoOutDir => f.write_str("`OUT_DIR` is not set; call this from a build script, or set `out_dir`"),
            Cause::Write(path, error) => write!(f, "cannot write `{}`: {error}", Printable(path.display())),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            Cause::Write(_, error) => Some(error),
            _ => None,
        }
    }
}
