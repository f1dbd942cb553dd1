//! Declarations as text.

use cain_analysis::prove::Polynomial;
use cain_digital::{Declaration, Formula, Input, Logic, Output};
use cain_isa::Displacement;
use cain_search::Matrix;

use crate::expression::DIRECTIONS;

/// The declaration in a canonical spelling: `edge(&image: 1) -> (gx) { gx = [-1 0 1] * image; }`.
pub(crate) fn text(declaration: &Declaration) -> String {
    let input = |input: &Input| {
        let sign = if input.format.is_signed() { "-" } else { "" };
        let at = input.at.map(|register| format!(" in {register}")).unwrap_or_default();
        format!("{}{}: {sign}{}{at}", if input.keep { "&" } else { "" }, input.name, input.format.bits())
    };
    let inputs: Vec<String> = declaration.inputs.iter().map(input).collect();
    let outputs: Vec<&str> = declaration.outputs.iter().map(|output| output.name.as_str()).collect();
    let sums = formulas(declaration).join("; ");
    format!("{}({}) -> ({}) {{ {sums}; }}", declaration.name, inputs.join(", "), outputs.join(", "))
}

/// `gx = [-1 0 1] * image` or `edge = image & !image@east` for each output.
pub(crate) fn formulas(declaration: &Declaration) -> Vec<String> {
    let value = |output: &Output| match &output.formula {
        Formula::Sum(kernel) => sum(kernel, declaration.inputs.iter().map(|input| input.name.as_str())),
        Formula::Logic(logic) => expression(logic, &declaration.inputs),
    };
    declaration.outputs.iter().map(|output| format!("{} = {}", output.name, value(output))).collect()
}

/// A sum over inputs of these names.
pub(crate) fn sum<'n>(kernel: &Polynomial, inputs: impl IntoIterator<Item = &'n str>) -> String {
    let term = |(channel, input): (u16, &str)| Some(format!("{} * {input}", Matrix::of(kernel, channel)?));
    let terms: Vec<String> = (0..).zip(inputs).filter_map(term).collect();
    if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") }
}

/// What can stand somewhere without parentheses: an operator of this level, or one that binds more tightly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Any,
    Odd,
    All,
    Prefix,
}

/// An expression as it is declared.
pub(crate) fn expression(logic: &Logic, inputs: &[Input]) -> String {
    at_level(logic, inputs, Level::Any)
}

fn at_level(logic: &Logic, inputs: &[Input], level: Level) -> String {
    let operation = |parts: &[Logic], sign: &str, own: Level, inner: Level, empty: &str| {
        let parts: Vec<String> = parts.iter().map(|part| at_level(part, inputs, inner)).collect();
        match parts.as_slice() {
            [] => empty.to_owned(),
            [only] => only.clone(),
            _ if level > own => format!("({})", parts.join(sign)),
            _ => parts.join(sign),
        }
    };
    match logic {
        Logic::Constant(value) => u8::from(*value).to_string(),
        Logic::Pixel { input, bit, at } => pixel(inputs.get(*input), *bit, *at),
        Logic::Not(part) => format!("!{}", at_level(part, inputs, Level::Prefix)),
        Logic::All(parts) => operation(parts, " & ", Level::All, Level::Prefix, "1"),
        Logic::Any(parts) => operation(parts, " | ", Level::Any, Level::Odd, "0"),
        Logic::Odd(parts) => operation(parts, " ^ ", Level::Odd, Level::All, "0"),
        Logic::Count { of, least, most } => count(of, *least, *most, inputs),
    }
}

fn count(of: &[Logic], least: u32, most: u32, inputs: &[Input]) -> String {
    let all = u32::try_from(of.len()).unwrap_or(u32::MAX);
    let list: Vec<String> = of.iter().map(|part| at_level(part, inputs, Level::Any)).collect();
    let list = list.join(", ");
    match (least, most) {
        _ if least > all || least > most => "0".to_owned(),
        _ if most == all && least == all / 2 + 1 && all % 2 == 1 => format!("maj({list})"),
        _ if least == most => format!("count({list}) == {least}"),
        _ if most >= all => format!("count({list}) >= {least}"),
        (0, _) => format!("count({list}) <= {most}"),
        _ => format!("(count({list}) >= {least} & count({list}) <= {most})"),
    }
}

/// `image[2]@north@east`.
fn pixel(input: Option<&Input>, bit: u32, at: Displacement) -> String {
    let name = input.map_or("", |input| input.name.as_str());
    let mut text = name.to_owned();
    if input.is_some_and(|input| input.format.bits() > 1) {
        text = format!("{text}[{bit}]");
    }
    let diagonal = at.x.unsigned_abs().min(at.y.unsigned_abs());
    let (x, y) = (i32::from(at.x.signum()), i32::from(at.y.signum()));
    let mut step = |x: i32, y: i32, times: u16| {
        let is_it = |(_, by): &&(&str, Displacement)| (i32::from(by.x), i32::from(by.y)) == (x, y);
        let name = DIRECTIONS.iter().find(is_it).map_or("", |(name, _)| *name);
        (0..times).for_each(|_| text = format!("{text}@{name}"));
    };
    step(x, y, diagonal);
    step(x, 0, at.x.unsigned_abs() - diagonal);
    step(0, y, at.y.unsigned_abs() - diagonal);
    text
}
