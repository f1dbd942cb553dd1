//! The headers of PBM, PGM, PPM and PAM files.

use std::io::{self, BufRead, Read};
use std::prelude::v1::*;

use super::problem::Problem;
use crate::pictures::read::reason::Reason;

/// The longest line of a PAM header, and the longest word of others.
const LONGEST: u64 = 1 << 10;

/// What a header announces.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) width: u64,
    pub(super) height: u64,
    /// The numbers for each pixel: a grey or three colours, with or without an opacity.
    pub(super) channels: usize,
    /// The largest number.
    pub(super) most: u32,
    pub(super) samples: Samples,
    pub(super) is_text: bool,
}

/// What the numbers of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Samples {
    /// Bits, of which 1 is black.
    Bits,
    /// Levels, of which 0 is black.
    Levels,
}

impl Header {
    /// Reads the header of a file of the kind `P1` to `P7`, of which the digit is given. Afterwards the pixels follow.
    pub(super) fn read(file: &mut impl BufRead, kind: u8) -> Result<Self, Reason> {
        let mut magic = [0; 2];
        file.read_exact(&mut magic).map_err(Reason::Read)?;
        if kind == b'7' {
            return arbitrary(file);
        }
        let samples = if matches!(kind, b'1' | b'4') { Samples::Bits } else { Samples::Levels };
        let (width, height) = (number(file, "the width")?.into(), number(file, "the height")?.into());
        let most = if samples == Samples::Bits { 1 } else { number(file, "the largest value")? };
        let channels = if matches!(kind, b'3' | b'6') { 3 } else { 1 };
        Self { width, height, channels, most, samples, is_text: kind < b'4' }.checked()
    }

    fn checked(self) -> Result<Self, Reason> {
        if (1..=0xffff).contains(&self.most) { Ok(self) } else { Err(Reason::Pnm(Problem::Maximum(self.most))) }
    }
}

/// The next number, with one white space behind it. A comment goes from `#` to the end of the line.
fn number(file: &mut impl BufRead, what: &'static str) -> Result<u32, Reason> {
    let mut word = String::new();
    let mut in_comment = false;
    for byte in file.by_ref().bytes() {
        let byte = byte.map_err(Reason::Read)?;
        in_comment = if in_comment { byte != b'\n' && byte != b'\r' } else { byte == b'#' };
        if in_comment {
            continue;
        }
        if !is_space(byte) && word.len() < 20 {
            word.push(char::from(byte));
        } else if !word.is_empty() {
            break;
        }
    }
    if word.is_empty() {
        return Err(Reason::Pnm(Problem::Ends(what)));
    }
    parsed(what, &word)
}

/// Whether a byte separates the words of a file.
pub(super) fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

fn parsed(what: &'static str, word: &str) -> Result<u32, Reason> {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let number = if is_number { word.parse().ok() } else { None };
    number.ok_or_else(|| Reason::Pnm(Problem::Word { what, found: word.to_owned() }))
}

/// The header of a PAM file: lines, each with a name and a value.
fn arbitrary(file: &mut impl BufRead) -> Result<Header, Reason> {
    let [mut width, mut height, mut depth, mut most] = [None; 4];
    let mut kind = String::new();
    loop {
        let line = line(file)?;
        let line = line.trim();
        let (name, value) = line.split_once(|character: char| character.is_ascii_whitespace()).unwrap_or((line, ""));
        let (place, what) = match name {
            _ if line.is_empty() || line.starts_with('#') => continue,
            "ENDHDR" => break,
            "TUPLTYPE" => {
                if !kind.is_empty() {
                    kind.push(' ');
                }
                kind.push_str(value.trim());
                continue;
            }
            "WIDTH" => (&mut width, "WIDTH"),
            "HEIGHT" => (&mut height, "HEIGHT"),
            "DEPTH" => (&mut depth, "DEPTH"),
            "MAXVAL" => (&mut most, "MAXVAL"),
            _ => return Err(Reason::Pnm(Problem::Line(name.to_owned()))),
        };
        if place.replace(parsed(what, value.trim())?).is_some() {
            return Err(Reason::Pnm(Problem::Twice(what)));
        }
    }
    let given = |number: Option<u32>, what| number.ok_or(Reason::Pnm(Problem::Missing(what)));
    let (width, height) = (given(width, "WIDTH")?.into(), given(height, "HEIGHT")?.into());
    let (depth, most) = (given(depth, "DEPTH")?, given(most, "MAXVAL")?);
    let expected = match kind.as_str() {
        "" if (1..=4).contains(&depth) => depth,
        "BLACKANDWHITE" | "GRAYSCALE" => 1,
        "BLACKANDWHITE_ALPHA" | "GRAYSCALE_ALPHA" => 2,
        "RGB" => 3,
        "RGB_ALPHA" => 4,
        _ => return Err(Reason::Pnm(Problem::Kind { kind, depth })),
    };
    if depth != expected || kind.starts_with("BLACK") && most != 1 {
        return Err(Reason::Pnm(Problem::Depth { kind, depth, most }));
    }
    let channels = usize::try_from(depth).unwrap_or(usize::MAX);
    Header { width, height, channels, most, samples: Samples::Levels, is_text: false }.checked()
}

fn line(file: &mut impl BufRead) -> Result<String, Reason> {
    let mut line = Vec::new();
    io::Read::take(&mut *file, LONGEST).read_until(b'\n', &mut line).map_err(Reason::Read)?;
    if line.last() == Some(&b'\n') {
        Ok(String::from_utf8_lossy(&line).into_owned())
    } else {
        Err(Reason::Pnm(Problem::Ends("ENDHDR")))
    }
}
