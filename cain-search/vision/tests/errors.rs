//! Programs on a chip whose PEs all err alike: what is read, and what is compared, is corrected for typical pictures.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_possible_wrap,
    reason = "rows, columns, levels and numbers of tests are small"
)]

mod running;

use cain_isa::program::{Area, Grid};
use cain_isa::{Displacement, ErrorModel, Fraction, Machine};
use cain_runtime::sim::{Array, Saturation};
use cain_search::Options;
use cain_vision::declaration::{
    Arithmetic, Builder, Declaration, First, Kind, Number, Operation, Result as Outcome, Sample, Storage, Summand,
    Value,
};
use cain_vision::reference::{Answer, Content, Reference};
use running::{Running, SIDE};

/// The rows and columns of an array that is wider than its typical pictures.
const WIDE: usize = 48;
/// Those of the whole array.
const ALL: usize = 256;

/// The errors that all PEs share.
fn shared() -> ErrorModel {
    ErrorModel { relative_noise: 0.0, noise: 0.0, saturation: Saturation::None, ..ErrorModel::level(1) }
}

/// Grey values that change smoothly, between −60 and 60 DN.
fn picture(seed: u64, side: usize) -> Vec<f64> {
    let mut random = cain_isa::random::SplitMix64::new(seed);
    let mut wave = || [random.below(5) as f64 / 8.0, random.below(5) as f64 / 8.0, random.below(6) as f64];
    let waves = [wave(), wave(), wave()];
    let level = |pe: usize| {
        let (row, column) = ((pe / side) as f64, (pe % side) as f64);
        let sum: f64 = waves.iter().map(|[down, along, phase]| (down * row + along * column + phase).sin()).sum();
        (20.0 * sum).round()
    };
    (0..side * side).map(level).collect()
}

fn weighted(of: Value, weight: (i64, i64), x: i16, y: i16) -> Summand {
    Summand { of, weight: Fraction::new(weight.0, weight.1).unwrap(), at: Displacement::new(x, y) }
}

/// A filter of many weights with a rectifier, and where it is above a level and above what the host wants: the rectified values are
/// read in four windows, and the bits.
fn declaration(knows_pictures: bool) -> Declaration {
    let options = Options { nodes: 300, ..Options::default() };
    let mut builder = Builder::new("filtered", Machine::SCAMP5, options);
    builder.on_array_of(SIDE);
    let image = builder.input("image", Kind::Levels { low: -60.0, high: 60.0 }, false);
    let weights = [[3, 5, 2], [1, 7, -3], [-2, 5, 9]];
    let at = |place: usize| (place % 3) as i16 - 1;
    let summands = (0..9).map(|place| {
        let (row, column) = (place / 3, place % 3);
        weighted(image, (weights[row][column], 32), at(place), at(2 - row))
    });
    let summands = summands.collect();
    let sum = builder.define(Operation::Sum { summands, constant: Fraction::from(6), numbers: vec![] }).unwrap();
    let threshold = builder.parameter("threshold", (-100, 100), 20, false);
    let mut level = |constant: i32| {
        builder
            .define(Operation::Sum { summands: vec![], constant: Fraction::from(constant), numbers: vec![] })
            .unwrap()
    };
    let least = level(-9);
    let rectified = builder.define(Operation::Max(sum, least)).unwrap();
    let above = |constant: i32, numbers: Vec<(Fraction, Value)>| Operation::Sum {
        summands: vec![weighted(sum, (1, 1), 0, 0)],
        constant: Fraction::from(constant),
        numbers,
    };
    let mut bright = Vec::new();
    for sum in [above(-30, vec![]), above(0, vec![(Fraction::from(-1), threshold)])] {
        let above = builder.define(sum).unwrap();
        bright.push(builder.define(Operation::Positive(above)).unwrap());
    }
    for (number, (top, left)) in [(3, 3), (3, 8), (8, 3), (8, 8)].into_iter().enumerate() {
        let read = builder.define(Operation::Read(rectified, Grid::new((top, left), (1, 1), (4, 4)))).unwrap();
        builder.result(format!("sum_{number}"), Outcome::Value(read));
    }
    for (number, bright) in bright.into_iter().enumerate() {
        let count = builder.define(Operation::Read(bright, Grid::new((2, 2), (1, 1), (11, 11)))).unwrap();
        let count = builder.define(Operation::Number(Number::Value(count))).unwrap();
        builder.result(format!("count_{number}"), Outcome::Value(count));
    }
    if knows_pictures {
        let pictures = [1, 2].map(|seed| picture(seed, SIDE).iter().map(|level| *level as f32).collect()).to_vec();
        let area = Area { top: 0, left: 0, height: SIDE, width: SIDE };
        builder.sample(Sample { of: image, area, around: 0.0, pictures });
    }
    builder.finish()
}

