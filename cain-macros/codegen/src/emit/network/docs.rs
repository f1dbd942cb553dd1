//! Documentation of the function of a network.

use cain_analysis::owned::Program;
use cain_network::{CompiledNetwork, Extent, Network};

use super::super::docs::waiting;
use super::super::program::{cost, table};

/// The documentation of the function, after the user's own.
pub(super) fn of_compiled(compiled: &CompiledNetwork, program: &Program) -> Vec<Vec<String>> {
    let network = compiled.network();
    let waiting = compiled.switches().iter().map(|table| vec![waiting(table, &network.machine.times)]);
    let facts = [vec![place(compiled)], table(program), vec![total(program)], vec![macs(network)]];
    facts.into_iter().chain(waiting).collect()
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
    format!("Multiply-accumulates on the controller: {}.", network.controller_macs())
}
