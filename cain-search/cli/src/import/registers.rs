//! Imports registers: the inputs, and what else may be overwritten.

use cain_isa::Reg;

use super::json::{Fields, Node, Notes};
use super::kernel::Output;

/// The number of registers that have names.
const MOST: usize = 256;

/// The registers of a configuration.
pub(crate) struct Registers {
    /// The inputs, in channel order.
    pub(crate) inputs: Vec<String>,
    /// The registers besides inputs and outputs; `None` if the file does not list registers.
    pub(crate) scratch: Option<Vec<String>>,
    /// All registers, if SCAMP-5 does not have them.
    pub(crate) machine: Option<Vec<String>>,
}

/// Reads the registers, which earlier versions of Cain have at the top level and not in an allocator.
pub(crate) fn registers(
    root: &Node<'_>,
    fields: &mut Fields<'_>,
    outputs: &[Output],
    notes: &mut Notes,
) -> Option<Registers> {
    let mut allocator = fields.take("registerAllocator").and_then(|node| node.fields(notes));
    let mut find =
        |key: &str| allocator.as_mut().and_then(|allocator| allocator.take(key)).or_else(|| fields.take(key));
    let (available, initial) = (find("availableRegisters"), find("initialRegisters"));
    for (key, node) in allocator.into_iter().flat_map(Fields::rest) {
        let known = key == "name";
        notes.add(
            &node,
            if known { "no counterpart; registers are chosen by the search" } else { super::search::UNKNOWN },
        );
    }
    let Some(initial) = initial else {
        notes.wrong(root, "`registerAllocator.initialRegisters` is missing: the registers of the inputs");
        return None;
    };
    let inputs = names(&initial, notes)?;
    if inputs.is_empty() {
        notes.wrong(&initial, "no register is named; each channel needs one");
        return None;
    }
    let channels = outputs.iter().flat_map(|output| &output.terms).map(|term| term.channel + 1).max().unwrap_or(0);
    if channels > inputs.len() {
        notes.wrong(&initial, format_args!("{} registers for {channels} input channels", inputs.len()));
        return None;
    }
    let available = match available {
        Some(available) => Some(names(&available, notes)?),
        None => None,
    };
    let taken = |name: &String| inputs.contains(name) || outputs.iter().any(|output| output.register == *name);
    let mut scratch: Option<Vec<String>> =
        available.map(|names| names.into_iter().filter(|name| !taken(name)).collect());
    if let Some(scratch) = &mut scratch {
        scratch.sort_by_key(|name| name.parse::<Reg>().ok());
        scratch.dedup();
    }
    let others = outputs.iter().map(|output| &output.register).chain(&inputs).chain(scratch.iter().flatten());
    Some(Registers { machine: machine(others), inputs, scratch })
}

/// The machine that has these registers, if it is not SCAMP-5. Invalid names are reported when the result is loaded.
fn machine<'n>(names: impl Iterator<Item = &'n String>) -> Option<Vec<String>> {
    let mut machine = Reg::SCAMP5.to_vec();
    machine.extend(names.filter_map(|name| name.parse::<Reg>().ok()));
    machine.sort_unstable();
    machine.dedup();
    (machine.len() > Reg::SCAMP5.len()).then(|| machine.iter().map(Reg::to_string).collect())
}

/// An array of names.
pub(crate) fn names(node: &Node<'_>, notes: &mut Notes) -> Option<Vec<String>> {
    let names = node.elements().and_then(|elements| elements.iter().map(Node::string).collect::<Option<Vec<_>>>());
    match names {
        Some(names) if names.len() <= MOST => Some(names),
        Some(names) => {
            notes.wrong(node, format_args!("{} registers, but no machine has more than {MOST}", names.len()));
            None
        }
        None => {
            notes.wrong(node, "expected an array of registers such as `[\"A\", \"B\"]`");
            None
        }
    }
}
