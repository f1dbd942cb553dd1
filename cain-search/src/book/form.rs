//! In which registers a program works, whatever they are called.

use core::fmt;

use cain_isa::{Instruction, Reg};

use crate::Declaration;
use crate::verify::writes;

/// The registers of a declaration with one input: in the book that is A, outputs that are elsewhere are B and the next
/// ones, and so are all others.
pub(super) struct Form {
    input: Reg,
    keeps_input: bool,
    outputs: Vec<Reg>,
    /// All others that may be overwritten.
    others: Vec<Reg>,
}

impl Form {
    /// The form of a declaration whose outputs are taken in an order; `None` if it has several inputs.
    pub(super) fn of(declaration: &Declaration, order: &[usize]) -> Option<Self> {
        let [input] = declaration.inputs[..] else { return None };
        let outputs: Vec<Reg> = order.iter().filter_map(|&at| Some(declaration.outputs.get(at)?.reg)).collect();
        let is_other = |reg: &Reg| *reg != input.reg && !outputs.contains(reg);
        let others = declaration.writable().into_iter().filter(is_other).collect();
        Some(Self { input: input.reg, keeps_input: input.keep, outputs, others })
    }

    /// Whether a program of the book with that form, which takes and which had that many further registers, is one for this
    /// form.
    pub(super) fn fits(&self, form: &str, (least, most): (usize, usize)) -> bool {
        self.to_string() == form && (least..=most).contains(&self.others.len())
    }

    /// The number of further registers that a program overwrites.
    pub(super) fn used(&self, listing: &[Instruction]) -> usize {
        self.others.iter().filter(|reg| listing.iter().any(|line| writes(line, **reg))).count()
    }

    /// The registers that have names in the book, each with that name first.
    pub(super) fn named(&self) -> impl Iterator<Item = (Reg, Reg)> + '_ {
        let outputs = self.outputs.iter().filter(|reg| **reg != self.input);
        Self::names().zip(std::iter::once(self.input).chain(outputs.copied()))
    }

    /// All others that may be overwritten.
    pub(super) fn others(&self) -> &[Reg] {
        &self.others
    }

    fn names() -> impl Iterator<Item = Reg> {
        ('A'..='F').filter_map(|name| name.to_string().parse().ok())
    }
}

impl fmt::Display for Form {
    /// Writes `&A>B`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.keeps_input { "&A>" } else { "A>" })?;
        self.outputs.iter().try_for_each(|reg| {
            let name = self.named().find(|(_, here)| here == reg).map(|(name, _)| name);
            name.map_or(Ok(()), |name| name.fmt(f))
        })
    }
}
