//! The comparison of native programs with those of macro instructions.

use cain_codegen::kernel_file::{Diagnostic, Filter};
use cain_codegen::kinds::{Kernel, Kind as _};
use cain_search::{InstructionSet, Objective};

use super::args::Bench;
use super::conditions::{native, unconstrained};
use super::memory;
use super::row::{Row, total};
use super::targets::Target;
use crate::options::Search;
use crate::search::find;
use crate::table::or_dash;
use crate::watch::Interrupt;

type Record = crate::kinds::Record<Kernel>;

/// The instruction sets that are compared, with native words last.
const SETS: [InstructionSet; 3] = [InstructionSet::Macro, InstructionSet::Basic, InstructionSet::Native];

/// The programs of one filter, one in each set.
pub(super) struct Comparison {
    /// One record for each of [`SETS`].
    records: Vec<Record>,
    /// The control words of Cain's program.
    cain: Option<u32>,
    target: Option<u32>,
    /// The peak memory of the native search, in MiB.
    peak: Option<u64>,
}

impl Comparison {
    /// A figure of each set.
    fn each<T>(&self, figure: impl Fn(&Record) -> T) -> Vec<T> {
        self.records.iter().map(figure).collect()
    }

    fn native(&self) -> Option<&Record> {
        self.records.last()
    }

    /// The number of control words beyond the target.
    fn above_target(&self) -> Option<i64> {
        Some(i64::try_from(self.native()?.program.words).ok()? - i64::from(self.target?))
    }
}

impl Row for Comparison {
    const TITLES: &'static [&'static str] = &[
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
        "peak_gain m/b/n",
        "offset_error",
        "total ms",
        "peak MiB",
        "stop",
    ];

    fn of(filter: &Filter, _: &str, args: &Bench, target: Target, interrupt: &Interrupt) -> Result<Self, Diagnostic> {
        let mut records = Vec::new();
        for set in SETS {
            memory::reset_peak();
            // The table compares control words, so all searches minimise these.
            let objective = args.search.objective.or(Some(Objective::Icws));
            let search = match set {
                InstructionSet::Native => native(&args.search),
                _ => unconstrained(&args.search, set),
            };
            let found = find(filter, &Search { objective, ..search }, interrupt)?;
            let program = filter.program(&found.compiled.program);
            records.push(Record::of(filter, &found.compiled, &program, &found.watched));
        }
        let target_words = target.instructions(InstructionSet::Native);
        Ok(Self { records, cain: target.cain_rerun_icws, target: target_words, peak: memory::peak() })
    }

    fn cells(&self) -> Vec<String> {
        let native = |figure: fn(&Record) -> String| or_dash(self.native().map(figure));
        let mut cells = vec![native(|record| record.program.name.clone()), or_dash(self.cain)];
        cells.extend(self.each(|record| record.program.words.to_string()));
        cells.extend([
            or_dash(self.target),
            or_dash(self.above_target().map(|above| format!("{above:+}"))),
            native(|record| record.more.lower_bound.to_string()),
            self.each(|record| format!("{:.1}", record.program.us)).join("/"),
            self.each(|record| or_dash(record.more.noise.map(|noise| format!("{noise:.1}")))).join("/"),
            self.each(|record| record.more.peak_gain.clone()).join(" "),
            native(|record| record.more.offset_errors()),
            native(|record| format!("{:.1}", record.more.search.ms)),
            or_dash(self.peak),
            native(|record| record.more.search.stop.clone()),
        ]);
        cells
    }

    /// The sums over all rows, where all of them have a figure, and the largest peak.
    fn sum(rows: &[Self]) -> Vec<String> {
        let all = |figure: &dyn Fn(&Self) -> Option<i64>| or_dash(rows.iter().map(figure).sum::<Option<i64>>());
        let sum = |i: usize, figure: fn(&Record) -> f64| {
            format!("{:.1}", total(rows.iter().filter_map(|row| row.records.get(i)).map(figure)))
        };
        let each = |figure: fn(&Record) -> f64| (0..SETS.len()).map(|i| sum(i, figure)).collect::<Vec<_>>().join("/");
        let words =
            |i: usize| all(&move |row| row.records.get(i).and_then(|record| i64::try_from(record.program.words).ok()));
        vec![
            format!("sum of {}", rows.len()),
            all(&|row| row.cain.map(i64::from)),
            words(0),
            words(1),
            words(2),
            all(&|row| row.target.map(i64::from)),
            or_dash(rows.iter().map(Self::above_target).sum::<Option<i64>>().map(|above| format!("{above:+}"))),
            all(&|row| row.native().map(|record| record.more.lower_bound.into())),
            each(|record| record.program.us),
            each(|record| record.more.noise.unwrap_or(f64::NAN)),
            String::new(),
            String::new(),
            sum(SETS.len() - 1, |record| record.more.search.ms),
            or_dash(rows.iter().filter_map(|row| row.peak).max()),
            String::new(),
        ]
    }
}
