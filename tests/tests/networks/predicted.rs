//! Tests that the predicted errors of networks are those of the simulated chip.

use cain_analysis::owned::{ReadOut, Step};
use cain_codegen::kernel_file;
use cain_isa::program::Held;
use cain_isa::{ErrorModel, Fraction};
use cain_network::{
    CompiledNetwork, Network, Operation, Padding, Prediction, Value, Window, Work, compile, predict, predict_against,
    synthetic_pictures,
};
use cain_runtime::program::{Place, carry_out};
use cain_runtime::sim::Array;

use super::{Random, network, threshold};

const SEEDS: std::ops::Range<u64> = 1..25;

/// The root of the mean square of some errors, and their mean.
#[derive(Clone, Copy, Default)]
struct Errors {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Errors {
    fn add(&mut self, error: f64) {
        self.count += 1.0;
        self.sum += error;
        self.squares += error * error;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    fn rms(&self) -> f64 {
        (self.squares / self.count).sqrt()
    }
}

/// What an array holds of each map after the stage that makes it, pixel by pixel, and the numbers that are read out.
fn carried_out(compiled: &CompiledNetwork, picture: &[u8], model: ErrorModel, seed: u64) -> (Vec<Vec<f64>>, Vec<f64>) {
    carried_out_with(compiled, picture, (model, seed), |_| ())
}

/// The same with other read-outs.
fn carried_out_with(
    compiled: &CompiledNetwork,
    picture: &[u8],
    (model, seed): (ErrorModel, u64),
    change: impl Fn(&mut ReadOut),
) -> (Vec<Vec<f64>>, Vec<f64>) {
    let (image, way) = (compiled.network().input, compiled.way());
    let at = Place { row: way.top, column: way.left };
    let (width, height) = (image.width + way.left + way.right, image.height + way.top + way.bottom);
    let mut array = Array::new(width, height).errors(model).seed(seed);
    #[expect(clippy::cast_possible_truncation, reason = "planes hold f32")]
    let level = |grey: u8| image.level(grey) as f32;
    let mut plane = vec![level(0); width * height];
    for (i, grey) in picture.iter().enumerate() {
        plane[(at.row + i / image.width) * width + at.column + i % image.width] = level(*grey);
    }
    array.load_reg(compiled.input(), &plane).unwrap();
    let mut numbers = vec![0.0; compiled.readouts().iter().map(|(_, count)| count).sum()];
    let mut maps = vec![];
    for stage in compiled.stages() {
        let mut steps = stage.steps.clone();
        for step in &mut steps {
            if let Step::Read(read) = step {
                change(read);
            }
        }
        carry_out(&mut array, &steps, &[], &[at], &mut numbers).unwrap();
        if matches!(stage.work, Work::Read | Work::Border) {
            continue;
        }
        for (held, grid) in stage.held.iter().zip(&stage.grids) {
            let values: Vec<f64> = match held {
                Held::Reg(reg) => array.read_reg(*reg).unwrap().iter().map(|value| f64::from(*value)).collect(),
                Held::Bit(bit) => array.read_bits(*bit).unwrap().into_iter().map(f64::from).collect(),
            };
            let place = |row: usize, column: usize| {
                let row = (at.row + row * grid.row_step).checked_add_signed(grid.top).unwrap();
                row * width + (at.column + column * grid.column_step).checked_add_signed(grid.left).unwrap()
            };
            let pixels = (0..grid.height).flat_map(|row| (0..grid.width).map(move |column| (row, column)));
            maps.push(pixels.map(|(row, column)| values[place(row, column)]).collect());
        }
    }
    (maps, numbers)
}

/// The constant errors of each map for which its thresholds compensate.
fn compensated(compiled: &CompiledNetwork, model: ErrorModel) -> Vec<f64> {
    let stages = compiled.stages().iter().filter(|stage| !matches!(stage.work, Work::Read | Work::Border));
    let of = |errors: &[Fraction; 3]| {
        errors.iter().zip(model.offset).map(|(count, error)| count.to_f64() * f64::from(error)).sum::<f64>()
    };
    stages.flat_map(|stage| stage.compensated.iter().map(of)).collect()
}

/// The errors of maps, and of layers that are read out, on simulated chips.
fn simulated(compiled: &CompiledNetwork, model: ErrorModel, pictures: &[Vec<u8>]) -> (Vec<Errors>, Vec<Errors>) {
    let known = compensated(compiled, model);
    let read_outs = compiled.readouts();
    let (mut maps, mut numbers) = (vec![Errors::default(); known.len()], vec![Errors::default(); read_outs.len()]);
    for picture in pictures {
        let (exact, _) = carried_out(compiled, picture, ErrorModel::ideal(), 0);
        let values = compiled.network().evaluate(picture).unwrap();
        for seed in SEEDS {
            let (found, read) = carried_out(compiled, picture, model, seed);
            for (((errors, found), exact), known) in maps.iter_mut().zip(&found).zip(&exact).zip(&known) {
                found.iter().zip(exact).for_each(|(found, exact)| errors.add(found - exact - known));
            }
            let mut rest = read.as_slice();
            for (errors, &(layer, count)) in numbers.iter_mut().zip(&read_outs) {
                let (found, later) = rest.split_at(count);
                rest = later;
                let Value::Numbers(exact) = &values[layer] else { panic!("layer {layer} is no read-out") };
                found.iter().zip(exact).for_each(|(found, exact)| errors.add(found - exact));
            }
        }
    }
    (maps, numbers)
}

/// Checks the prediction for a network against simulated chips; `false` if it cannot be compiled.
fn is_predicted(name: &str, network: &Network, model: ErrorModel) -> bool {
    let Ok(compiled) = compile(network) else { return false };
    let pictures = synthetic_pictures((network.input.height, network.input.width));
    let Prediction { maps, read_outs, .. } = predict(&compiled, &model, &pictures).unwrap();
    let (found, numbers) = simulated(&compiled, model, &pictures);
    assert_eq!(maps.len(), found.len(), "{name}");
    let is_near = |predicted: f64, found: f64, finest: f64| (predicted - found).abs() <= 0.25 * found + finest;
    for (predicted, found) in maps.iter().zip(&found) {
        let stage = &compiled.stages()[predicted.stage];
        let what =
            format!("{name}: {}, {predicted:?}, simulated {} and {}", stage.name(network), found.mean(), found.rms());
        println!("{what}");
        match (predicted.bits, predicted.values) {
            // A wrong bit is an error of 1; maps are small, so that few pixels decide.
            (Some(bits), _) => assert!(is_near(bits.wrong, found.squares / found.count, 0.02), "{what}"),
            (None, Some(values)) => {
                assert!(is_near(values.rms, found.rms(), 0.05), "{what}");
                assert!((values.mean - found.mean()).abs() <= 0.5 * found.rms() + 0.05, "{what}");
            }
            (None, None) => panic!("{what}"),
        }
    }
    for (found, (layer, _)) in numbers.iter().zip(compiled.readouts()) {
        // Lists of pixels are not predicted.
        let Some(predicted) = read_outs.iter().find(|predicted| predicted.layer == layer) else { continue };
        let what = format!("{name}: {predicted:?}, simulated {} and {}", found.mean(), found.rms());
        println!("{what}");
        assert!(is_near(predicted.rms, found.rms(), 0.1), "{what}");
    }
    true
}

/// Layers of many kinds, one after the other.
fn random(seed: u64) -> Network {
    let mut dice = Random(seed + 100);
    let pool = |size| Operation::MaxPool { size, stride: size, dilation: (1, 1), padding: Padding::NONE };
    let first = 1 + usize::try_from(dice.below(3)).unwrap();
    let mut layers = vec![dice.convolution(first, 1, (3, 3), 1)];
    let mut side = 16;
    let between = |dice: &mut Random| match dice.below(5) {
        0 => Operation::Abs,
        1 => Operation::LeakyRelu { exponent: 2 },
        2 => Operation::Clamp { low: -20.0, high: 35.0 },
        _ => Operation::Relu,
    };
    layers.push(between(&mut dice));
    if dice.below(2) == 0 {
        layers.push(match dice.below(3) {
            0 => Operation::MeanPool {
                size: (2, 2),
                stride: (2, 2),
                dilation: (1, 1),
                padding: Padding::NONE,
                count_padding: false,
            },
            _ => pool((2, 2)),
        });
        side /= 2;
    }
    if dice.below(3) > 0 {
        let second = 1 + usize::try_from(dice.below(2)).unwrap();
        layers.push(dice.convolution(second, first, (2, 2), 0));
        side -= 1;
        layers.push(between(&mut dice));
    }
    if dice.below(2) == 0 {
        layers.push(threshold(10.0));
    }
    layers.push(Operation::Windows { windows: Window::tiles((side, side), (side / 2, side / 2)), mean: false });
    let mut network = network((16, 16), layers);
    network.input.binarise = None;
    network.options.nodes = 60;
    network
}

#[test]
fn predictions_are_what_the_simulator_measures() {
    let measured = ErrorModel::measured();
    let noisy = ErrorModel { relative_noise: 0.01, noise: 0.5, mismatch: 0.004, fixed_offset: 0.5, ..measured };
    let models = [measured, noisy];
    let compiled = (0..10).filter(|&seed| {
        let model = models[usize::from(seed % 3 == 2)];
        is_predicted(&format!("random {seed}"), &random(seed), model)
    });
    let compiled = compiled.count();
    assert!(compiled >= 8, "{compiled} of 10 networks");
}

/// The networks of files, which have exact layers and lists as well.
#[test]
fn predictions_of_declared_networks() {
    for name in ["digits", "mixed", "events"] {
        let path = format!("{}/tests/networks/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let network = kernel_file::load_networks(path.as_ref()).unwrap().remove(0).of.network;
        assert!(is_predicted(name, &network, ErrorModel::measured()));
    }
}

/// On chips and pictures for which nothing was predicted, numbers are nearer to those of the network with what corrects them
/// than without.
#[test]
fn read_outs_are_corrected() {
    let mut shares = Vec::new();
    for seed in 0..10 {
        let mut network = random(seed);
        network.options.nodes = 1;
        let Ok(compiled) = compile(&network) else { continue };
        // Squares of 4 by 4 pixels of any grey.
        let (side, mut dice) = (network.input.width, Random(seed));
        let pictures = (0..4).map(|_| {
            let greys: Vec<u8> = (0..16).map(|_| u8::try_from(dice.below(256)).unwrap()).collect();
            (0..side * side).map(|i| greys[i / side / 4 * 4 + i % side / 4]).collect()
        });
        let pictures: Vec<Vec<u8>> = pictures.collect();
        let [is, was] = [true, false].map(|is_corrected| {
            let mut errors = Errors::default();
            for picture in &pictures {
                let values = network.evaluate(picture).unwrap();
                let exact = compiled.readouts().into_iter().flat_map(|(layer, _)| values[layer].numbers().to_vec());
                let keep = |read: &mut ReadOut| read.corrected = read.corrected.filter(|_| is_corrected);
                let (_, found) = carried_out_with(&compiled, picture, (ErrorModel::measured(), 7), keep);
                found.into_iter().zip(exact).for_each(|(found, exact)| errors.add(found - exact));
            }
            errors.rms()
        });
        if is.total_cmp(&was).is_ne() {
            shares.push(is / was);
        }
    }
    // Of the others bits are read.
    let mean = shares.iter().sum::<f64>() / f64::from(u32::try_from(shares.len()).unwrap());
    assert!(shares.len() >= 5 && mean < 0.8, "{shares:?}");
}

/// Without errors nothing is wrong, and what the program makes is what the network is.
#[test]
fn an_exact_chip_is_exact() {
    let compiled = compile(&random(3)).unwrap();
    let input = compiled.network().input;
    let predicted = predict(&compiled, &ErrorModel::ideal(), &synthetic_pictures((input.height, input.width))).unwrap();
    for map in &predicted.maps {
        assert!(map.values.is_none_or(|values| values.rms < 1e-3) && map.bits.is_none_or(|bits| bits.wrong < 1e-6));
    }
    assert!(predict(&compiled, &ErrorModel::ideal(), &[]).is_none());
}

/// Beside the network itself nothing else is predicted; beside one with other weights, scores err by what these change.
#[test]
fn rounding_counts_beside_the_network_that_was_rounded() {
    let path = format!("{}/tests/networks/digits.toml", env!("CARGO_MANIFEST_DIR"));
    let network = kernel_file::load_networks(path.as_ref()).unwrap().remove(0).of.network;
    let compiled = compile(&network).unwrap();
    let pictures = synthetic_pictures((network.input.height, network.input.width));
    let ideal = ErrorModel::ideal();
    let itself = predict_against(&compiled, &ideal, &pictures, &network).unwrap().scores.unwrap();
    // The controller has whole numbers for the weights of dense layers.
    assert!(itself.numbers.rms < 5e-3 * itself.numbers.deviation && itself.changed < 1e-6, "{itself:?}");
    let mut other = network.clone();
    for layer in &mut other.layers {
        if let Operation::Dense { bias, .. } = &mut layer.operation {
            for bias in bias {
                *bias += 0.25;
            }
        }
    }
    let [found, wanted] = [&network, &other].map(|network| {
        let scores = predict(&compiled, &ideal, &pictures).unwrap().scores.unwrap().numbers.layer;
        pictures.iter().map(|picture| network.evaluate(picture).unwrap()[scores].numbers().to_vec()).collect::<Vec<_>>()
    });
    let differences: Vec<f64> =
        found.concat().iter().zip(wanted.concat()).map(|(found, wanted)| (found - wanted).powi(2)).collect();
    let count = u32::try_from(differences.len()).unwrap();
    let expected = (differences.iter().sum::<f64>() / f64::from(count)).sqrt();
    let rms = predict_against(&compiled, &ideal, &pictures, &other).unwrap().scores.unwrap().numbers.rms;
    assert!(expected > 0.1 && (rms / expected - 1.0).abs() < 0.01, "{rms} {expected}");
    // Other sizes are no other weights.
    other.layers.truncate(1);
    assert!(predict_against(&compiled, &ideal, &pictures, &other).is_none());
}
