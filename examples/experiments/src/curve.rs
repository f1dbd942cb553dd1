//! What searches find by the share of the budget that they have spent, and what patience loses and saves.

use std::ops::ControlFlow;

use cain_isa::Progress;
use cain_search::{InstructionSet, Objective, Options, Patience, search_watched};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::args;
use crate::corpus::{Case, STRATA, case};
use crate::interrupt::Interrupt;
use crate::sampling::progress;
use crate::sheet::Sheet;

/// Shares of the budget, in thousandths.
const SHARES: [(u64, &str); 8] = [
    (10, "at_1%"),
    (20, "at_2%"),
    (50, "at_5%"),
    (100, "at_10%"),
    (200, "at_20%"),
    (300, "at_30%"),
    (500, "at_50%"),
    (800, "at_80%"),
];
/// Values of `patience`.
const PATIENCES: [(u64, [&str; 2]); 5] = [
    (1, ["1_loses", "1_saves"]),
    (2, ["2_loses", "2_saves"]),
    (3, ["3_loses", "3_saves"]),
    (4, ["4_loses", "4_saves"]),
    (6, ["6_loses", "6_saves"]),
];

/// How one search went that spent its whole budget.
struct Trace {
    strata: Vec<&'static str>,
    weights: usize,
    /// The nodes used when the length changed, and the length from then on.
    lengths: Vec<(u64, u32)>,
    /// The nodes used in all.
    used: u64,
}

/// The traces of all searches, as far as the user let them go.
pub(crate) struct Curve(Vec<Trace>);

/// Searches all cases.
pub(crate) fn curve(args: &args::Curve, interrupt: &Interrupt) -> Curve {
    let line = progress("curve", "cases", u64::from(args.size));
    let one = |number| {
        let case = case(args.seed, number);
        let is_wanted = !interrupt.is_pressed() && args.only.is_none_or(|stratum| case.strata.contains(&stratum));
        let trace = if is_wanted { trace(case, args.nodes, interrupt) } else { None };
        line.inc(1);
        trace
    };
    let search_all = || (1..=args.size).into_par_iter().filter_map(one).collect();
    cain_search::threads::lend(|count, task| (0..count).into_par_iter().for_each(task));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.map_or(0, usize::from)).build();
    let traces = pool.map_or_else(|_| search_all(), |pool| pool.install(search_all));
    line.finish_and_clear();
    Curve(traces)
}

