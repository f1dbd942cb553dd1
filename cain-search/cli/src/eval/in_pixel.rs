//! Evaluates networks in the pixels on one picture after the other.

use std::io::{self, Write as _};

use cain_codegen::kernel_file::{DeclaredInPixel, load_machine};
use cain_codegen::kinds::InPixel;
use cain_in_pixel::Compiled;
use cain_isa::Bit;
use cain_isa::program::Count;
use cain_runtime::dense::largest;
use cain_runtime::network::counts;
use cain_runtime::program::{Place, carry_out};
use cain_runtime::sim::Array;
use serde::Serialize;

use super::args::Eval;
use super::compiled::compiled;
use super::pictures::{each, pictures};
use super::{misread, report};
use crate::data::Labelled;
use crate::json::{as_map, print_object};
use crate::kinds::{Shown as _, print_table};
use crate::program::ProgramRecord;
use crate::share::share;
use crate::watch::Interrupt;

/// The values, in DN, of a pixel of full ink and of one of background when a picture is taken.
const LEVELS: [f32; 2] = [100.0, -100.0];

/// Evaluates a network in the pixels.
pub(super) fn evaluate(args: &Eval, declared: &DeclaredInPixel, interrupt: &Interrupt) -> Result<Report, Vec<String>> {
    let one = |problem: String| vec![problem];
    if args.nodes.is_some() {
        return Err(one("networks in the pixels are not searched for; leave `--nodes` out".to_owned()));
    }
    let (_, errors) = load_machine(&args.file).map_err(|error| error.messages())?;
    let compiled = compiled(args, declared, interrupt)?;
    let side = declared.network.picture;
    let data = pictures(args, (side, side)).map_err(one)?;
    let mut array = Array::new(declared.network.side, declared.network.side)
        .machine(declared.network.machine)
        .errors(args.model.errors(errors))
        .seed(args.seed);
    for plane in compiled.planes() {
        array.load_bits(Bit::Reg(plane.register), &plane.bits).map_err(|error| one(error.to_string()))?;
    }
    let pictures: Vec<(&[u8], usize)> = data.iter().collect();
    let answers = each(&pictures, interrupt, |_, (picture, _)| {
        let pixels: Vec<u8> = picture.iter().map(|grey| declared.pixel(*grey)).collect();
        answer(&compiled, array.clone(), &pixels)
    });
    let answers = answers.map_err(one)?;
    misread::write(args, &pictures, answers.iter().map(|answer| answer.class), side).map_err(one)?;
    let program = ProgramRecord::of("in_pixel", &compiled.program(&declared.name), compiled.switches());
    Ok(Report::new(program, &data, &answers))
}

/// The largest number of classes of a network in the pixels.
const MOST_CLASSES: usize = Count::MOST_CLASSES;

/// The answer for one picture.
struct Answer {
    /// The class that the array found.
    class: usize,
    /// The class according to exact sums.
    exact: usize,
}

fn answer(compiled: &Compiled, mut array: Array, pixels: &[u8]) -> Result<Answer, String> {
    array.load_reg(compiled.input(), &compiled.seen(pixels, LEVELS)).map_err(|error| error.to_string())?;
    let mut read = [0.0; MOST_CLASSES];
    let steps = compiled.parts().iter().flat_map(|part| &part.steps);
    carry_out(&mut array, steps, &[], &[Place::default()], &mut read).map_err(|error| error.to_string())?;
    let scores: [i32; MOST_CLASSES] = counts(&read, 0);
    let scores = scores.get(..compiled.network().classes()).unwrap_or_default();
    Ok(Answer { class: largest(scores), exact: largest(&compiled.network().scores(pixels)) })
}

/// How well a network in the pixels recognises pictures, and what it costs.
pub(super) struct Report {
    figures: Figures,
    record: ProgramRecord,
    classes: Vec<String>,
    labels: Vec<usize>,
    agreeing: usize,
}

/// The figures of the JSON object, by their keys.
#[derive(Serialize)]
struct Figures {
    network: String,
    images: usize,
    correct: usize,
    accuracy: f64,
    words: usize,
    /// The components, by name, with their microseconds.
    #[serde(serialize_with = "as_map")]
    components: Vec<(String, f64)>,
    total_us: f64,
    predictions: Vec<usize>,
}

impl Report {
    fn new(record: ProgramRecord, data: &Labelled, answers: &[Answer]) -> Self {
        let labels: Vec<usize> = data.iter().map(|(_, label)| label).collect();
        let correct = answers.iter().zip(&labels).filter(|(answer, label)| answer.class == **label).count();
        let components = record.parts.iter().map(|part| (part.name.replace(' ', "_"), part.us));
        Self {
            figures: Figures {
                network: record.name.clone(),
                images: answers.len(),
                correct,
                accuracy: share(correct, answers.len()),
                words: record.words,
                components: components.collect(),
                total_us: record.us,
                predictions: answers.iter().map(|answer| answer.class).collect(),
            },
            record,
            classes: data.classes().to_vec(),
            labels,
            agreeing: answers.iter().filter(|answer| answer.class == answer.exact).count(),
        }
    }

    pub(super) fn print(&self, json: bool) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if json {
            return print_object(&mut out, &self.figures);
        }
        print_table(&mut out, InPixel::TITLES, &self.record.rows(InPixel::TITLES))?;
        writeln!(out)?;
        let Figures { images, correct, accuracy, words, total_us, predictions, .. } = &self.figures;
        report::confusion(&mut out, &self.classes, &self.labels, predictions)?;
        writeln!(out)?;
        writeln!(out, "{correct} of {images} pictures are recognised: {:.2} %", 100.0 * accuracy)?;
        let agreeing = 100.0 * share(self.agreeing, *images);
        writeln!(out, "the class is that of exact sums in {agreeing:.2} %")?;
        let lines = || self.record.parts.iter().flat_map(|part| &part.listing);
        if lines().any(|line| line.starts_with("scamp5_scan_dreg")) {
            return writeln!(out, "{words} words and a scan of bits in {total_us:.1} µs");
        }
        let sums = lines().filter(|line| line.starts_with("scamp5_global_sum")).count();
        writeln!(out, "{words} words in {total_us:.1} µs, and {sums} sums of the array")
    }
}
