//! Reports on networks and on networks in the pixels.

use std::io::{self, Write};

use cain_codegen::kinds::{Compiled, InPixel, Network};
use cain_network::{CompiledNetwork, in_pixel};

use crate::kinds::Shown;
use crate::program::ProgramRecord;
use crate::show::{self, Details, Format};
use crate::watch::Watched;

impl Shown for Network {
    type Record = ProgramRecord;

    const TITLES: &'static [&'static str] = &["network", "words", "µs", "registers", "DN"];
    const FORMATS: (&'static str, &'static [Format]) = ("networks", &[Format::Text, Format::Scamp5, Format::Svg]);

    fn record(&self, compiled: &Compiled<Self>, _: &Watched) -> Result<ProgramRecord, String> {
        Ok(record(&compiled.program))
    }

    fn rows(record: &ProgramRecord) -> Vec<Vec<String>> {
        record.rows()
    }

    fn print_listing(record: &ProgramRecord, out: &mut dyn Write) -> io::Result<()> {
        record.print_listing(out)
    }

    fn show(
        &self,
        compiled: &Compiled<Self>,
        doc: Option<&str>,
        format: Format,
        details: Details<'_>,
    ) -> Result<String, String> {
        show::network(&compiled.program, doc, format, details)
    }
}

impl Shown for InPixel {
    type Record = ProgramRecord;

    const TITLES: &'static [&'static str] = &["in-pixel network", "words", "µs"];
    const FORMATS: (&'static str, &'static [Format]) = ("networks in the pixels", &[Format::Text, Format::Scamp5]);

    fn record(&self, compiled: &Compiled<Self>, _: &Watched) -> Result<ProgramRecord, String> {
        Ok(record_in_pixel(&self.name, &compiled.program))
    }

    /// Without the columns for maps, whose registers and values are not known.
    fn rows(record: &ProgramRecord) -> Vec<Vec<String>> {
        let mut rows = record.rows();
        for row in &mut rows {
            row.truncate(Self::TITLES.len());
        }
        rows
    }

    fn print_listing(record: &ProgramRecord, out: &mut dyn Write) -> io::Result<()> {
        record.print_listing(out)
    }

    fn show(
        &self,
        compiled: &Compiled<Self>,
        doc: Option<&str>,
        format: Format,
        details: Details<'_>,
    ) -> Result<String, String> {
        show::in_pixel(&self.name, &compiled.program, doc, format, details)
    }
}

pub(crate) fn record(compiled: &CompiledNetwork) -> ProgramRecord {
    ProgramRecord::of("network", &compiled.program(), compiled.switches())
}

pub(crate) fn record_in_pixel(name: &str, compiled: &in_pixel::Compiled) -> ProgramRecord {
    let mut record = ProgramRecord::of("in_pixel", &compiled.program(name), compiled.switches());
    record.level = Some(compiled.level());
    record
}
