//! The canonical spelling of declarations.

use core::fmt;

use cain_isa::{Machine, Reg};

use super::{Declaration, Matrix};

impl fmt::Display for Declaration {
    /// Writes the canonical spelling, on one line: declarations with the same options and the same text are equivalent.
    ///
    /// `gauss(A) -> B using (C) { B = 1/16 [1 2 1; 2 4 2; 1 2 1] * A }`, with `on (registers = 18)` before the brace if
    /// the machine is not SCAMP-5.
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
