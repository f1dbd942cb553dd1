//! Imports kernels, which have one term for each input channel, and the numbers in them.

use cain_codegen::number::{Read, read};
use cain_isa::Fraction;

use super::json::{Node, Notes};

/// An output register and its kernel.
pub(crate) struct Output {
    pub(crate) register: String,
    pub(crate) terms: Vec<Term>,
}

/// A matrix for one input channel.
pub(crate) struct Term {
    pub(crate) channel: usize,
    pub(crate) scale: Fraction,
    /// The rows of weights; row 0 is north.
    pub(crate) rows: Vec<Vec<Number>>,
    /// The row and the column over the PE itself, from 0, if no weight is in the middle.
    pub(crate) origin: Option<(usize, usize)>,
}

/// The notation of a kernel's weights.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Each weight is a number.
    Plain,
    /// Each weight is an array with a number for each of this many channels.
    Channels(usize),
}

/// Reads the filter: its registers and kernels. `is_3d` tells which notation of kernels the file declares.
pub(crate) fn outputs(filter: &Node<'_>, is_3d: Option<bool>, notes: &mut Notes) -> Vec<Output> {
    let Some(fields) = filter.fields(notes) else { return Vec::new() };
    let outputs: Vec<_> = fields.rest().filter_map(|(register, node)| output(register, &node, is_3d, notes)).collect();
    if outputs.is_empty() && !notes.has_errors() {
        notes.wrong(filter, "the filter has no kernel");
    }
    outputs
}

fn output(register: String, node: &Node<'_>, is_3d: Option<bool>, notes: &mut Notes) -> Option<Output> {
    let (array, scale) = if node.is_object() { scaled(node, notes)? } else { (node.clone(), Fraction::ONE) };
    let cells = cells(&array, notes)?;
    let shape = shape(&cells, &array, is_3d, notes)?;
    let channels = match shape {
        Shape::Plain => 1,
        Shape::Channels(channels) => channels,
    };
    let mut terms = (0..channels).map(|_| Vec::new()).collect::<Vec<Vec<Vec<Number>>>>();
    for row in &cells {
        let weights = row.iter().map(|cell| weights(cell, shape, notes)).collect::<Option<Vec<_>>>()?;
        for (channel, rows) in terms.iter_mut().enumerate() {
            rows.push(weights.iter().filter_map(|weights| weights.get(channel).cloned()).collect());
        }
    }
    let origin = origin(&cells, &array, notes);
    let term = |(channel, rows)| Term { channel, scale, rows, origin };
    let mut terms: Vec<Term> = terms.into_iter().enumerate().map(term).collect();
    let is_empty =
        |term: &Term| term.scale == Fraction::ZERO || term.rows.iter().flatten().all(|weight| weight.value.is_zero());
    // Channels without weights are left out, but a kernel of zeros keeps one weight, which shows that it is intended.
    if terms.iter().all(is_empty) {
        terms.truncate(1);
        for Term { rows, origin, .. } in &mut terms {
            rows.truncate(1);
            for row in rows {
                row.truncate(1);
            }
            *origin = None;
        }
    } else {
        terms.retain(|term| !is_empty(term));
    }
    Some(Output { register, terms })
}

/// The array of a kernel object, and the factor of all its weights.
fn scaled<'t>(node: &Node<'t>, notes: &mut Notes) -> Option<(Node<'t>, Fraction)> {
    let mut fields = node.fields(notes)?;
    let scale = fields.take("scale").map_or(Some(Fraction::ONE), |scale| Some(number(&scale, notes)?.value));
    let depth = fields.take("depth").map_or(Some(Fraction::ONE), |depth| power_of_two(&depth, notes));
    let array = fields.take("array");
    for (_, unknown) in fields.rest() {
        notes.add(&unknown, "unknown key, left out");
    }
    let Some(array) = array else {
        notes.wrong(node, "the kernel has no `array`");
        return None;
    };
    let Some(scale) = scale?.checked_mul(depth?) else {
        notes.wrong(node, "scale · 2^depth does not fit a fraction of 64-bit integers");
        return None;
    };
    Some((array, scale))
}

