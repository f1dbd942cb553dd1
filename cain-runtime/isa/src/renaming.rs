//! Replacements of registers by others.

use crate::{Cell, Reg};

/// A replacement of analogue registers by others.
///
/// It is a permutation of all registers: those that are in the way of others go to where these come from. What a program does
/// depends only on which registers are the same, so it stays as legal as it was.
#[derive(Clone, Copy, Debug)]
pub struct Renaming<'r> {
    from: &'r [Reg],
    to: &'r [Reg],
}

impl<'r> Renaming<'r> {
    /// The replacement of each register in `from` by the one at the same place in `to`; `None` if their numbers differ, or if a
    /// list has a register twice.
    #[must_use]
    pub const fn new(from: &'r [Reg], to: &'r [Reg]) -> Option<Self> {
        if from.len() == to.len() && are_different(from) && are_different(to) { Some(Self { from, to }) } else { None }
    }

    pub(crate) const fn reg(self, reg: Reg) -> Reg {
        if let Some(place) = position(self.from, reg) {
            return self.to[place];
        }
        let mut reg = reg;
        while let Some(place) = position(self.to, reg) {
            reg = self.from[place];
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

const fn position(registers: &[Reg], wanted: Reg) -> Option<usize> {
    let mut i = 0;
    while i < registers.len() {
        if registers[i].same(wanted) {
            return Some(i);
        }
        i += 1;
    }
    None
}

const fn are_different(mut registers: &[Reg]) -> bool {
    while let [first, rest @ ..] = registers {
        if position(rest, *first).is_some() {
            return false;
        }
        registers = rest;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::Renaming;
    use crate::asm::{A, B, C, D, E, F};

    #[test]
    fn registers_in_the_way_go_where_others_come_from() {
        let renaming = Renaming::new(&[A, B, C], &[B, D, E]).unwrap();
        assert_eq!([A, B, C, D, E, F].map(|reg| renaming.reg(reg)), [B, D, E, A, C, F]);
    }

    #[test]
    fn lists_that_are_no_replacement_are_refused() {
        for (from, to) in [(&[A, B][..], &[C][..]), (&[A, A], &[B, C]), (&[A, B], &[C, C])] {
            assert!(Renaming::new(from, to).is_none(), "{from:?} {to:?}");
        }
    }
}
