//! Looking at plans and doing nothing about them.

use std::io::{self, Write as _};

use cain_codegen::printable::Printable;

use super::complain;
use super::kernel::Kernel;

/// Whether every kernel has a right plan; fails if the output cannot be written.
pub(crate) fn run(kernels: &[Kernel]) -> io::Result<bool> {
    let problems: Vec<_> = kernels.iter().filter_map(problem).collect();
    writeln!(io::stdout(), "{} of {} kernels have a right plan", kernels.len() - problems.len(), kernels.len())?;
    Ok(complain(&problems))
}

/// What is wrong with a kernel's plan.
fn problem(kernel: &Kernel) -> Option<String> {
    match kernel.plans.load(&kernel.declaration) {
        Ok(Some(_)) => None,
        Ok(None) => {
            let plan = kernel.plans.shown(kernel.name());
            Some(kernel.complain(&format!("there is no plan `{}`; run `cain pin`", Printable(plan.display()))))
        }
        Err(error) => Some(error.to_string()),
    }
}
