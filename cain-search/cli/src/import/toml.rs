//! Writes a configuration as a kernel file.

use cain_codegen::printable::Printable;
use cain_codegen::quoted::string;
use cain_isa::Fraction;

use super::config::Config;
use super::kernel::{Number, Term, fraction};

/// The kernel file; `source` is the name of the file it comes from.
pub(crate) fn toml(config: &Config, source: &str) -> String {
    let mut lines = vec![format!("# Imported from {} by `cain import`", Printable(source)), String::new()];
    let registers = &config.registers;
    if let Some(machine) = &registers.machine {
        lines.extend(["[machine]".to_owned(), format!("registers = {}", strings(machine)), String::new()]);
    }
    lines.push(format!("[{}]", config.name));
    lines.extend(config.title.iter().map(|title| format!("doc = {}", string(title))));
    lines.push(format!("inputs = {}", strings(&registers.inputs)));
    for output in &config.outputs {
        let terms: Vec<String> = output.terms.iter().map(|one| term(one, &registers.inputs)).collect();
        let sum = match terms.as_slice() {
            [only] => only.clone(),
            several => block(several.iter().map(|term| term.replace('\n', "\n    "))),
        };
        lines.push(format!("outputs.{} = {sum}", key(&output.register)));
    }
    lines.extend(config.lines.iter().cloned());
    lines.extend(registers.scratch.iter().map(|scratch| format!("scratch = {}", strings(scratch))));
    if let Some((depth, error)) = &config.approximate {
        lines.push(format!("approximate = {{ depth = {depth}, error = {} }}", error.toml()));
    }
    let options = [("objective", config.objective), ("isa", config.isa)];
    let options: Vec<String> =
        options.iter().filter_map(|(key, value)| Some(format!("{key} = \"{}\"", (*value)?))).collect();
    if !options.is_empty() {
        lines.push(format!("search = {{ {} }}", options.join(", ")));
    }
    lines.join("\n") + "\n"
}

fn term(term: &Term, inputs: &[String]) -> String {
    let mut fields = Vec::new();
    if inputs.len() > 1 {
        fields.extend(inputs.get(term.channel).map(|input| format!("input = {}", string(input))));
    }
    if term.scale != Fraction::ONE {
        fields.push(format!("scale = {}", fraction(term.scale)));
    }
    fields.push(format!("kernel = {}", matrix(&term.rows)));
    fields.extend(term.origin.map(|(row, column)| format!("origin = [{row}, {column}]")));
    format!("{{ {} }}", fields.join(", "))
}

/// A matrix, with its rows below each other and its columns aligned.
fn matrix(rows: &[Vec<Number>]) -> String {
    let texts: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(Number::toml).collect()).collect();
    let width = texts.iter().flatten().map(String::len).max().unwrap_or_default();
    let row = |row: &Vec<String>| row.iter().map(|text| format!("{text:>width$}")).collect::<Vec<_>>().join(", ");
    match texts.as_slice() {
        [only] => format!("[[{}]]", only.join(", ")),
        several => block(several.iter().map(|texts| format!("[{}]", row(texts)))),
    }
}

/// An array on several lines.
fn block(elements: impl Iterator<Item = String>) -> String {
    let mut lines = vec!["[".to_owned()];
    lines.extend(elements.map(|element| format!("    {element},")));
    lines.join("\n") + "\n]"
}

fn strings(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|text| string(text)).collect::<Vec<_>>().join(", "))
}

/// A key, quoted if necessary.
fn key(text: &str) -> String {
    let is_bare = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    if !text.is_empty() && text.chars().all(is_bare) { text.to_owned() } else { string(text) }
}
