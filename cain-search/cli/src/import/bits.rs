//! Imports the digital and the super-pixel mode, in which numbers consist of bits.

use super::json::{Fields, Node, Notes};
use super::kernel::{Output, whole};
use super::registers::names;
use super::search::{UNKNOWN, output_format};
use cain_codegen::quoted::string;

/// The modes of Cain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Analogue,
    Digital,
    SuperPixel,
}

impl Mode {
    pub(crate) fn of(name: &str) -> Option<Self> {
        [Self::Analogue, Self::Digital, Self::SuperPixel].into_iter().find(|mode| mode.name() == name)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Analogue => "analogue",
            Self::Digital => "digital",
            Self::SuperPixel => "superpixel",
        }
    }

    /// The mode of a file that does not name one, according to its generator of pairs.
    pub(crate) fn of_generator(name: &str) -> Self {
        if name.starts_with("Scamp5Digital") {
            Self::Digital
        } else if name.starts_with("Scamp5SuperPixel") {
            Self::SuperPixel
        } else {
            Self::Analogue
        }
    }
}

/// The part of a configuration about numbers in bits.
pub(crate) struct Numbers {
    pub(crate) isa: &'static str,
    pub(crate) inputs: Vec<String>,
    /// The lines of the kernel file that give the places of the bits.
    pub(crate) lines: Vec<String>,
}

/// Reads the keys that only the digital modes have.
pub(crate) fn numbers(
    mode: Mode,
    root: &Node<'_>,
    fields: &mut Fields<'_>,
    outputs: &[Output],
    notes: &mut Notes,
) -> Option<Numbers> {
    let inputs = inputs(root, fields, notes)?;
    for key in ["maxApproximationDepth", "maxApproximationError"] {
        if let Some(node) = fields.take(key) {
            notes.add(&node, "no counterpart; kernels on bits are exact");
        }
    }
    let Some(pairs) = fields.take("pairGen") else {
        notes.wrong(root, "`pairGen` is missing: it says where the bits are");
        return None;
    };
    let (isa, lines) = match mode {
        Mode::SuperPixel => ("superpixel", super_pixel(&pairs, &inputs, outputs, notes)?),
        Mode::Analogue | Mode::Digital => ("digital", digital(&pairs, notes)?),
    };
    Some(Numbers { isa, inputs, lines })
}

/// The names of the inputs; the available registers do not matter.
fn inputs(root: &Node<'_>, fields: &mut Fields<'_>, notes: &mut Notes) -> Option<Vec<String>> {
    let allocator = fields.take("registerAllocator").and_then(|node| node.fields(notes));
    let mut initial = fields.take("initialRegisters");
    let mut others: Vec<Node<'_>> = fields.take("availableRegisters").into_iter().collect();
    for (key, node) in allocator.into_iter().flat_map(Fields::rest) {
        match key.as_str() {
            "initialRegisters" => initial = Some(node),
            "availableRegisters" | "name" => others.push(node),
            _ => notes.add(&node, UNKNOWN),
        }
    }
    for node in others {
        notes.add(&node, "no counterpart; registers are chosen by the search");
    }
    let Some(initial) = initial else {
        notes.wrong(root, "`registerAllocator.initialRegisters` is missing: the registers of the inputs");
        return None;
    };
    names(&initial, notes)
}

fn digital(pairs: &Node<'_>, notes: &mut Notes) -> Option<Vec<String>> {
    let mut fields = pairs.fields(notes)?;
    let Some(bits) = fields.take("bits") else {
        notes.wrong(pairs, "`bits` is missing: the number of bits of a register");
        return None;
    };
    let width = whole(&bits, notes)?;
    notes.add(
        &bits,
        "the inputs have so many bits; outputs are as wide as their values need, where those of Cain wrap around",
    );
    rest(fields, notes);
    Some(vec![format!("bits = {width}")])
}

