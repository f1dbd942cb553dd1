//! The table that sets native programs beside those of macro instructions.

use std::collections::BTreeMap;
use std::io;

use cain_codegen::kernel_file::Filter;
use cain_search::{InstructionSet, Objective};

use super::Case;
use crate::args::{Bench, Search};
use crate::find::{Found, find};
use crate::interrupt::Interrupt;
use crate::memory;
use crate::record::Record;
use crate::table::{Table, or_dash};
use crate::targets::Target;

const TITLES: [&str; 15] = [
    "filter",
    "Cain",
    "macro",
    "basic",
    "native",
    "target",
    "vs target",
    "bound",
    "µs m/b/n",
    "noise m/b/n",
    "headroom m/b/n",
    "offset",
    "total ms",
    "peak MiB",
    "stop",
];

/// What is compared: the sets of macro instructions, and native words last.
const SETS: [InstructionSet; 3] = [InstructionSet::Macro, InstructionSet::Basic, InstructionSet::Native];

/// Prints a row of control words for each filter; whether every one has a proved program in every set.
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
            match Row::of(filter, args, targets.get(filter.name()).copied().unwrap_or_default(), interrupt) {
                Ok(row) => {
                    table.row(&mut out, &row.cells())?;
                    rows.push(row);
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
    /// One for each of [`SETS`].
    records: Vec<Record>,
    /// Control words of Cain's program.
    cain: Option<u32>,
    target: Option<u32>,
    /// Of the native search, in MiB.
    peak: Option<u64>,
}

impl Row {
    fn of(
        filter: &Filter,
        args: &Bench,
        target: Target,
        interrupt: &Interrupt,
    ) -> Result<Self, cain_codegen::kernel_file::Problem> {
        let mut records = Vec::new();
        for set in SETS {
            memory::reset_peak();
            // Control words are compared, so that programs of macro instructions are searched for few of them too.
            let objective = args.search.objective.or(Some(Objective::Icws));
            // Whether offsets have to cancel concerns native programs.
            let offset = args.search.offset.filter(|_| set == InstructionSet::Native);
            let search = Search { isa: Some(set), objective, offset, ..args.search.clone() };
            let Found { record, .. } = find(filter, &search, interrupt)?;
            records.push(record);
        }
        let target_words = target.instructions(InstructionSet::Native);
        Ok(Self { records, cain: target.cain_rerun_icws, target: target_words, peak: memory::peak() })
    }

    /// A figure of each set.
    fn each<T>(&self, figure: impl Fn(&Record) -> T) -> Vec<T> {
        self.records.iter().map(figure).collect()
    }

    fn native(&self) -> Option<&Record> {
        self.records.last()
    }

    /// How many control words more than the target.
    fn above_target(&self) -> Option<i64> {
        Some(i64::from(self.native()?.icws) - i64::from(self.target?))
    }

    fn cells(&self) -> Vec<String> {
        let native = |figure: fn(&Record) -> String| or_dash(self.native().map(figure));
        let mut cells = vec![native(|record| record.name.clone()), or_dash(self.cain)];
        cells.extend(self.each(|record| record.icws.to_string()));
        cells.extend([
            or_dash(self.target),
            or_dash(self.above_target().map(|above| format!("{above:+}"))),
            native(|record| record.lower_bound.to_string()),
            self.each(|record| format!("{:.1}", record.microseconds())).join("/"),
            self.each(|record| or_dash(record.noise.map(|noise| format!("{noise:.1}")))).join("/"),
            self.each(|record| record.headroom.clone()).join(" "),
            native(Record::offsets),
            native(|record| format!("{:.1}", record.ms)),
            or_dash(self.peak),
            native(|record| record.stop.clone()),
        ]);
        cells
    }
}

/// The last line: sums over all rows, where all have a figure, and the largest peak.
fn sum(rows: &[Row]) -> Vec<String> {
    let all = |figure: &dyn Fn(&Row) -> Option<i64>| or_dash(rows.iter().map(figure).sum::<Option<i64>>());
    let total = |i: usize, figure: fn(&Record) -> f64| {
        format!("{:.1}", rows.iter().filter_map(|row| row.records.get(i)).map(figure).sum::<f64>())
    };
    let each = |figure: fn(&Record) -> f64| (0..SETS.len()).map(|i| total(i, figure)).collect::<Vec<_>>().join("/");
    let words = |i: usize| all(&move |row| row.records.get(i).map(|record| i64::from(record.icws)));
    vec![
        format!("sum of {}", rows.len()),
        all(&|row| row.cain.map(i64::from)),
        words(0),
        words(1),
        words(2),
        all(&|row| row.target.map(i64::from)),
        or_dash(rows.iter().map(Row::above_target).sum::<Option<i64>>().map(|above| format!("{above:+}"))),
        all(&|row| row.native().map(|record| record.lower_bound.into())),
        each(Record::microseconds),
        each(|record| record.noise.unwrap_or(f64::NAN)),
        String::new(),
        String::new(),
        total(SETS.len() - 1, |record| record.ms),
        or_dash(rows.iter().filter_map(|row| row.peak).max()),
        String::new(),
    ]
}
