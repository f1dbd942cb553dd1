//! Which registers a function has its numbers in.

use std::collections::BTreeSet;

use cain_digital::{Declaration, Format, Solution};
use cain_isa::{Dreg, Instruction, Word};

/// The registers of a function.
pub(super) struct Registers {
    pub(super) inputs: Vec<Vec<Dreg>>,
    pub(super) outputs: Vec<Vec<Dreg>>,
    /// What is written beside the inputs.
    pub(super) scratch: Vec<Dreg>,
}

/// Registers in the order in which a function without a program has its numbers in them.
const ORDER: [usize; Dreg::COUNT] = [5, 6, 7, 8, 9, 10, 11, 0, 12, 4, 3, 2, 1];

impl Registers {
    pub(super) fn of(declaration: &Declaration, solution: Option<&Solution>) -> Self {
        let (inputs, outputs) = solution.map_or_else(
            || canonical(declaration),
            |solution| (solution.program.program().inputs.clone(), solution.program.program().outputs.clone()),
        );
        let listing = solution.into_iter().flat_map(|solution| &solution.program.program().listing);
        let written: BTreeSet<Dreg> = listing.flat_map(Instruction::words).flat_map(|word| targets(&word)).collect();
        let given: BTreeSet<Dreg> = inputs.iter().flatten().copied().collect();
        let used: BTreeSet<Dreg> = outputs.iter().flatten().copied().chain(written).collect();
        Self { inputs, outputs, scratch: used.difference(&given).copied().collect() }
    }
}

/// The registers of inputs and outputs without a program.
fn canonical(declaration: &Declaration) -> (Vec<Vec<Dreg>>, Vec<Vec<Dreg>>) {
    let inputs = in_order(declaration.inputs.iter().map(|input| input.format.bits()), |_| true);
    let kept = declaration.inputs.iter().zip(&inputs).filter(|(input, _)| input.keep);
    let kept: Vec<Dreg> = kept.flat_map(|(_, bits)| bits).copied().collect();
    let widths = (0..declaration.outputs.len()).map(|output| declaration.output_format(output));
    let widths = widths.map(|format| format.map_or(0, Format::bits));
    let outputs = in_order(widths, |register| !kept.contains(&register));
    (inputs, outputs)
}

/// Registers for numbers of these widths.
fn in_order(widths: impl Iterator<Item = u32>, fits: impl Fn(Dreg) -> bool) -> Vec<Vec<Dreg>> {
    let known = |&number: &usize| u8::try_from(number).ok().and_then(Dreg::new);
    let mut free = ORDER.iter().filter_map(known).filter(|register| fits(*register));
    widths.map(|width| free.by_ref().take(width as usize).collect()).collect()
}

/// The digital registers that a word writes.
pub(in crate::emit) fn targets(word: &Word) -> Vec<Dreg> {
    match word {
        Word::Logic(logic) => logic.targets().to_vec(),
        Word::FromNeighbours(word) => vec![word.target()],
        Word::Propagate { .. } => vec![Dreg::ALL[12]],
        _ => Vec::new(),
    }
}
