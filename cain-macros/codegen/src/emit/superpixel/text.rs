//! Declarations over super-pixels as text.

use cain_digital::superpixel::{Carry, Converter, Declaration, Output, Then};
use cain_search::Matrix;

use super::super::digital::sum;

/// The declaration in a canonical spelling: `edge(&image) -> (gx) over [1 2; 4 3] by prop { gx = [-1 0 1] * image; }`.
pub(crate) fn text(declaration: &Declaration) -> String {
    let inputs = declaration.inputs.iter().map(|input| {
        let keep = if input.keep { "&" } else { "" };
        format!("{keep}{}{}", input.name, place(input.bank, "from", input.converted))
    });
    let outputs = declaration
        .outputs
        .iter()
        .map(|output| format!("{}{}", output.name, place(output.bank, "to", output.converted)));
    let list = |numbers: Vec<String>| numbers.join(", ");
    let banks = (0..declaration.layout.banks()).map(|bank| order(declaration, bank).to_string());
    format!(
        "{}({}) -> ({}) over {} by {} {{ {}; }}",
        declaration.name,
        list(inputs.collect()),
        list(outputs.collect()),
        banks.collect::<Vec<_>>().join(" | "),
        carry(declaration.carry),
        formulas(declaration).join("; ")
    )
}

/// ` in bank 1 from A as bits 1 to 8`.
fn place(bank: usize, way: &str, converter: Option<Converter>) -> String {
    let bank = if bank == 0 { String::new() } else { format!(" in bank {bank}") };
    let converted = converter
        .map(|Converter { register, bits, unit }| format!(" {way} {register} as bits {} to {}", unit + 1, unit + bits));
    bank + &converted.unwrap_or_default()
}

/// The places of the bits of a bank.
fn order(declaration: &Declaration, bank: usize) -> Matrix {
    let row = |row: Vec<usize>| row.into_iter().map(|bit| i64::try_from(bit).unwrap_or(0)).collect();
    Matrix { denominator: 1, rows: declaration.layout.order(bank).into_iter().map(row).collect() }
}

/// The way of carries as kernel files have it.
fn carry(carry: Carry) -> &'static str {
    match carry {
        Carry::Propagate => "prop",
        Carry::Steps => "steps",
    }
}

/// `gx = [-1 0 1] * image - 5` for each output.
pub(crate) fn formulas(declaration: &Declaration) -> Vec<String> {
    let value = |output: &Output| {
        let sum = sum(&output.kernel, declaration.inputs.iter().map(|input| input.name.as_str()));
        let biased = match output.bias {
            0 => sum,
            bias if bias < 0 => format!("{sum} - {}", bias.unsigned_abs()),
            bias => format!("{sum} + {bias}"),
        };
        match output.then {
            Then::Nothing => biased,
            Then::Rectify => format!("max({biased}, 0)"),
            Then::Compare => format!("{biased} > 0"),
        }
    };
    declaration.outputs.iter().map(|output| format!("{} = {}", output.name, value(output))).collect()
}
