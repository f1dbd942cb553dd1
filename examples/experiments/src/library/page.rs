//! The page: a table for each group of programs, and the sums.

use std::fmt::Write as _;

use super::rows::{Group, Hand, Kind, Listed, Row};
use super::running::{Longest, Made};

/// The folder of the pictures, beside the page.
pub(super) const PICTURES: &str = "library";

/// What is told of a row.
#[derive(Clone, Default)]
pub(super) struct Found {
    /// What the frame of the picture and the longest frame take, if there is a declaration.
    pub(super) costs: Option<(Hand, Longest)>,
    /// Results that are no planes.
    pub(super) told: String,
}

/// Something beside what it takes by hand.
pub(super) struct Compared {
    pub(super) what: String,
    pub(super) took: Hand,
    pub(super) hand: Hand,
}

/// The name of the picture of a declaration.
pub(super) fn picture(program: &str) -> String {
    format!("{}.png", program.replace(':', "-"))
}

/// Results that are no planes, as words.
pub(super) fn told(results: &[(String, Made)]) -> String {
    let told = |(name, made): &(String, Made)| match made {
        Made::Number(number) => Some(format!("`{name}` is {number}")),
        Made::Numbers(entries) => Some(match entries.as_slice() {
            [] => format!("`{name}` has nothing"),
            [only] => {
                let numbers: Vec<String> = only.iter().map(ToString::to_string).collect();
                format!("`{name}` is {}", numbers.join(" "))
            }
            more => format!("`{name}` has {}", more.len()),
        }),
        Made::Levels(_) | Made::Bits(_) => None,
    };
    results.iter().filter_map(told).collect::<Vec<_>>().join(", ")
}

/// The page, with what was found for each row in the order of the list.
pub(super) fn page(library: &Listed, found: &[Found], anchors: &[Compared]) -> String {
    let mut page = format!("{INTRODUCTION}{}", sums(library, found));
    page += "\n## Words against those by hand\n\n| what | words | by hand | |\n|---|---|---|---|\n";
    let mut sum = (0, 0);
    for Compared { what, took, hand } in anchors {
        sum = (sum.0 + took.words, sum.1 + hand.words);
        line(&mut page, &[what, &calls(*took), &calls(*hand), &percent(took.words, hand.words)]);
    }
    line(&mut page, &["sum", &sum.0.to_string(), &sum.1.to_string(), &percent(sum.0, sum.1)]);
    page += ANCHORS;
    let mut found = found.iter();
    for group in &library.group {
        let Group { title, text, program, .. } = group;
        let _ = write!(page, "\n## {title}\n\n{}\n\n{TITLES}", text.trim());
        for (row, found) in program.iter().zip(found.by_ref()) {
            entry(&mut page, row, found);
        }
    }
    page
}

/// How many programs are declared, and their words beside those by hand.
fn sums(library: &Listed, found: &[Found]) -> String {
    let groups = || library.group.iter().filter(|group| group.kind != Kind::Own);
    let public = groups().filter(|group| group.kind == Kind::Code).flat_map(|group| &group.program);
    let public = public.filter(|row| row.of.is_some()).count();
    let rows = || groups().flat_map(|group| &group.program).filter(|row| row.of.is_some() && row.computes);
    let (computes, declared) = (rows().count(), rows().filter(|row| row.program.is_some()).count());
    let all = library.group.iter().flat_map(|group| &group.program).zip(found);
    let pairs: Vec<(u64, u64)> = all.filter_map(|(row, found)| Some((found.costs?.0.words, row.hand?.words))).collect();
    let (words, hand) = pairs.iter().fold((0, 0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    let above = pairs.iter().filter(|(words, hand)| words > hand).count();
    format!(
        "Of {public} public programs with code and two from papers, {computes} compute something; **{declared}** of these are \
         declared. {} rows have a count by hand for what is in the picture: {words} words against {hand}, {}, and {above} of them \
         take more than by hand.\n",
        pairs.len(),
        percent(words, hand)
    )
}

/// A row of the table of a group.
fn entry(page: &mut String, row: &Row, found: &Found) {
    let name = row.of.as_deref().unwrap_or("");
    let link = row.declared().map(|(file, name)| format!("[`{name}`](../examples/programs/{file}.cain)"));
    let drawn = row.program.as_deref().map(|program| format!("![{}]({PICTURES}/{})", row.what, picture(program)));
    let texts = [Some(row.what.clone()), row.note.clone(), Some(found.told.clone())].into_iter().flatten();
    let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
    let hand = row.hand.map(calls).unwrap_or_default();
    let (words, longest, ratio) = match found.costs {
        Some((took, longest)) => {
            let open = if longest.is_open { "…" } else { "" };
            let ratio = row.hand.map(|hand| percent(took.words, hand.words)).unwrap_or_default();
            (calls(took), format!("{}{open} in {}{open}", longest.words, longest.calls), ratio)
        }
        None => Default::default(),
    };
    let drawn = drawn.unwrap_or_default();
    line(page, &[name, &link.unwrap_or_default(), &drawn, &texts.join("; "), &words, &hand, &ratio, &longest]);
}

fn line(page: &mut String, cells: &[&str]) {
    let _ = writeln!(page, "| {} |", cells.join(" | "));
}

/// Words, and calls for levels and for regions.
fn calls(cost: Hand) -> String {
    let Hand { words, levels, regions } = cost;
    let mut text = words.to_string();
    for (number, kind) in [(levels, "L"), (regions, "R")] {
        if number > 0 {
            let _ = write!(text, " + {number}{kind}");
        }
    }
    text
}

fn percent(part: u64, of: u64) -> String {
    match (100 * part + of / 2).checked_div(of) {
        Some(percent) => format!("{percent} %"),
        None => String::new(),
    }
}

const TITLES: &str = "\
| public program | declared | picture | what it computes | words | by hand | | longest frame |
|---|---|---|---|---|---|---|---|
";

const INTRODUCTION: &str = "\
# The library of programs

Public programs for SCAMP, declared in the [language of programs](programs.md). Each was run on the simulated array, without
errors, on a few drawn frames or on the example picture. Pictures show what it was given, or what else is told, and results
of the last frame: bits are black and white, levels from black for the least to white for the largest one; rectangles and
points are drawn in colour. Every declaration is tested against the same in plain Rust.

*words* are the control words of the frame that took most of them in the run of the picture, without taking the picture; `L` is a
call that sets the level of all PEs, `R` one that sets a rectangle or a pattern. *by hand* is the same for the public program
with these parameters, counted in its source by eye, so that it may be off by a few. *longest frame* tells what `cain compile`
does: words and calls of the controller for the worst picture and the worst parameters; `…` where the number of passes of a loop is
open, and one of them counts. This page is written by `cain-experiments library`, and must not be changed by hand.

";

const ANCHORS: &str = "
The exact count is a read-out here, without words; by hand, ones fall down their columns, and 256 events are read as well.
";
