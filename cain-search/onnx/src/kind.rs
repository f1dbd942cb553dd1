//! The types of the numbers of a tensor, and the rounding of calculations in them.

use std::fmt;

use cain_isa::program::Term;

/// 2^53: integers up to it are represented exactly.
#[expect(clippy::cast_precision_loss, reason = "a power of two")]
pub(crate) const MOST_EXACT: f64 = Term::LARGEST as f64;

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Float,
    Double,
    /// Half precision.
    Half,
    /// `bfloat16`, the upper half of a float.
    Brain,
    Bool,
    Whole {
        bits: u8,
        signed: bool,
    },
}

impl Kind {
    /// The type of sizes, places and axes.
    pub(crate) const INDEX: Self = Self::Whole { bits: 64, signed: true };

    /// The type with this code in ONNX.
    pub(crate) fn of(code: i64) -> Option<Self> {
        let whole = |bits, signed| Some(Self::Whole { bits, signed });
        match code {
            1 => Some(Self::Float),
            2 => whole(8, false),
            3 => whole(8, true),
            4 => whole(16, false),
            5 => whole(16, true),
            6 => whole(32, true),
            7 => whole(64, true),
            9 => Some(Self::Bool),
            10 => Some(Self::Half),
            11 => Some(Self::Double),
            12 => whole(32, false),
            13 => whole(64, false),
            16 => Some(Self::Brain),
            _ => None,
        }
    }

    pub(crate) const fn is_float(self) -> bool {
        matches!(self, Self::Float | Self::Double | Self::Half | Self::Brain)
    }

    /// The least and the largest number of an integer type.
    pub(crate) fn bounds(self) -> Option<(f64, f64)> {
        match self {
            Self::Bool => Some((0.0, 1.0)),
            Self::Whole { bits, signed: false } => Some((0.0, 2_f64.powi(i32::from(bits)) - 1.0)),
            Self::Whole { bits, signed: true } => {
                let half = 2_f64.powi(i32::from(bits) - 1);
                Some((-half, half - 1.0))
            }
            _ => None,
        }
    }

    /// Rounds the exact result of a calculation to this type; integers wrap around.
    pub(crate) fn rounded(self, exact: f64) -> Result<f64, String> {
        match self {
            #[expect(clippy::cast_possible_truncation, reason = "meant")]
            Self::Float => Ok(f64::from(exact as f32)),
            Self::Double | Self::Bool => Ok(exact),
            Self::Half => Ok(nearest(exact, 11, -14, 65504.0)),
            Self::Brain => Ok(nearest(exact, 8, -126, f64::from(f32::MAX))),
            Self::Whole { bits, signed } => {
                if exact.abs() > MOST_EXACT {
                    return Err(format!("calculates with {exact}, which is too large to be held exactly"));
                }
                let modulus = 2_f64.powi(i32::from(bits));
                if bits == 64 && (signed || exact >= 0.0) {
                    return Ok(exact);
                }
                let wrapped = exact.rem_euclid(modulus);
                Ok(if signed && wrapped >= modulus / 2.0 { wrapped - modulus } else { wrapped })
            }
        }
    }

    /// Casts a number from another type. Floats are truncated towards zero.
    pub(crate) fn cast(self, from: Self, value: f64) -> Result<f64, String> {
        match (self.bounds(), from.is_float()) {
            (Some(_), _) if self == Self::Bool => Ok(f64::from(u8::from(value != 0.0))),
            (Some((least, most)), true) => Ok(value.trunc().clamp(least, most)),
            (Some((least, most)), false) if (least..=most).contains(&value) => Ok(value),
            _ => self.rounded(value),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Float => f.write_str("float"),
            Self::Double => f.write_str("double"),
            Self::Half => f.write_str("float16"),
            Self::Brain => f.write_str("bfloat16"),
            Self::Bool => f.write_str("bool"),
            Self::Whole { bits, signed } => write!(f, "{}int{bits}", if *signed { "" } else { "u" }),
        }
    }
}

/// The name in ONNX of the type with this code.
pub(crate) fn type_name(code: i64) -> String {
    const NAMES: [&str; 27] = [
        "UNDEFINED",
        "FLOAT",
        "UINT8",
        "INT8",
        "UINT16",
        "INT16",
        "INT32",
        "INT64",
        "STRING",
        "BOOL",
        "FLOAT16",
        "DOUBLE",
        "UINT32",
        "UINT64",
        "COMPLEX64",
        "COMPLEX128",
        "BFLOAT16",
        "FLOAT8E4M3FN",
        "FLOAT8E4M3FNUZ",
        "FLOAT8E5M2",
        "FLOAT8E5M2FNUZ",
        "UINT4",
        "INT4",
        "FLOAT4E2M1",
        "FLOAT8E8M0",
        "UINT2",
        "INT2",
    ];
    let name = usize::try_from(code).ok().and_then(|code| NAMES.get(code));
    name.map_or_else(|| format!("with the unknown code {code}"), |name| (*name).to_owned())
}

/// The nearest float with this many binary digits; infinite beyond the largest one.
fn nearest(value: f64, digits: i32, least_exponent: i32, most: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    #[expect(clippy::cast_possible_truncation, reason = "an exponent")]
    let exponent = (value.abs().log2().floor() as i32).max(least_exponent);
    let unit = 2_f64.powi(exponent - digits + 1);
    let near = (value / unit).round_ties_even() * unit;
    if near.abs() > most { f64::INFINITY.copysign(value) } else { near }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn results_are_rounded_and_wrap_around() {
        let whole = |bits, signed| Kind::Whole { bits, signed };
        for (kind, exact, wanted) in [
            (Kind::Float, 0.1, f64::from(0.1_f32)),
            (Kind::Double, 0.1, 0.1),
            (Kind::Half, 0.1, 0.099_975_585_937_5),
            (Kind::Half, 65520.0, f64::INFINITY),
            (Kind::Brain, 257.0, 256.0),
            (whole(8, false), -1.0, 255.0),
            (whole(8, true), 128.0, -128.0),
            (whole(32, true), 2_147_483_648.0, -2_147_483_648.0),
            (whole(64, true), -5.0, -5.0),
        ] {
            assert_eq!(kind.rounded(exact), Ok(wanted), "{kind}");
        }
        assert!(whole(64, false).rounded(1e17).is_err());
    }

    #[test]
    fn casts_are_those_of_onnx() {
        let byte = Kind::Whole { bits: 8, signed: false };
        for (to, from, value, wanted) in [
            (Kind::INDEX, Kind::Float, -2.7, -2.0),
            (byte, Kind::Float, 300.0, 255.0),
            (byte, Kind::INDEX, 300.0, 44.0),
            (Kind::Bool, Kind::Float, -0.25, 1.0),
            (Kind::Float, Kind::Bool, 1.0, 1.0),
        ] {
            assert_eq!(to.cast(from, value), Ok(wanted), "{from} to {to}");
        }
    }
}