fn super_pixel(pairs: &Node<'_>, inputs: &[String], outputs: &[Output], notes: &mut Notes) -> Option<Vec<String>> {
    let mut fields = pairs.fields(notes)?;
    let Some(order) = fields.take("bitOrder") else {
        notes.wrong(pairs, "`bitOrder` is missing: the place of each bit in a block");
        return None;
    };
    let orders = matrices(&order, notes)?;
    let height = orders.first().map_or(0, Vec::len);
    let width = orders.first().and_then(|rows| rows.first()).map_or(0, Vec::len);
    for (key, found) in [("width", width), ("height", height)] {
        if let Some(node) = fields.take(key)
            && usize::try_from(whole(&node, notes)?) != Ok(found)
        {
            notes.wrong(&node, format_args!("`bitOrder` has another {key}: {found}"));
            return None;
        }
    }
    let [adc, dac] = ["adc", "dac"].map(|key| match fields.take(key) {
        None => Some(String::new()),
        Some(node) => converters(key, &node, notes),
    });
    let converters = adc? + &dac?;
    rest(fields, notes);
    for output in outputs.iter().filter(|output| output.terms.iter().any(|term| term.scale.denominator() != 1)) {
        let message = format!(
            "`{}` is halved as a whole and rounded down; Cain halves every number that goes into it and rounds each down",
            output.register
        );
        notes.add(pairs, message);
    }
    let mut banks: Vec<String> = Vec::new();
    for name in inputs.iter().chain(outputs.iter().map(|output| &output.register)) {
        let bank = name.split_once(':').map_or("0", |(bank, _)| bank);
        let line = format!("{} = {bank}", string(name));
        if bank.bytes().all(|digit| digit.is_ascii_digit()) && bank != "0" && !banks.contains(&line) {
            banks.push(line);
        }
    }
    let banks = if banks.is_empty() { String::new() } else { format!(", banks = {{ {} }}", banks.join(", ")) };
    let bank = |rows: &Vec<Vec<i64>>| {
        let row = |row: &Vec<i64>| format!("[{}]", row.iter().map(i64::to_string).collect::<Vec<_>>().join(", "));
        format!("[\n    {},\n]", rows.iter().map(row).collect::<Vec<_>>().join(",\n    "))
    };
    let order = match orders.as_slice() {
        [only] => bank(only),
        several => format!("[{}]", several.iter().map(bank).collect::<Vec<_>>().join(", ")),
    };
    Some(vec![format!("superpixel = {{ order = {order}{banks}{converters} }}")])
}

/// The converters of the channels of `adc` or `dac`, as the rest of a table.
fn converters(key: &str, node: &Node<'_>, notes: &mut Notes) -> Option<String> {
    let mut fields = node.fields(notes)?;
    let mut converters = Vec::new();
    let channels = fields.take("channels");
    for channel in channels.iter().flat_map(|channels| channels.elements().unwrap_or_default()) {
        let mut fields = channel.fields(notes)?;
        let is_disabled = fields.take("enabled").and_then(|enabled| enabled.boolean()) == Some(false);
        let mut number = |name| {
            let number = fields.take(name);
            if number.is_none() {
                notes.wrong(&channel, format_args!("`{name}` is missing"));
            }
            whole(&number?, notes)
        };
        let (bits, unit) = (number("bitDepth")?, number("unitBit")?);
        let mut register = |name| fields.take(name).and_then(|node| node.string());
        let (analogue, number) = (register("analogueReg"), register("digitalReg"));
        for (_, node) in fields.rest() {
            notes.add(&node, UNKNOWN);
        }
        let (Some(analogue), Some(number)) = (analogue, number) else {
            notes.wrong(&channel, "`analogueReg` or `digitalReg` is missing");
            return None;
        };
        if !is_disabled {
            let [analogue, number] = [analogue, number].map(|name| string(&name));
            converters.push(format!("{number} = {{ register = {analogue}, bits = {bits}, unit = {unit} }}"));
        }
    }
    for (_, node) in fields.rest() {
        notes.add(&node, "no counterpart; conversions need no scratch register");
    }
    Some(if converters.is_empty() { String::new() } else { format!(", {key} = {{ {} }}", converters.join(", ")) })
}

/// The matrices of all banks; none of them is empty.
fn matrices(order: &Node<'_>, notes: &mut Notes) -> Option<Vec<Vec<Vec<i64>>>> {
    let cells = order.elements().and_then(|banks| banks.iter().map(rows).collect::<Option<Vec<_>>>());
    let Some(cells) = cells.filter(|banks| !banks.is_empty()) else {
        notes.wrong(order, "expected a matrix of bits for each bank, such as `[[[1, 2], [4, 3]]]`");
        return None;
    };
    let mut orders = Vec::new();
    for bank in &cells {
        let mut matrix = Vec::new();
        for row in bank {
            matrix.push(row.iter().map(|bit| whole(bit, notes)).collect::<Option<Vec<_>>>()?);
        }
        orders.push(matrix);
    }
    Some(orders)
}

/// Reads the remaining keys of the generator of pairs.
fn rest(mut fields: Fields<'_>, notes: &mut Notes) {
    if let Some(format) = fields.take("outputFormat") {
        output_format(&format, notes);
    }
    for (key, node) in fields.rest() {
        let is_register = key.ends_with("Reg") || key == "scratchRegs" || key == "regMapping";
        notes.add(
            &node,
            if is_register {
                "no counterpart; registers are chosen by the search"
            } else {
                "no counterpart; the search has a strategy of its own"
            },
        );
    }
}

/// The rows of a matrix, none of which is empty.
fn rows<'t>(bank: &Node<'t>) -> Option<Vec<Vec<Node<'t>>>> {
    let rows = bank.elements()?.iter().map(Node::elements).collect::<Option<Vec<_>>>()?;
    (!rows.is_empty() && rows.iter().all(|row| !row.is_empty())).then_some(rows)
}
