//! Tests that compiled networks on the ideal simulated array agree with their evaluation in floating point.

mod automaton;
mod exact;
mod generated;
mod in_pixel;
mod predicted;

use cain_analysis::owned::Step;
use cain_isa::{ErrorModel, Fraction, Machine};
use cain_network::{CompiledNetwork, Image, Layer, Network, Operation, Padding, Source, Value, Window, Work, compile};
use cain_runtime::io::Size;
use cain_runtime::program::{Margin, Place, carry_out, places};
use cain_runtime::sim::Array;
use cain_search::Options;

use super::random::Random;

impl Random {
    fn kernel(&mut self, inputs: usize, size: (usize, usize)) -> Vec<Vec<Vec<Fraction>>> {
        let mut weight = || Fraction::new(self.between(-4, 4), 4).unwrap();
        (0..inputs).map(|_| (0..size.0).map(|_| (0..size.1).map(|_| weight()).collect()).collect()).collect()
    }

    fn convolution(&mut self, outputs: usize, inputs: usize, size: (usize, usize), padding: usize) -> Operation {
        Operation::Convolution {
            kernels: (0..outputs).map(|_| self.kernel(inputs, size)).collect(),
            bias: (0..outputs).map(|i| if i % 2 == 0 { 0.0 } else { 8.0 }).collect(),
            stride: (1, 1),
            dilation: (1, 1),
            padding: Padding { top: padding, left: padding, bottom: padding, right: padding },
        }
    }

    fn picture(&mut self, pixels: usize) -> Vec<u8> {
        (0..pixels).map(|_| u8::try_from(self.below(256)).unwrap()).collect()
    }
}

fn network(size: (usize, usize), layers: Vec<Operation>) -> Network {
    let layer = |(i, operation): (usize, Operation)| {
        let from = vec![if i == 0 { Source::Image } else { Source::Layer(i - 1) }];
        Layer { name: format!("layer{i}"), from, operation }
    };
    Network {
        name: "net".into(),
        input: Image {
            height: size.0,
            width: size.1,
            levels: (-60.0, 60.0),
            range: (-60.0, 60.0),
            binarise: Some(128),
        },
        pictures: vec![],
        largest_sums: Fraction::ONE,
        layers: layers.into_iter().enumerate().map(layer).collect(),
        machine: Machine::SCAMP5,
        options: Options { nodes: 300, ..Options::default() },
        interruption: None,
    }
}

/// The numbers of all read-outs for each picture.
fn on_array(compiled: &CompiledNetwork, array: &mut Array, pictures: &[Vec<u8>]) -> Vec<Vec<f64>> {
    let image = &compiled.network().input;
    let size = (image.height, image.width);
    let (pixels, way) = (compiled.pixels(), compiled.way());
    let gap = (pixels.top.max(pixels.bottom), pixels.left.max(pixels.right));
    let margin = Margin { top: way.top, left: way.left, bottom: way.bottom, right: way.right };
    let array_size = Size { width: array.width(), height: array.height() };
    let places: Vec<Place> = places(array_size, size, gap, margin).collect();
    let count = compiled.readouts().iter().map(|(_, count)| count).sum();
    let mut numbers = vec![];
    for pictures in pictures.chunks(places.len()) {
        let mut plane = vec![33.0_f32; array_size.width * array_size.height];
        for (place, picture) in places.iter().zip(pictures) {
            for (i, &pixel) in picture.iter().enumerate() {
                let (row, column) = (place.row + i / size.1, place.column + i % size.1);
                #[expect(clippy::cast_possible_truncation, reason = "planes hold f32")]
                let level = image.level(pixel) as f32;
                plane[row * array_size.width + column] = level;
            }
        }
        array.load_reg(compiled.input(), &plane).unwrap();
        let places = &places[..pictures.len()];
        let mut read = vec![0.0; places.len() * count];
        carry_out(array, compiled.steps(), &[], places, &mut read).unwrap();
        numbers.extend(read.chunks(count).map(<[f64]>::to_vec));
    }
    numbers
}

fn expected(compiled: &CompiledNetwork, picture: &[u8]) -> Vec<f64> {
    let values = compiled.network().evaluate(picture).unwrap();
    let numbers = |(layer, _): (usize, usize)| match &values[layer] {
        Value::Numbers(numbers) => numbers.clone(),
        Value::Maps(_) => panic!("layer {layer} is no read-out"),
    };
    compiled.readouts().into_iter().flat_map(numbers).collect()
}

