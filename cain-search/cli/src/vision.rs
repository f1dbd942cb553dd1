//! Reports on whole programs.

use std::io::{self, Write};

use cain_codegen::kinds::{Compiled, Vision};
use cain_isa::program::StepOf;
use cain_isa::program::owned::{Section, lines, sections, shown};
use cain_vision::declaration::{Kind, Result as Outcome};
use cain_vision::{Compiled as CompiledVision, StatePlace};
use serde::Serialize;

use crate::kinds::Shown;
use crate::program::{microseconds, print_parts};
use crate::show::{self, Details, Format};
use crate::watch::Watched;

/// A program and what its longest frame costs; as JSON, the keys are those of the fields.
#[derive(Debug, Serialize)]
pub(crate) struct VisionRecord {
    pub(crate) name: String,
    pub(crate) isa: &'static str,
    /// The number of control words.
    pub(crate) words: u64,
    /// Calls of the controller: launches of words, settings and read-outs.
    pub(crate) calls: u64,
    /// The time of the words in microseconds, without that of read-outs.
    pub(crate) us: f64,
    pub(crate) inputs: Vec<PlaceRecord>,
    pub(crate) parameters: Vec<ParameterRecord>,
    pub(crate) states: Vec<PlaceRecord>,
    pub(crate) results: Vec<PlaceRecord>,
    pub(crate) parts: Vec<SectionRecord>,
    /// The listing of what the controller does, in the vendor's C spelling.
    pub(crate) listing: Vec<String>,
    /// Always true: nothing that is not proved is returned.
    pub(crate) verified: bool,
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

/// A part of a frame.
#[derive(Debug, Serialize)]
pub(crate) struct SectionRecord {
    pub(crate) name: String,
    pub(crate) words: u64,
    pub(crate) calls: u64,
    pub(crate) us: f64,
}

impl Shown for Vision {
    type Record = VisionRecord;

    const TITLES: &'static [&'static str] = &["program", "words", "calls", "µs"];
    const FORMATS: (&'static str, &'static [Format]) = ("whole programs", &[Format::Text, Format::Scamp5]);

    fn record(&self, compiled: &Compiled<Self>, _: &Watched) -> Result<VisionRecord, String> {
        Ok(VisionRecord::of(&compiled.program))
    }

    /// A line for each part of the longest frame, and one for all of it.
    fn rows(record: &VisionRecord) -> Vec<Vec<String>> {
        let row = |name: String, words: u64, calls: u64, us: f64| {
            vec![name, words.to_string(), calls.to_string(), format!("{us:.2}")]
        };
        let part =
            |part: &SectionRecord| row(format!("{}: {}", record.name, part.name), part.words, part.calls, part.us);
        let total = row(record.name.clone(), record.words, record.calls, record.us);
        record.parts.iter().map(part).chain([total]).collect()
    }

    fn print_listing(record: &VisionRecord, out: &mut dyn Write) -> io::Result<()> {
        let place = |place: &PlaceRecord| Some(format!("{} in {}", place.name, place.register.as_ref()?));
        let places: Vec<String> = record.inputs.iter().chain(&record.states).filter_map(place).collect();
        let head = if places.is_empty() { "a frame".to_owned() } else { places.join(", ") };
        print_parts(out, &record.name, &head, &[], [("frame", record.listing.as_slice())])
    }

    fn show(
        &self,
        compiled: &Compiled<Self>,
        doc: Option<&str>,
        format: Format,
        details: Details<'_>,
    ) -> Result<String, String> {
        show::whole(&compiled.program, doc, format, details)
    }
}

impl VisionRecord {
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
                Outcome::Numbers(_) => ("numbers", None),
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
        Self {
            name: declaration.name.clone(),
            isa: "program",
            words: u64::try_from(program.words()).unwrap_or(u64::MAX),
            calls: program.steps().map(StepOf::calls).sum(),
            us: microseconds(program.nanoseconds()),
            inputs: inputs.collect(),
            parameters: parameters.collect(),
            states: states.collect(),
            results: results.collect(),
            parts: sections(program).into_iter().map(SectionRecord::of).collect(),
            listing: program.steps().flat_map(|step| lines(step, program.side())).collect(),
            verified: true,
        }
    }
}

impl SectionRecord {
    fn of(Section { name, words, calls, nanoseconds }: Section) -> Self {
        Self { name, words, calls, us: microseconds(nanoseconds) }
    }
}
