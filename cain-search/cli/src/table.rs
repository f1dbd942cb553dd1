//! Prints aligned tables, row by row.

use std::io::{self, Write};

/// A table whose first column holds names and is aligned left; the others are aligned right.
pub(crate) struct Table<'a> {
    widths: Vec<usize>,
    titles: &'a [&'a str],
}

impl<'a> Table<'a> {
    /// A table for these names; every other column is as wide as its title, but at least `width`.
    pub(crate) fn new<'n>(titles: &'a [&'a str], names: impl Iterator<Item = &'n str>, width: usize) -> Self {
        let longest = names.map(|name| name.chars().count()).max().unwrap_or_default();
        let title = |i: usize, title: &str| title.chars().count().max(if i == 0 { longest } else { width });
        Self { widths: titles.iter().enumerate().map(|(i, text)| title(i, text)).collect(), titles }
    }

    /// The same table with a column that is at least this wide.
    pub(crate) fn widened(mut self, column: usize, width: usize) -> Self {
        if let Some(found) = self.widths.get_mut(column) {
            *found = width.max(*found);
        }
        self
    }

    /// Prints the titles and a line below them.
    pub(crate) fn head(&self, out: &mut impl Write) -> io::Result<()> {
        self.row(out, self.titles)?;
        self.rule(out)
    }

    /// Prints a line across the table.
    pub(crate) fn rule(&self, out: &mut impl Write) -> io::Result<()> {
        let width = self.widths.iter().sum::<usize>() + 2 * self.widths.len().saturating_sub(1);
        writeln!(out, "{}", "-".repeat(width))
    }

    /// Prints one row.
    pub(crate) fn row(&self, out: &mut impl Write, cells: &[impl AsRef<str>]) -> io::Result<()> {
        let pad = |(i, (cell, &width)): (usize, (&str, &usize))| match i {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        };
        let cells = cells.iter().map(AsRef::as_ref).zip(&self.widths).enumerate();
        let line = cells.map(pad).collect::<Vec<_>>().join("  ");
        writeln!(out, "{}", line.trim_end())?;
        out.flush()
    }
}

/// A value, or a dash if there is none.
pub(crate) fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn columns_are_aligned() {
        let table = Table::new(&["filter", "macros", "ms"], ["box", "a_long_name"].into_iter(), 4);
        let mut out = Vec::new();
        table.head(&mut out).unwrap();
        table.row(&mut out, &["box", "6", "1234"]).unwrap();
        let expected = "filter       macros    ms\n-------------------------\nbox               6  1234\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
