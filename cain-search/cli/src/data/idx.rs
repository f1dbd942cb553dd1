//! Reads IDX files: a header of big-endian numbers, then a byte for each pixel or label.

use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use cain_codegen::printable::Printable;
use cain_codegen::text_file;
use flate2::read::MultiGzDecoder;

use super::labelled::{Labelled, check_total};

const PICTURES: [u8; 4] = [0, 0, 8, 3];
const LABELS: [u8; 4] = [0, 0, 8, 1];
/// The names of MNIST's parts, with the one for tests first.
const PARTS: [&str; 2] = ["t10k", "train"];

/// The files of pictures and of labels.
#[derive(Debug)]
pub(super) struct Files {
    pictures: PathBuf,
    labels: PathBuf,
}

/// The files with the names of MNIST, if there are any; pictures without labels are an error.
pub(super) fn find(folder: &Path) -> Result<Option<Files>, String> {
    let file = |part: &str, what: &str, dimensions: u8| {
        let names = ["-", "."].iter().flat_map(|dot| {
            ["", ".gz"].map(|packed| folder.join(format!("{part}-{what}{dot}idx{dimensions}-ubyte{packed}")))
        });
        names.into_iter().find(|path| path.is_file())
    };
    for part in PARTS {
        match (file(part, "images", 3), file(part, "labels", 1)) {
            (Some(pictures), Some(labels)) => return Ok(Some(Files { pictures, labels })),
            (Some(pictures), None) => {
                let file = Printable(pictures.display());
                return Err(format!(
                    "{file}: the pictures have no labels; expected {part}-labels-idx1-ubyte beside them"
                ));
            }
            (None, _) => {}
        }
    }
    Ok(None)
}

/// Reads up to `limit` pictures and their labels.
pub(super) fn load(files: &Files, size: (usize, usize), limit: usize) -> Result<Labelled, String> {
    let of = |path: &Path, error: Error| format!("{}: {error}", Printable(path.display()));
    let (height, width) = size;
    let mut pictures = Idx::open(&files.pictures).map_err(|error| of(&files.pictures, error))?;
    let [count, rows, columns] = pictures.head(PICTURES).map_err(|error| of(&files.pictures, error))?;
    if count == 0 {
        let file = Printable(files.pictures.display());
        return Err(format!("{file}: there are no pictures in it; expected at least one"));
    }
    if (rows, columns) != size {
        let file = Printable(files.pictures.display());
        return Err(format!("{file}: pictures of {rows}×{columns} pixels; the network looks at {height}×{width}"));
    }
    let mut labels = Idx::open(&files.labels).map_err(|error| of(&files.labels, error))?;
    let [label_count] = labels.head(LABELS).map_err(|error| of(&files.labels, error))?;
    if count != label_count {
        let file = Printable(files.labels.display());
        return Err(format!("{file}: {label_count} labels for {count} pictures; expected one for each"));
    }
    let read = count.min(limit);
    check_total(&files.pictures, read, rows * columns)?;
    let is_all = read == count;
    let pixels = pictures.bytes(read * rows * columns, is_all).map_err(|error| of(&files.pictures, error))?;
    let labels = labels.bytes(read, is_all).map_err(|error| of(&files.labels, error))?;
    let labels: Vec<usize> = labels.into_iter().map(usize::from).collect();
    let classes = labels.iter().max().map_or(0, |most| most + 1);
    Ok(Labelled { height, width, pixels, labels, classes: (0..classes).map(|class| class.to_string()).collect() })
}

/// An IDX file that is being read.
struct Idx(Box<dyn Read>);

/// The reason why a file cannot be read.
#[derive(Debug)]
enum Error {
    Io(io::Error),
    /// The first bytes are not those of this kind of file.
    Magic([u8; 4], [u8; 4]),
    /// The file is empty.
    Empty,
    /// There are fewer bytes than the header itself has.
    Head,
    /// There are fewer bytes than the header announces.
    Short {
        expected: usize,
        found: usize,
    },
    /// There are more bytes than the header announces.
    Long,
}

impl Error {
    /// The same error for the header, which is not announced itself.
    fn of_head(self) -> Self {
        if let Self::Short { .. } = self { Self::Head } else { self }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot be read: {error}"),
            Self::Magic(found, expected) => {
                write!(f, "not such an IDX file; it begins with {found:?}, expected {expected:?}")
            }
            Self::Empty => f.write_str("the file is empty; expected an IDX file"),
            Self::Head => f.write_str("the file ends early, within its head; expected an IDX file"),
            Self::Short { expected, found } => {
                write!(f, "the file ends early: {found} bytes where its head announces {expected}")
            }
            Self::Long => f.write_str("the file is longer than its head announces"),
        }
    }
}

impl Idx {
    fn open(path: &Path) -> Result<Self, Error> {
        let file = BufReader::new(text_file::open(path).map_err(Error::Io)?);
        let is_packed = path.extension().is_some_and(|extension| extension == "gz");
        Ok(Self(if is_packed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) }))
    }

    /// The numbers of the header.
    fn head<const N: usize>(&mut self, magic: [u8; 4]) -> Result<[usize; N], Error> {
        let found = self.word().map_err(|error| match error {
            Error::Short { found: 0, .. } => Error::Empty,
            error => error.of_head(),
        })?;
        if found != magic {
            return Err(Error::Magic(found, magic));
        }
        let mut numbers = [0; N];
        for number in &mut numbers {
            let word = self.word().map_err(Error::of_head)?;
            *number = usize::try_from(u32::from_be_bytes(word)).unwrap_or(usize::MAX);
        }
        Ok(numbers)
    }

    fn word(&mut self) -> Result<[u8; 4], Error> {
        Ok(self.bytes(4, false)?.first_chunk().copied().unwrap_or_default())
    }

    /// Reads this many bytes; if they are the last ones, nothing may follow.
    fn bytes(&mut self, count: usize, are_last: bool) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let limit = u64::try_from(count).unwrap_or(u64::MAX);
        // Memory is allocated as bytes arrive, not as they are announced.
        self.0.by_ref().take(limit).read_to_end(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Error::Short { expected: count, found: bytes.len() },
            _ => Error::Io(error),
        })?;
        if bytes.len() < count {
            return Err(Error::Short { expected: count, found: bytes.len() });
        }
        if are_last && self.0.read(&mut [0]).map_err(Error::Io)? > 0 {
            return Err(Error::Long);
        }
        Ok(bytes)
    }
}
