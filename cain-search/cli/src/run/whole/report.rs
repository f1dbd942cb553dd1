//! What is told about the frames of a run.

use std::io::{self, Write as _};

use cain_runtime::trace;
use cain_vision::Compiled;
use cain_vision::reference::{Answer, Content};
use serde::Serialize;
use serde_json::{Value, json};

use super::super::Run;
use crate::chip::{Errors, ResultRecord};
use crate::json::{as_map, print_object};
use crate::table::Table;
use crate::vision::longest;

/// The frames so far.
pub(super) struct Report {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
    /// What the longest frame costs.
    longest: String,
    /// How far the results are from those of an ideal array, as far as there is one.
    errors: Errors,
    as_json: bool,
}

impl Report {
    pub(super) fn new(compiled: &Compiled, args: &Run) -> Self {
        let declaration = compiled.declaration();
        let names = declaration.results.iter().map(|result| result.name.clone()).collect();
        let (longest, errors) = (longest(compiled.program()), Errors::new(declaration));
        Self { names, rows: Vec::new(), longest, errors, as_json: args.json }
    }

    /// Tells of a frame, and how far it is from what an ideal array makes of it.
    pub(super) fn frame(&mut self, number: usize, answers: &[Answer], wanted: Option<&[Answer]>) -> io::Result<()> {
        if let Some(wanted) = wanted {
            self.errors.frame(answers, wanted);
        }
        if !self.as_json {
            let cells = answers.iter().map(cell);
            self.rows.push(std::iter::once(number.to_string()).chain(cells).collect());
            return Ok(());
        }
        let frame = std::iter::once(("frame", json!(number)));
        let results = self.names.iter().map(String::as_str).zip(answers.iter().map(value));
        let errors = wanted.map(|_| ("errors", json!(self.errors.take())));
        print_object(&mut io::stdout().lock(), &Line { values: frame.chain(results).chain(errors).collect() })
    }

    /// Tells of all frames.
    pub(super) fn end(&self, costs: &trace::Report) -> io::Result<()> {
        if self.as_json {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        let titles: Vec<&str> = std::iter::once("frame").chain(self.names.iter().map(String::as_str)).collect();
        let numbers = self.rows.iter().filter_map(|row| row.first().map(String::as_str));
        let mut table = Table::new(&titles, numbers, 6);
        for column in 1..titles.len() {
            let widest = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
            table = table.widened(column, widest.unwrap_or_default());
        }
        table.head(&mut out)?;
        self.rows.iter().try_for_each(|row| table.row(&mut out, row))?;
        let each = costs.microseconds_per_frame();
        writeln!(out, "\nthe longest frame: {}; these frames: {each:.2} µs each with read-outs", self.longest)?;
        let records = self.errors.records();
        if !records.is_empty() {
            writeln!(out, "\nbeside an ideal array with the same frames:")?;
        }
        records.iter().try_for_each(|ResultRecord { name, of }| writeln!(out, "  `{name}`: {}", of.told()))
    }
}

/// A frame, as JSON an object.
#[derive(Serialize)]
struct Line<'n> {
    #[serde(flatten, serialize_with = "as_map")]
    values: Vec<(&'n str, Value)>,
}

/// A result in the table: numbers, the ones of a plane of bits, the mean of one of levels, the entries of a list.
fn cell(answer: &Answer) -> String {
    match answer {
        Answer::One(Content::Number(number)) => number.to_string(),
        Answer::One(Content::Bits(bits)) => format!("{} ones", ones(bits)),
        Answer::One(Content::Levels(levels)) => format!("{:.1} DN", mean(levels)),
        Answer::Several(numbers) => match found(numbers) {
            Some(numbers) => numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            None => "-".to_owned(),
        },
        Answer::List(entries) => {
            let entry = |entry: &Vec<i64>| entry.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            if entries.is_empty() { "-".to_owned() } else { entries.iter().map(entry).collect::<Vec<_>>().join("; ") }
        }
    }
}

/// A result as JSON.
fn value(answer: &Answer) -> Value {
    match answer {
        Answer::One(Content::Number(number)) => json!(number),
        Answer::One(Content::Bits(bits)) => json!({ "ones": ones(bits) }),
        Answer::One(Content::Levels(levels)) => {
            let least = levels.iter().copied().reduce(f64::min);
            let largest = levels.iter().copied().reduce(f64::max);
            json!({ "least": least, "mean": mean(levels), "largest": largest })
        }
        Answer::Several(numbers) => found(numbers).map_or(Value::Null, |numbers| json!(numbers)),
        Answer::List(entries) => {
            let entry = |entry: &Vec<i64>| if let [only] = entry.as_slice() { json!(only) } else { json!(entry) };
            Value::Array(entries.iter().map(entry).collect())
        }
    }
}

/// The numbers in front of one that tells whether there are any.
fn found(numbers: &[i64]) -> Option<&[i64]> {
    numbers.split_last().filter(|(found, _)| **found != 0).map(|(_, numbers)| numbers)
}

fn ones(bits: &[bool]) -> usize {
    bits.iter().filter(|bit| **bit).count()
}

#[expect(clippy::cast_precision_loss, reason = "an array has fewer PEs than 2^53")]
fn mean(levels: &[f64]) -> f64 {
    levels.iter().sum::<f64>() / levels.len().max(1) as f64
}
