//! What the command tells of every kind of declaration.

use std::io::{self, Write};

use cain_analysis::owned::Program;
use cain_codegen::kinds::{Compiled, Kind, Part};
use serde::Serialize;

use crate::options::Search;
use crate::program::{self, ProgramRecord};
use crate::show::format::{Details, Format};
use crate::table::Table;
use crate::vendor::Interface;
use crate::watch::Watched;

/// A kind of declaration, as the command shows it.
pub(crate) trait Shown: Kind {
    /// What is told beside the program; as JSON, the keys are those of its fields.
    type More: Serialize;

    /// The columns of the table.
    const TITLES: &'static [&'static str];
    /// Whether the table has one line for each declaration, which is printed as soon as there is a program.
    const HAS_LINES: bool = false;
    /// What several are called, and the formats that `cain show` has for them.
    const FORMATS: (&'static str, &'static [Format]);

    /// The declaration with options of the command line, which take precedence over those of the source.
    fn with(&self, args: &Search) -> Self {
        let declared = args.nodes.map_or_else(|| self.clone(), |nodes| self.with_nodes(nodes));
        declared.with_options(|options| args.set(options))
    }

    /// The instruction set of programs, or the kind if it has only one.
    fn isa(compiled: &Compiled<Self>) -> &'static str;

    /// What is told beside the program.
    fn more(&self, compiled: &Compiled<Self>, watched: &Watched) -> Self::More;

    /// What is allowed, but costs something: the part of the declaration, and what is wrong with it.
    fn warnings(_: &Self::More) -> &[(Part, String)] {
        &[]
    }

    /// The lines of the table: one for each part of the program, and one for all of it.
    fn rows(record: &Record<Self>) -> Vec<Vec<String>> {
        record.program.rows(Self::TITLES)
    }

    /// What has to be known to run a program: where its numbers are, or its picture.
    fn facts(&self, compiled: &Compiled<Self>) -> Vec<String>;

    /// Facts that comments tell of a program in another language.
    fn remarks(&self, compiled: &Compiled<Self>, program: &Program, doc: Option<&str>) -> Vec<String> {
        let doc = doc.into_iter().flat_map(str::lines).map(str::to_owned);
        let name = std::iter::once(program.name.clone());
        name.chain(doc).chain([program::cost(program)]).chain(self.facts(compiled)).collect()
    }

    /// What a C++ function of the program takes, keeps and returns, if it can have numbers.
    fn interface(&self, _: &Compiled<Self>) -> Option<Interface> {
        None
    }

    /// The part of the declaration to which a number of the program belongs, if that is told.
    fn part_of(&self, _number: usize) -> Part {
        Part::Whole
    }

    /// The program in the vendor's spelling, to be pasted.
    fn pasted(&self, compiled: &Compiled<Self>, program: &Program, _doc: Option<&str>) -> String {
        program::listing(program, &self.facts(compiled)).trim_start().to_owned()
    }

    /// The program in one of the other formats; or why that is not possible.
    fn show(&self, asked: &Asked<'_, Self>) -> Result<String, String>;
}

/// What is to be shown: a program of a declaration, with the documentation of that, in a format.
pub(crate) struct Asked<'a, K: Kind> {
    pub(crate) compiled: &'a Compiled<K>,
    pub(crate) program: &'a Program,
    pub(crate) doc: Option<&'a str>,
    pub(crate) format: Format,
    pub(crate) details: Details<'a>,
}

/// What is told of a declaration with programs; as JSON, one object with the keys of both.
#[derive(Debug, Serialize)]
#[serde(bound = "")]
pub(crate) struct Record<K: Shown> {
    #[serde(flatten)]
    pub(crate) program: ProgramRecord,
    #[serde(flatten)]
    pub(crate) more: K::More,
}

impl<K: Shown> Record<K> {
    pub(crate) fn of(declared: &K, compiled: &Compiled<K>, program: &Program, watched: &Watched) -> Self {
        let program = ProgramRecord::of(K::isa(compiled), program, K::switches(&compiled.program));
        Self { program, more: declared.more(compiled, watched) }
    }
}

/// A table of these lines.
pub(crate) fn print_table(out: &mut impl Write, titles: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    let names = rows.iter().filter_map(|row| row.first().map(String::as_str));
    let last = titles.len().saturating_sub(1);
    let widest = rows.iter().filter_map(|row| row.get(last)).map(|cell| cell.chars().count()).max();
    let table = Table::new(titles, names, 6).widened(last, widest.unwrap_or_default());
    table.head(out)?;
    rows.iter().try_for_each(|row| table.row(out, row))
}
