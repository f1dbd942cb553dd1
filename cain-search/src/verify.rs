//! The gate that every program passes before code comes out of it.

use cain_isa::prove::{Prover, Report};
use cain_isa::{Fraction, Instruction};

use crate::{Declaration, OffsetRule, Output, SearchError};

/// Replays a program exactly and decides whether it is right for a declaration: every output register holds its kernel,
/// nothing but the registers that may be overwritten was written, no gain is above the headroom, no output holds the
/// constant transfer error if that has to cancel, and no instruction is of another set.
///
/// It does not matter where the program comes from.
pub fn verify(declaration: &Declaration, listing: &[Instruction]) -> Result<Report, SearchError> {
    verify_within(declaration, listing, u64::MAX)
}

/// As [`verify`], for a program that nobody vouches for: one that reads more weights than that is
/// [`Unprovable`](SearchError::Unprovable); see [`Prover::limited_to`].
pub fn verify_within(declaration: &Declaration, listing: &[Instruction], weights: u64) -> Result<Report, SearchError> {
    declaration.validate()?;
    if let Some(foreign) = listing.iter().find(|line| !declaration.options.instructions.contains(line)) {
        return Err(SearchError::Foreign(*foreign));
    }
    let inputs: Vec<_> = declaration.inputs.iter().map(|input| input.reg).collect();
    let prover = Prover::new(&inputs).limited_to(weights).after(listing).map_err(SearchError::Unprovable)?;
    for output in &declaration.outputs {
        prover.check(output.reg, &output.kernel).map_err(SearchError::Wrong)?;
    }
    let (report, writable) = (prover.report(), declaration.writable());
    if let Some(&reg) = report.writes.iter().find(|reg| !writable.contains(reg)) {
        return Err(SearchError::Overwritten(reg));
    }
    if declaration.options.offset_rule() == OffsetRule::Cancelled {
        for &Output { reg, .. } in &declaration.outputs {
            let offset = report.offset(reg);
            if offset != Some(Fraction::ZERO) {
                return Err(SearchError::Offset { reg, offset });
            }
        }
    }
    match declaration.options.headroom {
        Some(headroom) if report.headroom > headroom => Err(SearchError::Headroom { gain: report.headroom, headroom }),
        _ => Ok(report.clone()),
    }
}
