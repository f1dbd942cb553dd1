//! Reports on whole programs.

use cain_analysis::owned::{OnePass, Program, Section, Step, sections, shown};
use cain_codegen::kinds::{Compiled, Part, Vision};
use cain_isa::program::Term;
use cain_vision::declaration::{Kind, Result as Outcome, Value};
use cain_vision::{Compiled as CompiledVision, ListPlace, StatePlace};
use serde::Serialize;

use crate::chip::{self, ResultRecord};
use crate::kinds::{Asked, Record, Shown};
use crate::program::{microseconds, told};
use crate::show;
use crate::show::format::Format;
use crate::show::leaving::of_tables;
use crate::show::phrases::count;
use crate::table::or_dash;
use crate::vendor::{self, Interface, Kept, List, Results, Returned};
use crate::watch::Watched;

/// What is told of a whole program beside what the controller does.
#[derive(Debug, Serialize)]
pub(crate) struct OfVision {
    /// Calls of the controller in the longest frame: launches of words, settings and read-outs.
    pub(crate) calls: u64,
    pub(crate) inputs: Vec<PlaceRecord>,
    pub(crate) parameters: Vec<ParameterRecord>,
    pub(crate) states: Vec<PlaceRecord>,
    pub(crate) results: Vec<PlaceRecord>,
    pub(crate) sections: Vec<SectionRecord>,
    /// What the longest frame takes, with one pass of open loops.
    #[serde(skip)]
    pub(crate) longest: OnePassRecord,
    /// The same if there are any.
    pub(crate) one_pass: Option<OnePassRecord>,
    /// The rows and columns that the array must have, if it must have more than what is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) least_side: Option<usize>,
    /// The errors of results that are expected on a chip, unless that takes too long.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) errors: Vec<ResultRecord>,
    /// Where they leave nothing of a result.
    #[serde(skip)]
    warnings: Vec<(Part, String)>,
}

/// What a frame takes.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct OnePassRecord {
    pub(crate) words: u64,
    pub(crate) calls: u64,
    pub(crate) us: f64,
}

/// What the longest frame costs: where the number of passes is open, with one of them.
pub(crate) fn longest(program: &Program) -> String {
    let (OnePass { words, calls, nanoseconds }, is_open) = OnePass::longest(program);
    let open = if is_open { ", with one pass of each loop whose number of passes is open" } else { "" };
    format!("{}, in {} of the controller{open}", told(words, nanoseconds), count(calls, "call"))
}

/// Something with a name, and what holds it.
#[derive(Debug, Serialize)]
pub(crate) struct PlaceRecord {
    pub(crate) name: String,
    /// What it is: `levels`, `bits`, `number`, `numbers`, `list` or `events`.
    pub(crate) kind: &'static str,
    /// The register, if it is a plane.
    pub(crate) register: Option<String>,
}

/// A number that is set for each frame.
#[derive(Debug, Serialize)]
pub(crate) struct ParameterRecord {
    pub(crate) name: String,
    pub(crate) range: [i64; 2],
    pub(crate) default: i64,
}

/// A part of a frame, or one pass of a loop without the loops within it.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct SectionRecord {
    pub(crate) name: String,
    /// How often it is carried out at most.
    pub(crate) most: u64,
    /// Control words each time.
    pub(crate) words: u64,
    pub(crate) calls: u64,
    pub(crate) us: f64,
    /// Whether nothing limits how often it is carried out.
    pub(crate) is_open: bool,
}

impl Shown for Vision {
    type More = OfVision;

