//! The output of `cain eval` for a network.

use std::io::{self, Write};

use cain_network::CompiledNetwork;
use serde::Serialize;

use super::array::Answer;
use super::costs::{Costs, StageCosts};
use crate::data::Labelled;
use crate::json::print_object;
use crate::share::share;
use crate::table::{Table, or_dash};

/// How well a network recognises pictures, and what it costs.
pub(super) struct Report {
    figures: Figures,
    classes: Vec<String>,
    labels: Vec<usize>,
    agreeing: usize,
    same: usize,
    costs: Costs,
}

/// The figures of the JSON object, by their keys.
#[derive(Serialize)]
struct Figures {
    network: String,
    images: usize,
    correct: usize,
    accuracy: f64,
    words: usize,
    array_us: f64,
    readout_us: f64,
    macs: u64,
    fps: f64,
    predictions: Vec<usize>,
}

impl Report {
    pub(super) fn new(compiled: &CompiledNetwork, data: &Labelled, answers: &[Answer], costs: Costs) -> Self {
        let labels: Vec<usize> = data.iter().map(|(_, label)| label).collect();
        let correct = answers.iter().zip(&labels).filter(|(answer, label)| answer.class == **label).count();
        Self {
            figures: Figures {
                network: compiled.network().name.clone(),
                images: answers.len(),
                correct,
                accuracy: share(correct, answers.len()),
                words: costs.words(),
                array_us: costs.microseconds(false),
                readout_us: costs.microseconds(true),
                macs: costs.macs(),
                fps: costs.fps(),
                predictions: answers.iter().map(|answer| answer.class).collect(),
            },
            classes: data.classes().to_vec(),
            labels,
            agreeing: answers.iter().filter(|answer| answer.class == answer.float).count(),
            same: answers.iter().filter(|answer| answer.same).count(),
            costs,
        }
    }

    pub(super) fn print(&self, json: bool) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if json {
            return print_object(&mut out, &self.figures);
        }
        self.stages(&mut out)?;
        writeln!(out)?;
        confusion(&mut out, &self.classes, &self.labels, &self.figures.predictions)?;
        writeln!(out)?;
        let Figures { images, correct, accuracy, .. } = &self.figures;
        writeln!(out, "{correct} of {images} pictures are recognised: {:.2} %", 100.0 * accuracy)?;
        let agreeing = 100.0 * share(self.agreeing, *images);
        let same = 100.0 * share(self.same, *images);
        writeln!(
            out,
            "compared with the network of the file in floating point: the same class in {agreeing:.2} %, all numbers from the array \
             in {same:.2} %"
        )?;
        let Figures { words, array_us, readout_us, macs, fps, .. } = &self.figures;
        writeln!(
            out,
            "{words} words in {array_us:.1} µs, read-outs in {readout_us:.1} µs, {macs} multiply-accumulates, {fps:.0} frames per second"
        )
    }

    /// Prints a line for each stage.
    fn stages(&self, out: &mut impl Write) -> io::Result<()> {
        let titles = ["stage", "words", "µs", "read-out µs", "MACs", "range used"];
        let table = Table::new(&titles, self.costs.stages.iter().map(|stage| stage.name.as_str()), 6);
        table.head(out)?;
        for stage in &self.costs.stages {
            let StageCosts { name, words, microseconds, is_readout, macs, used } = stage;
            let time = format!("{microseconds:.1}");
            let (array, readout) = if *is_readout { ("-".to_owned(), time) } else { (time, "-".to_owned()) };
            let used = or_dash(used.map(|(low, high)| format!("{low:.0}..{high:.0}")));
            table.row(out, &[name.clone(), words.to_string(), array, readout, macs.to_string(), used])?;
        }
        Ok(())
    }
}

/// Prints how often each class, by row, is taken for each class, by column.
pub(super) fn confusion(
    out: &mut impl Write,
    classes: &[String],
    labels: &[usize],
    predictions: &[usize],
) -> io::Result<()> {
    let columns = predictions.iter().map(|class| class + 1).max().unwrap_or(0).max(classes.len());
    let name = |class: usize| classes.get(class).cloned().unwrap_or_else(|| class.to_string());
    let names: Vec<String> = (0..columns).map(name).collect();
    let titles: Vec<&str> = std::iter::once("class").chain(names.iter().map(String::as_str)).collect();
    let table = Table::new(&titles, classes.iter().map(String::as_str), 4);
    table.head(out)?;
    for (label, class) in classes.iter().enumerate() {
        let of_label = labels.iter().zip(predictions).filter(|(found, _)| **found == label);
        let mut counts = vec![0_usize; columns];
        of_label.filter_map(|(_, &found)| counts.get_mut(found).map(|count| *count += 1)).for_each(drop);
        let cells = std::iter::once(class.clone()).chain(counts.iter().map(usize::to_string));
        table.row(out, &cells.collect::<Vec<_>>())?;
    }
    Ok(())
}
