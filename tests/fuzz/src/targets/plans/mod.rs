//! Plan files of every kind of declaration.

mod change;
mod interrupted;

use std::fs;

use cain_codegen::kernel_file::parse_any;
use cain_codegen::kinds::{Item, Kernel, Kind, automaton};
use cain_codegen::plan_file::PlanFolder;
use cain_codegen::{Overrides, blocks};
use cain_isa::Instruction;
use cain_network::{Answer, CompiledNetwork, Wanted};
use cain_search::{Declaration, Solution};
use tempfile::TempDir;

use super::networks::answers;
use super::on_bits;
use super::proof::prove;
use crate::oracle::{ensure, printable};
use crate::{Corpus, Dice, Target, Verdict, mutate};

/// The proof of a wrong program on bits may end only when its diagrams have reached their limit of nodes.
pub(super) const TARGET: Target =
    Target { name: "plans", about: "plan files", ending: "scamp", quick: 3_000, memory: 2_048, generate, check };

/// The declarations for the plans of the corpus: kernels, and all others; automata are on another machine.
const KERNELS: &str = include_str!("../../../corpus/kernels_of_plans.rs");
const DECLARED: [&str; 2] =
    [include_str!("../../../corpus/declared_of_plans.toml"), include_str!("../../../corpus/automata_of_plans.toml")];

const WORDS: [&str; 50] = [
    "div",
    "diva",
    "movx",
    "mov2x",
    "add",
    "addx",
    "add2x",
    "sub",
    "subx",
    "neg",
    "divq",
    "bus",
    "bus2",
    "NEWS",
    "XE",
    "A",
    "B",
    "C",
    "east",
    "north",
    ";",
    "(",
    ",",
    "macros",
    "nodes",
    "stop",
    "proved",
    ": ",
    "=",
    "isa",
    "R0",
    "R5",
    "R6",
    "R11",
    "R12",
    "FLAG",
    "SET",
    "CLR",
    "MOV",
    "NOT",
    "NOR",
    "DNEWS0",
    "inputs",
    "reserved",
    "search",
    "searches",
    "program: none",
    "\n\n",
    "first",
    "best",
];

/// Half of the inputs are plans whose programs have meaningful changes, and whose headers are true of them.
fn generate(dice: &mut Dice, corpus: &Corpus) -> Vec<u8> {
    if dice.once_in(2) {
        let plan = String::from_utf8_lossy(dice.one_of::<Vec<u8>>(corpus.inputs())).into_owned();
        return change::program(dice, &plan, &kernels()).into_bytes();
    }
    mutate::of_text(dice, corpus, &WORDS, |dice| {
        String::from_utf8_lossy(dice.one_of::<Vec<u8>>(corpus.inputs())).into_owned()
    })
}

/// The filters on analogue registers.
fn kernels() -> Vec<Kernel> {
    blocks::read(KERNELS).filters().into_iter().map(|kernel| kernel.of).collect()
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let text = String::from_utf8_lossy(input);
    let folder = TempDir::new().map_err(|error| error.to_string())?;
    let plan = Plan { folder: PlanFolder::new(folder.path(), "plans"), text: &text };
    let is_meant = |name: &str| text.contains(&format!("declaration: {name}("));
    let declared = DECLARED.map(|text| parse_any(text, Overrides::default()));
    let declared = declared.into_iter().collect::<Result<Vec<_>, _>>().map_err(|problems| format!("{problems:?}"))?;
    for item in declared.iter().flatten() {
        match item {
            Item::Digital(filter) if is_meant(filter.name()) => {
                return plan
                    .check(&filter.of, |solution| on_bits::digital(&filter.declaration, solution.program.program()));
            }
            Item::SuperPixel(filter) if is_meant(filter.name()) => {
                return plan.check(&filter.of, |solution| {
                    on_bits::super_pixels(&filter.declaration, solution.program.program())
                });
            }
            Item::Network(network) if text.contains(&format!("network: {}", network.name())) => {
                return plan.check(&network.of, network_words);
            }
            Item::Automaton(automaton) if text.contains(&format!("automaton: {}", automaton.name())) => {
                return plan.check(&automaton.of, automaton_words);
            }
            _ => {}
        }
    }
    let kernels = kernels();
    let kernel = kernels.iter().find(|kernel| is_meant(kernel.name())).or(kernels.first());
    plan.check(kernel.ok_or("there are no kernels")?, sum_words)
}

