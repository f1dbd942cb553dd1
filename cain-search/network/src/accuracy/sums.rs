//! Sums over pictures, of which figures are made.

use cain_isa::program::Held;
use cain_isa::random::SplitMix64;
use cain_isa::transfer_error;

use super::controller::{self, Numbers};
use super::figures::{BitError, MapError, NumberError, ScoreError, ValueError};
use super::follow::Follower;
use super::line::Pairs;
use super::normal;
use super::tape::{Compared, Id};
use crate::Network;
use crate::compile::{CompiledNetwork, Stage, Work};
use crate::maps::number;

/// Sums over the pixels of a map.
pub(super) struct MapSums {
    stage: usize,
    place: usize,
    pixels: f64,
    values: Option<ValueSums>,
    wrong: Option<f64>,
}

/// Sums over values.
struct ValueSums {
    range: (f64, f64),
    sum: f64,
    sum_of_squares: f64,
    errors: f64,
    squares: f64,
    /// The values with errors and without, and the variances of random errors together.
    pairs: Pairs,
    random: f64,
    /// How far each value is from 0, if they are compared.
    distances: Vec<f32>,
}

impl MapSums {
    /// The maps that a stage has made.
    pub(super) fn of_stage(follower: &Follower<'_>, compiled: &CompiledNetwork, number: usize) -> Vec<Self> {
        let stage = &compiled.stages()[number];
        if matches!(stage.work, Work::Read | Work::Border) {
            return Vec::new();
        }
        let one = |(place, held): (usize, &Held)| {
            let content = follower.content(*held)?;
            let pixels = follower.places(stage.grids.get(place)?);
            Some(Self::of(follower, (stage, number, place), content, &pixels))
        };
        stage.held.iter().enumerate().filter_map(one).collect()
    }

    fn of(
        follower: &Follower<'_>,
        (stage, number, place): (&Stage, usize, usize),
        content: Id,
        pixels: &[usize],
    ) -> Self {
        let nodes = &follower.tape.nodes;
        let pixel_count = crate::maps::number(pixels.len());
        let mut wrong = None;
        let values = match stage.held[place] {
            Held::Reg(_) => {
                let errors = stage.compensated.get(place);
                let known = errors.map_or(0.0, |errors| transfer_error(errors, follower.tape.model.offset));
                let random = follower.tape.variance(&[(content, follower.tape.signs(pixels))]);
                Some(ValueSums::of(follower, content, pixels, (known, random)))
            }
            Held::Bit(_) => {
                let pairs = pixels.iter().map(|&pe| (nodes[content].exact[pe], nodes[content].expected[pe]));
                wrong = Some(pairs.map(|(exact, expected)| f64::from((exact - expected).abs())).sum());
                follower.tape.compared.map(|Compared { sum, deviation }| {
                    let sums = ValueSums::of(follower, sum, pixels, (0.0, deviation * deviation * pixel_count));
                    let distances = pixels.iter().map(|&pe| nodes[sum].exact[pe].abs()).collect();
                    ValueSums { distances, ..sums }
                })
            }
        };
        Self { stage: number, place, pixels: pixel_count, values, wrong }
    }

    /// Adds the sums for another picture.
    pub(super) fn add(&mut self, other: Self) {
        self.pixels += other.pixels;
        if let Some((sums, more)) = self.values.as_mut().zip(other.values) {
            sums.range = (sums.range.0.min(more.range.0), sums.range.1.max(more.range.1));
            sums.sum += more.sum;
            sums.sum_of_squares += more.sum_of_squares;
            sums.errors += more.errors;
            sums.squares += more.squares;
            sums.pairs.extend(more.pairs);
            sums.random += more.random;
            sums.distances.extend(more.distances);
        }
        self.wrong = self.wrong.zip(other.wrong).map(|(sum, more)| sum + more);
    }

    pub(super) fn figures(self) -> MapError {
        let Self { stage, place, pixels, values, wrong } = self;
        let margin = values.as_ref().and_then(|values| median(values.distances.clone()));
        MapError {
            stage,
            place,
            values: values.map(|ValueSums { range, sum, sum_of_squares, errors, squares, pairs, random, .. }| {
                ValueError {
                    range,
                    deviation: deviation(pixels, sum, sum_of_squares),
                    mean: errors / pixels,
                    rms: (squares / pixels).sqrt(),
                    corrected: pairs.left(random / pixels),
                }
            }),
            bits: wrong.map(|wrong| BitError { wrong: wrong / pixels, margin }),
        }
    }
}

impl ValueSums {
    /// Sums over these pixels of a content; the error that is known, and the variances of random errors together.
    fn of(follower: &Follower<'_>, content: Id, pixels: &[usize], (known, random): (f64, f64)) -> Self {
        let node = &follower.tape.nodes[content];
        let mut sums = Self {
            range: (f64::INFINITY, f64::NEG_INFINITY),
            sum: 0.0,
            sum_of_squares: 0.0,
            errors: 0.0,
            squares: random,
            pairs: Pairs::default(),
            random,
            distances: vec![],
        };
        for &pe in pixels {
            let (exact, expected) = (f64::from(node.exact[pe]), f64::from(node.expected[pe]));
            let error = expected - exact - known;
            sums.range = (sums.range.0.min(exact), sums.range.1.max(exact));
            sums.sum += exact;
            sums.sum_of_squares += exact * exact;
            sums.errors += error;
            sums.squares += error * error;
            sums.pairs.add(exact, expected);
        }
        sums
    }
}

/// The standard deviation of so many numbers with this sum and this sum of squares.
fn deviation(count: f64, sum: f64, squares: f64) -> f64 {
    let mean = sum / count;
    (squares / count - mean * mean).max(0.0).sqrt()
}