/// Runs a network on several pictures that share an array, and checks that all numbers are right within a tolerance.
#[track_caller]
fn agrees(network: &Network, tolerance: f64) -> CompiledNetwork {
    agrees_on(Array::new(48, 40), network, tolerance)
}

#[track_caller]
fn agrees_on(mut array: Array, network: &Network, tolerance: f64) -> CompiledNetwork {
    let compiled = compile(network).unwrap();
    let mut dice = Random(7);
    let pictures: Vec<_> = (0..6).map(|_| dice.picture(network.input.height * network.input.width)).collect();
    for (picture, found) in pictures.iter().zip(on_array(&compiled, &mut array, &pictures)) {
        let expected = expected(&compiled, picture);
        assert_eq!(found.len(), expected.len());
        for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert!((found - expected).abs() <= tolerance, "number {i} is {found} instead of {expected}");
        }
    }
    compiled
}

fn threshold(at: f64) -> Operation {
    Operation::Threshold { at: vec![at], inclusive: false, below: 0.0, above: 1.0 }
}

#[test]
fn maps_after_relu_are_those_of_the_reference() {
    let mut dice = Random(1);
    let net = network((8, 9), vec![dice.convolution(3, 1, (3, 3), 0), Operation::Relu, Operation::Plane]);
    // The converter rounds to 1 DN, for values that were halved several times.
    let compiled = agrees(&net, 8.0);
    assert!(compiled.stages().iter().all(|stage| stage.range.1 <= 127.0));
}

/// By the mean and the deviation of their data, in as many digits as anybody writes.
#[test]
fn pictures_may_be_normalised() {
    let mean = 1.0 / 0.3081;
    for range in [(-0.4242, 2.8215), (-0.1307 / 0.3081, 0.8693 * mean), (-1.989_50, 2.130_9), (2.1309, -1.9895)] {
        let mut dice = Random(4);
        let windows = Window::tiles((6, 7), (3, 7));
        let layers =
            vec![dice.convolution(2, 1, (3, 3), 0), Operation::Relu, Operation::Windows { windows, mean: true }];
        let mut net = network((8, 9), layers);
        net.input = Image { range, binarise: None, ..net.input };
        // The converter rounds to 1 DN, for values that were halved, of numbers that are a fiftieth or so of a DN.
        let compiled = agrees(&net, 0.1);
        assert!(!compiled.readouts().is_empty());
    }
}

/// They are exact even if transfers to one and to several cells add constants of their own, for which levels
/// compensate.
#[test]
fn thresholds_and_window_counts_are_exact() {
    let errors = ErrorModel { offset: [20.0, 32.0, 32.0], ..ErrorModel::ideal() };
    for seed in 0..2 {
        let mut dice = Random(seed);
        let windows = Window::tiles((6, 7), (3, 3));
        let net = network(
            (8, 9),
            vec![dice.convolution(3, 1, (3, 3), 0), threshold(20.0), Operation::Windows { windows, mean: false }],
        );
        agrees(&net, 0.0);
        agrees_on(Array::new(48, 40).errors(errors), &net, 0.0);
    }
}

#[test]
fn two_layers_with_pooling_are_exact() {
    let mut dice = Random(0);
    let pool = Operation::MaxPool { size: (2, 2), stride: (2, 2), dilation: (1, 1), padding: Padding::NONE };
    let net = network(
        (12, 12),
        vec![
            dice.convolution(4, 1, (3, 3), 0),
            Operation::Relu,
            pool,
            dice.convolution(2, 4, (3, 3), 0),
            threshold(10.0),
            Operation::Plane,
        ],
    );
    agrees(&net, 0.0);
}

