//! Searches for which a short program is known.
//!
//! An input is a kernel file with such a program after `# witness:`. It is made from the program: the file asks for the
//! contents of registers after that. So no bound may exceed its length, and no result may be longer.

use cain_codegen::kernel_file;
use cain_isa::{ErrorModel, Reg};
use cain_search::{Declaration, InstructionSet, Objective, SearchError, search};

use super::proof::{computes, prove};
use super::searches::is_right;
use crate::machine::{Pe, Transfer, Value, expand};
use crate::oracle::ensure;
use crate::{Corpus, Dice, Target, Verdict};

pub(super) const TARGET: Target = Target {
    name: "optima",
    about: "searches for kernels with a known short program, and plain enumeration",
    ending: "toml",
    quick: 100,
    memory: 700,
    generate,
    check,
};

/// The length of the longest program of macro instructions that must be found, and of the longest witness.
const LONGEST: usize = 3;
/// The length of the longest program of words that must be found; they are not searched exhaustively.
const LONGEST_OF_WORDS: usize = 1;
/// The most programs that plain enumeration looks at.
const MOST_PROGRAMS: usize = 100_000;
const WITNESS: &str = "# witness:";

fn generate(dice: &mut Dice, _: &Corpus) -> Vec<u8> {
    loop {
        let registers: Vec<String> = ["A", "B", "C"].iter().take(2 + dice.below(2)).map(ToString::to_string).collect();
        let set =
            dice.pick(&[InstructionSet::Macro, InstructionSet::Macro, InstructionSet::Basic, InstructionSet::Native]);
        if let Some(file) = witnessed(dice, &registers, set) {
            return file.into_bytes();
        }
    }
}

/// A kernel file made from a random program.
fn witnessed(dice: &mut Dice, registers: &[String], set: InstructionSet) -> Option<String> {
    let lines = instructions(registers, set);
    let mut pe = Pe::new(&registers[..1]);
    let mut listing = Vec::new();
    for _ in 0..=dice.below(LONGEST) {
        let line = loop {
            let line = dice.one_of(&lines);
            if pe.clone().execute(line).is_ok() {
                break line;
            }
        };
        pe.execute(line).ok()?;
        listing.push(line.clone());
    }
    let output = dice.one_of(registers);
    let keep = *output != registers[0] && !pe.written().contains(&registers[0]) && dice.once_in(2);
    let kernel = kernel(pe.value(output)?)?;
    let scratch: Vec<_> = registers.iter().filter(|reg| *reg != output && **reg != registers[0]).collect();
    let (isa, offset) = match set {
        InstructionSet::Native => ("native", "cancelled"),
        InstructionSet::Basic => ("basic", "any"),
        _ => ("macro", "any"),
    };
    Some(format!(
        "{WITNESS} {}\n[f]\ninputs = [\"A\"]\nkeep = {:?}\noutputs.{output} = {kernel}\nscratch = {scratch:?}\n\
         search = {{ isa = \"{isa}\", offset = \"{offset}\", max_gain = \"any\", nodes = 500, memory = 64 }}\n",
        listing.join(" "),
        if keep { &registers[..1] } else { &[] },
    ))
}

/// A value as the kernel of a file, if it is small.
fn kernel(value: &Value) -> Option<String> {
    let weights: Vec<_> = value.weights().collect();
    let radius = weights.iter().map(|((_, x, y), _)| x.abs().max(y.abs())).max().unwrap_or(0);
    let weight = |x, y| {
        let found = weights.iter().find(|((_, east, north), _)| (*east, *north) == (x, y));
        found.map_or_else(|| "0".to_owned(), |(_, weight)| format!("\"{weight}\""))
    };
    let row = |y| {
        let row: Vec<String> = (-radius..=radius).map(|x| weight(x, y)).collect();
        format!("[{}]", row.join(", "))
    };
    let rows: Vec<String> = (-radius..=radius).rev().map(row).collect();
    (radius <= 7).then(|| format!("{{ kernel = [{}] }}", rows.join(", ")))
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let text = String::from_utf8_lossy(input);
    let Ok(filters) = kernel_file::parse(&text) else { return Ok(Verdict::Refused) };
    let [filter] = filters.as_slice() else { return Ok(Verdict::Refused) };
    let mut declaration = filter.declaration.clone();
    declaration.options.nodes = filter.nodes.unwrap_or(500).min(5_000);
    // A bias would count as instructions; without it, the shortest program is the best.
    declaration.options.error_model = ErrorModel::ideal();
    if declaration.options.objective != Objective::Macros {
        return Ok(Verdict::Refused);
    }
    let written = text.lines().find_map(|line| line.strip_prefix(WITNESS)).unwrap_or_default();
    let witness: Vec<String> = written.split_whitespace().map(str::to_owned).collect();
    // A program that computes something else is no witness; and if the transfer error has to cancel, not every program
    // is one.
    let witness = prove(&declaration, &witness).ok().map(|costs| costs.instructions);
    let shortest = enumerated(&declaration).into_iter().chain(witness).min();
    let found = match search(&declaration) {
        Ok(solution) => solution,
        Err(error) => {
            let is_none = matches!(error, SearchError::Registers { .. } | SearchError::Budget { .. });
            ensure(is_none, || format!("{declaration}: {error}"))?;
            return match shortest {
                Some(shortest) => {
                    Err(format!("no program, and there is one of {shortest} instructions: {declaration}"))
                }
                None => Ok(Verdict::Refused),
            };
        }
    };
    is_right(&declaration, &found)?;
    let Some(shortest) = shortest else { return Ok(Verdict::Accepted) };
    let bound = usize::try_from(found.statistics.lower_bound).unwrap_or(usize::MAX);
    ensure(bound <= shortest, || format!("at least {bound} are claimed, and {shortest} will do: {declaration}"))?;
    let length = found.program.listing().len();
    let longest = if declaration.options.instructions == InstructionSet::Native { LONGEST_OF_WORDS } else { LONGEST };
    ensure(shortest > longest || length <= shortest, || {
        format!("{length} instructions, and {shortest} will do: {declaration}")
    })?;
    Ok(Verdict::Accepted)
}

