//! The figures of an experiment as a table.

use std::io::{self, Write};
use std::iter;

/// A table for people and for other programs.
pub(crate) struct Sheet {
    /// Columns that are equal in every row, which only other programs need: title and value.
    pub(crate) constants: Vec<(&'static str, String)>,
    pub(crate) titles: Vec<&'static str>,
    /// The rows, with a value for each title; `None` where there is no figure.
    pub(crate) rows: Vec<Vec<Option<String>>>,
    /// A remark on the figures.
    pub(crate) note: Option<&'static str>,
}

impl Sheet {
    /// Prints aligned columns: the first to the left, the others to the right.
    pub(crate) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let titles = self.titles.iter().map(|title| (*title).to_owned()).collect();
        let cell = |cell: &Option<String>| cell.clone().unwrap_or_else(|| "-".to_owned());
        let rows: Vec<Vec<String>> =
            iter::once(titles).chain(self.rows.iter().map(|row| row.iter().map(cell).collect())).collect();
        let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(String::len).max();
        let widths: Vec<usize> = (0..self.titles.len()).map(|column| width(column).unwrap_or(0).max(6)).collect();
        for row in &rows {
            let pad = |(column, (cell, &width)): (usize, (&String, &usize))| match column {
                0 => format!("{cell:<width$}"),
                _ => format!("  {cell:>width$}"),
            };
            let line: String = row.iter().zip(&widths).enumerate().map(pad).collect();
            writeln!(out, "{}", line.trim_end())?;
        }
        if let Some(note) = self.note {
            writeln!(out, "{note}")?;
        }
        Ok(())
    }

    /// The table as comma-separated values, with a line of titles. Values are numbers and names, so nothing has to be
    /// quoted.
    pub(crate) fn csv(&self) -> String {
        let constants = || self.constants.iter();
        let titles = constants().map(|(title, _)| *title).chain(self.titles.iter().copied());
        let mut lines = titles.collect::<Vec<_>>().join(",") + "\n";
        for row in &self.rows {
            let values = row.iter().map(|cell| cell.as_deref().unwrap_or_default());
            let cells = constants().map(|(_, value)| value.as_str()).chain(values);
            lines += &cells.collect::<Vec<_>>().join(",");
            lines.push('\n');
        }
        lines
    }
}

/// Formats a mean or a quantile.
pub(crate) fn decimal(value: Option<f64>) -> Option<String> {
    value.map(|value| format!("{value:.2}"))
}

#[cfg(test)]
mod tests {
    use super::{Sheet, decimal};

    #[test]
    fn two_forms() {
        let sheet = Sheet {
            constants: vec![("seed", "1".to_owned())],
            titles: vec!["kernels", "mean"],
            rows: vec![vec![Some("1".to_owned()), decimal(Some(9.5))], vec![Some("2".to_owned()), None]],
            note: Some("a note"),
        };
        assert_eq!(sheet.csv(), "seed,kernels,mean\n1,1,9.50\n1,2,\n");
        let mut out = Vec::new();
        sheet.print(&mut out).unwrap();
        let expected = "kernels    mean\n1          9.50\n2             -\na note\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
