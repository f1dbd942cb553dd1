//! Reports on networks, as far as they run on the array.

use std::io::{self, Write};

use cain_codegen::kinds::{Compiled, Network};
use cain_isa::network::{EventRead, Grid, Held, ReadOut, Step, outside};
use cain_network::{CompiledNetwork, NetworkStep, Stage, Work};
use cain_search::switches::SwitchTable;
use serde::Serialize;

use crate::in_pixel::microseconds;
use crate::kinds::Shown;
use crate::options::Search;
use crate::show::leaving::of_tables;
use crate::show::{self, Details, Format};
use crate::watch::Watched;

/// The programs of a network and their costs; as JSON, the keys are those of the fields.
#[derive(Debug, Serialize)]
pub(crate) struct NetworkRecord {
    pub(crate) name: String,
    pub(crate) isa: &'static str,
    /// The number of control words for a picture.
    pub(crate) words: usize,
    /// The time of the words in microseconds, without that of read-outs.
    pub(crate) us: f64,
    /// The register of the picture.
    pub(crate) image: String,
    pub(crate) stages: Vec<StageRecord>,
    /// For each of those that may interrupt it, the longest that it has to wait, in control words.
    pub(crate) latency: Vec<u32>,
    /// A description of how it may be interrupted.
    #[serde(skip)]
    leaving: Vec<String>,
    /// Always true: nothing that is not proved is returned.
    pub(crate) verified: bool,
}

/// A stage: what is done for some channels of a layer.
#[derive(Debug, Serialize)]
pub(crate) struct StageRecord {
    pub(crate) name: String,
    pub(crate) words: usize,
    pub(crate) us: f64,
    /// The registers that hold its maps afterwards.
    pub(crate) registers: Vec<String>,
    /// The least and the largest value of the maps, in DN; `None` for read-outs.
    pub(crate) range: Option<[f64; 2]>,
    /// The listing of what the controller does, in the vendor's spelling.
    pub(crate) listing: Vec<String>,
}

impl Shown for Network {
    type Record = NetworkRecord;

    const TITLES: &'static [&'static str] = &["network", "words", "µs", "registers", "DN"];
    const FORMATS: (&'static str, &'static [Format]) = ("networks", &[Format::Text, Format::Scamp5, Format::Svg]);

    fn nodes(&self) -> u64 {
        self.network.options.nodes
    }

    fn with(&self, args: &Search) -> Self {
        let mut wanted = self.clone();
        wanted.network.options.nodes = args.nodes.unwrap_or(wanted.network.options.nodes);
        wanted
    }

    fn record(&self, compiled: &Compiled<Self>, _: &Watched) -> Result<NetworkRecord, String> {
        Ok(NetworkRecord::of(&compiled.program))
    }

    /// A line for each stage, and one for all of them.
    fn rows(record: &NetworkRecord) -> Vec<Vec<String>> {
        let total = [record.name.clone(), record.words.to_string(), format!("{:.2}", record.us)];
        let dashes = ["-", "-"].map(str::to_owned);
        let stages = record.stages.iter().map(|stage| stage.row(&record.name));
        stages.chain([total.into_iter().chain(dashes).collect()]).collect()
    }

    /// The programs of its stages, each under its name.
    fn print_listing(record: &NetworkRecord, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\n// {}: the picture is in {}", record.name, record.image)?;
        record.leaving.iter().try_for_each(|line| writeln!(out, "// {}: {line}", record.name))?;
        for stage in &record.stages {
            writeln!(out, "\n// {}: {}", record.name, stage.name)?;
            stage.listing.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        Ok(())
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

impl NetworkRecord {
    pub(crate) fn of(compiled: &CompiledNetwork) -> Self {
        let network = compiled.network();
        let stages: Vec<_> = compiled.stages().iter().map(|stage| StageRecord::of(compiled, stage)).collect();
        Self {
            name: network.name.clone(),
            isa: "network",
            words: stages.iter().map(|stage| stage.words).sum(),
            us: stages.iter().map(|stage| stage.us).sum(),
            image: compiled.input().to_string(),
            stages,
            latency: compiled.switches().iter().map(SwitchTable::latency).collect(),
            leaving: of_tables(compiled.switches(), &network.machine.times),
            verified: true,
        }
    }
}

impl StageRecord {
    fn of(compiled: &CompiledNetwork, stage: &Stage) -> Self {
        let reads = stage.work == Work::Read;
        let (low, high) = stage.range;
        Self {
            name: name(compiled, stage),
            words: stage.words(),
            us: microseconds(stage.nanoseconds(&compiled.network().machine.times)),
            registers: if reads { Vec::new() } else { stage.held.iter().copied().map(shown).collect() },
            range: (!reads).then_some([low, high]),
            listing: stage.steps.iter().flat_map(lines).collect(),
        }
    }

    fn row(&self, network: &str) -> Vec<String> {
        let range = self.range.map_or_else(|| "-".to_owned(), |[low, high]| format!("{low:.0}..{high:.0}"));
        let registers = if self.registers.is_empty() { "-".to_owned() } else { self.registers.join(" ") };
        vec![format!("{network}: {}", self.name), self.words.to_string(), format!("{:.2}", self.us), registers, range]
    }
}

/// The layer and the channels of a stage, and what of them.
pub(crate) fn name(compiled: &CompiledNetwork, stage: &Stage) -> String {
    let what = match stage.work {
        Work::Border => " (border)",
        Work::Read => " (read out)",
        Work::Sum(_) | Work::Operation => "",
    };
    stage.name(compiled.network()) + what
}

/// A step as calls of the vendor's library, if it has such calls; otherwise a comment describes what the controller
/// does.
pub(crate) fn lines(step: &NetworkStep) -> Vec<String> {
    match step {
        Step::Execute(listing) => listing.iter().map(ToString::to_string).collect(),
        Step::Level(level) => vec![format!("scamp5_load_in({level});")],
        Step::Compensation { level, errors } => {
            let errors = errors.map(|error| error.to_string()).join(", ");
            vec![format!("scamp5_load_in({level}); // plus {errors} times the errors of transfers to 1, 2, 3 cells")]
        }
        Step::Outside(register, grid) => {
            vec![format!("// RECT is 1 in {}", covered(grid)), outside(*register).to_string()]
        }
        Step::Events(EventRead { from, grid, capacity, .. }) => {
            vec![format!("// list up to {capacity} pixels of {from} that are 1, {}", covered(grid))]
        }
        Step::Read(ReadOut { from, grid, .. }) => vec![format!("// read {}, {}", shown(*from), covered(grid))],
    }
}

/// The pixels of a grid, counted from the north-west corner of the picture.
fn covered(grid: &Grid) -> String {
    let Grid { top, left, row_step, column_step, height, width } = *grid;
    let along = |first: isize, step: usize, count: usize| {
        let last = first.saturating_add_unsigned(step.saturating_mul(count.saturating_sub(1)));
        if step == 1 || count < 2 { format!("{first} to {last}") } else { format!("{first} to {last} by {step}") }
    };
    format!("rows {}, columns {}", along(top, row_step, height), along(left, column_step, width))
}

pub(crate) fn shown(held: Held) -> String {
    match held {
        Held::Reg(reg) => reg.to_string(),
        Held::Bit(bit) => bit.to_string(),
    }
}
