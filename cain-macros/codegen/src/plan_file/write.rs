//! Plans as text.

use std::fmt;

use super::{MAGIC, NOTICE, PlanFile, VERSION, stop_name};

impl fmt::Display for PlanFile {
    /// The contents of the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asked, cost, budget, statistics, listing } = self;
        writeln!(f, "{MAGIC}{VERSION}{NOTICE}")?;
        for asked in asked {
            writeln!(f, "{asked}")?;
        }
        writeln!(f, "cost: macros={} icws={} peak_gain={}", cost.macros, cost.icws, cost.peak_gain)?;
        let (first, best) = (statistics.nodes_to_first, statistics.nodes_to_best);
        let (nodes, stop) = (statistics.nodes, stop_name(statistics.stop));
        writeln!(f, "search: budget={budget} nodes={nodes} first={first} best={best} stop={stop}")?;
        writeln!(f, "proved: instructions>={}", statistics.lower_bound)?;
        writeln!(f)?;
        listing.iter().try_for_each(|instruction| writeln!(f, "{instruction}"))
    }
}
