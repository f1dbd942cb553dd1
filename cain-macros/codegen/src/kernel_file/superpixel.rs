//! Filters over super-pixels: numbers whose bits are spread over blocks of PEs.

use cain_search::digital::superpixel::{Carry, Declaration, DeclarationError, Input, Layout, Output, SearchError};
use toml::de::DeValue;

use super::entry::Entry;
use super::notation::Mark;
use super::number::whole;
use super::table::{FilterTable, registers};
use super::{Diagnostic, Position, about};
use crate::diagnostic::Positions;
use crate::errors::Errors;
use crate::lower;
use crate::lower::digital::refuse_options;
use crate::names;
use crate::tree::{At, Header};

/// The name of the instruction set of filters over super-pixels.
pub(crate) const ISA: &str = "superpixel";

/// What is said about the order of bits in a filter of another kind.
pub(super) const MISPLACED: &str =
    "only filters over super-pixels have `superpixel`; add `search = { isa = \"superpixel\" }`";

/// What is said where a filter should become a function.
pub(crate) const NO_FUNCTION: &str = "filters over super-pixels have no functions; compile them with `cain compile`";

/// A filter over super-pixels of a kernel file, checked.
#[derive(Clone, Debug)]
pub struct SuperPixelFilter {
    /// The declaration.
    pub declaration: Declaration,
    /// The documentation in the file.
    pub doc: Option<String>,
    /// The place of the name.
    place: Position,
    /// The place of the node budget.
    nodes_place: Option<Position>,
}

impl SuperPixelFilter {
    /// The name of the filter.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.declaration.name
    }

    /// The message about a failed search.
    #[must_use]
    pub fn search_failed(&self, error: &SearchError) -> Diagnostic {
        let place = match error {
            SearchError::Budget { .. } => self.nodes_place.unwrap_or(self.place),
            _ => self.place,
        };
        about(self.name(), place, &error.to_string())
    }

    /// A message about the filter as a whole.
    #[must_use]
    pub fn diagnostic(&self, message: &str) -> Diagnostic {
        about(self.name(), self.place, message)
    }
}

/// Where the bits of numbers are, as the file says it.
#[derive(Debug)]
pub(crate) struct SuperPixel {
    pub(super) at: Mark,
    layout: Layout,
    carry: Carry,
    /// The banks of numbers that are not in the first.
    banks: Vec<(String, usize, Mark)>,
    /// What is added to outputs.
    biases: Vec<(String, i64, Mark)>,
    /// Outputs of which negative numbers become 0.
    rectified: Vec<At<String, Mark>>,
}

/// Reads `superpixel`.
pub(crate) fn super_pixel(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<SuperPixel> {
    const EXPECTED: &str = "a table such as `{ order = [[1, 2], [4, 3]] }`";
    let fields = entry.table(EXPECTED, &["order", "carry", "bits", "banks", "bias", "relu"], errors)?;
    let Some(order) = fields.get("order") else {
        entry.wrong("the order of the bits is missing; add `order = [[1, 2], [4, 3]]`", errors);
        return None;
    };
    let layout = layout(&order, errors)?;
    if let Some(bits) = fields.get("bits") {
        let (declared, most) = (whole(&bits, errors)?, layout.places(0).len());
        if usize::try_from(declared.value) != Ok(most) {
            bits.wrong(format_args!("`order` has {most} bits, found {}", declared.value), errors);
            return None;
        }
    }
    let carry = match fields.get("carry") {
        None => Carry::default(),
        Some(carry) => match carry.text("`\"prop\"` or `\"steps\"`", errors)?.value.as_str() {
            "prop" => Carry::Propagate,
            "steps" => Carry::Steps,
            other => {
                carry.wrong(names::unknown("carry", other, &["prop", "steps"]), errors);
                return None;
            }
        },
    };
    let mut banks = Vec::new();
    if let Some(entry) = fields.get("banks") {
        let numbers = entry.any_table("a table of banks by number, such as `{ A = 1 }`", errors)?;
        for (name, bank) in numbers.in_order() {
            let value = whole(&bank, errors)?.value;
            banks.push((name.value.to_owned(), usize::try_from(value).unwrap_or(usize::MAX), bank.at));
        }
    }
    let mut biases = Vec::new();
    if let Some(entry) = fields.get("bias") {
        const EXPECTED: &str = "a table of whole numbers by output, such as `{ B = -5 }`";
        for (name, bias) in entry.any_table(EXPECTED, errors)?.in_order() {
            let DeValue::Integer(number) = bias.value else {
                bias.expected("a whole number", errors);
                continue;
            };
            match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(value) => biases.push((name.value.to_owned(), value, bias.at)),
                Err(_) => bias.expected("a whole number of at most 64 bits", errors),
            }
        }
    }
    let rectified = fields.get("relu").map(|relu| registers(&relu, errors)).unwrap_or_default();
    Some(SuperPixel { at: entry.at, layout, carry, banks, biases, rectified })
}

