//! Chooses among the versions of a network by the errors that are predicted for the chip.

use std::ops::ControlFlow;

use cain_isa::Progress;
use cain_search::Objective;

use crate::accuracy::{Prediction, corrected, predict};
use crate::compile::{CompileError, CompiledNetwork, Pins, best_version, version_of};
use crate::{Network, NumberError};

/// Shares of changed classes that differ by less than this are equal: there are few pictures.
const EQUAL_SHARES: f64 = 0.01;

/// Errors, beside what the numbers differ, that differ by less than this are equal.
const EQUAL_ERRORS: f64 = 0.05;

/// The most values that are followed for a prediction: a pixel of a picture has one for each control word.
const MOST_VALUES: usize = 1 << 22;

/// What a version of a network costs; the one with the least cost is taken.
///
/// First the share of the network's [pictures](Network::typical_pictures) for which the class is [overtaken](crate::ScoreError) on
/// the chip, in steps of one in a hundred; then the error of the [numbers that decide](Prediction::decisive) beside what these differ, in
/// steps of one in twenty; then control words. Versions that are too large to be followed cost more than all others,
/// and only their words count. With the [objective](Objective) `icws` the words alone count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    is_unknown: bool,
    overtaken: u64,
    error: u64,
    words: usize,
}

impl Cost {
    /// What a version costs on the chip of its declaration.
    #[must_use]
    pub fn of(compiled: &CompiledNetwork) -> Self {
        let words = compiled.words();
        let network = compiled.network();
        let prediction = if network.options.objective == Objective::Icws { None } else { predicted(compiled) };
        let numbers = prediction.as_ref().and_then(Prediction::decisive);
        let overtaken =
            prediction.as_ref().and_then(|prediction| prediction.scores.as_ref()).map(|scores| scores.overtaken);
        Self {
            is_unknown: numbers.is_none(),
            overtaken: overtaken.map_or(0, |overtaken| steps(overtaken, EQUAL_SHARES)),
            error: numbers.as_ref().and_then(NumberError::share).map_or(0, |error| steps(error, EQUAL_ERRORS)),
            words,
        }
    }
}

fn predicted(compiled: &CompiledNetwork) -> Option<Prediction> {
    let network = compiled.network();
    let pictures = network.typical_pictures();
    let values = compiled.words().saturating_mul(network.input.height * network.input.width);
    let count = pictures.len().min(MOST_VALUES / values.max(1));
    predict(compiled, &network.options.error_model, &pictures[..count])
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "errors are not negative, and saturate")]
fn steps(error: f64, step: f64) -> u64 {
    (error / step).round() as u64
}

/// Compiles a network: finds programs for all of its layers on the array, in an order and with scales that fit the
/// registers.
///
/// Planes are kept for as long as they are needed. If that takes too many registers, sums of many planes are
/// accumulated plane by plane, and these planes are made anew for each sum.
///
/// The program found for one sum determines what is searched for next, and a shorter one may err by more. Therefore, the
/// network is compiled with each of several budgets up to that of its options, and the version is taken whose
/// [cost](Cost) is least: a larger budget never gives one that costs more.
pub fn compile(network: &Network) -> Result<CompiledNetwork, CompileError> {
    compile_watched(network, &mut |_| ControlFlow::Continue(()))
}

/// [`compile`], calling `watch` as the searches use nodes, which it is told in all. Where it breaks, compiling ends with the
/// best version so far, or with the error for which there was none yet.
pub fn compile_watched(
    network: &Network,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<CompiledNetwork, CompileError> {
    // Versions are compared as they are found, and cost what they cost after the correction.
    best_version(network, watch, |compiled| Cost::of(&corrected(compiled.clone()))).map(corrected)
}

/// Compiles a network with the results of earlier searches, without searching. Everything is proved anew.
pub fn compile_pinned(network: &Network, pins: Pins) -> Result<CompiledNetwork, CompileError> {
    version_of(network, pins).map(corrected)
}
