//! `cain compile`.

use std::io::{self, Write};
use std::path::PathBuf;

use cain_codegen::kernel_file::AnyFilter;
use cain_search::tenths;
use clap::Args;

use crate::automaton::{self, AutomatonRecord, Programs};
use crate::digital::{self, DigitalRecord};
use crate::in_pixel::{self, InPixelRecord};
use crate::json::print_object;
use crate::network::{self, NetworkRecord};
use crate::options::Search;
use crate::record::Record;
use crate::search::find;
use crate::sources::load;
use crate::superpixel::{self, SuperPixelRecord};
use crate::table::{Table, or_dash};
use crate::watch::Interrupt;

/// Search for programs of the filters of a kernel file or a Rust source
///
/// Prints a table, or with --json one object per line and filter. The exit status is 0 if and only if every filter
/// has a program that was proved to compute its kernels.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cain compile kernels.toml                      all filters of the file
  cain compile kernels.toml gauss --listing      one filter, with its program
  cain compile src/lib.rs                        the filters that scamp_kernels! declares there
  cain compile kernels.toml --objective icws     the fastest programs on the chip
  cain compile kernels.toml --objective accuracy programs whose results are closest to the exact ones
  cain compile kernels.toml --isa native         single control words: the shortest of all
  cain compile kernels.toml --nodes 1_000_000    a longer search
  cain compile kernels.toml --json | jq .macros  output for scripts

A kernel file has one table per filter:
  [gauss]
  inputs = [\"A\"]
  outputs.A = { scale = \"1/16\", kernel = [[1, 2, 1], [2, 4, 2], [1, 2, 1]] }")]
pub(crate) struct Compile {
    /// A kernel file, a Rust source, a plan file, a folder with sources, or - for the standard input
    file: PathBuf,

    /// Filters to compile, in this order [default: all of the file]
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    #[command(flatten)]
    pub(crate) search: Search,

    /// Print one JSON object per filter and line instead of a table
    #[arg(long)]
    json: bool,

    /// Print the programs below the table
    #[arg(long, conflicts_with = "json")]
    listing: bool,
}

const TITLES: [&str; 15] = [
    "filter",
    "macros",
    "ICWs",
    "bound",
    "depth",
    "peak_gain",
    "noise",
    "offset_error",
    "rms",
    "bias",
    "nodes",
    "first ms",
    "best ms",
    "total ms",
    "stop",
];

/// Whether every filter has a proved program; fails if the output cannot be written.
pub(crate) fn run(args: &Compile, interrupt: &Interrupt) -> io::Result<bool> {
    let Some(chosen) = load(&args.file, &args.names, &args.search.reading(None)) else { return Ok(false) };

    interrupt.listen();
    let mut out = io::stdout().lock();
    let table = Table::new(&TITLES, chosen.iter().map(|declared| declared.filter.name()), 6);
    let mut found = Records::default();
    let searched = Programs::Searched(args.search.nodes);
    for declared in &chosen {
        let problem = match &declared.filter {
            AnyFilter::Analogue(filter) => match find(filter, &args.search, interrupt) {
                Ok(solution) => {
                    let record = Record::of(&solution);
                    if args.json {
                        print_object(&mut out, &record)?;
                    } else {
                        if found.analogue.is_empty() {
                            table.head(&mut out)?;
                        }
                        table.row(&mut out, &row(&record))?;
                    }
                    found.analogue.push(record);
                    solution.notice
                }
                Err(problem) => Some(problem),
            },
            AnyFilter::Digital(filter) => match digital::find(filter, &args.search, interrupt) {
                Ok((record, notice)) => {
                    if args.json {
                        print_object(&mut out, &record)?;
                    }
                    found.digital.push(record);
                    notice
                }
                Err(problem) => Some(problem),
            },
            AnyFilter::Network(network) => match network::compiled(network, args.search.nodes) {
                Ok(compiled) => {
                    let record = NetworkRecord::of(&compiled);
                    if args.json {
                        print_object(&mut out, &record)?;
                    }
                    found.networks.push(record);
                    None
                }
                Err(problem) => Some(problem),
            },
            AnyFilter::InPixel(network) => match in_pixel::compiled(network) {
                Ok(compiled) => {
                    let record = InPixelRecord::of(&network.name, &compiled);
                    if args.json {
                        print_object(&mut out, &record)?;
                    }
                    found.in_pixel.push(record);
                    None
                }
                Err(problem) => Some(problem),
            },
            AnyFilter::Automaton(declared) => match automaton::record(declared, searched, interrupt) {
                Ok(record) => {
                    if args.json {
                        print_object(&mut out, &record)?;
                    }
                    found.automata.push(record);
                    None
                }
                Err(problem) => Some(problem),
            },
            AnyFilter::SuperPixel(filter) => match superpixel::find(filter, &args.search, interrupt) {
                Ok((record, notice)) => {
                    if args.json {
                        print_object(&mut out, &record)?;
                    }
                    found.super_pixels.push(record);
                    notice
                }
                Err(problem) => Some(problem),
            },
        };
        if let Some(problem) = problem {
            eprintln!("{}", declared.locate(&problem));
        }
    }
    if !args.json {
        found.print_tables(&mut out)?;
    }
    if args.listing {
        print_listings(&mut out, &found.analogue)?;
        print_digital_listings(&mut out, &found.digital)?;
        print_super_pixel_listings(&mut out, &found.super_pixels)?;
        found.networks.iter().try_for_each(|record| record.print_listing(&mut out))?;
        found.in_pixel.iter().try_for_each(|record| record.print_listings(&mut out))?;
        found.automata.iter().try_for_each(|record| record.print_listing(&mut out))?;
    }
    Ok(found.len() == chosen.len())
}

