//! What each technique of the search brings: searches without it beside the whole search.

use std::ops::ControlFlow;

use cain_search::{Objective, Solution, Technique, search_watched};

use crate::args;
use crate::compare::build::{Outcome, Pair};
use crate::compare::verdict::Comparison;
use crate::compare::{TITLES, row};
use crate::corpus::{Case, STRATA, case};
use crate::cpu;
use crate::interrupt::Interrupt;
use crate::sampling::progress;
use crate::sheet::Sheet;

/// The outcomes of all cases, as far as the user let them go.
pub(crate) struct Ablation(Vec<Outcomes>);

/// The outcomes of one case: of the whole search, and of one without each technique.
struct Outcomes {
    strata: Vec<&'static str>,
    whole: Outcome,
    without: Vec<Outcome>,
}

/// Searches all cases, one after the other and on one thread, so that CPU times can be compared.
pub(crate) fn ablate(args: &args::Ablate, interrupt: &Interrupt) -> Ablation {
    let line = progress("ablate", "cases", u64::from(args.size));
    let one = |number| {
        let case = case(args.seed, number);
        let is_wanted = args.only.is_none_or(|stratum| case.strata.contains(&stratum));
        let outcomes = if is_wanted { outcomes(case, args.nodes, interrupt) } else { None };
        line.inc(1);
        outcomes
    };
    let all = (1..=args.size).filter_map(one).collect();
    line.finish_and_clear();
    Ablation(all)
}

/// The outcomes of a case; `None` if the user ended its searches.
fn outcomes(case: Case, nodes: u64, interrupt: &Interrupt) -> Option<Outcomes> {
    let mut declaration = case.declaration;
    declaration.options.nodes = nodes;
    let mut outcome = |without| {
        declaration.options.without = without;
        let go_on = |_| if interrupt.is_pressed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let before = cpu::of_this();
        let found = search_watched(&declaration, go_on).ok();
        let cpu = cpu::of_this() - before;
        (!interrupt.is_pressed()).then(|| Outcome {
            words: found.as_ref().map(words),
            figure: found.as_ref().map(|solution| figure(solution, declaration.options.objective_in_force())),
            used_all: false,
            cpu,
            fault: None,
        })
    };
    let whole = outcome(None)?;
    let without = Technique::ALL.into_iter().map(|technique| outcome(Some(technique))).collect::<Option<_>>()?;
    Some(Outcomes { strata: case.strata, whole, without })
}

fn words(solution: &Solution) -> u32 {
    let words = solution.program.listing().iter().map(cain_isa::Instruction::icws).sum::<usize>();
    u32::try_from(words).unwrap_or(u32::MAX)
}

/// What a search minimises.
fn figure(solution: &Solution, objective: Objective) -> f64 {
    match objective {
        Objective::Macros => f64::from(u32::try_from(solution.program.listing().len()).unwrap_or(u32::MAX)),
        Objective::Accuracy => solution.program.accuracy().iter().map(cain_search::Accuracy::rms).fold(0.0, f64::max),
        _ => f64::from(words(solution)),
    }
}

impl Ablation {
    /// A row for each technique, in each stratum that has cases.
    pub(crate) fn sheet(&self, args: &args::Ablate) -> Sheet {
        let rows_of = |stratum: &&'static str| {
            let outcomes: Vec<&Outcomes> = self.0.iter().filter(|outcomes| outcomes.strata.contains(stratum)).collect();
            let is_wanted = !outcomes.is_empty() && args.only.is_none_or(|only| only == *stratum);
            let row_of = |(at, technique): (usize, Technique)| {
                let pair = |outcomes: &&Outcomes| Some([outcomes.whole.clone(), outcomes.without.get(at)?.clone()]);
                let pairs: Vec<Pair> = outcomes.iter().filter_map(pair).collect();
                let comparison = Comparison::of(&pairs.iter().collect::<Vec<_>>(), args.seed);
                std::iter::once(Some(name(technique).to_owned())).chain(row(stratum, &comparison)).collect()
            };
            let techniques = if is_wanted { Technique::ALL.as_slice() } else { &[] };
            techniques.iter().copied().enumerate().map(row_of).collect::<Vec<_>>()
        };
        Sheet {
            constants: vec![("seed", args.seed.to_string()), ("nodes", args.nodes.to_string())],
            titles: std::iter::once("without").chain(TITLES).collect(),
            rows: STRATA.iter().flat_map(rows_of).collect(),
            note: Some(
                "a: the whole search; b: without one technique. words: means over the cases for which both have programs. \
                 change: of what the cases minimise, the geometric mean, with its 95 % interval by bootstrap. worse: cases \
                 in which the technique helps.",
            ),
        }
    }
}

fn name(technique: Technique) -> &'static str {
    match technique {
        Technique::Beam => "beam",
        Technique::LearnedEstimate => "learned_estimate",
        Technique::FirstPrograms => "first_programs",
        Technique::Exhaustive => "exhaustive",
        Technique::ShortPrograms => "short_programs",
        Technique::Peephole => "peephole",
        Technique::Exchange => "exchange",
        Technique::FurtherWays => "further_ways",
        Technique::Compensation => "compensation",
        Technique::LargeMaps => "large_maps",
        Technique::Polishing => "polishing",
    }
}
