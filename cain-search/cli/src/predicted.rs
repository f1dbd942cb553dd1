//! The predicted errors of a network, as the command tells them.

use cain_network::{
    BitError, CompiledNetwork, MapError, NumberError, Prediction, ScoreError, ValueError, many_synthetic_pictures,
    predict,
};
use cain_search::{tenths, thousandths};
use serde::Serialize;

use crate::share::{millionths, percent};
use crate::table::or_dash;

/// The errors that a network is expected to make on a chip; as JSON, the keys are those of the fields.
#[derive(Debug, Serialize)]
pub(crate) struct Errors {
    maps: Vec<MapRecord>,
    read_outs: Vec<NumberRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<ScoreRecord>,
}

#[derive(Debug, Serialize)]
struct MapRecord {
    /// The part of the program that makes it.
    part: String,
    #[serde(skip)]
    stage: usize,
    #[serde(skip)]
    place: usize,
    channel: usize,
    /// The least and the largest value without errors, in DN.
    #[serde(skip_serializing_if = "Option::is_none")]
    used: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bias: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rms: Option<f64>,
    /// The root of the mean square of what is left of the errors of values that a factor and a summand correct.
    #[serde(skip_serializing_if = "Option::is_none")]
    corrected: Option<f64>,
    /// The share of wrong bits.
    #[serde(skip_serializing_if = "Option::is_none")]
    wrong: Option<f64>,
    /// How near the nearer half of the compared values is to the threshold, in DN.
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<f64>,
}

/// The errors of the numbers of a layer, in the network's own units.
#[derive(Debug, Serialize)]
struct NumberRecord {
    layer: String,
    bias: f64,
    rms: f64,
    spread: f64,
    deviation: f64,
}

#[derive(Debug, Serialize)]
struct ScoreRecord {
    #[serde(flatten)]
    numbers: NumberRecord,
    lead: f64,
    changed: f64,
}

/// The prediction for a network on the chip of its declaration: for these pictures, or for those of the network.
pub(crate) fn prediction(compiled: &CompiledNetwork, pictures: Option<&[Vec<u8>]>) -> Option<Prediction> {
    /// The control words in all pixels of all pictures, which take about two seconds.
    const WORK: usize = 1 << 25;
    /// The most synthetic pictures: shares of classes differ much from one to the next.
    const MOST: usize = 16;
    let network = compiled.network();
    let model = &network.options.error_model;
    if let Some(pictures) = pictures {
        return predict(compiled, model, pictures);
    }
    let size = (network.input.height, network.input.width);
    let of_picture = compiled.words().saturating_mul(size.0 * size.1);
    let count = WORK.checked_div(of_picture).unwrap_or(1).max(1);
    if network.pictures.is_empty() {
        return predict(compiled, model, &many_synthetic_pictures(size, count.min(MOST)));
    }
    predict(compiled, model, network.pictures.get(..count).unwrap_or(&network.pictures))
}

impl Errors {
    pub(crate) fn of(compiled: &CompiledNetwork, prediction: &Prediction) -> Self {
        let map = |map: &MapError| {
            let stage = compiled.stages().get(map.stage)?;
            let (values, bits) = (map.values.as_ref(), map.bits.as_ref());
            Some(MapRecord {
                part: stage.name(compiled.network()),
                stage: map.stage,
                place: map.place,
                channel: *stage.channels.get(map.place)?,
                used: values.map(|ValueError { range: (low, high), .. }| [thousandths(*low), thousandths(*high)]),
                bias: values.map(|values| thousandths(values.mean)),
                rms: values.map(|values| thousandths(values.rms)),
                corrected: values.filter(|_| bits.is_none()).map(|values| thousandths(values.corrected)),
                wrong: bits.map(|BitError { wrong, .. }| millionths(*wrong)),
                margin: bits.and_then(|bits| bits.margin).map(thousandths),
            })
        };
        let numbers = |numbers: &NumberError| {
            let NumberError { layer, mean, rms, spread, deviation } = *numbers;
            let layer = compiled.network().layers.get(layer).map_or_else(String::new, |layer| layer.name.clone());
            let [bias, rms, spread, deviation] = [mean, rms, spread, deviation].map(thousandths);
            NumberRecord { layer, bias, rms, spread, deviation }
        };
        let scores = |scores: &ScoreError| ScoreRecord {
            numbers: numbers(&scores.numbers),
            lead: thousandths(scores.lead),
            changed: millionths(scores.changed),
        };
        Self {
            maps: prediction.maps.iter().filter_map(map).collect(),
            read_outs: prediction.read_outs.iter().map(numbers).collect(),
            scores: prediction.scores.as_ref().map(scores),
        }
    }

    /// What the columns `used`, `bias`, `rms` and `wrong` tell of a stage: what its worst map has.
    pub(crate) fn cells(&self, stage: usize) -> [String; 4] {
        let maps = || self.maps.iter().filter(|map| map.stage == stage);
        let used = maps().filter_map(|map| map.used).reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
        let bias = maps().filter_map(|map| map.bias).max_by(|a, b| a.abs().total_cmp(&b.abs()));
        let rms = maps().filter_map(|map| map.rms).max_by(f64::total_cmp);
        let wrong = maps().filter_map(|map| map.wrong).max_by(f64::total_cmp);
        [
            or_dash(used.map(|[low, high]| format!("{}..{}", low.round() + 0.0, high.round() + 0.0))),
            or_dash(bias.map(|bias| format!("{:.1}", tenths(bias)))),
            or_dash(rms.map(|rms| format!("{rms:.1}"))),
            or_dash(wrong.map(percent)),
        ]
    }

    /// What is told of a map, if anything is: `errors of 3.1 DN`.
    pub(crate) fn of_map(&self, stage: usize, place: usize) -> Option<String> {
        let map = self.maps.iter().find(|map| (map.stage, map.place) == (stage, place))?;
        match (map.wrong, map.rms) {
            (Some(wrong), _) => Some(format!("{} wrong", percent(wrong))),
            (None, rms) => rms.map(|rms| format!("errors of {rms:.1} DN")),
        }
    }

    /// What is told of numbers and scores: a line for each layer.
    pub(crate) fn lines(&self) -> Vec<String> {
        let read_out = |NumberRecord { layer, bias, rms, spread, deviation }: &NumberRecord| {
            format!(
                "`{layer}` differs by {deviation:.1} and errs by {rms:.1}: by {:.1} in the mean, by {spread:.1} between chips",
                tenths(*bias)
            )
        };
        let mut lines: Vec<String> = self.read_outs.iter().map(read_out).collect();
        if let Some(ScoreRecord { numbers, lead, changed }) = &self.scores {
            lines.push(format!(
                "the scores `{}` err by {:.1}; the best is ahead by {lead:.1}, and another is expected in {} of all pictures",
                numbers.layer,
                numbers.rms,
                percent(*changed)
            ));
        }
        lines
    }
}
