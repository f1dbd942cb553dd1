//! Documentation of the function of an automaton.

use cain_isa::{Instruction, Word};
use cain_network::automaton::CompiledAutomaton;

/// The documentation of the function, after the user's own.
pub(super) fn of_compiled(compiled: &CompiledAutomaton) -> Vec<Vec<String>> {
    vec![vec![cells(compiled)], table(compiled), vec![total(compiled)]]
}

/// What a cell is.
fn cells(compiled: &CompiledAutomaton) -> String {
    let automaton = compiled.automaton();
    let (height, width) = automaton.size;
    format!(
        "Carries out that many steps on the cells of a picture of {height}×{width} pixels. A cell lives where the grey is at \
         least {} of 255; its state is {} numbers, of which the last {} are the classes. The array needs registers of {} bits \
         and room for {} PEs around the picture.",
        automaton.alive,
        automaton.state(),
        automaton.classes,
        automaton.bits.register,
        compiled.reach(),
    )
}

/// A row for each layer.
fn table(compiled: &CompiledAutomaton) -> Vec<String> {
    let head = ["| layer | inputs | outputs | instructions | words |", "|---|---|---|---|---|"].map(str::to_owned);
    let sizes = compiled.automaton().layers.iter().map(|layer| (layer.inputs(), layer.outputs()));
    let rows = compiled.layers().iter().zip(sizes).enumerate().map(|(number, (layer, (inputs, outputs)))| {
        let listing = layer.program.listing();
        let words = listing.iter().flat_map(Instruction::words).count();
        format!("| {} | {inputs} | {outputs} | {} | {words} |", number + 1, listing.len())
    });
    head.into_iter().chain(rows).collect()
}

/// What a step costs.
fn total(compiled: &CompiledAutomaton) -> String {
    // What was compiled has these operations.
    let step = compiled.step().unwrap_or_default();
    let words: Vec<Word> = step.iter().flat_map(Instruction::words).collect();
    let times = &compiled.automaton().machine.times;
    let nanoseconds: u64 = words.iter().map(|word| u64::from(times.of(word.clock()))).sum();
    format!(
        "A step takes {} control words, about {} µs on the chip. All sums are proved.",
        words.len(),
        nanoseconds.div_ceil(1000)
    )
}
