//! What a function returns.

use super::interface::{List, Returned};
use super::interval::Sort;
use super::names::{COUNT, RESULTS};
use super::naming::Names;
use super::ranges::Ranges;
use super::text::comment;

/// The structure of results that are numbers.
pub(super) fn structure(program: &str, names: &Names<'_>, ranges: &Ranges) -> Vec<String> {
    if names.results.is_empty() {
        return Vec::new();
    }
    let mut text = vec![
        comment(&format!("What a call of `{program}` results in. Rows count from the top, columns from the left")),
        format!("struct {program}{RESULTS}"),
        "{".to_owned(),
    ];
    for (result, name) in names.of.results.iter().zip(&names.results) {
        text.extend(members(&result.of, name, ranges).into_iter().map(|line| format!("    {line}")));
    }
    text.push("};".to_owned());
    text
}

/// The type of the numbers at these places.
fn of_all(places: &[usize], ranges: &Ranges) -> &'static str {
    if places.iter().all(|place| ranges.sort(*place) == Sort::Whole) { "int32_t" } else { "int64_t" }
}

fn members(of: &Returned, name: &str, ranges: &Ranges) -> Vec<String> {
    vec![match of {
        Returned::Number(place) => {
            let (low, high) = ranges.range(*place);
            let told = comment(&format!("{low} to {high}"));
            match ranges.sort(*place) {
                Sort::Whole => format!("int32_t {name}; {told}"),
                Sort::Wide => format!("int64_t {name};"),
            }
        }
        Returned::Found(places) if places.len() == 5 => {
            format!("struct {{ bool found; int32_t top, left, bottom, right; }} {name};")
        }
        Returned::Found(_) => format!("struct {{ bool found; int32_t row, column; }} {name};"),
        Returned::Tuple(places) => format!("{} {name}[{}];", of_all(places, ranges), places.len()),
        Returned::List(List { capacity, width, .. }) => {
            return vec![
                format!("int32_t {name}{COUNT}; // how many entries of `{name}` there are"),
                format!("int32_t {name}[{}][{width}];", (*capacity).max(1)),
            ];
        }
    }]
}

/// What is said about the function.
pub(super) fn told(program: &str, names: &Names<'_>) -> Option<String> {
    names.is_checked().then(|| {
        comment(&format!("{program}() returns whether all parameters are in their ranges; otherwise nothing is done"))
    })
}

/// Statements that write the results.
pub(super) fn given(names: &Names<'_>, ranges: &Ranges) -> Vec<String> {
    let whole = |place: &usize| {
        let number = names.number(*place);
        if names.sort(*place, ranges) == Sort::Whole { number } else { format!("int32_t({number})") }
    };
    let mut text = Vec::new();
    for (result, name) in names.of.results.iter().zip(&names.results) {
        match &result.of {
            Returned::Number(place) => {
                let number = names.number(*place);
                let is_whole = names.sort(*place, ranges) == Sort::Whole;
                let value = if is_whole { number } else { format!("int64_t({number})") };
                text.push(format!("results.{name} = {value};"));
            }
            Returned::Found(places) => {
                let members =
                    if places.len() == 5 { &["top", "left", "bottom", "right"][..] } else { &["row", "column"] };
                let Some((found, places)) = places.split_last() else { continue };
                text.push(format!("results.{name}.found = {} != 0;", whole(found)));
                for (member, place) in members.iter().zip(places) {
                    text.push(format!("results.{name}.{member} = {};", whole(place)));
                }
            }
            Returned::Tuple(places) => {
                let kind = of_all(places, ranges);
                for (at, place) in places.iter().enumerate() {
                    text.push(format!("results.{name}[{at}] = {kind}({});", names.number(*place)));
                }
            }
            Returned::List(_) => {}
        }
    }
    text
}