/// The centre of a kernel without a weight in the middle, which Cain places after the middle.
fn origin(cells: &[Vec<Node<'_>>], array: &Node<'_>, notes: &mut Notes) -> Option<(usize, usize)> {
    let (rows, columns) = (cells.len(), cells.iter().map(Vec::len).max()?);
    if rows % 2 == 1 && columns % 2 == 1 {
        return None;
    }
    let (row, column) = (rows / 2, columns / 2);
    notes.add(
        array,
        format_args!(
            "no weight is in the middle; as in Cain, that of row {row}, column {column}, both from 0, lies over the PE"
        ),
    );
    Some((row, column))
}

/// 2 to the power of an integer.
fn power_of_two(node: &Node<'_>, notes: &mut Notes) -> Option<Fraction> {
    let depth = whole(node, notes)?;
    let power = u32::try_from(depth.unsigned_abs()).ok().and_then(|depth| 2_i64.checked_pow(depth));
    let factor = power.and_then(|power| if depth < 0 { Fraction::new(1, power) } else { Fraction::new(power, 1) });
    if factor.is_none() {
        notes.wrong(node, format_args!("2^{depth} does not fit a fraction of 64-bit integers"));
    }
    factor
}

/// The rows of cells; adds a note if there are none.
fn cells<'t>(array: &Node<'t>, notes: &mut Notes) -> Option<Vec<Vec<Node<'t>>>> {
    let rows = array.elements().map(|rows| rows.iter().map(Node::elements).collect::<Option<Vec<_>>>());
    let cells = rows.flatten().filter(|rows| rows.iter().any(|row| !row.is_empty()));
    if cells.is_none() {
        notes.wrong(array, "expected rows of weights such as `[[1, 2, 1]]`");
    }
    cells
}

/// The notation of the first weight, if it agrees with `3d`.
fn shape(cells: &[Vec<Node<'_>>], array: &Node<'_>, is_3d: Option<bool>, notes: &mut Notes) -> Option<Shape> {
    let channels = cells.iter().flatten().next()?.elements().map(|channels| channels.len());
    let shape = match (channels, is_3d) {
        (Some(_), Some(false)) => Err("the entries are arrays, but `3d` is false"),
        (None, Some(true)) => Err("the entries are numbers, but `3d` is true"),
        (Some(0), _) => Err("an entry has no channels"),
        (Some(channels), _) => Ok(Shape::Channels(channels)),
        (None, _) => Ok(Shape::Plain),
    };
    shape.map_err(|problem| notes.wrong(array, problem)).ok()
}

/// The weights of one cell, one for each channel.
fn weights(cell: &Node<'_>, shape: Shape, notes: &mut Notes) -> Option<Vec<Number>> {
    let Shape::Channels(channels) = shape else { return Some(vec![number(cell, notes)?]) };
    match cell.elements() {
        Some(numbers) if numbers.len() == channels => numbers.iter().map(|node| number(node, notes)).collect(),
        Some(numbers) => {
            notes.wrong(
                cell,
                format_args!("expected {channels} channels as in the first entry, found {}", numbers.len()),
            );
            None
        }
        None => {
            notes.wrong(cell, format_args!("expected an array of {channels} channels, found {}", cell.kind()));
            None
        }
    }
}

/// A number, and how it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) value: Fraction,
    text: String,
}

impl Number {
    /// The number in TOML, where every number of JSON is valid.
    pub(crate) fn toml(&self) -> String {
        self.text.clone()
    }
}

/// A fraction in TOML; integers need no quotes.
pub(crate) fn fraction(value: Fraction) -> String {
    if value.denominator() == 1 { value.to_string() } else { format!("\"{value}\"") }
}

/// Reads a number, or adds a note. A number with more digits than a fraction holds is rounded, which only approximation
/// allows.
pub(crate) fn number(node: &Node<'_>, notes: &mut Notes) -> Option<Number> {
    let Some(text) = node.number() else {
        notes.wrong(node, format_args!("expected a number, found {}", node.kind()));
        return None;
    };
    let message = format!("the number {text} does not fit a fraction of 64-bit integers");
    let Ok(Read { value, is_exact }) = read(text) else {
        notes.wrong(node, message);
        return None;
    };
    if !is_exact {
        notes.add_rounded(node, message);
    }
    Some(Number { value, text: text.to_owned() })
}

/// Reads an integer, or adds a note.
pub(crate) fn whole(node: &Node<'_>, notes: &mut Notes) -> Option<i64> {
    let value = number(node, notes)?.value;
    if value.denominator() != 1 {
        notes.wrong(node, format_args!("expected a whole number, found {value}"));
        return None;
    }
    Some(value.numerator())
}
