//! Reports on networks and on networks in the pixels.

use cain_codegen::kinds::{Compiled, InPixel, Kind as _, Network};
use cain_isa::program::owned::Program;
use serde::Serialize;

use crate::kinds::Shown;
use crate::show::leaving::of_tables;
use crate::show::{self, Details, Format};
use crate::watch::Watched;

/// What is told of a network beside its program.
#[derive(Debug, Serialize)]
pub(crate) struct OfNetwork {
    /// The register of the picture.
    pub(crate) image: String,
}

impl Shown for Network {
    type More = OfNetwork;

    const TITLES: &'static [&'static str] = &["network", "words", "µs", "registers", "DN"];
    const FORMATS: (&'static str, &'static [Format]) = ("networks", &[Format::Text, Format::Scamp5, Format::Svg]);

    fn isa(_: &Compiled<Self>) -> &'static str {
        "network"
    }

    fn more(&self, compiled: &Compiled<Self>, _: &Watched) -> OfNetwork {
        OfNetwork { image: compiled.program.input().to_string() }
    }

    fn facts(&self, compiled: &Compiled<Self>) -> Vec<String> {
        let program = &compiled.program;
        let image = format!("the picture is in {}", program.input());
        [image].into_iter().chain(of_tables(program.switches(), &program.network().machine.times)).collect()
    }

    fn show(
        &self,
        compiled: &Compiled<Self>,
        program: &Program,
        doc: Option<&str>,
        format: Format,
        details: Details<'_>,
    ) -> Result<String, String> {
        Ok(show::network(&compiled.program, program, self.facts(compiled), doc, format, details))
    }
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

    fn show(
        &self,
        compiled: &Compiled<Self>,
        program: &Program,
        doc: Option<&str>,
        _: Format,
        details: Details<'_>,
    ) -> Result<String, String> {
        Ok(show::in_pixel(&compiled.program, program, doc, details))
    }
}
