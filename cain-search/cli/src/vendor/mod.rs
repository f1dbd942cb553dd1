//! Programs as C++ functions for the vendor's library.

mod formula;
mod helpers;
mod interface;
mod interval;
mod names;
mod naming;
mod ranges;
mod results;
mod steps;
mod text;

pub(crate) use helpers::HELPERS;
pub(crate) use interface::{Interface, Kept, List, Parameter, Refused, Results, Returned};
pub(crate) use names::{helpers_of, taken, takes_a_number};
pub(crate) use text::{block, comment, lines};

use cain_analysis::owned::{Part, Program, Step};
use cain_isa::{Instruction, Machine};

use names::preparation;
use naming::Names;
use ranges::Ranges;
use steps::Writer;
use text::indented;

/// The control words that the library has room for, of all kernels that were recorded; others vanish.
const RECORDED: usize = 1024;

/// C++ functions that run a program on the vendor's controller: one for what is done once, if there is anything, and one for a
/// call. Their registers are not parameters: the library records a kernel when it runs for the first time, and replays it
/// afterwards. Numbers are parameters and results if it is told how they are called.
pub(crate) fn function(
    program: &Program,
    interface: Option<&Interface>,
    remarks: &[String],
) -> Result<String, Refused> {
    let name = &program.name;
    let words = words(&program.preparation) + program.parts.iter().map(|part| words(&part.steps)).sum::<usize>();
    if words > RECORDED {
        let message = format!(
            "its kernels have {words} control words, and the vendor's library records {RECORDED} of all kernels together; \
             generate Rust instead"
        );
        return Err(Refused { message, number: None });
    }
    let none = Interface::default();
    let shown = interface.unwrap_or(&none);
    let ranges = Ranges::of(program, shown);
    let names = Names::of(name, shown);
    let writer = Writer { has_numbers: interface.is_some(), names: &names, ranges: &ranges, offset: shown.offset };
    let of_part = |part: &Part| {
        writer.body(&part.steps).map_err(|Refused { message, number }| Refused {
            message: format!("part `{}`: {message}", part.name),
            number,
        })
    };
    let mut calls = program.parts.iter().map(of_part).collect::<Result<Vec<_>, _>>()?.concat();
    let mut text: Vec<String> = remarks.iter().map(|line| comment(line)).collect();
    text.extend(
        shown.given.iter().map(|(name, held)| comment(&format!("`{name}` has to be in {held} before each call"))),
    );
    let listed = |(name, held, most): &(String, String, u32)| {
        comment(&format!("scamp5_scan_events({held},buffer,{most}) lists the events of the result `{name}`"))
    };
    text.extend(shown.events.iter().map(listed));
    let once = preparation(name);
    let mut prepared = writer.body(&program.preparation)?;
    prepared.splice(..0, names.first_kept());
    if !prepared.is_empty() {
        text.push(comment(&format!("{once}() has to be called once before, and to forget what was kept")));
    }
    let mut declared = results::structure(name, &names, &ranges);
    declared.extend(names.structure_of_kept(&ranges));
    text.extend(results::told(name, &names));
    if !declared.is_empty() {
        text.push(String::new());
        text.extend(declared);
        text.push(String::new());
    }
    if !prepared.is_empty() {
        text.extend(defined(&format!("void {once}()"), &prepared));
        text.push(String::new());
    }
    calls.splice(..0, names.locals(&ranges));
    calls.splice(..0, names.beginning());
    calls.extend(results::given(&names, &ranges));
    calls.extend(names.end());
    text.extend(defined(&names.head(name), &calls));
    program.allowed(&Machine::SCAMP5).map_err(|error| {
        let message = format!("{error}, and the vendor's library is for SCAMP-5; generate Rust instead");
        Refused { message, number: None }
    })?;
    Ok(lines(text))
}

/// The control words of kernels, each once.
fn words(steps: &[Step]) -> usize {
    let of = |step: &Step| {
        let own = step.listing().unwrap_or_default().iter().flat_map(Instruction::words).count();
        own + step.bodies().into_iter().map(words).sum::<usize>()
    };
    steps.iter().map(of).sum()
}

/// A function with these statements.
fn defined(head: &str, statements: &[String]) -> Vec<String> {
    let head = [format!("inline {head}"), "{".to_owned(), "    using namespace SCAMP5_PE;".to_owned()];
    head.into_iter().chain(indented(statements)).chain(["}".to_owned()]).collect()
}
