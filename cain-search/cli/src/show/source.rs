//! Where the programs come from.

use std::path::PathBuf;

use cain_codegen::kernel_file::{Filter, Problem};
use cain_codegen::plan_file::PlanFolder;
use cain_isa::prove::Report;
use cain_isa::{Found, Instruction};
use cain_search::{Approximated, Declaration, Solution, verify};

use crate::args::Search;
use crate::find::{Searched, search};
use crate::interrupt::Interrupt;

/// A proved program for a filter, and what is known about it.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) declaration: Declaration,
    /// What the kernel file says about the filter.
    pub(crate) doc: Option<String>,
    /// What approximation did to the kernels, if the file asks for it.
    pub(crate) approximated: Option<Approximated>,
    pub(crate) listing: Vec<Instruction>,
    /// Costs and registers, as the prover found them.
    pub(crate) report: Report,
    /// How the program was found.
    pub(crate) found: Found,
    /// The plan file that it comes from, as messages show it; none if it was searched for.
    pub(crate) plan: Option<PathBuf>,
}

impl Program {
    fn new(filter: &Filter, declaration: Declaration, solution: Solution, plan: Option<PathBuf>) -> Self {
        let Solution { listing, report, statistics } = solution;
        Self {
            declaration,
            doc: filter.doc.clone(),
            approximated: filter.approximated,
            listing,
            report,
            found: Found { nodes: statistics.nodes, lower_bound: statistics.lower_bound, stop: statistics.stop },
            plan,
        }
    }
}

/// The program of a filter: that of its plan, or else one that is searched for; and what the user should know about it.
pub(crate) fn program(
    filter: &Filter,
    plans: Option<&PlanFolder>,
    args: &Search,
    interrupt: &Interrupt,
) -> Result<(Program, Vec<Problem>), Problem> {
    let mut notices = Vec::new();
    if let Some(plans) = plans {
        match plans.load(&filter.declaration) {
            Ok(Some(solution)) => {
                let plan = plans.shown(filter.name());
                return Ok((Program::new(filter, filter.declaration.clone(), solution, Some(plan)), notices));
            }
            Ok(None) => {}
            Err(error) => notices.push(filter.complain(&format!("its plan is not used: {error}"))),
        }
    }
    let Searched { declaration, solution, notice, .. } = search(filter, args, interrupt)?;
    notices.extend(notice);
    let report = verify(&declaration, &solution.listing).map_err(|error| filter.blame(&error))?;
    Ok((Program::new(filter, declaration, Solution { report, ..solution }, None), notices))
}
