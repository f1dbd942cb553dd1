//! Documentation of the function of a network.

use cain_isa::program::owned::Program;
use cain_network::{CompiledNetwork, Extent, Network, Operation};
use proc_macro2::TokenStream;
use syn::Attribute;

use super::super::docs::{after, waiting};
use super::super::program::{cost, table};

/// The documentation of the function, after the user's own.
pub(super) fn of_function(
    attributes: &[Attribute],
    compiled: Option<&CompiledNetwork>,
    program: &Program,
) -> TokenStream {
    let Some(compiled) = compiled else {
        let panics = ["# Panics", "Always: there is no program."].map(|line| vec![line.to_owned()]);
        return after(attributes, &panics);
    };
    let network = compiled.network();
    let waiting = compiled.switches().iter().map(|table| vec![waiting(table, &network.machine.times)]);
    let facts = [vec![place(compiled)], table(program), vec![total(program)], vec![macs(network)]];
    after(attributes, &facts.into_iter().chain(waiting).collect::<Vec<_>>())
}

/// Where the picture has to be.
fn place(compiled: &CompiledNetwork) -> String {
    let input = &compiled.network().input;
    let (height, width, (black, white)) = (input.height, input.width, input.levels);
    let text = format!(
        "The picture has {height}×{width} pixels, black {black} and white {white} DN, and its north-west corner in `at`."
    );
    let Extent { top, left, bottom, right } = compiled.way();
    let sides = [(top, "north"), (left, "west"), (bottom, "south"), (right, "east")];
    let sides: Vec<String> =
        sides.iter().filter(|(room, _)| *room > 0).map(|(room, side)| format!("{room} in the {side}")).collect();
    if sides.is_empty() {
        return text;
    }
    format!("{text} It needs PEs of the array around it: {}.", sides.join(", "))
}

fn total(program: &Program) -> String {
    format!("{}, and the read-outs. All parts are proved.", cost(program))
}

/// The work of the controller.
fn macs(network: &Network) -> String {
    let dense = |operation: &Operation| match operation {
        Operation::Dense { weights, .. } => weights.iter().map(Vec::len).sum(),
        _ => 0,
    };
    let macs: usize = network.layers.iter().map(|layer| dense(&layer.operation)).sum();
    format!("Multiply-accumulates on the controller: {macs}.")
}