/// By how much sums of windows are wrong on the average, per PE, and counts of bits above a constant and above a number.
fn errors(declaration: &Declaration, model: ErrorModel, is_corrected: bool) -> [f64; 3] {
    let mut running = Running::new(declaration, Array::new(SIDE, SIDE).errors(model)).unwrap();
    if !is_corrected {
        running.forget_corrections();
    }
    let mut reference = Reference::new(declaration, SIDE, SIDE);
    let mut sums = [0.0; 3];
    for (seed, threshold) in (10..20).zip([-5, 25, 12, 30, 0, 20, 35, -8, 16, 8]) {
        let input = [Content::Levels(picture(seed, SIDE))];
        reference.set(0, threshold);
        let (found, wanted) = (running.frame(&input, &[threshold]), reference.frame(&input));
        let number = |answer: &Answer| match answer {
            Answer::One(Content::Number(number)) => *number as f64,
            answer => panic!("{answer:?}"),
        };
        let error: Vec<f64> =
            found.iter().zip(&wanted).map(|(found, wanted)| (number(found) - number(wanted)).abs()).collect();
        sums[0] += error[..4].iter().sum::<f64>() / 64.0;
        sums[1] += error[4];
        sums[2] += error[5];
    }
    sums.map(|sum| sum / 10.0)
}

#[test]
fn read_outs_and_comparisons_are_corrected() {
    for knows_pictures in [true, false] {
        let declaration = declaration(knows_pictures);
        assert!(errors(&declaration, ErrorModel::ideal(), true).iter().all(|error| *error == 0.0));
        let [corrected, uncorrected] = [true, false].map(|corrected| errors(&declaration, shared(), corrected));
        println!("{corrected:?}, without correction {uncorrected:?}");
        // In DN, and of 121 bits each.
        for ((corrected, most), uncorrected) in corrected.iter().zip([1.0, 2.0, 2.0]).zip(uncorrected) {
            assert!(
                *corrected < most && *corrected < uncorrected / 5.0,
                "{corrected}, without correction {uncorrected}"
            );
        }
    }
}

/// A sum of many weights as a plane of the whole array.
fn plane(levels: Kind, kernel: [[i64; 5]; 5], scale: i64) -> (Builder, Value) {
    let mut builder = Builder::new("sum", Machine::SCAMP5, Options::default());
    builder.on_array_of(SIDE);
    let image = builder.input("image", levels, false);
    let rows = kernel.into_iter().zip([2, 1, 0, -1, -2]);
    let summands = rows
        .flat_map(|(row, y)| row.into_iter().zip(-2..).map(move |(weight, x)| weighted(image, (weight, scale), x, y)));
    let summands = summands.filter(|summand| !summand.weight.is_zero()).collect();
    let sum = builder.define(Operation::Sum { summands, constant: Fraction::ZERO, numbers: vec![] }).unwrap();
    builder.result("sum", Outcome::Value(sum));
    (builder, sum)
}

/// What stays on the array has no error on the average either: a result, and a state.
#[test]
fn planes_that_stay_are_corrected() {
    let levels = Kind::Levels { low: -128.0, high: 127.0 };
    let kernel = [[-4, 0, -4, 0, 3], [2, 2, 2, 3, -2], [1, -3, -4, -2, 3], [-1, 0, 2, 0, 2], [4, 2, 1, 4, 2]];
    let (mut builder, sum) = plane(levels, kernel, 64);
    builder.on_array_of(WIDE);
    let (state, before) = builder.state("state", levels, First::Constant(0), Storage::Plain);
    builder.next(state, sum).unwrap();
    builder.result("before", Outcome::Value(before));
    let declaration = builder.finish();
    let errors = |model: ErrorModel, is_corrected: bool| {
        let mut running = Running::new(&declaration, Array::new(WIDE, WIDE).errors(model)).unwrap();
        if !is_corrected {
            running.forget_corrections();
        }
        let mut reference = Reference::new(&declaration, WIDE, WIDE);
        let mut all = [Vec::new(), Vec::new()];
        for seed in 10..20 {
            let input = [Content::Levels(picture(seed, WIDE))];
            for ((found, wanted), all) in running.frame(&input, &[]).iter().zip(reference.frame(&input)).zip(&mut all) {
                let (Answer::One(Content::Levels(found)), Answer::One(Content::Levels(wanted))) = (found, &wanted)
                else {
                    panic!("{found:?}")
                };
                let errors = found.iter().zip(wanted).map(|(found, wanted)| found - wanted);
                all.extend(errors.filter(|error| !error.is_nan()));
            }
        }
        all.map(|errors| errors.iter().sum::<f64>() / errors.len() as f64)
    };
    assert!(errors(ErrorModel::ideal(), true).iter().all(|error| error.abs() < 1e-3));
    let [corrected, uncorrected] = [true, false].map(|is_corrected| errors(shared(), is_corrected));
    println!("{corrected:?}, without correction {uncorrected:?}");
    for (corrected, uncorrected) in corrected.iter().zip(uncorrected) {
        assert!(corrected.abs() < 1.0 && uncorrected.abs() > 5.0, "{corrected}, without correction {uncorrected}");
    }
}

