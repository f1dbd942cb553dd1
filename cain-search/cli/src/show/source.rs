//! Where the programs come from.

use cain_codegen::kernel_file::{Filter, Problem};
use cain_isa::prove::Report;
use cain_isa::{Found, Instruction};
use cain_search::{Approximated, Declaration, verify};

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
}

/// The program of a filter, searched afresh, and what the user should know about the search.
pub(crate) fn program(
    filter: &Filter,
    args: &Search,
    interrupt: &Interrupt,
) -> Result<(Program, Option<Problem>), Problem> {
    let Searched { declaration, solution, notice, .. } = search(filter, args, interrupt)?;
    let report = verify(&declaration, &solution.listing).map_err(|error| filter.blame(&error))?;
    let statistics = solution.statistics;
    let program = Program {
        declaration,
        doc: filter.doc.clone(),
        approximated: filter.approximated,
        listing: solution.listing,
        report,
        found: Found { nodes: statistics.nodes, lower_bound: statistics.lower_bound, stop: statistics.stop },
    };
    Ok((program, notice))
}
