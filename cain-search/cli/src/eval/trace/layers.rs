//! What a trace knows of each layer: its costs, and how far its values are from those in floating point.

use cain_isa::program::Held;
use cain_network::{CompiledNetwork, Operation, Shape, Stage, Work};
use cain_runtime::trace::Timing;
use serde::Serialize;

use crate::eval::costs::Costs;

/// Errors of the values of a layer: value minus that in floating point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Errors {
    sum: f64,
    squares: f64,
    count: f64,
    wrong: f64,
}

/// The figures of the errors of a layer: of maps in DN, of bits and numbers in numbers of the network.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Figures {
    pub(super) mean: f64,
    pub(super) rms: f64,
    /// The share of bits that are wrong; `None` for layers of other values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) wrong: Option<f64>,
}

impl Errors {
    pub(super) fn add(&mut self, error: f64, is_wrong: bool) {
        self.sum += error;
        self.squares += error * error;
        self.count += 1.0;
        self.wrong += f64::from(u8::from(is_wrong));
    }

    pub(super) fn figures(&self, are_bits: bool) -> Option<Figures> {
        let share = |sum: f64| sum / self.count;
        (self.count > 0.0).then(|| Figures {
            mean: share(self.sum),
            rms: share(self.squares).sqrt(),
            wrong: are_bits.then(|| share(self.wrong)),
        })
    }
}

/// A layer in the report.
#[derive(Debug, Serialize)]
pub(super) struct Layer {
    pub(super) name: String,
    pub(super) operation: &'static str,
    pub(super) shape: String,
    /// Where its values are: in registers, read out, on the controller, or in the layers behind it.
    pub(super) place: String,
    pub(super) words: usize,
    pub(super) microseconds: f64,
    pub(super) microjoules: f64,
    /// The least and the largest value in analogue registers in the pictures that were looked at, in DN.
    pub(super) used: Option<(f32, f32)>,
    pub(super) ideal: Option<Figures>,
    pub(super) measured: Option<Figures>,
    /// The share of pictures that are recognised if nothing after this layer has errors.
    pub(super) accuracy: Option<f64>,
}

impl Layer {
    /// The layers with their costs, without errors.
    pub(super) fn all(compiled: &CompiledNetwork, costs: &Costs) -> Result<Vec<Self>, String> {
        let network = compiled.network();
        let shapes = network.shapes().map_err(|error| error.to_string())?;
        let stages = || compiled.stages().iter().zip(&costs.stages);
        let layers = network.layers.iter().zip(&shapes).enumerate();
        Ok(layers
            .map(|(place, (layer, shape))| {
                let own = || stages().filter(move |(stage, _)| stage.layer == Some(place));
                // Folding from 0.0, because the sum of nothing would be −0.0.
                let microseconds = own().fold(0.0, |sum, (_, costs)| sum + costs.microseconds);
                let ranges = own().filter_map(|(_, costs)| costs.used);
                Self {
                    name: layer.name.clone(),
                    operation: layer.operation.name(),
                    shape: shape.to_string(),
                    place: where_it_is(&own().map(|(stage, _)| stage).collect::<Vec<_>>(), &layer.operation, *shape),
                    words: own().map(|(_, costs)| costs.words).sum(),
                    microseconds,
                    microjoules: Timing::SCAMP5.microjoules(microseconds),
                    used: ranges.reduce(|(low, high), (least, most)| (low.min(least), high.max(most))),
                    ideal: None,
                    measured: None,
                    accuracy: None,
                }
            })
            .collect())
    }
}

/// Where the values of a layer are that these stages make.
fn where_it_is(stages: &[&Stage], operation: &Operation, shape: Shape) -> String {
    let mut held: Vec<String> = Vec::new();
    for register in stages.iter().filter(|stage| stage.work != Work::Read).flat_map(|stage| &stage.held) {
        let name = match register {
            Held::Reg(reg) => reg.to_string(),
            Held::Bit(bit) => bit.to_string(),
        };
        if !held.contains(&name) {
            held.push(name);
        }
    }
    match (held.as_slice(), shape) {
        ([], Shape::Maps { .. }) => "part of the layers behind it".to_owned(),
        ([], _) if !stages.is_empty() => "read out".to_owned(),
        ([], _) => match operation {
            Operation::Windows { .. } | Operation::Plane | Operation::Events { .. } => "read out".to_owned(),
            _ => "controller".to_owned(),
        },
        (held, _) => held.join(", "),
    }
}