/// The sum over the array of a picture that is taken, and of half of it.
#[test]
fn sums_over_the_array_are_corrected() {
    let mut builder = Builder::new("sums", Machine::SCAMP5, Options { nodes: 500, ..Options::default() });
    builder.on_array_of(ALL);
    let image = builder.input("image", Kind::Levels { low: -128.0, high: 127.0 }, true);
    let half =
        Operation::Sum { summands: vec![weighted(image, (1, 2), 0, 0)], constant: Fraction::ZERO, numbers: vec![] };
    let half = builder.define(half).unwrap();
    for (name, of) in [("whole", image), ("half", half)] {
        let total = builder.define(Operation::Total(of)).unwrap();
        builder.result(name, Outcome::Value(total));
    }
    let declaration = builder.finish();
    let number = |answer: &Answer| match answer {
        Answer::One(Content::Number(number)) => *number as f64,
        answer => panic!("{answer:?}"),
    };
    // The converter adds its noise.
    let off = |model: ErrorModel, is_corrected: bool| {
        let mut running = Running::new(&declaration, Array::new(ALL, ALL).errors(model).seed(1)).unwrap();
        if !is_corrected {
            running.forget_corrections();
        }
        let mut reference = Reference::new(&declaration, ALL, ALL);
        let mut off = [0.0; 2];
        for seed in [8, 14, 17] {
            let levels = picture(seed, ALL).into_iter().map(|level| level + 14.0 - seed as f64);
            let input = [Content::Levels(levels.collect())];
            let (found, wanted) = (running.frame(&input, &[]), reference.frame(&input));
            for ((found, wanted), off) in found.iter().zip(&wanted).zip(&mut off) {
                *off += (number(found) - number(wanted)).abs() / 3.0;
            }
        }
        off
    };
    assert!(off(ErrorModel::ideal(), true).iter().all(|off| *off == 0.0));
    let [corrected, uncorrected] = [true, false].map(|is_corrected| off(ErrorModel::measured(), is_corrected));
    println!("{corrected:?}, without correction {uncorrected:?}");
    assert!(corrected.iter().all(|off| *off < 3.0) && uncorrected.iter().all(|off| *off > 10.0));
}

/// Where a picture that is taken is positive, and where it is above its neighbours: on a chip, a level is added that is 0 without
/// errors.
#[test]
fn comparisons_without_a_level_get_one() {
    let mut builder = Builder::new("bright", Machine::SCAMP5, Options { nodes: 500, ..Options::default() });
    builder.on_array_of(WIDE);
    let image = builder.input("image", Kind::Levels { low: -128.0, high: 127.0 }, true);
    let around = [(1, 0), (-1, 0), (0, 1), (0, -1)].map(|(x, y)| weighted(image, (-1, 4), x, y));
    let summands = around.into_iter().chain([weighted(image, (1, 1), 0, 0)]).collect();
    let above = builder.define(Operation::Sum { summands, constant: Fraction::ZERO, numbers: vec![] }).unwrap();
    for (name, of) in [("bright", image), ("above", above)] {
        let bits = builder.define(Operation::Positive(of)).unwrap();
        builder.result(name, Outcome::Value(bits));
    }
    let declaration = builder.finish();
    let wrong = |model: ErrorModel, is_corrected: bool| {
        let mut running = Running::new(&declaration, Array::new(WIDE, WIDE).errors(model).seed(1)).unwrap();
        if !is_corrected {
            running.forget_corrections();
        }
        let mut reference = Reference::new(&declaration, WIDE, WIDE);
        let mut wrong = [0; 2];
        for seed in 10..20 {
            let input = [Content::Levels(picture(seed, WIDE))];
            let (found, wanted) = (running.frame(&input, &[]), reference.frame(&input));
            for ((found, wanted), wrong) in found.iter().zip(&wanted).zip(&mut wrong) {
                *wrong += wrong_inside(found, wanted, WIDE);
            }
        }
        wrong
    };
    let [corrected, uncorrected] = [true, false].map(|is_corrected| wrong(ErrorModel::measured(), is_corrected));
    println!("{corrected:?}, without correction {uncorrected:?}");
    assert!(2 * corrected[0] < uncorrected[0] && corrected[1] <= uncorrected[1]);
}