    const TITLES: &'static [&'static str] = &["program", "words", "calls", "µs", "errors"];
    const FORMATS: (&'static str, &'static [Format]) = ("whole programs", &[Format::Text, Format::Scamp5, Format::Svg]);

    fn isa(_: &Compiled<Self>) -> &'static str {
        "program"
    }

    fn more(&self, compiled: &Compiled<Self>, _: &Watched) -> OfVision {
        OfVision::with_errors(&compiled.program)
    }

    fn warnings(more: &OfVision) -> &[(Part, String)] {
        &more.warnings
    }

    /// A line for each part of a frame that does something, of loops for one pass, and one for all of the longest frame. Parts
    /// that are alike share a line. Where the number of passes is open, that is told, and one of them counts.
    fn rows(record: &Record<Self>) -> Vec<Vec<String>> {
        let row = |name: String, words: u64, calls: u64, us: f64, errors: String| {
            vec![name, words.to_string(), calls.to_string(), format!("{us:.2}"), errors]
        };
        let Record { program, more } = record;
        let mut parts: Vec<(&SectionRecord, u64)> = Vec::new();
        for part in more.sections.iter().filter(|part| part.calls > 0) {
            match parts.iter_mut().find(|(known, _)| *known == part) {
                Some((_, times)) => *times += 1,
                None => parts.push((part, 1)),
            }
        }
        let part = |(part, times): (&SectionRecord, u64)| {
            let times_told = if times > 1 { format!(", {times} times") } else { String::new() };
            let open = if part.is_open { ", their number is open" } else { "" };
            let name = format!("{}: {}{open}{times_told}", program.name, part.name);
            #[expect(clippy::cast_precision_loss, reason = "few parts")]
            let us = part.us * times as f64;
            row(name, part.words * times, part.calls * times, us, or_dash(None::<f64>))
        };
        let OnePassRecord { words, calls, us } = more.longest;
        let open = if more.one_pass.is_some() { ", one pass of open loops" } else { "" };
        let total = row(format!("{}{open}", program.name), words, calls, us, chip::worst(&more.errors));
        parts.into_iter().map(part).chain([total]).collect()
    }

    /// Numbers of the host, those that are kept, and results that are none of planes.
    fn interface(&self, compiled: &Compiled<Self>) -> Option<Interface> {
        Some(interface(&compiled.program))
    }

    fn part_of(&self, number: usize) -> Part {
        if number < self.declaration.values.len() { Part::Value(number) } else { Part::Whole }
    }

    /// Where inputs and states are between frames, and planes that are results after one.
    fn facts(&self, compiled: &Compiled<Self>) -> Vec<String> {
        let more = OfVision::of(&compiled.program);
        let place = |place: &PlaceRecord| Some(format!("`{}` is in {}", place.name, place.register.as_ref()?));
        let places = more.inputs.iter().chain(&more.states).filter_map(place);
        let results = more.results.iter().filter_map(|of| place(of).map(|place| format!("the result {place}")));
        let leaving = of_tables(compiled.program.switches(), &compiled.program.program().times);
        places.chain(results).chain(leaving).collect()
    }

    fn show(&self, asked: &Asked<'_, Self>) -> Result<String, String> {
        show::whole(self, asked)
    }
}

/// What a function in another language takes, keeps and returns.
fn interface(compiled: &CompiledVision) -> Interface {
    let (declaration, program) = (compiled.declaration(), compiled.program());
    let given = declaration.inputs.iter().zip(compiled.inputs()).filter(|(input, _)| !input.is_captured);
    let parameters = declaration.parameters.iter().map(|parameter| vendor::Parameter {
        name: parameter.name.clone(),
        place: compiled.number(parameter.value),
        range: parameter.range,
        default: parameter.default,
        is_bool: parameter.is_bool,
    });
    let states = declaration.states.iter().zip(compiled.states());
    let kept = states.filter_map(|(state, place)| match place {
        StatePlace::Number(place) => Some(Kept { name: state.name.clone(), place: *place }),
        StatePlace::Plane(_) => None,
    });
    let numbers = |values: &[Value]| values.iter().map(|value| compiled.number(*value)).collect();
    let (mut results, mut events) = (Vec::new(), Vec::new());
    for result in &declaration.results {
        let of = match &result.of {
            Outcome::Value(value) if compiled.result(*value).is_none() => Returned::Number(compiled.number(*value)),
            Outcome::Numbers(values) => Returned::Found(numbers(values)),
            Outcome::Tuple(values) => Returned::Tuple(numbers(values)),
            Outcome::List(list) => {
                let Some(ListPlace { first, capacity, width }) = compiled.list(*list) else { continue };
                Returned::List(List { first, capacity, width })
            }
            Outcome::Events(value, most) => {
                events.extend(compiled.result(*value).map(|held| (result.name.clone(), shown(held), *most)));
                continue;
            }
            Outcome::Value(_) => continue,
        };
        results.push(Results { name: result.name.clone(), of });
    }
    let ranges = declaration.values.iter().enumerate().filter_map(|(place, kind)| match kind {
        Kind::Number { low, high } => Some((place, (*low, *high))),
        _ => None,
    });
    let first = compiled.is_first();
    let parameters: Vec<_> = parameters.collect();
    Interface {
        given: given.map(|(input, held)| (input.name.clone(), shown(*held))).collect(),
        events,
        parameters,
        kept: kept.collect(),
        is_first: program.steps().any(|step| reads(step, first)).then_some(first),
        results,
        ranges: ranges.collect(),
        offset: declaration.options.error_model.offset,
    }
}

