//! Documentation of the function of an automaton.

use cain_network::automaton::CompiledAutomaton;

use super::super::program::{cost, table};

/// The documentation of the function, after the user's own.
pub(super) fn of_compiled(compiled: &CompiledAutomaton) -> Vec<Vec<String>> {
    vec![vec![cells(compiled)], table(compiled.program()), vec![total(compiled)]]
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

/// What a step costs.
fn total(compiled: &CompiledAutomaton) -> String {
    format!("A step takes {}. All sums are proved.", cost(compiled.program()))
}