/// Sums are as right on an array without errors, and nearer to it on a chip.
#[test]
fn sums_over_maps_use_the_range() {
    let mut dice = Random(6);
    let first = dice.convolution(4, 1, (3, 3), 0);
    let second = dice.convolution(2, 4, (3, 3), 0);
    let mut net = network((9, 10), vec![first, Operation::Relu, second, Operation::Plane]);
    let pictures: Vec<_> = (0..4).map(|_| dice.picture(90)).collect();
    let mut errors = |share: i64| {
        net.largest_sums = Fraction::new(1, share).unwrap();
        let compiled = agrees(&net, 24.0);
        assert!(compiled.stages().iter().all(|stage| stage.range.0 >= -127.0 && stage.range.1 <= 127.0));
        let mut array = Array::new(48, 40).errors(ErrorModel::measured()).seed(1);
        let found = on_array(&compiled, &mut array, &pictures).concat();
        let expected: Vec<f64> = pictures.iter().flat_map(|picture| expected(&compiled, picture)).collect();
        let square = |(found, expected): (&f64, &f64)| (found - expected).powi(2);
        let squares: f64 = found.iter().zip(&expected).map(square).sum();
        (squares / f64::from(u32::try_from(found.len()).unwrap())).sqrt()
    };
    let [whole, half, quarter] = [1, 2, 4].map(&mut errors);
    assert!(half < 0.8 * whole && quarter < 0.5 * whole, "{whole} {half} {quarter}");
}

#[test]
fn zeros_around_maps() {
    let mut dice = Random(3);
    let net = network(
        (8, 8),
        vec![
            dice.convolution(2, 1, (3, 3), 1),
            Operation::Relu,
            dice.convolution(2, 2, (3, 3), 1),
            threshold(0.0),
            Operation::Plane,
        ],
    );
    agrees(&net, 0.0);
}

/// Nothing can be written beyond the array, and no words are wasted on that.
#[test]
fn a_picture_that_fills_the_array_has_no_border() {
    let side = 256;
    let mut dice = Random(4);
    let windows = Window::tiles((side, side), (32, 32));
    let weight = |weight: i64| Fraction::new(weight, 4).unwrap();
    let kernel = [[0, 1, 0], [1, -1, 1], [0, 2, 0]].map(|row| row.map(weight).to_vec()).to_vec();
    let convolution = Operation::Convolution {
        kernels: vec![vec![kernel]],
        bias: vec![0.0],
        stride: (1, 1),
        dilation: (1, 1),
        padding: Padding { top: 1, left: 1, bottom: 1, right: 1 },
    };
    let mut net = network((side, side), vec![convolution, Operation::Relu, Operation::Windows { windows, mean: true }]);
    let picture = dice.picture(side * side);
    // Its program moves nothing out of the array and back, as those of other budgets do.
    net.options.nodes = 2_000;
    let compiled = compile(&net).unwrap();
    assert!(compiled.stages().iter().all(|stage| stage.work != Work::Border));
    let found = on_array(&compiled, &mut Array::scamp5(), std::slice::from_ref(&picture));
    // Means are converted at once, to integers.
    for (found, expected) in found[0].iter().zip(expected(&compiled, &picture)) {
        assert!((found - expected).abs() <= 0.51, "{found} instead of {expected}");
    }

    net.input.height -= 1;
    let Operation::Windows { windows, .. } = &mut net.layers[2].operation else {
        panic!("the last layer is a read-out")
    };
    windows.truncate(8);
    let compiled = compile(&net).unwrap();
    assert!(compiled.stages().iter().any(|stage| stage.work == Work::Border));
}

/// Levels that the programs of sums read add the biases and subtract the transfer errors.
#[test]
fn rectified_sums_take_few_words() {
    let mut dice = Random(11);
    // The converter rounds to 1 DN, for values that were halved several times.
    for padding in [0, 1] {
        let mut layers = vec![];
        for (outputs, inputs) in [(2, 1), (1, 2), (1, 1)] {
            layers.extend([dice.convolution(outputs, inputs, (3, 3), padding), Operation::Relu]);
        }
        let size = 10 + 6 * padding;
        layers.push(Operation::Windows { windows: Window::tiles((size, size), (5, 5)), mean: true });
        let mut net = network((16, 16), layers);
        let compiled = agrees(&net, 8.0);
        let rectifiers = compiled.stages().iter().filter(|stage| stage.layer.is_some_and(|layer| layer % 2 == 1));
        for stage in rectifiers {
            assert!(stage.words() <= 4, "{:?} takes {} words", stage.channels, stage.words());
        }
        let errors = ErrorModel { offset: [8.0; 3], ..ErrorModel::ideal() };
        net.options.error_model = errors;
        agrees_on(Array::new(48, 40).errors(errors), &net, 8.0);
    }
}

