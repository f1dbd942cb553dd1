//! Program length against the number of kernels searched together.

use cain_search::InstructionSet;
use indicatif::HumanCount;

use crate::args;
use crate::kernels::RandomKernels;
use crate::plot::{BLUE, Figure, ORANGE, Point, Series};
use crate::scale::Scale;
use crate::sheet::{Sheet, decimal};
use crate::statistics::Statistics;
use crate::study::{Lengths, Search, Setting, Study, Unit, kernels, statistics};

const REGISTERS: u8 = 6;
const MOST_KERNELS: u8 = 4;

/// Mean lengths of Cain's programs for one to four kernels.
///
/// Cain was run again with two workers, 20 s for each of 30 single kernels and 30 s for each of 10 filters of two, three
/// and four. It found nothing for one of the last.
const CAIN_MACROS: [f64; MOST_KERNELS as usize] = [12.9, 24.4, 40.2, 63.6];
const CAIN_ICWS: [f64; MOST_KERNELS as usize] = [34.9, 58.0, 89.0, 136.0];
const NOTE: &str = "Cain, searching for few instructions: means of 30, 10, 10 and 10 other random filters, run again \
                    with two workers, 20 s for single kernels, else 30 s; no program for one of the last";

/// The experiment of [`args::Kernels`].
pub(crate) struct Together {
    setting: Setting,
    nodes: u64,
}

impl Together {
    pub(crate) fn new(args: &args::Kernels) -> Self {
        Self { setting: Setting::new(&args.shared, REGISTERS), nodes: args.nodes }
    }

    /// Cain's lengths; it was run with all instructions.
    fn cain(&self) -> Option<[f64; MOST_KERNELS as usize]> {
        let means = match self.setting.unit {
            Unit::Macros => CAIN_MACROS,
            Unit::ControlWords => CAIN_ICWS,
        };
        (self.setting.instructions == InstructionSet::Macro).then_some(means)
    }

    fn figure(&self, samples: usize, statistics: &[Statistics]) -> Figure {
        let point = |(kernels, statistics): (u8, &Statistics)| {
            let [lower, _, upper] = statistics.quartiles;
            Some(Point { x: kernels.into(), y: statistics.mean?, spread: lower.zip(upper) })
        };
        let points = (1..).zip(statistics).filter_map(point).collect();
        let mut series = vec![Series { name: "mean", colour: BLUE, is_reference: false, points }];
        if let Some(means) = self.cain() {
            let point = |(kernels, y): (u8, f64)| Point { x: kernels.into(), y, spread: None };
            let points = (1..).zip(means).map(point).collect();
            let name = "mean of Cain, for other random kernels";
            series.push(Series { name, colour: ORANGE, is_reference: true, points });
        }
        let what = format!("means of {samples} filters each, {} nodes per search", HumanCount(self.nodes));
        Figure {
            title: "Length of programs for one to four kernels at once",
            subtitle: self.setting.describe(&what),
            x: Scale::counting(MOST_KERNELS),
            x_label: "kernels searched together",
            y_label: self.setting.unit.axis(),
            series,
            note: self.cain().map(|_| NOTE),
        }
    }
}

impl Study for Together {
    const NAME: &'static str = "kernels";

    fn unit(&self) -> Unit {
        self.setting.unit
    }

    fn searches(&self, sample: u32) -> Vec<Search> {
        let all: Vec<_> = RandomKernels::of_sample(self.setting.seed, sample).take(MOST_KERNELS.into()).collect();
        let search = |count: u8| Search {
            what: kernels(count),
            declaration: self.setting.declaration(all.get(..count.into()).unwrap_or(&all), self.nodes),
        };
        (1..=MOST_KERNELS).map(search).collect()
    }

    fn evaluate(&self, lengths: &[Lengths]) -> (Sheet, Figure) {
        let statistics: Vec<_> = (0..MOST_KERNELS.into()).map(|place| statistics(lengths, place)).collect();
        let cain = self.cain();
        let row = |(place, statistics): (usize, &Statistics)| {
            let first = [Some((place + 1).to_string())];
            let last = cain.and_then(|means| decimal(means.get(place).copied()));
            first.into_iter().chain(statistics.cells()).chain(cain.map(|_| last)).collect()
        };
        let last: &[&str] = if cain.is_some() { &["cain_mean"] } else { &[] };
        let sheet = Sheet {
            constants: [self.setting.constants(), vec![("nodes", self.nodes.to_string())]].concat(),
            titles: [&["kernels"][..], &Statistics::TITLES, last].concat(),
            rows: statistics.iter().enumerate().map(row).collect(),
            note: cain.map(|_| NOTE),
        };
        (sheet, self.figure(lengths.len(), &statistics))
    }
}
