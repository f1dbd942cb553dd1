//! Documentation of generated items.

use cain_isa::Times;
use cain_search::switches::SwitchTable;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

use crate::duration::microseconds;

/// What is told of a function that has no program.
pub(super) fn of_stub() -> Vec<Vec<String>> {
    ["# Panics", "Always: there is no program."].map(|line| vec![line.to_owned()]).into()
}

/// Paragraphs after the user's own documentation, and what is said of errors if that does not.
pub(super) fn after(attributes: &[Attribute], paragraphs: &[Vec<String>]) -> TokenStream {
    let written: Vec<String> = attributes.iter().filter_map(doc_text).collect();
    let errors = ["# Errors", "Those of the host controller."].map(|line| vec![line.to_owned()]);
    let tells_errors = written.iter().any(|text| text.contains("# Errors"));
    let more = if tells_errors { &[][..] } else { &errors };
    let mut docs = TokenStream::new();
    for (index, paragraph) in paragraphs.iter().chain(more).enumerate() {
        if index > 0 || !written.is_empty() {
            docs.extend(line(""));
        }
        docs.extend(paragraph.iter().map(|text| line(text)));
    }
    docs
}

/// How long those of one table may have to wait.
pub(super) fn waiting(table: &SwitchTable, times: &Times) -> String {
    let others = table.others();
    let analogue = others.analogue().iter().map(|reg| format!("`{reg}`"));
    let bits = others.bits().map(|bit| format!("`{bit}`"));
    let latency = table.latency();
    format!(
        "May be interrupted by programs on {}: they begin at most {} ({}) after a request, and cost it at most {} more.",
        analogue.chain(bits).collect::<Vec<_>>().join(", "),
        count(latency, "control word"),
        microseconds(u64::from(latency) * u64::from(times.analogue)),
        count(table.most_extra(), "control word"),
    )
}

/// A line of documentation.
pub(super) fn line(text: &str) -> TokenStream {
    // Rustdoc removes the blank that people write after `///`.
    let text = if text.is_empty() { String::new() } else { format!(" {text}") };
    quote!(#[doc = #text])
}

/// The text of the doc comments of a function; `None` if there are none.
#[cfg(any(feature = "blocks", feature = "programs"))]
pub(crate) fn documentation(attributes: &[Attribute]) -> Option<String> {
    let lines: Vec<String> = attributes.iter().filter_map(doc_text).collect();
    let line = |line: &String| line.strip_prefix(' ').unwrap_or(line).to_owned();
    (!lines.is_empty()).then(|| lines.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// The text of a doc comment.
fn doc_text(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => Some(String::new()),
        },
        _ => None,
    }
}

/// Listings of more lines are folded.
const FOLDED: usize = 64;

/// A listing, line by line.
pub(super) fn listing(lines: impl IntoIterator<Item = impl ToString>) -> Vec<String> {
    let text = |text: &str| text.to_owned();
    let lines: Vec<String> = lines.into_iter().map(|line| line.to_string()).collect();
    let count = lines.len();
    let fenced: Vec<String> = [text("```text")].into_iter().chain(lines).chain([text("```")]).collect();
    if count <= FOLDED {
        return fenced;
    }
    // Markdown inside of HTML begins after an empty line.
    let summary = format!("<details><summary>The listing, of {count} lines</summary>");
    [summary, String::new()].into_iter().chain(fenced).chain([String::new(), text("</details>")]).collect()
}

pub(super) fn count(number: u32, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}
