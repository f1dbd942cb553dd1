//! Plan files.

use std::fs;

use cain_codegen::blocks;
use cain_codegen::plan_file::{PlanFile, PlanFolder};
use cain_search::Declaration;
use tempfile::TempDir;

use super::proof::prove;
use crate::oracle::{ensure, printable};
use crate::{Corpus, Dice, Target, Verdict, mutate};

pub(super) const TARGET: Target =
    Target { name: "plans", about: "plan files", ending: "scamp", quick: 3_000, memory: 256, generate, check };

/// What the plans of the corpus are for.
const KERNELS: &str = include_str!("../../corpus/kernels_of_plans.rs");

const WORDS: [&str; 30] = [
    "div", "diva", "movx", "mov2x", "add", "addx", "add2x", "sub", "subx", "neg", "divq", "bus", "bus2", "NEWS", "XE",
    "A", "B", "C", "east", "north", ";", "(", ",", "macros", "nodes", "stop", "proved", ": ", "=", "isa",
];

fn generate(dice: &mut Dice, corpus: &Corpus) -> Vec<u8> {
    mutate::of_text(dice, corpus, &WORDS, |dice| {
        String::from_utf8_lossy(dice.one_of::<Vec<u8>>(corpus.inputs())).into_owned()
    })
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let kernels = blocks::read(KERNELS).filters;
    let text = String::from_utf8_lossy(input);
    let is_meant = |declaration: &Declaration| text.contains(&format!("declaration: {}(", declaration.name));
    let declarations = || kernels.iter().map(|kernel| &kernel.declaration);
    let declaration = declarations().find(|declaration| is_meant(declaration)).or_else(|| declarations().next());
    let declaration = declaration.ok_or("there are no kernels")?;

    let folder = TempDir::new().map_err(|error| error.to_string())?;
    let plans = PlanFolder::new(folder.path(), "plans");
    fs::write(plans.file(&declaration.name), input).map_err(|error| error.to_string())?;
    let solution = match plans.load_from(&declaration.name, declaration) {
        Ok(solution) => solution.ok_or("there is no plan")?,
        Err(error) => return refused(&error.to_string(), &declaration.name, &text),
    };
    let listing: Vec<String> = solution.program.listing().iter().map(ToString::to_string).collect();
    let costs = prove(declaration, &listing)?;
    let report = solution.program.report();
    ensure(u32::try_from(costs.words) == Ok(report.icws), || format!("{} words, not {}", costs.words, report.icws))?;

    let again = PlanFile::new(&solution).to_string();
    fs::write(plans.file(&declaration.name), &again).map_err(|error| error.to_string())?;
    let same = plans.load_from(&declaration.name, declaration).map_err(|error| format!("written again: {error}"))?;
    ensure(same.as_ref() == Some(&solution), || format!("written again, it is another plan: {again}"))?;
    Ok(Verdict::Accepted)
}

/// The message is one line that begins with a place in the file, or with the file alone.
fn refused(message: &str, name: &str, text: &str) -> Result<Verdict, String> {
    printable(message)?;
    let rest = message.strip_prefix(&format!("plans/{name}.scamp:"));
    let rest = rest.ok_or_else(|| format!("the message does not begin with the file: {message}"))?;
    if let Some(line) = rest.split(':').next().and_then(|line| line.parse::<usize>().ok()) {
        ensure((1..=text.split('\n').count() + 1).contains(&line), || format!("a line that is not there: {message}"))?;
    }
    Ok(Verdict::Refused)
}
