//! Reports on networks in the pixels and their programs.

use std::io::{self, Write};

use cain_codegen::kinds::{self, InPixel};
use cain_isa::in_pixel::{Rectangle, Selection, Step};
use cain_isa::{Machine, Word};
use cain_network::in_pixel::{Compiled, Component};
use cain_search::switches::SwitchTable;
use serde::Serialize;

use crate::kinds::Shown;
use crate::options::Search;
use crate::show::leaving::of_tables;
use crate::show::{self, Details, Format};
use crate::watch::Watched;

/// The programs of a network in the pixels and their costs; as JSON, the keys are those of the fields.
#[derive(Debug, Serialize)]
pub(crate) struct InPixelRecord {
    pub(crate) name: String,
    pub(crate) isa: &'static str,
    /// The number of control words for a picture.
    pub(crate) words: usize,
    /// The time of the words in microseconds.
    pub(crate) us: f64,
    /// The contribution of a pixel of ink to a sum, in DN.
    pub(crate) level: i8,
    /// Registers that are loaded with weights before the first picture, and must not be overwritten.
    pub(crate) reserved: Vec<String>,
    pub(crate) components: Vec<ComponentRecord>,
    /// For each of those that may interrupt it, the longest that it has to wait, in control words.
    pub(crate) latency: Vec<u32>,
    /// A description of how it may be interrupted.
    #[serde(skip)]
    leaving: Vec<String>,
    /// Always true: nothing that is not proved is returned.
    pub(crate) verified: bool,
}

/// A part of a network.
#[derive(Debug, Serialize)]
pub(crate) struct ComponentRecord {
    pub(crate) name: &'static str,
    pub(crate) words: usize,
    pub(crate) us: f64,
    /// The listing of what the controller does, in the vendor's C spelling.
    pub(crate) listing: Vec<String>,
}

impl Shown for InPixel {
    type Record = InPixelRecord;

    const TITLES: &'static [&'static str] = &["in-pixel network", "words", "µs"];
    const FORMATS: (&'static str, &'static [Format]) = ("networks in the pixels", &[Format::Text, Format::Scamp5]);

    fn nodes(&self) -> u64 {
        0
    }

    fn with(&self, _: &Search) -> Self {
        self.clone()
    }

    fn record(&self, compiled: &kinds::Compiled<Self>, _: &Watched) -> Result<InPixelRecord, String> {
        Ok(InPixelRecord::of(&self.name, &compiled.program))
    }

    /// A line for each component, and one for all of them.
    fn rows(record: &InPixelRecord) -> Vec<Vec<String>> {
        let components = record.components.iter();
        let components =
            components.map(|component| (format!("{}: {}", record.name, component.name), component.words, component.us));
        let rows = components.chain([(record.name.clone(), record.words, record.us)]);
        rows.map(|(name, words, us)| vec![name, words.to_string(), format!("{us:.2}")]).collect()
    }

    /// The programs, each under its name.
    fn print_listing(record: &InPixelRecord, out: &mut dyn Write) -> io::Result<()> {
        if !record.leaving.is_empty() {
            writeln!(out)?;
        }
        record.leaving.iter().try_for_each(|line| writeln!(out, "// {}: {line}", record.name))?;
        for component in &record.components {
            writeln!(out, "\n// {}: {}", record.name, component.name)?;
            component.listing.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        Ok(())
    }

    fn show(
        &self,
        compiled: &kinds::Compiled<Self>,
        doc: Option<&str>,
        format: Format,
        details: Details<'_>,
    ) -> Result<String, String> {
        show::in_pixel(&self.name, &compiled.program, doc, format, details)
    }
}

impl InPixelRecord {
    pub(crate) fn of(name: &str, compiled: &Compiled) -> Self {
        let (network, components) = (compiled.network(), compiled.components());
        let lines = |step: &Step<Vec<Word>>| lines(step, network.side);
        let component = |component: &Component| ComponentRecord {
            name: component.name,
            words: component.words(),
            us: microseconds(component.nanoseconds(&network.machine)),
            listing: component.program.iter().flat_map(lines).collect(),
        };
        Self {
            name: name.to_owned(),
            isa: "in_pixel",
            words: components.iter().map(Component::words).sum(),
            us: total(components, &network.machine),
            level: compiled.level(),
            reserved: compiled.planes().iter().map(|plane| plane.register.to_string()).collect(),
            components: components.iter().map(component).collect(),
            latency: compiled.switches().iter().map(SwitchTable::latency).collect(),
            leaving: of_tables(compiled.switches(), &network.machine.times),
            verified: true,
        }
    }
}

/// The time of the words of all components, in microseconds.
pub(crate) fn total(components: &[Component], machine: &Machine) -> f64 {
    microseconds(components.iter().map(|component| component.nanoseconds(machine)).sum())
}

#[expect(clippy::cast_precision_loss, reason = "programs take less than 2^52 ns")]
pub(crate) fn microseconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1000.0
}

/// A step on an array with this many PEs along each side, as calls of the vendor's library, whose columns count from
/// the right.
fn lines(step: &Step<Vec<Word>>, side: usize) -> Vec<String> {
    let last = side.saturating_sub(1);
    match step {
        Step::Execute(words) => words.iter().map(ToString::to_string).collect(),
        Step::Level(level) => vec![format!("scamp5_load_in({level});")],
        Step::Select(Selection { row, column, free_row_bits, free_column_bits }) => {
            // Free bits beyond the size of the array have no meaning.
            let [row, column, free_rows, free_columns] =
                [*row, *column, *free_row_bits, *free_column_bits].map(|bits| usize::from(bits) & last);
            vec![format!(
                "scamp5_select_pattern({row},{},{free_rows},{free_columns});",
                (column ^ last) & !free_columns
            )]
        }
        Step::Region(Rectangle { top, left, height, width }) => {
            let (bottom, right) = (top + height.saturating_sub(1), left + width.saturating_sub(1));
            let [right, left] = [right, *left].map(|column| last.saturating_sub(column));
            vec![format!("scamp5_select_rect({top},{right},{bottom},{left});")]
        }
        Step::Sum(reg) => vec![format!("scamp5_global_sum_fast({reg});")],
        Step::Count(count) => {
            vec![format!("scamp5_scan_dreg({},buffer,0,{});", count.register, count.rows().saturating_sub(1))]
        }
    }
}
