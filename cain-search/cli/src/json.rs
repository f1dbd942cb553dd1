//! Writes lines of JSON. Figures are rounded to their precision, because sums of binary numbers have meaningless
//! further digits.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter};

/// The number of digits after the first one: the precision of single-precision numbers, in which planes and the times
/// of words are.
const DIGITS: usize = 6;

/// Writes an object on a line of its own.
pub(crate) fn print_object(out: &mut impl Write, object: &impl Serialize) -> io::Result<()> {
    let mut line = Vec::new();
    object.serialize(&mut Serializer::with_formatter(&mut line, Rounded))?;
    line.push(b'\n');
    out.write_all(&line)?;
    out.flush()
}

/// Serialises pairs of a name and a value as an object, in their order.
pub(crate) fn as_map<N: Serialize, V: Serialize, S: serde::Serializer>(
    pairs: &[(N, V)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// A JSON formatter that rounds numbers.
struct Rounded;

impl Formatter for Rounded {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        CompactFormatter.write_f64(writer, read(&format!("{value:.DIGITS$e}"), value))
    }

    fn write_f32<W: ?Sized + Write>(&mut self, writer: &mut W, value: f32) -> io::Result<()> {
        CompactFormatter.write_f64(writer, read(&format!("{value:.DIGITS$e}"), value.into()))
    }
}

/// The number that a rounded text shows.
fn read(rounded: &str, value: f64) -> f64 {
    rounded.parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::print_object;

    #[test]
    fn numbers_have_no_tails() {
        let mut line = Vec::new();
        let doubles = [0.1 + 0.2, -1.0 / 3.0, 123_456.789, 0.0, 1e-12, 7.0, f64::NAN, 6.02e23];
        let singles = [0.1_f32, -127.3, 2.0 / 3.0, f32::INFINITY, 0.5];
        print_object(&mut line, &(doubles, singles, 0.1 + 0.7, u64::MAX)).unwrap();
        assert_eq!(
            String::from_utf8(line).unwrap(),
            "[[0.3,-0.3333333,123456.8,0.0,1e-12,7.0,null,6.02e+23],[0.1,-127.3,0.6666667,null,0.5],0.8,18446744073709551615]\n"
        );
    }
}
