//! Reports on networks and on networks in the pixels.

use cain_codegen::kinds::{Compiled, InPixel, Kind as _, Network, Part};
use cain_network::{CompiledNetwork, Prediction};
use serde::Serialize;

use crate::kinds::{Asked, Record, Shown};
use crate::options::Search;
use crate::predicted::{Errors, prediction};
use crate::show;
use crate::show::format::Format;
use crate::show::leaving::of_tables;
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
    /// The contribution of a pixel of 1 to a sum, in DN.
    pub(crate) level: i8,
    /// Registers that are loaded before the first call, and must not be overwritten.
    pub(crate) reserved: Vec<String>,
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
        OfInPixel {
            image: program.input().to_string(),
            level: program.level(),
            reserved: program.planes().iter().map(|plane| plane.register.to_string()).collect(),
        }
    }

    fn facts(&self, compiled: &Compiled<Self>) -> Vec<String> {
        let program = &compiled.program;
        let image = format!("the picture is in {}", program.input());
        let leaving = of_tables(Self::switches(program), &program.network().machine.times);
        [image].into_iter().chain(leaving).collect()
    }

    fn show(&self, asked: &Asked<'_, Self>) -> Result<String, String> {
        Ok(show::in_pixel(&asked.compiled.program, asked.program, asked.doc, asked.details))
    }
}
