//! Whole searches: the independent machine executes every program found.

use cain_codegen::kernel_file;
use cain_isa::Stop;
use cain_search::{Declaration, Objective, SearchError, Solution, search};

use super::kernels;
use super::proof::prove;
use crate::memory::memory_of;
use crate::model::Filter;
use crate::oracle::{ensure, placed, printable};
use crate::{Corpus, Dice, Target, Verdict, mutate};

pub(super) const TARGET: Target = Target {
    name: "searches",
    about: "searches for random kernels, replayed by an independent machine",
    ending: "toml",
    quick: 60,
    memory: 700,
    generate,
    check,
};

/// The nodes of a search if the file sets none.
const NODES: u64 = 100;
/// The most nodes of a search, even if the file sets more.
const MOST_NODES: u64 = 4_000;
/// The most filters of a file for which programs are searched.
const MOST_FILTERS: usize = 4;
/// The memory of a search that its `memory` does not count, in MiB.
const BESIDE: u64 = 64;

fn generate(dice: &mut Dice, corpus: &Corpus) -> Vec<u8> {
    if dice.once_in(4) {
        return mutate::of_text(dice, corpus, &kernels::WORDS, |dice| Filter::random(dice).to_toml());
    }
    let mut filter = Filter::random(dice);
    // Mistakes are left to other targets, and so are weights that are rounded before the search.
    filter.approximate = filter.approximate.filter(|approximate| approximate.search);
    for (_, terms) in &mut filter.outputs {
        for term in terms.iter_mut().filter(|term| term.scale == "1/3") {
            "1/2".clone_into(&mut term.scale);
        }
    }
    filter.to_toml().into_bytes()
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let text = String::from_utf8_lossy(input);
    let filters = match kernel_file::parse(&text) {
        Ok(filters) => filters,
        Err(problems) => return placed(&text, &problems).map(|()| Verdict::Refused),
    };
    let mut verdict = Verdict::Refused;
    for filter in filters.iter().take(MOST_FILTERS) {
        let mut declaration = filter.declaration.clone();
        declaration.options.nodes = filter.nodes.unwrap_or(NODES).min(MOST_NODES);
        let (found, taken) = memory_of(|| search(&declaration));
        let allowed = declaration.options.memory + BESIDE;
        ensure(taken <= allowed, || format!("{taken} MiB are taken, {allowed} allowed: {declaration}"))?;
        match found {
            Ok(solution) => {
                is_right(&declaration, &solution)?;
                verdict = Verdict::Accepted;
            }
            Err(error) => {
                printable(&filter.failed(&error).message)?;
                is_possible(&declaration, &error)?;
            }
        }
    }
    Ok(verdict)
}

/// Checks that a program computes its declaration, and that the statements about it can be true.
pub(super) fn is_right(declaration: &Declaration, solution: &Solution) -> Result<(), String> {
    let listing: Vec<String> = solution.program.listing().iter().map(ToString::to_string).collect();
    let costs =
        prove(declaration, &listing).map_err(|fault| format!("{fault}: {declaration}:\n{}", listing.join("\n")))?;
    let report = solution.program.report();
    ensure(u32::try_from(costs.words) == Ok(report.icws), || format!("{} words, not {}", costs.words, report.icws))?;
    let statistics = &solution.statistics;
    let bound = usize::try_from(statistics.lower_bound).unwrap_or(usize::MAX);
    ensure(bound <= costs.instructions, || {
        format!("{} instructions, at least {bound} are claimed", costs.instructions)
    })?;
    let counts = declaration.options.objective == Objective::Macros;
    let is_proved = statistics.stop == Stop::Proved && counts;
    ensure(!is_proved || bound == costs.instructions, || "proved, and longer than the bound".to_owned())?;
    let nodes = declaration.options.nodes;
    ensure(statistics.nodes <= nodes, || format!("{} nodes of {nodes}", statistics.nodes))
}

/// Checks that this can be the reason why there is no program.
fn is_possible(declaration: &Declaration, error: &SearchError) -> Result<(), String> {
    match error {
        SearchError::Registers { writable, enough: Some(enough), .. } => ensure(writable.len() < *enough, || {
            format!("{enough} registers would do, and there are as many: {declaration}")
        }),
        SearchError::Registers { .. } | SearchError::Budget { .. } | SearchError::Overflow => Ok(()),
        error => Err(format!("{declaration}: {error}")),
    }
}
