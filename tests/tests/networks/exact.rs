//! Networks with layers in digital registers.

use cain_isa::{Displacement, Fraction};
use cain_search::digital::Logic;
use cain_search::network::{Layer, Network, Operation, Padding, Source, Value, Window};

use super::{Dice, agrees, network, threshold};

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

/// A layer that reads another one than that before it.
fn reading(net: &mut Network, from: &[usize], operation: Operation) -> usize {
    let name = format!("layer{}", net.layers.len());
    net.layers.push(Layer { name, from: from.iter().copied().map(Source::Layer).collect(), operation });
    net.layers.len() - 1
}

const ALL: &[&[i32]] = &[&[1, 1, 1], &[1, 1, 1], &[1, 1, 1]];
const ACROSS: &[&[i32]] = &[&[-1, 0, 1], &[-2, 0, 2], &[-1, 0, 1]];

/// From grey values to bits, neighbours that are counted, counts that are weighed and compared, a Boolean function, and numbers
/// that are values again.
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
            // The sign of the gradient.
            Logic::Pixel { input: 2, bit: 3, at: at(1, -1) },
        ]),
    ]);
    let corners = reading(&mut net, &[0, 2, gradient], Operation::Logic { functions: vec![life] });
    reading(&mut net, &[corners], whole(size));
    reading(&mut net, &[gradient], whole(size));
    let values = reading(&mut net, &[gradient], Operation::Abs);
    reading(&mut net, &[values], Operation::Plane);
    let compiled = agrees(&net, 0.2);

    // The same without any of the functions of networks.
    let picture = Dice(3).picture(size.0 * size.1);
    let number = |pixel: u8| net.input.number(pixel);
    let bit = |row: isize, column: isize| {
        let is_within = (0..9).contains(&row) && (0..10).contains(&column);
        i32::from(is_within && number(picture[(row * 10 + column).unsigned_abs()]) > 10.0)
    };
    let ring = || (-1..=1).flat_map(|y| (-1..=1).map(move |x| (y, x)));
    let gradient = |row: isize, column: isize| {
        ring().map(|(y, x)| bit(row + y, column + x) * ACROSS[(y + 1) as usize][(x + 1) as usize]).sum::<i32>()
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
