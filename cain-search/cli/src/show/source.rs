//! Where the programs come from.

use cain_codegen::Plan;
use cain_codegen::kernel_file::{Diagnostic, Filter};
use cain_codegen::plan_file::PlanFolder;

use crate::args::Search;
use crate::find::{Found, find};
use crate::interrupt::Interrupt;

/// The plan of a filter: that of its plan file, or else one that is searched for; and what the user should know about it.
pub(crate) fn plan(
    filter: &Filter,
    plans: Option<&PlanFolder>,
    args: &Search,
    interrupt: &Interrupt,
) -> Result<(Plan, Vec<Diagnostic>), Diagnostic> {
    let mut notices = Vec::new();
    if let Some(plans) = plans {
        match plans.load(&filter.declaration) {
            Ok(Some(solution)) => {
                let plan = Plan { solution, approximated: filter.approximated, folder: Some(plans.clone()) };
                return Ok((plan, notices));
            }
            Ok(None) => {}
            Err(error) => notices.push(filter.diagnostic(&format!("its plan is not used: {error}"))),
        }
    }
    let Found { plan, notice, .. } = find(filter, args, interrupt)?;
    notices.extend(notice);
    Ok((plan, notices))
}