/// The length of the shortest program, found by enumerating all short ones.
fn enumerated(declaration: &Declaration) -> Option<usize> {
    let inputs: Vec<String> = declaration.inputs.iter().map(|input| input.reg.to_string()).collect();
    let mut registers: Vec<String> = declaration.writable().iter().map(Reg::to_string).collect();
    registers.extend(inputs.iter().filter(|input| !registers.contains(input)).cloned().collect::<Vec<_>>());
    let lines = instructions(&registers, declaration.options.instructions);
    let steps: Vec<Vec<Transfer>> = lines.iter().filter_map(|line| expand(line).ok()).collect();
    let mut machines = vec![Pe::new(&inputs)];
    for length in 0..=LONGEST {
        if machines.iter().any(|pe| computes(declaration, pe).is_ok()) {
            return Some(length);
        }
        if machines.len().saturating_mul(steps.len()) > MOST_PROGRAMS {
            return None;
        }
        let after = |pe: &Pe, step: &Vec<Transfer>| {
            let mut next = pe.clone();
            next.carry_out(step).ok().map(|()| next)
        };
        machines = machines.iter().flat_map(|pe| steps.iter().filter_map(move |step| after(pe, step))).collect();
    }
    None
}

/// All lines of an instruction set on these registers, including some that the bus rejects.
fn instructions(registers: &[String], set: InstructionSet) -> Vec<String> {
    let directions = ["north", "east", "south", "west"].map(str::to_owned);
    let forms: &[(&str, &str)] = match set {
        InstructionSet::Native => return words(registers),
        InstructionSet::Basic => &[
            ("res", "r"),
            ("mov", "rr"),
            ("movx", "rrd"),
            ("add", "rrr"),
            ("sub", "rrr"),
            ("neg", "rr"),
            ("divq", "rr"),
        ],
        _ => &[
            ("res", "r"),
            ("mov", "rr"),
            ("add", "rrr"),
            ("add", "rrrr"),
            ("sub", "rrr"),
            ("neg", "rr"),
            ("divq", "rr"),
            ("div", "rrr"),
            ("div", "rrrr"),
            ("diva", "rrr"),
            ("movx", "rrd"),
            ("mov2x", "rrdd"),
            ("addx", "rrrd"),
            ("add2x", "rrrdd"),
            ("subx", "rrdr"),
            ("sub2x", "rrddr"),
        ],
    };
    let mut all = Vec::new();
    for (name, operands) in forms {
        let kinds = operands.chars().map(|kind| if kind == 'r' { registers } else { &directions });
        let mut lists = vec![Vec::new()];
        for kind in kinds {
            lists = lists
                .iter()
                .flat_map(|list| kind.iter().map(move |item| [list.as_slice(), &[item.as_str()]].concat()))
                .collect();
        }
        all.extend(lists.into_iter().map(|list| format!("{name}({});", list.join(","))));
    }
    all
}

/// Words of up to two destinations and two sources, without averages of ports, which searches do not use.
fn words(registers: &[String]) -> Vec<String> {
    let own: Vec<&str> = registers.iter().map(String::as_str).chain(["NEWS"]).collect();
    let cells: Vec<&str> = own.iter().copied().chain(["XN", "XE", "XS", "XW"]).collect();
    let mut sources = vec![String::new()];
    for (at, first) in cells.iter().enumerate() {
        sources.push(format!(",{first}"));
        let others = cells[at + 1..].iter().filter(|second| own.contains(first) || own.contains(*second));
        sources.extend(others.map(|second| format!(",{first},{second}")));
    }
    let mut all = Vec::new();
    for from in &sources {
        all.extend(cells.iter().map(|to| format!("bus({to}{from});")));
        for (at, first) in own.iter().enumerate() {
            all.extend(own[at + 1..].iter().map(|second| format!("bus2({first},{second}{from});")));
        }
    }
    all
}
