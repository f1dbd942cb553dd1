//! Where errors cost accuracy, and what helps.

use super::figures::{BitError, MapError, Prediction, ValueError};
use crate::{CompiledNetwork, MOST_LEVEL};

/// The share of wrong bits of a map from which they are worth a warning.
const WRONG: f64 = 0.05;

/// How large errors may be beside the values of a map, each as a standard deviation.
const ERRORS: f64 = 0.35;

impl Prediction {
    /// Warnings about the layers of that network whose errors are large: about thresholds that many values are nearer to
    /// than they err, and about maps of values that err by much beside what they differ. Each names the layer and what
    /// helps.
    #[must_use]
    pub fn warnings(&self, compiled: &CompiledNetwork) -> Vec<(Option<usize>, String)> {
        let mut warnings: Vec<(Option<usize>, f64, String)> = Vec::new();
        for map in &self.maps {
            let layer = compiled.stages().get(map.stage).and_then(|stage| stage.layer);
            let Some((weight, message)) = threshold(map).or_else(|| values(map)) else { continue };
            // The worst map stands for its layer.
            match warnings.iter_mut().find(|(known, ..)| *known == layer) {
                Some(known) if known.1 < weight => *known = (layer, weight, message),
                Some(_) => {}
                None => warnings.push((layer, weight, message)),
            }
        }
        warnings.into_iter().map(|(layer, _, message)| (layer, message)).collect()
    }
}

/// A threshold that decides many bits wrongly.
fn threshold(map: &MapError) -> Option<(f64, String)> {
    let MapError { values: Some(ValueError { rms, .. }), bits: Some(BitError { wrong, margin: Some(margin) }), .. } =
        *map
    else {
        return None;
    };
    (wrong > WRONG).then(|| {
        let message = format!(
            "half of the values that its threshold divides are within {margin:.1} DN of it and err by {rms:.1} DN, so that {:.0} % \
             of its bits are expected to be wrong; {HELP}",
            100.0 * wrong
        );
        (wrong, message)
    })
}

/// Values that err by much.
fn values(map: &MapError) -> Option<(f64, String)> {
    let MapError { values: Some(values), bits: None, .. } = map else { return None };
    let ValueError { range: (low, high), deviation, .. } = *values;
    let share = values.corrected / deviation;
    // Adding 0.0 turns −0.0 into 0.0.
    let [low, high] = [low, high].map(|end| end.round() + 0.0);
    (deviation > 0.0 && share > ERRORS).then(|| {
        let saturates = low.min(-high) < -SATURATED * MOST_LEVEL;
        let help = if saturates { HELP_IF_SATURATED } else { HELP };
        let message = format!(
            "its values are from {low} to {high} DN, differ by {deviation:.1} DN and, corrected by a factor and a summand, err by \
             {:.1} DN, which leaves little of them; {help}", values.corrected
        );
        (share, message)
    })
}

/// How far values go beyond the registers, as a multiple of what these hold, before that is what makes them err.
const SATURATED: f64 = 1.5;

const HELP_IF_SATURATED: &str = "what is beyond about 127 DN saturates, so make `largest_sums` larger";

const HELP: &str = "make the values larger, by levels of the picture that are farther apart, by larger weights or, of sums over \
                    maps, by a smaller `largest_sums`; give the \
                    searches more `nodes`, which find programs that err by less; or train the network with these errors";