/// How many bits are wrong that are not at the border, where sums of neighbours are not defined.
fn wrong_inside(found: &Answer, wanted: &Answer, side: usize) -> usize {
    let (Answer::One(Content::Bits(found)), Answer::One(Content::Bits(wanted))) = (found, wanted) else {
        panic!("{found:?}")
    };
    let inner = (1..side - 1).flat_map(|row| (1..side - 1).map(move |column| row * side + column));
    inner.filter(|pe| found[*pe] != wanted[*pe]).count()
}

/// Bits as levels of 0 and 8, and where so many of five are 1: with constants, with a number of the controller, and without any.
#[test]
fn few_sums_are_divided_in_the_middle() {
    let mut builder = Builder::new("votes", Machine::SCAMP5, Options { nodes: 500, ..Options::default() });
    builder.on_array_of(WIDE);
    let votes = builder.input("votes", Kind::Bits, false);
    let most = builder.parameter("most", (0, 5), 3, false);
    let mut sum = |summands: Vec<Summand>, constant: i32, numbers| {
        builder.define(Operation::Sum { summands, constant: Fraction::from(constant), numbers }).unwrap()
    };
    let [none, one, less, more] = [0, 8, -4, 4].map(|level| sum(vec![], level, vec![]));
    let numbers = Number::Arithmetic(Arithmetic::Multiply, Box::new([Number::Constant(-8), Number::Value(most)]));
    let numbers = builder.define(Operation::Number(numbers)).unwrap();
    let cross =
        |of: Value| [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)].map(|(x, y)| weighted(of, (1, 1), x, y)).to_vec();
    let [counted, signed] = [(one, none), (more, less)]
        .map(|(then, otherwise)| builder.define(Operation::Select { bits: votes, then, otherwise }).unwrap());
    // At least two, more than two, at least as many as the host wants, and of four more ones than zeros.
    let sums = [
        (cross(counted), -15, vec![]),
        (cross(counted), -16, vec![]),
        (cross(counted), 1, vec![(Fraction::ONE, numbers)]),
        (cross(signed).split_off(1), 0, vec![]),
    ];
    for (number, (summands, constant, numbers)) in sums.into_iter().enumerate() {
        let sum = builder.define(Operation::Sum { summands, constant: Fraction::from(constant), numbers }).unwrap();
        let bits = builder.define(Operation::Positive(sum)).unwrap();
        builder.result(format!("bits_{number}"), Outcome::Value(bits));
    }
    let declaration = builder.finish();
    let wrong = |model: ErrorModel| {
        let mut running = Running::new(&declaration, Array::new(WIDE, WIDE).errors(model).seed(1)).unwrap();
        let mut reference = Reference::new(&declaration, WIDE, WIDE);
        let mut wrong = [0; 4];
        for (seed, most) in (10..20).zip([0, 1, 2, 3, 4, 5, 1, 2, 3, 4]) {
            let mut random = cain_isa::random::SplitMix64::new(seed);
            let input = [Content::Bits((0..WIDE * WIDE).map(|_| random.below(2) == 1).collect())];
            reference.set(0, most);
            let (found, wanted) = (running.frame(&input, &[most]), reference.frame(&input));
            for ((found, wanted), wrong) in found.iter().zip(&wanted).zip(&mut wrong) {
                *wrong += wrong_inside(found, wanted, WIDE);
            }
        }
        wrong
    };
    assert_eq!(wrong(ErrorModel::ideal()), [0; 4]);
    assert_eq!(wrong(ErrorModel::measured()), [0; 4]);
}

/// A sum whose short programs come over other PEs than those that it reads.
#[test]
fn sums_stay_within_the_range_on_their_way() {
    let kernel = [[2, 0, 1, 2, -1], [3, 2, 3, 3, 2], [2, 2, 3, 2, 2], [0, 1, 0, 2, 1], [-4, -4, -3, -3, -1]];
    let declaration = plane(Kind::Levels { low: -60.0, high: 60.0 }, kernel, 32).0.finish();
    let input = [Content::Levels((0..SIDE * SIDE).map(|pe| 60.0 - (pe % 7) as f64).collect())];
    let array = Array::new(SIDE, SIDE).errors(ErrorModel::saturating());
    let found = Running::new(&declaration, array).unwrap().frame(&input, &[]);
    let wanted = Reference::new(&declaration, SIDE, SIDE).frame(&input);
    let (Answer::One(Content::Levels(found)), Answer::One(Content::Levels(wanted))) = (&found[0], &wanted[0]) else {
        panic!("{found:?}")
    };
    let errors = found.iter().zip(wanted).filter(|(_, wanted)| !wanted.is_nan()).map(|(a, b)| (a - b).abs());
    let largest = errors.fold(0.0, f64::max);
    assert!(largest < 1e-3, "{largest} DN");
}
