//! Kernel files on disk.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::{Filter, Position, Problem, parse};

/// The largest kernel file that is read: a thousand filters of the largest size.
pub const MAX_BYTES: u64 = 1 << 20;

/// Reads the kernel file at a path.
pub fn load(path: &Path) -> Result<Vec<Filter>, LoadError> {
    let error = |cause| LoadError { path: path.to_owned(), cause };
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|cause| error(Cause::Unreadable(cause)))?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_BYTES) {
        return Err(error(Cause::TooLarge));
    }
    let text = decode(&bytes).map_err(|problem| error(Cause::Problems(vec![problem])))?;
    parse(text).map_err(|problems| error(Cause::Problems(problems)))
}

/// The text of these bytes, or where they are none.
fn decode(bytes: &[u8]) -> Result<&str, Problem> {
    str::from_utf8(bytes).map_err(|error| {
        let (before, _) = bytes.split_at(error.valid_up_to());
        let lines = || before.split(|&byte| byte == b'\n');
        let column = lines().next_back().map_or(0, |line| String::from_utf8_lossy(line).chars().count());
        let place = Position { line: lines().count(), column: 1 + column };
        Problem { place, message: "the file is not UTF-8 from here on; save it as UTF-8".to_owned() }
    })
}

/// Why a kernel file could not be used.
///
/// Displayed as one line per problem, each beginning with `path:line:column:`.
#[derive(Debug)]
pub struct LoadError {
    path: PathBuf,
    cause: Cause,
}

#[derive(Debug)]
enum Cause {
    Unreadable(io::Error),
    TooLarge,
    Problems(Vec<Problem>),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.cause {
            Cause::Unreadable(error) => write!(f, "{path}: cannot be read: {error}"),
            Cause::TooLarge => write!(f, "{path}: the file is larger than {MAX_BYTES} bytes; split it"),
            Cause::Problems(problems) => {
                for (i, problem) in problems.iter().enumerate() {
                    let separator = if i > 0 { "\n" } else { "" };
                    write!(f, "{separator}{path}:{problem}")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.cause {
            Cause::Unreadable(error) => Some(error),
            Cause::TooLarge | Cause::Problems(_) => None,
        }
    }
}