#[test]
fn more_maps_than_registers_are_made_anew() {
    let mut dice = Random(5);
    let net = network(
        (8, 8),
        vec![
            dice.convolution(7, 1, (2, 2), 0),
            Operation::Relu,
            dice.convolution(2, 7, (2, 2), 0),
            threshold(10.0),
            Operation::Plane,
        ],
    );
    agrees(&net, 0.0);
}

#[test]
fn bits_are_read_by_sums_and_pooled() {
    let mut dice = Random(6);
    let signs = Operation::Threshold { at: vec![0.0], inclusive: true, below: -1.0, above: 1.0 };
    let pool = Operation::MaxPool { size: (3, 2), stride: (1, 2), dilation: (1, 1), padding: Padding::NONE };
    let net = network(
        (10, 10),
        vec![
            dice.convolution(2, 1, (3, 3), 0),
            signs.clone(),
            dice.convolution(2, 2, (2, 2), 0),
            signs,
            pool,
            Operation::Plane,
        ],
    );
    agrees(&net, 0.0);
}

/// This includes maps whose values are all negative, and bits.
#[test]
fn padding_of_a_maximum_has_no_values() {
    let padding = Padding { top: 1, left: 0, bottom: 2, right: 1 };
    let pool = Operation::MaxPool { size: (3, 2), stride: (2, 1), dilation: (1, 1), padding };
    let darker = Operation::Affine { scale: vec![Fraction::new(1, 2).unwrap()], shift: vec![-40.0] };
    agrees(&network((7, 8), vec![darker, pool.clone(), threshold(-50.0), Operation::Plane]), 0.0);
    agrees(&network((7, 8), vec![threshold(0.0), pool, Operation::Plane]), 0.0);
    let apart = Operation::MaxPool { size: (2, 3), stride: (1, 2), dilation: (3, 2), padding };
    agrees(&network((7, 8), vec![threshold(0.0), apart.clone(), Operation::Plane]), 0.0);
    let mut dice = Random(3);
    agrees(&network((7, 8), vec![dice.convolution(1, 1, (2, 2), 0), apart, threshold(3.0), Operation::Plane]), 0.0);
}

/// Zeros are neither black nor white: a threshold between the sums of these does not separate those with zeros.
#[test]
fn zeros_around_a_binary_picture_are_values_of_their_own() {
    let both = Operation::Convolution {
        kernels: vec![vec![vec![vec![Fraction::ONE; 2]]]],
        bias: vec![0.0],
        stride: (1, 1),
        dilation: (1, 1),
        padding: Padding { left: 1, right: 1, ..Padding::NONE },
    };
    agrees(&network((5, 6), vec![both.clone(), threshold(16.75), Operation::Plane]), 0.0);
    // Zeros lie outside of the map's range of values.
    let mut bright = network((5, 6), vec![both, threshold(55.0), Operation::Plane]);
    (bright.input.levels, bright.input.range) = ((20.0, 50.0), (20.0, 50.0));
    agrees(&bright, 0.0);
}

/// Some kernels have a common odd factor.
#[test]
fn the_largest_of_sums_at_different_scales() {
    let sum = |weights: [i32; 3]| Operation::Convolution {
        kernels: vec![vec![vec![weights.map(Fraction::from).to_vec()]]],
        bias: vec![0.0],
        stride: (1, 1),
        dilation: (1, 1),
        padding: Padding::NONE,
    };
    let mut net = network((5, 6), vec![]);
    for (name, weights) in [("threes", [3, -6, 3]), ("ones", [1, 2, 1])] {
        net.layers.push(Layer { name: name.into(), from: vec![Source::Image], operation: sum(weights) });
    }
    let from = vec![Source::Layer(0), Source::Layer(1)];
    net.layers.push(Layer { name: "most".into(), from, operation: Operation::Maximum });
    for (from, operation) in [(2, threshold(121.0)), (3, Operation::Plane)] {
        net.layers.push(Layer { name: format!("end{from}"), from: vec![Source::Layer(from)], operation });
    }
    agrees(&net, 0.0);
}

/// For each step that is a list, whether it is the controller's own.
fn lists(compiled: &CompiledNetwork) -> Vec<bool> {
    let list = |step: &Step| if let Step::Events(read) = step { Some(read.is_alone) } else { None };
    compiled.steps().filter_map(list).collect()
}

