//! The figures of predictions.

/// How far the results of a network on a chip are expected to be from those without errors, for some pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The maps, in the order in which they are made.
    pub maps: Vec<MapError>,
    /// The layers that are read out as numbers.
    pub read_outs: Vec<NumberError>,
    /// The scores that decide the class, if there are several; none are told that are made of lists of pixels.
    pub scores: Option<ScoreError>,
}

impl Prediction {
    /// The numbers of the scores, or else those read-outs that err by most beside what they differ.
    #[must_use]
    pub fn decisive(&self) -> Option<NumberError> {
        let share = |numbers: &NumberError| numbers.rms / numbers.deviation.max(f64::MIN_POSITIVE);
        let read_outs = self.read_outs.iter().max_by(|a, b| share(a).total_cmp(&share(b)));
        self.scores.as_ref().map(|scores| scores.numbers).or(read_outs.copied())
    }
}

/// The expected errors of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapError {
    /// The [stage](crate::CompiledNetwork::stages) that makes it.
    pub stage: usize,
    /// Its place among those that the stage makes.
    pub place: usize,
    /// Of bits that a threshold makes, the values that are compared, as far as they are above the threshold; of a map of
    /// values, these values. Bits that are made of bits have none.
    pub values: Option<ValueError>,
    /// Of bits.
    pub bits: Option<BitError>,
}

/// The expected errors of values, in DN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueError {
    /// The least and the largest value without errors.
    pub range: (f64, f64),
    /// The standard deviation of the values without errors.
    pub deviation: f64,
    /// The mean of the errors, without those of transfers for which thresholds compensate.
    pub mean: f64,
    /// The root of the mean square of the errors, in all pixels and on all chips.
    pub rms: f64,
    /// The same of the errors that are left where a factor and a summand correct the values, as what is read out is.
    pub corrected: f64,
}

/// The expected errors of bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BitError {
    /// The share of bits that are wrong.
    pub wrong: f64,
    /// How near the threshold, in DN, the nearer half of the compared values is without errors; of bits that a threshold
    /// makes.
    pub margin: Option<f64>,
}

/// The expected errors of the numbers of a layer, in the network's own units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberError {
    /// The layer.
    pub layer: usize,
    /// The mean of the errors.
    pub mean: f64,
    /// The root of the mean square of the errors.
    pub rms: f64,
    /// The standard deviation of the errors between chips and between frames.
    pub spread: f64,
    /// The standard deviation of the numbers without errors, between pictures and between the numbers.
    pub deviation: f64,
}

impl NumberError {
    /// The error beside what the numbers differ; `None` if they are all the same.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        (self.deviation > 0.0).then_some(self.rms / self.deviation)
    }
}

/// The expected errors of the scores of classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreError {
    /// The numbers.
    pub numbers: NumberError,
    /// The mean difference of the best score and the one after it without errors.
    pub lead: f64,
    /// The expected share of pictures for which another score is the best.
    pub changed: f64,
    /// The share for which the likeliest rival is ahead of the best score, whatever the others are. It is close to `changed` where
    /// that is small, and versions of a network are compared by it.
    pub overtaken: f64,
}
