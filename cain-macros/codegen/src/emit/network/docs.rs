//! Documentation of the function of a network.

use cain_network::{CompiledNetwork, Extent, Network, Operation, Work};
use proc_macro2::TokenStream;

use super::super::docs::{after, waiting};
use super::Function;

/// The documentation of the function, after the user's own.
pub(super) fn of_function(function: &Function<'_>) -> TokenStream {
    let Function { attributes, network, compiled, .. } = function;
    let Some(compiled) = compiled else {
        let panics = ["# Panics", "Always: there is no program."].map(|line| vec![line.to_owned()]);
        return after(attributes, &panics);
    };
    let waiting = compiled.switches().iter().map(|table| vec![waiting(table, &network.machine.times)]);
    let facts = [vec![place(compiled)], table(compiled), vec![total(compiled)], vec![macs(network)]];
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

/// A row for each stage.
fn table(compiled: &CompiledNetwork) -> Vec<String> {
    let network = compiled.network();
    let head = ["| stage | words | µs | DN |", "|---|---|---|---|"].map(str::to_owned);
    let rows = compiled.stages().iter().map(|stage| {
        let name = stage.name(network);
        if stage.work == Work::Read {
            return format!("| `{name}`, read out | | | |");
        }
        let around = if stage.work == Work::Border { ", around it" } else { "" };
        let time = microseconds(stage.nanoseconds(&network.machine.times));
        let (low, high) = stage.range;
        format!("| `{name}`{around} | {} | {time} | {low:.0} to {high:.0} |", stage.words())
    });
    head.into_iter().chain(rows).collect()
}

fn total(compiled: &CompiledNetwork) -> String {
    let words: usize = compiled.stages().iter().map(cain_network::Stage::words).sum();
    let nanoseconds = compiled.stages().iter().map(|stage| stage.nanoseconds(&compiled.network().machine.times)).sum();
    format!(
        "{words} control words, about {} µs on the chip, and the read-outs. All stages are proved.",
        microseconds(nanoseconds)
    )
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

/// With two digits behind the point.
fn microseconds(nanoseconds: u64) -> String {
    let hundredths = nanoseconds / 10;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}
