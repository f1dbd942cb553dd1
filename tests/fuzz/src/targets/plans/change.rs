//! Changes the program of a plan and adapts its header, so that only the results of the program are wrong.

use cain_codegen::kinds::{Kernel, Kind as _};
use cain_search::Declaration;

use crate::Dice;
use crate::machine::{Array, Pe};

/// Registers that may be exchanged for each other.
const ANALOGUE: [&str; 7] = ["A", "B", "C", "D", "E", "F", "NEWS"];
const DIGITAL: [&str; 14] = ["R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "R12", "FLAG"];
const OTHERS: [&[&str]; 5] = [
    &["east", "west", "north", "south"],
    &["XE", "XW", "XN", "XS"],
    &["NOT", "MOV"],
    &["NOR", "OR"],
    &["DNEWS0", "DNEWS1"],
];

/// The plan with a few changes of its program.
pub(super) fn program(dice: &mut Dice, plan: &str, kernels: &[Kernel]) -> String {
    let mut lines: Vec<String> = plan.lines().map(str::to_owned).collect();
    for _ in 0..dice.pick(&[1, 1, 1, 2, 3]) {
        change(dice, &mut lines);
    }
    correct(&mut lines, kernels);
    lines.join("\n") + "\n"
}

/// Makes one change. Some are invisible in the results: to a register that must be preserved, or in the error that two
/// more words leave.
fn change(dice: &mut Dice, lines: &mut Vec<String>) {
    let places: Vec<usize> = (0..lines.len()).filter(|place| is_instruction(&lines[*place])).collect();
    if places.is_empty() {
        return;
    }
    let at = dice.pick(&places);
    // The end of this program, of which there may be several.
    let end = at + lines[at..].iter().take_while(|line| is_instruction(line)).count();
    match dice.below(9) {
        0 => drop(lines.remove(at)),
        1 => lines.swap(at, dice.pick(&places)),
        2 => lines.insert(dice.pick(&places), lines[at].clone()),
        3 | 4 => lines[at] = renamed(dice, &lines[at]),
        5 => lines.insert(end, overwriting(dice, &lines[at])),
        6 => lines.insert(at, overwriting(dice, &lines[at])),
        7 => {
            let place = dice.pick(&[at, end]);
            insert(lines, place, same_value(dice, &lines[at]));
        }
        _ => {
            let words = promised(lines, at).and_then(|registers| other_error(dice, &registers));
            insert(lines, end, words.unwrap_or_default());
        }
    }
}

fn insert(lines: &mut Vec<String>, place: usize, more: Vec<String>) {
    lines.splice(place..place, more);
}

/// The analogue registers of a declaration.
struct Registers {
    outputs: Vec<String>,
    /// Those whose contents do not matter after the program.
    free: Vec<String>,
}

/// The registers of the program that a line is part of: those of `declaration: f(A) -> (B, C) using (D, E) { .. }`.
fn promised(lines: &[String], at: usize) -> Option<Registers> {
    let declaration = lines[..at].iter().rfind(|line| line.starts_with("declaration: "))?;
    let listed = |before: &str| {
        let (list, _) = declaration.split_once(before)?.1.split_once(')')?;
        Some(list.split(", ").map(str::to_owned).collect::<Vec<_>>())
    };
    let registers = Registers { outputs: listed(" -> (")?, free: listed(" using (")? };
    registers.outputs.iter().all(|name| ANALOGUE.contains(&name.as_str())).then_some(registers)
}

/// Words after which an output holds the same image with another multiple of the error of transfers.
fn other_error(dice: &mut Dice, Registers { outputs, free }: &Registers) -> Option<Vec<String>> {
    let output = dice.one_of(outputs).clone();
    let [first, second] =
        <[String; 2]>::try_from(dice.some(&[free.as_slice(), &["NEWS".to_owned()]].concat(), 2)).ok()?;
    Some(vec![format!("bus2({first},{second},{output});"), format!("bus({output},{first},{second});")])
}

fn is_instruction(line: &str) -> bool {
    line.ends_with(");") && !line.starts_with("scamp5")
}

fn is_on_bits(line: &str) -> bool {
    line.starts_with(char::is_uppercase)
}

/// The line with one register, direction or operation replaced.
fn renamed(dice: &mut Dice, line: &str) -> String {
    let (name, operands) = line.trim_end_matches(");").split_once('(').unwrap_or((line, ""));
    let mut words: Vec<&str> = std::iter::once(name).chain(operands.split(',')).collect();
    let at = dice.below(words.len());
    let alike = [&ANALOGUE[..], &DIGITAL].into_iter().chain(OTHERS).find(|alike| alike.contains(&words[at]));
    if let Some(alike) = alike {
        words[at] = dice.pick(alike);
    }
    format!("{}({});", words[0], words[1..].join(","))
}

/// A line that writes some register, similar to those of the program.
fn overwriting(dice: &mut Dice, like: &str) -> String {
    if is_on_bits(like) {
        let name = dice.pick(&["CLR", "SET"]);
        return format!("{name}({});", dice.pick(&DIGITAL[..13]));
    }
    let chosen = dice.some(&ANALOGUE[..6], 2);
    format!("bus({},{});", chosen[0], chosen[1])
}

/// Lines after which a register has its previous content, while others have changed.
fn same_value(dice: &mut Dice, like: &str) -> Vec<String> {
    if is_on_bits(like) {
        let chosen = dice.some(&DIGITAL[5..12], 2);
        return vec![format!("NOT({},{});", chosen[1], chosen[0]), format!("NOT({},{});", chosen[0], chosen[1])];
    }
    let chosen = dice.some(&ANALOGUE, 3);
    let (held, first, second) = (&chosen[0], &chosen[1], &chosen[2]);
    if dice.once_in(2) {
        return vec![format!("bus({first},{held});"), format!("bus({held},{first});")];
    }
    vec![format!("bus2({first},{second},{held});"), format!("bus({held},{first},{second});")]
}

/// Corrects the costs in the header, if the program can be followed.
fn correct(lines: &mut [String], kernels: &[Kernel]) {
    let is_meant =
        |kernel: &&Kernel| lines.iter().any(|line| line.starts_with(&format!("declaration: {}(", kernel.name())));
    let kernel = kernels.iter().find(is_meant);
    let costs = if lines.iter().any(|line| line.starts_with("searches: ")) {
        None
    } else if let Some(kernel) = kernel {
        let is_native = lines.iter().any(|line| line == "isa: native");
        analogue(lines, &kernel.declaration, is_native)
    } else {
        on_bits(lines)
    };
    for line in lines.iter_mut() {
        if line.starts_with("search: ") {
            *line = line.replace("stop=proved", "stop=nodes");
        } else if let (true, Some(costs)) = (line.starts_with("cost: "), &costs) {
            line.clone_from(costs);
        } else if line.starts_with("proved: ") {
            "proved: instructions>=0".clone_into(line);
        }
    }
}

fn analogue(lines: &[String], kernel: &Declaration, is_native: bool) -> Option<String> {
    let inputs: Vec<String> = kernel.inputs.iter().map(|input| input.reg.to_string()).collect();
    let mut pe = Pe::new(&inputs);
    lines.iter().filter(|line| is_instruction(line)).try_for_each(|line| pe.execute(line)).ok()?;
    let costs = pe.costs();
    let macros = if is_native { 0 } else { costs.instructions };
    Some(format!("cost: macros={macros} icws={} peak_gain={}", costs.words, pe.peak()?))
}

fn on_bits(lines: &[String]) -> Option<String> {
    let mut array = Array::new(1, 1, || true);
    let setup = lines.iter().position(|line| line == "// before").unwrap_or(0);
    lines.iter().skip(setup).filter(|line| is_instruction(line)).try_for_each(|line| array.execute(line)).ok()?;
    Some(format!("cost: words={}", array.words()))
}
