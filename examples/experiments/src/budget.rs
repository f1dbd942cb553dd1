//! Program length against the budget of the search.

use std::iter;

use indicatif::HumanCount;

use crate::args;
use crate::kernels::RandomKernels;
use crate::plot::{BLUE, Figure, Point, Series};
use crate::scale::{Scale, Tick};
use crate::sheet::Sheet;
use crate::statistics::Statistics;
use crate::study::{Lengths, Search, Setting, Study, Unit, statistics};

const REGISTERS: u8 = 6;

/// The experiment of [`args::Nodes`].
pub(crate) struct Budget {
    setting: Setting,
    budgets: Vec<u64>,
}

impl Budget {
    pub(crate) fn new(args: &args::Nodes) -> Self {
        Self { setting: Setting::new(&args.shared, REGISTERS), budgets: budgets(args.largest) }
    }

    fn figure(&self, samples: usize, statistics: &[Statistics]) -> Figure {
        let tick = |&budget: &u64| Tick { at: position(budget), text: HumanCount(budget).to_string() };
        let point = |(&budget, statistics): (&u64, &Statistics)| match statistics.quartiles {
            [Some(lower), Some(median), Some(upper)] => {
                Some(Point { x: position(budget), y: median, spread: Some((lower, upper)) })
            }
            [_, median, _] => Some(Point { x: position(budget), y: median?, spread: None }),
        };
        let points = self.budgets.iter().zip(statistics).filter_map(point).collect();
        Figure {
            title: "Length of programs for single kernels against the budget of the search",
            subtitle: self.setting.describe(&format!("medians of {samples} kernels")),
            x: Scale::around(self.budgets.iter().map(tick).collect()),
            x_label: "budget of the search (nodes, logarithmic)",
            y_label: self.setting.unit.axis(),
            series: vec![Series { name: "median", colour: BLUE, is_reference: false, points }],
            note: None,
        }
    }
}

impl Study for Budget {
    const NAME: &'static str = "nodes";

    fn unit(&self) -> Unit {
        self.setting.unit
    }

    fn searches(&self, sample: u32) -> Vec<Search> {
        let kernel: Vec<_> = RandomKernels::of_sample(self.setting.seed, sample).take(1).collect();
        let search = |&budget: &u64| Search {
            what: "single kernels".to_owned(),
            declaration: self.setting.declaration(&kernel, budget),
        };
        self.budgets.iter().map(search).collect()
    }

    fn evaluate(&self, lengths: &[Lengths]) -> (Sheet, Figure) {
        let statistics: Vec<_> = (0..self.budgets.len()).map(|place| statistics(lengths, place)).collect();
        let row = |(budget, statistics): (&u64, &Statistics)| {
            let first = [Some(budget.to_string())];
            first.into_iter().chain(statistics.cells()).collect()
        };
        let sheet = Sheet {
            constants: self.setting.constants(),
            titles: [&["nodes"][..], &Statistics::TITLES].concat(),
            rows: self.budgets.iter().zip(&statistics).map(row).collect(),
            note: None,
        };
        (sheet, self.figure(lengths.len(), &statistics))
    }
}

/// The position of a budget on a logarithmic axis.
#[expect(clippy::cast_precision_loss, reason = "a pixel is wider")]
fn position(budget: u64) -> f64 {
    (budget as f64).log10()
}

/// The budgets 10, 30, 100, .. below the largest, and the largest.
fn budgets(largest: u64) -> Vec<u64> {
    let tens = iter::successors(Some(10_u64), |power| power.checked_mul(10));
    let series = tens.flat_map(|power| [Some(power), power.checked_mul(3)]).flatten();
    series.take_while(|budget| *budget < largest).chain([largest]).collect()
}

#[cfg(test)]
mod tests {
    use super::budgets;

    #[test]
    fn budgets_grow_up_to_the_largest() {
        assert_eq!(budgets(1000), [10, 30, 100, 300, 1000]);
        assert_eq!(budgets(50), [10, 30, 50]);
        assert_eq!(budgets(3), [3]);
        assert_eq!(budgets(u64::MAX).last(), Some(&u64::MAX));
    }
}
