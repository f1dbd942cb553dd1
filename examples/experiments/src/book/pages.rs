//! The file of the opening book.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::job::Job;
use super::list::Kernels;

/// The beginning of the file.
const HEAD: &str = "\
# The opening book, as `mod.rs` describes it. `cain-experiments book` writes it, for the kernels in
# `examples/experiments/src/book/kernels.txt`.
";

/// What so many nodes find and prove is not in the file, which has 64 KB at most.
const AT_ONCE: u64 = 100;

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
            let Some(lines) = self.0.get(*title) else { continue };
            let mut lines = without_longer(lines);
            lines.retain(|line| Line::parse(line).is_none_or(|line| !line.is_found_at_once()));
            if !lines.is_empty() {
                // Writing to a string cannot fail.
                let _ = write!(text, "\n{title}\n{}\n", lines.join("\n"));
            }
        }
        text
    }

    /// The fewest registers beside those of the input and the outputs that the program of a search takes, if that was done
    /// with as large a budget.
    pub(super) fn least(&self, job: &Job<'_>) -> Option<usize> {
        let mut lines = self.0.get(job.kernels.text)?.iter().filter_map(|line| Line::parse(line));
        let line = lines.find(|line| line.is_of(job))?;
        (line.nodes()? >= job.nodes || line.is_proved()).then_some(line.least)
    }

    /// Puts in what a search has found, in place of what an earlier one has.
    pub(super) fn put(&mut self, job: &Job<'_>, title: String, entry: String) {
        let lines = self.0.entry(title).or_default();
        lines.retain(|line| Line::parse(line).is_none_or(|line| !line.is_of(job)));
        lines.push(entry);
    }
}

/// Lines in order; in more registers the program of fewer ones stands where it is shorter.
fn without_longer(lines: &[String]) -> Vec<String> {
    let all: Vec<Line<'_>> = lines.iter().filter_map(|line| Line::parse(line)).collect();
    let mut kept: Vec<Line<'_>> = Vec::new();
    for line in &all {
        let of_form = || all.iter().filter(|other| other.begin == line.begin);
        let most = of_form().map(|other| other.most).max().unwrap_or(line.most);
        let best = |registers: usize| {
            let possible = of_form().filter(move |other| other.least <= registers);
            possible.min_by_key(|other| (other.length(), other.most < registers, Reverse(other.least)))
        };
        let mut own = (line.least..=most).filter(|registers| best(*registers).is_some_and(|best| best == line));
        if let Some(least) = own.next() {
            kept.push(Line { least, most: own.next_back().unwrap_or(least), ..*line });
        }
    }
    let mut lines: Vec<String> = kept.iter().map(Line::text).collect();
    lines.sort_unstable();
    lines
}

/// A line of the book.
#[derive(PartialEq)]
struct Line<'a> {
    /// The instruction set and the form.
    begin: &'a str,
    /// The numbers of further registers.
    least: usize,
    most: usize,
    /// What follows, with the program at the end.
    rest: &'a str,
}

impl<'a> Line<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (at, _) = line.match_indices(' ').nth(1)?;
        let (begin, after) = line.split_at(at);
        let (more, rest) = after.trim_start().split_once(' ')?;
        let (least, most) = more.split_once("..")?;
        Some(Self { begin, least: least.parse().ok()?, most: most.parse().ok()?, rest })
    }

    /// Whether it has the program of a search in as many registers.
    fn is_of(&self, job: &Job<'_>) -> bool {
        self.begin == job.begin().trim_end() && self.most == job.more
    }

    /// Whether any search finds and proves it sooner than a longer file can be read.
    fn is_found_at_once(&self) -> bool {
        self.is_proved() && self.nodes().is_some_and(|nodes| nodes <= AT_ONCE)
    }

    /// The nodes of the search.
    fn nodes(&self) -> Option<u64> {
        self.rest.split(' ').next()?.parse().ok()
    }

    fn is_proved(&self) -> bool {
        self.rest.contains(" proved ")
    }

    fn length(&self) -> usize {
        self.rest.matches(';').count()
    }

    fn text(&self) -> String {
        let Self { begin, least, most, rest } = self;
        format!("{begin} {least}..{most} {rest}")
    }
}

#[cfg(test)]
mod tests {
    use super::without_longer;

    #[test]
    fn more_registers_never_take_longer() {
        let lines =
            ["native A>A 1..2 9 1 nodes mov(B,A);mov(A,B);", "native A>A 3..5 9 1 nodes mov(B,A);mov(C,B);mov(A,C);"];
        let kept = without_longer(&lines.map(str::to_owned));
        assert_eq!(kept, ["native A>A 1..5 9 1 nodes mov(B,A);mov(A,B);"]);
        assert_eq!(without_longer(&kept), kept);
        // A form of its own, and a shorter one in more registers.
        let lines =
            [lines[0], "native &A>B 1..4 9 1 nodes mov(B,A);mov(C,B);mov(B,C);", "native A>A 3..5 9 1 nodes mov(A,A);"];
        assert_eq!(without_longer(&lines.map(str::to_owned)).len(), 3);
    }
}