/// The trace of a search for few instructions; `None` without a program, if something else is wanted, or if the user ended
/// it.
fn trace(case: Case, nodes: u64, interrupt: &Interrupt) -> Option<Trace> {
    let mut declaration = case.declaration;
    let options = &declaration.options;
    let counts = match options.instructions {
        InstructionSet::Native => options.objective != Objective::Accuracy,
        _ => options.objective == Objective::Macros,
    };
    if !counts {
        return None;
    }
    declaration.options = Options { nodes, patience: Patience::Any, ..declaration.options };
    let mut lengths: Vec<(u64, u32)> = Vec::new();
    let solution = search_watched(&declaration, |Progress { nodes, best }| {
        if let Some(best) = best.filter(|best| lengths.last().is_none_or(|(_, length)| length != best)) {
            lengths.push((nodes, best));
        }
        if interrupt.is_pressed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let solution = solution.ok().filter(|_| !interrupt.is_pressed())?;
    let length = u32::try_from(solution.program.listing().len()).ok()?;
    let used = solution.statistics.nodes;
    if lengths.last().is_none_or(|(_, last)| *last != length) {
        lengths.push((used, length));
    }
    Some(Trace { strata: case.strata, weights: declaration.weights(), lengths, used })
}

impl Trace {
    /// By which factor the program is longer after so many nodes than in the end; the first one, before there is one.
    fn excess(&self, nodes: u64) -> f64 {
        let then = self.lengths.iter().rfind(|(at, _)| *at <= nodes).or(self.lengths.first());
        match (then, self.lengths.last()) {
            (Some((_, then)), Some((_, end))) => f64::from(*then) / f64::from(*end),
            _ => 1.0,
        }
    }

    /// The nodes after which the search would have ended.
    fn end(&self, patience: Patience) -> u64 {
        let mut end = self.used;
        for (at, _) in &self.lengths {
            if *at > end {
                break;
            }
            end = patience.end(*at, self.weights).unwrap_or(self.used).min(self.used);
        }
        end
    }
}

impl Curve {
    /// A row for each stratum that has cases.
    pub(crate) fn sheet(&self, args: &args::Curve) -> Sheet {
        let row = |stratum: &&'static str| {
            let traces: Vec<&Trace> = self.0.iter().filter(|trace| trace.strata.contains(stratum)).collect();
            (!traces.is_empty()).then(|| row(stratum, &traces, args.nodes))
        };
        let titles = ["stratum", "cases"].into_iter().chain(SHARES.map(|(_, title)| title));
        Sheet {
            constants: vec![("seed", args.seed.to_string()), ("nodes", args.nodes.to_string())],
            titles: titles.chain(PATIENCES.iter().flat_map(|(_, titles)| *titles)).collect(),
            rows: STRATA.iter().filter_map(row).collect(),
            note: Some(
                "at: by how many per cent programs are longer then than after the whole budget (geometric means). loses: \
                 the same where the search ends by this patience; saves: per cent of the nodes.",
            ),
        }
    }
}

fn row(stratum: &str, traces: &[&Trace], nodes: u64) -> Vec<Option<String>> {
    let share = |(thousandths, _): (u64, &str)| {
        let at = nodes.saturating_mul(thousandths) / 1_000;
        excess(traces.iter().map(|trace| trace.excess(at)))
    };
    let patience = |(times, _): (u64, [&str; 2])| {
        let ends: Vec<u64> = traces.iter().map(|trace| trace.end(Patience::Times(times))).collect();
        let longer = traces.iter().zip(&ends).map(|(trace, end)| trace.excess(*end));
        let (spent, all) = (ends.iter().sum::<u64>(), traces.iter().map(|trace| trace.used).sum::<u64>());
        [excess(longer), Some(format!("{}", 100 - 100 * spent / all.max(1)))]
    };
    let first = [Some(stratum.to_owned()), Some(traces.len().to_string())];
    first.into_iter().chain(SHARES.map(share)).chain(PATIENCES.into_iter().flat_map(patience)).collect()
}

/// The geometric mean of factors, in per cent above 1.
#[expect(clippy::cast_precision_loss, reason = "there are never 2^52 cases")]
fn excess(factors: impl ExactSizeIterator<Item = f64>) -> Option<String> {
    let count = factors.len();
    let sum: f64 = factors.map(f64::ln).sum();
    (count > 0).then(|| format!("{:.2}", 100.0 * (sum / count as f64).exp_m1()))
}

#[cfg(test)]
mod tests {
    use super::Trace;
    use cain_search::Patience;

    fn trace(lengths: &[(u64, u32)]) -> Trace {
        Trace { strata: vec!["all"], weights: 9, lengths: lengths.to_vec(), used: 100_000 }
    }

    #[test]
    fn what_is_longer_before_the_end() {
        let trace = trace(&[(5, 20), (500, 16), (20_000, 10)]);
        let expected = [(1, 2.0), (499, 2.0), (500, 1.6), (20_000, 1.0), (100_000, 1.0)];
        for (nodes, factor) in expected {
            assert!((trace.excess(nodes) - factor).abs() < 1e-9, "{nodes}");
        }
    }

    #[test]
    fn patience_ends_before_what_is_found_too_late() {
        let patience = Patience::Times(2);
        let least = patience.end(0, 9).unwrap();
        assert_eq!(trace(&[(5, 20)]).end(patience), 10 + least);
        assert_eq!(trace(&[(5, 20), (9 + least, 10)]).end(patience), 18 + 3 * least);
        assert_eq!(trace(&[(5, 20), (11 + least, 10)]).end(patience), 10 + least);
        assert_eq!(trace(&[(5, 20)]).end(Patience::Any), 100_000);
    }
}
