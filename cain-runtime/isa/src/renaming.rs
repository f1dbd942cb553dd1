//! Replacements of registers by others.

use crate::{Cell, Reg};

/// A replacement of registers by others.
#[derive(Clone, Copy)]
pub(crate) struct Renaming<'r> {
    pub(crate) from: &'r [Reg],
    pub(crate) to: &'r [Reg],
}

impl Renaming<'_> {
    pub(crate) const fn reg(self, reg: Reg) -> Reg {
        let mut i = 0;
        while i < self.from.len() {
            if self.from[i].same(reg) {
                return self.to[i];
            }
            i += 1;
        }
        reg
    }

    pub(crate) const fn cell(self, cell: Cell) -> Cell {
        match cell {
            Cell::Reg(reg) => Cell::Reg(self.reg(reg)),
            cell => cell,
        }
    }
}
