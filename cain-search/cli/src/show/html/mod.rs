//! A self-contained page that steps through a program; without scripts it shows all steps.

mod stage;

use super::facts;
use super::svg::card::{Look, card};
use super::svg::markup::{Markup, STYLE, escaped, typeset};
use super::svg::{Cards, LEGEND, picture};
use super::trace::Trace;
use cain_codegen::Plan;
use stage::Stage;

const PAGE: &str = include_str!("page.html");
const PAGE_STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page of a program.
pub(crate) fn html(plan: &Plan, doc: Option<&str>, trace: &Trace, look: &Look) -> String {
    let last = trace.steps.len().to_string();
    fill(
        PAGE,
        &[
            ("name", &escaped(&plan.declaration().name)),
            ("style", &format!("{STYLE}{PAGE_STYLE}")),
            ("values", &values(trace, look)),
            ("facts", &head(plan, doc)),
            ("listing", &listing(trace)),
            ("last", &last),
            ("steps", &steps(trace, look)),
            ("picture", &picture(plan, trace, look, Cards::Defined)),
            ("legend", &escaped(LEGEND)),
            ("script", SCRIPT),
        ],
    )
}

/// Replaces each `{{name}}` in a template by a text, which is not a template itself.
fn fill(template: &str, texts: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut parts = template.split("{{");
    filled.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = part.split_once("}}").unwrap_or(("", part));
        filled.push_str(texts.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text));
        filled.push_str(rest);
    }
    filled
}

/// Every value, drawn once.
fn values(trace: &Trace, look: &Look) -> String {
    let mut svg = Markup::default();
    for (index, value) in trace.values.iter().enumerate() {
        svg.add(format_args!(r#"<g id="v{index}">"#));
        svg.add(format_args!("{}</g>", card(look, value)));
    }
    svg.into_text()
}

fn head(plan: &Plan, doc: Option<&str>) -> String {
    let mut html = Markup::default();
    for line in doc.into_iter().flat_map(str::lines) {
        html.add(format_args!("<p>{}</p>", escaped(line)));
    }
    for kernel in facts::kernels(plan) {
        html.add(format_args!(r#"<p class="code">{}</p>"#, escaped(&typeset(&kernel))));
    }
    let facts = [facts::costs(plan), facts::figures(plan), facts::registers(plan), facts::origin(plan)];
    html.add(format_args!("<ul>"));
    for fact in facts.iter().chain(&facts::accuracy(plan)).chain(&facts::proof(plan)) {
        html.add(format_args!("<li>{}</li>", escaped(&typeset(fact))));
    }
    html.add(format_args!("</ul>"));
    html.into_text()
}

/// The list of instructions to jump to.
fn listing(trace: &Trace) -> String {
    let mut html = Markup::default();
    html.add(format_args!(r#"<li><button type="button" data-step="0"><span>inputs</span></button></li>"#));
    for (number, step) in (1..).zip(&trace.steps) {
        html.add(format_args!(
            r#"<li><button type="button" data-step="{number}"><code>{}</code></button></li>"#,
            step.instruction
        ));
    }
    html.into_text()
}

/// The section for each instruction.
fn steps(trace: &Trace, look: &Look) -> String {
    let mut html = Markup::default();
    let stage = Stage { trace, look };
    for number in 0..=trace.steps.len() {
        let step = number.checked_sub(1).and_then(|last| trace.steps.get(last));
        let title = step.map_or_else(|| "inputs".to_owned(), |step| step.instruction.to_string());
        let makes: Vec<String> =
            step.into_iter().flat_map(|step| &step.results).map(|made| typeset(&trace.spelled(made))).collect();
        html.add(format_args!(r#"<section class="step" data-step="{number}">"#));
        html.add(format_args!("<h2><small>{number}</small> <code>{}</code></h2>", escaped(&title)));
        html.add(format_args!(r#"<p class="code">{}</p>"#, escaped(&makes.join("   "))));
        html.add(format_args!("{}</section>", stage.draw(number)));
    }
    html.into_text()
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn what_is_filled_in_is_no_template() {
        assert_eq!(fill("<{{a}}|{{b}}>", &[("a", "{{b}}"), ("b", "2")]), "<{{b}}|2>");
    }
}
