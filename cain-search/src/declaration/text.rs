//! Declarations and kernels in their canonical spelling.

use core::fmt;

use cain_isa::prove::Polynomial;
use cain_isa::{Fraction, Machine, Reg};

use super::Declaration;

impl fmt::Display for Declaration {
    /// The canonical spelling, on one line: declarations with the same options and the same text are equivalent.
    ///
    /// `gauss(A) -> B using (C) { B = 1/16 [1 2 1; 2 4 2; 1 2 1] * A }`, and with `on (registers = 18)` before the
    /// brace if the machine is not SCAMP-5.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        for (i, input) in self.inputs.iter().enumerate() {
            let separator = if i > 0 { ", " } else { "" };
            write!(f, "{separator}{}{}", if input.keep { "&" } else { "" }, input.reg)?;
        }
        f.write_str(") -> (")?;
        write_list(f, self.outputs.iter().map(|output| output.reg))?;
        f.write_str(") using (")?;
        write_list(f, self.scratch.iter().copied())?;
        f.write_str(") ")?;
        if self.machine != Machine::SCAMP5 {
            write!(f, "on ({}) ", self.machine)?;
        }
        f.write_str("{")?;
        for output in &self.outputs {
            write!(f, " {} = ", output.reg)?;
            let mut plus = "";
            for (channel, input) in (0..).zip(&self.inputs) {
                if let Some(matrix) = Matrix::of(&output.kernel, channel) {
                    write!(f, "{plus}{matrix} * {}", input.reg)?;
                    plus = " + ";
                }
            }
            f.write_str(if plus.is_empty() { "0;" } else { ";" })?;
        }
        f.write_str(" }")
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, registers: impl Iterator<Item = Reg>) -> fmt::Result {
    for (i, reg) in registers.enumerate() {
        write!(f, "{}{reg}", if i > 0 { ", " } else { "" })?;
    }
    Ok(())
}

/// One channel of a kernel as the smallest matrix of odd size around the PE, with a common denominator.
///
/// Displayed as `1/16 [1 2 1; 2 4 2; 1 2 1]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// The common denominator of the rows.
    pub denominator: i64,
    /// Numerators; row 0 north, column 0 west.
    pub rows: Vec<Vec<i64>>,
}

impl Matrix {
    /// The matrix of one channel; `None` if its weights are all zero, or if a numerator does not fit.
    #[must_use]
    pub fn of(kernel: &Polynomial, channel: u16) -> Option<Self> {
        let terms = || kernel.terms().filter(move |(atom, _)| atom.channel == channel);
        let half_width = terms().map(|(atom, _)| atom.displacement.x.unsigned_abs()).max()?.cast_signed();
        let half_height = terms().map(|(atom, _)| atom.displacement.y.unsigned_abs()).max()?.cast_signed();
        let denominator = terms().map(|(_, weight)| weight.denominator()).try_fold(1_i64, |common, denominator| {
            // The least common multiple: `common` times the denominator of common/denominator in lowest terms.
            common.checked_mul(Fraction::new(common, denominator)?.denominator())
        })?;
        let numerator = |x, y| {
            let atom = cain_isa::prove::Atom { channel, displacement: cain_isa::Displacement::new(x, y) };
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
