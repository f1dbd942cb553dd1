//! Tests several dense kernels at once in control words, on a machine with registers to spare.

use crate::common::{DENSE, kernel};
use crate::native::{native, solve};
use cain_isa::Reg;
use cain_search::{MaxGain, OffsetRule};

/// The words for the first of the [`DENSE`] kernels, with so many columns of zeros before them, without offset errors, within their
/// own gain.
fn words(kernels: usize, zeros: usize, nodes: u64) -> usize {
    let kernels = DENSE[..kernels].iter().map(|rows| {
        let rows = rows.map(|row| [&vec![0; zeros][..], row].concat());
        kernel(64, &rows.each_ref().map(Vec::as_slice))
    });
    let outputs: Vec<_> = (0..).map(Reg::from_index).zip(kernels).collect();
    let mut declaration = native(&outputs, OffsetRule::Cancelled, nodes);
    declaration.options.max_gain = MaxGain::Own;
    declaration.machine = declaration.machine.with_registers(18);
    let is_output = |reg: &Reg| outputs.iter().any(|output| output.0 == *reg);
    declaration.scratch = declaration.machine.registers.iter().filter(|reg| !is_output(reg)).collect();
    solve(&declaration).program.listing().len()
}

/// A narrow first sweep would end at about 150 words.
#[test]
fn a_first_sweep_over_small_kernels() {
    let words = words(3, 0, 4_000);
    assert!(words <= 50, "{words}");
}

/// With the exchange of values before the first sweep, it would be 93 words.
#[test]
fn many_outputs_of_neighbours_are_swept_first() {
    let words = words(6, 0, 5_000);
    assert!(words <= 75, "{words}");
}

/// Kernels that reach farther are not swept first: values of the first program, of about 130 words, are exchanged together
/// with the errors they contain.
#[test]
fn exchanged_with_their_errors() {
    let words = words(7, 2, 5_000);
    assert!(words <= 115, "{words}");
}
