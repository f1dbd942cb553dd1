//! The file of the opening book.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::job::Job;
use super::list::Kernels;

/// The beginning of the file.
const HEAD: &str = "\
# The opening book, as `mod.rs` describes it. `cain-experiments book` writes it, for the kernels in
# `examples/experiments/src/book/kernels.txt`.
";

/// The lines below the kernels that they are about.
pub(super) struct Pages(BTreeMap<String, Vec<String>>);

impl Pages {
    /// What a file has.
    pub(super) fn read(text: &str) -> Self {
        let paragraphs = text.split("\n\n").filter(|paragraph| !paragraph.starts_with('#'));
        let paragraph = |paragraph: &str| {
            let mut lines = paragraph.lines().map(str::to_owned);
            Some((lines.next()?, lines.collect()))
        };
        Self(paragraphs.filter_map(paragraph).collect())
    }

    /// The text of the file, in the order of the list.
    pub(super) fn text(&self, list: &[Kernels]) -> String {
        let mut text = HEAD.to_owned();
        for Kernels { text: title, .. } in list {
            if let Some(lines) = self.0.get(*title) {
                // Writing to a string cannot fail.
                let _ = write!(text, "\n{title}\n{}\n", lines.join("\n"));
            }
        }
        text
    }

    /// The fewest registers beside those of the input and the outputs that the program of a search takes, if that was done
    /// with as large a budget.
    pub(super) fn least(&self, job: &Job<'_>) -> Option<usize> {
        let line = self.0.get(job.kernels.text)?.iter().find(|line| is_of(line, job))?;
        let mut fields = line.split(' ').skip(2);
        let (least, _) = fields.next()?.split_once("..")?;
        let nodes: u64 = fields.next()?.parse().ok()?;
        (nodes >= job.nodes || line.contains(" proved ")).then(|| least.parse().ok())?
    }

    /// Puts in what a search has found, in place of what an earlier one has.
    pub(super) fn put(&mut self, job: &Job<'_>, title: String, entry: String) {
        let lines = self.0.entry(title).or_default();
        lines.retain(|line| !is_of(line, job));
        lines.push(entry);
        lines.sort_unstable();
    }
}

/// Whether a line has the program of a search in as many registers.
fn is_of(line: &str, job: &Job<'_>) -> bool {
    let more = line.strip_prefix(&job.begin()).and_then(|rest| rest.split_once(' '));
    more.is_some_and(|(more, _)| more.ends_with(&format!("..{}", job.more)))
}
