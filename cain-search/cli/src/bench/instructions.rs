//! The comparison for one instruction set.

use cain_codegen::kernel_file::{Diagnostic, Filter};
use cain_codegen::kinds::{Kernel, Kind as _};
use cain_search::InstructionSet;

use super::args::Bench;
use super::conditions::{native, unconstrained};
use super::memory;
use super::row::{Row, total};
use super::targets::Target;
use crate::record::{OfKernel, Searched};
use crate::search::find;
use crate::table::or_dash;
use crate::watch::Interrupt;

type Record = crate::kinds::Record<Kernel>;

/// The program of one filter found here, and the published figures.
pub(super) struct Comparison {
    record: Record,
    /// The control words of the default program, if one was found.
    native: Option<u32>,
    paper: Option<u32>,
    rerun: Option<u32>,
    target: Option<u32>,
    /// The peak memory, in MiB.
    peak: Option<u64>,
}

impl Comparison {
    /// The number of instructions beyond the target.
    fn above_target(&self) -> Option<i64> {
        Some(i64::from(self.record.more.macros?) - i64::from(self.target?))
    }
}

impl Row for Comparison {
    const TITLES: &'static [&'static str] = &[
        "filter",
        "paper",
        "rerun",
        "target",
        "macros",
        "vs target",
        "ICWs",
        "native",
        "bound",
        "nodes",
        "first ms",
        "best ms",
        "total ms",
        "peak MiB",
        "stop",
    ];

    fn of(
        filter: &Filter,
        file: &str,
        args: &Bench,
        target: Target,
        interrupt: &Interrupt,
    ) -> Result<Self, Diagnostic> {
        memory::reset_peak();
        let set = args.search.isa.unwrap_or(InstructionSet::Macro);
        let found = find(filter, &unconstrained(&args.search, set), interrupt)?;
        let peak = memory::peak();
        let native = find(filter, &native(&args.search), interrupt);
        let native = native.map_err(|problem| eprintln!("{file}:{problem}")).ok();
        for notice in found.notice.iter().chain(native.iter().filter_map(|native| native.notice.as_ref())) {
            eprintln!("{file}:{notice}");
        }
        // Cain was run with all instructions, so its figures only apply to that set.
        let cain = |count: Option<u32>| count.filter(|_| set == InstructionSet::Macro);
        Ok(Self {
            paper: cain(target.paper),
            rerun: cain(target.cain_rerun),
            target: target.instructions(set),
            native: native.map(|native| native.compiled.program.program.report().icws),
            peak,
            record: Record::of(filter, &found.compiled, &filter.program(&found.compiled.program), &found.watched),
        })
    }

    fn cells(&self) -> Vec<String> {
        let Record { program, more: OfKernel { macros, lower_bound, ms_to_first, search, .. } } = &self.record;
        let Searched { nodes, ms, ms_to_best, stop } = search;
        vec![
            program.name.clone(),
            or_dash(self.paper),
            or_dash(self.rerun),
            or_dash(self.target),
            or_dash(*macros),
            or_dash(self.above_target().map(|above| format!("{above:+}"))),
            program.words.to_string(),
            or_dash(self.native),
            lower_bound.to_string(),
            nodes.to_string(),
            format!("{ms_to_first:.1}"),
            format!("{ms_to_best:.1}"),
            format!("{ms:.1}"),
            or_dash(self.peak),
            stop.clone(),
        ]
    }

    /// The sums over all rows, where all of them have a figure, and the largest peak.
    fn sum(rows: &[Self]) -> Vec<String> {
        let all = |figure: fn(&Self) -> Option<i64>| or_dash(rows.iter().map(figure).sum::<Option<i64>>());
        let milliseconds =
            |figure: fn(&Record) -> f64| format!("{:.1}", total(rows.iter().map(|row| figure(&row.record))));
        vec![
            format!("sum of {}", rows.len()),
            all(|row| row.paper.map(i64::from)),
            all(|row| row.rerun.map(i64::from)),
            all(|row| row.target.map(i64::from)),
            all(|row| row.record.more.macros.map(i64::from)),
            or_dash(rows.iter().map(Self::above_target).sum::<Option<i64>>().map(|above| format!("{above:+}"))),
            all(|row| i64::try_from(row.record.program.words).ok()),
            all(|row| row.native.map(i64::from)),
            all(|row| Some(row.record.more.lower_bound.into())),
            all(|row| i64::try_from(row.record.more.search.nodes).ok()),
            milliseconds(|record| record.more.ms_to_first),
            milliseconds(|record| record.more.search.ms_to_best),
            milliseconds(|record| record.more.search.ms),
            or_dash(rows.iter().filter_map(|row| row.peak).max()),
            String::new(),
        ]
    }
}
