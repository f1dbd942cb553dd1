//! Reports on networks and on networks in the pixels.

use cain_codegen::kinds::{Compiled, InPixel, Kind as _, Network, Part};
use cain_in_pixel::Resolution;
use cain_network::{CompiledNetwork, Prediction, many_synthetic_pictures};
use cain_search::thousandths;
use serde::Serialize;

use crate::kinds::{Asked, Record, Shown};
use crate::options::Search;
use crate::predicted::{Errors, prediction};
use crate::share::percent;
use crate::show;
use crate::show::format::Format;
use crate::show::leaving::of_tables;
use crate::show::phrases::enumerated;
use crate::watch::Watched;

/// What is told of a network beside its program.
#[derive(Debug, Serialize)]
pub(crate) struct OfNetwork {
    /// The register of the picture.
    pub(crate) image: String,
    /// The predicted errors, unless the network is too large for a prediction.
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<Errors>,
    /// Where they cost accuracy: the layer, and what is wrong with it.
    #[serde(skip)]
    warnings: Vec<(Part, String)>,
}

impl Shown for Network {
    type More = OfNetwork;

    const TITLES: &'static [&'static str] =
        &["network", "words", "µs", "registers", "DN", "used", "bias", "rms", "wrong"];
    const FORMATS: (&'static str, &'static [Format]) = ("networks", &[Format::Text, Format::Scamp5, Format::Svg]);

    fn isa(_: &Compiled<Self>) -> &'static str {
        "network"
    }

    fn with(&self, args: &Search) -> Self {
        let mut declared = args.nodes.map_or_else(|| self.clone(), |nodes| self.with_nodes(nodes));
        let options = &mut declared.network.options;
        args.set(options);
        options.error_model = args.chip.unwrap_or(options.error_model);
        declared
    }

    fn more(&self, compiled: &Compiled<Self>, _: &Watched) -> OfNetwork {
        let program = &compiled.program;
        let predicted = prediction(program, None);
        let errors = predicted.as_ref().map(|predicted| Errors::of(program, predicted));
        let warnings = predicted.map(|predicted| warnings(program, &predicted)).unwrap_or_default();
        OfNetwork { image: program.input().to_string(), errors, warnings }
    }

    fn warnings(more: &OfNetwork) -> &[(Part, String)] {
        &more.warnings
    }

    fn rows(Record { program, more }: &Record<Self>) -> Vec<Vec<String>> {
        let mut rows = program.rows(Self::TITLES);
        for (stage, row) in rows.iter_mut().take(program.parts.len()).enumerate() {
            let cells = more.errors.iter().flat_map(|errors| errors.cells(stage));
            row.iter_mut().skip(Self::TITLES.len() - 4).zip(cells).for_each(|(cell, told)| *cell = told);
        }
        rows
    }

    fn facts(&self, compiled: &Compiled<Self>) -> Vec<String> {
        let program = &compiled.program;
        let image = format!("the picture is in {}", program.input());
        [image].into_iter().chain(of_tables(program.switches(), &program.network().machine.times)).collect()
    }

    fn show(&self, asked: &Asked<'_, Self>) -> Result<String, String> {
        let network = &asked.compiled.program;
        let errors = prediction(network, None).map(|predicted| Errors::of(network, &predicted));
        let mut facts = self.facts(asked.compiled);
        facts.extend(errors.iter().flat_map(Errors::lines));
        Ok(show::network(network, asked.program, facts, errors.as_ref(), asked.doc, asked.format, asked.details))
    }
}

/// Where errors cost a network accuracy.
pub(crate) fn warnings(compiled: &CompiledNetwork, predicted: &Prediction) -> Vec<(Part, String)> {
    let part = |layer: Option<usize>| layer.map_or(Part::Whole, Part::Layer);
    predicted.warnings(compiled).into_iter().map(|(layer, message)| (part(layer), message)).collect()
}

/// What is told of a network in the pixels beside its program.
#[derive(Debug, Serialize)]
pub(crate) struct OfInPixel {
    /// The register of the picture.
    pub(crate) image: String,
    /// The level of a pixel of 1, in DN; it counts half of it in a sum.
    pub(crate) level: i8,
    /// Registers that are loaded before the first call, and must not be overwritten.
    pub(crate) reserved: Vec<String>,
    /// How well the converter tells scores apart, unless they are exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    resolution: Option<ResolutionRecord>,
    /// Where that costs accuracy.
    #[serde(skip)]
    warnings: Vec<(Part, String)>,
}

