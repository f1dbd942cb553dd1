//! Arrays in the format of Python's numerical library, `.npy`.
//!
//! The format is a line of text before the numbers. Crates for it bring parsers of Python's literals, or arrays, which
//! everyone who uses a kernel file would have to compile.

use std::fmt;

const MAGIC: &[u8] = b"\x93NUMPY";

/// An array with the last index fastest.
#[derive(Debug, PartialEq)]
pub(crate) struct Array {
    pub(crate) shape: Vec<usize>,
    pub(crate) values: Vec<f64>,
}

/// Why bytes are not an array of numbers.
#[derive(Debug, PartialEq)]
pub(crate) enum NpyError {
    /// They are not in that format.
    Magic,
    /// The line of text is not what `numpy.save` writes.
    Header,
    /// Numbers of another type.
    Type(String),
    /// The first index is fastest.
    Fortran,
    /// There are fewer or more bytes than the shape says.
    Length { shape: Vec<usize>, found: usize },
    /// A number is infinite or not a number.
    NotFinite { index: usize },
}

impl fmt::Display for NpyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => f.write_str("not a file of NumPy; expected one that `numpy.save` wrote"),
            Self::Header => f.write_str("the header of the file is damaged; expected one that `numpy.save` wrote"),
            Self::Type(found) => {
                write!(f, "the numbers have the type {found}; expected `<f4`, `<f8`, `|i1`, `|u1`, `<i2` or `<i4`")
            }
            Self::Fortran => f.write_str("the array is in Fortran order; write it with `numpy.ascontiguousarray`"),
            Self::Length { shape, found } => {
                write!(f, "the file announces an array of the shape {shape:?}, but has {found} bytes of numbers")
            }
            Self::NotFinite { index } => write!(f, "number {index} of the array is not finite"),
        }
    }
}

/// Reads the bytes of a file.
pub(crate) fn read(bytes: &[u8]) -> Result<Array, NpyError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(NpyError::Magic)?;
    let (length, rest) = match rest {
        [1, _, low, high, rest @ ..] => (usize::from(u16::from_le_bytes([*low, *high])), rest),
        [2 | 3, _, a, b, c, d, rest @ ..] => {
            (usize::try_from(u32::from_le_bytes([*a, *b, *c, *d])).unwrap_or(usize::MAX), rest)
        }
        _ => return Err(NpyError::Header),
    };
    let (header, numbers) = rest.split_at_checked(length).ok_or(NpyError::Header)?;
    let header = std::str::from_utf8(header).map_err(|_| NpyError::Header)?;
    if field(header, "fortran_order").ok_or(NpyError::Header)?.starts_with("True") {
        return Err(NpyError::Fortran);
    }
    let shape = shape(field(header, "shape").ok_or(NpyError::Header)?).ok_or(NpyError::Header)?;
    let kind = field(header, "descr").ok_or(NpyError::Header)?;
    let kind: String = kind.chars().skip(1).take_while(|character| *character != '\'').collect();
    let values: Vec<f64> = match kind.as_str() {
        "<f4" => decode(numbers, &shape, |bytes| f64::from(f32::from_le_bytes(bytes))),
        "<f8" => decode(numbers, &shape, f64::from_le_bytes),
        "|i1" => decode(numbers, &shape, |bytes| f64::from(i8::from_le_bytes(bytes))),
        "|u1" => decode(numbers, &shape, |bytes| f64::from(u8::from_le_bytes(bytes))),
        "<i2" => decode(numbers, &shape, |bytes| f64::from(i16::from_le_bytes(bytes))),
        "<i4" => decode(numbers, &shape, |bytes| f64::from(i32::from_le_bytes(bytes))),
        _ => return Err(NpyError::Type(kind)),
    }
    .ok_or_else(|| NpyError::Length { shape: shape.clone(), found: numbers.len() })?;
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(NpyError::NotFinite { index }),
        None => Ok(Array { shape, values }),
    }
}

/// What follows a key of the header.
fn field<'h>(header: &'h str, key: &str) -> Option<&'h str> {
    let (_, rest) = header.split_once(&format!("'{key}'"))?;
    Some(rest.trim_start().strip_prefix(':')?.trim_start())
}

