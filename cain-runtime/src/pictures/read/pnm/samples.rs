//! The numbers of PBM, PGM, PPM and PAM files.

use std::io::{BufRead, Read};
use std::prelude::v1::*;

use super::header::{Header, Samples, is_space};
use super::problem::Problem;
use crate::pictures::read::reason::Reason;

/// The next numbers of a row; fewer if the file ends.
pub(super) fn next(file: &mut impl BufRead, header: &Header, count: usize) -> Result<Vec<u32>, Reason> {
    if header.is_text {
        return text(file, header.samples, count);
    }
    let size = match header.samples {
        Samples::Bits => count.div_ceil(8),
        Samples::Levels if header.most > 0xff => 2 * count,
        Samples::Levels => count,
    };
    let mut bytes = Vec::new();
    file.by_ref().take(u64::try_from(size).unwrap_or(u64::MAX)).read_to_end(&mut bytes).map_err(Reason::Read)?;
    Ok(match header.samples {
        // Rows end at whole bytes.
        Samples::Bits => {
            let bits = bytes.iter().flat_map(|byte| (0..8).rev().map(move |place| u32::from(byte >> place & 1)));
            bits.take(count).collect()
        }
        Samples::Levels if header.most > 0xff => {
            let pair = |pair: &[u8]| pair.iter().fold(0, |number, byte| number << 8 | u32::from(*byte));
            bytes.chunks_exact(2).map(pair).collect()
        }
        Samples::Levels => bytes.into_iter().map(u32::from).collect(),
    })
}

/// Numbers in decimal digits, with white space between them, which bits need not have.
fn text(file: &mut impl BufRead, samples: Samples, count: usize) -> Result<Vec<u32>, Reason> {
    let mut numbers = Vec::new();
    let mut number: Option<u32> = None;
    let mut bytes = file.by_ref().bytes();
    while numbers.len() < count {
        match bytes.next().transpose().map_err(Reason::Read)? {
            Some(digit @ b'0'..=b'9') => {
                let joined = number.unwrap_or(0).saturating_mul(10).saturating_add(u32::from(digit - b'0'));
                if samples == Samples::Bits { numbers.push(joined) } else { number = Some(joined) }
            }
            Some(byte) if is_space(byte) => numbers.extend(number.take()),
            Some(byte) => return Err(Reason::Pnm(Problem::Word { what: "a pixel", found: char::from(byte).into() })),
            None => {
                numbers.extend(number.take());
                break;
            }
        }
    }
    Ok(numbers)
}
