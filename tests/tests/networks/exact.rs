//! Tests networks with layers in digital registers.

use cain_digital::Logic;
use cain_isa::{Displacement, Fraction};
use cain_network::{Layer, Network, Operation, Padding, Source, Value, Window, compile};

use super::{Random, agrees, network, threshold};

const AROUND: Padding = Padding { top: 1, left: 1, bottom: 1, right: 1 };

fn digital(kernels: &[&[&[i32]]], padding: Padding) -> Operation {
    let matrix = |rows: &&[&[i32]]| {
        rows.iter().map(|row| row.iter().copied().map(Fraction::from).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    let kernels = kernels.iter().map(|rows| vec![matrix(rows)]).collect();
    Operation::Digital { kernels, stride: (1, 1), dilation: (1, 1), padding }
}

fn whole(size: (usize, usize)) -> Operation {
    Operation::Windows { windows: vec![Window { top: 0, left: 0, height: size.0, width: size.1 }], mean: false }
}

/// Adds a layer that reads other layers than the previous one.
fn reading(net: &mut Network, from: &[usize], operation: Operation) -> usize {
    let name = format!("layer{}", net.layers.len());
    net.layers.push(Layer { name, from: from.iter().copied().map(Source::Layer).collect(), operation });
    net.layers.len() - 1
}

const ALL: &[&[i32]] = &[&[1, 1, 1], &[1, 1, 1], &[1, 1, 1]];
const ACROSS: &[&[i32]] = &[&[-1, 0, 1], &[-2, 0, 2], &[-1, 0, 1]];

/// The network goes from grey values to bits, counts of neighbours, weighted and compared counts, a Boolean function,
/// and numbers that become values again.
#[test]
fn layers_may_change_between_levels_and_bits() {
    let size = (9, 10);
    let mut net = network(size, vec![threshold(10.0), digital(&[ALL], AROUND), threshold(4.5)]);
    net.input.binarise = None;
    let gradient = reading(&mut net, &[0], digital(&[ACROSS], AROUND));
    let at = Displacement::new;
    let life = Logic::All(vec![
        Logic::pixel(0, at(0, 0)),
        Logic::Not(Box::new(Logic::pixel(0, at(0, 1)))),
        Logic::Any(vec![
            Logic::pixel(1, at(-1, 0)),
            // This bit is the sign of the gradient.
            Logic::Pixel { input: 2, bit: 3, at: at(1, -1) },
        ]),
    ]);
    let corners = reading(&mut net, &[0, 2, gradient], Operation::Logic { functions: vec![life] });
    reading(&mut net, &[corners], whole(size));
    reading(&mut net, &[gradient], whole(size));
    let values = reading(&mut net, &[gradient], Operation::Abs);
    reading(&mut net, &[values], Operation::Plane);
    let compiled = agrees(&net, 0.2);

    // The expected results are computed without any function of networks.
    let picture = Random(3).picture(size.0 * size.1);
    let number = |pixel: u8| net.input.number(pixel);
    let bit = |row: isize, column: isize| {
        let is_within = (0..9).contains(&row) && (0..10).contains(&column);
        i32::from(is_within && number(picture[(row * 10 + column).unsigned_abs()]) > 10.0)
    };
    let ring = || (-1..=1).flat_map(|y| (-1..=1).map(move |x| (y, x)));
    let gradient = |row: isize, column: isize| {
        ring()
            .map(|(y, x)| bit(row + y, column + x) * ACROSS[(y + 1).unsigned_abs()][(x + 1).unsigned_abs()])
            .sum::<i32>()
    };
    let is_within = |row: isize, column: isize| (0..9).contains(&row) && (0..10).contains(&column);
    let most = |row, column| is_within(row, column) && ring().map(|(y, x)| bit(row + y, column + x)).sum::<i32>() >= 5;
    let pixels = || (0..9).flat_map(|row| (0..10).map(move |column| (row, column)));
    let is_corner = |&(row, column): &(isize, isize)| {
        let falls = is_within(row + 1, column + 1) && gradient(row + 1, column + 1) < 0;
        bit(row, column) == 1 && bit(row - 1, column) == 0 && (most(row, column - 1) || falls)
    };
    let corners = pixels().filter(is_corner).count();
    let sum: i32 = pixels().map(|(row, column)| gradient(row, column)).sum();
    let found = compiled.network().evaluate(&picture).unwrap();
    #[expect(clippy::cast_precision_loss, reason = "at most 90")]
    let corners = corners as f64;
    assert_eq!((&found[5], &found[6]), (&Value::Numbers(vec![corners]), &Value::Numbers(vec![sum.into()])));
}

/// Layers with strides and dilations, of several channels, are read by all kinds of layers that may read maps.
#[test]
fn numbers_in_bits_are_read_like_other_maps() {
    let size = (12, 11);
    let bits = || Operation::Threshold { at: vec![-20.0], inclusive: true, below: 0.0, above: 1.0 };
    let far = |weights: [i32; 4]| {
        let kernel = |sign: i32| {
            vec![weights.map(|weight| Fraction::from(sign * weight)).chunks(2).map(<[_]>::to_vec).collect()]
        };
        Operation::Digital {
            kernels: vec![kernel(1), kernel(-1)],
            stride: (2, 1),
            dilation: (2, 3),
            padding: Padding { top: 1, left: 0, bottom: 1, right: 2 },
        }
    };
    let mut net = network(size, vec![bits(), far([1, 0, 0, 1])]);
    net.input.binarise = None;
    let signed = 1;
    let windows =
        vec![Window { top: 1, left: 2, height: 3, width: 2 }, Window { top: 0, left: 0, height: 1, width: 1 }];
    reading(&mut net, &[signed], Operation::Windows { windows, mean: true });
    let threshold = Operation::Threshold { at: vec![2.0, -1.0], inclusive: true, below: 0.0, above: 1.0 };
    let threshold = reading(&mut net, &[signed], threshold);
    reading(&mut net, &[threshold], Operation::Events { capacity: 20 });
    let pool = Operation::MaxPool { size: (2, 2), stride: (2, 2), dilation: (1, 1), padding: Padding::NONE };
    let pool = reading(&mut net, &[threshold], pool);
    reading(&mut net, &[pool], Operation::Plane);
    agrees(&net, 0.0001);

    let both = Operation::Digital {
        kernels: vec![vec![vec![vec![Fraction::ONE, Fraction::ZERO]], vec![vec![Fraction::ZERO, Fraction::from(-1)]]]],
        stride: (1, 2),
        dilation: (1, 1),
        padding: Padding::NONE,
    };
    let mut net = network(size, vec![bits(), far([1, 0, 1, -1]), both, Operation::Plane]);
    net.input.binarise = None;
    agrees(&net, 0.0);
}

/// A later layer reads some bits of a number after the others: after a comparison of it, and after a sum.
#[test]
fn bits_of_a_number_may_be_read_later() {
    let size = (10, 11);
    let number: &[&[i32]] = &[&[0, -1], &[1, -2]];
    let padding = Padding { top: 0, left: 1, bottom: 1, right: 0 };
    let compared = Operation::Threshold { at: vec![-1.0], inclusive: true, below: 0.0, above: 1.0 };
    for (operation, bit) in [(compared, 1), (digital(&[&[&[1, -1]]], Padding { left: 1, ..Padding::NONE }), 2)] {
        let mut net = network(size, vec![threshold(-19.7), digital(&[number], padding), operation]);
        net.input.binarise = None;
        let here = Displacement::ZERO;
        let either = Logic::Any(vec![Logic::pixel(0, here), Logic::Pixel { input: 1, bit, at: here }]);
        let either = reading(&mut net, &[0, 1], Operation::Logic { functions: vec![either] });
        reading(&mut net, &[2], whole(size));
        reading(&mut net, &[either], whole(size));
        agrees(&net, 0.0);
    }
}

#[test]
fn what_bits_cannot_hold_is_refused() {
    let refused = |layers: Vec<Operation>| compile(&network((8, 8), layers)).unwrap_err().to_string();
    let row: &[&[i32]] = &[&[1, 2, 4, 8, 16, 32, 64]];
    for (layers, message) in [
        (
            vec![digital(&[ALL], AROUND)],
            "layer `layer0`: reads 1 map of 8×8 pixels; expected bits that stand for 0 and 1, or numbers in bits, which \
             `threshold`, `digital` and `logic` make",
        ),
        (
            vec![threshold(0.0), digital(&[row], Padding::NONE), Operation::Relu, Operation::Plane],
            "layer `layer2`: reads a number of 7 bits as analogue values, whose range has room for 6 bits, or 7 with a sign; \
             use a threshold, or smaller weights",
        ),
        (
            vec![threshold(0.0), digital(&[ALL; 2], AROUND), digital(&[ALL], AROUND)],
            "layer `layer2`: 1 input channels of a kernel; expected 2",
        ),
        (
            vec![threshold(0.0), digital(&[&[&[200]]], Padding::NONE), Operation::Plane],
            "layer `layer1`: the number has 8 bits, but 7 of 7 digital registers hold nothing that later layers read; use \
             smaller weights, a threshold before other layers, or another order of layers",
        ),
        (
            vec![
                threshold(0.0),
                Operation::Digital {
                    kernels: vec![vec![vec![vec![Fraction::new(1, 2).unwrap()]]]],
                    stride: (1, 1),
                    dilation: (1, 1),
                    padding: Padding::NONE,
                },
            ],
            "layer `layer1`: channel 0: the weight 1/2 is not whole, so the result would not be exact; scale the kernel to \
             whole weights",
        ),
    ] {
        assert_eq!(refused(layers), message);
    }
}