/// If a single picture is on the array, the controller lists its pixels; there may also be several.
#[test]
fn lists_have_the_pixels_that_are_1() {
    let mut dice = Random(11);
    let convolution = dice.convolution(2, 1, (3, 3), 1);
    let net = network((9, 10), vec![convolution.clone(), threshold(20.0), Operation::Events { capacity: 20 }]);
    assert_eq!(lists(&agrees(&net, 0.0)), [true, true]);
    agrees_on(Array::new(15, 14), &net, 0.0);
    // Reading the bits of few rows is faster than a long list.
    let long = network((9, 10), vec![convolution.clone(), threshold(20.0), Operation::Events { capacity: 90 }]);
    assert_eq!(lists(&agrees_on(Array::new(15, 14), &long, 0.0)), [false, false]);
    // Pixels are apart on the array, and a bit is a value first.
    let padding = Padding { top: 1, ..Padding::NONE };
    let pool = Operation::MaxPool { size: (2, 2), stride: (2, 2), dilation: (1, 1), padding };
    let inverse = Operation::Threshold { at: vec![20.0], inclusive: false, below: 1.0, above: 0.0 };
    for bits in [threshold(20.0), inverse] {
        let net = network((9, 10), vec![convolution.clone(), bits, pool.clone(), Operation::Events { capacity: 30 }]);
        assert_eq!(lists(&agrees_on(Array::new(15, 14), &net, 0.0)), [false, false]);
    }
}

/// Bounds beyond all values are moved to where registers can hold them.
#[test]
fn values_are_held_at_bounds_far_from_them() {
    let mut dice = Random(12);
    let mut convolution = dice.convolution(2, 1, (2, 2), 0);
    if let Operation::Convolution { bias, .. } = &mut convolution {
        *bias = vec![52.5, -40.0];
    }
    let clamp = Operation::Clamp { low: -20.0, high: 20.0 };
    let mut net = network((6, 6), vec![convolution, clamp, threshold(0.0), Operation::Plane]);
    net.input.range = (-1.0, 1.0);
    agrees(&net, 0.0);
    let mut far = network((6, 6), vec![Operation::Clamp { low: 1e3, high: 2e3 }, Operation::Plane]);
    far.input.range = (-1.0, 1.0);
    assert!(refusal(&far).contains("values leave the range of the registers"), "{}", refusal(&far));
}

#[test]
fn a_bound_without_a_register_to_make_it_in_is_refused() {
    let mut net = network((4, 4), vec![Operation::Clamp { low: 5.0, high: 50.0 }, Operation::Plane]);
    net.machine = net.machine.with_registers(1);
    let message = refusal(&net);
    assert!(message.contains("1 registers hold; 2 registers would do"), "{message}");
}

#[test]
fn operations_between_sums() {
    let mut dice = Random(8);
    let branch =
        |name: &str, from: usize, operation| Layer { name: name.into(), from: vec![Source::Layer(from)], operation };
    let mut net = network((9, 9), vec![dice.convolution(2, 1, (3, 3), 0)]);
    net.layers.push(branch("leaky", 0, Operation::LeakyRelu { exponent: 2 }));
    net.layers.push(branch("abs", 0, Operation::Abs));
    net.layers.push(branch("clamp", 0, Operation::Clamp { low: -16.0, high: 32.0 }));
    for (name, from, operation) in [("most", [1, 2], Operation::Maximum), ("least", [3, 4], Operation::Minimum)] {
        let from = from.map(Source::Layer).to_vec();
        net.layers.push(Layer { name: name.into(), from, operation });
    }
    net.layers.push(branch(
        "strided",
        5,
        Operation::MeanPool {
            size: (2, 2),
            stride: (2, 2),
            dilation: (1, 1),
            padding: Padding::NONE,
            count_padding: true,
        },
    ));
    net.layers.push(branch("plane", 6, Operation::Plane));
    agrees(&net, 2.0);
}

/// Where numbers of the picture are moved so that 0 is 0 DN, they would leave the range: they are halved first.
#[test]
fn magnitudes_of_the_picture_stay_in_the_range() {
    for operation in [Operation::Abs, Operation::LeakyRelu { exponent: 2 }] {
        let mut net = network((6, 6), vec![operation, Operation::Plane]);
        (net.input.levels, net.input.range) = ((-120.0, 120.0), (-0.5, 2.0));
        net.input.binarise = None;
        agrees_on(Array::new(48, 40).errors(ErrorModel::saturating()), &net, 0.05);
    }
}

