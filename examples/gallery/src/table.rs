//! The table of costs.

use std::fmt;

use crate::exhibit::Exhibit;

/// One line per filter, in aligned columns.
pub(crate) struct Table<'a>(pub(crate) &'a [Exhibit]);

const HEADER: [&str; 8] =
    ["filter", "ICWs", "time/µs", "peak gain", "border/PEs", "ideal error/DN", "chip RMS/DN", "chip bias/DN"];

impl Table<'_> {
    fn cells(exhibit: &Exhibit) -> [String; 8] {
        [
            exhibit.filter.plan.name.to_owned(),
            exhibit.icws.to_string(),
            format!("{:.2}", exhibit.microseconds),
            exhibit.peak_gain.to_string(),
            exhibit.border().to_string(),
            format!("{:.3}", exhibit.largest_error()),
            format!("{:.1}", exhibit.rms()),
            format!("{:+.1}", exhibit.bias()),
        ]
    }
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = vec![HEADER.map(str::to_owned)];
        lines.extend(self.0.iter().map(Self::cells));
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: [usize; 8] = std::array::from_fn(width);
        for line in &lines {
            for (column, (cell, width)) in line.iter().zip(widths).enumerate() {
                if column == 0 {
                    write!(f, "{cell:width$}")?;
                } else {
                    write!(f, "  {cell:>width$}")?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
