//! Shows whole programs: parts, steps, where others may interrupt them, and the registers of what is kept.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use cain_analysis::owned::{Line, Program, Step, lines, with_points, written};
use cain_codegen::duration::microseconds;
use cain_codegen::kinds::Vision;
use cain_isa::{Instruction, Times};

use super::format::Format;
use super::frame;
use super::leaving::{at_point, of_tables};
use super::phrases::count;
use crate::chip;
use crate::kinds::Asked;
use crate::vision::{OfVision, ParameterRecord, PlaceRecord, longest};

/// A program as text or as a picture, with what is told beside it.
pub(crate) fn show(of: &Vision, asked: &Asked<'_, Vision>) -> Result<String, String> {
    let Asked { program, doc, format, details, .. } = *asked;
    let compiled = &asked.compiled.program;
    let doc = doc.into_iter().flat_map(str::lines).map(str::to_owned);
    let told = OfVision::with_errors(compiled);
    let leaving = of_tables(compiled.switches(), &program.times);
    let head: Vec<String> = doc.chain(head(program, &told)).chain(leaving).collect();
    if format == Format::Svg {
        return frame::svg(of, compiled, program, &told, &head);
    }
    details.check(program.steps().map(|step| lines(step, program.side()).len()).sum())?;
    let mut text = format!("{}\n", program.name);
    // Writing to a text cannot fail.
    for line in &head {
        let _ = writeln!(text, "  {line}");
    }
    // The last point at which it might be left.
    let mut point = 0;
    for part in &program.parts {
        let _ = writeln!(text, "\n{}:", part.name);
        let mut number = 0;
        for step in &part.steps {
            let mut is_shown = false;
            for Line { text: line, points } in with_points(step, program.side()) {
                let from = point + 1;
                point += points;
                number += 1;
                if !details.has(number) {
                    continue;
                }
                is_shown = true;
                let _ = writeln!(text, "{number:>4}  {line}");
                for way in (from..=point).flat_map(|point| at_point(compiled.switches(), point)) {
                    let _ = writeln!(text, "      < {way}");
                }
            }
            if let Some(effect) = effect(step, &program.times).filter(|_| is_shown) {
                let _ = writeln!(text, "      > {effect}");
            }
        }
    }
    Ok(text)
}

/// What holds of all frames.
fn head(program: &Program, more: &OfVision) -> Vec<String> {
    let mut head = vec![format!("the longest frame: {}, without read-outs", longest(program))];
    let places = |what: &str, places: &[PlaceRecord]| {
        let one = |PlaceRecord { name, kind, register }: &PlaceRecord| match register {
            Some(register) => format!("{name} ({kind}, {register})"),
            None => format!("{name} ({kind})"),
        };
        (!places.is_empty()).then(|| format!("{what}: {}", places.iter().map(one).collect::<Vec<_>>().join(", ")))
    };
    head.extend(places("inputs", &more.inputs));
    let parameter = |ParameterRecord { name, range: [least, most], default }: &ParameterRecord| {
        format!("{name} ({least} to {most}, {default})")
    };
    let parameters: Vec<String> = more.parameters.iter().map(parameter).collect();
    head.extend((!parameters.is_empty()).then(|| format!("parameters: {}", parameters.join(", "))));
    head.extend(places("states", &more.states));
    head.extend(places("results", &more.results));
    head.extend(chip::lines(&more.errors));
    head.extend(more.least_side.map(|side| format!("array: at least {side}×{side} PEs")));
    head
}

/// What a step costs, and the registers that it writes; nothing if it does neither.
fn effect(step: &Step, times: &Times) -> Option<String> {
    let (regs, bits) = written([step]);
    let names: BTreeSet<String> = regs.iter().map(ToString::to_string).collect();
    let names: Vec<String> = names.into_iter().chain(bits.iter().map(ToString::to_string)).collect();
    let writes = (!names.is_empty()).then(|| format!("writes {}", names.join(" ")));
    let words = match step {
        Step::Execute(listing) => listing.iter().flat_map(Instruction::words).count() as u64,
        step => step.tally().words(),
    };
    let cost = || format!("{}, {}", count(words, "control word"), microseconds(step.nanoseconds(times)));
    let parts: Vec<String> = (words > 0).then(cost).into_iter().chain(writes).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
