//! The table of one instruction set.

use std::collections::BTreeMap;
use std::io;

use cain_codegen::kernel_file::Filter;
use cain_search::InstructionSet;

use super::Case;
use crate::args::Bench;
use crate::find::{Found, find};
use crate::interrupt::Interrupt;
use crate::memory;
use crate::record::Record;
use crate::table::{Table, or_dash};
use crate::targets::Target;

const TITLES: [&str; 14] = [
    "filter",
    "paper",
    "rerun",
    "target",
    "macros",
    "vs target",
    "ICWs",
    "bound",
    "nodes",
    "first ms",
    "best ms",
    "total ms",
    "peak MiB",
    "stop",
];

/// Prints a row for each filter; whether every one has a proved program.
pub(super) fn run(
    args: &Bench,
    cases: &[Case],
    targets: &BTreeMap<String, Target>,
    interrupt: &Interrupt,
) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    let filters = || cases.iter().flat_map(|case| &case.filters);
    let table = Table::new(&TITLES, filters().map(Filter::name).chain(["sum of 100"]), 5);
    table.head(&mut out)?;
    let mut rows = Vec::new();
    for case in cases {
        for filter in &case.filters {
            memory::reset_peak();
            match find(filter, &args.search, interrupt) {
                Ok(Found { record, notice }) => {
                    let target = targets.get(filter.name()).copied().unwrap_or_default();
                    let set = args.search.isa.unwrap_or(filter.declaration.options.instructions);
                    let row = Row::new(record, target, set);
                    table.row(&mut out, &row.cells())?;
                    rows.push(row);
                    if let Some(notice) = notice {
                        eprintln!("{}:{notice}", case.file);
                    }
                }
                Err(problem) => eprintln!("{}:{problem}", case.file),
            }
        }
    }
    table.rule(&mut out)?;
    table.row(&mut out, &sum(&rows))?;
    Ok(rows.len() == filters().count())
}

/// One filter.
struct Row {
    record: Record,
    paper: Option<u32>,
    rerun: Option<u32>,
    target: Option<u32>,
    /// In MiB.
    peak: Option<u64>,
}

impl Row {
    fn new(record: Record, target: Target, set: InstructionSet) -> Self {
        // Cain was run with all instructions.
        let cain = |count: Option<u32>| count.filter(|_| set == InstructionSet::Macro);
        Self {
            paper: cain(target.paper),
            rerun: cain(target.cain_rerun),
            target: target.instructions(set),
            peak: memory::peak(),
            record,
        }
    }

    /// How many instructions more than the target.
    fn above_target(&self) -> Option<i64> {
        Some(i64::from(self.record.macros?) - i64::from(self.target?))
    }

    fn cells(&self) -> [String; TITLES.len()] {
        let Record { name, macros, icws, lower_bound, nodes, ms, ms_to_first, ms_to_best, stop, .. } = &self.record;
        [
            name.clone(),
            or_dash(self.paper),
            or_dash(self.rerun),
            or_dash(self.target),
            or_dash(*macros),
            or_dash(self.above_target().map(|above| format!("{above:+}"))),
            icws.to_string(),
            lower_bound.to_string(),
            nodes.to_string(),
            format!("{ms_to_first:.1}"),
            format!("{ms_to_best:.1}"),
            format!("{ms:.1}"),
            or_dash(self.peak),
            stop.clone(),
        ]
    }
}

/// The last line: sums over all rows, where all have a figure, and the largest peak.
fn sum(rows: &[Row]) -> [String; TITLES.len()] {
    let all = |figure: fn(&Row) -> Option<i64>| or_dash(rows.iter().map(figure).sum::<Option<i64>>());
    let milliseconds =
        |figure: fn(&Record) -> f64| format!("{:.1}", rows.iter().map(|row| figure(&row.record)).sum::<f64>());
    [
        format!("sum of {}", rows.len()),
        all(|row| row.paper.map(i64::from)),
        all(|row| row.rerun.map(i64::from)),
        all(|row| row.target.map(i64::from)),
        all(|row| row.record.macros.map(i64::from)),
        or_dash(rows.iter().map(Row::above_target).sum::<Option<i64>>().map(|above| format!("{above:+}"))),
        all(|row| Some(row.record.icws.into())),
        all(|row| Some(row.record.lower_bound.into())),
        all(|row| i64::try_from(row.record.nodes).ok()),
        milliseconds(|record| record.ms_to_first),
        milliseconds(|record| record.ms_to_best),
        milliseconds(|record| record.ms),
        or_dash(rows.iter().filter_map(|row| row.peak).max()),
        String::new(),
    ]
}
