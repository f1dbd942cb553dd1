//! Describes where a program may be left for others.

use cain_codegen::Plan;
use cain_codegen::duration::microseconds;
use cain_isa::{Cells, Kept, KeptBit, KeptLevels, Times};
use cain_search::switches::{Point, SwitchTable};

use super::phrases::{count, enumerated};

/// A summary for the whole program, with one line for each of those that may interrupt it.
pub(crate) fn summary(plan: &Plan) -> Vec<String> {
    of_tables(plan.solution.program.switches(), &plan.declaration().machine.times)
}

/// A summary of the tables of any program.
pub(crate) fn of_tables(tables: &[SwitchTable], times: &Times) -> Vec<String> {
    let line = |table: &SwitchTable| {
        let time = u64::from(table.latency()) * u64::from(times.analogue);
        format!(
            "may be left for others on {} within {}, {}; that costs at most {} more",
            on(table.others()),
            count(table.latency(), "control word"),
            microseconds(time),
            count(table.most_extra(), "control word"),
        )
    };
    tables.iter().map(line).collect()
}

/// How the program is left after so many instructions, with one line for each of those that may interrupt it there.
pub(crate) fn at(plan: &Plan, number: usize) -> Vec<String> {
    at_of_tables(plan.solution.program.switches(), number)
}

/// The ways to leave a program after `number` instructions, from its tables; a step of the controller counts as one.
pub(crate) fn at_of_tables(tables: &[SwitchTable], number: usize) -> Vec<String> {
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    ways(tables, number, |point| format!("goes on after {}", point.resume))
}

/// The ways to leave a program with loops or decisions at a point, from its tables.
pub(crate) fn at_point(tables: &[SwitchTable], number: u32) -> Vec<String> {
    ways(tables, number, |point| format!("goes on {} earlier", count(point.at - point.resume, "line")))
}

/// The ways to leave a program at a point, if it goes on from there or earlier as is told.
fn ways(tables: &[SwitchTable], at: u32, earlier: impl Fn(&Point) -> String) -> Vec<String> {
    let line = |table: &SwitchTable| {
        let point = table.points().iter().find(|point| point.at == at)?;
        Some(format!("for {}: {}", on(table.others()), way(point, &earlier)))
    };
    tables.iter().filter_map(line).collect()
}

fn way(point: &Point, earlier: impl Fn(&Point) -> String) -> String {
    if point.resume < point.at {
        return format!("{}, {} again", earlier(point), count(point.extra, "control word"));
    }
    let plane = |kept: &Kept| {
        let home = kept.home.map_or_else(|| "NEWS".to_owned(), |home| home.to_string());
        format!("{home} to {}", kept.register)
    };
    let bit = |kept: &KeptBit| format!("{} to {}", kept.home, kept.register);
    let levels =
        |kept: &KeptLevels| format!("{} ({} or {}) as a bit to {}", kept.home, kept.low, kept.high, kept.register);
    let moved = point.kept.iter().map(plane).chain(point.bits.iter().map(bit)).chain(point.levels.iter().map(levels));
    match moved.collect::<Vec<_>>() {
        moved if moved.is_empty() => "nothing is in their way".to_owned(),
        moved => format!("moves {}, and back, {}", enumerated(&moved), count(point.extra, "control word")),
    }
}

/// The registers of the others.
fn on(others: Cells) -> String {
    let bits = others.bits().map(|bit| bit.to_string());
    enumerated(&others.analogue().iter().map(|reg| reg.to_string()).chain(bits).collect::<Vec<_>>())
}
