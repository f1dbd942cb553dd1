//! Plan files of filters of every kind, and of networks.

mod change;

use std::fs;

use cain_codegen::kernel_file::parse_any;
use cain_codegen::kinds::Item;
use cain_codegen::plan_file::{BitsPlan, NetworkPlanFile, OnBits, PlanFile, PlanFolder};
use cain_codegen::{Overrides, blocks};
use cain_network::{Answer, Network, Wanted};
use cain_search::Declaration;
use tempfile::TempDir;

use super::networks::answers;
use super::on_bits;
use super::proof::prove;
use crate::oracle::{ensure, printable};
use crate::{Corpus, Dice, Target, Verdict, mutate};

/// The proof of a wrong program on bits may end only when its diagrams have reached their limit of nodes.
pub(super) const TARGET: Target =
    Target { name: "plans", about: "plan files", ending: "scamp", quick: 3_000, memory: 2_048, generate, check };

/// The declarations for the plans of the corpus: kernels, and filters on bits.
const KERNELS: &str = include_str!("../../../corpus/kernels_of_plans.rs");
const ON_BITS: &str = include_str!("../../../corpus/bits_of_plans.toml");

const WORDS: [&str; 44] = [
    "div", "diva", "movx", "mov2x", "add", "addx", "add2x", "sub", "subx", "neg", "divq", "bus", "bus2", "NEWS", "XE",
    "A", "B", "C", "east", "north", ";", "(", ",", "macros", "nodes", "stop", "proved", ": ", "=", "isa", "R0", "R5",
    "R6", "R11", "R12", "FLAG", "SET", "CLR", "MOV", "NOT", "NOR", "DNEWS0", "inputs", "reserved",
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

/// The declarations on analogue registers.
fn kernels() -> Vec<Declaration> {
    blocks::read(KERNELS).filters().into_iter().map(|kernel| kernel.of.declaration).collect()
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let text = String::from_utf8_lossy(input);
    let folder = TempDir::new().map_err(|error| error.to_string())?;
    let plan = Plan { folder: PlanFolder::new(folder.path(), "plans"), text: &text };
    let is_meant = |name: &str| text.contains(&format!("declaration: {name}("));
    let filters = parse_any(ON_BITS, Overrides::default()).map_err(|problems| format!("{problems:?}"))?;
    for filter in &filters {
        match filter {
            Item::Digital(filter) if is_meant(filter.name()) => {
                return plan.on_bits(&filter.declaration, |solution| {
                    let program = &solution.program;
                    on_bits::digital(&filter.declaration, program.program())
                });
            }
            Item::SuperPixel(filter) if is_meant(filter.name()) => {
                return plan.on_bits(&filter.declaration, |solution| {
                    let program = &solution.program;
                    on_bits::super_pixels(&filter.declaration, program.program())
                });
            }
            Item::Network(declared) if text.contains(&format!("network: {}", declared.name())) => {
                return plan.network(&declared.network);
            }
            _ => {}
        }
    }
    let kernels = kernels();
    let kernel = kernels.iter().find(|kernel| is_meant(&kernel.name)).or(kernels.first());
    plan.kernel(kernel.ok_or("there are no kernels")?)
}

/// The text of a plan file, and a folder for it.
struct Plan<'t> {
    folder: PlanFolder,
    text: &'t str,
}

impl Plan<'_> {
    fn kernel(&self, declaration: &Declaration) -> Result<Verdict, String> {
        let name = &declaration.name;
        self.write(name, self.text)?;
        let solution = match self.folder.load_from(name, declaration) {
            Ok(solution) => solution.ok_or("there is no plan")?,
            Err(error) => return self.refused(&error.to_string(), name),
        };
        let listing: Vec<String> = solution.program.listing().iter().map(ToString::to_string).collect();
        let costs = prove(declaration, &listing)?;
        let report = solution.program.report();
        ensure(u32::try_from(costs.words) == Ok(report.icws), || {
            format!("{} words, not {}", costs.words, report.icws)
        })?;

        let again = PlanFile::new(&solution).to_string();
        self.write(name, &again)?;
        let same = self.folder.load_from(name, declaration).map_err(|error| format!("written again: {error}"))?;
        ensure(same.as_ref() == Some(&solution), || format!("written again, it is another plan: {again}"))?;
        Ok(Verdict::Accepted)
    }

    /// Checks a plan on bits. `run` returns the number of words of a program, if it computes its declaration.
    fn on_bits<D: OnBits>(
        &self,
        declaration: &D,
        run: impl Fn(&D::Solution) -> Result<usize, String>,
    ) -> Result<Verdict, String> {
        let name = declaration.name();
        self.write(name, self.text)?;
        let solution = match self.folder.load_bits_from(name, declaration) {
            Ok(solution) => solution.ok_or("there is no plan")?,
            Err(error) => return self.refused(&error.to_string(), name),
        };
        let (words, said) = (run(&solution)?, D::words(&solution));
        ensure(words == said, || format!("{words} words, not {said}"))?;

        let again = BitsPlan::new::<D>(&solution).to_string();
        self.write(name, &again)?;
        let same = self.folder.load_bits_from(name, declaration).map_err(|error| format!("written again: {error}"))?;
        let same = same.map(|solution| BitsPlan::new::<D>(&solution).to_string());
        ensure(same.as_ref() == Some(&again), || format!("written again, it is another plan: {again}"))?;
        Ok(Verdict::Accepted)
    }

    /// Checks that each program computes what was searched for, and the whole network what is declared.
    fn network(&self, network: &Network) -> Result<Verdict, String> {
        let name = PlanFolder::network_name(network);
        self.write(&name, self.text)?;
        let compiled = match self.folder.load_network(network) {
            Ok(compiled) => compiled.ok_or("there is no plan")?.0,
            Err(error) => return self.refused(&error.to_string(), &name),
        };
        for searched in compiled.searched() {
            match (&searched.wanted, &searched.program) {
                (_, None) => {}
                (Wanted::Sum(declaration), Some(Answer::Sum(listing))) => {
                    let listing: Vec<String> = listing.iter().map(ToString::to_string).collect();
                    prove(declaration, &listing)?;
                }
                (Wanted::Exact(declaration), Some(Answer::Exact(program))) => {
                    on_bits::digital(declaration, program)?;
                }
                _ => return Err("a program of another kind than its search".to_owned()),
            }
        }
        answers(&compiled)?;

        let again = NetworkPlanFile::new(&compiled).to_string();
        self.write(&name, &again)?;
        let same = self.folder.load_network(network).map_err(|error| format!("written again: {error}"))?;
        let same = same.map(|(compiled, _)| NetworkPlanFile::new(&compiled).to_string());
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
