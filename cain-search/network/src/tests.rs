//! Tests of shapes, error messages, and values computed by hand.

use cain_isa::{Fraction, Machine};

use super::{Image, Integers, Layer, Network, Operation, Padding, Shape, Source, Value, Window};
use cain_search::Options;

/// A picture of 3×4 pixels, with its own greys as numbers.
const IMAGE: Image = Image { height: 3, width: 4, levels: (0.0, 255.0), range: (0.0, 255.0), binarise: None };
const PIXELS: [u8; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

fn network(layers: Vec<(Vec<Source>, Operation)>) -> Network {
    let layer = |(i, (from, operation))| Layer { name: format!("l{i}"), from, operation };
    Network {
        name: "n".into(),
        input: IMAGE,
        pictures: vec![],
        largest_sums: Fraction::ONE,
        layers: layers.into_iter().enumerate().map(layer).collect(),
        machine: Machine::SCAMP5,
        options: Options::default(),
        interruption: None,
    }
}

/// A network in which each layer reads the one before.
fn chain(operations: impl IntoIterator<Item = Operation>) -> Network {
    let before = |i: usize| i.checked_sub(1).map_or(Source::Image, Source::Layer);
    network(operations.into_iter().enumerate().map(|(i, operation)| (vec![before(i)], operation)).collect())
}

/// The result of the last layer for the pixels.
#[track_caller]
fn last(network: &Network) -> Vec<f64> {
    network.evaluate(&PIXELS).unwrap().last().unwrap().numbers().to_vec()
}

#[track_caller]
fn mistakes(network: &Network) -> Vec<String> {
    network.check().1.iter().map(ToString::to_string).collect()
}

fn fractions(weights: &[&[i32]]) -> Vec<Vec<Fraction>> {
    weights.iter().map(|row| row.iter().map(|&weight| weight.into()).collect()).collect()
}

fn convolution(kernels: &[&[&[&[i32]]]], padding: Padding) -> Operation {
    let kernel = |kernel: &&[&[&[i32]]]| kernel.iter().map(|matrix| fractions(matrix)).collect();
    let bias = vec![0.0; kernels.len()];
    let kernels = kernels.iter().map(kernel).collect();
    Operation::Convolution { kernels, bias, stride: (1, 1), dilation: (1, 1), padding }
}

fn max_pool(size: (usize, usize), padding: Padding) -> Operation {
    Operation::MaxPool { size, stride: size, dilation: (1, 1), padding }
}

fn threshold(at: f64, inclusive: bool) -> Operation {
    Operation::Threshold { at: vec![at], inclusive, below: -1.0, above: 1.0 }
}

#[test]
fn kernels_are_not_turned_and_padding_is_zero() {
    let south = convolution(&[&[&[&[1], &[10]]]], Padding { bottom: 1, ..Padding::NONE });
    assert_eq!(last(&chain([south])), [51., 62., 73., 84., 95., 106., 117., 128., 9., 10., 11., 12.]);
}

#[test]
fn strides_and_dilations() {
    let operation = Operation::Convolution {
        kernels: vec![vec![fractions(&[&[1, 100]])], vec![fractions(&[&[0, -1]])]],
        bias: vec![0.5, 0.0],
        stride: (2, 3),
        dilation: (1, 3),
        padding: Padding { left: 3, ..Padding::NONE },
    };
    assert_eq!(last(&chain([operation])), [100.5, 401.5, 900.5, 1209.5, -1., -4., -9., -12.]);
}

#[test]
fn channels_are_summed() {
    let two = convolution(&[&[&[&[1]]], &[&[&[-2]]]], Padding::NONE);
    let sum = convolution(&[&[&[&[3]], &[&[1]]]], Padding::NONE);
    assert_eq!(last(&chain([two, sum])), PIXELS.map(f64::from));
}

#[test]
fn pooling_at_borders() {
    let padding = Padding { top: 1, left: 1, ..Padding::NONE };
    let minus = || convolution(&[&[&[&[-1]]]], Padding::NONE);
    assert_eq!(last(&chain([minus(), max_pool((2, 2), padding)])), [-1., -2., -5., -6.]);
    let mean =
        |count_padding| Operation::MeanPool { size: (2, 2), stride: (2, 2), dilation: (1, 1), padding, count_padding };
    assert_eq!(last(&chain([mean(true)])), [0.25, 1.25, 3.5, 8.5]);
    assert_eq!(last(&chain([mean(false)])), [1., 2.5, 7., 8.5]);
}

#[test]
fn thresholds_make_bits() {
    let strict = chain([threshold(6.0, false)]);
    assert_eq!(last(&strict)[4..8], [-1., -1., 1., 1.]);
    assert_eq!(last(&chain([threshold(6.0, true)]))[4..8], [-1., 1., 1., 1.]);
    let pooled = chain([threshold(6.0, true), max_pool((1, 4), Padding::NONE), Operation::Relu]);
    let shape = |bits| Shape::Maps { channels: 1, height: 3, width: 1, bits };
    assert_eq!(pooled.shapes().unwrap()[1..], [shape(true), shape(false)]);
    assert_eq!(pooled.bits().unwrap(), [Some(vec![(-1., 1.)]), Some(vec![(-1., 1.)]), None]);
}

#[test]
fn bits_with_other_numbers_are_not_combined() {
    let other = Operation::Threshold { at: vec![3.0], inclusive: true, below: 0.0, above: 1.0 };
    let both = vec![Source::Layer(0), Source::Layer(1)];
    let bits = |operation| {
        let image = vec![Source::Image];
        let network =
            network(vec![(image.clone(), threshold(6.0, true)), (image, other.clone()), (both.clone(), operation)]);
        network.bits().unwrap().pop().unwrap()
    };
    assert_eq!(bits(Operation::Maximum), None);
    assert_eq!(bits(Operation::Concatenate), Some(vec![(-1., 1.), (0., 1.)]));
}

#[test]
fn values_are_bounded_and_combined() {
    let both = vec![Source::Layer(0), Source::Layer(1)];
    let image = || vec![Source::Image];
    let affine = Operation::Affine { scale: vec![Fraction::from(-1)], shift: vec![5.0] };
    let layers =
        |operation| network(vec![(image(), affine.clone()), (image(), Operation::Abs), (both.clone(), operation)]);
    assert_eq!(last(&layers(Operation::Maximum))[..4], [4., 3., 3., 4.]);
    assert_eq!(last(&layers(Operation::Minimum))[..4], [1., 2., 2., 1.]);
    assert_eq!(last(&layers(Operation::Concatenate))[10..14], [-6., -7., 1., 2.]);
    let of = |operation| last(&chain([affine.clone(), operation]));
    assert_eq!(of(Operation::Relu)[3..6], [1., 0., 0.]);
    assert_eq!(of(Operation::LeakyRelu { exponent: 1 })[3..7], [1., 0., -0.5, -1.]);
    assert_eq!(of(Operation::Abs)[3..7], [1., 0., 1., 2.]);
    assert_eq!(of(Operation::Clamp { low: -1.0, high: 2.0 })[..7], [2., 2., 2., 1., 0., -1., -1.]);
}

#[test]
fn numbers_come_by_channel_and_window() {
    let two = || convolution(&[&[&[&[1]]], &[&[&[-1]]]], Padding::NONE);
    let windows = Window::tiles((3, 4), (2, 2));
    assert_eq!(windows.len(), 2);
    let read = |mean| Operation::Windows { windows: windows.clone(), mean };
    assert_eq!(last(&chain([two(), read(false)])), [14., 22., -14., -22.]);
    assert_eq!(last(&chain([two(), read(true)])), [3.5, 5.5, -3.5, -5.5]);
    assert_eq!(last(&chain([two(), Operation::Plane]))[11..14], [12., -1., -2.]);
}

#[test]
fn numbers_on_the_controller() {
    let read = Operation::Windows { windows: Window::tiles((3, 4), (3, 2)), mean: false };
    let dense = Operation::Dense {
        weights: vec![vec![1.0, -1.0], vec![-0.5, 0.5], vec![0.0, 0.0]],
        bias: vec![0.0, 1.0, 7.0],
        bits: 8,
    };
    let first = || [read.clone(), dense.clone()];
    assert_eq!(last(&chain(first())), [-12., 7., 7.]);
    let of = |operation| last(&chain(first().into_iter().chain([operation])));
    assert_eq!(of(Operation::Rectify), [0., 7., 7.]);
    assert_eq!(of(Operation::Argmax), [1.]);
    let probabilities = of(Operation::Softmax);
    assert!((probabilities[1] - 0.5).abs() < 1e-6 && (probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let twice = network(vec![
        (vec![Source::Image], read),
        (vec![Source::Layer(0)], Operation::Affine { scale: vec![Fraction::from(2)], shift: vec![0.0, 1.0] }),
        (vec![Source::Layer(1), Source::Layer(0)], Operation::Join),
    ]);
    assert_eq!(last(&twice), [66., 91., 33., 45.]);
    assert_eq!(twice.heads(), [2]);
}

#[test]
fn pixels_that_are_1_are_listed() {
    let listed = |capacity: usize| [threshold(9.0, false), Operation::Events { capacity }];
    assert_eq!(last(&chain(listed(4))), [3., 2., 3., 2., 2., 2., 1., 0., 0.]);
    // There is one pixel more than there is room for.
    assert_eq!(last(&chain(listed(2))), [3., 2., 3., 2., 2.]);
    let halves = Window::tiles((3, 4), (3, 2));
    let counts = |mean| Operation::Windows { windows: halves.clone(), mean };
    assert_eq!(last(&chain(listed(2).into_iter().chain([counts(false)]))), [0., 2.]);
    assert_eq!(last(&chain(listed(4).into_iter().chain([counts(true)]))), [1. / 6., 2. / 6.]);
    let network = chain(listed(2).into_iter().chain([counts(false), Operation::Argmax]));
    let layers = |is: fn(&Network, usize) -> bool| (0..4).filter(|&layer| is(&network, layer)).collect::<Vec<_>>();
    assert_eq!((layers(Network::is_read_out), layers(Network::is_counted)), (vec![1], vec![2]));

    for (operations, expected) in [
        (vec![Operation::Events { capacity: 3 }], "layer `l0`: reads 1 map of 3×4 pixels; expected maps of bits"),
        (listed(0).to_vec(), "layer `l1`: lists 0 pixels; expected a capacity from 1 to 2048"),
        (listed(usize::MAX).to_vec(), "expected a capacity from 1 to 2048"),
        (
            listed(2).into_iter().chain([Operation::Rectify]).collect(),
            "layer `l2`: reads 1 list of up to 2 pixels; expected numbers",
        ),
        (listed(2).into_iter().chain([Operation::Relu]).collect(), "expected maps on the array"),
    ] {
        let found = mistakes(&chain(operations));
        assert!(found.len() == 1 && found[0].contains(expected), "{found:?}");
    }
}

#[test]
fn pixels_of_a_pool_may_be_apart() {
    let pool = |dilation, padding| Operation::MaxPool { size: (2, 2), stride: (1, 1), dilation, padding };
    assert_eq!(last(&chain([pool((2, 3), Padding::NONE)])), [12.]);
    let mean = Operation::MeanPool {
        size: (2, 2),
        stride: (1, 1),
        dilation: (2, 1),
        padding: Padding::NONE,
        count_padding: true,
    };
    assert_eq!(last(&chain([mean])), [5.5, 6.5, 7.5]);
    // Both pixels of a column are in the padding, although the window covers the map.
    let around = Padding { top: 1, bottom: 1, ..Padding::NONE };
    assert_eq!(
        mistakes(&chain([pool((4, 1), around)])),
        ["layer `l0`: a window lies in the padding entirely; expected a smaller padding"]
    );
}

#[test]
fn pixels_become_numbers() {
    let image = Image { levels: (-60.0, 60.0), range: (0.0, 1.0), ..IMAGE };
    assert_eq!((image.number(255), image.number(51), image.level(51)), (1.0, 0.2, -36.0));
    let image = Image { binarise: Some(128), ..image };
    assert_eq!([127, 128].map(|pixel| (image.number(pixel), image.level(pixel))), [(0.0, -60.0), (1.0, 60.0)]);
}

#[test]
fn mistakes_name_the_layer() {
    let wide = convolution(&[&[&[&[1, 1, 1, 1, 1]]]], Padding::NONE);
    let expected =
        "layer `l0`: covers 1×5 pixels, but reads 1 map of 3×4 pixels; expected a smaller one, or more padding";
    // Consequences are not reported.
    assert_eq!(mistakes(&chain([wide, Operation::Argmax])), [expected]);

    let both = convolution(&[&[&[&[1]], &[&[1]]]], Padding::NONE);
    assert_eq!(mistakes(&chain([both])), ["layer `l0`: 2 input channels of a kernel; expected 1"]);

    let dense = |columns: usize| Operation::Dense { weights: vec![vec![1.0; columns]], bias: vec![0.0], bits: 16 };
    assert_eq!(
        mistakes(&chain([dense(12)])),
        ["layer `l0`: reads 1 map of 3×4 pixels; expected numbers, which `windows` or `plane` make of maps"]
    );
    assert_eq!(
        mistakes(&chain([Operation::Plane, dense(11)])),
        ["layer `l1`: 11 weights for each output; expected 12"]
    );
    assert_eq!(
        mistakes(&chain([Operation::Plane, Operation::Relu])),
        ["layer `l1`: reads 12 numbers, which are on the controller; expected maps on the array"]
    );
    let window = Window { top: 2, left: 0, height: 2, width: 4 };
    assert_eq!(
        mistakes(&chain([Operation::Windows { windows: vec![window], mean: true }])),
        ["layer `l0`: the window of 2×4 pixels at row 2 and column 0 exceeds the 1 map of 3×4 pixels"]
    );
    assert_eq!(
        mistakes(&chain([threshold(f64::NAN, true)])),
        ["layer `l0`: the threshold has the value NaN; expected a finite number"]
    );
    assert_eq!(
        mistakes(&chain([max_pool((2, 2), Padding { top: 2, ..Padding::NONE })])),
        ["layer `l0`: a window lies in the padding entirely; expected a smaller padding"]
    );
    let mut network = network(vec![
        (vec![Source::Layer(1)], Operation::Relu),
        (vec![Source::Image, Source::Image], Operation::Abs),
        (vec![Source::Image, Source::Layer(1)], Operation::Maximum),
    ]);
    network.layers[1].name = "l0".into();
    network.input.levels = (3.0, 3.0);
    assert_eq!(
        mistakes(&network),
        [
            "network `n`: the levels 3..3 of the image must be two different numbers",
            "layer `l0`: reads a layer that does not come before it; change the order",
            "layer `l0`: an earlier layer has the same name; rename one",
            "layer `l0`: reads 2 layers; expected one",
        ]
    );
}

#[test]
fn sizes_without_limit_are_refused() {
    let far = usize::MAX;
    let everywhere = Padding { top: far, left: far, bottom: far, right: far };
    let found = mistakes(&chain([convolution(&[&[&[&[1]]]], everywhere)]));
    assert_eq!(found, [format!("layer `l0`: the padding is {far}, which is more than the 256 pixels of the array")]);
    let window = Window { top: far, left: far, height: far, width: far };
    assert_eq!(mistakes(&chain([Operation::Windows { windows: vec![window], mean: false }])).len(), 1);
    // Each layer doubles the channels.
    let before = |i: usize| i.checked_sub(1).map_or(Source::Image, Source::Layer);
    let doubled = network((0..60).map(|i| (vec![before(i), before(i)], Operation::Concatenate)).collect());
    assert_eq!(mistakes(&doubled), ["layer `l8`: makes 512 maps of 3×4 pixels; at most 256 channels are possible"]);
    let mut large = network(vec![(vec![Source::Image; 256], Operation::Concatenate); 5]);
    (large.input.height, large.input.width) = (256, 256);
    assert_eq!(mistakes(&large).iter().filter(|mistake| mistake.contains("more than 67108864 values")).count(), 1);
    assert!(network(Vec::new()).evaluate(&PIXELS).is_err());
    assert!(matches!(chain([Operation::Abs]).evaluate(&PIXELS[1..]), Err(error) if error.layer.is_none()));
}

#[test]
fn maps_are_read_by_place() {
    let values = chain([Operation::Abs]).evaluate(&PIXELS).unwrap();
    let Value::Maps(maps) = &values[0] else { panic!("{values:?}") };
    assert_eq!(
        (maps.at(0, 2, 1), maps.at(0, -1, 0), maps.at(0, 0, 4), maps.at(1, 0, 0)),
        (Some(10.0), None, None, None)
    );
}

#[test]
fn weights_become_integers() {
    let weights = [vec![0.5, -1.0], vec![0.0, 0.253]];
    let integers = Integers::new(&weights, 8);
    assert_eq!(integers.weights, [[64, -127], [0, 32]]);
    for (row, rounded) in weights.iter().zip(integers.rounded()) {
        assert!(row.iter().zip(rounded).all(|(weight, rounded)| (weight - rounded).abs() <= integers.scale / 2.0));
    }
    assert_eq!(Integers::new(&weights, 16).weights[0], [16384, -32767]);
    assert_eq!(Integers::new(&[vec![0.0]], 8).weights, [[0]]);
}

#[test]
fn the_controller_has_integers_for_weights() {
    let dense = Operation::Dense { weights: vec![vec![1.0, 0.003]; 2], bias: vec![0.25; 2], bits: 8 };
    let with = chain([Operation::Plane, dense]).with_integers();
    let Operation::Dense { weights, bias, .. } = &with.layers[1].operation else { panic!("{with:?}") };
    assert_eq!((weights, bias), (&vec![vec![1.0, 0.0]; 2], &vec![0.25; 2]));
}
