//! Predicts how far the results of a network on a chip are from those without errors.

mod backwards;
mod controller;
mod correction;
mod figures;
mod follow;
mod line;
mod normal;
mod pictures;
mod planes;
mod sums;
mod tape;
mod warnings;

use cain_isa::ErrorModel;

use crate::maps::number;
use crate::{CompiledNetwork, Network};
use follow::{Follower, Watch};
use sums::{MapSums, NumberSums};

pub(crate) use correction::corrected;
pub use figures::{BitError, MapError, NumberError, Prediction, ScoreError, ValueError};
pub use line::Pairs;
pub use pictures::{many_synthetic_pictures, synthetic_pictures};
pub use planes::Size;
pub use tape::{Id, Tape, Unsupported};

/// The most numbers of a tape.
const MOST_VALUES: usize = 1 << 27;

/// Predicts the errors of a network for pictures of its size: in every map, in what is read out, and in the scores.
///
/// For each picture the program is carried out twice on a small array: without errors, and with the constants of the model
/// that all PEs share, gain, offsets, mismatch and saturation. The difference is what the error of a map is expected to be.
/// From there, the errors that differ between PEs or frames are followed back through all words to where they arise, as
/// those of [kernels](cain_search::accuracy) are: the fixed error of a cell counts with the sum of its effects through
/// all writes to that cell, and noise is independent in each write. What is compared is taken to be normal around its
/// expected value. That gives how likely each bit of a threshold is wrong; bits are wrong independently of each other, in
/// what is made of them too. Rectifiers and maxima pass on the errors of the values that they take, and how likely they
/// take each; errors make their results larger on the average (Clark, "The Greatest of a Finite Set of Random Variables",
/// 1961).
///
/// Nothing is drawn at random: the prediction is the same for the same pictures. It does not cover drift, and the pixels of
/// lists.
///
/// `None` without pictures, or if the network is too large to be followed at once.
#[must_use]
pub fn predict(compiled: &CompiledNetwork, model: &ErrorModel, pictures: &[Vec<u8>]) -> Option<Prediction> {
    predict_with(compiled, model, pictures, None)
}

/// [`predict`], with numbers and scores compared with those of another network that has the same layers: that from which
/// this one was made by rounding its weights, so that errors of rounding count as well. Maps are compared with themselves
/// without errors.
///
/// `None` also if the other network cannot be evaluated on the pictures, or if its layers have other sizes.
#[must_use]
pub fn predict_against(
    compiled: &CompiledNetwork,
    model: &ErrorModel,
    pictures: &[Vec<u8>],
    wanted: &Network,
) -> Option<Prediction> {
    predict_with(compiled, model, pictures, Some(wanted))
}

fn predict_with(
    compiled: &CompiledNetwork,
    model: &ErrorModel,
    pictures: &[Vec<u8>],
    wanted: Option<&Network>,
) -> Option<Prediction> {
    let network = &compiled.network().with_integers();
    let pixels = network.input.height * network.input.width;
    if pictures.is_empty() || compiled.words().saturating_mul(pixels) > MOST_VALUES {
        return None;
    }
    let read_outs = compiled.readouts();
    let scores = controller::scores(network);
    let mut maps: Vec<MapSums> = Vec::new();
    let mut numbers = NumberSums::new(&read_outs, scores);
    for picture in pictures {
        let mut follower = Follower::new(compiled, model, picture);
        let mut made = Vec::new();
        follower
            .run(Watch::Comparisons, |follower, stage| made.extend(MapSums::of_stage(follower, compiled, stage)))
            .ok()?;
        if maps.is_empty() {
            maps = made;
        } else {
            maps.iter_mut().zip(made).for_each(|(sums, more)| sums.add(more));
        }
        let exact = match wanted {
            None => controller::numbers(network, &read_outs, &follower.exact),
            Some(wanted) => controller::wanted(network, wanted, picture)?,
        };
        numbers.add(&follower, network, &exact)?;
    }
    let count = number(pictures.len());
    Some(Prediction {
        maps: maps.into_iter().map(MapSums::figures).collect(),
        read_outs: numbers.read_outs(),
        scores: numbers.scores(count),
    })
}