/// The numbers that bits stand for need not have few binary digits.
#[test]
fn bits_stand_for_any_two_numbers() {
    let mut dice = Random(13);
    let bits = |above| Operation::Threshold { at: vec![12.5], inclusive: false, below: -0.1, above };
    let sums = dice.convolution(2, 1, (2, 2), 0);
    agrees(&network((6, 6), vec![bits(f64::from(0.3_f32)), sums.clone(), Operation::Plane]), 0.05);
    let message = refusal(&network((6, 6), vec![bits(-0.1), sums, Operation::Plane]));
    assert!(message.contains("two `values` are the same number"), "{message}");
}

#[test]
fn strides_and_dilations_are_distances_on_the_array() {
    let mut dice = Random(9);
    let strided = |operation: Operation, stride, dilation| match operation {
        Operation::Convolution { kernels, bias, padding, .. } => {
            Operation::Convolution { kernels, bias, padding, stride, dilation }
        }
        other => other,
    };
    let first = strided(dice.convolution(2, 1, (3, 3), 1), (2, 2), (1, 1));
    let second = strided(dice.convolution(2, 2, (2, 2), 0), (1, 2), (2, 1));
    agrees(&network((11, 12), vec![first, Operation::Relu, second, threshold(5.0), Operation::Plane]), 0.0);
}

/// Six maps do not fit beside their sums: they are made once for every two of them.
#[test]
fn maps_are_made_anew_for_several_sums_at_once() {
    let mut dice = Random(11);
    let (first, second) = (dice.convolution(6, 1, (3, 3), 1), dice.convolution(4, 6, (2, 2), 0));
    let net = network((8, 8), vec![first, Operation::Relu, second, threshold(10.0), Operation::Plane]);
    let compiled = agrees(&net, 0.0);
    let made = |layer: usize, work: fn(&Work) -> bool| {
        let stages = compiled.stages().iter().filter(|stage| stage.layer == Some(layer) && work(&stage.work));
        stages.map(|stage| stage.channels.len()).sum::<usize>()
    };
    let is_sum = |work: &Work| matches!(work, Work::Sum(_));
    // One of the sums does not read one of the maps.
    assert_eq!((made(0, is_sum), made(2, is_sum)), (6 * 2, 6 * 4 - 1));
}

/// The error for a network that cannot be compiled.
fn refusal(network: &Network) -> String {
    compile(network).unwrap_err().to_string()
}

#[test]
fn errors_name_the_layer_and_what_would_do() {
    let mut dice = Random(2);
    // All six maps are needed at once, and none can be made anew: the last layer compares them with each other.
    let mut net = network((6, 6), vec![]);
    for i in 0..7 {
        let operation = dice.convolution(1, 1, (2, 2), 0);
        net.layers.push(Layer { name: format!("map{i}"), from: vec![Source::Image], operation });
    }
    let from = (0..7).map(Source::Layer).collect();
    net.layers.push(Layer { name: "most".into(), from, operation: Operation::Maximum });
    net.layers.push(Layer { name: "plane".into(), from: vec![Source::Layer(7)], operation: Operation::Plane });
    let message = refusal(&net);
    assert!(message.starts_with("layer `map") && message.contains("registers would do"), "{message}");

    let padding = Padding { top: 1, ..Padding::NONE };
    let padded = Operation::MeanPool { size: (2, 2), stride: (1, 1), dilation: (1, 1), padding, count_padding: false };
    let message = refusal(&network((6, 6), vec![padded, Operation::Plane]));
    assert!(
        message.starts_with("layer `layer0`: the compiler does not do means over fewer pixels at the border"),
        "{message}"
    );

    let mut bright = network((6, 6), vec![Operation::Relu, Operation::Plane]);
    bright.input.levels = (0.0, 200.0);
    assert!(refusal(&bright).contains("the levels 0..200 of the image cannot be shown"), "{}", refusal(&bright));
}

#[test]
fn the_same_network_gives_the_same_words() {
    let mut dice = Random(4);
    let net = network((8, 8), vec![dice.convolution(3, 1, (3, 3), 0), threshold(0.0), Operation::Plane]);
    assert_eq!(compile(&net).unwrap(), compile(&net).unwrap());
}
