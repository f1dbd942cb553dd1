//! The corpus: random declarations of every kind, by which searches are judged.
//!
//! A case is a kernel file with one filter. It follows from the seed and its number alone, so that a corpus of another seed
//! is as good, and nobody can tune a search to it by hand. Every case belongs to one stratum of each axis: by outputs, by
//! weights, by inputs and so on.

mod shapes;

use cain_codegen::kernel_file;
use cain_isa::Reg;
use cain_search::Declaration;

use crate::kernels::RandomKernels;
use shapes::Shape;

/// The most weights in all kernels together.
const MOST_WEIGHTS: usize = 400;
/// The registers that a machine has anyway.
const REGISTERS: u8 = 6;

/// A declaration of the corpus.
pub(crate) struct Case {
    /// Its number, from 1.
    pub(crate) number: u32,
    /// The stratum of each axis that it belongs to.
    pub(crate) strata: Vec<&'static str>,
    /// The kernel file.
    pub(crate) text: String,
    /// What the file declares.
    pub(crate) declaration: Declaration,
}

/// All strata in the order of tables; the first has all cases.
pub(crate) const STRATA: [&str; 35] = [
    "all",
    "1 output",
    "2 outputs",
    "3 or 4 outputs",
    "5 to 10 outputs",
    "up to 9 weights",
    "10 to 32 weights",
    "33 to 99 weights",
    "100 weights and more",
    "dense",
    "sparse",
    "symmetric",
    "separable",
    "dilated",
    "trained",
    "up to 3×3",
    "up to 5×5",
    "up to 7×7",
    "1 input",
    "2 to 4 inputs",
    "inputs overwritten",
    "inputs kept",
    "registers scarce",
    "registers plenty",
    "native",
    "macro",
    "basic",
    "default constraints",
    "no constraints",
    "offset errors cancelled",
    "gains limited",
    "error limited",
    "few instructions",
    "few control words",
    "small errors",
];

/// The constraints of a case, as options, each with its stratum. Those that occur more often are more likely.
const CONSTRAINTS: [(&str, &str); 8] = [
    ("", "default constraints"),
    ("", "default constraints"),
    ("", "default constraints"),
    (", offset = \"any\", max_gain = \"any\"", "no constraints"),
    (", offset = \"any\", max_gain = \"any\"", "no constraints"),
    (", offset = \"cancelled\", max_gain = \"any\"", "offset errors cancelled"),
    (", offset = \"any\", max_gain = \"own\"", "gains limited"),
    (", accuracy = 12", "error limited"),
];

/// Instruction sets, those that are used more often are more likely.
const SETS: [&str; 8] = ["native", "native", "native", "native", "macro", "macro", "macro", "basic"];

/// The case of a seed with this number.
pub(crate) fn case(seed: u64, number: u32) -> Case {
    let mut random = RandomKernels::of_sample(seed, number);
    loop {
        if let Some(case) = attempt(&mut random, number) {
            return case;
        }
    }
}

/// A random case; `None` if it came out too large, invalid, or with nothing to do.
fn attempt(random: &mut RandomKernels, number: u32) -> Option<Case> {
    let outputs: u8 = match random.below(8) {
        0..3 => 1,
        3 | 4 => 2,
        5 => 3 + of(random.below(2)),
        _ => 5 + of(random.below(6)),
    };
    let inputs = random.one_of([1, 1, 1, 1, 1, 2, 2, 3, 4]);
    let shape = Shape::random(random);
    let (kernels, most) = kernels(shape, (outputs, inputs), random)?;
    let (registers, header, is_scarce, keep) = header(outputs, inputs, random);
    let scale = scale(most, random);
    let (constraints, constraint) = random.one_of(CONSTRAINTS);
    let set = random.one_of(SETS);
    let (objective, aim) = match random.below(8) {
        0 => ("accuracy", "small errors"),
        1..4 => ("icws", "few control words"),
        _ => ("macros", "few instructions"),
    };
    let aim = if set == "native" && objective == "macros" { "few control words" } else { aim };

    let mut text = format!("[case{number}]\n{header}");
    for (&reg, terms) in registers.outputs.iter().zip(&kernels) {
        let term = |(channel, rows): &(usize, String)| {
            let input = registers.inputs.get(*channel)?;
            Some(format!("{{ input = \"{input}\", scale = \"{scale}\", kernel = [{rows}] }}"))
        };
        let terms: Vec<String> = terms.iter().map(term).collect::<Option<_>>()?;
        text.extend([format!("outputs.{reg} = [{}]\n", terms.join(", "))]);
    }
    text.extend([format!("search = {{ isa = \"{set}\", objective = \"{objective}\"{constraints} }}\n")]);
    if registers.count > REGISTERS {
        text.extend([format!("[machine]\nregisters = {}\n", registers.count)]);
    }

    let [filter] = kernel_file::parse(&text).ok()?.try_into().ok()?;
    let declaration = filter.of.declaration;
    let weights = declaration.weights();
    let is_trivial = declaration.outputs.iter().any(|output| output.kernel.terms().count() < 2);
    if is_trivial || weights > MOST_WEIGHTS {
        return None;
    }
    let strata = vec![
        "all",
        match outputs {
            1 => "1 output",
            2 => "2 outputs",
            3 | 4 => "3 or 4 outputs",
            _ => "5 to 10 outputs",
        },
        match weights {
            ..10 => "up to 9 weights",
            10..33 => "10 to 32 weights",
            33..100 => "33 to 99 weights",
            _ => "100 weights and more",
        },
        shape.kind.name(),
        match shape.width.max(shape.height) {
            ..4 => "up to 3×3",
            4..6 => "up to 5×5",
            _ => "up to 7×7",
        },
        if inputs == 1 { "1 input" } else { "2 to 4 inputs" },
        if keep { "inputs kept" } else { "inputs overwritten" },
        if is_scarce { "registers scarce" } else { "registers plenty" },
        set,
        constraint,
        aim,
    ];
    Some(Case { number, strata, text, declaration })
}