/// The words of a program for sums, if it computes them, also when it is interrupted.
fn sum_words(solution: &Solution) -> Result<usize, String> {
    let program = &solution.program;
    let words = proved(program.declaration(), program.listing())?;
    interrupted::check(program.declaration(), &lines(program.listing()), program.switches())?;
    Ok(words)
}

fn proved(declaration: &Declaration, listing: &[Instruction]) -> Result<usize, String> {
    prove(declaration, &lines(listing)).map(|costs| costs.words)
}

fn lines(listing: &[Instruction]) -> Vec<String> {
    listing.iter().map(ToString::to_string).collect()
}

/// The words of a network, if each of its programs computes what was searched for, and all of it what is declared.
fn network_words(compiled: &CompiledNetwork) -> Result<usize, String> {
    for searched in compiled.searched() {
        match (&searched.wanted, &searched.program) {
            (_, None) => {}
            (Wanted::Sum(declaration), Some(Answer::Sum(listing))) => {
                proved(declaration, listing)?;
            }
            (Wanted::Exact(declaration), Some(Answer::Exact(program))) => {
                on_bits::digital(declaration, program)?;
            }
            _ => return Err("a program of another kind than its search".to_owned()),
        }
    }
    answers(compiled)?;
    Ok(compiled.words())
}

/// The words of the layers of an automaton, if each computes its sums.
fn automaton_words(program: &automaton::Program) -> Result<usize, String> {
    program.layers.iter().map(sum_words).sum()
}

/// The text of a plan file, and a folder for it.
struct Plan<'t> {
    folder: PlanFolder,
    text: &'t str,
}

impl Plan<'_> {
    /// Checks a plan. `run` returns the number of words of a program, if it does what is declared.
    fn check<K: Kind>(
        &self,
        declared: &K,
        run: impl Fn(&K::Program) -> Result<usize, String>,
    ) -> Result<Verdict, String> {
        let name = declared.name();
        self.write(name, self.text)?;
        let program = match declared.load_from(&self.folder, name) {
            Ok(program) => program.ok_or("there is no plan")?,
            Err(error) => return self.refused(&error.to_string(), name),
        };
        let (words, said) = (run(&program)?, K::figures(&program).words);
        ensure(words == said, || format!("{words} words, not {said}"))?;

        let again = K::plan_file(&program).to_string();
        self.write(name, &again)?;
        let same = declared.load_from(&self.folder, name).map_err(|error| format!("written again: {error}"))?;
        let same = same.map(|program| K::plan_file(&program).to_string());
        ensure(same.as_ref() == Some(&again), || format!("written again, it is another plan: {again}"))?;
        Ok(Verdict::Accepted)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        fs::write(self.folder.file(name), text).map_err(|error| error.to_string())
    }

    /// Checks that the message is one line that begins with a place in the file, or with the file alone.
    fn refused(&self, message: &str, name: &str) -> Result<Verdict, String> {
        printable(message)?;
        let rest = message.strip_prefix(&format!("plans/{name}.scamp:"));
        let rest = rest.ok_or_else(|| format!("the message does not begin with the file: {message}"))?;
        if let Some(line) = rest.split(':').next().and_then(|line| line.parse::<usize>().ok()) {
            let lines = self.text.split('\n').count() + 1;
            ensure((1..=lines).contains(&line), || format!("a line that is not there: {message}"))?;
        }
        Ok(Verdict::Refused)
    }
}
