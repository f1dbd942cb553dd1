//! Simplifications of a graph. Each of them looks at a node and replaces it by others that compute the same for all
//! readers.

mod bent;
mod channels;
mod constants;
mod cut;
mod ends;
mod factors;
mod levels;
mod mover;
mod moves;
mod pads;
mod phases;
mod products;
mod rectifiers;
mod seen;
mod turned;
mod two_levels;

use super::bounds;
use super::graph::{Graph, Id, Node, Patch};
use seen::Seen;

type Pass = fn(&Seen<'_>, Id, &Node) -> Option<Patch>;

/// The simplifications in their order; after each success the search begins with the first one again.
const PASSES: [(&str, Pass); 29] = [
    ("lines that bend at zero", rectifiers::rectifier),
    ("comparisons with constants", constants::threshold),
    ("two levels", two_levels::threshold),
    ("casts", constants::cast),
    ("arithmetic with constants", constants::affine),
    ("largest and smallest of constants", constants::clamp),
    ("bounds of channels", constants::bounded),
    ("rectifiers by selection", constants::rectifier),
    ("lines that are cut", cut::lines),
    ("signs", constants::sign),
    ("factors of factors", factors::merged),
    ("factors behind", factors::behind),
    ("factors before", factors::before),
    ("padding", pads::taken_over),
    ("padding that is less than maps", pads::pooled),
    ("numbers around maps", pads::shifted),
    ("axes that are shuffled", channels::shuffled),
    ("phases of maps", phases::moved),
    ("phases before pooling", phases::behind),
    ("channels by their places", phases::taken),
    ("products of bits", channels::product),
    ("products over channels", products::over_channels),
    ("moves that are undone", moves::undone),
    ("axes that are turned twice", turned::twice),
    ("numbers that are moved before", turned::behind),
    ("functions that keep the order", moves::growing),
    ("thresholds of functions that keep the order", moves::compared),
    ("numbers around arrays that are maps", pads::of_maps),
    // Nothing leaves them out.
    ("numbers around maps, by shifts", pads::apart),
];

/// The names of the simplifications.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    PASSES.iter().map(|(name, _)| *name)
}

/// The graph after all simplifications, for pictures with these numbers for black and white. `check` receives the name of each,
/// and the graph before and after it.
pub(crate) fn simplified(
    mut graph: Graph,
    range: Option<(f64, f64)>,
    check: &mut dyn FnMut(&str, &Graph, &Graph),
) -> Graph {
    graph = graph.with(Vec::new());
    let applied = |graph: &Graph, pass: Pass| applied(graph, range, pass);
    while let Some((name, next)) = PASSES.iter().find_map(|(name, pass)| Some((name, applied(&graph, *pass)?))) {
        check(name, &graph, &next);
        graph = next;
    }
    graph
}

/// The graph after applying a simplification to all nodes; `None` if it changes nothing.
fn applied(graph: &Graph, range: Option<(f64, f64)>, pass: Pass) -> Option<Graph> {
    let (readers, levels, bent) = (graph.readers(), levels::all(graph), bent::all(graph));
    let seen = Seen { graph, readers, levels, bent, whole: bounds::whole(graph), range };
    let patches: Vec<Patch> = graph.nodes.iter().enumerate().filter_map(|(id, node)| pass(&seen, id, node)).collect();
    if patches.is_empty() { None } else { Some(graph.with(patches)) }
}
