//! What plan files say of networks: what the searches for their sums found, in their order.
//!
//! All else about a network follows from its declaration.

use cain_digital::{Declaration, Program};
use cain_network::{Answer, CompiledNetwork, Network, Pins, Searched, Wanted, compile_pinned};

use super::write::write_network;
use crate::diagnostic::Diagnostic;
use crate::kinds::exact::{Contents, OnBits as _, plan as exact};
use crate::kinds::kernel::plan as sums;
use crate::plan_file::{Fault, Finding, How, Identity, PlanFile, problem};

/// What messages call a network.
pub(super) const WHAT: &str = "network";

/// What the plan says that it belongs to. Its searches say the rest.
pub(super) fn identity(network: &Network) -> Identity {
    Identity::of([("network", network.name.clone())])
}

/// The name of the plan file if something else in the package has the same name. Its digits stand for the network as a
/// kernel file declares it, without large matrices, and for the options of its searches.
pub(super) fn own_name(network: &Network) -> String {
    let mut identity = identity(network);
    let layers = write_network(network, None, &network.name).toml;
    let options = sums::of_options(&network.options, network.machine.range);
    identity.extend([Identity::of([("layers", layers), ("machine", network.machine.to_string())]), options]);
    identity.own_name(&network.name)
}

/// The plan of a network.
pub(super) fn plan(compiled: &CompiledNetwork) -> PlanFile {
    let network = compiled.network();
    let whole = Finding {
        wanted: identity(network),
        cost: Some(costs(compiled)),
        how: Some(How::now(network.options.nodes, None)),
        ..Finding::default()
    };
    PlanFile { whole, searches: Some(compiled.searched().iter().map(finding).collect()) }
}

fn costs(compiled: &CompiledNetwork) -> String {
    format!("words={}", compiled.words())
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

/// The network with the programs of a plan, which are proved.
pub(super) fn compiled(plan: &PlanFile, network: &Network) -> Result<CompiledNetwork, Fault> {
    let searches = plan.several(&identity(network), WHAT)?;
    let answers = searches.iter().map(|search| Ok((search.wanted.to_string(), answer(search)?)));
    let answers = answers.collect::<Result<_, _>>().map_err(Fault::Corrupt)?;
    let pins = Pins { answers, identity: |wanted| identity_of(wanted).to_string(), verify: sums::verify };
    let compiled = compile_pinned(network, pins).map_err(|error| Fault::Stale(plan.problem(error.to_string())))?;
    plan.whole.costs(&costs(&compiled))?;
    Ok(compiled)
}

/// The answer of a search, if it found something.
fn answer(search: &Finding) -> Result<Option<Answer>, Diagnostic> {
    if search.cost.is_some() || search.how.is_some() || search.bound.is_some() {
        let message = "a search of a network says nothing beside what it was for and what it found; remove the line";
        return Err(problem(search.line_of_cost(), message.to_owned()));
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
