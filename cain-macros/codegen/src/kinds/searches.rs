//! What plan files say of declarations that are made of many programs: what each search found, in their order.

use std::collections::VecDeque;

use cain_digital::{Declaration, Program};
use cain_network::{Answer, Pins, Searched, Wanted};

use super::exact::{Contents, OnBits as _, plan as exact};
use super::kernel::plan as sums;
use crate::diagnostic::Diagnostic;
use crate::plan_file::{Fault, Finding, How, Identity, PlanFile, problem};

/// The plan of a declaration with that identity.
pub(super) fn plan(wanted: Identity, words: usize, budget: u64, searched: &[Searched]) -> PlanFile {
    let whole = Finding { wanted, cost: Some(costs(words)), how: Some(How::now(budget, None)), ..Finding::default() };
    PlanFile { whole, searches: Some(searched.iter().map(finding).collect()) }
}

/// The costs of all programs together.
pub(super) fn costs(words: usize) -> String {
    format!("words={words}")
}

fn finding(search: &Searched) -> Finding {
    let wanted = identity_of(&search.wanted);
    match &search.program {
        None => Finding { wanted, ..Finding::default() },
        Some(Answer::Sum(listing)) => Finding::of(wanted, listing),
        Some(Answer::Exact(Program { listing, inputs, outputs })) => {
            let registers = Declaration::REGISTERS.iter().copied().zip([inputs.clone(), outputs.clone()]).collect();
            Finding { registers, ..Finding::of(wanted, listing) }
        }
    }
}

/// The answers of the searches of a plan, if it is that of `what` with this identity.
pub(super) fn pins(plan: &PlanFile, identity: &Identity, what: &str) -> Result<Pins, Fault> {
    let searches = plan.several(identity, what)?;
    let answers = searches.iter().map(|search| Ok((search.wanted.to_string(), answer(search, what)?)));
    let answers = answers.collect::<Result<VecDeque<_>, _>>().map_err(Fault::Corrupt)?;
    Ok(Pins { answers, identity: |wanted| identity_of(wanted).to_string(), verify: sums::verify })
}

/// The answer of a search, if it found something.
fn answer(search: &Finding, what: &str) -> Result<Option<Answer>, Diagnostic> {
    if search.cost.is_some() || search.how.is_some() || search.bound.is_some() {
        let message =
            format!("a search of a {what} says nothing beside what it was for and what it found; remove the line");
        return Err(problem(search.line_of_cost(), message));
    }
    if search.program.is_none() {
        return Ok(None);
    }
    if search.registers.is_empty() {
        return search.listing().map(|listing| Some(Answer::Sum(listing)));
    }
    let Contents { registers, .. } = exact::contents::<Declaration>(search)?;
    let listing = search.listing()?;
    let answer =
        <[_; 2]>::try_from(registers).map(|[inputs, outputs]| Answer::Exact(Program { listing, inputs, outputs }));
    Ok(answer.ok())
}

/// The identity of a search.
fn identity_of(wanted: &Wanted) -> Identity {
    match wanted {
        Wanted::Sum(declaration) => sums::identity(declaration),
        Wanted::Exact(declaration) => exact::identity(declaration),
    }
}