/// What was found, by the kind of filter.
#[derive(Default)]
struct Records {
    analogue: Vec<Record>,
    digital: Vec<DigitalRecord>,
    super_pixels: Vec<SuperPixelRecord>,
    networks: Vec<NetworkRecord>,
    in_pixel: Vec<InPixelRecord>,
    automata: Vec<AutomatonRecord>,
}

impl Records {
    fn len(&self) -> usize {
        let filters = self.analogue.len() + self.digital.len() + self.super_pixels.len();
        filters + self.networks.len() + self.in_pixel.len() + self.automata.len()
    }

    /// The tables of filters on bits and of networks; that of the others is printed while they are searched for.
    fn print_tables(&self, out: &mut impl Write) -> io::Result<()> {
        let mut is_first = self.analogue.is_empty();
        let mut separate = |out: &mut dyn Write, is_empty: bool| {
            if is_empty || std::mem::take(&mut is_first) { Ok(()) } else { writeln!(out) }
        };
        separate(out, self.digital.is_empty())?;
        if !self.digital.is_empty() {
            let table = Table::new(&digital::TITLES, self.digital.iter().map(|record| record.name.as_str()), 6);
            table.head(out)?;
            self.digital.iter().try_for_each(|record| table.row(out, &record.row()))?;
        }
        separate(out, self.super_pixels.is_empty())?;
        if !self.super_pixels.is_empty() {
            let names = self.super_pixels.iter().map(|record| record.name.as_str());
            let table = Table::new(&superpixel::TITLES, names, 6);
            table.head(out)?;
            self.super_pixels.iter().try_for_each(|record| table.row(out, &record.row()))?;
        }
        separate(out, self.networks.is_empty())?;
        if !self.networks.is_empty() {
            network::print_table(out, &self.networks)?;
        }
        separate(out, self.in_pixel.is_empty())?;
        if !self.in_pixel.is_empty() {
            in_pixel::print_table(out, &self.in_pixel)?;
        }
        separate(out, self.automata.is_empty())?;
        if !self.automata.is_empty() {
            automaton::print_table(out, &self.automata)?;
        }
        Ok(())
    }
}

/// The digital programs, each with the registers of its numbers.
fn print_digital_listings(out: &mut impl Write, records: &[DigitalRecord]) -> io::Result<()> {
    for record in records {
        writeln!(out, "\n// {}", record.name)?;
        for (role, numbers) in [("in", &record.input_bits), ("out", &record.output_bits)] {
            for (name, bits) in numbers {
                writeln!(out, "// {role} {name}: {}, lowest bit first", bits.join(" "))?;
            }
        }
        record.listing.iter().try_for_each(|word| writeln!(out, "{word}"))?;
    }
    Ok(())
}

/// The programs on super-pixels, each with the registers of its numbers and what is done once.
fn print_super_pixel_listings(out: &mut impl Write, records: &[SuperPixelRecord]) -> io::Result<()> {
    for record in records {
        writeln!(out, "\n// {}", record.name)?;
        for (role, numbers) in [("in", &record.inputs), ("out", &record.outputs)] {
            for (name, place) in numbers {
                let analogue = place.analogue.as_ref().map_or_else(String::new, |register| format!(", {register}"));
                writeln!(out, "// {role} {name}: {}, bank {}{analogue}", place.register, place.bank)?;
            }
        }
        writeln!(out, "// once, after which {} must be kept:", record.reserved.join(" "))?;
        record.setup.iter().try_for_each(|step| writeln!(out, "{step}"))?;
        writeln!(out, "// each time:")?;
        let steps = record.before.iter().chain(&record.listing).chain(&record.after);
        steps.into_iter().try_for_each(|step| writeln!(out, "{step}"))?;
    }
    Ok(())
}

fn row(record: &Record) -> [String; TITLES.len()] {
    [
        record.name.clone(),
        or_dash(record.macros),
        record.icws.to_string(),
        record.lower_bound.to_string(),
        record.depth.to_string(),
        record.peak_gain.clone(),
        or_dash(record.noise.map(|noise| format!("{noise:.1}"))),
        record.offset_errors(),
        format!("{:.1}", record.rms),
        format!("{:.1}", tenths(record.bias)),
        record.nodes.to_string(),
        format!("{:.1}", record.ms_to_first),
        format!("{:.1}", record.ms_to_best),
        format!("{:.1}", record.ms),
        record.stop.clone(),
    ]
}

/// The programs, each under its name, to be pasted into kernels of the vendor's library.
fn print_listings(out: &mut impl Write, records: &[Record]) -> io::Result<()> {
    for record in records {
        writeln!(out, "\n// {}", record.name)?;
        if let Some(moved) = &record.approximated {
            writeln!(out, "// weights in multiples of 1/2^{}, moved by {} in all", moved.depth, moved.error)?;
        }
        for instruction in &record.listing {
            writeln!(out, "{instruction}")?;
        }
    }
    Ok(())
}
