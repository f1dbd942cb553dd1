//! Searching for a program.

mod begin;
mod exact;
mod exactly;
mod exchange;
mod foci;
mod incumbent;
mod interruptible;
mod known;
mod limited;
mod nearby;
mod parts;
mod passes;
mod polish;
mod remedy;
mod run;
#[cfg(feature = "sample")]
pub(crate) mod sample;
mod share;
mod superfluous;
mod target;
mod unlimited;
mod ways;

use std::ops::ControlFlow;

use cain_isa::Progress;

use crate::book::{self, Known};
use crate::{Declaration, SearchError, Solution};
use known::better_of;

/// Searches for the shortest program that computes a declaration, within the budget of its options.
///
/// The search is a beam over goal-bags, from the wanted kernels back to the inputs, which is widened until the budget
/// is used, the program is as short as the lower bound, or nothing is left to try. The same declaration and options
/// give the same program on every machine.
///
/// ```
/// use cain_analysis::prove::Polynomial;
/// use cain_isa::{Fraction, Machine, Reg};
/// use cain_search::{Declaration, Input, Kernel, Options, Output, search};
///
/// let rows = [[1, 2, 1], [2, 4, 2], [1, 2, 1]].map(|row| row.map(Fraction::from).to_vec());
/// let mut gauss = Polynomial::new();
/// Kernel::new(rows.to_vec())?.add_to(&mut gauss, Fraction::new(1, 16).unwrap(), 0)?;
///
/// let declaration = Declaration {
///     name: "gauss".into(),
///     inputs: vec![Input { reg: Reg::A, keep: false }],
///     outputs: vec![Output { reg: Reg::A, kernel: gauss }],
///     scratch: vec![Reg::B, Reg::C],
///     machine: Machine::SCAMP5,
///     options: Options { nodes: 5_000, ..Options::default() },
/// };
/// let solution = search(&declaration)?;
/// // The best program of macro instructions takes 20 control words.
/// assert!(solution.program.listing().len() < 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search(declaration: &Declaration) -> Result<Solution, SearchError> {
    search_watched(declaration, |_| ControlFlow::Continue(()))
}

/// [`search`], calling `watch` as nodes are used, several at a time where a bag takes that many; where it breaks, the
/// search ends with the best program so far and [`Stop::Interrupted`](cain_isa::Stop::Interrupted).
///
/// This is for progress displays and for limits that are not counted in nodes. A search that is cut short by a clock
/// gives different programs on different machines; this crate never reads one.
pub fn search_watched(
    declaration: &Declaration,
    mut watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Solution, SearchError> {
    let known = declaration.options.book.then(|| book::look_up(declaration)).flatten();
    let known = match known {
        Some(Known { solution, nodes }) if nodes >= declaration.options.nodes => return Ok(solution),
        known => known.map(|known| known.solution),
    };
    let found = limited::search(declaration, &mut watch).map_err(|mut error| {
        if let SearchError::Budget { remedy, .. } | SearchError::Registers { remedy, .. } = &mut error {
            *remedy = remedy::remedy(declaration, declaration.options.nodes, &mut watch);
        }
        error
    });
    better_of(declaration, found, known)
}

/// [`search_watched`] without the work of finding a remedy where there is no program.
pub fn search_without_remedy(
    declaration: &Declaration,
    mut watch: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<Solution, SearchError> {
    limited::search(declaration, &mut watch)
}
