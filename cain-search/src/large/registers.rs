//! The registers for the inputs, the table and the results.

use cain_isa::Reg;

use super::map::Map;
use super::table::EntryId;
use crate::Declaration;

/// The registers of a program.
///
/// The table takes all registers that no result needs yet, and shrinks while results fill them.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The registers of the entries: of the inputs, then of the table.
    pub(super) entries: Vec<Reg>,
    /// The register in which each output is computed: its own, unless that holds an input.
    pub(super) results: Vec<Reg>,
    /// Registers for intermediate sums.
    pub(super) spare: Vec<Reg>,
    /// For each entry of the table, how many outputs it serves, in the order of the map.
    served: Vec<usize>,
    inputs: usize,
}

impl Layout {
    /// The layout for a declaration; `None` if there are too few registers for all results and `spare` more for
    /// intermediate sums.
    pub(super) fn of(declaration: &Declaration, map: &Map, spare: usize) -> Option<Self> {
        let inputs: Vec<Reg> = declaration.inputs.iter().map(|input| input.reg).collect();
        let is_taken = |reg: &Reg| inputs.contains(reg) || map.outputs.iter().any(|wanted| wanted.reg == *reg);
        let mut free: Vec<Reg> = declaration.writable().into_iter().filter(|reg| !is_taken(reg)).collect();
        let spare = free.split_off(free.len().checked_sub(spare)?);
        let mut results = Vec::new();
        for wanted in &map.outputs {
            results.push(if wanted.is_input { free.pop()? } else { wanted.reg });
        }
        let mut served = vec![results.len(); free.len()];
        let mut entries = inputs.clone();
        entries.append(&mut free);
        for (number, &reg) in results.iter().enumerate().skip(1).rev() {
            entries.push(reg);
            served.push(number);
        }
        Some(Self { entries, results, spare, served, inputs: inputs.len() })
    }

    /// The number of outputs that an entry of the table serves; 0 if there is no register for it.
    pub(super) fn reach(&self, number: usize) -> usize {
        self.served.get(number).copied().unwrap_or(0)
    }

    /// Whether so many entries of the table can serve all outputs.
    pub(super) fn has_room_for(&self, entries: usize) -> bool {
        entries == 0 || self.reach(entries - 1) == self.results.len()
    }

    /// The number of entries, including inputs, that an output can use.
    pub(super) fn entries_for(&self, output: usize) -> usize {
        self.inputs + self.served.iter().take_while(|served| **served > output).count()
    }

    pub(super) fn of_entry(&self, entry: EntryId) -> Option<Reg> {
        self.entries.get(usize::from(entry)).copied()
    }
}
