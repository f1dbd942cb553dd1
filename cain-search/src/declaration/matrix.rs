//! Kernels as matrices.

use core::fmt;

use cain_analysis::prove::{Atom, Polynomial};
use cain_isa::Displacement;

use crate::fractions::common_denominator;

/// One channel of a kernel, as the smallest matrix of odd size around the PE with a common denominator.
///
/// Displayed as `1/16 [1 2 1; 2 4 2; 1 2 1]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// The common denominator of all weights.
    pub denominator: i64,
    /// The numerators; row 0 is north, column 0 is west.
    pub rows: Vec<Vec<i64>>,
}

impl Matrix {
    /// The matrix of one channel; `None` if all its weights are zero or a numerator does not fit.
    #[must_use]
    pub fn of(kernel: &Polynomial, channel: u16) -> Option<Self> {
        let terms = || kernel.terms().filter(move |(atom, _)| atom.channel == channel);
        let half_width = terms().map(|(atom, _)| atom.displacement.x.unsigned_abs()).max()?.cast_signed();
        let half_height = terms().map(|(atom, _)| atom.displacement.y.unsigned_abs()).max()?.cast_signed();
        let denominator = common_denominator(terms().map(|(_, weight)| weight))?;
        let numerator = |x, y| {
            let atom = Atom { channel, displacement: Displacement::new(x, y) };
            let weight = kernel.weight(atom);
            weight.numerator().checked_mul(denominator / weight.denominator())
        };
        let row = |y| (-half_width..=half_width).map(|x| numerator(x, y)).collect::<Option<Vec<_>>>();
        let rows = (-half_height..=half_height).rev().map(row).collect::<Option<Vec<_>>>()?;
        Some(Self { denominator, rows })
    }
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator != 1 {
            write!(f, "1/{} ", self.denominator)?;
        }
        f.write_str("[")?;
        for (i, row) in self.rows.iter().enumerate() {
            f.write_str(if i > 0 { "; " } else { "" })?;
            for (j, weight) in row.iter().enumerate() {
                write!(f, "{}{weight}", if j > 0 { " " } else { "" })?;
            }
        }
        f.write_str("]")
    }
}