fn median(mut values: Vec<f32>) -> Option<f64> {
    values.sort_unstable_by(f32::total_cmp);
    values.get(values.len() / 2).map(|value| f64::from(*value))
}

/// Sums over what is read out, and over scores.
pub(super) struct NumberSums {
    read_outs: Vec<(usize, usize)>,
    /// The sums of each layer that is read out, and of the scores.
    layers: Vec<LayerSums>,
    leads: f64,
    changed: f64,
    overtaken: f64,
    has_scores: bool,
}

/// Sums over the numbers of a layer.
#[derive(Default)]
struct LayerSums {
    layer: usize,
    count: f64,
    errors: f64,
    squares: f64,
    variances: f64,
    values: f64,
    value_squares: f64,
}

impl NumberSums {
    /// No pictures yet; with the layer of the scores, if there is one.
    pub(super) fn new(read_outs: &[(usize, usize)], scores: Option<usize>) -> Self {
        let layers = read_outs.iter().map(|(layer, _)| *layer).chain(scores);
        let layers = layers.map(|layer| LayerSums { layer, ..LayerSums::default() }).collect();
        Self {
            read_outs: read_outs.to_vec(),
            layers,
            leads: 0.0,
            changed: 0.0,
            overtaken: 0.0,
            has_scores: scores.is_some(),
        }
    }

    /// Adds what was read out of a picture, beside the numbers that are right; `None` if these are of other layers.
    pub(super) fn add(&mut self, follower: &Follower<'_>, network: &Network, exact: &Numbers) -> Option<()> {
        let Self { read_outs, layers, .. } = self;
        let expected = controller::numbers(network, read_outs, &follower.expected);
        let length = |numbers: &Option<Vec<f64>>| numbers.as_ref().map(Vec::len);
        if layers.iter().any(|sums| exact.get(sums.layer).map(length) != expected.get(sums.layer).map(length)) {
            return None;
        }
        let effects = |of: (usize, Vec<f64>)| controller::effects(network, read_outs, &expected, of);
        for sums in layers.iter_mut() {
            let (Some(exact), Some(expected)) = (&exact[sums.layer], &expected[sums.layer]) else { continue };
            let variance = follower.variance(&effects((sums.layer, signs(exact.len()))));
            sums.add(exact, expected, variance);
        }
        let Some(layer) = layers.last().filter(|_| self.has_scores).map(|sums| sums.layer) else { return Some(()) };
        let (Some(exact), Some(means)) = (&exact[layer], &expected[layer]) else { return Some(()) };
        let Some((best, second)) = two_best(exact) else { return Some(()) };
        self.leads += exact[best] - exact[second];
        // The other score that is most likely ahead with errors.
        let rival = (0..means.len()).filter(|&other| other != best).max_by(|&a, &b| means[a].total_cmp(&means[b]));
        let Some(rival) = rival else { return Some(()) };
        let mut weights = vec![0.0; means.len()];
        (weights[best], weights[rival]) = (1.0, -1.0);
        let deviation = follower.variance(&effects((layer, weights))).sqrt();
        let lead = means[best] - means[rival];
        let overtaken = if deviation > 0.0 { normal::below(-lead / deviation) } else { f64::from(lead < 0.0) };
        self.overtaken += overtaken;
        self.changed += if deviation > 0.0 && means.len() > 2 {
            let others = means.iter().enumerate().filter(|(other, _)| *other != best);
            1.0 - normal::ahead(others.map(|(_, mean)| (means[best] - mean) / deviation))
        } else {
            overtaken
        };
        Some(())
    }

    pub(super) fn read_outs(&self) -> Vec<NumberError> {
        let layers = self.layers.iter().take(self.read_outs.len());
        layers.filter(|sums| sums.count > 0.0).map(LayerSums::figures).collect()
    }

    /// The scores of so many pictures.
    pub(super) fn scores(&self, pictures: f64) -> Option<ScoreError> {
        // A single number decides nothing.
        let sums = self.layers.last().filter(|sums| self.has_scores && sums.count >= 2.0 * pictures)?;
        let [lead, changed, overtaken] = [self.leads, self.changed, self.overtaken].map(|sum| sum / pictures);
        Some(ScoreError { numbers: sums.figures(), lead, changed, overtaken })
    }
}

impl LayerSums {
    fn add(&mut self, exact: &[f64], expected: &[f64], variances: f64) {
        self.count += number(exact.len());
        self.variances += variances;
        for (exact, expected) in exact.iter().zip(expected) {
            let error = expected - exact;
            self.errors += error;
            self.squares += error * error;
            self.values += exact;
            self.value_squares += exact * exact;
        }
    }

    fn figures(&self) -> NumberError {
        let &Self { layer, count, errors, squares, variances, values, value_squares } = self;
        NumberError {
            layer,
            mean: errors / count,
            rms: ((squares + variances) / count).sqrt(),
            spread: (variances / count).sqrt(),
            deviation: deviation(count, values, value_squares),
        }
    }
}

/// Weights of 1 and −1.
fn signs(count: usize) -> Vec<f64> {
    SplitMix64::new(2).take(count).map(|number| if number >> 63 == 1 { 1.0 } else { -1.0 }).collect()
}

/// The places of the largest number and of the one after it.
fn two_best(numbers: &[f64]) -> Option<(usize, usize)> {
    let mut places: Vec<usize> = (0..numbers.len()).collect();
    places.sort_by(|&a, &b| numbers[b].total_cmp(&numbers[a]));
    Some((*places.first()?, *places.get(1)?))
}