/// Reads one matrix of bits, or one for each bank.
fn layout(entry: &Entry<'_>, errors: &mut Errors<Mark>) -> Option<Layout> {
    const EXPECTED: &str =
        "rows of bits from the north such as `[[1, 2], [4, 3]]`, or a list of such matrices, one for each bank";
    let outer = entry.array(EXPECTED, errors)?;
    if outer.len() > Layout::MAX_SIDE * Layout::MAX_SIDE {
        entry.wrong(format_args!("{} rows or banks are more than any block has", outer.len()), errors);
        return None;
    }
    let is_row = |row: &Entry<'_>| {
        let DeValue::Array(elements) = row.value else { return false };
        elements.iter().all(|element| matches!(element.get_ref(), DeValue::Integer(_)))
    };
    let orders = if outer.iter().all(is_row) {
        vec![matrix(&outer, errors)?]
    } else {
        let matrix = |bank: &Entry<'_>| matrix(&bank.array(EXPECTED, errors)?, errors);
        outer.iter().map(matrix).collect::<Option<Vec<_>>>()?
    };
    Layout::new(&orders).map_err(|error| entry.wrong(error, errors)).ok()
}

fn matrix(rows: &[Entry<'_>], errors: &mut Errors<Mark>) -> Option<Vec<Vec<usize>>> {
    let mut matrix = Vec::new();
    for row in rows {
        let mut bits = Vec::new();
        for bit in row.array("a row of bits such as `[1, 2]`", errors)? {
            bits.push(usize::try_from(whole(&bit, errors)?.value).unwrap_or(usize::MAX));
        }
        matrix.push(bits);
    }
    Some(matrix)
}

/// Checks the table of a filter over super-pixels.
pub(super) fn check(
    table: FilterTable,
    positions: &mut Positions<'_>,
    errors: &mut Errors<Mark>,
) -> Option<SuperPixelFilter> {
    let FilterTable { header, body, doc, super_pixel } = table;
    refuse_options(&header, &body.search, body.approximate.as_ref().map(|approximate| approximate.error.at), errors);
    if let Some(bits) = &body.bits {
        errors.add(bits.at, "the bits of super-pixels are in `superpixel.order`; remove `bits`");
    }
    let Some(super_pixel) = super_pixel else {
        // A mistake in it has been reported.
        if errors.is_empty() {
            let message = "a filter over super-pixels needs the order of their bits; add \
                           `superpixel = { order = [[1, 2], [4, 3]] }`";
            errors.add(header.name.at, message);
        }
        return None;
    };
    check_names(&header, &super_pixel, errors);
    let bank_of =
        |name: &str| super_pixel.banks.iter().find(|(known, ..)| known == name).map_or(0, |(_, bank, _)| *bank);
    let input = |register: &crate::tree::InputRegister<Mark>| {
        let name = register.register.value.clone();
        Input { bank: bank_of(&name), name, keep: register.keep }
    };
    let nodes = body.search.nodes.as_ref();
    if let Some(nodes) = nodes.filter(|nodes| nodes.value == 0) {
        errors.add(nodes.at, "a search needs at least one node");
    }
    lower::logic::refuse(&body, errors);
    let kernels = lower::exact_sums(&header, &body, errors);
    let output = |(name, kernel): (String, _)| {
        let bias = super_pixel.biases.iter().find(|(known, ..)| *known == name).map_or(0, |(_, bias, _)| *bias);
        let relu = super_pixel.rectified.iter().any(|known| known.value == name);
        Output { bank: bank_of(&name), name, kernel, bias, relu }
    };
    let names = header.outputs.iter().map(|output| output.value.clone());
    let declaration = Declaration {
        name: header.name.value.clone(),
        layout: super_pixel.layout.clone(),
        carry: super_pixel.carry,
        inputs: header.inputs.iter().map(input).collect(),
        outputs: names.zip(kernels).map(output).collect(),
        nodes: nodes.map_or(Declaration::DEFAULT_NODES, |nodes| nodes.value),
    };
    if errors.is_empty()
        && let Err(error) = declaration.check()
    {
        errors.add(place_of(&error, &header, &super_pixel), error);
    }
    errors.is_empty().then(|| SuperPixelFilter {
        declaration,
        doc,
        place: positions.of(header.name.at.0),
        nodes_place: nodes.map(|nodes| positions.of(nodes.at.0)),
    })
}

/// Reports numbers of the same name, and banks of numbers that do not exist.
fn check_names(header: &Header<Mark>, super_pixel: &SuperPixel, errors: &mut Errors<Mark>) {
    let inputs: Vec<&str> = header.inputs.iter().map(|input| input.register.value.as_str()).collect();
    for (place, input) in header.inputs.iter().enumerate() {
        if inputs.iter().take(place).any(|earlier| *earlier == input.register.value) {
            errors.add(input.register.at, "two inputs have the same name; rename one");
        }
    }
    let outputs: Vec<&str> = header.outputs.iter().map(|output| output.value.as_str()).collect();
    let biased = super_pixel.biases.iter().map(|(name, _, at)| (name, *at));
    for (name, at) in biased.chain(super_pixel.rectified.iter().map(|name| (&name.value, name.at))) {
        if !outputs.contains(&name.as_str()) {
            errors.add(at, names::unknown("output", name, &outputs));
        }
    }
    let known: Vec<&str> = inputs.iter().chain(&outputs).copied().collect();
    for (name, _, at) in &super_pixel.banks {
        if !known.contains(&name.as_str()) {
            errors.add(*at, names::unknown("number", name, &known));
        }
    }
}

/// The place at which to report a mistake of the declaration.
fn place_of(error: &DeclarationError, header: &Header<Mark>, super_pixel: &SuperPixel) -> Mark {
    let bank = |name: Option<&String>| {
        super_pixel.banks.iter().find(|(known, ..)| Some(known) == name).map_or(super_pixel.at, |(_, _, at)| *at)
    };
    match *error {
        DeclarationError::InputBank { input, .. } => bank(header.inputs.get(input).map(|input| &input.register.value)),
        DeclarationError::OutputBank { output, .. } => bank(header.outputs.get(output).map(|output| &output.value)),
        DeclarationError::Bias { output, .. } => {
            let name = header.outputs.get(output).map(|output| &output.value);
            super_pixel.biases.iter().find(|(known, ..)| Some(known) == name).map_or(super_pixel.at, |(_, _, at)| *at)
        }
        DeclarationError::Shapes { output }
        | DeclarationError::NoSuchChannel { output, .. }
        | DeclarationError::Distance { output }
        | DeclarationError::Denominator { output }
        | DeclarationError::Weight { output } => header.outputs.get(output).map_or(header.name.at, |name| name.at),
        _ => header.name.at,
    }
}
