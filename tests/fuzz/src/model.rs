//! Random filters, in the notations of the front ends.

use crate::Dice;

/// A filter to be written.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub(crate) name: String,
    /// The inputs, and whether each is kept.
    pub(crate) inputs: Vec<(String, bool)>,
    pub(crate) outputs: Vec<(String, Vec<Term>)>,
    pub(crate) scratch: Option<Vec<String>>,
    pub(crate) options: Vec<(&'static str, String)>,
    pub(crate) approximate: Option<Approximate>,
}

/// How far weights may be moved.
#[derive(Clone, Debug)]
pub(crate) struct Approximate {
    depth: i64,
    error: String,
    /// Whether the search chooses the weights.
    pub(crate) search: bool,
}

/// A kernel on an input.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) input: String,
    pub(crate) scale: String,
    pub(crate) rows: Vec<Vec<String>>,
}

const REGISTERS: [&str; 6] = ["A", "B", "C", "D", "E", "F"];

impl Filter {
    /// A random filter, valid most of the time.
    pub(crate) fn random(dice: &mut Dice) -> Self {
        let (inputs, outputs) = (1 + dice.below(2), 1 + dice.below(2));
        let inputs: Vec<_> =
            dice.some(&REGISTERS, inputs).into_iter().map(|reg| (reg.to_owned(), dice.once_in(3))).collect();
        let free: Vec<&str> = REGISTERS
            .into_iter()
            .filter(|reg| dice.once_in(40) || !inputs.iter().any(|(input, keep)| *keep && input == reg))
            .collect();
        let targets = dice.some(&free, outputs);
        let outputs: Vec<_> = targets.into_iter().map(|reg| (reg.to_owned(), terms(dice, &inputs))).collect();
        let scratch = dice.once_in(2).then(|| {
            let is_taken = |reg: &str| {
                inputs.iter().map(|(input, _)| input).chain(outputs.iter().map(|(output, _)| output)).any(|r| r == reg)
            };
            let free: Vec<&str> = REGISTERS.into_iter().filter(|reg| !is_taken(reg)).collect();
            let count = dice.below(4);
            dice.some(&free, count).into_iter().map(str::to_owned).collect()
        });
        let approximate = dice.once_in(6).then(|| Approximate {
            depth: dice.between(0, 9),
            error: dice.pick(&["0.5", "0.05", "1"]).to_owned(),
            search: dice.once_in(2),
        });
        Self { name: name(dice), inputs, outputs, scratch, options: options(dice), approximate }
    }

    /// The filter in the notation of the macro.
    pub(crate) fn to_macro(&self) -> String {
        let mut lines = Vec::new();
        if let Some(Approximate { depth, error, search }) = &self.approximate {
            let search = if *search { ", search" } else { "" };
            lines.push(format!("#[approximate(depth = {depth}, error = {error}{search})]"));
        }
        if !self.options.is_empty() {
            let options: Vec<_> = self.options.iter().map(|(key, value)| format!("{key} = {value}")).collect();
            lines.push(format!("#[search({})]", options.join(", ")));
        }
        let input = |(reg, keep): &(String, bool)| format!("{}{reg}", if *keep { "&" } else { "" });
        let inputs: Vec<_> = self.inputs.iter().map(input).collect();
        let outputs: Vec<_> = self.outputs.iter().map(|(reg, _)| reg.as_str()).collect();
        let using = self.scratch.as_ref().map(|scratch| format!(" using ({})", scratch.join(", ")));
        lines.push(format!(
            "pub fn {}({}) -> ({}){} {{",
            self.name,
            inputs.join(", "),
            outputs.join(", "),
            using.unwrap_or_default()
        ));
        for (reg, terms) in &self.outputs {
            let sum: Vec<_> = terms.iter().map(Term::to_macro).collect();
            lines.push(format!("    {reg} = {};", sum.join(" + ")));
        }
        lines.join("\n") + "\n}\n"
    }