/// Whether a step computes or decides with a number.
fn reads(step: &Step, number: usize) -> bool {
    let own = match step {
        Step::Compute { formula, .. } => formula.contains(&Term::Number(number)),
        Step::Decide { number: decides, .. } => *decides == number,
        _ => false,
    };
    own || step.bodies().into_iter().flatten().any(|step| reads(step, number))
}

impl OfVision {
    pub(crate) fn of(compiled: &CompiledVision) -> Self {
        let (declaration, program) = (compiled.declaration(), compiled.program());
        let kind = |value: cain_vision::declaration::Value| match declaration.values.get(value.0) {
            Some(Kind::Levels { .. }) => "levels",
            Some(Kind::Bits) => "bits",
            _ => "number",
        };
        let inputs = declaration.inputs.iter().zip(compiled.inputs()).map(|(input, held)| PlaceRecord {
            name: input.name.clone(),
            kind: kind(input.value),
            register: Some(shown(*held)),
        });
        let states = declaration.states.iter().zip(compiled.states()).map(|(state, place)| PlaceRecord {
            name: state.name.clone(),
            kind: kind(state.before),
            register: if let StatePlace::Plane(held) = place { Some(shown(*held)) } else { None },
        });
        let results = declaration.results.iter().map(|result| {
            let (kind, register) = match &result.of {
                Outcome::Value(value) => (kind(*value), compiled.result(*value).map(shown)),
                Outcome::Numbers(_) | Outcome::Tuple(_) => ("numbers", None),
                Outcome::List(_) => ("list", None),
                Outcome::Events(value, _) => ("events", compiled.result(*value).map(shown)),
            };
            PlaceRecord { name: result.name.clone(), kind, register }
        });
        let parameters = declaration.parameters.iter().map(|parameter| ParameterRecord {
            name: parameter.name.clone(),
            range: [parameter.range.0, parameter.range.1],
            default: parameter.default,
        });
        let (OnePass { words, calls, nanoseconds }, is_open) = OnePass::longest(program);
        let longest = OnePassRecord { words, calls, us: microseconds(nanoseconds) };
        Self {
            calls: program.calls(),
            inputs: inputs.collect(),
            parameters: parameters.collect(),
            states: states.collect(),
            results: results.collect(),
            longest,
            one_pass: is_open.then_some(longest),
            least_side: Some(compiled.least_side()).filter(|side| *side > 0),
            sections: sections(program).into_iter().map(SectionRecord::of).collect(),
            errors: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The same with the errors that are expected on a chip.
    pub(crate) fn with_errors(compiled: &CompiledVision) -> Self {
        let errors = chip::predicted(compiled);
        let warnings = chip::warnings(&errors).into_iter().map(|warning| (Part::Whole, warning)).collect();
        Self { errors, warnings, ..Self::of(compiled) }
    }
}

impl SectionRecord {
    fn of(section: Section) -> Self {
        let is_open = section.is_open();
        let Section { name, most, words, calls, nanoseconds, .. } = section;
        Self { name, most, words, calls, us: microseconds(nanoseconds), is_open }
    }
}