/// What the converter makes of scores, without any errors.
#[derive(Clone, Copy, Debug, Serialize)]
struct ResolutionRecord {
    /// Its step, in scores.
    step: f64,
    /// By how much the best class is ahead.
    lead: f64,
    /// The share of pictures whose class is another one.
    changed: f64,
}

impl ResolutionRecord {
    /// The share of changed classes from which it is a warning: synthetic pictures are harder to tell apart than those that a
    /// network was made for.
    const MUCH: f64 = 0.4;

    /// What is told of synthetic pictures.
    fn of(declared: &InPixel, compiled: &cain_in_pixel::Compiled) -> Option<Self> {
        /// Enough for a share of a few percent.
        const PICTURES: usize = 64;
        let side = compiled.network().picture;
        let pictures = many_synthetic_pictures((side, side), PICTURES).into_iter();
        let pixels = pictures.map(|greys| greys.iter().map(|grey| declared.pixel(*grey)).collect());
        let Resolution { step, lead, changed } = compiled.resolution(&pixels.collect::<Vec<_>>())?;
        Some(Self { step: thousandths(step), lead: thousandths(lead), changed: thousandths(changed) })
    }

    fn told(&self) -> String {
        let Self { step, lead, changed } = self;
        format!(
            "scores are read in steps of {step:.1}; on synthetic pictures the best class is ahead by {lead:.1}, and another one is \
             read in {}",
            percent(*changed)
        )
    }

    /// What is said of the dense layer if that is much, and what helps.
    fn warning(&self, network: &cain_in_pixel::Declaration) -> Option<(Part, String)> {
        /// The dense layer, counted with a second convolution.
        const DENSE: Part = Part::Layer(3);
        let coarse = [
            (network.pool == 2, "windows of 4×4"),
            (network.pixels.largest_seen() > 1, "pixels of which filters see one bit"),
            (network.taps > 2, "smaller filters"),
        ];
        let finer: Vec<&str> = coarse.into_iter().filter(|(helps, _)| *helps).map(|(_, what)| what).collect();
        let help = match &network.second {
            Some(_) => "`sum = \"exact\"` adds them up as bits".to_owned(),
            None if finer.is_empty() => "more maxima with weights help".to_owned(),
            None => format!("more maxima with weights help, and {} make finer steps", enumerated(&finer)),
        };
        (self.changed > Self::MUCH).then(|| (DENSE, format!("{}, even without errors; {help}", self.told())))
    }
}

impl Shown for InPixel {
    type More = OfInPixel;

    const TITLES: &'static [&'static str] = &["in-pixel network", "words", "µs"];
    const FORMATS: (&'static str, &'static [Format]) = ("networks in the pixels", &[Format::Text, Format::Scamp5]);

    fn isa(_: &Compiled<Self>) -> &'static str {
        "in_pixel"
    }

    fn more(&self, compiled: &Compiled<Self>, _: &Watched) -> OfInPixel {
        let program = &compiled.program;
        let resolution = ResolutionRecord::of(self, program);
        OfInPixel {
            image: program.input().to_string(),
            level: program.level(),
            reserved: program.planes().iter().map(|plane| plane.register.to_string()).collect(),
            resolution,
            warnings: resolution.and_then(|resolution| resolution.warning(program.network())).into_iter().collect(),
        }
    }

    fn warnings(more: &OfInPixel) -> &[(Part, String)] {
        &more.warnings
    }

    fn facts(&self, compiled: &Compiled<Self>) -> Vec<String> {
        let program = &compiled.program;
        let image = format!("the picture is in {}", program.input());
        let leaving = of_tables(Self::switches(program), &program.network().machine.times);
        [image].into_iter().chain(leaving).collect()
    }

    fn show(&self, asked: &Asked<'_, Self>) -> Result<String, String> {
        let network = &asked.compiled.program;
        let resolution = ResolutionRecord::of(self, network).map(|resolution| resolution.told());
        Ok(show::in_pixel(network, asked.program, resolution, asked.doc, asked.details))
    }
}
