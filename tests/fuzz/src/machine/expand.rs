//! Lines of a listing as transfers over the bus.

/// `{to} <- {from}`: each destination receives minus the sum of the sources over the number of destinations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The cells written.
    pub to: Vec<String>,
    /// The cells read.
    pub from: Vec<String>,
}

impl Transfer {
    fn new(to: &[&str], from: &[&str]) -> Self {
        let owned = |cells: &[&str]| cells.iter().map(ToString::to_string).collect();
        Self { to: owned(to), from: owned(from) }
    }
}

const NEWS: &str = "NEWS";

/// The transfers of a line such as `movx(B,A,east);`, or an error if it is not an instruction for arithmetic.
pub fn expand(line: &str) -> Result<Vec<Transfer>, String> {
    let call = line.trim().strip_suffix(");").ok_or_else(|| format!("`{line}` is no call"))?;
    let (name, operands) = call.split_once('(').ok_or_else(|| format!("`{line}` is no call"))?;
    let operands: Vec<&str> = operands.split(',').map(str::trim).filter(|operand| !operand.is_empty()).collect();
    transfers(name, &operands)
        .map(|transfers| transfers.into_iter().map(|(to, from)| Transfer::new(&to, &from)).collect())
        .ok_or_else(|| format!("`{line}` is no instruction of the description"))
}

type Cells<'l> = Vec<&'l str>;

/// The expansions of the SCAMP-5d library headers, with NEWS as the scratch cell.
fn transfers<'l>(name: &str, operands: &[&'l str]) -> Option<Vec<(Cells<'l>, Cells<'l>)>> {
    Some(match (name, operands) {
        ("bus", [to, from @ ..]) => vec![(vec![to], from.to_vec())],
        ("bus2", [a, b, from @ ..]) => vec![(vec![a, b], from.to_vec())],
        ("bus3", [a, b, c, from @ ..]) => vec![(vec![a, b, c], from.to_vec())],
        ("res", [y]) => vec![(vec![NEWS], vec![]), (vec![y], vec![NEWS])],
        ("res", [y, z]) => vec![(vec![NEWS], vec![]), (vec![y], vec![NEWS]), (vec![z], vec![NEWS])],
        ("mov", [y, x]) => vec![(vec![NEWS], vec![x]), (vec![y], vec![NEWS])],
        ("add", [y, x0, x1]) => vec![(vec![NEWS], vec![x0, x1]), (vec![y], vec![NEWS])],
        ("add", [y, x0, x1, x2]) => vec![(vec![NEWS], vec![x0, x1, x2]), (vec![y], vec![NEWS])],
        ("sub", [y, x0, x1]) => vec![(vec![NEWS], vec![x0]), (vec![y], vec![NEWS, x1])],
        ("neg", [y, x]) => vec![(vec![NEWS], vec![]), (vec![y], vec![NEWS, x])],
        ("divq", [y, x]) => vec![(vec![y, NEWS], vec![x]), (vec![y], vec![NEWS])],
        ("div", [y0, y1, y2]) => div(y0, y1, y2, y2),
        ("div", [y0, y1, y2, x]) => div(y0, y1, y2, x),
        ("diva", [y0, y1, y2]) => vec![
            (vec![y1, y2], vec![y0]),
            (vec![NEWS], vec![y1, y0]),
            (vec![y0], vec![NEWS, y2]),
            (vec![y1, y2], vec![y0]),
            (vec![y0], vec![y1]),
        ],
        ("movx", [y, x, d]) => vec![(vec![toward(d)?], vec![x]), (vec![y], vec![NEWS])],
        ("mov2x", [y, x, d, e]) => vec![(vec![toward(d)?], vec![x]), (vec![y], vec![port(e)?])],
        ("addx", [y, x0, x1, d]) => vec![(vec![toward(d)?], vec![x0, x1]), (vec![y], vec![NEWS])],
        ("add2x", [y, x0, x1, d, e]) => vec![(vec![toward(d)?], vec![x0, x1]), (vec![y], vec![port(e)?])],
        ("subx", [y, x0, d, x1]) => vec![(vec![toward(d)?], vec![x0]), (vec![y], vec![NEWS, x1])],
        ("sub2x", [y, x0, d, e, x1]) => vec![(vec![toward(d)?], vec![x0]), (vec![y], vec![port(e)?, x1])],
        _ => return None,
    })
}

fn div<'l>(y0: &'l str, y1: &'l str, y2: &'l str, x: &'l str) -> Vec<(Cells<'l>, Cells<'l>)> {
    vec![
        (vec![y0, y1], vec![x]),
        (vec![NEWS], vec![x, y1]),
        (vec![y2], vec![NEWS, y0]),
        (vec![y0, y1], vec![y2]),
        (vec![y0], vec![y1]),
    ]
}

/// The port that a PE writes so that its value arrives from a direction.
fn toward(direction: &str) -> Option<&'static str> {
    port(match direction {
        "north" => "south",
        "east" => "west",
        "south" => "north",
        "west" => "east",
        _ => return None,
    })
}

/// NEWS of the neighbour in a direction.
fn port(direction: &str) -> Option<&'static str> {
    Some(match direction {
        "north" => "XN",
        "east" => "XE",
        "south" => "XS",
        "west" => "XW",
        _ => return None,
    })
}
