//! What is wrong with a PBM, PGM, PPM or PAM file.

use std::fmt;
use std::prelude::v1::*;

#[derive(Debug, PartialEq, Eq)]
pub(in crate::pictures) enum Problem {
    /// The file ends before this.
    Ends(&'static str),
    /// What should be a number is none.
    Word { what: &'static str, found: String },
    /// The largest value is none that a file may have.
    Maximum(u32),
    /// A line of a PAM header that has no meaning.
    Line(String),
    /// A line of a PAM header that is there twice.
    Twice(&'static str),
    /// A line that a PAM header lacks.
    Missing(&'static str),
    /// The pixels of a PAM file are something else than colours.
    Kind { kind: String, depth: u32 },
    /// The numbers of a PAM file are not those of its kind of pixels.
    Depth { kind: String, depth: u32, most: u32 },
    /// A pixel is brighter than the file announces.
    Excess { row: usize, column: usize, found: u32, most: u32 },
    /// The file ends before this pixel.
    Short { row: usize, column: usize, width: usize, height: usize },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ends(what) => write!(f, "the file ends before {what}; expected a whole header"),
            Self::Word { what, found } => write!(f, "it has `{found}` in place of {what}; expected a number"),
            Self::Maximum(found) => {
                write!(f, "it announces {found} as its largest value; expected a number from 1 to 65535")
            }
            Self::Line(name) => write!(
                f,
                "its header has a line `{name}`; expected WIDTH, HEIGHT, DEPTH, MAXVAL, TUPLTYPE and, at the end, ENDHDR"
            ),
            Self::Twice(name) => write!(f, "its header has two lines `{name}`; remove one"),
            Self::Missing(name) => write!(f, "its header has no line `{name}`; expected one"),
            Self::Kind { kind, depth } => write!(
                f,
                "its pixels are `{kind}` of {depth} numbers each; expected GRAYSCALE, RGB or BLACKANDWHITE, alone or with _ALPHA"
            ),
            Self::Depth { kind, depth, most } => {
                write!(
                    f,
                    "its pixels, `{kind}`, cannot have a depth of {depth} and values up to {most}; correct the header"
                )
            }
            Self::Excess { row, column, found, most } => write!(
                f,
                "the pixel in row {row} and column {column}, both from 0, has the value {found}, and the file announces at \
                 most {most}; correct one of them"
            ),
            Self::Short { row, column, width, height } => write!(
                f,
                "the file ends before the pixel in row {row} and column {column}, both from 0, of {width}×{height} pixels; \
                 expected all of them"
            ),
        }
    }
}
