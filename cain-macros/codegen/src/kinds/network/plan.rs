//! What plan files say of networks: what the searches for their sums found, in their order.
//!
//! All else about a network follows from its declaration.

use cain_network::{CompiledNetwork, Network, compile_pinned};

use super::write::write_network;
use crate::kinds::kernel::plan as sums;
use crate::kinds::searches;
use crate::plan_file::{Fault, Identity, PlanFile};

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
    searches::plan(identity(network), compiled.words(), network.options.nodes, compiled.searched())
}

/// The network with the programs of a plan, which are proved.
pub(super) fn compiled(plan: &PlanFile, network: &Network) -> Result<CompiledNetwork, Fault> {
    let pins = searches::pins(plan, &identity(network), WHAT)?;
    let compiled = compile_pinned(network, pins).map_err(|error| Fault::Stale(plan.problem(error.to_string())))?;
    plan.whole.costs(&searches::costs(compiled.words()))?;
    Ok(compiled)
}