/// The terms of an output: numbers of inputs, and rows of matrices.
type Terms = Vec<(usize, String)>;

/// The terms of each output, and the largest sum of magnitudes of an
/// output; `None` if an output is zero.
fn kernels(shape: Shape, (outputs, inputs): (u8, u8), random: &mut RandomKernels) -> Option<(Vec<Terms>, i64)> {
    let mut most = 0;
    let mut kernels: Vec<Terms> = Vec::new();
    for _ in 0..outputs {
        let mut terms = Vec::new();
        let mut sum = 0;
        for channel in 0..usize::from(inputs) {
            let weights = shape.weights(random);
            let magnitude: i64 = weights.iter().flatten().map(|weight| weight.abs()).sum();
            sum += magnitude;
            if magnitude > 0 {
                terms.push((channel, rows(&weights)));
            }
        }
        // Equal outputs would be one kernel.
        if terms.is_empty() || kernels.contains(&terms) {
            return None;
        }
        most = most.max(sum);
        kernels.push(terms);
    }
    Some((kernels, most))
}

/// A matrix without its outer brackets.
fn rows(weights: &[Vec<i64>]) -> String {
    let row = |row: &Vec<i64>| format!("[{}]", row.iter().map(i64::to_string).collect::<Vec<_>>().join(", "));
    weights.iter().map(row).collect::<Vec<_>>().join(", ")
}

/// The scale of all kernels: gains of at most 1, or below 2, or those of weights in eighths.
fn scale(most: i64, random: &mut RandomKernels) -> String {
    let bits = match random.below(5) {
        0 | 1 => most.ilog2() + 1,
        2 | 3 => most.ilog2(),
        _ => most.ilog2().min(3),
    };
    format!("1/{}", 1_u64 << bits)
}

/// The registers of a case.
struct Registers {
    inputs: Vec<Reg>,
    outputs: Vec<Reg>,
    /// The number of registers of the machine.
    count: u8,
}

/// Registers and how a kernel file declares them; whether they are scarce, and whether inputs are kept.
fn header(outputs: u8, inputs: u8, random: &mut RandomKernels) -> (Registers, String, bool, bool) {
    let keep = random.below(3) == 0;
    let is_scarce = random.below(3) == 0;
    let first_output = if keep { inputs } else { 0 };
    let used = (first_output + outputs).max(inputs);
    let count = if is_scarce { used + 2 } else { used + 4 + outputs };
    let listed = |range: std::ops::Range<u8>| range.map(Reg::from_index).collect::<Vec<_>>();
    let quoted = |regs: &[Reg]| regs.iter().map(|reg| format!("\"{reg}\"")).collect::<Vec<_>>().join(", ");
    let registers = Registers {
        inputs: listed(0..inputs),
        outputs: listed(first_output..first_output + outputs),
        count: count.max(REGISTERS),
    };
    let names = quoted(&registers.inputs);
    let mut header = format!("inputs = [{names}]\nscratch = [{}]\n", quoted(&listed(used..count)));
    if keep {
        header.extend(["keep = [", &names, "]\n"]);
    }
    (registers, header, is_scarce, keep)
}

fn of(small: u32) -> u8 {
    u8::try_from(small).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::{STRATA, case};

    #[test]
    fn every_stratum_has_cases() {
        let cases: Vec<_> = (1..=300).map(|number| case(5, number)).collect();
        for stratum in STRATA {
            let count = cases.iter().filter(|case| case.strata.contains(&stratum)).count();
            assert!(count >= 8, "{stratum}: {count}");
        }
        for case in &cases {
            assert!(case.strata.iter().all(|stratum| STRATA.contains(stratum)), "{:?}", case.strata);
            assert_eq!(case.declaration.validate(), Ok(()), "{}", case.text);
        }
    }

    /// Changing this would make new figures incomparable with older ones.
    #[test]
    fn a_case_follows_from_seed_and_number() {
        assert_eq!(case(1, 2).text, case(1, 2).text);
        assert_ne!(case(1, 2).text, case(2, 2).text);
        assert_ne!(case(1, 2).text.replace("case2", ""), case(1, 3).text.replace("case3", ""));
    }
}