    /// The filter in the notation of kernel files.
    pub(crate) fn to_toml(&self) -> String {
        let strings = |items: &[&str]| {
            let quoted: Vec<_> = items.iter().map(|item| format!("\"{item}\"")).collect();
            format!("[{}]", quoted.join(", "))
        };
        let inputs: Vec<_> = self.inputs.iter().map(|(reg, _)| reg.as_str()).collect();
        let keep: Vec<_> = self.inputs.iter().filter(|(_, keep)| *keep).map(|(reg, _)| reg.as_str()).collect();
        let mut lines = vec![format!("[{}]", self.name), format!("inputs = {}", strings(&inputs))];
        if !keep.is_empty() {
            lines.push(format!("keep = {}", strings(&keep)));
        }
        for (reg, terms) in &self.outputs {
            let terms: Vec<_> = terms.iter().map(Term::to_toml).collect();
            lines.push(format!("outputs.{reg} = [{}]", terms.join(", ")));
        }
        if let Some(scratch) = &self.scratch {
            let scratch: Vec<_> = scratch.iter().map(String::as_str).collect();
            lines.push(format!("scratch = {}", strings(&scratch)));
        }
        if let Some(Approximate { depth, error, search }) = &self.approximate {
            lines.push(format!("approximate = {{ depth = {depth}, error = {error}, search = {search} }}"));
        }
        if !self.options.is_empty() {
            let is_number = |value: &str| value.bytes().all(|byte| byte.is_ascii_digit());
            let option = |(key, value): &(&str, String)| {
                if is_number(value) { format!("{key} = {value}") } else { format!("{key} = \"{value}\"") }
            };
            let options: Vec<_> = self.options.iter().map(option).collect();
            lines.push(format!("search = {{ {} }}", options.join(", ")));
        }
        lines.join("\n") + "\n"
    }
}

impl Term {
    fn rows(&self) -> String {
        let rows: Vec<_> = self.rows.iter().map(|row| format!("[{}]", row.join(", "))).collect();
        format!("[{}]", rows.join(", "))
    }

    fn to_macro(&self) -> String {
        format!("{} * {} * {}", self.scale, self.rows(), self.input)
    }

    fn to_toml(&self) -> String {
        format!("{{ input = \"{}\", scale = \"{}\", kernel = {} }}", self.input, self.scale, self.rows())
    }
}

fn terms(dice: &mut Dice, inputs: &[(String, bool)]) -> Vec<Term> {
    let count = 1 + dice.below(inputs.len());
    let scale = |dice: &mut Dice| {
        let under = if dice.once_in(30) { 3 } else { 1 << dice.below(5) };
        if under == 1 { "1".to_owned() } else { format!("1/{under}") }
    };
    dice.some(inputs, count)
        .into_iter()
        .map(|(input, _)| Term { input, scale: scale(dice), rows: rows(dice) })
        .collect()
}

/// The rows of a small kernel of odd size.
fn rows(dice: &mut Dice) -> Vec<Vec<String>> {
    let (height, width) = (dice.pick(&[1, 1, 3, 3, 5]), dice.pick(&[1, 3, 3, 3, 5]));
    let most = dice.pick(&[1, 2, 4, 20]);
    let weight = |dice: &mut Dice| if dice.once_in(3) { 0 } else { dice.between(-most, most) };
    (0..height).map(|_| (0..width).map(|_| weight(dice).to_string()).collect()).collect()
}

fn name(dice: &mut Dice) -> String {
    dice.pick(&["gauss", "edge", "f", "blur_3", "_x", "X9"]).to_owned()
}

fn options(dice: &mut Dice) -> Vec<(&'static str, String)> {
    let all: [(&str, &[&str]); 7] = [
        ("nodes", &["1", "20", "100"]),
        ("memory", &["8", "64"]),
        ("objective", &["macros", "icws", "accuracy"]),
        ("isa", &["macro", "basic", "native"]),
        ("offset", &["any", "cancelled"]),
        ("input", &["0..127", "-64..63", "-100..20"]),
        ("max_gain", &["any", "own", "30"]),
    ];
    let count = dice.below(4);
    dice.some(&all, count).into_iter().map(|(key, values)| (key, dice.pick(values).to_owned())).collect()
}
