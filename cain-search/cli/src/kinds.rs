//! What the command tells of every kind of declaration.

use std::io::{self, Write};

use cain_codegen::kinds::{Compiled, Kind};
use serde::Serialize;

use crate::options::Search;
use crate::show::{Details, Format};
use crate::table::Table;
use crate::watch::Watched;

/// A kind of declaration, as the command shows it.
pub(crate) trait Shown: Kind {
    /// What is told about programs; as JSON, the keys are those of its fields.
    type Record: Serialize;

    /// The columns of the table.
    const TITLES: &'static [&'static str];
    /// Whether the table has one line for each declaration, which is printed as soon as there is a program.
    const HAS_LINES: bool = false;
    /// What several are called, and the formats that `cain show` has for them.
    const FORMATS: (&'static str, &'static [Format]);

    /// The declaration with options of the command line, which take precedence over those of the source.
    fn with(&self, args: &Search) -> Self {
        let declared = args.nodes.map_or_else(|| self.clone(), |nodes| self.with_nodes(nodes));
        args.patience.map_or_else(|| declared.clone(), |patience| declared.with_patience(patience))
    }

    /// What is told about programs.
    fn record(&self, compiled: &Compiled<Self>, watched: &Watched) -> Result<Self::Record, String>;

    /// The lines of the table.
    fn rows(record: &Self::Record) -> Vec<Vec<String>>;

    /// The programs in the vendor's spelling, each under its name.
    fn print_listing(record: &Self::Record, out: &mut dyn Write) -> io::Result<()>;

    /// The programs in one of the formats, with the documentation of the declaration; or why that is not possible.
    fn show(
        &self,
        compiled: &Compiled<Self>,
        doc: Option<&str>,
        format: Format,
        details: Details<'_>,
    ) -> Result<String, String>;
}

/// The table of one record.
pub(crate) fn print_rows<K: Shown>(out: &mut impl Write, record: &K::Record) -> io::Result<()> {
    print_table(out, K::TITLES, &K::rows(record))
}

/// A table of these lines.
pub(crate) fn print_table(out: &mut impl Write, titles: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    let names = rows.iter().filter_map(|row| row.first().map(String::as_str));
    let table = Table::new(titles, names, 6);
    table.head(out)?;
    rows.iter().try_for_each(|row| table.row(out, row))
}

/// The programs alone.
pub(crate) fn listing<K: Shown>(record: &K::Record) -> String {
    let mut listing = Vec::new();
    // Writing to a vector cannot fail.
    let _ = K::print_listing(record, &mut listing);
    String::from_utf8_lossy(&listing).trim_start().to_owned()
}
