//! What follows from a proved program on bits.

use cain_analysis::owned::Program;

use super::on_bits::{Contents, OnBits, Solution};

/// What the controller does.
pub(super) fn program<D: OnBits>(solution: &Solution<D>) -> Program {
    solution.program.declaration().program(solution.program.program())
}

/// The control words of a program.
pub(super) fn words<D: OnBits>(solution: &Solution<D>) -> usize {
    program(solution).words()
}

/// The output that is held in registers of an input that is kept, for which no two handles can be.
pub(super) fn kept_output<D: OnBits>(solution: &Solution<D>) -> Option<&str> {
    let declaration = solution.program.declaration();
    let Contents { registers, .. } = D::contents(solution.program.program());
    let [inputs, outputs, ..] = registers.as_slice() else { return None };
    let kept = declaration.inputs().into_iter().zip(inputs).filter(|((_, is_kept), _)| *is_kept);
    let kept: Vec<_> = kept.flat_map(|(_, registers)| registers).collect();
    let mut outputs = declaration.outputs().into_iter().zip(outputs);
    outputs.find(|(_, registers)| registers.iter().any(|register| kept.contains(&register))).map(|(name, _)| name)
}
