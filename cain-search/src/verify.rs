//! The gate that every program passes before code comes out of it.

use cain_isa::Instruction;
use cain_isa::prove::{Prover, Report};

use crate::{Declaration, SearchError};

/// Replays a program exactly and decides whether it is right for a declaration: every output register holds its kernel,
/// nothing but the registers that may be overwritten was written, and no gain is above the headroom.
///
/// It does not matter where the program comes from.
pub fn verify(declaration: &Declaration, listing: &[Instruction]) -> Result<Report, SearchError> {
    declaration.validate()?;
    let inputs: Vec<_> = declaration.inputs.iter().map(|input| input.reg).collect();
    let prover = Prover::of(listing, &inputs).map_err(SearchError::Unprovable)?;
    for output in &declaration.outputs {
        prover.check(output.reg, &output.kernel).map_err(SearchError::Wrong)?;
    }
    let (report, writable) = (prover.report(), declaration.writable());
    if let Some(&reg) = report.writes.iter().find(|reg| !writable.contains(reg)) {
        return Err(SearchError::Overwritten(reg));
    }
    match declaration.options.headroom {
        Some(headroom) if report.headroom > headroom => Err(SearchError::Headroom { gain: report.headroom, headroom }),
        _ => Ok(report.clone()),
    }
}
