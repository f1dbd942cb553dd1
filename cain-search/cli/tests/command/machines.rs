//! Tests of `cain compile` for machines with other registers than SCAMP-5.

use std::collections::BTreeSet;

use cain_codegen::kernel_file;
use cain_isa::{Instruction, Reg, Store};
use cain_search::verify;
use serde_json::Value;

use crate::Folder;

/// Compiles a file and checks every listing against it; returns the registers named in each.
#[track_caller]
fn compile(text: &str) -> Vec<BTreeSet<Reg>> {
    let stdout = Folder::new(text).cain(&["compile", "kernels.toml", "--json", "--nodes", "500"]).good();
    let filters = kernel_file::parse(text).unwrap();
    assert_eq!(stdout.lines().count(), filters.len());
    stdout
        .lines()
        .zip(&filters)
        .map(|(line, filter)| {
            let object: Value = serde_json::from_str(line).unwrap();
            let lines = object["parts"][0]["listing"].as_array().unwrap();
            let listing: Vec<Instruction> = lines.iter().map(|line| line.as_str().unwrap().parse().unwrap()).collect();
            verify(&filter.declaration, &listing).unwrap();
            listing.iter().flat_map(registers).collect()
        })
        .collect()
}

fn registers(instruction: &Instruction) -> Vec<Reg> {
    let stores = instruction.words().flat_map(|word| {
        let transfers = word.transfers();
        transfers
            .flat_map(|transfer| transfer.terms().iter().map(|term| term.0).chain([transfer.store]).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    });
    let reg = |store| if let Store::Reg(reg) = store { Some(reg) } else { None };
    stores.filter_map(reg).collect()
}

fn expect_registers(registers: &BTreeSet<Reg>, allowed: &str) {
    let allowed: BTreeSet<Reg> = allowed.split_whitespace().map(|name| name.parse().unwrap()).collect();
    assert!(registers.is_subset(&allowed), "{registers:?}");
}

#[test]
fn programs_use_the_registers_of_the_machine() {
    let used = compile(
        r#"
[machine]
registers = ["R7", "X", "R229"]

[gauss]
inputs = ["X"]
outputs.R229 = { scale = "1/4", kernel = [[1, 2, 1]] }

[one_spare]
inputs = ["R7"]
keep = ["R7"]
scratch = ["R229"]
outputs.X = { scale = "1/8", kernel = [[1, 0, -1], [2, 0, -2], [1, 0, -1]] }
"#,
    );
    expect_registers(&used[0], "R7 X R229");
    expect_registers(&used[1], "R7 X R229");
}

/// This resembles the experiment with ten kernels of the paper's Figure 4, but is smaller.
#[test]
fn eighteen_registers() {
    use std::fmt::Write as _;

    let names: Vec<String> = (0..18).map(|i| format!("\"R{i}\"")).collect();
    let mut text = format!("[machine]\nregisters = [{}]\n[many]\ninputs = [\"R17\"]\n", names.join(", "));
    for i in 0..8 {
        let _ = writeln!(
            text,
            "outputs.R{i} = {{ scale = \"1/16\", kernel = [[{i}, 3, 1], [2, {}, 0]], origin = [0, 1] }}",
            8 - i
        );
    }
    text += "search = { isa = \"macro\", offset = \"any\", max_gain = \"any\" }\n";
    assert!(compile(&text)[0].iter().all(|reg| reg.index() >= 26));
}

#[test]
fn several_channels_on_a_small_machine() {
    let used = compile(
        r#"
machine.registers = ["A", "B", "C", "D", "R0"]

[mix]
inputs = ["C", "A", "B", "D"]
keep = ["A"]
outputs.C = [
    { input = "A", kernel = [[1, 0, -1]] },
    { input = "B", scale = "1/2", kernel = [[1], [1], [0]] },
    { input = "C", kernel = [[2]] },
    { input = "D", kernel = [[-1]] },
]
search.max_gain = "any"
"#,
    );
    expect_registers(&used[0], "A B C D R0");
}

#[test]
fn a_machine_of_one_register() {
    let text = "machine.registers = [\"Q\"]\n";
    let filter = |name: &str, kernel: &str| {
        format!("[{name}]\ninputs = [\"Q\"]\noutputs.Q.kernel = {kernel}\nsearch.max_gain = \"any\"\n")
    };
    let good = [("same", "[[1]]"), ("zero", "[[0]]"), ("shift", "[[0, 0, 1]]")];
    compile(&good.iter().fold(text.to_owned(), |text, (name, kernel)| text + &filter(name, kernel)));

    let bad = Folder::new(format!("{text}{}", filter("mean", "[[0.5, 0.5, 0]]"))).cain(&[
        "compile",
        "kernels.toml",
        "--json",
        "--nodes=500",
    ]);
    assert_eq!(
        bad.bad(),
        ["kernels.toml:2:2: filter `mean`: no program found that overwrites only `Q`; use a machine of 2 registers, \
          which are certainly enough"]
    );
    assert_eq!(bad.stdout, "");
}

#[test]
fn registers_that_the_machine_has_not() {
    let text =
        "machine.registers = [\"A\", \"B\"]\n[f]\ninputs = [\"A\"]\nscratch = [\"R0\"]\noutputs.C.kernel = [[1]]\n";
    let run = Folder::new(text).cain(&["compile", "kernels.toml"]);
    assert_eq!(
        run.bad(),
        [
            "kernels.toml:4:12: unknown register `R0`; the analogue registers are `A` and `B`",
            "kernels.toml:5:9: unknown register `C`; the analogue registers are `A` and `B`",
        ]
    );
}

/// Every kind is for the machine that the file describes, and tells what that lacks.
#[test]
fn what_a_machine_lacks_is_told_by_every_kind() {
    let digital =
        "[grad]\ninputs = [\"image\"]\nbits = 1\noutputs.gx.kernel = [[1, 0, 1]]\nsearch = { isa = \"digital\" }\n";
    let network = "[network.n]\ninput = { size = [28, 28], levels = \"-15..15\" }\n[[network.n.layer]]\nname = \"r\"\nop = \"abs\"\n\
                   [[network.n.layer]]\nname = \"q\"\nop = \"windows\"\nsize = [9, 9]\n";
    let program = "program = \"\"\"\nprogram p(image) -> (n) { let m = abs(image) > 3; let n = count(m); }\n\"\"\"\n";
    let blocks = "[f]\ninputs = [\"n\"]\noutputs.m.kernel = [[1]]\nsearch = { isa = \"superpixel\" }\n\
                  superpixel = { order = [[1, 2]], adc = { n = { register = \"A\" } } }\n";
    let program = |machine: &str| format!("{program}[machine]\n{machine}\n");
    let described = |machine: &str, rest: &str| format!("[machine]\n{machine}\n{rest}");
    for (text, told) in [
        (
            described("bits = 4", digital),
            "filters on bits need 13 digital registers, `R0` to `R12`, and the machine has 4",
        ),
        (
            described("bus = { sources = 1 }", network),
            "the machine's words read one cell, which the operations of networks need",
        ),
        (described("range = { min = -50, max = 50 }", network), "the registers of the machine hold -50..50 DN"),
        (
            described("range = { min = -64, max = 200 }", blocks),
            "the registers of the machine hold -64..200 DN, but levels of conversions take up to -128..127 DN",
        ),
        (program("bus = { sources = 1 }"), "the machine's words read one cell, which a word of this program needs"),
        (
            program("range = { min = -20, max = 20 }"),
            "the registers of the machine hold -20..20 DN, but whole programs",
        ),
    ] {
        let run = Folder::new(&text).cain(&["compile", "kernels.toml"]);
        let problems = run.bad();
        assert!(problems.iter().any(|problem| problem.contains(told)), "{text}: {problems:?}");
    }
    // Times of words count as they are described.
    let us = |text: &str| {
        let stdout = Folder::new(text).cain(&["compile", "kernels.toml", "--json"]).good();
        serde_json::from_str::<Value>(&stdout).unwrap()["us"].as_f64().unwrap()
    };
    let slow = described("nanoseconds = { digital = 1000, high_speed = 1000, neighbours = 1000 }", digital);
    assert!(us(&slow) > 5.0 * us(digital), "{} {}", us(&slow), us(digital));
    // The vendor's library is for SCAMP-5 alone.
    let other = described("registers = [\"A\", \"Q\"]", "[f]\ninputs = [\"A\"]\noutputs.Q.kernel = [[-1]]\n");
    let run = Folder::new(&other).cain(&["generate", "kernels.toml", "--lang", "cpp"]);
    let problems = run.bad();
    assert!(problems.iter().any(|problem| problem.contains("the vendor's library is for SCAMP-5")), "{problems:?}");
}