/// `(50, 36)`, `(10,)`.
fn shape(text: &str) -> Option<Vec<usize>> {
    let (inside, _) = text.strip_prefix('(')?.split_once(')')?;
    let inside = inside.trim();
    let inside = inside.strip_suffix(',').unwrap_or(inside);
    if inside.is_empty() {
        return Some(Vec::new());
    }
    inside.split(',').map(|length| length.trim().parse().ok()).collect()
}

/// The numbers, if there are as many as the shape says.
fn decode<const N: usize>(bytes: &[u8], shape: &[usize], number: impl Fn([u8; N]) -> f64) -> Option<Vec<f64>> {
    let count = shape.iter().try_fold(1_usize, |count, length| count.checked_mul(*length))?;
    let (numbers, rest) = bytes.as_chunks::<N>();
    (numbers.len() == count && rest.is_empty()).then(|| numbers.iter().map(|bytes| number(*bytes)).collect())
}

/// A file with rows of numbers in double precision.
pub(crate) fn write(rows: &[Vec<f64>]) -> Vec<u8> {
    let numbers = rows.iter().flatten().flat_map(|number| number.to_le_bytes());
    file("<f8", &[rows.len(), rows.first().map_or(0, Vec::len)], numbers)
}

/// A file with pictures of this height and width, whose greys are bytes.
pub(crate) fn write_pictures(pictures: &[Vec<u8>], (height, width): (usize, usize)) -> Vec<u8> {
    file("|u1", &[pictures.len(), height, width], pictures.iter().flatten().copied())
}

/// A file with numbers of that type.
fn file(descr: &str, shape: &[usize], numbers: impl Iterator<Item = u8>) -> Vec<u8> {
    let lengths: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}), }}", lengths.join(", "));
    // The numbers begin at a multiple of 64 bytes, as `numpy.save` has it.
    let length = (MAGIC.len() + 4 + header.len() + 1).next_multiple_of(64) - MAGIC.len() - 4;
    let mut bytes = MAGIC.to_vec();
    bytes.extend([1, 0]);
    bytes.extend(u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes());
    bytes.extend(format!("{header:<0$}\n", length - 1).bytes());
    bytes.extend(numbers);
    bytes
}

#[cfg(test)]
mod tests {
    use super::{Array, NpyError, read, write};

    /// A file with that line of text and those bytes of numbers.
    fn file(header: &str, numbers: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
        bytes.extend(header.bytes());
        bytes.extend(numbers);
        bytes
    }

    #[test]
    fn arrays_are_read() {
        let header = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 1), }      \n";
        let array = Array { shape: vec![2, 1], values: vec![-1.0, 256.0] };
        assert_eq!(read(&file(header, &[255, 255, 0, 1])), Ok(array));
        let header = "{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }\n";
        assert_eq!(read(&file(header, &[1, 2, 253])).unwrap().values, [1.0, 2.0, -3.0]);
        let rows = vec![vec![0.1, -2.5, 1e300], vec![0.0, 3.0, 7.0]];
        let written = write(&rows);
        assert_eq!(written.len() % 64, 48);
        assert_eq!(read(&written), Ok(Array { shape: vec![2, 3], values: rows.concat() }));
    }

    #[test]
    fn damaged_files_are_refused() {
        assert_eq!(read(b"PK\x03\x04"), Err(NpyError::Magic));
        let whole = write(&[vec![1.0, 2.0]]);
        for length in 6..whole.len() {
            assert!(read(&whole[..length]).is_err(), "{length}");
        }
        let with = |descr: &str, order: &str, shape: &str, numbers: &[u8]| {
            read(&file(&format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"), numbers))
        };
        assert_eq!(with("'<f4'", "True", "(1,)", &[0; 4]), Err(NpyError::Fortran));
        assert_eq!(with("'|O'", "False", "(1,)", &[0; 4]), Err(NpyError::Type("|O".into())));
        assert_eq!(with("'<f4'", "False", "(1, x)", &[0; 4]), Err(NpyError::Header));
        assert_eq!(
            with("'<f4'", "False", "(2,)", &[0, 0, 0, 0, 0, 0, 0xc0, 0x7f]),
            Err(NpyError::NotFinite { index: 1 })
        );
        // Sizes that overflow, and gigabytes that are not there.
        for shape in ["(4294967296, 4294967296)", "(1000000000,)", "(0, 3)", "(-1,)"] {
            assert!(with("'<f4'", "False", shape, &[0; 8]).is_err(), "{shape}");
        }
    }
}
