//! The gate that every program passes before code comes out of it.

use cain_isa::Instruction;
use cain_isa::prove::{Prover, Report};

use crate::{Declaration, SearchError};

/// Replays a program exactly and decides whether it is right for a declaration: every output register holds its kernel,
/// and nothing but the registers that may be overwritten was written.
///
/// It does not matter where the program comes from.
pub fn verify(declaration: &Declaration, listing: &[Instruction]) -> Result<Report, SearchError> {
    declaration.validate()?;
    let inputs: Vec<_> = declaration.inputs.iter().map(|input| input.reg).collect();
    let prover = Prover::of(listing, &inputs).map_err(SearchError::Unprovable)?;
    for output in &declaration.outputs {
        prover.check(output.reg, &output.kernel).map_err(SearchError::Wrong)?;
    }
    let writable = declaration.writable();
    match prover.report().writes.iter().find(|reg| !writable.contains(reg)) {
        Some(&reg) => Err(SearchError::Overwritten(reg)),
        None => Ok(prover.report().clone()),
    }
}
